//===- Prover.h - Proves obligations -----------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_PROVER_PROVER_H
#define IOFLOR_PASSES_PROVER_PROVER_H

#include "passes/prover/Obligation.h"

namespace ioflor::prover {

struct ProverOptions {
  /// z3's resource units for each attempt; proofs of textbook kernels take 500
  /// to 60 000, and 200 000 are spent in about 0.1 s.
  unsigned rlimit = 200'000;
  /// Only the engine and hypotheses that most often succeed.
  bool onlyFirst = false;
};

/// Tries one engine and hypothesis set after the other; the first proof counts.
/// Sound: a proof over the reals with fewer hypotheses holds of the integers.
ProofResult prove(const Obligation &obligation,
                  const ProverOptions &options = {});

/// Whether the hypotheses can hold together: Proved, Vacuous (a proof from them
/// says nothing) or Unknown.
Answer satisfiable(const Obligation &obligation,
                   const ProverOptions &options = {});

/// The texts that prove() may give a solver, in its order; none for a goal that
/// cannot be encoded. For those who check that a text is of an obligation.
std::vector<std::string> queriesOf(const Obligation &obligation);

} // namespace ioflor::prover

#endif // IOFLOR_PASSES_PROVER_PROVER_H
