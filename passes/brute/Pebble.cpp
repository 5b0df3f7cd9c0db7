//===- Pebble.cpp - Optimal schedules of tiny attentions ------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/brute/Pebble.h"
#include <unordered_map>
#include <vector>

using namespace ioflor::brute;

unsigned Game::pairs() const {
  unsigned e = 0;
  for (unsigned i = 0; i < nQ; ++i)
    for (unsigned j = 0; j < nK; ++j)
      e += requires_(i, j);
  return e;
}

namespace {

using Bits = unsigned __int128;

struct BitsHash {
  size_t operator()(Bits b) const {
    uint64_t x = uint64_t(b) * 0x9e3779b97f4a7c15ULL;
    x ^= x >> 29;
    x += uint64_t(b >> 64) * 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 32;
    return size_t(x * 0x94d049bb133111ebULL);
  }
};

Bits bit(unsigned i) { return Bits(1) << i; }

/// States: which words are in fast memory, which partial score (a set of summed
/// columns) each pair has in fast and in slow memory, and which products of a
/// weight and V were added to O.
class Board {
public:
  explicit Board(const Game &g) : g(g) {
    k0 = g.nQ * g.d;
    v0 = k0 + g.nK * g.d;
    o0 = v0 + g.nK * g.dV;
    s0 = o0 + g.nQ * g.dV;
    l0 = s0 + g.nQ * g.nK * g.d;
    p0 = l0 + g.nQ * g.nK * g.d;
    full = (1u << g.d) - 1;
  }

  unsigned q(unsigned i, unsigned c) const { return i * g.d + c; }
  unsigned k(unsigned j, unsigned c) const { return k0 + j * g.d + c; }
  unsigned v(unsigned j, unsigned l) const { return v0 + j * g.dV + l; }
  unsigned o(unsigned i, unsigned l) const { return o0 + i * g.dV + l; }
  unsigned score(unsigned i, unsigned j) const {
    return s0 + (i * g.nK + j) * g.d;
  }
  unsigned spilled(unsigned i, unsigned j) const {
    return l0 + (i * g.nK + j) * g.d;
  }
  unsigned product(unsigned i, unsigned j, unsigned l) const {
    return p0 + (i * g.nK + j) * g.dV + l;
  }
  static bool has(Bits s, unsigned b) { return (s >> b) & 1; }
  unsigned columns(Bits s, unsigned at) const {
    return unsigned(s >> at) & full;
  }
  Bits withColumns(Bits s, unsigned at, unsigned mask) const {
    return (s & ~(Bits(full) << at)) | (Bits(mask) << at);
  }

  /// Words in fast memory.
  unsigned held(Bits s) const {
    unsigned n = 0;
    for (unsigned b = 0; b < s0; ++b)
      n += has(s, b);
    for (unsigned p = 0; p < g.nQ * g.nK; ++p)
      n += columns(s, s0 + p * g.d) != 0;
    return n;
  }
  /// Columns of the score that can be summed now.
  unsigned atHand(Bits s, unsigned i, unsigned j) const {
    unsigned m = 0;
    for (unsigned c = 0; c < g.d; ++c)
      if (has(s, q(i, c)) && has(s, k(j, c)))
        m |= 1u << c;
    return m;
  }
  bool pairDone(Bits s, unsigned i, unsigned j) const {
    if (g.requires_(i, j))
      for (unsigned l = 0; l < g.dV; ++l)
        if (!has(s, product(i, j, l)))
          return false;
    return true;
  }
  bool outputDone(Bits s, unsigned i, unsigned l) const {
    for (unsigned j = 0; j < g.nK; ++j)
      if (g.requires_(i, j) && !has(s, product(i, j, l)))
        return false;
    return true;
  }
  bool outputBegun(Bits s, unsigned i, unsigned l) const {
    for (unsigned j = 0; j < g.nK; ++j)
      if (has(s, product(i, j, l)))
        return true;
    return false;
  }
  bool valueDone(Bits s, unsigned j, unsigned l) const {
    for (unsigned i = 0; i < g.nQ; ++i)
      if (g.requires_(i, j) && !has(s, product(i, j, l)))
        return false;
    return true;
  }
  bool rowDone(Bits s, unsigned i) const {
    for (unsigned j = 0; j < g.nK; ++j)
      if (!pairDone(s, i, j))
        return false;
    return true;
  }
  bool columnDone(Bits s, unsigned j) const {
    for (unsigned i = 0; i < g.nQ; ++i)
      if (!pairDone(s, i, j))
        return false;
    return true;
  }
  bool finished(Bits s) const {
    for (unsigned i = 0; i < g.nQ; ++i)
      if (!rowDone(s, i))
        return false;
    return true;
  }

  /// Words that any continuation still moves: outputs to be stored, begun ones
  /// to be read again, values and, where a score lacks their column, entries of
  /// Q and K to be read. Falls by at most the price of a move.
  unsigned remaining(Bits s) const {
    unsigned n = 0;
    for (unsigned i = 0; i < g.nQ; ++i)
      for (unsigned l = 0; l < g.dV; ++l)
        if (!outputDone(s, i, l))
          n += has(s, o(i, l)) || !outputBegun(s, i, l) ? 1 : 2;
    for (unsigned j = 0; j < g.nK; ++j)
      for (unsigned l = 0; l < g.dV; ++l)
        n += !valueDone(s, j, l) && !has(s, v(j, l));
    auto lacks = [&](unsigned i, unsigned j, unsigned c) {
      unsigned sums = columns(s, score(i, j)) | columns(s, spilled(i, j));
      return g.requires_(i, j) && !pairDone(s, i, j) && !((sums >> c) & 1);
    };
    for (unsigned c = 0; c < g.d; ++c) {
      for (unsigned i = 0; i < g.nQ; ++i) {
        bool needed = false;
        for (unsigned j = 0; j < g.nK && !has(s, q(i, c)); ++j)
          needed |= lacks(i, j, c);
        n += needed;
      }
      for (unsigned j = 0; j < g.nK; ++j) {
        bool needed = false;
        for (unsigned i = 0; i < g.nQ && !has(s, k(j, c)); ++i)
          needed |= lacks(i, j, c);
        n += needed;
      }
    }
    return n;
  }

  /// All that costs nothing and cannot hurt: sums and products of what is
  /// there, then what nobody needs any more is dropped and finished outputs are
  /// stored. Adds the stores to `cost`.
  Bits settle(Bits s, unsigned &cost) const {
    for (unsigned i = 0; i < g.nQ; ++i)
      for (unsigned j = 0; j < g.nK; ++j) {
        if (!g.requires_(i, j))
          continue;
        unsigned sum = columns(s, score(i, j)), here = atHand(s, i, j);
        if (sum)
          s = withColumns(s, score(i, j), sum |= here);
        if (sum != full && here != full)
          continue;
        for (unsigned l = 0; l < g.dV; ++l)
          if (has(s, v(j, l)) && has(s, o(i, l)))
            s |= bit(product(i, j, l));
      }
    for (unsigned i = 0; i < g.nQ; ++i) {
      for (unsigned j = 0; j < g.nK; ++j)
        if (pairDone(s, i, j)) {
          s = withColumns(s, score(i, j), 0);
          s = withColumns(s, spilled(i, j), 0);
        }
      if (rowDone(s, i))
        for (unsigned c = 0; c < g.d; ++c)
          s &= ~bit(q(i, c));
      for (unsigned l = 0; l < g.dV; ++l)
        if (has(s, o(i, l)) && outputDone(s, i, l)) {
          s &= ~bit(o(i, l));
          ++cost;
        }
    }
    for (unsigned j = 0; j < g.nK; ++j) {
      for (unsigned l = 0; l < g.dV; ++l)
        if (valueDone(s, j, l))
          s &= ~bit(v(j, l));
      if (columnDone(s, j))
        for (unsigned c = 0; c < g.d; ++c)
          s &= ~bit(k(j, c));
    }
    return s;
  }

  /// Calls `go(state, cost)` with one free slot made in every possible way.
  template <typename Go> void withSlot(Bits s, Go go) const {
    if (held(s) < g.fastWords) {
      go(s, 0u);
      return;
    }
    for (unsigned b = 0; b < o0; ++b)
      if (has(s, b))
        go(s & ~bit(b), 0u);
    for (unsigned i = 0; i < g.nQ; ++i)
      for (unsigned l = 0; l < g.dV; ++l)
        if (has(s, o(i, l)))
          // An accumulator without products is no loss.
          go(s & ~bit(o(i, l)), outputBegun(s, i, l) ? 1u : 0u);
    for (unsigned i = 0; i < g.nQ; ++i)
      for (unsigned j = 0; j < g.nK; ++j) {
        unsigned sum = columns(s, score(i, j));
        if (!sum)
          continue;
        Bits without = withColumns(s, score(i, j), 0);
        go(without, 0u);
        if (sum != columns(s, spilled(i, j)))
          go(withColumns(without, spilled(i, j), sum), 1u);
      }
  }

  /// Calls `go(state, cost)` for every move.
  template <typename Go> void moves(Bits s, Go go) const {
    auto bring = [&](unsigned b, unsigned price) {
      withSlot(s, [&](Bits t, unsigned cost) { go(t | bit(b), cost + price); });
    };
    for (unsigned i = 0; i < g.nQ; ++i) {
      for (unsigned c = 0; c < g.d; ++c)
        if (!has(s, q(i, c)) && !rowDone(s, i))
          bring(q(i, c), 1);
      for (unsigned l = 0; l < g.dV; ++l)
        if (!has(s, o(i, l)) && !outputDone(s, i, l))
          bring(o(i, l), outputBegun(s, i, l) ? 1 : 0);
    }
    for (unsigned j = 0; j < g.nK; ++j) {
      for (unsigned c = 0; c < g.d; ++c)
        if (!has(s, k(j, c)) && !columnDone(s, j))
          bring(k(j, c), 1);
      for (unsigned l = 0; l < g.dV; ++l)
        if (!has(s, v(j, l)) && !valueDone(s, j, l))
          bring(v(j, l), 1);
    }
    for (unsigned i = 0; i < g.nQ; ++i)
      for (unsigned j = 0; j < g.nK; ++j) {
        if (pairDone(s, i, j) || columns(s, score(i, j)))
          continue;
        // The sum begins before the slot is made: its operands may be what
        // goes.
        if (unsigned here = atHand(s, i, j))
          withSlot(s, [&](Bits t, unsigned cost) {
            go(withColumns(t, score(i, j), here), cost);
          });
        if (unsigned kept = columns(s, spilled(i, j)))
          withSlot(s, [&](Bits t, unsigned cost) {
            go(withColumns(t, score(i, j), kept), cost + 1);
          });
      }
  }

private:
  const Game g;
  unsigned k0, v0, o0, s0, l0, p0, full;
};

} // namespace

std::optional<Optimum> ioflor::brute::solve(const Game &game,
                                            uint64_t maxStates) {
  const unsigned sizes[] = {game.nQ, game.nK, game.d, game.dV, game.fastWords};
  for (unsigned size : sizes)
    if (size < 1 || size > 64)
      return std::nullopt;
  if (game.stateBits() > 128 || (game.causal && game.nQ > game.nK))
    return std::nullopt;
  Board board(game);
  Optimum out;
  // A*: ordered by the words moved and those that are still to be moved.
  struct Entry {
    Bits state;
    unsigned moved;
  };
  std::unordered_map<Bits, unsigned, BitsHash> best;
  std::vector<std::vector<Entry>> byTotal(board.remaining(0) + 1);
  best[0] = 0;
  byTotal.back().push_back({0, 0});
  for (size_t total = 0; total < byTotal.size(); ++total) {
    out.atLeast = total;
    for (size_t next = 0; next < byTotal[total].size(); ++next) {
      auto [s, moved] = byTotal[total][next];
      if (best[s] != moved)
        continue;
      out.states = best.size();
      if (board.finished(s)) {
        out.words = total;
        return out;
      }
      if (best.size() > maxStates)
        return out;
      board.moves(s, [&, moved = moved](Bits t, unsigned price) {
        unsigned cost = moved + price;
        t = board.settle(t, cost);
        auto [it, isNew] = best.try_emplace(t, cost);
        if (!isNew && it->second <= cost)
          return;
        it->second = cost;
        size_t at = cost + board.remaining(t);
        if (byTotal.size() <= at)
          byTotal.resize(at + 1);
        byTotal[at].push_back({t, cost});
      });
    }
    byTotal[total].clear();
    byTotal[total].shrink_to_fit();
  }
  out.impossible = true;
  return out;
}
