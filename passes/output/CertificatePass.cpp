//===- CertificatePass.cpp - ioflor-certificate ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/output/Certificate.h"

namespace ioflor {
#define GEN_PASS_DEF_IOFLORCERTIFICATE
#include "passes/Passes.h.inc"
} // namespace ioflor

using namespace mlir;

namespace {

class CertificatePass
    : public ioflor::impl::IoflorCertificateBase<CertificatePass> {
public:
  using IoflorCertificateBase::IoflorCertificateBase;

  void runOnOperation() override {
    std::string error;
    ioflor::CertificateOptions options{fastWords, target, mode};
    if (ioflor::writeCertificate(getOperation(), file, error, options))
      return;
    getOperation()->emitError() << "cannot write the certificate: " << error;
    signalPassFailure();
  }
};

} // namespace
