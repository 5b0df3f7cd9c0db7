//===- Floors.cpp - Lower bounds on attention's traffic -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Floors.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ioflor;
using namespace ioflor::floors;

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

std::optional<Mask> ioflor::floors::maskFromName(llvm::StringRef kind,
                                                 const Expr &w) {
  auto k = llvm::StringSwitch<std::optional<MaskKind>>(kind)
               .Cases({"", "exact"}, MaskKind::Exact)
               .Case("causal", MaskKind::Causal)
               .Case("causal_top_left", MaskKind::CausalTopLeft)
               .Case("window", MaskKind::Window)
               .Case("window_symmetric", MaskKind::WindowSymmetric)
               .Case("approximate", MaskKind::Approximate)
               .Case("sparse", MaskKind::Sparse)
               .Case("masked_by", MaskKind::MaskedBy)
               .Default(std::nullopt);
  if (!k)
    return std::nullopt;
  return Mask{*k, w};
}

llvm::StringRef ioflor::floors::maskName(MaskKind kind) {
  switch (kind) {
  case MaskKind::Exact:
    return "exact";
  case MaskKind::Causal:
    return "causal";
  case MaskKind::CausalTopLeft:
    return "causal_top_left";
  case MaskKind::Window:
    return "window";
  case MaskKind::WindowSymmetric:
    return "window_symmetric";
  case MaskKind::Approximate:
    return "approximate";
  case MaskKind::Sparse:
    return "sparse";
  case MaskKind::MaskedBy:
    return "masked_by";
  }
  return "exact";
}

/// Twice the pairs of `the last w keys up to and with the diagonal` where the
/// diagonal of row i is column i + n_k - n_q and n_q <= n_k, w >= 1: row i sees
/// min(w, i + 1 + off) keys, off = n_k - n_q.
static Expr twiceWindow(const Expr &nQ, const Expr &nK, const Expr &w) {
  Expr off = nK - nQ;
  // The first `ragged` rows see fewer than w keys.
  Expr ragged = max(Expr(0), min(nQ, w - off - 1));
  return 2 * ragged * (off + 1) + ragged * (ragged - 1) + 2 * (nQ - ragged) * w;
}

Required ioflor::floors::requiredPairs(const AttentionDims &s,
                                       const Mask &mask) {
  const Expr &nQ = s.nQ, &nK = s.nK;
  Required r;
  r.rows = nQ;
  r.columns = nK;
  switch (mask.kind) {
  case MaskKind::Exact:
    r.twicePairs = 2 * nQ * nK;
    break;
  case MaskKind::Causal:
  case MaskKind::MaskedBy:
    r.twicePairs = 2 * nQ * nK - nQ * (nQ - 1);
    r.hypotheses.push_back(le(nQ, nK));
    break;
  case MaskKind::CausalTopLeft: {
    Expr m = min(nQ, nK);
    r.twicePairs = m * (m + 1) + 2 * max(Expr(0), nQ - nK) * nK;
    r.columns = m;
    break;
  }
  case MaskKind::Window:
    r.twicePairs = twiceWindow(nQ, nK, mask.w);
    r.columns = nQ + min(mask.w - 1, nK - nQ);
    r.hypotheses.push_back(le(nQ, nK));
    r.hypotheses.push_back(le(1, mask.w));
    break;
  case MaskKind::WindowSymmetric: {
    // Left of and with the diagonal a window of w + 1 keys; right of it row
    // n_q - 1 - k has min(w, k) more.
    Expr a = min(mask.w, nQ - 1);
    r.twicePairs = twiceWindow(nQ, nK, mask.w + 1) + a * (a + 1) +
                   2 * (nQ - 1 - a) * mask.w;
    r.columns = nQ + min(mask.w, nK - nQ);
    r.hypotheses.push_back(le(nQ, nK));
    r.hypotheses.push_back(le(0, mask.w));
    break;
  }
  case MaskKind::Approximate:
    r.twicePairs = 0;
    break;
  case MaskKind::Sparse:
    r.twicePairs = 0;
    r.columns = 0;
    break;
  }
  return r;
}

//===----------------------------------------------------------------------===//
// Symbolic floors
//===----------------------------------------------------------------------===//

static BigInt content(const Expr &e) {
  BigInt g(0);
  for (const Expr &t : e.terms())
    g = llvm::gcd(g, llvm::abs(t.coefficient()));
  return g;
}

/// num / den without a common integer factor.
static void reduce(Expr &num, Expr &den) {
  BigInt g = llvm::gcd(content(num), content(den));
  if (g <= 1)
    return;
  auto divide = [&](const Expr &e) {
    Expr out;
    for (const Expr &t : e.terms()) {
      Expr term(t.coefficient() / g);
      for (const auto &[atom, power] : t.factors())
        for (unsigned i = 0; i < power; ++i)
          term *= atom;
      out += term;
    }
    return out;
  };
  num = divide(num);
  den = divide(den);
}

static constexpr char kSahaYeSource[] =
    "form: Saha & Ye, arXiv:2402.07443; constant: Theorem A, own derivation, "
    "not peer reviewed; standard matrix multiplication, cold fast memory";
static constexpr char kScanSource[] =
    "every required row of an operand crosses the boundary at least once";
static constexpr char kSharpSource[] =
    "Theorem A, own derivation, not peer reviewed; standard matrix "
    "multiplication, cold fast memory";
static constexpr char kFmmSource[] =
    "any algorithm that computes every required score: Saha & Ye with the "
    "sharpened count of an epoch, own derivation, not peer reviewed";
static constexpr char kTightSource[] =
    "Theorem B, own derivation, not peer reviewed; standard matrix "
    "multiplication and softmax-attention, cold fast memory";

std::vector<Floor>
ioflor::floors::symbolicFloors(const AttentionDims &s, const Mask &mask,
                               const Expr &M,
                               const std::set<std::string> &optional) {
  Required r = requiredPairs(s, mask);
  Expr queryHeads = s.batch * s.heads, kvHeads = s.batch * s.kvHeads;
  Expr twiceE = queryHeads * r.twicePairs;
  std::vector<Floor> floors;
  auto add = [&](const char *kind, const char *against, Expr num, Expr den,
                 const char *source, std::vector<Cond> more = {}) {
    if (num.isZero())
      return;
    reduce(num, den);
    Floor f{kind, against, num, den, r.hypotheses, source};
    f.hypotheses.insert(f.hypotheses.end(), more.begin(), more.end());
    floors.push_back(std::move(f));
  };

  Expr dd = s.d * s.d;
  add("saha-ye", "qk", twiceE * dd, 4 * M, kSahaYeSource, {le(dd, M)});
  Expr q = queryHeads * r.rows * s.d, k = kvHeads * r.columns * s.d;
  Expr v = s.aliasedKV ? Expr(0) : kvHeads * r.columns * s.dV;
  // Every row of O is stored, masked or not.
  Expr o = queryHeads * s.nQ * s.dV;
  add("scan-q", "q", q, 1, kScanSource);
  add("scan-k", "k", k, 1, kScanSource);
  add("scan-v", "v", v, 1, kScanSource);
  add("scan-o", "o", o, 1, kScanSource);
  add("scan", "loads", q + k + v, 1, kScanSource);

  if (twiceE.isZero())
    return floors;
  if (optional.count("sharp")) {
    add("sharp", "qk", twiceE * dd, 2 * M, kSharpSource, {le(2 * dd, M)});
    add("sharp", "qk", twiceE, 4, kSharpSource, {le(M, 2 * dd)});
  }
  if (optional.count("fmm"))
    add("fmm", "qk", twiceE * dd - 8 * M * M, 8 * M, kFmmSource, {le(dd, M)});
  if (optional.count("tight") && !s.aliasedKV) {
    Expr sum = s.d + s.dV;
    if (s.d == s.dV) {
      add("tight", "total", 2 * twiceE * dd, M, kTightSource,
          {le(128 * dd, 27 * M)});
    } else {
      add("tight", "total", 2 * twiceE * s.d * s.dV, M, kTightSource,
          {le(s.d, s.dV), le(128 * dd, 27 * M)});
      add("tight", "total", twiceE * sum * sum, 2 * M, kTightSource,
          {le(s.dV, s.d), le(2 * sum * sum, M)});
    }
  }
  return floors;
}

//===----------------------------------------------------------------------===//
// Numeric floors
//===----------------------------------------------------------------------===//

std::optional<ConcreteProblem> ioflor::floors::concrete(const AttentionDims &s,
                                                        const Mask &mask,
                                                        const Valuation &at,
                                                        ExprError *error) {
  ConcreteProblem p;
  bool ok = true;
  auto value = [&](const Expr &e, BigInt &out) {
    if (!ok)
      return;
    if (auto v = evaluate(e, at, error))
      out = *v;
    else
      ok = false;
  };
  Required r = requiredPairs(s, mask);
  value(s.nQ, p.nQ);
  value(s.nK, p.nK);
  value(s.d, p.d);
  value(s.dV, p.dV);
  value(s.batch, p.batch);
  value(s.heads, p.heads);
  value(s.kvHeads, p.kvHeads);
  value(r.twicePairs, p.twicePairs);
  value(r.rows, p.rows);
  value(r.columns, p.columns);
  if (!ok)
    return std::nullopt;
  auto fail = [&](const char *why) -> std::optional<ConcreteProblem> {
    if (error)
      error->message = why;
    return std::nullopt;
  };
  for (const BigInt *size :
       {&p.nQ, &p.nK, &p.d, &p.dV, &p.batch, &p.heads, &p.kvHeads})
    if (*size < 1)
      return fail("a size is below 1");
  if (p.heads % p.kvHeads != 0)
    return fail("the heads are no multiple of the KV heads");
  for (const Cond &c : r.hypotheses) {
    auto holds = evaluate(c, at, error);
    if (!holds)
      return std::nullopt;
    if (!*holds)
      return fail("the sizes do not fit the mask");
  }
  p.aliasedKV = s.aliasedKV;
  p.hasPairs =
      mask.kind != MaskKind::Approximate && mask.kind != MaskKind::Sparse;
  return p;
}

/// ceil(a / b) for a >= 0, b >= 1.
static BigInt ceilOf(const BigInt &a, const BigInt &b) {
  return (a + b - 1) / b;
}

BigInt ioflor::floors::isqrt(const BigInt &n) {
  if (n < 2)
    return n;
  // Newton from above: decreases until it is the floor.
  BigInt x = n, y = (n + 1) / 2;
  while (y < x) {
    x = y;
    y = (x + n / x) / 2;
  }
  return x;
}

std::optional<BigInt> ioflor::floors::sahaYeFloor(const ConcreteProblem &p,
                                                  const BigInt &M) {
  if (!p.hasPairs || M < p.d * p.d)
    return std::nullopt;
  return ceilOf(p.batch * p.heads * p.twicePairs * p.d * p.d, 4 * M);
}

std::optional<NumericFloor> ioflor::floors::tightFloor(const ConcreteProblem &p,
                                                       const BigInt &M) {
  if (!p.hasPairs || p.aliasedKV || M < 1)
    return std::nullopt;
  BigInt twiceE = p.batch * p.heads * p.twicePairs;
  BigInt sum = p.d + p.dV, dd = p.d * p.d;
  std::optional<NumericFloor> best;
  auto offer = [&](const char *kind, const BigInt &words) {
    if (!best || words > best->words)
      best = NumericFloor{kind, words};
  };
  if (p.dV >= p.d) {
    BigInt num = 2 * twiceE * p.d * p.dV;
    if (27 * M >= 128 * dd)
      offer("tight-b", ceilOf(num, M));
    if (M + 1 >= 4 * dd)
      offer("tight-c", ceilOf(num, M + 1));
  }
  if (p.dV <= p.d) {
    BigInt num = twiceE * sum * sum;
    if (M >= 2 * sum * sum || 27 * M * p.dV * p.dV >= 8 * sum * sum * sum * sum)
      offer("tight-b", ceilOf(num, 2 * M));
    if (M + 1 >= 2 * p.d * sum)
      offer("tight-c", ceilOf(num, 2 * (M + 1)));
  }
  if (M <= 4 * dd) {
    // T + E >= 2 E (d + d_v) / sqrt(M): the smallest integer t with
    // t^2 M >= (2E)^2 (d + d_v)^2, minus E.
    BigInt square = ceilOf(twiceE * twiceE * sum * sum, M);
    BigInt t = isqrt(square);
    if (t * t < square)
      t += 1;
    BigInt words = t - twiceE / 2;
    if (words > 0)
      offer("tight-r", words);
  }
  return best;
}

NumericFloor ioflor::floors::bestTotalFloor(const ConcreteProblem &p,
                                            const BigInt &M) {
  BigInt queryHeads = p.batch * p.heads, kvHeads = p.batch * p.kvHeads;
  BigInt q = queryHeads * p.rows * p.d, k = kvHeads * p.columns * p.d;
  BigInt v = p.aliasedKV ? BigInt(0) : kvHeads * p.columns * p.dV;
  BigInt o = queryHeads * p.nQ * p.dV;
  NumericFloor best{"scan", q + k + v + o};
  // V is read and O stored in words that the Q and K floor does not count;
  // with V inside K that would count V twice.
  if (auto qk = sahaYeFloor(p, M))
    if (*qk + v + o > best.words)
      best = {"saha-ye", *qk + v + o};
  if (auto tight = tightFloor(p, M))
    if (tight->words > best.words)
      best = *tight;
  return best;
}
