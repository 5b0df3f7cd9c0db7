// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of the words that a kernel moves, per buffer and direction:
//   issued      every executed load or store of every thread,
//   traffic     threads of one CTA that touch the same word by the same
//               instruction with the same iteration vector count once,
//   compulsory  distinct words per CTA.
// A word is one element of the buffer. An access that touches a part of a word
// touches it.
#ifndef IOFLOR_TEST_HARNESS_COUNTS_H
#define IOFLOR_TEST_HARNESS_COUNTS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ioflor::harness {

struct Tally {
  uint64_t issued = 0, traffic = 0, compulsory = 0;
};

/// One registered buffer. Around its words lie guard zones, so that an access
/// a little past its end is seen, counted and reported instead of crashing.
struct Buffer {
  std::string name;
  char *base = nullptr;
  uint64_t ordinal = 0;
  uint64_t elementBytes = 4, words = 0, guardWords = 0;
  Tally loads, stores;
  /// Issued accesses outside of [0, words).
  uint64_t overReads = 0, overWrites = 0;
  /// Words written by cudaMemset and cudaMemcpy, which no kernel executes.
  uint64_t hostStores = 0;
  /// Per word and direction the last CTA that touched it.
  std::vector<uint32_t> lastLoad, lastStore;
  bool released = false;
};

/// Open addressing set of 128-bit hashes that forgets everything at once. Two
/// different keys collide with probability below 2^-80 at these sizes.
class EpochSet {
public:
  void clear();
  /// True where the key was not in the set.
  bool insert(uint64_t low, uint64_t high);

private:
  struct Slot {
    uint64_t low = 0, high = 0;
    uint32_t epoch = 0;
  };
  void grow();
  std::vector<Slot> slots = std::vector<Slot>(1 << 16);
  uint32_t epoch = 1;
  size_t used = 0;
};

/// What one instruction moved of one buffer in one direction.
struct SiteTally {
  uint64_t issued = 0, traffic = 0;
};

class Counts {
public:
  static Counts &get();

  /// Forgets buffers and counts.
  void reset();
  Buffer &add(std::string name, uint64_t elementBytes, uint64_t words);
  /// The buffer whose words or guard zones hold the address, or null.
  Buffer *find(const void *address);
  std::vector<Buffer *> buffers();

  void beginCta();
  void access(const void *address, uint64_t bytes, unsigned kind, uint32_t site,
              const uint64_t *trips, uint32_t depth);
  /// Undefined behaviour that the harness saw, reported once a kind.
  void fault(const char *what) { faults.insert(what); }

  /// JSON of the "buffers", "accesses", "faults" and "unregistered" members.
  /// With `touched`, each buffer also has the words that were loaded and
  /// stored, as [first, count] of each run of them, counted from the buffer's
  /// first word.
  std::string json(bool touched) const;

private:
  std::map<const char *, Buffer> byEnd;
  std::vector<std::string> order;
  Buffer *last = nullptr;
  uint32_t cta = 0;
  EpochSet seen;
  std::map<std::pair<uint64_t, const Buffer *>, SiteTally> sites;
  std::set<std::string> faults;
  uint64_t unregistered = 0;
};

} // namespace ioflor::harness

#endif
