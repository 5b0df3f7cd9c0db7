//===- Assumptions.cpp - Ranges and facts of symbols ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Node.h"
using namespace ioflor;
void Assumptions::declare(llvm::StringRef s, std::optional<Expr> lo, std::optional<Expr> hi) { if(!ranges.count(s.str())) order.push_back(s.str()); ranges[s.str()] = {lo,hi}; }
void Assumptions::addNonNegative(const Expr &e) { nonNegative.push_back(e);}
void Assumptions::addDivisible(const Expr &e, const Expr &d) { divisible.push_back({e,d}); }
bool Assumptions::isNonNegative(const Expr &e) const { return e.isConst() && *e.constant()>=0; }
bool Assumptions::isZero(const Expr &e) const { return e.isZero(); }
bool Assumptions::isDivisible(const Expr &e, const Expr &d) const { return mod(e,d).isZero(); }
std::optional<Expr> Assumptions::lowerBound(const Expr &e, const std::set<std::string> &) const { return std::nullopt; }
std::optional<Expr> Assumptions::upperBound(const Expr &e, const std::set<std::string> &) const { return std::nullopt; }
const Assumptions::Range *Assumptions::range(llvm::StringRef s) const { auto it = ranges.find(s.str()); return it==ranges.end()?nullptr:&it->second; }
Expr ioflor::simplify(const Expr &e, const Assumptions &known) { return e; }
#include "dialect/expr/Cond.h"
void ioflor::assume(Assumptions &known, const Cond &c) {}
