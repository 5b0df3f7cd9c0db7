//===- Check.cpp - Certificates, checked again -----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/check/Check.h"
#include "passes/check/Model.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace ioflor;
using namespace ioflor::check;

std::string ioflor::check::digestOf(llvm::StringRef compactText) {
  llvm::SHA256 hash;
  hash.update(compactText);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

static void checkDigest(const Json &certificate, const std::string &path,
                        Report &report) {
  const Json *said = certificate.get("digest");
  if (!said || !said->isString())
    report.differ(path + ".digest", "is missing");
  else if (said->text != digestOf(certificate.compact("digest")))
    report.differ(path + ".digest",
                  "the text was changed after it was written");
}

std::vector<Difference> ioflor::check::checkCertificates(const Json &file,
                                                         const Options &options,
                                                         Summary &summary) {
  std::vector<Difference> out;
  Report report(out);
  if (file.kind != Json::Array) {
    report.malformed("", "the file is " + file.kindName() +
                             ", not an array of certificates");
    return out;
  }
  for (size_t i = 0; i < file.items.size(); ++i) {
    std::string path = "[" + std::to_string(i) + "]";
    auto c = readCertificate(file.items[i], path, report);
    if (!c)
      continue;
    ++summary.certificates;
    if (options.digest)
      checkDigest(file.items[i], path, report);
    checkCounts(*c, report, summary);
    checkFloors(*c, report, summary);
    checkObligations(*c, options, report, summary);
    checkCoverage(*c, report);
    checkFindings(*c, report, summary);
    checkVerdict(*c, report);
  }
  return out;
}
