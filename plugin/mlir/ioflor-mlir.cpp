//===- ioflor-mlir.cpp - The dialect and passes for a stock mlir-opt -*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt --load-dialect-plugin=ioflor-mlir.so
// --load-pass-plugin=ioflor-mlir.so
//          --pass-pipeline='builtin.module(ioflor-verify)'
//
//===----------------------------------------------------------------------===//
#include "dialect/ir/Ioflor.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "passes/Pipeline.h"
#include "passes/extract/Extract.h"

static void registerPasses() {
  ioflor::registerIoflorPasses();
  ioflor::registerIoflorExtractPasses();
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ioflor", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            registry->insert<ioflor::IoflorDialect>();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ioflor", LLVM_VERSION_STRING,
          registerPasses};
}
