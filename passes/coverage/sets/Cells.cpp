//===- Cells.cpp - Addresses as coordinates -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address with symbolic strides is no affine expression. Taken apart by its
// strides it is a tuple of them, which stands for one word as long as every
// coordinate stays below the ratio of its stride to the next larger one.
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Model.h"
#include "passes/roles/Address.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;
using roles::divideExactly;

static std::string join(const std::vector<std::string> &parts) {
  std::string out;
  for (const std::string &p : parts)
    out += (out.empty() ? "" : ", ") + p;
  return out;
}

static std::set<std::string> dimsOf(const Statement &s) {
  std::set<std::string> dims(s.dims.begin(), s.dims.end());
  dims.insert("lane");
  return dims;
}

/// Number of symbolic factors of a monomial.
static unsigned degree(const Expr &stride) {
  unsigned out = 0;
  if (stride.isConst())
    return 0;
  for (const auto &[atom, power] : stride.factors())
    out += power;
  return out;
}

/// A stride's symbolic factors, without its coefficient.
static Expr symbolsOf(const Expr &stride) {
  Expr out = 1;
  if (!stride.isConst())
    for (const auto &[atom, power] : stride.factors())
      for (unsigned i = 0; i < power; ++i)
        out *= atom;
  return out;
}

/// Larger strides first, as far as their form tells.
static bool isLarger(const Expr &a, const Expr &b) {
  if (degree(a) != degree(b))
    return degree(a) > degree(b);
  if (int c = symbolsOf(a).compare(symbolsOf(b)))
    return c > 0;
  return a.coefficient() > b.coefficient();
}

std::optional<std::vector<std::string>>
Model::split(const Statement &s, const std::vector<Expr> &strides) {
  std::vector<unsigned> order;
  for (unsigned i = 0; i < strides.size(); ++i)
    if (!strides[i].isZero()) // a dimension of one element
      order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    if (isLarger(strides[a], strides[b]) || isLarger(strides[b], strides[a]))
      return isLarger(strides[a], strides[b]);
    return a < b;
  });
  Affine affine(params, dimsOf(s));
  std::vector<std::string> out(strides.size(), "0");
  Expr rest = *s.address;
  for (size_t from = 0; from < order.size();) {
    // Strides of the same symbolic part are digits of one number.
    Expr symbols = symbolsOf(strides[order[from]]);
    size_t to = from;
    while (to < order.size() && symbolsOf(strides[order[to]]) == symbols)
      ++to;
    Expr number, kept;
    for (const Expr &term : rest.terms()) {
      if (auto q = divideExactly(term, symbols))
        number += *q;
      else
        kept += term;
    }
    rest = kept;
    std::optional<int64_t> unit =
        Expr(strides[order[to - 1]].coefficient()).constant64();
    if (!unit || *unit < 1)
      return std::nullopt;
    auto inUnits = divideExactly(number, Expr(*unit));
    auto text = inUnits ? affine.expr(*inUnits) : std::nullopt;
    if (!text)
      return std::nullopt;
    std::string remaining = *text;
    for (size_t i = from; i + 1 < to; ++i) {
      auto c = Expr(strides[order[i]].coefficient()).constant64();
      if (!c || *c % *unit)
        return std::nullopt;
      std::string digit = std::to_string(*c / *unit);
      out[order[i]] = "floor((" + remaining + ")/" + digit + ")";
      remaining = "((" + remaining + ") - " + digit + "*" + out[order[i]] + ")";
    }
    out[order[to - 1]] = remaining;
    from = to;
  }
  // Every word must have coordinates.
  if (!rest.isZero())
    return std::nullopt;
  return out;
}

const Shape &Model::shape(BufferOp buffer) {
  auto [it, isNew] = shapes.try_emplace(buffer);
  Shape &s = it->second;
  if (!isNew)
    return s;
  s.buffer = buffer;
  auto strides = buffer->getAttrOfType<ArrayAttr>("ioflor.strides");
  auto names = buffer->getAttrOfType<ArrayAttr>("ioflor.dimensions");
  auto sizes = buffer.getExtentsAttr();
  if (!strides || !names || !sizes || strides.size() != sizes.size() ||
      names.size() != sizes.size()) {
    s.problem =
        "the extents of '" + buffer.getSymName().str() + "' are not known";
    return s;
  }
  auto evidence = buffer->getAttrOfType<ArrayAttr>("ioflor.extent_evidence");
  for (unsigned i = 0; i < strides.size(); ++i) {
    // What the kernel reads is no evidence of what it must read.
    if (evidence && i < evidence.size() &&
        cast<StringAttr>(evidence[i]).getValue().starts_with("read:"))
      s.problem = "nothing but the accesses themselves says how large '" +
                  buffer.getSymName().str() + "' is";
    s.sizes.push_back(cast<ExprAttr>(sizes[i]).getValue());
    s.strides.push_back(cast<ExprAttr>(strides[i]).getValue());
    s.dimensions.push_back(cast<StringAttr>(names[i]).getValue().str());
    if (s.strides.back().terms().size() > 1)
      s.problem = "the stride '" + s.strides.back().str() + "' of '" +
                  buffer.getSymName().str() + "' is no product";
    // Names the parameters that it uses.
    Affine(params, {}).expr(s.sizes.back());
  }
  return s;
}

Map Model::coordinates(unsigned access, std::string &why) {
  auto it = coordinateCache.find(access);
  if (it != coordinateCache.end())
    return it->second;
  const Statement &s = statements[access];
  const Shape &sh = shape(s.buffer);
  if (!sh.problem.empty()) {
    why = sh.problem;
    return Map();
  }
  if (!s.address) {
    why = "an address could not be read";
    return Map();
  }
  auto coords = split(s, sh.strides);
  if (!coords) {
    why = "the address '" + s.address->str() + "' has no coordinates in '" +
          s.bufferName() + "'";
    return Map();
  }
  Map m = map("{ " + s.tuple() + " -> [" + join(*coords) + "] }");
  m = intersectDomain(m, s.domain);
  // All but the outermost must be in bounds, or the word has other coordinates.
  unsigned outermost = 0;
  for (unsigned k = 1; k < sh.strides.size(); ++k)
    if (isLarger(sh.strides[k], sh.strides[outermost]))
      outermost = k;
  std::vector<std::string> vars, conditions;
  for (unsigned k = 0; k < sh.sizes.size(); ++k) {
    vars.push_back("c" + std::to_string(k));
    conditions.push_back(vars.back() + " >= 0");
    if (k == outermost)
      continue;
    auto size = Affine(params, {}).expr(sh.sizes[k]);
    if (!size) {
      why = "the extent '" + sh.sizes[k].str() + "' could not be read";
      return Map();
    }
    conditions.push_back(vars.back() + " < " + *size);
  }
  std::string all;
  for (const std::string &c : conditions)
    all += (all.empty() ? "" : " and ") + c;
  Set box = set("{ [" + join(vars) + "] : " + all + " }");
  if (isSubset(range(m), box) != true) {
    why = "the address '" + s.address->str() + "' is not seen to stay in '" +
          s.bufferName() + "'";
    return Map();
  }
  // Rows of one head that reach into the next would be words of both.
  for (unsigned k = 0; k < sh.strides.size(); ++k)
    for (unsigned i = 0; i < sh.strides.size(); ++i)
      if (i != k && isLarger(sh.strides[k], sh.strides[i]) &&
          llvm::none_of(sh.strides,
                        [&](const Expr &between) {
                          return isLarger(sh.strides[k], between) &&
                                 isLarger(between, sh.strides[i]);
                        }) &&
          !known.isNonNegative(sh.strides[k] - sh.sizes[i] * sh.strides[i])) {
        why = "the " + sh.dimensions[i] + " of '" + s.bufferName() +
              "' may overlap: " + sh.sizes[i].str() + " of them, " +
              sh.strides[i].str() + " words apart, in " + sh.strides[k].str();
        return Map();
      }
  return coordinateCache[access] = m;
}

/// The strides that a buffer's addresses use: the symbolic factors of the terms
/// that a dimension changes.
void Model::findStrides(BufferOp buffer, Cells &cells) {
  cells.ready = true;
  // By their symbolic factors, with what all their coefficients are multiples
  // of.
  std::map<Expr, BigInt> found;
  bool affineAll = true;
  for (const Statement &s : statements) {
    if (s.buffer != buffer)
      continue;
    if (!s.address) {
      cells.why =
          "an address of '" + buffer.getSymName().str() + "' could not be read";
      return;
    }
    Affine affine(params, dimsOf(s));
    affineAll &= affine.expr(*s.address).has_value();
    for (const Expr &term : s.address->terms()) {
      if (term.isConst())
        continue;
      Expr stride = 1;
      bool moves = false;
      for (const auto &[atom, power] : term.factors()) {
        bool fixed = affine.isParameter(atom);
        moves |= !fixed;
        for (unsigned i = 0; fixed && i < power; ++i)
          stride *= atom;
      }
      if (moves && !stride.isOne()) {
        BigInt coefficient = abs(term.coefficient());
        auto [it, isNew] = found.try_emplace(stride, coefficient);
        if (!isNew)
          it->second = gcd(it->second, coefficient);
      }
    }
  }
  cells.strides.push_back(Expr(1));
  if (affineAll)
    return;
  // With the coefficients, as rows of 64 words are; else without.
  for (bool whole : {true, false}) {
    cells.why.clear();
    cells.strides.resize(1);
    for (const auto &[symbols, coefficient] : found)
      cells.strides.push_back(whole ? symbols * Expr(coefficient) : symbols);
    llvm::sort(cells.strides, [](const Expr &a, const Expr &b) {
      return isLarger(b, a) || (!isLarger(a, b) && a < b);
    });
    for (unsigned i = 0; i + 1 < cells.strides.size(); ++i)
      if (!divideExactly(cells.strides[i + 1], cells.strides[i]))
        cells.why = "the strides of '" + buffer.getSymName().str() +
                    "' do not divide each other";
    std::string why;
    if (cells.why.empty() && !areUnique(buffer, cells, why))
      cells.why = why;
    if (cells.why.empty())
      return;
  }
}

std::string Model::cellTuple(const Statement &s,
                             const std::vector<std::string> &coords) const {
  std::vector<std::string> all;
  BufferOp buffer = s.buffer;
  if (buffer.getSpace() != Space::Slow)
    for (const std::string &v : s.outer)
      all.push_back(spell(v));
  if (buffer.getSpace() == Space::Private)
    for (const std::string &v : s.threads)
      all.push_back(spell(v));
  all.insert(all.end(), coords.begin(), coords.end());
  return "[" + join(all) + "]";
}

/// Do equal words have equal coordinates? They do where every coordinate is in
/// [0, ratio of its stride to the next). A tile behind all others may break
/// that in its last row: nothing lies above it.
bool Model::areUnique(BufferOp buffer, const Cells &cells, std::string &why) {
  why = "the addresses of '" + buffer.getSymName().str() +
        "' have no unique coordinates";
  unsigned n = cells.strides.size();
  Set touched;
  std::vector<std::string> vars;
  for (unsigned k = 0; k < n; ++k)
    vars.push_back("c" + std::to_string(k));
  for (const Statement &s : statements) {
    if (s.buffer != buffer)
      continue;
    auto coords = split(s, cells.strides);
    if (!coords)
      return false;
    Set words = range(intersectDomain(
        map("{ " + s.tuple() + " -> [" + join(*coords) + "] }"), s.domain));
    touched = touched ? unite(touched, words) : words;
  }
  std::vector<std::string> bounds;
  for (unsigned k = 0; k + 1 < n; ++k) {
    auto ratio =
        Affine(params, {})
            .expr(*divideExactly(cells.strides[k + 1], cells.strides[k]));
    if (!ratio)
      return false;
    bounds.push_back(vars[k] + " >= 0 and " + vars[k] + " < " + *ratio);
  }
  std::string all;
  for (const std::string &b : bounds)
    all += (all.empty() ? "" : " and ") + b;
  touched = intersectParams(touched, context);
  Set box = set("{ [" + join(vars) + "] : " + all + " }");
  Set outside = subtract(touched, box);
  if (isEmpty(outside) == true)
    return true;
  if (n != 2)
    return false;
  // Not below 0, and no word in a row above.
  Set negative = intersect(touched, set("{ [c0, c1] : c0 < 0 }"));
  Map above = map("{ [c0, c1] -> [e0, e1] : e1 > c1 }");
  above = intersectRange(intersectDomain(above, outside), touched);
  return isEmpty(negative) == true && isEmpty(above) == true;
}

Map Model::cell(unsigned access, std::string &why) {
  const Statement &s = statements[access];
  BufferOp buffer = s.buffer;
  Role role = buffer.getRole().value_or(Role::Other);
  if (buffer.getSpace() == Space::Slow && role == Role::O &&
      shape(buffer).problem.empty())
    return coordinates(access, why);
  Cells &cells = cellStrides[buffer];
  if (!cells.ready)
    findStrides(buffer, cells);
  if (!cells.why.empty()) {
    why = cells.why;
    return Map();
  }
  auto coords = split(s, cells.strides);
  if (!coords) {
    why = "the address '" + s.address->str() + "' is not affine";
    return Map();
  }
  Map m = map("{ " + s.tuple() + " -> " + cellTuple(s, *coords) + " }");
  return intersectDomain(m, s.domain);
}

Set Model::cellsInside(BufferOp buffer, std::string &why) {
  const std::vector<Expr> &strides = cellStrides.at(buffer).strides;
  why = "how '" + buffer.getSymName().str() + "' is divided is not known";
  std::string vars, conditions;
  for (unsigned k = 0; k < strides.size(); ++k) {
    Expr next = k + 1 < strides.size() ? strides[k + 1] : *buffer.getWords();
    std::optional<Expr> ratio = divideExactly(next, strides[k]);
    auto size = ratio ? Affine(params, {}).expr(*ratio) : std::nullopt;
    if (!size)
      return Set();
    std::string var = "c" + std::to_string(k);
    vars += (k ? ", " : "") + var;
    conditions += (k ? " and " : "") + ("0 <= " + var) + " < " + *size;
  }
  return intersectParams(set("{ [" + vars + "] : " + conditions + " }"),
                         context);
}
