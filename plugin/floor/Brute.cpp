//===- Brute.cpp - ioflor-floor brute -------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/brute/Network.h"
#include "passes/brute/Pebble.h"
#include "passes/floors/Network.h"
#include "passes/floors/Oracle.h"
#include "plugin/floor/Args.h"
#include "plugin/floor/Commands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace ioflor;
using namespace ioflor::floortool;
using llvm::StringRef;

static constexpr char kUsage[] =
    "usage: ioflor-floor brute network [--n LIST --p LIST]\n"
    "       ioflor-floor brute covering [--n LIST --p LIST]\n"
    "       ioflor-floor brute pebble [--nq N --nk N --d N --dv N --m LIST] "
    "[--causal]\n\n"
    "Exhaustive searches beside the formulas that they judge. Without sizes, "
    "those of\nthe tests.\n\n"
    "  network   the counting relaxation of sharded attention, in rows and "
    "columns\n"
    "  covering  the true minimum: every row meets every column on some "
    "device\n"
    "  pebble    the least reads + writes of any schedule of a tiny attention, "
    "in words\n"
    "  --max-steps N  bounds a search (covering, pebble)\n\n"
    "Exit status 1 if a formula exceeds what was found.\n";

/// The formula of the counting relaxation, for d = 1 in whole words.
static BigInt networkFormula(const BigInt &n, const BigInt &p) {
  return floors::valueOf(floors::networkCounting({n, p, 1, 1}))->ceil();
}

namespace {
struct Pair {
  unsigned n, p;
};
} // namespace

/// The given sizes whose P divides N; all up to 36 tokens and 8 devices where
/// none are given.
static std::vector<Pair> pairsOf(Args &args, unsigned defaultTokens,
                                 unsigned defaultDevices) {
  std::vector<Pair> out;
  if (!args.has("n") && !args.has("p")) {
    for (unsigned p = 2; p <= defaultDevices; ++p)
      for (unsigned n = p; n <= defaultTokens; n += p)
        out.push_back({n, p});
    return out;
  }
  std::vector<BigInt> ns = args.numbers("n", std::nullopt),
                      ps = args.numbers("p", std::nullopt);
  if (!args.ok())
    return out;
  for (const BigInt &n : ns)
    for (const BigInt &p : ps) {
      if (n > brute::kMostTokens || p > brute::kMostDevices) {
        args.fail("a search takes at most " + llvm::Twine(brute::kMostTokens) +
                  " tokens and " + llvm::Twine(brute::kMostDevices) +
                  " devices");
        return {};
      }
      if (n % p != 0) {
        if (ns.size() == 1 && ps.size() == 1)
          args.fail("the devices must divide the tokens");
        continue;
      }
      out.push_back({unsigned(int64_t(n)), unsigned(int64_t(p))});
    }
  return out;
}

static int runNetwork(Args &args) {
  std::vector<Pair> pairs = pairsOf(args, 36, 8);
  if (!args.ok())
    return kBadInput;
  unsigned equal = 0, above = 0;
  llvm::outs() << "   N   P  formula  minimum  balanced\n";
  for (Pair s : pairs) {
    uint64_t found = *brute::relaxationMinimum(s.n, s.p);
    BigInt formula = networkFormula(BigInt(s.n), BigInt(s.p));
    above += formula > int64_t(found);
    equal += formula == int64_t(found);
    llvm::outs() << llvm::formatv("{0,4} {1,3} {2,8} {3,8} {4,9}\n", s.n, s.p,
                                  int64_t(formula), found,
                                  *brute::balancedMinimum(s.n, s.p));
  }
  llvm::outs() << pairs.size() << " pairs: the formula, rounded up, is the "
               << "minimum in " << equal << " and above it in " << above
               << '\n';
  return above ? kFlagged : kFine;
}

static int runCovering(Args &args) {
  std::vector<Pair> pairs = pairsOf(args, 8, 4);
  BigInt steps = args.number("max-steps", BigInt(50'000'000));
  if (args.ok() && steps > int64_t(1'000'000'000'000))
    args.fail("'--max-steps' is at most 1000000000000");
  if (!args.ok())
    return kBadInput;
  unsigned equal = 0, differ = 0, open = 0;
  llvm::outs() << "   N   P  2N(1-1/P)  minimum  choices tried\n";
  for (Pair s : pairs) {
    uint64_t formula = 2 * (s.n - s.n / s.p);
    brute::Covering found =
        brute::coveringMinimum(s.n, s.p, uint64_t(int64_t(steps)));
    std::string copies = found.copies ? std::to_string(*found.copies) : "open";
    open += !found.copies;
    equal += found.copies == formula;
    differ += found.copies && *found.copies != formula;
    llvm::outs() << llvm::formatv("{0,4} {1,3} {2,10} {3,8} {4,14}\n", s.n, s.p,
                                  formula, copies, found.steps);
  }
  llvm::outs() << pairs.size() << " pairs: the formula is the minimum in "
               << equal << ", not in " << differ << ", open in " << open
               << '\n';
  return differ ? kFlagged : kFine;
}

//===----------------------------------------------------------------------===//
// Pebble games
//===----------------------------------------------------------------------===//

/// The strongest floor for the whole pass of this instance, of all kinds.
static floors::NumericFloor floorOf(const brute::Game &g) {
  floors::AttentionDims dims;
  dims.nQ = int64_t(g.nQ);
  dims.nK = int64_t(g.nK);
  dims.d = int64_t(g.d);
  dims.dV = int64_t(g.dV);
  floors::Mask mask{
      g.causal ? floors::MaskKind::Causal : floors::MaskKind::Exact, 0};
  return floors::strongestFloor({floors::workOf(dims, mask)},
                                BigInt(int64_t(g.fastWords)), {});
}

/// What the tests play: seconds, not minutes.
static std::vector<brute::Game> usualGames() {
  std::vector<brute::Game> out;
  for (auto [nQ, nK, d, dV] : {std::array<unsigned, 4>{1, 3, 1, 1},
                               {1, 2, 2, 1},
                               {1, 2, 1, 2},
                               {2, 2, 1, 1},
                               {2, 2, 2, 1},
                               {2, 3, 1, 1}})
    for (unsigned m = 3; m <= 6; ++m)
      for (bool causal : {false, true})
        if (!causal || (nQ > 1 && nQ <= nK))
          out.push_back({nQ, nK, d, dV, m, causal});
  return out;
}

static int runPebble(Args &args) {
  std::vector<brute::Game> games;
  bool any = false;
  for (StringRef name : {"nq", "nk", "d", "dv", "m"})
    any |= args.has(name);
  if (!any && !args.has("causal")) {
    games = usualGames();
  } else {
    auto small = [&](StringRef name) {
      BigInt n = args.number(name, std::nullopt);
      if (args.ok() && n > 64)
        args.fail("'--" + name + "' is at most 64 in a search");
      return args.ok() ? unsigned(int64_t(n)) : 1u;
    };
    brute::Game g{small("nq"), small("nk"), small("d"),
                  small("dv"), 1,           args.has("causal")};
    for (const BigInt &m : args.numbers("m", std::nullopt)) {
      if (m > 64)
        args.fail("'--m' is at most 64 in a search");
      if (!args.ok())
        break;
      g.fastWords = unsigned(int64_t(m));
      games.push_back(g);
    }
    if (args.ok() && g.causal && g.nQ > g.nK)
      args.fail("causal attention needs n_q <= n_k");
    if (args.ok() && g.stateBits() > 128)
      args.fail("the game is too large to be searched");
  }
  BigInt steps = args.number("max-steps", BigInt(20'000));
  if (args.ok() && steps > 100'000'000)
    args.fail("'--max-steps' is at most 100000000 states");
  if (!args.ok())
    return kBadInput;
  unsigned below = 0, open = 0, solved = 0, above = 0;
  llvm::outs() << " nq nk  d dv   M  mask    pairs  floor (kind)        "
                  "optimum    states\n";
  for (const brute::Game &g : games) {
    auto found = brute::solve(g, uint64_t(int64_t(steps)));
    auto floor = floorOf(g);
    if (!found) {
      complain("the game cannot be played");
      return kBadInput;
    }
    std::string optimum = found->impossible ? "none"
                          : found->words
                              ? std::to_string(*found->words)
                              : ">= " + std::to_string(found->atLeast);
    solved += found->words.has_value();
    bool isBelow = found->words && floor.words > int64_t(*found->words);
    bool isAbove = found->impossible || floor.words <= int64_t(found->atLeast);
    below += isBelow;
    above += isAbove;
    open += !isBelow && !isAbove;
    llvm::outs() << llvm::formatv(
        "{0,3} {1,2} {2,2} {3,2} {4,3}  {5,-6} {6,6}  {7,-19} {8,7} "
        "{9,9}{10}\n",
        g.nQ, g.nK, g.d, g.dV, g.fastWords, g.causal ? "causal" : "full",
        g.pairs(),
        std::to_string(int64_t(floor.words)) + " (" + floor.kind + ")",
        optimum, found->states, isBelow ? "  BELOW THE FLOOR" : "");
  }
  llvm::outs() << games.size() << " games, " << solved
               << " optima: every schedule meets the floor in " << above
               << ", one is below it in " << below << ", open in " << open
               << '\n';
  return below ? kFlagged : kFine;
}

int ioflor::floortool::runBrute(llvm::ArrayRef<StringRef> argv) {
  if (llvm::is_contained(argv, "--help")) {
    llvm::outs() << kUsage;
    return kFine;
  }
  if (argv.empty()) {
    complain("what is to be searched? network, covering or pebble");
    return kBadInput;
  }
  StringRef what = argv.front();
  argv = argv.drop_front();
  if (what == "network") {
    Args args(argv, {{"n", "p"}, {}});
    return args.ok() ? runNetwork(args) : kBadInput;
  }
  if (what == "covering") {
    Args args(argv, {{"n", "p", "max-steps"}, {}});
    return args.ok() ? runCovering(args) : kBadInput;
  }
  if (what == "pebble") {
    Args args(argv, {{"nq", "nk", "d", "dv", "m", "max-steps"}, {"causal"}});
    return args.ok() ? runPebble(args) : kBadInput;
  }
  complain("nothing is called '" + what.take_front(40) +
           "' here; network, covering or pebble");
  return kBadInput;
}
