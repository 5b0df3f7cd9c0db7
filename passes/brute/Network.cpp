//===- Network.cpp - Exact minima of sharded attention --------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/brute/Network.h"
#include <algorithm>
#include <vector>

using namespace ioflor::brute;

bool ioflor::brute::isSearchable(uint64_t n, uint64_t p) {
  return p >= 1 && p <= kMostDevices && n >= 1 && n <= kMostTokens &&
         n % p == 0;
}

std::optional<uint64_t> ioflor::brute::relaxationMinimum(unsigned n,
                                                         unsigned p) {
  if (!isSearchable(n, p))
    return std::nullopt;
  unsigned own = n / p, most = 2 * (n - own);
  // The most pairs that one device computes with k copies.
  std::vector<uint64_t> device(most + 1, 0);
  for (unsigned x = own; x <= n; ++x)
    for (unsigned y = own; y <= n; ++y) {
      uint64_t &best = device[x + y - 2 * own];
      best = std::max(best, uint64_t(x) * y);
    }
  // The most that the devices so far compute with k copies together.
  std::vector<uint64_t> all(size_t(most) * p + 1, 0), next;
  for (unsigned q = 0; q < p; ++q) {
    next.assign(all.size(), 0);
    for (size_t k = 0; k <= size_t(most) * q; ++k)
      for (unsigned more = 0; more <= most; ++more)
        next[k + more] = std::max(next[k + more], all[k] + device[more]);
    all.swap(next);
  }
  for (size_t k = 0; k < all.size(); ++k)
    if (all[k] >= uint64_t(n) * n)
      return k;
  return std::nullopt; // not reached: all copies give every device all pairs
}

std::optional<uint64_t> ioflor::brute::balancedMinimum(unsigned n, unsigned p) {
  if (!isSearchable(n, p))
    return std::nullopt;
  unsigned own = n / p, best = 2 * n;
  for (unsigned x = own; x <= n; ++x)
    for (unsigned y = own; y <= n; ++y)
      if (uint64_t(x) * y * p >= uint64_t(n) * n)
        best = std::min(best, x + y);
  return uint64_t(p) * (best - 2 * own);
}

namespace {

/// Depth-first over the pairs that no device covers yet: one of the devices
/// must get what it lacks of the pair.
class CoveringSearch {
public:
  CoveringSearch(unsigned n, unsigned p, uint64_t maxSteps)
      : n(n), p(p), maxSteps(maxSteps), rows(size_t(n) * p),
        cols(size_t(n) * p), closedRow(rows.size()), closedCol(rows.size()) {
    for (unsigned i = 0; i < n; ++i)
      rows[at(i, i / (n / p))] = cols[at(i, i / (n / p))] = true;
  }

  /// True if `budget` copies suffice.
  bool fits(unsigned budget) {
    if (++steps > maxSteps)
      return false;
    unsigned row = 0, col = 0;
    if (!uncovered(row, col))
      return true;
    if (budget == 0)
      return false;
    bool found = false;
    // Choices that were tried are closed to the later ones: no set of copies is
    // looked at twice.
    std::vector<std::pair<bool, size_t>> closed;
    for (unsigned cost = 1; cost <= 2 && !found && steps <= maxSteps; ++cost)
      for (unsigned q = 0; q < p && !found && steps <= maxSteps; ++q) {
        size_t r = at(row, q), c = at(col, q);
        bool needRow = !rows[r], needCol = !cols[c];
        if (unsigned(needRow) + unsigned(needCol) != cost || cost > budget ||
            (needRow && closedRow[r]) || (needCol && closedCol[c]))
          continue;
        if (needRow)
          rows[r] = true;
        if (needCol)
          cols[c] = true;
        found = fits(budget - cost);
        if (needRow)
          rows[r] = false;
        if (needCol)
          cols[c] = false;
        // A single copy can be ruled out; of two only their combination.
        if (cost == 1 && needRow && !closedRow[r]) {
          closedRow[r] = true;
          closed.push_back({true, r});
        } else if (cost == 1 && needCol && !closedCol[c]) {
          closedCol[c] = true;
          closed.push_back({false, c});
        }
      }
    for (auto [isRow, index] : closed)
      (isRow ? closedRow : closedCol)[index] = false;
    return found;
  }
  bool gaveUp() const { return steps > maxSteps; }
  uint64_t steps = 0;

private:
  size_t at(unsigned i, unsigned q) const { return size_t(i) * p + q; }

  bool uncovered(unsigned &row, unsigned &col) const {
    for (row = 0; row < n; ++row)
      for (col = 0; col < n; ++col) {
        bool covered = false;
        for (unsigned q = 0; q < p && !covered; ++q)
          covered = rows[at(row, q)] && cols[at(col, q)];
        if (!covered)
          return true;
      }
    return false;
  }

  unsigned n, p;
  uint64_t maxSteps;
  std::vector<char> rows, cols, closedRow, closedCol;
};

} // namespace

Covering ioflor::brute::coveringMinimum(unsigned n, unsigned p,
                                        uint64_t maxSteps) {
  Covering out;
  if (!isSearchable(n, p))
    return out;
  for (unsigned budget = 0; budget <= 2 * n * (p - 1); ++budget) {
    CoveringSearch search(n, p, maxSteps - std::min(maxSteps, out.steps));
    bool fits = search.fits(budget);
    out.steps += search.steps;
    if (fits) {
      out.copies = budget;
      return out;
    }
    if (search.gaveUp())
      return out;
  }
  return out;
}
