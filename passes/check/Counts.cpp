//===- Counts.cpp - Counts, sums and ends ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/check/Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::check;
using llvm::StringRef;

/// Terms of sums that one evaluation may add.
static constexpr uint64_t kSteps = 300'000;

static std::string shown(const Valuation &at) {
  std::string out;
  for (const auto &[name, value] : at)
    out += (out.empty() ? "" : ", ") + name + " = " + decimal(value);
  return out.empty() ? "all sizes" : out;
}

namespace {

class CountCheck {
public:
  CountCheck(const Certificate &c, Report &report)
      : c(c), report(report), points(samplePoints(c)) {}

  void run(Summary &summary) {
    summary.points += points.size();
    if (points.empty())
      report.differ(c.path + ".symbols",
                    "no sizes were found that the assumptions admit");
    Words loads, stores;
    for (const Buffer &b : c.buffers) {
      bool exact = true;
      for (bool isStore : {false, true}) {
        const Direction &d = isStore ? b.stores : b.loads;
        std::string p = b.path + (isStore ? ".stores" : ".loads");
        falls(d.issued, d.traffic, p, "issued", "traffic");
        falls(d.traffic, d.compulsory, p, "traffic", "compulsory");
        notNegative(d, p);
        exact &= d.issued.exact() && d.traffic.exact() && d.compulsory.exact();
      }
      if (exact != b.exact)
        report.differ(b.path + ".exact",
                      exact ? "every count is" : "some count is a range");
      loads += b.loads.traffic;
      stores += b.stores.traffic;
    }
    Words total = loads;
    total += stores;
    same(loads, c.loads, "loads", "the loads of the buffers");
    same(stores, c.stores, "stores", "the stores of the buffers");
    same(total, c.total, "total", "loads and stores together");
    if (c.footprintLo && c.footprintHi)
      atMost(*c.footprintLo, *c.footprintHi, c.path + ".footprint",
             "its lower end is above its upper end");
    words();
    evidence();
  }

private:
  /// `smaller <= larger` at every point; reports the first that differs.
  void atMost(const Expr &smaller, const Expr &larger, const std::string &path,
              const llvm::Twine &what) {
    if (smaller == larger)
      return;
    for (const Valuation &at : points) {
      auto a = evaluate(smaller, at, nullptr, kSteps),
           b = evaluate(larger, at, nullptr, kSteps);
      if (a && b && *a > *b) {
        report.differ(path, what + " at " + shown(at) + ": " + decimal(*a) +
                                " > " + decimal(*b));
        return;
      }
    }
  }
  void falls(const Words &more, const Words &less, const std::string &path,
             StringRef moreName, StringRef lessName) {
    std::string what = (moreName + " is less than " + lessName).str();
    // Of ranges only their outer ends can be compared.
    if (more.hi)
      atMost(less.lo, *more.hi, path, what);
    if (more.exact() && less.exact())
      atMost(less.lo, more.lo, path, what);
  }
  void notNegative(const Direction &d, const std::string &path) {
    const std::pair<const Words *, StringRef> all[] = {
        {&d.issued, "issued"},
        {&d.traffic, "traffic"},
        {&d.compulsory, "compulsory"}};
    for (auto [w, name] : all) {
      atMost(Expr(0), w->lo, path + "." + name.str(), "it is below 0");
      if (w->hi)
        atMost(w->lo, *w->hi, path + "." + name.str(),
               "its lower end is above its upper end");
    }
  }
  bool equal(const Expr &a, const Expr &b, std::string &where) {
    if (a == b)
      return true;
    for (const Valuation &at : points) {
      auto x = evaluate(a, at, nullptr, kSteps),
           y = evaluate(b, at, nullptr, kSteps);
      if (x && y && *x != *y) {
        where = "at " + shown(at) + " " + decimal(*x) + ", not " + decimal(*y);
        return false;
      }
    }
    // The same at every point tried, though written otherwise.
    return true;
  }
  void same(const Words &sum, const Words &said, StringRef name,
            StringRef what) {
    std::string path = c.path + ".traffic." + name.str(), where;
    if (!equal(sum.lo, said.lo, where))
      report.differ(path, what + " are " + where);
    else if (sum.hi.has_value() != said.hi.has_value())
      report.differ(path, sum.hi ? "the upper end is known"
                                 : "the upper end is not known");
    else if (sum.hi && !equal(*sum.hi, *said.hi, where))
      report.differ(path, what + " are at most " + where);
    else if (sum.exact() != said.exact())
      report.differ(path, sum.exact() ? "the count is exact"
                                      : "the count is "
                                        "a range");
  }
  /// A word is the narrowest element of a buffer with a role.
  void words() {
    std::optional<BigInt> narrowest;
    for (const Buffer &b : c.buffers)
      if (b.role != "other" && (!narrowest || b.elementBytes < *narrowest))
        narrowest = b.elementBytes;
    if (c.elementBytes != narrowest.value_or(BigInt(1)))
      report.differ(c.path + ".model.element_bytes",
                    "the narrowest operand has " +
                        decimal(narrowest.value_or(BigInt(1))));
  }
  /// Extents come with evidence.
  void evidence() {
    for (auto [i, b] : llvm::enumerate(c.buffers)) {
      const Json &j = c.json->get("buffers")->items[i];
      bool extents = !j.get("extents")->items.empty();
      if (extents && j.get("evidence")->text.empty())
        report.differ(b.path + ".evidence", "the extents have none");
      if (c.hasDims && !b.extents.empty() && b.roles.size() == 1)
        extentsAreSizes(b);
    }
  }
  /// The entries of an operand are those of the sizes.
  void extentsAreSizes(const Buffer &b) {
    auto size = [&](const char *name) { return c.dims.at(name); };
    Expr entries = size("batch");
    if (b.role == "Q")
      entries *= size("heads") * size("n_q") * size("d");
    else if (b.role == "K")
      entries *= size("kv_heads") * size("n_k") * size("d");
    else if (b.role == "V")
      entries *= size("kv_heads") * size("n_k") * size("d_v");
    else if (b.role == "O")
      entries *= size("heads") * size("n_q") * size("d_v");
    else
      return;
    Expr product(1);
    for (const Expr &e : b.extents)
      product *= e;
    std::string where;
    if (!equal(entries, product, where))
      report.differ(b.path + ".extents", "the sizes give " + where);
  }

  const Certificate &c;
  Report &report;
  std::vector<Valuation> points;
};

} // namespace

void ioflor::check::checkCounts(const Certificate &c, Report &report,
                                Summary &summary) {
  CountCheck(c, report).run(summary);
}
