//===- Claim.cpp - ioflor-floor claim -------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/floor/Commands.h"
#include "plugin/floor/Sizes.h"

using namespace ioflor;
using namespace ioflor::floors;
using namespace ioflor::floortool;
using llvm::StringRef;

static const char kHelp[] =
    R"(usage: ioflor-floor claim --words W --n N --d D --m WORDS [OPTIONS]

Is a claimed number of words possible? SAFE or FLAG, with the floor that decides.

  --words W | --bytes B   the claim; bytes need --dtype
  --rank R                with --approximate: checks Case I, M >= d r
  --seed-compat           only E d^2 / (2 M) (exact) or the scan (approximate), as
                          the seed certificates; otherwise all floors that apply
  --format text|json|csv

)";

static std::optional<Rational> readClaim(Args &args, int64_t bytes) {
  if (args.has("words") == args.has("bytes")) {
    args.fail("give the claim as '--words' or as '--bytes'");
    return std::nullopt;
  }
  if (args.has("words"))
    return Rational(args.number("words", std::nullopt, 0));
  if (!bytes) {
    args.fail("'--bytes' needs '--dtype'");
    return std::nullopt;
  }
  return Rational(args.number("bytes", std::nullopt, 0), BigInt(bytes));
}

int ioflor::floortool::runClaim(llvm::ArrayRef<StringRef> argv) {
  if (llvm::is_contained(argv, "--help")) {
    llvm::outs() << kHelp << kSizeHelp;
    return kFine;
  }
  ArgSpec spec{kSizeValues, kSizeFlags};
  for (const char *name : {"words", "bytes", "rank", "format"})
    spec.values.push_back(name);
  spec.flags.push_back("seed-compat");
  Args args(argv, spec);
  std::string format = args.oneOf("format", {"text", "json", "csv"});
  Claim c;
  c.setting = readSetting(args);
  c.seedCompat = args.has("seed-compat");
  std::string dtype;
  int64_t bytes = readDtype(args, dtype);
  if (!args.ok())
    return kBadInput;
  auto words = readClaim(args, bytes);
  if (args.has("rank")) {
    if (!c.setting.approximate)
      args.fail("'--rank' needs '--approximate'");
    c.rank = args.number("rank", std::nullopt);
  }
  if (c.seedCompat && (c.setting.backward || !c.setting.standard))
    args.fail(
        "'--seed-compat' is for the forward pass and '--algorithm standard'");
  if (!args.ok())
    return kBadInput;
  c.words = *words;
  std::vector<Report> reports;
  bool flagged = false;
  for (const Setup &s : readSetups(args)) {
    c.parts = s.parts;
    c.M = s.M;
    std::string why;
    auto ruling = rule(c, &why);
    if (!ruling) {
      complain(why);
      return kBadInput;
    }
    flagged |= ruling->flagged;
    Report r;
    r.header = s.header;
    Record row;
    row.push_back({"verdict", ruling->flagged ? "FLAG" : "SAFE"});
    row.push_back({"claimed_words", c.words});
    row.push_back({"floor", ruling->binding.kind});
    row.push_back({"regime", ruling->binding.regime});
    row.push_back({"floor_words", ruling->binding.words});
    if (bytes)
      row.push_back(
          {"floor_bytes", (ruling->binding.exact * Rational(bytes)).ceil()});
    if (ruling->caseOne)
      row.push_back({"case_I", *ruling->caseOne});
    row.push_back({"reason", ruling->reason});
    r.sections.push_back({"claim", {row}});
    r.notes = ruling->notes;
    reports.push_back(std::move(r));
  }
  if (!args.ok())
    return kBadInput;
  print(llvm::outs(), reports, format);
  return flagged ? kFlagged : kFine;
}
