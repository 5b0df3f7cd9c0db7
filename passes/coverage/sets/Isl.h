//===- Isl.h - isl objects by value ------------------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reference-counted isl sets and maps as C++ values. A failed operation (the
// operation limit, a malformed input) gives a null object, every operation on a
// null object is null, and every question to one is answered by nullopt: a
// proof that ran out of its budget can end only as "not decided".
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_COVERAGE_SETS_ISL_H
#define IOFLOR_PASSES_COVERAGE_SETS_ISL_H

#include <isl/ctx.h>
#include <isl/flow.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ioflor::sets {

template <typename T> struct IslTraits;
template <> struct IslTraits<isl_set> {
  static isl_set *copy(isl_set *p) { return isl_set_copy(p); }
  static void free(isl_set *p) { isl_set_free(p); }
};
template <> struct IslTraits<isl_map> {
  static isl_map *copy(isl_map *p) { return isl_map_copy(p); }
  static void free(isl_map *p) { isl_map_free(p); }
};
template <> struct IslTraits<isl_union_map> {
  static isl_union_map *copy(isl_union_map *p) { return isl_union_map_copy(p); }
  static void free(isl_union_map *p) { isl_union_map_free(p); }
};

/// An owned isl object; null after an error.
template <typename T> class Isl {
public:
  Isl() = default;
  /// Takes ownership.
  explicit Isl(T *p) : p(p) {}
  Isl(const Isl &o) : p(o.p ? IslTraits<T>::copy(o.p) : nullptr) {}
  Isl(Isl &&o) noexcept : p(std::exchange(o.p, nullptr)) {}
  Isl &operator=(Isl o) noexcept {
    std::swap(p, o.p);
    return *this;
  }
  ~Isl() {
    if (p)
      IslTraits<T>::free(p);
  }
  /// A new reference for a function that takes one (`__isl_take`).
  T *give() const { return p ? IslTraits<T>::copy(p) : nullptr; }
  /// For functions that keep (`__isl_keep`).
  T *get() const { return p; }
  explicit operator bool() const { return p != nullptr; }

private:
  T *p = nullptr;
};

using Set = Isl<isl_set>;
using Map = Isl<isl_map>;
using UnionMap = Isl<isl_union_map>;

/// An isl context with a limit of operations, the same on every machine, and no
/// more than the work that is left (dialect/expr/Work.h), of which it takes what
/// it used when it ends. Must outlive every object made in it.
class Context {
public:
  explicit Context(uint64_t maxOperations);
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  isl_ctx *get() const { return ctx; }
  /// Was the limit reached?
  bool exhausted() const;
  /// isl's notation, e.g. `[n] -> { S[i] : 0 <= i < n }`; null if malformed.
  Set set(const std::string &text) const;
  Map map(const std::string &text) const;

private:
  /// Operations so far, give or take some dozens. Changes the last error.
  uint64_t operations() const;

  isl_ctx *ctx;
  uint64_t limit;
};

Set intersect(const Set &a, const Set &b);
Set unite(const Set &a, const Set &b);
Set subtract(const Set &a, const Set &b);
/// Keeps the points at which the parameters are in `params`.
Set intersectParams(const Set &a, const Set &params);
Map intersectParams(const Map &a, const Set &params);
Map intersectDomain(const Map &a, const Set &domain);
Map intersectRange(const Map &a, const Set &range);
Map unite(const Map &a, const Map &b);
Map intersect(const Map &a, const Map &b);
Map subtractDomain(const Map &a, const Set &domain);
/// { x -> z : a(x, y), b(y, z) }.
Map then(const Map &a, const Map &b);
Map reverse(const Map &a);
Set domain(const Map &a);
Set range(const Map &a);
/// { x -> (y, z) : a(x, y), b(x, z) } as one flat tuple.
Map both(const Map &a, const Map &b);
/// { (x -> y) -> y : a(x, y) } and { (x -> y) -> x : a(x, y) }.
Map toRange(const Map &a);
Map toDomain(const Map &a);
/// The same with the output tuple's name set (or removed: "").
Map named(const Map &a, const std::string &out);
/// Removes output dimensions `first .. first + n - 1`.
Map project(const Map &a, unsigned first, unsigned n);

/// Pieces that a relation may have. Combining pieces multiplies them, which
/// isl's limit of operations does not bound soon enough.
inline constexpr int maxPieces = 64;
/// The same relation, its pieces joined where they can be; null above
/// maxPieces.
Map bounded(const Map &a);
/// The same relation with fewer pieces, where a few tries find one. `within`: a
/// simple set that holds the domain.
Map simplified(const Map &a, const Set &within);
/// A simple set between a and `within`.
Set widened(const Set &a, const Set &within);

std::optional<bool> isEmpty(const Set &a);
std::optional<bool> isEmpty(const Map &a);
std::optional<bool> isSubset(const Set &a, const Set &b);
std::optional<bool> isSubset(const Map &a, const Map &b);
std::optional<bool> isEqual(const Set &a, const Set &b);
std::optional<bool> isEqual(const Map &a, const Map &b);
std::optional<bool> isSingleValued(const Map &a);
std::optional<bool> isInjective(const Map &a);
/// Over the union of maps of different domains.
std::optional<bool> isInjective(const std::vector<Map> &maps, isl_ctx *ctx);
std::optional<bool> isDisjoint(const Map &a, const Map &b);

/// Readable, simplified; `<none>` for null.
std::string text(const Set &a);
std::string text(const Map &a);

/// The maps of a union, each of one pair of tuples.
std::vector<Map> parts(const UnionMap &u);
/// Names of the tuples of a map; empty where there is none.
std::string inName(const Map &m);
std::string outName(const Map &m);

/// Which sources each sink depends on. All maps but the schedules go from
/// instances to cells; schedules go from instances to times, ordered
/// lexicographically.
struct FlowProblem {
  std::vector<Map> sinks, mustSources, maySources, schedules;
};
/// { sink -> source }: the last must-source before each sink, and the
/// may-sources between it and the sink.
std::vector<Map> solveFlow(const FlowProblem &problem, isl_ctx *ctx,
                           bool &failed);
/// Why solveFlow failed last.
std::string flowFailure(isl_ctx *ctx);

} // namespace ioflor::sets

#endif // IOFLOR_PASSES_COVERAGE_SETS_ISL_H
