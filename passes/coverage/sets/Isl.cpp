//===- Isl.cpp - isl objects by value -------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Isl.h"
#include "dialect/expr/Work.h"

#include <algorithm>
#include <cstdlib>
#include <isl/options.h>
#include <isl/val.h>

using namespace ioflor;
using namespace ioflor::sets;

// Exported by isl, but in none of its installed headers: one operation, or an
// error where that would be more than the limit.
extern "C" isl_stat isl_ctx_next_operation(isl_ctx *ctx);

/// isl operations for one unit of work, as measured on the examples.
static constexpr uint64_t operationsPerUnit = 4;

Context::Context(uint64_t maxOperations) : ctx(isl_ctx_alloc()) {
  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
  uint64_t units = WorkScope::left();
  if (units < maxOperations / operationsPerUnit)
    // 0 would be no limit.
    maxOperations = std::max<uint64_t>(units * operationsPerUnit, 1);
  limit = maxOperations;
  isl_ctx_set_max_operations(ctx, maxOperations);
}

Context::~Context() {
  // Whoever had the limit of the work reaches it by this.
  WorkScope::spend(operations() / operationsPerUnit + 1);
  isl_ctx_free(ctx);
}

uint64_t Context::operations() const {
  // isl counts, but tells only whether a limit is reached.
  uint64_t low = 0, high = limit;
  while (low < high) {
    uint64_t middle = low + (high - low + 1) / 2;
    isl_ctx_set_max_operations(ctx, middle);
    if (isl_ctx_next_operation(ctx) == isl_stat_ok)
      high = middle - 1;
    else
      low = middle;
  }
  isl_ctx_set_max_operations(ctx, limit);
  return low;
}

bool Context::exhausted() const {
  return isl_ctx_last_error(ctx) == isl_error_quota;
}

Set Context::set(const std::string &text) const {
  return Set(isl_set_read_from_str(ctx, text.c_str()));
}
Map Context::map(const std::string &text) const {
  return Map(isl_map_read_from_str(ctx, text.c_str()));
}

namespace ioflor::sets {

Set intersect(const Set &a, const Set &b) {
  return Set(isl_set_intersect(a.give(), b.give()));
}
Set unite(const Set &a, const Set &b) {
  return Set(isl_set_union(a.give(), b.give()));
}
Set subtract(const Set &a, const Set &b) {
  return Set(isl_set_subtract(a.give(), b.give()));
}
Set intersectParams(const Set &a, const Set &params) {
  return Set(isl_set_intersect_params(a.give(), params.give()));
}
Map intersectParams(const Map &a, const Set &params) {
  return Map(isl_map_intersect_params(a.give(), params.give()));
}
Map intersectDomain(const Map &a, const Set &domain) {
  return Map(isl_map_intersect_domain(a.give(), domain.give()));
}
Map intersectRange(const Map &a, const Set &range) {
  return Map(isl_map_intersect_range(a.give(), range.give()));
}
Map unite(const Map &a, const Map &b) {
  return Map(isl_map_union(a.give(), b.give()));
}
Map intersect(const Map &a, const Map &b) {
  return Map(isl_map_intersect(a.give(), b.give()));
}
Map subtractDomain(const Map &a, const Set &domain) {
  return Map(isl_map_subtract_domain(a.give(), domain.give()));
}
Map then(const Map &a, const Map &b) {
  return Map(isl_map_apply_range(a.give(), b.give()));
}
Map reverse(const Map &a) { return Map(isl_map_reverse(a.give())); }
Set domain(const Map &a) { return Set(isl_map_domain(a.give())); }
Set range(const Map &a) { return Set(isl_map_range(a.give())); }
Map both(const Map &a, const Map &b) {
  return Map(isl_map_flat_range_product(a.give(), b.give()));
}
Map toRange(const Map &a) { return Map(isl_map_range_map(a.give())); }
Map toDomain(const Map &a) { return Map(isl_map_domain_map(a.give())); }

Map named(const Map &a, const std::string &out) {
  if (out.empty())
    return isl_map_has_tuple_id(a.get(), isl_dim_out) == isl_bool_true
               ? Map(isl_map_reset_tuple_id(a.give(), isl_dim_out))
               : a;
  return Map(isl_map_set_tuple_name(a.give(), isl_dim_out, out.c_str()));
}
Map project(const Map &a, unsigned first, unsigned n) {
  return Map(isl_map_project_out(a.give(), isl_dim_out, first, n));
}

Map bounded(const Map &a) {
  if (!a || isl_map_n_basic_map(a.get()) <= 4)
    return a;
  // Joining takes time that grows with the square of their number.
  if (isl_map_n_basic_map(a.get()) > 4 * maxPieces)
    return Map();
  Map c(isl_map_coalesce(a.give()));
  return c && isl_map_n_basic_map(c.get()) <= maxPieces ? c : Map();
}

Map simplified(const Map &a, const Set &within) {
  Map c(isl_map_coalesce(isl_map_detect_equalities(a.give())));
  if (!c || isl_map_n_basic_map(c.get()) == 0)
    return c;
  Set d = domain(c);
  // All of `within`, usually.
  if (isSubset(within, d) == true)
    d = within;
  // The hull holds a. If it is a function where a is defined, it is a.
  Map hull(isl_map_from_basic_map(isl_map_unshifted_simple_hull(c.give())));
  hull =
      intersectDomain(Map(isl_map_gist_domain(hull.give(), within.give())), d);
  return isSingleValued(hull) == true ? hull : c;
}

Set widened(const Set &a, const Set &within) {
  Set hull(isl_set_from_basic_set(
      isl_set_unshifted_simple_hull(isl_set_coalesce(a.give()))));
  return intersect(hull, within);
}

static std::optional<bool> answer(isl_bool b) {
  if (b == isl_bool_error)
    return std::nullopt;
  return b == isl_bool_true;
}
std::optional<bool> isEmpty(const Set &a) {
  return answer(isl_set_is_empty(a.get()));
}
std::optional<bool> isEmpty(const Map &a) {
  return answer(isl_map_is_empty(a.get()));
}
std::optional<bool> isSubset(const Set &a, const Set &b) {
  return answer(isl_set_is_subset(a.get(), b.get()));
}
std::optional<bool> isSubset(const Map &a, const Map &b) {
  return answer(isl_map_is_subset(a.get(), b.get()));
}
std::optional<bool> isEqual(const Set &a, const Set &b) {
  return answer(isl_set_is_equal(a.get(), b.get()));
}
std::optional<bool> isEqual(const Map &a, const Map &b) {
  return answer(isl_map_is_equal(a.get(), b.get()));
}
std::optional<bool> isSingleValued(const Map &a) {
  return answer(isl_map_is_single_valued(a.get()));
}
std::optional<bool> isInjective(const Map &a) {
  return answer(isl_map_is_injective(a.get()));
}
std::optional<bool> isDisjoint(const Map &a, const Map &b) {
  return answer(isl_map_is_disjoint(a.get(), b.get()));
}

static std::string take(char *s) {
  std::string out = s ? s : "<none>";
  free(s);
  return out;
}
std::string text(const Set &a) {
  Set c(isl_set_coalesce(isl_set_detect_equalities(a.give())));
  return c ? take(isl_set_to_str(c.get())) : "<none>";
}
std::string text(const Map &a) {
  Map c(isl_map_coalesce(isl_map_detect_equalities(a.give())));
  return c ? take(isl_map_to_str(c.get())) : "<none>";
}

static UnionMap unionOf(const std::vector<Map> &maps, isl_ctx *ctx) {
  UnionMap all(isl_union_map_empty_ctx(ctx));
  for (const Map &m : maps)
    all = UnionMap(
        isl_union_map_union(all.give(), isl_union_map_from_map(m.give())));
  return all;
}

std::optional<bool> isInjective(const std::vector<Map> &maps, isl_ctx *ctx) {
  return answer(isl_union_map_is_injective(unionOf(maps, ctx).get()));
}

std::vector<Map> parts(const UnionMap &u) {
  std::vector<Map> out;
  auto add = [](isl_map *m, void *user) {
    static_cast<std::vector<Map> *>(user)->emplace_back(m);
    return isl_stat_ok;
  };
  if (u)
    isl_union_map_foreach_map(u.get(), add, &out);
  return out;
}

static std::string tupleName(const Map &m, isl_dim_type type) {
  if (!m || isl_map_has_tuple_name(m.get(), type) != isl_bool_true)
    return "";
  const char *name = isl_map_get_tuple_name(m.get(), type);
  return name ? name : "";
}
std::string inName(const Map &m) { return tupleName(m, isl_dim_in); }
std::string outName(const Map &m) { return tupleName(m, isl_dim_out); }

/// The constant that is component i of every point's time; NaN, null or an
/// error where there is none.
static isl_val *constantAt(const Map &time, unsigned i) {
  return isl_map_plain_get_val_if_fixed(time.get(), isl_dim_out, i);
}

/// The times without the components that are one and the same constant in all:
/// they order nothing, and isl looks for last writers component by component.
static std::vector<Map> shortTimes(std::vector<Map> times) {
  if (times.empty())
    return times;
  isl_size n = isl_map_dim(times.front().get(), isl_dim_out);
  for (const Map &t : times)
    if (n < 0 || isl_map_dim(t.get(), isl_dim_out) != n)
      return times;
  for (unsigned i = n; i-- > 0;) {
    isl_val *first = constantAt(times.front(), i);
    bool same = first && isl_val_is_int(first) == isl_bool_true;
    for (size_t k = 1; k < times.size() && same; ++k) {
      isl_val *other = constantAt(times[k], i);
      same = other && isl_val_eq(first, other) == isl_bool_true;
      isl_val_free(other);
    }
    isl_val_free(first);
    if (same)
      for (Map &t : times)
        t = project(t, i, 1);
  }
  return times;
}

std::vector<Map> solveFlow(const FlowProblem &problem, isl_ctx *ctx,
                           bool &failed) {
  auto all = [&](const std::vector<Map> &maps) { return unionOf(maps, ctx); };
  isl_union_access_info *info =
      isl_union_access_info_from_sink(all(problem.sinks).give());
  info = isl_union_access_info_set_must_source(info,
                                               all(problem.mustSources).give());
  info = isl_union_access_info_set_may_source(info,
                                              all(problem.maySources).give());
  info = isl_union_access_info_set_schedule_map(
      info, all(shortTimes(problem.schedules)).give());
  isl_union_flow *flow = isl_union_access_info_compute_flow(info);
  // isl's "may" dependences include the "must" ones.
  UnionMap found(flow ? isl_union_flow_get_may_dependence(flow) : nullptr);
  isl_union_flow_free(flow);
  failed = !found;
  std::vector<Map> out;
  for (const Map &m : parts(found))
    out.push_back(reverse(m));
  return out;
}

std::string flowFailure(isl_ctx *ctx) {
  return isl_ctx_last_error(ctx) == isl_error_quota
             ? "the analysis took too many operations"
             : "the order of its accesses is not affine";
}

} // namespace ioflor::sets
