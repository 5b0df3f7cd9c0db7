//===- Smt2Files.cpp - Obligations as files -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/output/Smt2Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace ioflor;

std::string ioflor::output::smt2FileName(SubjectOp subject,
                                         ObligationOp obligation) {
  std::string name =
      (subject.getSymName() + "-" + obligation.getName()).str() + ".smt2";
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '-' && c != '_' && c != '.')
      c = '_';
  // Mangled names of templates can exceed what a file system takes.
  if (name.size() > 200)
    name = name.substr(0, 150) + "-" +
           llvm::utohexstr(llvm::xxh3_64bits(name)) + ".smt2";
  return name;
}

bool ioflor::output::writeSmt2Files(SubjectOp subject, llvm::StringRef folder,
                                    std::string &error) {
  if (std::error_code ec = llvm::sys::fs::create_directories(folder)) {
    error = ("cannot make folder '" + folder + "': " + ec.message()).str();
    return false;
  }
  for (auto obligation : subject.getBody().getOps<ObligationOp>()) {
    if (obligation.getSmt2().empty())
      continue;
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, smt2FileName(subject, obligation));
    std::error_code ec;
    llvm::raw_fd_ostream os(path, ec, llvm::sys::fs::OF_Text);
    if (!ec) {
      os << obligation.getSmt2();
      os.close();
      ec = os.error();
      os.clear_error();
    }
    if (ec) {
      error = ("cannot write '" + path + "': " + ec.message()).str();
      return false;
    }
  }
  return true;
}
