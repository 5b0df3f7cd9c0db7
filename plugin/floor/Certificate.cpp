//===- Certificate.cpp - ioflor-floor certificate -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/floor/Certificate.h"
#include "passes/prover/Solver.h"
#include "plugin/floor/Args.h"
#include "plugin/floor/Commands.h"

using namespace ioflor;
using namespace ioflor::floortool;
using llvm::StringRef;

static const char kHelp[] =
    R"(usage: ioflor-floor certificate attention|distributed [--seed-compat]

Prints a certificate of the floors (JSON), computed anew: values in exact
arithmetic, orderings by z3, minima by search. Exit status 1 where a check fails.

  --seed-compat   the floors of the seed certificates: E d^2 / (2 M), the scan 3 N d
                  and the counting relaxation; otherwise the maximum of all floors
)";

void CertificateWriter::put(StringRef name, const Cell &cell) {
  j.attributeBegin(name);
  j.rawValue([&](llvm::raw_ostream &raw) { printJson(raw, cell); });
  j.attributeEnd();
}

void CertificateWriter::put(StringRef name,
                            const std::vector<std::string> &texts) {
  j.attributeArray(name, [&] {
    for (const std::string &t : texts)
      j.value(t);
  });
}

bool CertificateWriter::check(StringRef name, bool holds) {
  ok &= holds;
  put(name, holds);
  return holds;
}

void CertificateWriter::object(StringRef name,
                               llvm::function_ref<void()> body) {
  j.attributeObject(name, [&] { body(); });
}

void CertificateWriter::array(StringRef name, llvm::function_ref<void()> body) {
  j.attributeArray(name, [&] { body(); });
}

void CertificateWriter::element(llvm::function_ref<void()> body) {
  j.object([&] { body(); });
}

void CertificateWriter::whole(llvm::function_ref<void()> body) {
  j.object([&] { body(); });
}

void ioflor::floortool::putLeftOut(CertificateWriter &w,
                                   llvm::ArrayRef<LeftOut> fields) {
  w.array("left_out", [&] {
    for (const LeftOut &f : fields)
      w.element([&] {
        w.put("path", f.path);
        w.put("why", f.why);
      });
  });
}

void ioflor::floortool::putTool(CertificateWriter &w, StringRef version) {
  w.object("tool", [&] {
    w.put("ioflor", version.str());
    w.put("z3", prover::solverVersion());
  });
}

int ioflor::floortool::runCertificate(llvm::ArrayRef<StringRef> argv) {
  if (llvm::is_contained(argv, "--help")) {
    llvm::outs() << kHelp;
    return kFine;
  }
  ArgSpec spec;
  spec.flags = {"seed-compat"};
  spec.minPositional = spec.maxPositional = 1;
  Args args(argv, spec);
  if (!args.ok())
    return kBadInput;
  StringRef kind = args.positional()[0];
  if (kind != "attention" && kind != "distributed") {
    complain("the certificate is 'attention' or 'distributed', not '" +
             kind.take_front(40) + "'");
    return kBadInput;
  }
  bool ok = kind == "attention"
                ? attentionCertificate(llvm::outs(), args.has("seed-compat"),
                                       IOFLOR_VERSION)
                : distributedCertificate(llvm::outs(), args.has("seed-compat"),
                                         IOFLOR_VERSION);
  llvm::outs() << '\n';
  return ok ? kFine : kFlagged;
}
