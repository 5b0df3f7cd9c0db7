//===- Evidence.cpp - Kinds of evidence as text --------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Roles.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

StringRef ioflor::roles::stringifyEvidence(Evidence e) {
  switch (e) {
  case Evidence::Annotation:
    return "annotation";
  case Evidence::Allocation:
    return "allocation";
  case Evidence::Stride:
    return "stride";
  case Evidence::Guard:
    return "guard";
  case Evidence::Scale:
    return "scale";
  case Evidence::Launch:
    return "launch";
  case Evidence::Read:
    return "read";
  }
  return "";
}

std::optional<Evidence> ioflor::roles::parseEvidence(StringRef text) {
  for (Evidence e :
       {Evidence::Annotation, Evidence::Allocation, Evidence::Stride,
        Evidence::Guard, Evidence::Scale, Evidence::Launch, Evidence::Read})
    if (text.take_while([](char c) { return llvm::isAlpha(c); }) ==
        stringifyEvidence(e))
      return e;
  return std::nullopt;
}
