// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a generated driver sees: symbols given on the command line, buffers, and
// the check of a kernel's output. This header is compiled as CUDA together with
// the subject, so it stays small and free of device code.
#ifndef IOFLOR_TEST_HARNESS_SESSION_H
#define IOFLOR_TEST_HARNESS_SESSION_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ioflor::harness {

struct Extent3;

enum class Element { F32, F64, F16, BF16, I32, I64, U8 };

enum class Fill {
  Random, ///< Uniform in [-1, 1]; the same values on every run.
  Zero,   ///< All bits zero.
  NaN,    ///< All bits one: whoever reads it before writing it shows.
  Iota,   ///< 0, 1, 2, ...
  Lowest, ///< Minus infinity.
};

/// Converts to any pointer type, as an argument of the subject's functions.
struct AnyPointer {
  void *address;
  template <typename T> operator T *() const {
    return static_cast<T *>(address);
  }
};

/// Attention over buffers of shape [batch][heads][rows][columns], or
/// [batch][rows][heads][columns] with `headsInner`. Masks: "full", "causal"
/// (bottom-right), "causal_top_left", "window" (the last `window` keys up to
/// and with the diagonal, bottom-right), "window_symmetric".
struct Attention {
  const char *q = "Q", *k = "K", *v = "V", *o = "O";
  int64_t batch = 1, heads = 1, kvHeads = 1, queries = 1, keys = 1;
  int64_t d = 1, dv = 1;
  double scale = 1;
  std::string mask = "full";
  int64_t window = 0;
  bool headsInner = false;
};

class Session {
public:
  static Session &get();

  int64_t symbol(const std::string &name) const;
  void buffer(const std::string &name, Element element, int64_t words,
              Fill fill);
  AnyPointer pointer(const std::string &name) const;
  /// Names, in order of allocation, what the subject itself allocates.
  void nameAllocation(const std::string &name, Element element);
  /// Largest absolute difference from a direct computation in double
  /// precision; NaN in the output counts as infinite.
  void checkAttention(const Attention &attention);

  // For the runtime.
  /// Random data differ with `seed`; `detail` says more in `json`.
  void begin(std::map<std::string, int64_t> values, uint64_t seed, bool detail);
  void *allocate(size_t bytes);
  void noteLaunch(const std::string &kernel, const Extent3 &grid,
                  const Extent3 &block, size_t shared);
  std::string json() const;

private:
  double value(const std::string &name, int64_t index) const;

  struct Array {
    void *address = nullptr;
    Element element = Element::F32;
    int64_t words = 0;
  };
  std::map<std::string, int64_t> symbols;
  std::map<std::string, Array> arrays;
  std::vector<std::pair<std::string, Element>> allocationNames;
  size_t allocations = 0;
  std::string launches;
  double error = -1;
  /// Error of each row of the output, in the order of its heads and rows.
  std::vector<double> rowErrors;
  uint64_t seed = 0;
  bool detail = false;
};

} // namespace ioflor::harness

/// Defined by the generated driver: registers the buffers at the session's
/// symbols; calls the subject; checks its output.
void ioflorDefine(ioflor::harness::Session &session);
void ioflorCall(ioflor::harness::Session &session);
void ioflorCheck(ioflor::harness::Session &session);

#endif
