//===- Check.cpp - ioflor-floor check -------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/check/Check.h"
#include "plugin/floor/Args.h"
#include "plugin/floor/Commands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace ioflor;
using namespace ioflor::floortool;
using llvm::StringRef;

static constexpr char kUsage[] =
    "usage: ioflor-floor check FILE... [--second-solver auto|none|PROGRAM] "
    "[--no-digest] [--quiet]\n\n"
    "Evaluates certificates again: sums, floors from sizes and disclosure, "
    "every proof\nfrom its SMT-LIB text, witnesses, verdict. Neither Clang nor "
    "MLIR is in the process.\n"
    "FILE may be - for standard input.\n\n"
    "  --second-solver  also give the proofs to cvc5 (auto: where installed)\n"
    "  --no-digest      leave out the digest, which tells any change of text\n"
    "  --quiet          print differences only\n\n"
    "Exit status: 0 all hold, 1 something differs, 2 a file cannot be read or "
    "is no\ncertificate.\n";

/// Longest certificate file, bytes.
static constexpr uint64_t kMostBytes = 256u << 20;
/// Work of the second solver for one query, and a backstop in seconds.
static constexpr char kSecondLimit[] = "--rlimit=100000";
static constexpr unsigned kSecondSeconds = 20;

/// What `program` answers to a script; "" where it gives no answer.
static std::string ask(const std::string &program, const std::string &script) {
  llvm::SmallString<128> input, output;
  int fd;
  if (llvm::sys::fs::createTemporaryFile("ioflor", "smt2", fd, input))
    return "";
  llvm::FileRemover removeInput(input);
  {
    llvm::raw_fd_ostream os(fd, /*shouldClose=*/true);
    os << script;
  }
  if (llvm::sys::fs::createTemporaryFile("ioflor", "out", output))
    return "";
  llvm::FileRemover removeOutput(output);
  StringRef arguments[] = {program, kSecondLimit, input};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(output),
                                          StringRef("")};
  llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects,
                            kSecondSeconds);
  auto text = llvm::MemoryBuffer::getFile(output);
  return text ? (*text)->getBuffer().trim().split('\n').first.str() : "";
}

/// A message with text of the file in it, which may be of any length and talk
/// to the terminal.
static std::string printable(StringRef text) {
  static constexpr size_t kLongest = 2000;
  std::string out;
  for (char c : text.take_front(kLongest))
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += {'\\', 'x', llvm::hexdigit(c >> 4 & 15), llvm::hexdigit(c & 15)};
    else
      out += c;
  return text.size() > kLongest ? out + "..." : out;
}

int ioflor::floortool::runCheck(llvm::ArrayRef<StringRef> argv) {
  if (llvm::is_contained(argv, "--help")) {
    llvm::outs() << kUsage;
    return kFine;
  }
  Args args(argv, {{"second-solver"}, {"no-digest", "quiet"}, 1, 10'000});
  if (!args.ok())
    return kBadInput;
  check::Options options;
  std::map<std::string, std::string> answered, second;
  options.answered = &answered;
  options.digest = !args.has("no-digest");
  std::string solver = args.value("second-solver").value_or("auto").str();
  std::string program;
  if (solver == "auto") {
    if (auto found = llvm::sys::findProgramByName("cvc5"))
      program = *found;
  } else if (solver != "none") {
    auto found = llvm::sys::findProgramByName(solver);
    if (!found) {
      complain("the solver '" + solver + "' is not there");
      return kBadInput;
    }
    program = *found;
  }
  if (!program.empty())
    options.secondSolver = [&](const std::string &script) {
      auto [it, isNew] = second.try_emplace(script);
      if (isNew)
        it->second = ask(program, script);
      return it->second;
    };
  int exit = kFine;
  auto worse = [&](int code) { exit = std::max(exit, code); };
  for (const std::string &path : args.positional()) {
    auto file = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
    if (!file) {
      complain("'" + path + "': " + file.getError().message());
      worse(kBadInput);
      continue;
    }
    if ((*file)->getBufferSize() > kMostBytes) {
      complain("'" + path + "' is too long");
      worse(kBadInput);
      continue;
    }
    std::string error;
    auto json = check::parseJson((*file)->getBuffer(), error);
    if (!json) {
      complain("'" + path + "': " + printable(error));
      worse(kBadInput);
      continue;
    }
    check::Summary summary;
    std::vector<check::Difference> found =
        check::checkCertificates(*json, options, summary);
    for (const check::Difference &d : found) {
      llvm::outs() << path << ": " << printable(d.path)
                   << (d.path.empty() ? "" : ": ") << printable(d.what) << '\n';
      worse(d.malformed ? kBadInput : kFlagged);
    }
    if (!found.empty() || args.has("quiet"))
      continue;
    llvm::outs() << path << ": " << summary.certificates
                 << " certificates hold: " << summary.floors << " floors, "
                 << summary.obligations << " obligations";
    if (!program.empty())
      llvm::outs() << " (" << summary.secondSolver
                   << " proved by the second solver, too)";
    llvm::outs() << ", " << summary.witnesses << " witnesses, counts at "
                 << summary.points << " sizes\n";
  }
  return exit;
}
