//===- Certificate.h - The certificate of a module ---------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON, schema `ioflor-certificate-v1`: an array, one object a subject that has
// a verdict. Expressions are strings that Python evaluates given the symbols
// and ceildiv, floordiv, mod, min, max. Deterministic: the same module gives
// the same bytes.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_OUTPUT_CERTIFICATE_H
#define IOFLOR_PASSES_OUTPUT_CERTIFICATE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace ioflor {

/// What the tool was told, for the record.
struct CertificateOptions {
  std::string fastWords; ///< option M, as given
  std::string target;
  std::string mode = "explicit";
};

void printCertificate(mlir::ModuleOp module, llvm::raw_ostream &os,
                      const CertificateOptions &options = {});

/// Writes the file `path` (`-`: standard output). False with a lower-case
/// `error` where that fails.
bool writeCertificate(mlir::ModuleOp module, llvm::StringRef path,
                      std::string &error,
                      const CertificateOptions &options = {});

} // namespace ioflor

#endif // IOFLOR_PASSES_OUTPUT_CERTIFICATE_H
