//===- LaunchGroups.cpp - Launches that are one subject -------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/LaunchGroups.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

const Value *fieldOf(const Value &value, const FieldDecl *field) {
  if (value.kind != Value::Record)
    return nullptr;
  for (const auto &[step, part] : value.fields) {
    if (step.kind == Step::Field && step.decl == field)
      return &part;
    if (const Value *found = fieldOf(part, field))
      return found;
  }
  return nullptr;
}

} // namespace

LaunchFlow::LaunchFlow(ArrayRef<Launch> launches, BufferUse &use)
    : launches(launches), nodes(launches.size()) {
  for (auto [launch, node] : zip(launches, nodes)) {
    const FunctionDecl *kernel = launch.kernel->getDefinition();
    if (!kernel)
      continue;
    const BufferUse::Uses &uses = use.of(kernel);
    for (auto [param, value] : zip(kernel->parameters(), launch.args))
      for (auto it = uses.lower_bound({param, nullptr});
           it != uses.end() && it->first.first == param; ++it) {
        const FieldDecl *field = it->first.second;
        const Value *at = field ? fieldOf(value, field) : &value;
        if (at)
          add(*at, field ? field->getType() : param->getType(), it->second,
              node);
      }
    set_subtract(node.inputs, [&] {
      std::set<Place> written;
      for (const Place &place : node.inputs)
        if (node.writes.count(place.first))
          written.insert(place);
      return written;
    }());
  }
}

void LaunchFlow::add(const Value &value, QualType type, Access access,
                     Node &node) {
  if (value.kind != Value::Pointer)
    return;
  Place place{value.buffer, value.num.str()};
  if (access.reads) {
    node.reads.insert(place);
    node.readBuffers.insert(value.buffer);
    QualType pointee = type->getPointeeType();
    bool index = !pointee.isNull() && pointee->isIntegerType() &&
                 !pointee->isAnyCharacterType();
    if (!index)
      node.inputs.insert(place);
  }
  if (access.writes)
    node.writes.insert(value.buffer);
}

static bool exclude(ArrayRef<Fact> a, ArrayRef<Fact> b) {
  return any_of(a, [&](const Fact &x) {
    return any_of(b,
                  [&](const Fact &y) { return x.condition == !y.condition; });
  });
}

/// Whether the launches stand in different branches.
bool LaunchFlow::exclusive(size_t a, size_t b) const {
  return exclude(launches[a].state.facts, launches[b].state.facts);
}

/// The last launch before `before` that writes `buffer` where `reader` runs.
std::optional<size_t> LaunchFlow::lastWriter(unsigned buffer, size_t before,
                                             size_t reader) const {
  for (size_t i = before; i-- > 0;)
    if (nodes[i].writes.count(buffer) && !exclusive(i, reader))
      return i;
  return std::nullopt;
}

/// Sets values that it does not compute from others.
bool LaunchFlow::initialises(size_t candidate) const {
  return nodes[candidate].inputs.empty();
}

/// Reads at least two places that `main` wrote, and no operands of it.
bool LaunchFlow::combines(size_t candidate, size_t main) const {
  if (exclusive(candidate, main))
    return false;
  const Node &node = nodes[candidate];
  unsigned taken = 0, shared = 0;
  for (const Place &place : node.reads) {
    if (!nodes[main].writes.count(place.first))
      continue;
    // The last writer on the way from `main`, whatever other branches do.
    std::optional<size_t> writer;
    for (size_t i = candidate; i-- > main && !writer;)
      if (nodes[i].writes.count(place.first) && !exclusive(i, main) &&
          !exclusive(i, candidate))
        writer = i;
    taken += writer == main;
  }
  for (const Place &place : node.inputs)
    shared += nodes[main].inputs.count(place);
  return taken >= 2 && shared <= 1;
}

LaunchGroup LaunchFlow::around(size_t main) const {
  std::set<size_t> stages{main};
  for (unsigned buffer : nodes[main].writes)
    if (nodes[main].readBuffers.count(buffer))
      if (std::optional<size_t> writer = lastWriter(buffer, main, main))
        if (initialises(*writer))
          stages.insert(*writer);
  for (size_t i = main + 1; i < launches.size(); ++i)
    if (combines(i, main)) {
      stages.insert(i);
      break;
    }
  return {{stages.begin(), stages.end()}, main};
}

std::vector<LaunchGroup>
LaunchFlow::pipelines(function_ref<Weight(const FunctionDecl *)> weigh) const {
  std::vector<Weight> weights;
  for (const Launch &launch : launches)
    weights.push_back(weigh(launch.kernel));

  std::vector<std::set<size_t>> groups;
  for (size_t softmax = 0; softmax < launches.size(); ++softmax) {
    if (!weights[softmax].exponentials)
      continue;
    std::set<size_t> stages{softmax};
    // Back to the kernels that contract, through scaling and masking. One that
    // contracts what two others computed forms the scores itself.
    unsigned operands = 0;
    for (const Place &place : nodes[softmax].inputs) {
      std::optional<size_t> writer = lastWriter(place.first, softmax, softmax);
      operands += writer && weights[*writer].contractions;
    }
    std::vector<size_t> open;
    if (!weights[softmax].contractions || operands < 2)
      open.push_back(softmax);
    while (!open.empty()) {
      size_t at = open.back();
      open.pop_back();
      for (unsigned buffer : nodes[at].readBuffers)
        if (std::optional<size_t> writer = lastWriter(buffer, at, at))
          if (stages.insert(*writer).second && !weights[*writer].contractions)
            open.push_back(*writer);
    }
    // On to the kernels that contract what comes out.
    for (size_t i = softmax + 1; i < launches.size(); ++i) {
      unsigned taken = 0;
      bool wanted = false;
      for (unsigned buffer : nodes[i].readBuffers) {
        std::optional<size_t> writer = lastWriter(buffer, i, i);
        if (!writer || *writer < softmax || !stages.count(*writer))
          continue;
        ++taken;
        wanted |= *writer == softmax || !weights[*writer].contractions;
      }
      // What divides the product by the softmax's sums reads both.
      if (wanted || taken >= 2)
        stages.insert(i);
    }
    if (stages.size() > 1)
      groups.push_back(std::move(stages));
  }
  // Several kernels with exponentials in one pipeline found it several times.
  for (size_t i = 0; i < groups.size();) {
    auto other = std::find_if(
        groups.begin() + i + 1, groups.end(), [&](const std::set<size_t> &g) {
          return any_of(g, [&](size_t s) {
            return groups[i].count(s) && weights[s].exponentials;
          });
        });
    if (other == groups.end()) {
      ++i;
      continue;
    }
    groups[i].insert(other->begin(), other->end());
    groups.erase(other);
  }

  std::vector<LaunchGroup> out;
  for (const std::set<size_t> &group : groups) {
    Weight sum;
    for (size_t s : group) {
      sum.exponentials += weights[s].exponentials;
      sum.contractions += weights[s].contractions;
    }
    if (sum.looksLikeAttention())
      out.push_back({{group.begin(), group.end()}, *group.begin()});
  }
  return out;
}

std::vector<LaunchFlow::Outside>
LaunchFlow::outsideWrites(unsigned buffer, const LaunchGroup &group,
                          ArrayRef<HostTouch> touches) const {
  std::vector<Outside> out;
  auto apart = [&](ArrayRef<Fact> facts) {
    return any_of(group.stages, [&](size_t stage) {
      return exclude(facts, launches[stage].state.facts);
    });
  };
  for (auto [i, node] : enumerate(nodes))
    if (node.writes.count(buffer) && !is_contained(group.stages, i) &&
        !apart(launches[i].state.facts))
      out.push_back(
          {i,
           static_cast<size_t>(count_if(
               touches, [i = i](const HostTouch &t) { return t.after <= i; })),
           "kernel '" + launches[i].kernel->getNameAsString() + "'",
           launches[i].range.getBegin(),
           node.inputs.empty() && !node.readBuffers.count(buffer)});
  for (auto [i, touch] : enumerate(touches))
    if (touch.buffer == buffer && touch.kind != HostTouch::Reads &&
        !apart(touch.state.facts))
      out.push_back({touch.after, i, "'" + touch.callee + "'", touch.loc,
                     touch.kind == HostTouch::Overwrites});
  return out;
}

/// Whether anything takes words of the buffer after launch `from` and before
/// `to`.
bool LaunchFlow::readBetween(unsigned buffer, size_t from, const Outside &to,
                             ArrayRef<HostTouch> touches) const {
  for (size_t i = from + 1; i < to.after; ++i)
    if (nodes[i].readBuffers.count(buffer))
      return true;
  return any_of(touches.take_front(to.touches), [&](const HostTouch &touch) {
    return touch.buffer == buffer && touch.kind != HostTouch::Overwrites &&
           touch.after > from;
  });
}

std::vector<std::pair<std::string, SourceLocation>>
LaunchFlow::disturbances(const LaunchGroup &group, ArrayRef<HostTouch> touches,
                         function_ref<std::string(unsigned)> name) const {
  std::set<unsigned> buffers;
  for (size_t stage : group.stages) {
    buffers.insert(nodes[stage].writes.begin(), nodes[stage].writes.end());
    set_union(buffers, nodes[stage].readBuffers);
  }
  std::vector<std::pair<std::string, SourceLocation>> out;
  for (unsigned buffer : buffers) {
    std::optional<size_t> first, last, writer;
    for (size_t stage : group.stages) {
      bool writes = nodes[stage].writes.count(buffer);
      if (!writes && !nodes[stage].readBuffers.count(buffer))
        continue;
      first = first.value_or(stage);
      last = stage;
      if (writes)
        writer = stage;
    }
    for (const Outside &write : outsideWrites(buffer, group, touches)) {
      if (write.after > *first && write.after <= *last) {
        out.emplace_back(write.what + " may write '" + name(buffer) +
                             "' between two kernels of this subject",
                         write.loc);
        continue;
      }
      // Before another launch fills it, it only clears the buffer for that one.
      bool filledAgain = false;
      for (size_t i = write.after; i < nodes.size(); ++i)
        filledAgain |=
            nodes[i].writes.count(buffer) &&
            !(nodes[i].inputs.empty() && !nodes[i].readBuffers.count(buffer));
      if (writer && write.overwrites && write.after > *writer && !filledAgain &&
          !readBetween(buffer, *writer, write, touches))
        out.emplace_back(write.what + " overwrites '" + name(buffer) +
                             "' after the kernel, before anything has read it",
                         write.loc);
    }
  }
  return out;
}

const HostTouch *LaunchFlow::initial(unsigned buffer, const LaunchGroup &group,
                                     ArrayRef<HostTouch> touches) const {
  auto first = find_if(group.stages, [&](size_t stage) {
    return nodes[stage].writes.count(buffer) ||
           nodes[stage].readBuffers.count(buffer);
  });
  if (first == group.stages.end())
    return nullptr;
  const State &there = launches[*first].state;
  const HostTouch *last = nullptr;
  for (const HostTouch &touch : touches)
    if (touch.buffer == buffer && touch.kind != HostTouch::Reads &&
        touch.after <= *first && !exclude(touch.state.facts, there.facts))
      last = &touch;
  if (!last || last->fill == Fill::Unknown)
    return nullptr;
  // On every way to the launch, and as often as that.
  bool always = all_of(last->state.facts, [&](const Fact &fact) {
    return is_contained(there.facts, fact);
  });
  bool asOften = last->state.loops.size() == there.loops.size();
  for (size_t i = last->after; i < *first; ++i)
    asOften &= !nodes[i].writes.count(buffer);
  return always && asOften ? last : nullptr;
}

} // namespace ioflor::frontend
