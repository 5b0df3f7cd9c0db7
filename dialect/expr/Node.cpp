//===- Node.cpp - Interning of nodes --------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/expr/Node.h"
#include "dialect/expr/Work.h"
#include <array>
#include <mutex>
#include <unordered_set>

using namespace ioflor;
using namespace ioflor::detail;

static uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdull;
  return h ^ (h >> 32);
}

static uint64_t hashString(llvm::StringRef s) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (unsigned char c : s)
    h = (h ^ c) * 0x100000001b3ull;
  return mix(h, s.size());
}

uint64_t detail::symbolBit(llvm::StringRef name) {
  return uint64_t(1) << (hashString(name) & 63);
}

/// Equal values hash alike: a large one may be stored in any width.
static uint64_t hashValue(const BigInt &v) {
  if (fits64(v))
    return uint64_t(int64_t(v));
  const BigInt prime((int64_t(1) << 61) - 1);
  return uint64_t(int64_t(v - floorDiv(v, prime) * prime));
}

bool detail::fits64(const BigInt &v) {
  return v >= std::numeric_limits<int64_t>::min() &&
         v <= std::numeric_limits<int64_t>::max();
}

BigInt detail::normalized(const BigInt &v) {
  return fits64(v) ? BigInt(int64_t(v)) : v;
}

namespace {

struct NodeHash {
  size_t operator()(const ExprNode *n) const { return n->hash; }
};

/// Operands are interned already, so their pointers decide.
struct NodeEqual {
  bool operator()(const ExprNode *a, const ExprNode *b) const {
    if (a == b)
      return true;
    if (a->hash != b->hash || a->kind != b->kind || a->name != b->name ||
        a->value != b->value || a->ops.size() != b->ops.size() ||
        a->factors.size() != b->factors.size())
      return false;
    for (size_t i = 0; i < a->ops.size(); ++i)
      if (a->ops[i].node() != b->ops[i].node())
        return false;
    for (size_t i = 0; i < a->factors.size(); ++i)
      if (a->factors[i].first.node() != b->factors[i].first.node() ||
          a->factors[i].second != b->factors[i].second)
        return false;
    return true;
  }
};

struct Shard {
  std::mutex lock;
  std::unordered_set<const ExprNode *, NodeHash, NodeEqual> nodes;
};

/// Never destroyed: expressions with static lifetime may outlive it.
Shard &shardOf(uint64_t hash) {
  static auto *shards = new std::array<Shard, 16>;
  return (*shards)[(hash >> 56) & 15];
}

void release(const ExprNode *n) {
  {
    Shard &s = shardOf(n->hash);
    std::lock_guard<std::mutex> guard(s.lock);
    auto it = s.nodes.find(n);
    // A newer equal node may have taken the place of this dying one.
    if (it != s.nodes.end() && *it == n)
      s.nodes.erase(it);
  }
  delete n; // outside the lock: this releases the operands
}

} // namespace

ExprNode::~ExprNode() = default;

Expr ExprNode::make(ExprNode &&n) {
  ++workMeter().spent;
  uint64_t h = mix(uint64_t(n.kind) + 1, hashString(n.name));
  if (n.kind == ExprKind::Const || n.kind == ExprKind::Mul)
    h = mix(h, hashValue(n.value));
  n.symbols = n.kind == ExprKind::Symbol ? symbolBit(n.name) : 0;
  n.size = n.depth = 1;
  auto child = [&](const Expr &e) {
    const ExprNode *c = e.node();
    h = mix(h, c->hash);
    n.symbols |= c->symbols;
    n.size = n.size > SIZE_MAX - c->size ? SIZE_MAX : n.size + c->size;
    n.depth = std::max(n.depth, c->depth + 1);
  };
  for (const Factor &f : n.factors) {
    child(f.first);
    h = mix(h, f.second);
  }
  if (n.kind != ExprKind::Mul) // a Mul's operands repeat its factors
    for (const Expr &e : n.ops)
      child(e);
  n.hash = h;

  Shard &s = shardOf(h);
  std::shared_ptr<const ExprNode> found;
  {
    std::lock_guard<std::mutex> guard(s.lock);
    auto it = s.nodes.find(&n);
    if (it != s.nodes.end()) {
      found = (*it)->weak_from_this().lock();
      if (!found) // being destroyed by another thread
        s.nodes.erase(it);
    }
    if (!found) {
      found =
          std::shared_ptr<const ExprNode>(new ExprNode(std::move(n)), release);
      s.nodes.insert(found.get());
    }
  }
  return Expr(std::move(found));
}

Expr ExprNode::make(ExprKind kind, std::vector<Expr> ops,
                    llvm::StringRef name) {
  ExprNode n;
  n.kind = kind;
  n.ops = std::move(ops);
  n.name = name.str();
  return make(std::move(n));
}

Expr ExprNode::monomial(const BigInt &coefficient, std::vector<Factor> fs) {
  if (coefficient == 0)
    return Expr();
  if (fs.empty())
    return Expr(coefficient);
  // A sum as an atom stays wrapped: the result must be one term.
  if (coefficient == 1 && fs.size() == 1 && fs[0].second == 1 &&
      fs[0].first.kind() != ExprKind::Add)
    return fs[0].first;
  ExprNode n;
  n.kind = ExprKind::Mul;
  n.value = normalized(coefficient);
  n.ops.push_back(Expr(n.value));
  for (const Factor &f : fs) {
    n.degree += f.second;
    n.ops.push_back(f.first);
  }
  n.factors = std::move(fs);
  return make(std::move(n));
}
