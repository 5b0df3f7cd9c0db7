//===- Theorems.cpp - ioflor-floor theorems -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Solver.h"
#include "passes/theorems/Theorem.h"
#include "plugin/floor/Args.h"
#include "plugin/floor/Commands.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace ioflor;
using namespace ioflor::floortool;
using namespace ioflor::theorems;
using llvm::StringRef;

static constexpr char kUsage[] =
    "usage: ioflor-floor theorems [NAME...] [--list] [--smt2 DIR] [--format "
    "text|json]\n\n"
    "Proves the named theorems or groups (all without a name): the negation of "
    "each\ncontradicts its hypotheses, the hypotheses can hold, and mutants of "
    "it are\nrefuted.\n\n"
    "  --list         say what they state instead\n"
    "  --smt2 DIR     write the queries as SMT-LIB2 files; `expect.txt` says "
    "what\n                 each must give\n"
    "  --format json  for machines\n";

static bool writeFile(StringRef folder, StringRef name, StringRef text) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  std::error_code ec;
  llvm::raw_fd_ostream os(path, ec, llvm::sys::fs::OF_Text);
  if (!ec) {
    os << text;
    os.close();
    ec = os.error();
    os.clear_error();
  }
  if (ec)
    complain("cannot write '" + path + "': " + ec.message());
  return !ec;
}

static int writeQueries(llvm::ArrayRef<const Theorem *> chosen,
                        StringRef folder) {
  if (std::error_code ec = llvm::sys::fs::create_directories(folder)) {
    complain("cannot make folder '" + folder + "': " + ec.message());
    return kBadInput;
  }
  std::string expect;
  for (const Theorem *t : chosen)
    for (const Query &q : queriesOf(*t)) {
      if (!writeFile(folder, q.name + ".smt2", q.smt2))
        return kBadInput;
      expect += q.name + ".smt2 " + (q.unsat ? "unsat" : "sat") + "\n";
    }
  if (!writeFile(folder, "expect.txt", expect))
    return kBadInput;
  llvm::outs() << "wrote " << StringRef(expect).count('\n') << " queries of "
               << chosen.size() << " theorems\n";
  return kFine;
}

static void describe(const Theorem &t) {
  llvm::outs() << t.name << ": " << t.statement << '\n';
  if (!t.hypotheses.empty())
    llvm::outs() << "  given  " << StringRef(t.hypotheses).rtrim("; ") << '\n';
  llvm::outs() << "  claim  " << t.goal << "\n  source " << t.source
               << "\n  used   " << t.usedBy << '\n';
}

int ioflor::floortool::runTheorems(llvm::ArrayRef<StringRef> argv) {
  if (llvm::is_contained(argv, "--help")) {
    llvm::outs() << kUsage;
    return kFine;
  }
  Args args(argv, {{"smt2", "format"}, {"list"}, 0, 1000});
  std::string format = args.oneOf("format", {"text", "json"});
  std::vector<const Theorem *> chosen;
  std::set<std::string> unused(args.positional().begin(),
                               args.positional().end());
  for (const Theorem &t : theorems::theorems()) {
    bool named = false;
    for (const std::string &n : args.positional())
      if (n == t.name || n == t.group()) {
        named = true;
        unused.erase(n);
      }
    if (named || args.positional().empty())
      chosen.push_back(&t);
  }
  if (!unused.empty())
    args.fail("there is no theorem '" + *unused.begin() + "'");
  if (!args.ok())
    return kBadInput;
  if (auto folder = args.value("smt2"))
    return writeQueries(chosen, *folder);
  if (args.has("list") && format == "text") {
    for (const Theorem *t : chosen)
      describe(*t);
    return kFine;
  }
  unsigned good = 0, mutants = 0;
  llvm::json::Array rows;
  for (const Theorem *t : chosen) {
    llvm::json::Object row{{"name", t->name},
                           {"statement", t->statement},
                           {"hypotheses", StringRef(t->hypotheses).rtrim("; ")},
                           {"goal", t->goal},
                           {"source", t->source},
                           {"used_by", t->usedBy}};
    if (!args.has("list")) {
      TheoremResult r = theorems::prove(*t);
      good += r.ok();
      mutants += r.refuted;
      row["proven"] = r.proved;
      row["hypotheses_satisfiable"] = r.satisfiable;
      row["mutants"] = r.mutants;
      row["mutants_refuted"] = r.refuted;
      row["solver"] = r.solver;
      if (format == "text")
        llvm::outs() << (r.ok() ? "proved  " : "OPEN    ") << t->name << "  ("
                     << r.solver << "; " << r.refuted << " of " << r.mutants
                     << " mutants refuted)"
                     << (r.note.empty() ? "" : "  " + r.note) << '\n';
    }
    rows.push_back(std::move(row));
  }
  if (format == "json")
    llvm::outs() << llvm::formatv("{0:2}\n",
                                  llvm::json::Value(std::move(rows)));
  else
    llvm::outs() << good << " of " << chosen.size() << " theorems proved by z3 "
                 << prover::solverVersion() << ", " << mutants
                 << " mutants refuted\n";
  return args.has("list") || good == chosen.size() ? kFine : kFlagged;
}
