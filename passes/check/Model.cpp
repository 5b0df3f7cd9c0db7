//===- Model.cpp - What a read certificate says of sizes and words --===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/check/Model.h"
#include "passes/prover/Witness.h"
#include "llvm/ADT/STLExtras.h"

using namespace ioflor;
using namespace ioflor::check;
using llvm::StringRef;

const Symbol *Certificate::symbol(StringRef name) const {
  for (const Symbol &s : symbols)
    if (s.name == name)
      return &s;
  return nullptr;
}

Assumptions Certificate::known(bool withFastWords) const {
  Assumptions out;
  for (const Symbol &s : symbols)
    out.declare(s.name, s.lo, s.hi);
  for (const Cond &c : assumptions)
    assume(out, c);
  if (withFastWords)
    out.declare(fastWords, Expr(1), std::nullopt);
  return out;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

std::string ioflor::check::whyInadmissible(const Certificate &c,
                                           const Valuation &at) {
  for (const Symbol &s : c.symbols) {
    if (s.fromData)
      continue;
    auto it = at.find(s.name);
    if (it == at.end())
      continue; // not said: nothing depends on it
    for (bool upper : {false, true}) {
      const std::optional<Expr> &end = upper ? s.hi : s.lo;
      auto value = end ? evaluate(*end, at) : std::nullopt;
      if (value && (upper ? it->second > *value : it->second < *value))
        return s.name + " is " + (upper ? "above " : "below ") + end->str();
    }
  }
  for (const Cond &a : c.assumptions)
    if (evaluate(a, at) == false)
      return "violates " + a.str();
  return "";
}

std::vector<Valuation> ioflor::check::samplePoints(const Certificate &c) {
  static constexpr int64_t kSizes[] = {1,  2,  3,  7,   16,  31,   32,
                                       33, 64, 65, 100, 129, 1000, 4096};
  Assumptions known = c.known(/*withFastWords=*/false);
  std::vector<Cond> plain;
  for (const Cond &a : c.assumptions)
    if (!a.hasUnknown())
      plain.push_back(a);
  std::vector<Valuation> out;
  auto add = [&](const std::map<std::string, int64_t> &wishes,
                 int64_t otherwise) {
    auto at = prover::pointNear(known, plain, wishes, otherwise);
    if (at && !llvm::is_contained(out, *at))
      out.push_back(std::move(*at));
  };
  for (int64_t size : kSizes)
    add({}, size);
  // Sizes that differ from one another.
  uint64_t state = 1;
  for (unsigned round = 0; round < 16; ++round) {
    std::map<std::string, int64_t> wishes;
    for (const Symbol &s : c.symbols) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      wishes[s.name] = kSizes[(state >> 33) % std::size(kSizes)];
    }
    add(wishes, 1);
  }
  return out;
}

static std::vector<StringRef> rolesAgainst(StringRef what) {
  if (what == "q")
    return {"Q"};
  if (what == "k")
    return {"K"};
  if (what == "v")
    return {"V"};
  if (what == "qk")
    return {"Q", "K"};
  return {"Q", "K", "V"};
}

/// A buffer of several operands is counted as one: any share may be of `role`.
static Words operand(const Certificate &c, StringRef role, bool stores) {
  Words out;
  for (const Buffer &b : c.buffers) {
    if (!b.roles.count(role.str()))
      continue;
    Words w = (stores ? b.stores : b.loads).traffic;
    if (b.roles.size() > 1)
      w.lo = 0;
    out += w;
  }
  return out;
}

Words ioflor::check::wordsAgainst(const Certificate &c, StringRef what) {
  if (what == "total") {
    Words out;
    for (const Buffer &b : c.buffers) {
      out += b.loads.traffic;
      out += b.stores.traffic;
    }
    return out;
  }
  if (what == "o")
    return operand(c, "O", true);
  std::vector<StringRef> wanted = rolesAgainst(what);
  Words out;
  for (const Buffer &b : c.buffers) {
    bool some = false, others = false;
    for (const std::string &r : b.roles)
      (llvm::is_contained(wanted, r) ? some : others) = true;
    if (!some)
      continue;
    Words w = b.loads.traffic;
    if (others)
      w.lo = 0;
    out += w;
  }
  if (what == "qk") {
    out += operand(c, "S", false);
    out += operand(c, "S", true);
  }
  return out;
}
