//===- main.cpp - ioflor-run-mlir: what a function of MLIR moves when it runs
//-*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ioflor-run-mlir FILE FUNCTION [NAME=N ...]
//
// NAME is argK (an integer argument), argK_J (dimension J of argument K; one
// that is not given is `default`), argK.words (a pointer's words), or grid_x.
// Prints JSON: words loaded and stored for each argument and for the slow
// arrays between ("other"), accesses out of bounds, and for four matrices Q, K,
// V, O how far O is from the attention of the others.
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace run;

/// How far `o` is from softmax(q k^T) v, relative to the largest of v; nullopt:
/// these are no such matrices.
static std::optional<double> distance(const Array &q, const Array &k,
                                      const Array &v, const Array &o) {
  if (q.sizes.size() != 2 || k.sizes != v.sizes || q.sizes != o.sizes ||
      q.sizes[1] != k.sizes[1])
    return std::nullopt;
  double worst = 0;
  for (int64_t i = 0; i < q.sizes[0]; ++i) {
    std::vector<double> w(k.sizes[0]);
    double sum = 0;
    for (int64_t j = 0; j < k.sizes[0]; ++j) {
      double s = 0;
      for (int64_t c = 0; c < q.sizes[1]; ++c)
        s += q.in->words[q.at({i, c})] * k.in->words[k.at({j, c})];
      sum += w[j] = std::exp(s);
    }
    for (int64_t c = 0; c < q.sizes[1]; ++c) {
      double x = 0;
      for (int64_t j = 0; j < k.sizes[0]; ++j)
        x += w[j] / sum * v.in->words[v.at({j, c})];
      worst = std::max(worst, std::fabs(x - o.in->words[o.at({i, c})]));
    }
  }
  return worst;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    llvm::errs() << "usage: ioflor-run-mlir FILE FUNCTION [NAME=N ...]\n";
    return 2;
  }
  std::map<std::string, int64_t> given;
  for (int k = 3; k < argc; ++k) {
    auto [name, number] = StringRef(argv[k]).split('=');
    if (number.getAsInteger(10, given[name.str()])) {
      llvm::errs() << "error: '" << argv[k] << "' is no NAME=NUMBER\n";
      return 2;
    }
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(argv[1], ParserConfig(&context));
  if (!module)
    return 2;
  Operation *function = nullptr;
  module->walk([&](Operation *op) {
    auto name = op->getAttrOfType<StringAttr>("sym_name");
    if (auto d =
            dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
        d && !name)
      name = d.getAs<StringAttr>("sym_name");
    if (name && name.getValue() == argv[2] && op->getNumRegions() == 1)
      function = op;
  });
  if (!function || function->getRegion(0).empty()) {
    llvm::errs() << "error: no function '" << argv[2] << "'\n";
    return 2;
  }
  auto number = [&](const std::string &name) {
    auto it = given.find(name);
    if (it == given.end())
      it = given.find("default");
    if (it == given.end())
      fail(function, "no number for " + name);
    return it->second;
  };

  Machine machine;
  Thread host;
  uint64_t seed = 12345;
  auto random = [&] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return double(int64_t(seed >> 40) % 1000) / 4000.0;
  };
  std::vector<Array> arrays;
  Block &body = function->getRegion(0).front();
  for (BlockArgument arg : body.getArguments()) {
    std::string name = "arg" + std::to_string(arg.getArgNumber());
    auto shaped = dyn_cast<ShapedType>(arg.getType());
    if (arg.getType().isIntOrIndex()) {
      machine.set(host, arg, Machine::scalar(number(name)));
      continue;
    }
    Ints sizes;
    if (!shaped)
      sizes.push_back(number(name + ".words"));
    else
      for (auto [k, n] : llvm::enumerate(shaped.getShape()))
        sizes.push_back(ShapedType::isDynamic(n)
                            ? number(name + "_" + std::to_string(k))
                            : n);
    Array a = machine.make(sizes, true, name);
    for (double &w : a.in->words)
      w = random();
    machine.set(host, arg, Machine::array(a));
    arrays.push_back(a);
  }
  if (function->getName().getStringRef() == "tt.func") {
    int64_t grid[3] = {number("grid_x"), 1, 1}, size[3] = {1, 1, 1};
    ++machine.depth;
    machine.launch(host, grid, size,
                   [&](Thread &t) { machine.block(t, body); });
  } else {
    machine.block(host, body);
  }
  // A tensor that is returned is the output.
  Operation *end = body.getTerminator();
  if (arrays.size() == 4 && end->getNumOperands() == 1 &&
      isa<TensorType>(end->getOperand(0).getType()))
    arrays[3] = *machine.get(host, end->getOperand(0)).array;

  llvm::outs() << "{";
  for (auto [what, counts] : {std::pair("loads", &machine.loads),
                              std::pair("stores", &machine.stores)}) {
    llvm::outs() << "\"" << what << "\": {";
    const char *comma = "";
    for (auto &[name, c] : *counts) {
      llvm::outs() << comma << "\"" << name << "\": {\"issued\": " << c.issued
                   << ", \"traffic\": " << c.distinct.size() << "}";
      comma = ", ";
    }
    llvm::outs() << "}, ";
  }
  llvm::outs() << "\"out_of_bounds\": " << machine.outOfBounds;
  if (arrays.size() == 4)
    if (auto d = distance(arrays[0], arrays[1], arrays[2], arrays[3]))
      llvm::outs() << ", \"error\": " << llvm::formatv("{0:e3}", *d);
  llvm::outs() << "}\n";
  return 0;
}
