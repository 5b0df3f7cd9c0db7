//===- SmtLib.h - SMT-LIB2 text of a query -----------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PROVER_SMTLIB_H
#define IOFLOR_PASSES_PROVER_SMTLIB_H

#include "passes/prover/Relax.h"

namespace ioflor::prover {

/// The query as a QF_NRA script that ends in (check-sat): `unsat` proves the
/// goal. Deterministic. The comments say what each variable and fact is.
std::string smtLib(const Query &query, const Obligation &obligation);

} // namespace ioflor::prover

#endif // IOFLOR_PASSES_PROVER_SMTLIB_H
