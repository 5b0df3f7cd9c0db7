// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/harness/runtime/Counts.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace ioflor::harness;

namespace {

struct Site {
  const char *function, *file;
  uint32_t line, column;
};

constexpr unsigned read = 1, write = 2;

uint64_t mix(uint64_t value) {
  value ^= value >> 31;
  value *= 0x7fb5d329728ea185ull;
  value ^= value >> 27;
  value *= 0x81dadef4bc2dd44dull;
  return value ^ value >> 33;
}

} // namespace

extern "C" {
extern const Site ioflor_sites[];
extern const uint32_t ioflor_site_count;

void ioflor_access(const void *address, uint64_t bytes, unsigned kind,
                   uint32_t site, const uint64_t *trips, uint32_t depth) {
  Counts::get().access(address, bytes, kind, site, trips, depth);
}
}

void EpochSet::clear() {
  used = 0;
  if (++epoch == 0) {
    slots.assign(slots.size(), Slot());
    epoch = 1;
  }
}

bool EpochSet::insert(uint64_t low, uint64_t high) {
  if (used * 2 >= slots.size())
    grow();
  const size_t mask = slots.size() - 1;
  for (size_t index = low & mask;; index = (index + 1) & mask) {
    Slot &slot = slots[index];
    if (slot.epoch != epoch) {
      slot = {low, high, epoch};
      ++used;
      return true;
    }
    if (slot.low == low && slot.high == high)
      return false;
  }
}

void EpochSet::grow() {
  std::vector<Slot> old(slots.size() * 2);
  old.swap(slots);
  used = 0;
  for (const Slot &slot : old)
    if (slot.epoch == epoch)
      insert(slot.low, slot.high);
}

Counts &Counts::get() {
  static Counts counts;
  return counts;
}

void Counts::reset() {
  for (auto &[end, buffer] : byEnd) {
    const uint64_t guard = buffer.guardWords * buffer.elementBytes;
    munmap(buffer.base - guard, buffer.words * buffer.elementBytes + 2 * guard);
  }
  byEnd.clear();
  order.clear();
  sites.clear();
  faults.clear();
  last = nullptr;
  unregistered = 0;
}

Buffer &Counts::add(std::string name, uint64_t elementBytes, uint64_t words) {
  constexpr uint64_t guardBytes = 4 << 20;
  Buffer buffer;
  buffer.name = std::move(name);
  buffer.elementBytes = elementBytes;
  buffer.words = words;
  buffer.ordinal = byEnd.size();
  buffer.guardWords = guardBytes / elementBytes;
  const uint64_t guard = buffer.guardWords * elementBytes;
  const uint64_t bytes = words * elementBytes + 2 * guard;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr, "ioflor-harness: error: no memory for '%s'\n",
                 buffer.name.c_str());
    std::exit(1);
  }
  buffer.base = static_cast<char *>(memory) + guard;
  buffer.lastLoad.resize(words + 2 * buffer.guardWords);
  buffer.lastStore.resize(words + 2 * buffer.guardWords);
  last = nullptr;
  const char *end = static_cast<char *>(memory) + bytes;
  return byEnd.emplace(end, std::move(buffer)).first->second;
}

Buffer *Counts::find(const void *address) {
  const auto *at = static_cast<const char *>(address);
  auto position = byEnd.upper_bound(at);
  if (position == byEnd.end())
    return nullptr;
  Buffer &buffer = position->second;
  return at >= buffer.base - buffer.guardWords * buffer.elementBytes ? &buffer
                                                                     : nullptr;
}

std::vector<Buffer *> Counts::buffers() {
  std::vector<Buffer *> result;
  for (auto &[end, buffer] : byEnd)
    result.push_back(&buffer);
  return result;
}

void Counts::beginCta() {
  ++cta;
  seen.clear();
}

void Counts::access(const void *address, uint64_t bytes, unsigned kind,
                    uint32_t site, const uint64_t *trips, uint32_t depth) {
  if (bytes == 0)
    return;
  const auto *at = static_cast<const char *>(address);
  Buffer *buffer = last;
  if (!buffer ||
      at < buffer->base - buffer->guardWords * buffer->elementBytes ||
      at >= buffer->base +
                (buffer->words + buffer->guardWords) * buffer->elementBytes)
    buffer = last = find(address);
  if (!buffer) {
    ++unregistered;
    return;
  }
  const uint64_t guard = buffer->guardWords * buffer->elementBytes;
  const uint64_t offset = at - (buffer->base - guard);
  const uint64_t first = offset / buffer->elementBytes;
  const uint64_t end = std::min((offset + bytes - 1) / buffer->elementBytes + 1,
                                buffer->words + 2 * buffer->guardWords);
  uint64_t low = mix(site + 0x9e3779b97f4a7c15ull), high = mix(~low + depth);
  for (uint32_t index = 0; index < depth; ++index) {
    low = mix(low ^ trips[index]);
    high = mix(high + trips[index] * 0xd1342543de82ef95ull);
  }
  for (uint64_t word = first; word < end; ++word) {
    const uint64_t unique = buffer->ordinal << 40 | word;
    const bool fresh =
        seen.insert(mix(low ^ unique), mix(high + unique * 0x2545f4914f6cdd1d));
    const bool inside =
        word >= buffer->guardWords && word < buffer->guardWords + buffer->words;
    for (unsigned direction : {read, write}) {
      if (!(kind & direction))
        continue;
      Tally &tally = direction == read ? buffer->loads : buffer->stores;
      uint32_t &touched =
          direction == read ? buffer->lastLoad[word] : buffer->lastStore[word];
      SiteTally &here = sites[{uint64_t(site) << 2 | direction, buffer}];
      ++tally.issued;
      ++here.issued;
      tally.traffic += fresh;
      here.traffic += fresh;
      tally.compulsory += touched != cta;
      touched = cta;
      if (!inside)
        ++(direction == read ? buffer->overReads : buffer->overWrites);
    }
  }
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

static std::string quote(const std::string &text) {
  std::string result = "\"";
  for (char letter : text) {
    if (letter == '"' || letter == '\\')
      result += '\\';
    if (static_cast<unsigned char>(letter) >= 0x20)
      result += letter;
  }
  return result + "\"";
}

static std::string list(const Tally &tally) {
  return "[" + std::to_string(tally.issued) + ", " +
         std::to_string(tally.traffic) + ", " +
         std::to_string(tally.compulsory) + "]";
}

/// Runs of words that a CTA touched, in the guard zones too.
static std::string runs(const std::vector<uint32_t> &touched, uint64_t guard) {
  std::string result = "[";
  for (uint64_t word = 0; word < touched.size(); ++word) {
    if (!touched[word])
      continue;
    const uint64_t first = word;
    while (word < touched.size() && touched[word])
      ++word;
    result += (result.size() > 1 ? ", [" : "[") +
              std::to_string(int64_t(first) - int64_t(guard)) + ", " +
              std::to_string(word - first) + "]";
  }
  return result + "]";
}

std::string Counts::json(bool touched) const {
  std::map<std::string, std::string> rows;
  for (const auto &[end, buffer] : byEnd)
    rows[buffer.name] =
        "{\"loads\": " + list(buffer.loads) +
        ", \"stores\": " + list(buffer.stores) +
        ", \"words\": " + std::to_string(buffer.words) +
        ", \"over_reads\": " + std::to_string(buffer.overReads) +
        ", \"over_writes\": " + std::to_string(buffer.overWrites) +
        ", \"host_stores\": " + std::to_string(buffer.hostStores) +
        (touched
             ? ", \"loaded\": " + runs(buffer.lastLoad, buffer.guardWords) +
                   ", \"stored\": " + runs(buffer.lastStore, buffer.guardWords)
             : "") +
        "}";
  std::string result = "\"buffers\": {";
  const char *separator = "";
  for (const auto &[name, row] : rows) {
    result += separator + quote(name) + ": " + row;
    separator = ", ";
  }
  result += "}, \"accesses\": [";
  separator = "";
  for (const auto &[key, tally] : sites) {
    const Site &site = ioflor_sites[key.first >> 2];
    result += separator;
    result += "{\"kernel\": " + quote(site.function) +
              ", \"file\": " + quote(site.file) +
              ", \"line\": " + std::to_string(site.line) +
              ", \"column\": " + std::to_string(site.column) + ", \"kind\": " +
              ((key.first & 3) == read ? "\"load\"" : "\"store\"") +
              ", \"buffer\": " + quote(key.second->name) +
              ", \"issued\": " + std::to_string(tally.issued) +
              ", \"traffic\": " + std::to_string(tally.traffic) + "}";
    separator = ", ";
  }
  result += "], \"faults\": [";
  separator = "";
  for (const std::string &fault : faults) {
    result += separator + quote(fault);
    separator = ", ";
  }
  return result +
         "], \"unregistered_accesses\": " + std::to_string(unregistered);
}
