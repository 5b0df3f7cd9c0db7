//===- Ratio.cpp - How far from the best any schedule can do --------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Targets.h"
#include "passes/prover/Witness.h"
#include "passes/verdict/Judgement.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::verdict;

namespace {

/// Traffic and floor at one typical size.
struct Point {
  Valuation at;
  std::string sizes;
  BigInt lo;                ///< words, at least
  std::optional<BigInt> hi; ///< at most
  floors::NumericFloor floor;
  BigInt M;
  std::string source; ///< of M
};

/// What e is divided into, e.g. the rows of a tile.
void collectDivisors(const Expr &e, std::set<std::string> &out) {
  for (const Expr &term : e.terms())
    for (const auto &[atom, power] : term.factors()) {
      bool divides =
          atom.kind() == ExprKind::CeilDiv || atom.kind() == ExprKind::FloorDiv;
      if (divides)
        for (const std::string &s : atom.operands()[1].freeSymbols())
          out.insert(s);
      for (const Expr &operand : atom.operands())
        collectDivisors(operand, out);
    }
}

std::optional<Point> typicalPoint(const Judgement &j) {
  const floors::Problem &p = *j.view.problem;
  Words total = j.view.against("total");
  // Whoever launches the kernel decides what it moves.
  for (const std::string &s : total.lo.freeSymbols())
    if (isUnlaunched(s))
      return std::nullopt;
  std::map<std::string, int64_t> wishes;
  auto wish = [&](const Expr &e, int64_t value) {
    for (const std::string &s : e.freeSymbols())
      wishes.try_emplace(s, value);
  };
  wish(p.dims.nQ, 4096);
  wish(p.dims.nK, 4096);
  wish(p.dims.d, 128);
  wish(p.dims.dV, 128);
  wish(p.dims.batch, 1);
  wish(p.dims.kvHeads, 8);
  wish(p.dims.heads, 8);
  std::set<std::string> tiles;
  collectDivisors(total.lo, tiles);
  for (const std::string &s : tiles)
    wishes.try_emplace(s, 64);
  std::vector<Cond> hypotheses = j.view.assumptions;
  for (const Cond &c : floors::requiredPairs(p.dims, p.mask).hypotheses)
    hypotheses.push_back(c);
  Assumptions known = collectAssumptions(j.view.subject);
  std::optional<Valuation> at;
  // Where a kernel demands something else of its sizes, try others.
  for (int64_t otherwise : {1, 8, 64, 128, 1024})
    if ((at = prover::pointNear(known, hypotheses, wishes, otherwise)))
      break;
  if (!at)
    return std::nullopt;
  auto problem = floors::concrete(p.dims, p.mask, *at);
  if (!problem)
    return std::nullopt;
  Point point;
  point.at = *at;
  if (j.given) {
    auto m = evaluate(j.given->atMost, *at);
    if (!m || *m < 1)
      return std::nullopt;
    point.M = *m;
    point.source = j.given->source;
  } else {
    // The target of the compile, where it is known.
    StringRef name = floors::kDefaultTarget;
    SubjectOp compiled = j.view.subject;
    auto own = dyn_cast_or_null<StringAttr>(compiled.getInfo().get("target"));
    if (own && floors::findTarget(own.getValue()))
      name = own.getValue();
    auto target = floors::findTarget(name);
    int64_t word = floors::wordBytes(j.view.subject);
    point.M = BigInt((target->fastBytes() + word - 1) / word);
    point.source = name.str();
  }
  // A kernel that holds more has more: less would ask for a floor that it is
  // not under.
  const std::optional<Expr> &held =
      j.view.footprintHi ? j.view.footprintHi : j.view.footprintLo;
  if (held)
    if (auto m = evaluate(*held, *at); m && *m > point.M) {
      point.M = *m;
      point.source = "M=held";
    }
  auto lo = evaluate(total.lo, *at);
  if (!lo)
    return std::nullopt;
  point.lo = *lo;
  if (total.hi)
    point.hi = evaluate(*total.hi, *at);
  point.floor = floors::bestTotalFloor(*problem, point.M);
  SubjectOp subject = j.view.subject;
  std::set<std::string> relevant;
  for (const auto &[name, value] : wishes)
    relevant.insert(name);
  for (const std::string &s : total.lo.freeSymbols())
    relevant.insert(s);
  for (auto symbol : subject.getBody().getOps<SymbolOp>())
    if (relevant.count(symbol.getName().str()))
      point.sizes += (point.sizes.empty() ? "" : ", ") +
                     symbol.getDisplay().value_or(symbol.getName()).str() +
                     " = " + decimal((*at)[symbol.getName().str()]);
  return point;
}

/// a / b to two places, rounded down.
std::string quotient(const BigInt &a, const BigInt &b) {
  BigInt hundredths = a * 100 / b;
  std::string fraction = decimal(hundredths % 100);
  if (fraction.size() < 2)
    fraction = "0" + fraction;
  return decimal(hundredths / 100) + "." + fraction;
}

/// a / b to the nearest tenth, below 10 to the nearest hundredth.
std::string shortQuotient(const BigInt &a, const BigInt &b) {
  BigInt unit(a >= b * 10 ? 10 : 100);
  BigInt value = (a * unit * 2 + b) / (b * 2);
  std::string fraction = decimal(value % unit);
  if (unit == 100 && fraction.size() < 2)
    fraction = "0" + fraction;
  return decimal(value / unit) + "." + fraction;
}

std::string floorName(const floors::NumericFloor &f) {
  if (f.kind == "scan")
    return "the scan floor";
  std::string own = " (own derivation, not peer reviewed)";
  if (f.kind == "saha-ye")
    return "the saha-ye floor" + own;
  return "the tight floor" + own;
}

std::string conditions(const Point &p) {
  std::string m = "M = " + decimal(p.M) + " words";
  std::string text = StringRef(p.source).starts_with("M=")
                         ? " at " + m
                         : " at " + p.source + " (" + m + ")";
  return text + (p.sizes.empty() ? "" : ", " + p.sizes);
}

/// A decimal number as numerator and power of ten.
std::optional<std::pair<BigInt, BigInt>> parseDecimal(StringRef text) {
  auto [whole, fraction] = text.trim().split('.');
  auto digits = [](StringRef s) {
    return llvm::all_of(s, [](char c) { return c >= '0' && c <= '9'; });
  };
  if ((whole.empty() && fraction.empty()) || !digits(whole) ||
      !digits(fraction) || whole.size() > 15 || fraction.size() > 15)
    return std::nullopt;
  BigInt num(0), den(1);
  for (char c : whole)
    num = num * 10 + (c - '0');
  for (char c : fraction) {
    num = num * 10 + (c - '0');
    den = den * 10;
  }
  if (num < 1)
    return std::nullopt;
  return std::pair(num, den);
}

} // namespace

RatioText ioflor::verdict::ratioText(const Judgement &j) {
  constexpr size_t kLongSizes = 60;
  RatioText out;
  auto p = typicalPoint(j);
  if (!p || p->floor.words < 1)
    return out;
  std::string ratio = shortQuotient(p->lo, p->floor.words);
  if (!p->hi)
    ratio = "at least " + ratio;
  else if (*p->hi != p->lo)
    ratio += " to " + shortQuotient(*p->hi, p->floor.words);
  bool own = p->floor.kind != "scan";
  StringRef kind =
      own && p->floor.kind != "saha-ye" ? StringRef("tight") : p->floor.kind;
  StringRef source = p->source;
  std::string at =
      source.starts_with("M=") ? "M = " + decimal(p->M) : source.str();
  out.main = ratio + "x the " + kind.str() + " floor at " + at;
  if (!p->sizes.empty() && p->sizes.size() <= kLongSizes)
    out.main += " (" + p->sizes + ")";
  out.notes.push_back(
      decimal(p->lo) + (p->hi && *p->hi == p->lo ? "" : " or more") +
      " words against " + decimal(p->floor.words) + conditions(*p));
  if (own)
    out.notes.push_back("the " + kind.str() +
                        " floor's constant is this project's own derivation, "
                        "not peer reviewed");
  return out;
}

bool ioflor::verdict::warnOfRatio(Judgement &j, std::string &error) {
  if (j.maxRatio.empty())
    return true;
  auto limit = parseDecimal(j.maxRatio);
  if (!limit) {
    error = "max-ratio '" + j.maxRatio + "' is no positive number";
    return false;
  }
  auto p = typicalPoint(j);
  if (!p || p->floor.words < 1 || !j.view.lackOfEvidence("total").empty())
    return true;
  if (p->lo * limit->second <= limit->first * p->floor.words)
    return true;
  Finding &f =
      j.add("ioflor-ratio", "warning",
            "moves " + quotient(p->lo, p->floor.words) + "x " +
                floorName(p->floor) + ", more than the limit of " + j.maxRatio,
            placeOf(j, "k"));
  f.notes.push_back(decimal(p->lo) + " words against " +
                    decimal(p->floor.words) + conditions(*p));
  f.notes.push_back("derived: " + wordsText(j.view.against("total")) +
                    " words");
  return true;
}
