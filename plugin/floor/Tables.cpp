//===- Tables.cpp - ioflor-floor tables -----------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Reference.h"
#include "plugin/floor/Commands.h"
#include "plugin/floor/Sizes.h"

using namespace ioflor;
using namespace ioflor::floors;
using namespace ioflor::floortool;
using llvm::StringRef;

static const char kHelp[] =
    R"(usage: ioflor-floor tables --n N --d D --m WORDS [OPTIONS]

Every floor at these sizes, whether it applies, and what textbook schedules move.

)";
static const char kMoreHelp[] = R"(Output:
  --format text|json|csv  csv: the rows of --show only
  --show floors|traffic   only these
  --tile-rows R, --tile-columns C   tiles of the schedules (default 128, 64)
)";

/// `M >= d^2`-like conditions at concrete sizes are constants; what is told is
/// the symbolic form.
static std::string hypothesesText(const Floor &f) {
  std::string s;
  for (const Cond &c : f.hypotheses)
    s += (s.empty() ? "" : " and ") + c.str();
  return s;
}

static Cell bytesCell(const Surd &words, int64_t bytes) {
  return bytes ? Cell((words * Rational(bytes)).ceil()) : Cell();
}

/// The floors with symbols for the sizes (their conditions) beside those at
/// constants (their values): one definition called twice.
static Section floorSection(const Setup &s, const Setting &setting,
                            int64_t bytes) {
  AttentionDims named = s.dims;
  named.d = Expr::symbol("d");
  named.dV = *s.dims.d.constant() == *s.dims.dV.constant()
                 ? named.d
                 : Expr::symbol("d_v");
  Work symbolic = workOf(named, Mask{});
  Expr M = Expr::symbol("M");
  Valuation at{
      {"M", s.M}, {"d", *s.dims.d.constant()}, {"d_v", *s.dims.dV.constant()}};
  Section section{"floors", {}};
  Work total = sumOf(s.parts);
  auto forms = floorsOf(symbolic, M, setting),
       values = floorsOf(total, s.M, setting);
  for (const Floor &form : forms) {
    bool holds = applies(form, at);
    // The value comes from the same form at the constants of the whole work.
    std::optional<Surd> value;
    if (holds)
      for (const Floor &f : values)
        if (f.kind == form.kind && f.regime == form.regime &&
            f.against == form.against && applies(f))
          value = valueOf(f);
    if (holds && !value)
      continue;
    Record row;
    row.push_back({"kind", form.kind});
    row.push_back({"regime", form.regime});
    row.push_back({"bounds", form.against});
    row.push_back({"words", value ? Cell(value->ceil()) : Cell()});
    if (bytes)
      row.push_back({"bytes", value ? bytesCell(*value, bytes) : Cell()});
    row.push_back({"exact", value ? Cell(value->str()) : Cell()});
    row.push_back({"applies", holds});
    row.push_back({"needs", hypothesesText(form)});
    section.rows.push_back(std::move(row));
  }
  return section;
}

namespace {

/// Schedules whose words are counted tile by tile are left out above this many
/// tiles.
constexpr uint64_t kMostSteps = 2'000'000;

} // namespace

static Section trafficSection(const Setup &s, const Setting &setting,
                              const TileSizes &tiles, int64_t bytes,
                              std::vector<std::string> &notes) {
  std::vector<Traffic> all;
  if (setting.backward) {
    for (bool reduction : {true, false})
      all.push_back(flash2Backward(s.dims, tiles, reduction));
  } else {
    all.push_back(flashPinned(s.dims, s.M));
    all.push_back(flash2Optimal(s.dims, s.M));
    all.push_back(flash2(s.dims, s.mask, tiles));
    if (!(s.dims.heads == s.dims.kvHeads))
      all.push_back(flash2Packed(s.dims, tiles));
    all.push_back(flash1(s.dims, tiles));
    all.push_back(splitK(s.dims, 2, 1, tiles.columns));
    all.push_back(naivePinned(s.dims));
    all.push_back(naiveIdeal(s.dims));
    all.push_back(naiveExecuted(s.dims, tiles));
  }
  NumericFloor best = strongestFloor(s.parts, s.M, setting);
  Section section{"traffic", {}};
  for (const Traffic &t : all) {
    bool fits = true;
    for (const Cond &c : t.hypotheses)
      fits &= c.isAlways();
    auto fast = t.fast.constant();
    ExprError error;
    auto num = fits ? evaluate(t.num, {}, &error, kMostSteps) : std::nullopt;
    auto den = evaluate(t.den, {});
    if (!fits)
      continue;
    if (!num) {
      notes.push_back("Traffic of " + t.name +
                      " is left out: " + error.message + ".");
      continue;
    }
    Rational words(*num, *den);
    // A schedule that does not fit in M words is no schedule for this M, so no
    // ratio is told.
    bool held = t.note.empty() && (!fast || *fast <= s.M);
    Record row;
    row.push_back({"schedule", t.name});
    row.push_back({"words", words.ceil()});
    if (bytes)
      row.push_back({"bytes", (words * Rational(bytes)).ceil()});
    row.push_back({"fits_M", !fast || *fast <= s.M});
    row.push_back(
        {"ratio", held && best.words > 0
                      ? Cell(Surd(words / Rational(best.words)).decimal(6))
                      : Cell()});
    row.push_back({"note", t.note});
    section.rows.push_back(std::move(row));
  }
  return section;
}

int ioflor::floortool::runTables(llvm::ArrayRef<StringRef> argv) {
  if (llvm::is_contained(argv, "--help")) {
    llvm::outs() << kHelp << kSizeHelp << kMoreHelp;
    return kFine;
  }
  ArgSpec spec{kSizeValues, kSizeFlags};
  for (const char *name : {"format", "show", "tile-rows", "tile-columns"})
    spec.values.push_back(name);
  Args args(argv, spec);
  std::string format = args.oneOf("format", {"text", "json", "csv"});
  std::string show = args.oneOf("show", {"all", "floors", "traffic"});
  Setting setting = readSetting(args);
  std::string dtype;
  int64_t bytes = readDtype(args, dtype);
  TileSizes tiles{args.number("tile-rows", BigInt(128)),
                  args.number("tile-columns", BigInt(64))};
  if (!args.ok())
    return kBadInput;
  std::vector<Setup> setups = readSetups(args);
  if (!args.ok())
    return kBadInput;
  // Schedules are those of one problem under one of the masks.
  bool schedules =
      !args.has("lengths") && !args.has("blocks") && !setting.approximate;
  if (show == "traffic" && !schedules) {
    complain("no schedule is known for '--lengths', '--blocks' or "
             "'--approximate'");
    return kBadInput;
  }
  std::vector<Report> reports;
  for (const Setup &s : setups) {
    Report r;
    r.header = s.header;
    NumericFloor best = strongestFloor(s.parts, s.M, setting);
    r.header.push_back(
        {"strongest",
         best.kind + (best.regime.empty() ? "" : " " + best.regime)});
    r.header.push_back({"strongest_words", best.words});
    if (show != "traffic")
      r.sections.push_back(floorSection(s, setting, bytes));
    if (schedules && show != "floors" && !(show == "all" && format == "csv"))
      r.sections.push_back(trafficSection(s, setting, tiles, bytes, r.notes));
    if (setting.loadsOnly)
      r.notes.push_back("The strongest floor bounds loads only.");
    if (setting.backward && s.dims.aliasedKV)
      r.notes.push_back("K = V: of the backward pass only the scan is known.");
    const Rational dd(*s.dims.d.constant() * *s.dims.d.constant());
    if (!setting.backward && !setting.approximate && Rational(s.M) < dd)
      r.notes.push_back(
          "M < d^2: the floor E d^2 / (2 M) does not hold here; the "
          "small-cache floors and tight R' do.");
    r.notes.push_back(
        "A model of two memory levels, not a measurement. saha-ye has its form "
        "from Saha & Ye (arXiv:2402.07443); its constant and the floors sharp, "
        "fmm, small-cache and tight are this project's own derivations, not "
        "peer "
        "reviewed (docs/floors.md).");
    reports.push_back(std::move(r));
  }
  print(llvm::outs(), reports, format);
  return kFine;
}
