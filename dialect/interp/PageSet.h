//===- PageSet.h - A set of addresses ----------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_DIALECT_INTERP_PAGESET_H
#define IOFLOR_DIALECT_INTERP_PAGESET_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstdint>

namespace ioflor::interp {

/// A set of 64-bit addresses, as bitmaps of 64 consecutive ones.
class PageSet {
public:
  /// Adds address .. address + width - 1, which must not overflow.
  void insert(int64_t address, int64_t width) {
    while (width > 0) {
      int64_t page = address >> 6; // rounds towards minus infinity
      int64_t first = address & 63;
      int64_t n = std::min<int64_t>(width, 64 - first);
      uint64_t bits = (n == 64 ? ~0ULL : (1ULL << n) - 1) << first;
      uint64_t &have = pages[page];
      count += llvm::popcount(bits & ~have);
      have |= bits;
      address += n;
      width -= n;
    }
  }

  void insert(const PageSet &other) {
    for (auto [page, bits] : other.pages) {
      uint64_t &have = pages[page];
      count += llvm::popcount(bits & ~have);
      have |= bits;
    }
  }

  uint64_t size() const { return count; }
  uint64_t pageCount() const { return pages.size(); }

  /// Calls f for each address, in no order.
  template <typename Fn> void forEach(Fn f) const {
    for (auto [page, bits] : pages)
      for (uint64_t left = bits; left; left &= left - 1)
        f((page << 6) + int64_t(llvm::countr_zero(left)));
  }

  void clear() {
    pages.clear();
    count = 0;
  }

private:
  llvm::DenseMap<int64_t, uint64_t> pages;
  uint64_t count = 0;
};

/// Number of distinct elements of the runs `start .. start + width - 1`. Sorts
/// `starts` where it has to.
inline uint64_t countDistinct(llvm::SmallVectorImpl<int64_t> &starts,
                              int64_t width) {
  bool apart = true;
  for (size_t i = 1; i < starts.size() && apart; ++i)
    apart = starts[i] >= starts[i - 1] + width;
  if (apart)
    return starts.size() * static_cast<uint64_t>(width);
  llvm::sort(starts);
  uint64_t total = 0;
  int64_t end = starts.front();
  for (int64_t start : starts) {
    int64_t from = std::max(start, end);
    if (start + width > from) {
      total += start + width - from;
      end = start + width;
    }
  }
  return total;
}

} // namespace ioflor::interp

#endif // IOFLOR_DIALECT_INTERP_PAGESET_H
