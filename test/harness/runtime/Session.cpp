// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/harness/runtime/Session.h"
#include "test/harness/runtime/Counts.h"
#include "test/harness/runtime/Fiber.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace ioflor::harness;

[[noreturn]] static void die(const std::string &message) {
  std::fprintf(stderr, "ioflor-harness: error: %s\n", message.c_str());
  std::exit(1);
}

static int64_t bytesOf(Element element) {
  switch (element) {
  case Element::F32:
  case Element::I32:
    return 4;
  case Element::F64:
  case Element::I64:
    return 8;
  case Element::F16:
  case Element::BF16:
    return 2;
  case Element::U8:
    return 1;
  }
  return 1;
}

static void put(void *base, Element element, int64_t index, double value) {
  switch (element) {
  case Element::F32:
    static_cast<float *>(base)[index] = float(value);
    break;
  case Element::F64:
    static_cast<double *>(base)[index] = value;
    break;
  case Element::F16:
    static_cast<_Float16 *>(base)[index] = _Float16(float(value));
    break;
  case Element::BF16:
    // Rounds towards zero, which is exact enough for test data.
    static_cast<uint16_t *>(base)[index] =
        std::bit_cast<uint32_t>(float(value)) >> 16;
    break;
  case Element::I32:
    static_cast<int32_t *>(base)[index] = int32_t(value);
    break;
  case Element::I64:
    static_cast<int64_t *>(base)[index] = int64_t(value);
    break;
  case Element::U8:
    static_cast<uint8_t *>(base)[index] = uint8_t(value);
    break;
  }
}

static double take(const void *base, Element element, int64_t index) {
  switch (element) {
  case Element::F32:
    return static_cast<const float *>(base)[index];
  case Element::F64:
    return static_cast<const double *>(base)[index];
  case Element::F16:
    return float(static_cast<const _Float16 *>(base)[index]);
  case Element::BF16:
    return std::bit_cast<float>(
        uint32_t(static_cast<const uint16_t *>(base)[index]) << 16);
  case Element::I32:
    return static_cast<const int32_t *>(base)[index];
  case Element::I64:
    return double(static_cast<const int64_t *>(base)[index]);
  case Element::U8:
    return static_cast<const uint8_t *>(base)[index];
  }
  return 0;
}

Session &Session::get() {
  static Session session;
  return session;
}

void Session::begin(std::map<std::string, int64_t> values, uint64_t newSeed,
                    bool newDetail) {
  seed = newSeed;
  detail = newDetail;
  rowErrors.clear();
  Counts::get().reset();
  symbols = std::move(values);
  arrays.clear();
  allocationNames.clear();
  allocations = 0;
  launches.clear();
  error = -1;
}

int64_t Session::symbol(const std::string &name) const {
  auto found = symbols.find(name);
  if (found == symbols.end())
    die("no value for symbol '" + name + "'");
  return found->second;
}

void Session::buffer(const std::string &name, Element element, int64_t words,
                     Fill fill) {
  if (words < 0 || words > (int64_t(1) << 32))
    die("buffer '" + name + "' has " + std::to_string(words) + " words");
  const int64_t bytes = bytesOf(element);
  Buffer &buffer = Counts::get().add(name, bytes, words);
  arrays[name] = {buffer.base, element, words};
  switch (fill) {
  case Fill::Zero:
    break;
  case Fill::NaN:
    std::memset(buffer.base, 0xff, words * bytes);
    break;
  case Fill::Iota:
    for (int64_t index = 0; index < words; ++index)
      put(buffer.base, element, index, double(index));
    break;
  case Fill::Lowest:
    for (int64_t index = 0; index < words; ++index)
      put(buffer.base, element, index,
          -std::numeric_limits<double>::infinity());
    break;
  case Fill::Random: {
    uint64_t state = 88172645463325252ull + seed;
    for (char letter : name)
      state = state * 6364136223846793005ull + uint8_t(letter) + 1;
    for (int64_t index = 0; index < words; ++index) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      put(buffer.base, element, index,
          double(state >> 11) / double(uint64_t(1) << 52) - 1);
    }
    break;
  }
  }
}

AnyPointer Session::pointer(const std::string &name) const {
  auto found = arrays.find(name);
  if (found == arrays.end())
    die("no buffer '" + name + "'");
  return {found->second.address};
}

void Session::nameAllocation(const std::string &name, Element element) {
  allocationNames.emplace_back(name, element);
}

void *Session::allocate(size_t bytes) {
  std::string name = "allocation" + std::to_string(allocations);
  Element element = Element::F32;
  if (allocations < allocationNames.size())
    std::tie(name, element) = allocationNames[allocations];
  ++allocations;
  const size_t unit = bytesOf(element);
  buffer(name, element, int64_t((bytes + unit - 1) / unit), Fill::NaN);
  return arrays[name].address;
}

void Session::noteLaunch(const std::string &kernel, const Extent3 &grid,
                         const Extent3 &block, size_t shared) {
  auto list = [](const Extent3 &extent) {
    return "[" + std::to_string(extent.x) + ", " + std::to_string(extent.y) +
           ", " + std::to_string(extent.z) + "]";
  };
  if (!launches.empty())
    launches += ", ";
  launches += "{\"kernel\": \"" + kernel + "\", \"grid\": " + list(grid) +
              ", \"block\": " + list(block) +
              ", \"shared_bytes\": " + std::to_string(shared) + "}";
}

double Session::value(const std::string &name, int64_t index) const {
  const Array &array = arrays.at(name);
  if (index < 0 || index >= array.words)
    die("the check reads '" + name + "' out of bounds");
  return take(array.address, array.element, index);
}

static bool attends(const Attention &spec, int64_t query, int64_t key) {
  const int64_t diagonal = query + spec.keys - spec.queries;
  if (spec.mask == "full")
    return true;
  if (spec.mask == "causal")
    return key <= diagonal;
  if (spec.mask == "causal_top_left")
    return key <= query;
  if (spec.mask == "window")
    return key <= diagonal && key > diagonal - spec.window;
  if (spec.mask == "window_symmetric")
    return std::abs(key - diagonal) <= spec.window;
  die("unknown mask '" + spec.mask + "'");
}

void Session::checkAttention(const Attention &spec) {
  auto at = [&](int64_t b, int64_t h, int64_t heads, int64_t row, int64_t rows,
                int64_t column, int64_t columns) {
    return spec.headsInner ? ((b * rows + row) * heads + h) * columns + column
                           : ((b * heads + h) * rows + row) * columns + column;
  };
  error = 0;
  std::vector<double> weights(spec.keys);
  for (int64_t b = 0; b < spec.batch; ++b)
    for (int64_t h = 0; h < spec.heads; ++h)
      for (int64_t i = 0; i < spec.queries; ++i) {
        const int64_t g = h / (spec.heads / spec.kvHeads);
        double highest = -std::numeric_limits<double>::infinity(), sum = 0;
        for (int64_t j = 0; j < spec.keys; ++j) {
          if (!attends(spec, i, j))
            continue;
          double score = 0;
          for (int64_t c = 0; c < spec.d; ++c)
            score +=
                value(spec.q,
                      at(b, h, spec.heads, i, spec.queries, c, spec.d)) *
                value(spec.k, at(b, g, spec.kvHeads, j, spec.keys, c, spec.d));
          weights[j] = score * spec.scale;
          highest = std::fmax(highest, weights[j]);
        }
        for (int64_t j = 0; j < spec.keys; ++j) {
          weights[j] = attends(spec, i, j) ? std::exp(weights[j] - highest) : 0;
          sum += weights[j];
        }
        for (int64_t c = 0; c < spec.dv; ++c) {
          double expected = 0;
          for (int64_t j = 0; j < spec.keys; ++j)
            if (weights[j] != 0)
              expected += weights[j] * value(spec.v, at(b, g, spec.kvHeads, j,
                                                        spec.keys, c, spec.dv));
          const double difference = std::fabs(
              value(spec.o, at(b, h, spec.heads, i, spec.queries, c, spec.dv)) -
              expected / sum);
          if (c == 0)
            rowErrors.push_back(0);
          rowErrors.back() = std::isnan(difference)
                                 ? std::numeric_limits<double>::infinity()
                                 : std::fmax(rowErrors.back(), difference);
          error = std::fmax(error, rowErrors.back());
        }
      }
}

std::string Session::json() const {
  std::string result = "{\"symbols\": {";
  const char *separator = "";
  for (const auto &[name, number] : symbols) {
    result += separator;
    result += "\"" + name + "\": " + std::to_string(number);
    separator = ", ";
  }
  result +=
      "}, " + Counts::get().json(detail) + ", \"launches\": [" + launches + "]";
  auto number = [](double value) -> std::string {
    char text[64];
    std::snprintf(text, sizeof text, "%.9g", value);
    return std::isinf(value) ? "Infinity" : text;
  };
  if (error >= 0)
    result += ", \"max_abs_error\": " + number(error);
  if (detail) {
    result += ", \"seed\": " + std::to_string(seed) + ", \"row_errors\": [";
    for (size_t row = 0; row < rowErrors.size(); ++row)
      result += (row ? ", " : "") + number(rowErrors[row]);
    result += "]";
  }
  return result + "}";
}

/// Arguments: one list of symbol values a size, "N=64,heads=2". Prints a JSON
/// array, one object a size. `--detail` adds touched words and errors of rows,
/// `--seed=S` changes the random data of the sizes after it.
int main(int count, char **arguments) {
  bool detail = false;
  uint64_t seed = 0;
  const char *separator = "[";
  for (int index = 1; index < count; ++index) {
    std::map<std::string, int64_t> values;
    std::string text = arguments[index];
    if (text == "--detail") {
      detail = true;
      continue;
    }
    if (text.rfind("--seed=", 0) == 0) {
      seed = std::strtoull(text.c_str() + 7, nullptr, 10);
      continue;
    }
    for (size_t start = 0; start < text.size();) {
      size_t end = text.find(',', start);
      if (end == std::string::npos)
        end = text.size();
      const std::string item = text.substr(start, end - start);
      const size_t equals = item.find('=');
      if (equals == std::string::npos)
        die("'" + item + "' is not NAME=VALUE");
      values[item.substr(0, equals)] =
          std::strtoll(item.c_str() + equals + 1, nullptr, 10);
      start = end + 1;
    }
    Session &session = Session::get();
    session.begin(values, seed, detail);
    ioflorDefine(session);
    Counts::get().beginCta();
    ioflorCall(session);
    ioflorCheck(session);
    std::printf("%s%s", separator, session.json().c_str());
    separator = ",\n";
  }
  std::printf("%s]\n", separator[0] == '[' ? "[" : "");
  return 0;
}
