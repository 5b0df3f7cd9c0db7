//===- Evaluate.cpp - Exact and repeated evaluation -----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Evaluate.h"
#include "dialect/expr/Node.h"
#include "dialect/expr/Program.h"
#include "dialect/expr/Work.h"
#include "llvm/ADT/ScopeExit.h"

using namespace ioflor;
using namespace ioflor::detail;

/// Terms a CompiledExpr sums before it gives up; evaluate()'s default.
static constexpr uint64_t maxCompiledSteps = 50'000'000;

/// Summed terms for one unit of work.
static constexpr uint64_t termsPerUnit = 64;

namespace {

/// Bounds the terms of one evaluation by what is left of the work and counts
/// those that it took.
struct Steps {
  explicit Steps(uint64_t most) {
    constexpr uint64_t always = 100'000;
    uint64_t units = WorkScope::left();
    if (units < most / termsPerUnit)
      most = std::min(most, std::max(always, units * termsPerUnit));
    given = left = most;
  }
  ~Steps() { WorkScope::spend((given - left) / termsPerUnit); }
  uint64_t given, left;
};

} // namespace

static void explain(ExprError *error, RunStatus s) {
  if (!error)
    return;
  switch (s) {
  case RunStatus::Ok:
    return;
  case RunStatus::BadDivisor:
    error->message = "division by less than 1";
    return;
  case RunStatus::Overflow:
    error->message = "overflow";
    return;
  case RunStatus::TooManySteps:
    error->message = "too many terms to sum";
    return;
  }
}

std::optional<BigInt> ioflor::evaluate(const Expr &e, const Valuation &at,
                                       ExprError *error, uint64_t maxSteps) {
  return evaluateWithin(e, at, maxSteps, error);
}

std::optional<BigInt> ioflor::evaluateWithin(const Expr &e, const Valuation &at,
                                             uint64_t &steps,
                                             ExprError *error) {
  if (e.isConst())
    return e.constant();
  std::vector<std::string> names;
  std::vector<BigInt> values;
  bool small = true;
  for (const std::string &s : e.freeSymbols()) {
    auto it = at.find(s);
    if (it == at.end()) {
      if (error)
        error->message = "no value for '" + s + "'";
      return std::nullopt;
    }
    names.push_back(s);
    values.push_back(it->second);
    small &= fits64(it->second);
  }
  Program p(e, names);
  WorkScope::spend(1 + p.code.size() / 2);
  Steps meter(steps);
  auto charge = llvm::make_scope_exit(
      [&] { steps -= std::min(steps, meter.given - meter.left); });
  RunStatus s = RunStatus::Overflow;
  if (small) {
    std::vector<int64_t> values64;
    for (const BigInt &v : values)
      values64.push_back(int64_t(v));
    int64_t out;
    s = run64(p, values64, meter.left, out);
    if (s == RunStatus::Ok)
      return BigInt(out);
  }
  if (s == RunStatus::Overflow) {
    BigInt out;
    s = runExact(p, values, meter.left, out);
    if (s == RunStatus::Ok)
      return out;
  }
  explain(error, s);
  return std::nullopt;
}

struct CompiledExpr::Impl {
  Program program;
};

CompiledExpr::CompiledExpr(const Expr &e, llvm::ArrayRef<std::string> slots)
    : impl(new Impl{Program(e, slots)}) {}
CompiledExpr::~CompiledExpr() = default;
CompiledExpr::CompiledExpr(CompiledExpr &&) noexcept = default;
CompiledExpr &CompiledExpr::operator=(CompiledExpr &&) noexcept = default;

std::optional<int64_t>
CompiledExpr::run64(llvm::ArrayRef<int64_t> values) const {
  const Program &p = impl->program;
  if (!p.missing.empty() || values.size() != p.slots)
    return std::nullopt;
  Steps steps(maxCompiledSteps);
  int64_t out;
  if (detail::run64(p, values, steps.left, out) != RunStatus::Ok)
    return std::nullopt;
  return out;
}

std::optional<BigInt> CompiledExpr::run(llvm::ArrayRef<int64_t> values) const {
  const Program &p = impl->program;
  if (!p.missing.empty() || values.size() != p.slots)
    return std::nullopt;
  Steps steps(maxCompiledSteps);
  int64_t out;
  RunStatus s = detail::run64(p, values, steps.left, out);
  if (s == RunStatus::Ok)
    return BigInt(out);
  if (s != RunStatus::Overflow)
    return std::nullopt;
  std::vector<BigInt> exact;
  for (int64_t v : values)
    exact.push_back(BigInt(v));
  BigInt big;
  Steps more(maxCompiledSteps);
  if (runExact(p, exact, more.left, big) != RunStatus::Ok)
    return std::nullopt;
  return big;
}
