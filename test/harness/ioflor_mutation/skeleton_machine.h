// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a translated skeleton runs on: slow buffers that count (definitions as
// in runtime/Counts.h), fast ones that start as NaN, and the check of the
// output against direct attention.
#ifndef IOFLOR_TEST_SKELETON_MACHINE_H
#define IOFLOR_TEST_SKELETON_MACHINE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

using I = int64_t;
using Mask = std::vector<char>;
inline const double NaN = std::numeric_limits<double>::quiet_NaN();

inline I floordiv_(I a, I b) {
  if (b == 0) {
    std::fprintf(stderr, "division by 0\n");
    std::exit(1);
  }
  const I q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}
inline I ceildiv_(I a, I b) { return -floordiv_(-a, b); }
inline I mod_(I a, I b) { return a - b * floordiv_(a, b); }
template <typename... T> I min_(I a, T... rest) {
  I least = a;
  ((least = std::min(least, I(rest))), ...);
  return least;
}
template <typename... T> I max_(I a, T... rest) {
  I most = a;
  ((most = std::max(most, I(rest))), ...);
  return most;
}

/// One slow buffer; addresses outside of it are counted and touch nothing.
struct Slow {
  std::string name;
  I words = 0;
  std::vector<double> data;
  I counts[2][3] = {};
  I over[2] = {};
  std::map<I, I> lastCta[2]; ///< by address, outside too
};

class Machine {
public:
  std::vector<Slow> slow;
  std::map<std::string, std::string> given;
  I fastFaults = 0;

  I symbol(const std::string &name) const {
    auto found = given.find(name);
    if (found == given.end()) {
      std::fprintf(stderr, "no value for '%s'\n", name.c_str());
      std::exit(1);
    }
    return std::atoll(found->second.c_str());
  }
  double number(const std::string &name, double otherwise) const {
    auto found = given.find(name);
    return found == given.end() ? otherwise : std::atof(found->second.c_str());
  }
  double scale() const { return number("check:scale", 1); }

  void beginCta() { ++cta; }
  void step() {
    if (++steps > 100000000) {
      std::fprintf(stderr, "too many iterations\n");
      std::exit(1);
    }
  }
  /// One instruction of all threads: the addresses between begin and end.
  void begin(size_t index, bool store) {
    at = &slow[index];
    direction = store;
    addresses.clear();
  }
  double get(I address) {
    addresses.push_back(address);
    if (address >= 0 && address < at->words)
      return at->data[address];
    ++at->over[0];
    return NaN;
  }
  void put(I address, double value) {
    addresses.push_back(address);
    if (address >= 0 && address < at->words)
      at->data[address] = value;
    else
      ++at->over[1];
  }
  void end() {
    I *counts = at->counts[direction];
    counts[0] += addresses.size();
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()),
                    addresses.end());
    counts[1] += addresses.size();
    for (I address : addresses) {
      I &touched = at->lastCta[direction][address];
      counts[2] += touched != cta;
      touched = cta;
    }
  }

private:
  I cta = 0, steps = 0;
  Slow *at = nullptr;
  bool direction = false;
  std::vector<I> addresses;
};

/// A fast buffer of a CTA, or one for each thread.
class Fast {
public:
  Fast(I words, I copies) : words(words), data(words * copies, NaN) {}
  double get(Machine &m, I address, I copy) {
    if (address >= 0 && address < words)
      return data[copy * words + address];
    ++m.fastFaults;
    return NaN;
  }
  void put(Machine &m, I address, I copy, double value) {
    if (address >= 0 && address < words)
      data[copy * words + address] = value;
    else
      ++m.fastFaults;
  }

private:
  I words;
  std::vector<double> data;
};

/// Largest error of each output row against direct attention.
inline std::vector<double> rowErrors(Machine &m) {
  auto buffer = [&](const char *role) -> Slow & {
    auto found = m.given.find(std::string("check:") + role);
    const std::string name = found == m.given.end()
                                 ? std::string(1, char(std::toupper(*role)))
                                 : found->second;
    for (Slow &one : m.slow)
      if (one.name == name)
        return one;
    std::fprintf(stderr, "no buffer '%s'\n", name.c_str());
    std::exit(1);
  };
  auto size = [&](const char *name) {
    return I(m.number(std::string("check:") + name, 1));
  };
  Slow &q = buffer("q"), &k = buffer("k"), &v = buffer("v"), &o = buffer("o");
  const I batch = size("batch"), heads = size("heads"),
          kvHeads = size("kvHeads"), rows = size("queries"),
          keys = size("keys"), d = size("d"), dv = size("dv"),
          window = size("window");
  auto mask = m.given.find("check:mask");
  const std::string kind = mask == m.given.end() ? "full" : mask->second;
  std::vector<double> errors;
  for (I row = 0; row < batch * heads * rows; ++row) {
    const I head = row / rows % heads, i = row % rows;
    const I first =
        (row / rows / heads * kvHeads + head / (heads / kvHeads)) * keys;
    const I diagonal = i + keys - rows;
    std::vector<double> weights(keys, 0);
    double highest = -INFINITY, sum = 0, error = 0;
    auto attends = [&](I j) {
      return kind == "full" || (kind == "causal" && j <= diagonal) ||
             (kind == "causal_top_left" && j <= i) ||
             (kind == "window" && j <= diagonal && j > diagonal - window);
    };
    for (I j = 0; j < keys; ++j)
      if (attends(j)) {
        for (I c = 0; c < d; ++c)
          weights[j] += q.data[row * d + c] * k.data[(first + j) * d + c];
        highest = std::max(highest, weights[j] *= m.scale());
      }
    for (I j = 0; j < keys; ++j)
      sum += weights[j] = attends(j) ? std::exp(weights[j] - highest) : 0;
    for (I c = 0; c < dv; ++c) {
      double expected = 0;
      for (I j = 0; j < keys; ++j)
        expected += weights[j] * v.data[(first + j) * dv + c];
      const double off = std::fabs(o.data[row * dv + c] - expected / sum);
      error = std::isnan(off) ? INFINITY : std::max(error, off);
    }
    errors.push_back(error);
  }
  return errors;
}

/// Runs of touched addresses, as [first, count].
inline std::string touched(const std::map<I, I> &words) {
  std::string text = "[";
  for (auto it = words.begin(); it != words.end();) {
    const I first = it->first;
    I count = 0;
    for (; it != words.end() && it->first == first + count; ++it)
      ++count;
    text += (text.size() > 1 ? ", [" : "[") + std::to_string(first) + ", " +
            std::to_string(count) + "]";
  }
  return text + "]";
}

/// Arguments: number of the skeleton, seed, NAME=VALUE of its symbols,
/// words:NAME=COUNT of its buffers, check:MEMBER=VALUE of ioflor::harness::
/// Attention. Prints what Session::json prints with `detail`.
inline int skeletonMain(int count, char **arguments,
                        const std::vector<std::string> &names,
                        void (*const *runs)(Machine &)) {
  Machine m;
  uint64_t state =
      88172645463325252ull + std::strtoull(arguments[2], nullptr, 10);
  for (int index = 3; index < count; ++index) {
    const std::string text = arguments[index];
    m.given[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  }
  for (const std::string &name : names) {
    Slow one;
    one.name = name;
    // What the subject allocates itself has no size here: as large as needed.
    one.words = I(m.number("words:" + name, 1 << 22));
    one.data.assign(one.words, NaN);
    if (name == "Q" || name == "K" || name == "V")
      for (double &value : one.data) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        value = double(state >> 11) / double(uint64_t(1) << 52) - 1;
      }
    m.slow.push_back(std::move(one));
  }
  runs[std::atoi(arguments[1])](m);
  std::string text = "{\"buffers\": {";
  const char *separator = "";
  for (const Slow &one : m.slow) {
    auto list = [&](const I *counts) {
      return "[" + std::to_string(counts[0]) + ", " +
             std::to_string(counts[1]) + ", " + std::to_string(counts[2]) + "]";
    };
    text += separator + ("\"" + one.name + "\": {\"loads\": ") +
            list(one.counts[0]) + ", \"stores\": " + list(one.counts[1]) +
            ", \"words\": " + std::to_string(one.words) +
            ", \"over_reads\": " + std::to_string(one.over[0]) +
            ", \"over_writes\": " + std::to_string(one.over[1]) +
            ", \"loaded\": " + touched(one.lastCta[0]) +
            ", \"stored\": " + touched(one.lastCta[1]) + "}";
    separator = ", ";
  }
  text += "}, \"fast_faults\": " + std::to_string(m.fastFaults) +
          ", \"row_errors\": [";
  separator = "";
  for (double error : rowErrors(m)) {
    char number[64];
    std::snprintf(number, sizeof number, "%.9g", error);
    text += separator;
    text += std::isinf(error) ? "Infinity" : number;
    separator = ", ";
  }
  std::printf("%s]}\n", text.c_str());
  return 0;
}

#endif
