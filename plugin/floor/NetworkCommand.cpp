//===- NetworkCommand.cpp - ioflor-floor network --------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Network.h"
#include "passes/floors/Reference.h"
#include "plugin/floor/Commands.h"
#include "plugin/floor/Sizes.h"

using namespace ioflor;
using namespace ioflor::floors;
using namespace ioflor::floortool;
using llvm::StringRef;

static const char kHelp[] =
    R"(usage: ioflor-floor network --n N --d D --p P [OPTIONS]

Words that must move between P devices, each of which holds N/P rows of Q and of K.

  --n N*, --d D*, --p P*  tokens, columns, devices; P must divide N
  --heads H               a factor on everything (each head is a problem of its own)
  --m WORDS*              also the single-device floor, and which axis binds
  --alpha A or A/B        no device computes more than alpha N^2/P pairs (1: balanced)
  --dtype fp16            bytes are told as well
  --seed-compat           counting relaxation and E d^2 / (2 M) only; otherwise the
                          maximum of the floors that apply to every schedule
  --format text|json|csv

)";

namespace {

struct Point {
  BigInt n, d, p, heads;
  std::optional<BigInt> M;
  std::optional<std::pair<BigInt, BigInt>> alpha;
  int64_t bytes = 0;
  bool seedCompat = false;
};

} // namespace

/// `3`, `3/2`.
static std::optional<std::pair<BigInt, BigInt>> readAlpha(Args &args) {
  auto text = args.value("alpha");
  if (!text)
    return std::nullopt;
  auto [a, b] = text->split('/');
  auto num = readNumber(a);
  auto den = text->contains('/') ? readNumber(b) : BigInt(1);
  if (!num || !den || *den < 1 || *num < *den) {
    args.fail("'--alpha' must be a number A or A/B of at least 1, not '" +
              text->take_front(40) + "'");
    return std::nullopt;
  }
  return std::make_pair(*num, *den);
}

static void addFloor(Section &section, const Point &at, const Floor &f,
                     const char *what) {
  bool holds = applies(f);
  auto value = holds ? valueOf(f) : std::nullopt;
  Record row;
  row.push_back({"kind", f.kind});
  row.push_back({"words", value ? Cell(*value) : Cell()});
  row.push_back({"at_least", value ? Cell(value->ceil()) : Cell()});
  if (at.bytes)
    row.push_back(
        {"bytes", value ? Cell((*value * Rational(at.bytes)).ceil()) : Cell()});
  row.push_back(
      {"of_saturation",
       value ? Cell(*value * Rational(BigInt(1), 2 * at.heads * at.d * at.n))
             : Cell()});
  row.push_back({"exact", value ? Cell(value->str()) : Cell()});
  row.push_back({"bounds", what});
  section.rows.push_back(std::move(row));
}

/// The single-device floor beside the network floor: two resources, neither of
/// which implies the other.
static Section composition(const Point &at, const Surd &network) {
  AttentionDims s{at.n, at.n, at.d, at.d, 1, at.heads, at.heads};
  Work w = workOf(s, Mask{});
  std::optional<NumericFloor> single;
  if (at.seedCompat) {
    std::vector<Floor> fs;
    addSahaYe(w, *at.M, fs);
    auto values = numericFloors(fs);
    if (!values.empty())
      single = values.front();
  } else {
    single = strongestFloor({w}, *at.M, Setting());
  }
  Record row;
  row.push_back({"M", *at.M});
  row.push_back({"network_words", network});
  row.push_back({"single_device_floor", single ? Cell(single->kind) : Cell()});
  row.push_back({"single_device_words", single ? Cell(single->exact) : Cell()});
  if (single) {
    bool net = single->exact < network;
    row.push_back({"larger", net ? "network" : "single_device_io"});
    row.push_back({"max", net ? network : single->exact});
  }
  return {"composition", {row}};
}

static Section schedules(const Point &at) {
  AttentionDims s{at.n, at.n, at.d, at.d, 1, at.heads, at.heads};
  std::vector<Traffic> all{ring(s, at.p, true), ring(s, at.p, false)};
  if (at.heads % at.p == 0) {
    all.push_back(ulysses(s, at.p, true));
    all.push_back(ulysses(s, at.p, false));
  }
  BigInt side = isqrt(at.p);
  if (side * side == at.p) {
    all.push_back(grid2D(s, side, true));
    all.push_back(grid2D(s, side, false));
    if (at.heads % side == 0)
      all.push_back(unifiedSequenceParallel(s, side, side));
  }
  Section section{"schedules", {}};
  for (const Traffic &t : all)
    if (auto num = t.num.constant()) {
      Rational words(*num, *t.den.constant());
      Record row{{"schedule", t.name}, {"words", words}};
      if (at.bytes)
        row.push_back({"bytes", (words * Rational(at.bytes)).ceil()});
      section.rows.push_back(std::move(row));
    }
  return section;
}

static Report report(const Point &at) {
  Sharding s{at.n, at.p, at.d, at.d, at.heads};
  Report r;
  r.header = {{"n", at.n},
              {"d", at.d},
              {"devices", at.p},
              {"heads", at.heads},
              {"saturation_2dN", 2 * at.heads * at.d * at.n}};
  Section floors{"floors", {}};
  Floor counting = networkCounting(s), covering = networkCovering(s);
  addFloor(floors, at, counting, "every schedule (counting relaxation)");
  Surd decided = *valueOf(counting);
  if (!at.seedCompat) {
    addFloor(floors, at, covering, "every schedule (true minimum)");
    addFloor(floors, at, networkBalanced(s),
             "schedules that share each head's pairs equally");
    Record row{{"kind", "network-balanced"}};
    BigInt whole = networkBalancedInteger(at.n, at.p, at.d) * at.heads;
    Floor integer{"network-balanced, whole rows", "network", whole, 1, {}, ""};
    addFloor(floors, at, integer, "the same in whole rows and columns");
    if (at.alpha)
      addFloor(floors, at, networkCapped(s, at.alpha->first, at.alpha->second),
               "schedules under the cap alpha");
    Surd other = *valueOf(covering);
    if (decided < other)
      decided = other;
  }
  r.sections.push_back(std::move(floors));
  if (at.M)
    r.sections.push_back(composition(at, decided));
  if (!at.seedCompat)
    r.sections.push_back(schedules(at));
  r.notes.push_back(
      at.seedCompat
          ? "Saturation: the counting floor grows with the devices and stays "
            "below "
            "2 d N."
          : "Saturation: 2 d N (1 - 1/P) is the minimum, attained by gathering "
            "on "
            "one device; with a cap on each device's share the floor grows as "
            "sqrt P beyond 2 d N.");
  if (at.M)
    r.notes.push_back(
        "Words between devices and words of a device's slow memory "
        "are different resources: both are told, the maximum is "
        "for display.");
  r.notes.push_back(
      "In the model: even sharding, d words a row or column. Not in "
      "it: V, the softmax, partial sums of one score from several "
      "devices, topology, latency.");
  return r;
}

int ioflor::floortool::runNetworkFloors(llvm::ArrayRef<StringRef> argv) {
  if (llvm::is_contained(argv, "--help")) {
    llvm::outs() << kHelp;
    return kFine;
  }
  Args args(argv, {{"n", "d", "p", "heads", "m", "alpha", "dtype", "format"},
                   {"seed-compat"}});
  std::string format = args.oneOf("format", {"text", "json", "csv"});
  Point at;
  at.seedCompat = args.has("seed-compat");
  std::string dtype;
  at.bytes = readDtype(args, dtype);
  auto ns = args.numbers("n", std::nullopt),
       ds = args.numbers("d", std::nullopt);
  auto ps = args.numbers("p", std::nullopt);
  at.heads = args.number("heads", BigInt(1));
  at.alpha = readAlpha(args);
  std::vector<std::optional<BigInt>> ms{std::nullopt};
  if (args.has("m")) {
    ms.clear();
    for (const BigInt &m : args.numbers("m", std::nullopt))
      ms.push_back(m);
  }
  if (args.ok() && ns.size() * ds.size() * ps.size() * ms.size() > 10'000)
    args.fail("the lists give more than 10000 combinations");
  if (!args.ok())
    return kBadInput;
  std::vector<Report> reports;
  for (const BigInt &n : ns)
    for (const BigInt &d : ds)
      for (const auto &m : ms)
        for (const BigInt &p : ps) {
          if (n % p != 0) {
            complain("P = " + decimal(p).substr(0, 60) +
                     " does not divide N = " + decimal(n).substr(0, 60) +
                     ": these floors are for even sharding, N/P rows on each "
                     "device");
            return kBadInput;
          }
          if (at.alpha && at.alpha->second * p < at.alpha->first) {
            complain("alpha is larger than P: no device can compute more than "
                     "all pairs, so a cap of that size is none");
            return kBadInput;
          }
          if (m && at.seedCompat && *m < d * d) {
            complain(
                "the quadratic floor E d^2 / (2 M) needs M >= d^2; without "
                "--seed-compat the floors for small M are taken");
            return kBadInput;
          }
          at.n = n;
          at.d = d;
          at.M = m;
          at.p = p;
          reports.push_back(report(at));
        }
  print(llvm::outs(), reports, format);
  return kFine;
}
