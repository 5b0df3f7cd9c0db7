//===- Launch.cpp - The grid of a kernel that nothing launches -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Extractor.h"
#include "passes/extract/Unregistered.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

std::optional<Extractor::Launch> Extractor::unknownLaunch() {
  Launch sizes;
  bool grids[3] = {}, blocks[3] = {};
  function->walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name == "tt.get_program_id" || name == "tt.get_num_programs")
      if (auto axis = dyn_cast_or_null<IntegerAttr>(attributeOf(op, "axis")))
        grids[std::min<uint64_t>(2, axis.getInt())] = true;
    if (name == "gpu.block_id" || name == "gpu.thread_id" ||
        name == "gpu.block_dim" || name == "gpu.grid_dim" ||
        name == "gpu.global_id") {
      std::string text;
      llvm::raw_string_ostream os(text);
      op->getAttrDictionary().print(os);
      for (unsigned k = 0; k < 3; ++k)
        if (text.find(std::string("dim ") + "xyz"[k]) != std::string::npos) {
          bool isGrid = name == "gpu.block_id" || name == "gpu.grid_dim";
          (isGrid ? grids : blocks)[k] = true;
          if (name == "gpu.global_id")
            grids[k] = true;
        }
    }
  });
  // What a gpu.func promises of its launch.
  auto promised = [&](StringRef name, Expr *into, bool asked[3]) {
    SmallVector<int64_t> ns = integersOf(attributeOf(function, name));
    for (unsigned k = 0; k < ns.size() && k < 3; ++k) {
      into[k] = ns[k];
      asked[k] = false;
    }
  };
  promised("known_block_size", sizes.block, blocks);
  promised("known_grid_size", sizes.grid, grids);
  // The attribute of the function, else the pass's option; else a symbol, which
  // later passes know as a launch that is somewhere else.
  auto given = [&](StringRef name, const std::string &option, Expr *into,
                   bool asked[3], StringRef like) {
    SmallVector<mlir::Attribute> list;
    if (mlir::Attribute a = attributeOf(function, name)) {
      auto array = dyn_cast<ArrayAttr>(a);
      if (!array || array.size() > 3) {
        function->emitError()
            << "'" << name << "' must be a list of at most 3 expressions";
        return false;
      }
      list.append(array.begin(), array.end());
    } else if (!option.empty()) {
      SmallVector<StringRef> parts;
      StringRef(option).split(parts, ';');
      for (StringRef part : parts)
        list.push_back(builder.getStringAttr(part.trim()));
      if (list.size() > 3) {
        function->emitError() << "'" << name << "' has more than 3 extents";
        return false;
      }
    }
    std::string said;
    for (unsigned k = 0; k < 3; ++k) {
      if (k < list.size()) {
        std::optional<Expr> e = declaredExpression(name, list[k]);
        if (!e)
          return false;
        into[k] = *e;
        said += (k ? ", " : "") + e->str();
      } else if (asked[k]) {
        into[k] = symbol(like.str() + "_" + "xyz"[k], Expr(1),
                         parseExpr("2**31 - 1"), function->getLoc());
      }
    }
    if (!said.empty())
      statement((name.ends_with("grid") ? "a grid of (" : "blocks of (") +
                    said + ")",
                function->getLoc());
    return true;
  };
  if (!given("ioflor.grid", options.grid, sizes.grid, grids, "gridDim") ||
      !given("ioflor.block", options.block, sizes.block, blocks, "blockDim"))
    return std::nullopt;
  return sizes;
}
