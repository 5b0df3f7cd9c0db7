//===- Operands.cpp - Entries of operands at concrete sizes ---------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/exec/Operands.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::coverage;

static std::optional<int64_t> value(Attribute attr, const Valuation &at) {
  auto e = dyn_cast<ExprAttr>(attr);
  if (!e)
    return std::nullopt;
  std::optional<BigInt> v = evaluate(e.getValue(), at);
  return v ? Expr(*v).constant64() : std::nullopt;
}

std::optional<Operand> Operand::read(BufferOp buffer, Role role,
                                     const Valuation &at, std::string &why) {
  std::string name = stringifyRole(role).str();
  auto sizes = buffer.getExtentsAttr();
  auto strides = buffer->getAttrOfType<ArrayAttr>("ioflor.strides");
  auto names = buffer->getAttrOfType<ArrayAttr>("ioflor.dimensions");
  if (!sizes || !strides || !names || sizes.size() != strides.size() ||
      sizes.size() != names.size()) {
    why = "the extents of " + name + " are not known";
    return std::nullopt;
  }
  Operand o;
  o.buffer = buffer;
  o.role = role;
  int64_t *extents[] = {&o.batches, &o.heads, &o.rows, &o.columns};
  // Later dimensions of one axis vary faster.
  for (size_t i = sizes.size(); i-- > 0;) {
    auto dimension = dyn_cast<StringAttr>(names[i]);
    std::optional<int64_t> size = value(sizes[i], at),
                           stride = value(strides[i], at);
    std::optional<Axis> axis;
    if (dimension)
      axis = llvm::StringSwitch<std::optional<Axis>>(dimension.getValue())
                 .Case("batch", Batch)
                 .Case("heads", Head)
                 .Case("rows", Row)
                 .Case("columns", Column)
                 .Default(std::nullopt);
    int64_t all;
    if (!size || !stride || !axis || *size < 1 || *stride < 0 ||
        llvm::MulOverflow(*extents[*axis], *size, all)) {
      why = "the extents of " + name + " cannot be evaluated";
      return std::nullopt;
    }
    if (*size > 1)
      o.dimensions.push_back({*axis, *size, *stride, *extents[*axis]});
    *extents[*axis] = all;
  }
  llvm::sort(o.dimensions, [](const Dimension &a, const Dimension &b) {
    return std::tie(a.stride, a.axis) > std::tie(b.stride, b.axis);
  });
  // Each dimension must hold all that the faster ones span; else addresses do
  // not tell entries apart.
  int64_t span = 1;
  for (const Dimension &d : llvm::reverse(o.dimensions)) {
    if (d.stride < span) {
      why = "entries of " + name + " overlap";
      return std::nullopt;
    }
    if (llvm::MulOverflow(d.stride, d.size, span)) {
      why = "the extents of " + name + " exceed 64 bits";
      return std::nullopt;
    }
  }
  return o;
}

std::optional<Place> Operand::decode(int64_t address, bool &outside) const {
  outside = address < 0;
  if (outside)
    return std::nullopt;
  int64_t index[4] = {0, 0, 0, 0};
  bool first = true;
  for (const Dimension &d : dimensions) {
    int64_t digit = address / d.stride;
    if (digit >= d.size) {
      outside = first;
      return std::nullopt;
    }
    index[d.axis] += digit * d.weight;
    address %= d.stride;
    first = false;
  }
  if (address != 0) {
    outside = dimensions.empty();
    return std::nullopt;
  }
  return Place{index[Batch], index[Head], index[Row], index[Column]};
}

int64_t Operand::addressOf(const Place &p) const {
  const int64_t index[4] = {p.batch, p.head, p.row, p.column};
  int64_t address = 0;
  for (const Dimension &d : dimensions)
    address += index[d.axis] / d.weight % d.size * d.stride;
  return address;
}
