//===- Kernels.h - What is a kernel, what is annotated -----------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_LOADER_KERNELS_H
#define IOFLOR_PLUGIN_LOADER_KERNELS_H

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"

namespace ioflor::frontend {

/// Whether an entry point that runs on the device (CUDA, HIP, OpenCL).
inline bool isKernel(const clang::FunctionDecl *function) {
  return function->hasAttr<clang::CUDAGlobalAttr>() ||
         function->hasAttr<clang::DeviceKernelAttr>();
}

/// Whether the caller gives the function a grid or a block: a launch in it says
/// nothing without the caller.
inline bool takesLaunchExtents(const clang::FunctionDecl *function) {
  for (const clang::ParmVarDecl *param : function->parameters()) {
    const clang::CXXRecordDecl *record =
        param->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (record && record->getDeclName().isIdentifier() &&
        record->getName() == "dim3")
      return true;
  }
  return false;
}

/// Whether the function carries an annotation of ioflor/annotations.h.
inline bool isAnnotated(const clang::FunctionDecl *function) {
  for (const auto *attr : function->specific_attrs<clang::AnnotateAttr>())
    if (attr->getAnnotation().starts_with("ioflor."))
      return true;
  return false;
}

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_LOADER_KERNELS_H
