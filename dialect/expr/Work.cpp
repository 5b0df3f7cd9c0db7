//===- Work.cpp - One deterministic budget of work ------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Work.h"
#include <algorithm>

using namespace ioflor;

detail::WorkMeter &detail::workMeter() {
  static thread_local WorkMeter meter;
  return meter;
}

static uint64_t saturatingAdd(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

WorkScope::WorkScope(const char *phase, uint64_t units) : phase(phase) {
  detail::WorkMeter &meter = detail::workMeter();
  start = meter.spent;
  outer = meter.limit;
  own = std::min(outer, saturatingAdd(start, units));
  meter.limit = own;
}

WorkScope::~WorkScope() {
  detail::WorkMeter &meter = detail::workMeter();
  if (meter.ledger)
    meter.ledger->push_back({phase, used(), ranOut()});
  meter.limit = outer;
}

WorkLedger::WorkLedger() : outer(detail::workMeter().ledger) {
  detail::workMeter().ledger = &entries;
}

WorkLedger::~WorkLedger() { detail::workMeter().ledger = outer; }

uint64_t WorkScope::used() const { return detail::workMeter().spent - start; }

bool WorkScope::ranOut() const { return detail::workMeter().spent >= own; }

void WorkScope::spend(uint64_t units) {
  detail::WorkMeter &meter = detail::workMeter();
  // Below the top, so that "no limit" is never reached.
  meter.spent = std::min(saturatingAdd(meter.spent, units), UINT64_MAX - 1);
}

bool WorkScope::exhausted() {
  const detail::WorkMeter &meter = detail::workMeter();
  return meter.spent >= meter.limit;
}

uint64_t WorkScope::left() {
  const detail::WorkMeter &meter = detail::workMeter();
  if (meter.limit == UINT64_MAX)
    return UINT64_MAX;
  return meter.limit - std::min(meter.limit, meter.spent);
}
