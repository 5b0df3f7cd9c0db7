//===- CertAttention.cpp - The certificate of one device's floors ---------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/floors/Oracle.h"
#include "passes/floors/Reference.h"
#include "passes/theorems/Theorem.h"
#include "plugin/floor/Certificate.h"

using namespace ioflor;
using namespace ioflor::floors;
using namespace ioflor::floortool;

namespace {

/// The sizes at which the certificate is drawn up: its inputs, like the claimed
/// words and the pins below. Everything else is computed.
struct Config {
  int64_t N, d, M;
};
constexpr Config kGrid[] = {{4096, 64, 262144},
                            {4096, 128, 262144},
                            {16384, 64, 1048576},
                            {16384, 128, 1048576},
                            {65536, 128, 4194304}};
constexpr Config kFlagship = {16384, 128, 1048576};
constexpr Config kSavings = {131072, 128, 262144};
constexpr int64_t kSavingsRank = 256;
constexpr int64_t kSeedValidClaim = 4194304, kFoilClaim = 1048576;

/// What the flagship's values must be; a change of a formula shows here.
struct Pins {
  int64_t floor, scan;
};
constexpr Pins kSeedPins = {2097152, 6291456};
constexpr Pins kMaximumPins = {16777216, 8388608};

constexpr LeftOut kLeftOut[] = {
    {"lean_rung",
     "speaks of another proof assistant's build; the statements of "
     "docs/proofs.md are checked by coqc in the tests"},
    {"wall_banner_untouched", "speaks of other software"},
};

/// One of the two ways to draw the certificate up.
class Drawer {
public:
  Drawer(CertificateWriter &w, bool seedCompat) : w(w), seed(seedCompat) {}

  void all(llvm::StringRef version);

private:
  CertificateWriter &w;
  bool seed;
  std::vector<bool> ordered, inRegime, integral, withinTwo;

  static AttentionDims dims(const Config &c) { return {c.N, c.N, c.d, c.d}; }
  static Work work(const Config &c) { return workOf(dims(c), Mask{}); }

  Claim claimOf(const Config &c, const Rational &words,
                bool approximate) const {
    Claim claim;
    claim.parts = {work(c)};
    claim.M = BigInt(c.M);
    claim.words = words;
    claim.seedCompat = seed;
    claim.setting.approximate = approximate;
    return claim;
  }
  Surd floorOf(const Config &c, bool approximate = false) const {
    // The floor that decides about a claim of no words.
    auto ruling = rule(claimOf(c, Rational(0), approximate));
    return ruling ? ruling->binding.exact : Surd(0);
  }
  static Rational wordsOf(const Traffic &t) {
    return Rational(*evaluate(t.num, {}), *evaluate(t.den, {}));
  }
  Rational flash(const Config &c) const {
    return wordsOf(seed ? flashPinned(dims(c), c.M)
                        : flash2Optimal(dims(c), c.M));
  }
  Rational naive(const Config &c) const {
    return wordsOf(seed ? naivePinned(dims(c)) : naiveIdeal(dims(c)));
  }
  /// a / b for a floor that is rational, as the numbers here are.
  static Cell over(const Rational &a, const Surd &b) {
    return Cell(a / Rational(b.isInteger() ? b.floor() : b.ceil()));
  }
  bool flags(const Config &c, const Rational &words,
             bool approximate = false) const {
    auto ruling = rule(claimOf(c, words, approximate));
    return ruling && ruling->flagged;
  }

  void row(const Config &c);
  void grid();
  void flagship();
  void oracle();
  void approximate();
  void texts();
};

} // namespace

/// The fields that a grid row and the flagship share.
void Drawer::row(const Config &c) {
  Surd floor = floorOf(c);
  w.put("M", BigInt(c.M));
  w.put("N", BigInt(c.N));
  w.put("d", BigInt(c.d));
  w.put("flash_over_floor", over(flash(c), floor));
  w.put("flashattention_io_words", flash(c));
  w.put("io_floor_words", floor);
  w.put("naive_io_words", naive(c));
  w.put("naive_over_floor", over(naive(c), floor));
}

void Drawer::grid() {
  w.array("grid", [&] {
    for (const Config &c : kGrid)
      w.element([&] {
        Surd floor = floorOf(c);
        row(c);
        ordered.push_back(floor <= Surd(flash(c)) && flash(c) <= naive(c));
        inRegime.push_back(c.M >= c.d * c.d);
        integral.push_back(floor.isInteger());
        withinTwo.push_back(Surd(flash(c)) <= floor * Rational(2));
        w.check("ordered", ordered.back());
        w.check("regime_M_ge_d2", inRegime.back());
      });
  });
  auto every = [](const std::vector<bool> &v) {
    return !v.empty() && llvm::all_of(v, [](bool b) { return b; });
  };
  w.check("all_configs_exact_integral", every(integral));
  w.check("all_configs_in_regime_M_ge_d2", every(inRegime));
  w.check("all_configs_ordered_floor_le_flash_le_naive", every(ordered));
  w.check("flashattention_optimal_within_factor_2_all_configs",
          every(withinTwo));
}

void Drawer::flagship() {
  w.object("flagship", [&] {
    const Config &c = kFlagship;
    Surd floor = floorOf(c);
    row(c);
    w.put("io_floor_bytes_fp16", (floor * Rational(2)).ceil());
    w.check("floor_matches_pinned",
            floor == Surd((seed ? kSeedPins : kMaximumPins).floor));
    w.put("headline",
          "N = " + std::to_string(c.N) + ", d = " + std::to_string(c.d) +
              ", M = " + std::to_string(c.M) + " words: at least " +
              floor.decimal() +
              " words cross the memory boundary, in the model and under the "
              "hypotheses given");
  });
}

void Drawer::oracle() {
  w.object("compliance_oracle", [&] {
    const Config &c = kFlagship;
    Rational valid = seed ? Rational(kSeedValidClaim) : flash(c);
    Rational foil(kFoilClaim);
    auto entry = [&](const char *name, const Rational &words) {
      w.object(name, [&] {
        w.put("claimed_io_words", words);
        w.put("verdict", flags(c, words) ? "FLAG" : "SAFE");
      });
    };
    entry("valid", valid);
    entry("foil", foil);
    w.check("foil_below_floor_flagged", flags(c, foil));
    w.check("valid_kernel_safe", !flags(c, valid));
    if (seed) {
      w.put("note", "compares with E d^2 / (2 M) only, as the seed does");
      return;
    }
    // Where the maximum of the floors changes a verdict of the seed.
    Rational claimed(kSeedValidClaim);
    auto ruling = rule(claimOf(c, claimed, false));
    w.object("seed_valid", [&] {
      w.put("claimed_io_words", claimed);
      w.put("verdict", flags(c, claimed) ? "FLAG" : "SAFE");
      if (ruling)
        w.put("why", ruling->reason + ". " + ruling->notes.back());
    });
  });
}

void Drawer::approximate() {
  w.object("approx_attention", [&] {
    Surd scan = floorOf(kFlagship, true);
    w.object("compliance_oracle", [&] {
      Rational least(scan.ceil());
      w.check("foil_below_scan_floor_flagged",
              flags(kFlagship, least - Rational(1), true));
      w.check("valid_kernel_safe", !flags(kFlagship, least, true));
    });
    w.check("input_scan_floor_matches_pin",
            scan == Surd((seed ? kSeedPins : kMaximumPins).scan));
    w.put("input_scan_floor_words_flagship", scan);
    w.object("savings_demo", [&] {
      const Config &c = kSavings;
      Surd exact = floorOf(c), approx = floorOf(c, true);
      bool saves = approx < exact;
      w.put("M", BigInt(c.M));
      w.put("N", BigInt(c.N));
      w.put("d", BigInt(c.d));
      w.put("r", BigInt(kSavingsRank));
      Claim claim = claimOf(c, Rational(approx.ceil()), true);
      claim.rank = BigInt(kSavingsRank);
      auto ruling = rule(claim);
      bool caseOne = ruling && ruling->caseOne.value_or(false);
      w.check("case_I_regime_M_ge_dr", caseOne);
      // In Case I the order of the scan is attained.
      w.check("achievable_below_exact_floor", caseOne && saves);
      w.check("approximation_saves_io", saves);
      w.put("approx_scan_floor_words", approx);
      w.put("exact_pebble_floor_words", exact);
      w.put("exact_over_approx",
            Rational(exact.ceil()) / Rational(approx.ceil()));
      w.check("in_savings_regime_Nd_ge_6M", c.N * c.d >= 6 * c.M);
    });
    w.object("z3_ordering_lemma", [&] {
      const char *name = "approx_attention_io_floor_ordering";
      w.put("name", name);
      w.check("proven", theorems::proveGroup(name));
    });
    w.put(
        "exact_lower_bound",
        seed
            ? "3 N d words are loaded: every entry of Q, K and V once"
            : "4 N d words cross: every entry of Q, K and V is loaded and of O "
              "stored once");
    w.put("regime",
          "Case I: M of the order of d r or more; constants of the other "
          "cases are not known and not pinned");
    w.put("citation", "arXiv:2605.23751");
    w.check("all_ok", w.allOk());
  });
}

void Drawer::texts() {
  w.object("declared_model", [&] {
    w.put("attention",
          "softmax(Q K^T) V, exactly; Q, K, V of N rows and d columns");
    w.put("cost",
          "words moved between a slow memory and a fast one of M words, "
          "which is empty at the start");
    w.put("hypotheses",
          seed
              ? "M >= d^2; standard matrix multiplication. The constant 1/2 is "
                "ioflor's Theorem A (own derivation, not peer reviewed); the "
                "form "
                "is Saha & Ye's"
              : "standard matrix multiplication and the standard graph of "
                "softmax-attention; own derivations, not peer reviewed "
                "(docs/floors.md)");
  });
  w.object("citations", [&] {
    w.put("i_o_lower_bound", "Saha & Ye, arXiv:2402.07443");
    w.put("pebble_game", "Hong & Kung 1981, the red-blue pebble game");
    w.put("flashattention", "Dao et al. 2022");
    w.put("approximate_regime", "arXiv:2605.23751");
  });
  w.put(
      "honest_scope",
      seed
          ? "The order N^2 d^2 / M with constant 1 stands for FlashAttention; "
            "no "
            "schedule moves that little at these sizes, because the scan and "
            "the "
            "tight floor are larger. Without --seed-compat the maximum of all "
            "floors is taken."
          : "Floors are the maximum of all that apply. FlashAttention is the "
            "traffic of FlashAttention-2's schedule with the largest tile that "
            "fits; naive is the three-kernel pipeline with ideal reuse.");
  w.put("explicit_non_claim",
        "A model of two memory levels, not a measurement of a chip. Nothing is "
        "said "
        "about approximate or sparse attention beyond the scan, and with fast "
        "matrix multiplication only the scans and E d^2 / (4 M) - M hold.");
}

void Drawer::all(llvm::StringRef version) {
  w.whole([&] {
    w.put("schema", "ioflor-attention-io-floor-v1");
    w.put("mode", seed ? "seed-compat" : "maximum");
    putTool(w, version);
    w.put("executed", true);
    w.put("skipped", false);
    grid();
    flagship();
    oracle();
    bool before = w.allOk();
    w.resetOk();
    approximate();
    bool both = before && w.allOk();
    w.object("z3_ordering_lemma", [&] {
      const char *name = "io_floor_ordering";
      w.put("name", name);
      bool proved = theorems::proveGroup(name);
      both &= proved;
      w.put("proven", proved);
      w.put("tier", "z3, QF_NRA");
    });
    texts();
    putLeftOut(w, kLeftOut);
    w.resetOk();
    w.check("all_ok", both);
  });
}

bool ioflor::floortool::attentionCertificate(llvm::raw_ostream &os,
                                             bool seedCompat,
                                             llvm::StringRef version) {
  CertificateWriter w(os);
  Drawer(w, seedCompat).all(version);
  return w.allOk();
}
