//===- Names.cpp - Operations of dialects that are not linked -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/extract/Extractor.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::extract;

bool Extractor::visitByName(Operation *op) { return false; }
