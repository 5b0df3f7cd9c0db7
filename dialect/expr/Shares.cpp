//===- Shares.cpp - Divides a budget of work over subjects ----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Shares.h"
#include <algorithm>
#include <vector>

using namespace ioflor;

uint64_t
ioflor::runInShares(llvm::ArrayRef<unsigned> jobs, uint64_t total,
                    llvm::function_ref<ShareUse(unsigned, uint64_t)> run) {
  constexpr unsigned maxRounds = 3;
  std::vector<unsigned> open(jobs.begin(), jobs.end());
  uint64_t spent = 0, before = 0;
  for (unsigned round = 0; round < maxRounds && !open.empty(); ++round) {
    uint64_t left = total - std::min(total, spent);
    if (round == 0 && open.size() > 1)
      left /= 2;
    uint64_t share = left / open.size();
    // A second run costs what the first did; it must have clearly more.
    if (round > 0 && share < before + before / 4)
      break;
    std::vector<unsigned> again;
    for (unsigned job : open) {
      ShareUse use = run(job, share);
      spent += use.units;
      if (use.ranOut)
        again.push_back(job);
    }
    open = std::move(again);
    before = share;
  }
  return spent;
}
