//===- Owners.cpp - Which CTA writes a word -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/coverage/sets/Model.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::sets;

Map Model::owners(unsigned store, const Map &cells, std::string &why) {
  const Statement &s = statements[store];
  if (gridIsDimension) {
    std::string grid;
    for (const std::string &d : s.outer)
      grid += (grid.empty() ? "" : ", ") + spell(d);
    Map g = isl.map("{ " + s.tuple() + " -> [" + grid + "] }");
    return then(reverse(intersectDomain(g, s.domain)), cells);
  }
  Map owner(isl_map_from_range(range(cells).give()));
  for (LoopOp loop : grids) {
    std::string name = spell(loop.getVar());
    int at = isl_map_find_dim_by_name(owner.get(), isl_dim_param, name.c_str());
    if (at < 0) {
      why =
          "every CTA along '" + loop.getVar().str() + "' writes the same words";
      return Map();
    }
    owner = Map(isl_map_move_dims(owner.give(), isl_dim_in,
                                  isl_map_dim(owner.get(), isl_dim_in),
                                  isl_dim_param, at, 1));
  }
  return owner;
}

bool Model::ownedByOneCta(BufferOp buffer, std::string &why) {
  auto [it, isNew] = ownership.try_emplace(buffer);
  if (isNew) {
    std::map<Operation *, Map> byStage;
    for (unsigned s : storesOf(buffer)) {
      Map cells = cell(s, it->second);
      Map owner = cells ? owners(s, cells, it->second) : Map();
      if (!owner)
        break;
      Map &all = byStage[statements[s].op->getParentOfType<StageOp>()];
      all = all ? unite(all, owner) : owner;
    }
    for (const auto &[stage, all] : byStage)
      if (isInjective(all) != true && it->second.empty())
        it->second = "a word of '" + buffer.getSymName().str() +
                     "' may be written by two CTAs";
  }
  why = it->second;
  return why.empty();
}
