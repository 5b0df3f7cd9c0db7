//===- Sizes.cpp - The problem that the options describe ------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/floor/Sizes.h"
#include "passes/floors/Targets.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ioflor;
using namespace ioflor::floors;
using namespace ioflor::floortool;
using llvm::StringRef;

const std::vector<std::string> ioflor::floortool::kSizeValues = {
    "n",         "nk",       "d",          "dv",
    "m",         "target",   "dtype",      "batch",
    "heads",     "kv-heads", "mask",       "window",
    "lengths",   "blocks",   "block-rows", "block-columns",
    "algorithm", "count"};
const std::vector<std::string> ioflor::floortool::kSizeFlags = {
    "shared-kv", "backward", "approximate"};

const char ioflor::floortool::kSizeHelp[] =
    R"(Sizes (a list 1,2,4, a doubling range 1..64, 1..9+2 or 1..81*3 where marked *):
  --n N*              rows of Q and O; also of K and V unless --nk
  --nk N              rows of K and V
  --lengths A,B,...   sequences of these lengths in one launch, in place of --n
  --d D*, --dv D      columns of Q and K; of V and O (default D)
  --m WORDS*          fast memory of one CTA, in words
  --target sm_80      fast memory of this target, with --dtype
  --dtype fp16        element type: bytes are told as well
  --batch B, --heads H, --kv-heads G   default 1, 1, H
  --mask KIND         exact, causal, causal_top_left, window, window_symmetric
  --window W          of the two windows
  --blocks I:J,...    block-sparse: the blocks that are kept, with
  --block-rows R, --block-columns C
  --shared-kv         V is a part of K's buffer
What is compared:
  --count total|loads     loads and stores, or loads only
  --algorithm standard|any   any: fast matrix multiplication is allowed
  --backward              dQ, dK, dV from Q, K, V, dO
  --approximate           a disclosed approximation
)";

std::optional<int64_t> ioflor::floortool::bytesOf(StringRef dtype) {
  return llvm::StringSwitch<std::optional<int64_t>>(dtype)
      .Cases({"fp64", "f64"}, 8)
      .Cases({"fp32", "f32", "tf32"}, 4)
      .Cases({"fp16", "f16", "bf16"}, 2)
      .Cases({"fp8", "e4m3", "e5m2", "int8"}, 1)
      .Default(std::nullopt);
}

int64_t ioflor::floortool::readDtype(Args &args, std::string &name) {
  auto text = args.value("dtype");
  if (!text)
    return 0;
  auto bytes = bytesOf(*text);
  if (!bytes) {
    args.fail("unknown dtype '" + text->take_front(40) +
              "'; known: fp64, fp32, tf32, fp16, bf16, fp8, int8");
    return 0;
  }
  name = text->str();
  return *bytes;
}

Setting ioflor::floortool::readSetting(Args &args) {
  Setting s;
  s.standard = args.oneOf("algorithm", {"standard", "any"}) == "standard";
  s.loadsOnly = args.oneOf("count", {"total", "loads"}) == "loads";
  s.backward = args.has("backward");
  s.approximate = args.has("approximate");
  if (s.backward && s.approximate)
    args.fail("no floor is known for an approximate backward pass");
  if (s.backward && !s.standard)
    args.fail("no floor is known for the backward pass by any algorithm");
  if (s.backward && s.loadsOnly)
    args.fail("the floors of the backward pass count loads and stores");
  return s;
}

static Mask readMask(Args &args) {
  std::string kind = args.oneOf("mask", {"exact", "causal", "causal_top_left",
                                         "window", "window_symmetric"});
  bool window = StringRef(kind).starts_with("window");
  if (window != args.has("window"))
    args.fail(window ? "the mask '" + kind + "' needs '--window'"
                     : "'--window' needs '--mask window' or "
                       "'--mask window_symmetric'");
  Expr w =
      window
          ? Expr(args.number("window", std::nullopt, kind == "window" ? 1 : 0))
          : Expr(0);
  return *maskFromName(kind, w);
}

static std::vector<std::pair<BigInt, BigInt>> readBlocks(Args &args) {
  std::vector<std::pair<BigInt, BigInt>> blocks;
  llvm::SmallVector<StringRef> parts;
  args.value("blocks")->split(parts, ',');
  for (StringRef part : parts) {
    auto [i, j] = part.split(':');
    auto row = readNumber(i), column = readNumber(j);
    if (!row || !column) {
      args.fail("'--blocks' is a list of ROW:COLUMN, not '" +
                part.take_front(40) + "'");
      break;
    }
    blocks.push_back({*row, *column});
  }
  return blocks;
}

/// The words of fast memory: --m or --target.
static std::vector<BigInt> readFastWords(Args &args) {
  if (args.has("m") && args.has("target"))
    args.fail("'--m' and '--target' exclude each other");
  auto name = args.value("target");
  if (!name)
    return args.numbers("m", std::nullopt);
  auto target = findTarget(*name);
  std::string dtype;
  int64_t bytes = readDtype(args, dtype);
  if (!target)
    args.fail("unknown target '" + name->take_front(40) + "'");
  else if (!bytes)
    args.fail("'--target' gives bytes: '--dtype' must say how many a word has");
  if (!args.ok())
    return {};
  // Rounded up: a larger memory has the lower floor.
  return {BigInt((target->fastBytes() + bytes - 1) / bytes)};
}

namespace {

/// What all combinations share.
struct Common {
  AttentionDims dims;
  Mask mask;
  std::optional<std::vector<BigInt>> lengths;
  std::optional<std::vector<std::pair<BigInt, BigInt>>> blocks;
  BigInt blockRows, blockColumns;
  std::string dtype;
};

} // namespace

static std::optional<Work> workAt(Args &args, const Common &c,
                                  const AttentionDims &dims) {
  std::string why;
  std::optional<Required> required;
  if (c.blocks) {
    required = blockSparsePairs(*dims.nQ.constant(), *dims.nK.constant(),
                                c.blockRows, c.blockColumns, *c.blocks, &why);
    if (!required)
      args.fail("'--blocks': " + why);
  } else {
    required = requiredPairs(dims, c.mask);
    for (const Cond &h : required->hypotheses)
      if (!h.isAlways())
        args.fail("the mask '" + maskName(c.mask.kind) +
                  "' needs at least as many keys as queries (n <= nk)");
  }
  if (!args.ok())
    return std::nullopt;
  return workOf(dims, *required);
}

std::vector<Setup> ioflor::floortool::readSetups(Args &args) {
  Common c;
  readDtype(args, c.dtype);
  c.mask = readMask(args);
  c.dims.batch = args.number("batch", BigInt(1));
  BigInt heads = args.number("heads", BigInt(1));
  BigInt kvHeads = args.number("kv-heads", heads);
  if (args.ok() && heads % kvHeads != 0)
    args.fail("'--heads' must be a multiple of '--kv-heads'");
  c.dims.heads = heads;
  c.dims.kvHeads = kvHeads;
  c.dims.aliasedKV = args.has("shared-kv");
  if (args.has("lengths")) {
    if (args.has("n") || args.has("nk") || args.has("blocks"))
      args.fail("'--lengths' excludes '--n', '--nk' and '--blocks'");
    c.lengths = args.numbers("lengths", std::nullopt);
  }
  if (args.has("blocks")) {
    if (args.has("mask"))
      args.fail("'--blocks' excludes '--mask'");
    c.blockRows = args.number("block-rows", std::nullopt);
    c.blockColumns = args.number("block-columns", std::nullopt);
    c.blocks = readBlocks(args);
  }
  std::vector<BigInt> ns = c.lengths ? std::vector<BigInt>{BigInt(0)}
                                     : args.numbers("n", std::nullopt);
  std::vector<BigInt> ds = args.numbers("d", std::nullopt);
  std::vector<BigInt> ms = readFastWords(args);
  std::vector<Setup> out;
  if (!args.ok())
    return out;
  if (ns.size() * ds.size() * ms.size() > 10'000) {
    args.fail("the lists give more than 10000 combinations");
    return out;
  }
  for (const BigInt &n : ns)
    for (const BigInt &d : ds)
      for (const BigInt &m : ms) {
        Setup s;
        s.mask = c.mask;
        s.M = m;
        AttentionDims dims = c.dims;
        dims.d = d;
        dims.dV = args.number("dv", d);
        if (args.ok() && dims.aliasedKV && *dims.dV.constant() > d)
          args.fail(
              "with '--shared-kv' V is a part of K's rows: '--dv' must not "
              "exceed '--d'");
        std::vector<BigInt> lengths =
            c.lengths.value_or(std::vector<BigInt>{n});
        for (size_t i = 0; i < lengths.size() && args.ok(); ++i) {
          dims.nQ = lengths[i];
          dims.nK = c.lengths ? lengths[i] : args.number("nk", lengths[i]);
          if (i == 0)
            s.dims = dims;
          if (auto w = workAt(args, c, dims))
            s.parts.push_back(*w);
        }
        if (!args.ok())
          return {};
        BigInt pairs = *sumOf(s.parts).twicePairs.constant() / 2;
        if (c.lengths) {
          s.header.push_back({"sequences", BigInt(int64_t(lengths.size()))});
        } else {
          s.header.push_back({"n_q", *s.dims.nQ.constant()});
          s.header.push_back({"n_k", *s.dims.nK.constant()});
        }
        s.header.push_back({"d", d});
        s.header.push_back({"d_v", *dims.dV.constant()});
        s.header.push_back({"M", m});
        s.header.push_back({"batch", *dims.batch.constant()});
        s.header.push_back({"heads", heads});
        s.header.push_back({"kv_heads", kvHeads});
        s.header.push_back({"mask", c.blocks
                                        ? Cell("block_sparse")
                                        : Cell(maskName(c.mask.kind).str())});
        s.header.push_back({"pairs", pairs});
        if (!c.dtype.empty())
          s.header.push_back({"dtype", c.dtype});
        out.push_back(std::move(s));
      }
  return out;
}
