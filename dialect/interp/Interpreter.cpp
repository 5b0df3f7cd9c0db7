//===- Interpreter.cpp - Executes a skeleton and counts its words ---------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/interp/Interpreter.h"
#include "dialect/interp/Executor.h"

using namespace ioflor;
using namespace ioflor::interp;

struct Interpreter::Impl {
  Program program;
};

Interpreter::Interpreter(SubjectOp subject, bool keepFast, bool keepValues)
    : impl(std::make_unique<Impl>(
          compile(subject, keepFast || keepValues, keepValues))) {}
Interpreter::~Interpreter() = default;
Interpreter::Interpreter(Interpreter &&) noexcept = default;

InterpCounts Interpreter::run(const Valuation &at,
                              const InterpOptions &options) {
  return Executor(impl->program, options).run(at);
}

InterpCounts Interpreter::bounds(const Valuation &at, InterpOptions options) {
  options.policy = UnknownPolicy::Exclude;
  InterpCounts low = run(at, options);
  if (!low.ok() || !low.metUnknown)
    return low;
  options.policy = UnknownPolicy::Include;
  options.onAccess = nullptr;
  options.keepTouched = false;
  InterpCounts high = run(at, options);
  low.steps += high.steps;
  if (!high.ok()) {
    low.status = high.status;
    low.message = high.message;
    return low;
  }
  auto joinAll = [](auto &into, const auto &from) {
    into.issued.hi = from.issued.hi;
    into.traffic.hi = from.traffic.hi;
    into.unknownAddress |= from.unknownAddress;
  };
  auto joinBuffers = [&](auto &into, const auto &from) {
    for (auto &[name, counts] : into) {
      const AccessCounts &other = from.at(name);
      joinAll(counts, other);
      counts.compulsory.hi = other.compulsory.hi;
    }
  };
  joinBuffers(low.loads, high.loads);
  joinBuffers(low.stores, high.stores);
  for (auto [into, from] : llvm::zip_equal(low.instrs, high.instrs))
    joinAll(into, from);
  return low;
}

llvm::ArrayRef<std::string> Interpreter::names() const {
  return impl->program.names;
}
