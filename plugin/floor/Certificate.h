//===- Certificate.h - What the floor certificates share --------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ioflor-floor certificate attention|distributed` prints what is claimed about
// the floors themselves, computed anew each time: values by the floors library,
// orderings by z3, minima by search. With --seed-compat the numbers are those
// of the two certificates that the project started from; without, each floor is
// the maximum of all that apply.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_FLOOR_CERTIFICATE_H
#define IOFLOR_PLUGIN_FLOOR_CERTIFICATE_H

#include "passes/floors/Exact.h"
#include "plugin/floor/Report.h"
#include "llvm/Support/JSON.h"

namespace ioflor::floortool {

/// llvm::json's stream with exact numbers.
class CertificateWriter {
public:
  explicit CertificateWriter(llvm::raw_ostream &os) : j(os, 2) {}

  void put(llvm::StringRef name, const Cell &cell);
  void put(llvm::StringRef name, const std::vector<std::string> &texts);
  /// A boolean that counts for `all_ok`; returns it.
  bool check(llvm::StringRef name, bool holds);
  void object(llvm::StringRef name, llvm::function_ref<void()> body);
  void array(llvm::StringRef name, llvm::function_ref<void()> body);
  void element(llvm::function_ref<void()> body);
  void whole(llvm::function_ref<void()> body);
  /// All checks so far.
  bool allOk() const { return ok; }
  void resetOk() { ok = true; }

private:
  llvm::json::OStream j;
  bool ok = true;
};

/// `path: why` of fields that the seeds have and ioflor leaves out.
struct LeftOut {
  const char *path, *why;
};
void putLeftOut(CertificateWriter &w, llvm::ArrayRef<LeftOut> fields);
/// Versions of this tool and of z3.
void putTool(CertificateWriter &w, llvm::StringRef version);

/// Print the certificate; true where every check in it holds.
bool attentionCertificate(llvm::raw_ostream &os, bool seedCompat,
                          llvm::StringRef version);
bool distributedCertificate(llvm::raw_ostream &os, bool seedCompat,
                            llvm::StringRef version);

} // namespace ioflor::floortool

#endif // IOFLOR_PLUGIN_FLOOR_CERTIFICATE_H
