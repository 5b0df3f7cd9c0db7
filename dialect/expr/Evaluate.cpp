//===- Evaluate.cpp - Exact and repeated evaluation -----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Evaluate.h"
#include "dialect/expr/Node.h"
#include "dialect/expr/Program.h"

using namespace ioflor;
using namespace ioflor::detail;

/// Terms a CompiledExpr sums before it gives up; evaluate()'s default.
static constexpr uint64_t maxCompiledSteps = 50'000'000;

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
  RunStatus s = RunStatus::Overflow;
  if (small) {
    std::vector<int64_t> values64;
    for (const BigInt &v : values)
      values64.push_back(int64_t(v));
    int64_t out;
    s = run64(p, values64, steps, out);
    if (s == RunStatus::Ok)
      return BigInt(out);
  }
  if (s == RunStatus::Overflow) {
    BigInt out;
    s = runExact(p, values, steps, out);
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
  uint64_t steps = maxCompiledSteps;
  int64_t out;
  if (detail::run64(p, values, steps, out) != RunStatus::Ok)
    return std::nullopt;
  return out;
}

std::optional<BigInt> CompiledExpr::run(llvm::ArrayRef<int64_t> values) const {
  const Program &p = impl->program;
  if (!p.missing.empty() || values.size() != p.slots)
    return std::nullopt;
  uint64_t steps = maxCompiledSteps;
  int64_t out;
  RunStatus s = detail::run64(p, values, steps, out);
  if (s == RunStatus::Ok)
    return BigInt(out);
  if (s != RunStatus::Overflow)
    return std::nullopt;
  std::vector<BigInt> exact;
  for (int64_t v : values)
    exact.push_back(BigInt(v));
  BigInt big;
  steps = maxCompiledSteps;
  if (runExact(p, exact, steps, big) != RunStatus::Ok)
    return std::nullopt;
  return big;
}
