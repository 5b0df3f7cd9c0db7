//===- Main.cpp - ioflor-floor --------------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/floor/Args.h"
#include "plugin/floor/Commands.h"
#include "llvm/ADT/Twine.h"

using namespace ioflor::floortool;
using llvm::StringRef;

namespace {

struct Entry {
  const char *name;
  Command run;
  const char *help;
};

// One line for each subcommand.
constexpr Entry kCommands[] = {
    {"brute", runBrute, "exhaustive searches beside the formulas"},
    {"check", runCheck, "re-checks certificates that ioflor wrote"},
    {"theorems", runTheorems,
     "prove or write the statements that the floors rest on"},
    {"tables", runTables, "every floor and reference traffic at given sizes"},
    {"claim", runClaim, "is a claimed number of words possible?"},
    {"certificate", runCertificate,
     "what is claimed of the floors themselves, computed anew"},
    {"network", runNetworkFloors, "floors of attention sharded over devices"},
};

void usage(llvm::raw_ostream &os) {
  os << "usage: ioflor-floor COMMAND [OPTIONS]\n\n"
        "Lower bounds on the traffic of attention, in exact arithmetic.\n\n";
  for (const Entry &e : kCommands)
    os << "  " << llvm::StringRef(e.name)
       << std::string(14 - StringRef(e.name).size(), ' ') << e.help << '\n';
  os << "\nioflor-floor COMMAND --help lists the options of a command.\n"
        "Exit status: 0 fine, 1 flagged or different, 2 bad input.\n";
}

} // namespace

int main(int argc, char **argv) {
  llvm::SmallVector<StringRef> args(argv + 1, argv + argc);
  if (args.empty()) {
    usage(llvm::errs());
    return kBadInput;
  }
  if (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
    usage(llvm::outs());
    return kFine;
  }
  if (args[0] == "--version") {
    llvm::outs() << "ioflor-floor " << IOFLOR_VERSION << '\n';
    return kFine;
  }
  for (const Entry &e : kCommands)
    if (args[0] == e.name)
      return e.run(llvm::ArrayRef(args).drop_front());
  complain(llvm::Twine("unknown command '") + args[0].take_front(60) +
           "'; see ioflor-floor --help");
  return kBadInput;
}
