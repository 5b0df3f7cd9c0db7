//===- ioflor-opt.cpp - Runs passes on skeletons --------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ir/Ioflor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "passes/Pipeline.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<ioflor::IoflorDialect, mlir::func::FuncDialect>();
  ioflor::registerIoflorPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "ioflor modular optimizer\n", registry));
}
