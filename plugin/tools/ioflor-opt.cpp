//===- ioflor-opt.cpp - Runs passes on skeletons --------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ir/Ioflor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "passes/Pipeline.h"
#include "passes/extract/Extract.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  registry.insert<ioflor::IoflorDialect>();
  ioflor::registerIoflorPasses();
  ioflor::registerIoflorExtractPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "ioflor modular optimizer\n", registry));
}
