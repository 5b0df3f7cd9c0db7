//===- Tight.cpp - Theorems B, C and R' of the whole forward pass --------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/theorems/Tables.h"

using namespace ioflor::theorems;

static constexpr char kB[] = "Theorem B, own derivation, not peer reviewed";
static constexpr char kC[] = "Theorem C, own derivation, not peer reviewed";
static constexpr char kR[] = "Theorem R', own derivation, not peer reviewed";
static constexpr char kTight[] = "floors: tight";

/// Lemma 1: what a segment of X words can multiply.
static void addSegmentOfThePass(Table &out) {
  out.push_back({"L1_kappa_dv_le_d",
                 "full pairs, d_v <= d: m (d + v)^2 <= v (d + x)(d + y)",
                 kB,
                 kTight,
                 "d > 0; v > 0; v <= d; x >= 0; x <= v; y >= 0; y <= v; "
                 "m >= 0; m <= x; m <= y",
                 "m*(d + v)^2 <= v*(d + x)*(d + y)",
                 {}});
  out.push_back({"L1_kappa_dv_ge_d",
                 "full pairs, d_v >= d: 4 d m <= (d + x)(d "
                 "+ y)",
                 kB,
                 kTight,
                 "d > 0; x >= 0; y >= 0; m >= 0; m <= x; m <= y",
                 "4*d*m <= (d + x)*(d + y)",
                 {}});
  out.push_back({"L1_amgm",
                 "a product of two parts of Y",
                 kB,
                 kTight,
                 "a >= 0; b >= 0; a + b <= Y",
                 "4*a*b <= Y^2",
                 {}});
  out.push_back({"L1_endpoint",
                 "Y words of Q, K and private scores give at most max(Y^2 / "
                 "(4d^2), Y) scores",
                 kB,
                 kTight,
                 "d > 0; a >= 0; b >= 0; p >= 0; d*a + d*b + p <= Y; "
                 "n = a*b + p",
                 "4*d^2*n <= Y^2 or n <= Y",
                 {"404*d^2*n <= 100*Y^2 or 101*n <= 100*Y"}});
  out.push_back({"L1_simple_phi",
                 "kappa (X - p)^2 / 4 + p d_v <= max(kappa X^2 / 4, d_v X)",
                 kB,
                 kTight,
                 "k > 0; v > 0; X > 0; p >= 0; p <= X; "
                 "T = k*(X - p)^2 + 4*p*v",
                 "T <= k*X^2 or T <= 4*v*X",
                 {"101*T <= 100*k*X^2 or 101*T <= 400*v*X"}});
  out.push_back({"L1_lw_full_dvged",
                 "Loomis-Whitney, full pairs, d_v >= d",
                 kB,
                 kTight,
                 "d > 0; Y >= 0; Y <= X; T >= 0; 4*d*T <= Y*(X - Y)",
                 "16*d*T <= X^2",
                 {}});
  out.push_back({"L1_lw_full_dvled",
                 "Loomis-Whitney, full pairs, d_v <= d",
                 kB,
                 kTight,
                 "d > 0; v > 0; v <= d; Y >= 0; Y <= X; T >= 0; "
                 "4*d*T <= Y*(X - Y); 4*d^2*T <= Y^2*v",
                 "4*(d + v)^2*T <= v*X^2",
                 {}});
  out.push_back({"L1_lw_private",
                 "Loomis-Whitney, private scores",
                 kB,
                 kTight,
                 "Y >= 0; Y <= X; T >= 0; 4*T^2 <= Y*(X - Y)^2",
                 "27*T^2 <= X^3",
                 {}});
}

/// Lemma 2: a cold start costs no additive term. F = phi((1 + s)M).
static void addStarts(Table &out) {
  out.push_back({"L2_cold",
                 "h >= 2 segments of sM events from an empty fast memory: W s "
                 "M <= F t",
                 kB,
                 kTight,
                 "F > 0; s > 0; M > 0; t >= 0; t <= s*M; h >= 2; "
                 "f*(1 + s) <= F*s; l*(1 + s)*M <= F*(M + t); "
                 "W <= f + (h - 2)*F + l",
                 "W*s*M <= F*((h - 1)*s*M + t)",
                 {}});
  out.push_back({"L2_h1",
                 "one segment only",
                 kB,
                 kTight,
                 "F > 0; s > 0; M > 0; t >= 0; W*(1 + s)*M <= F*t",
                 "W*s*M <= F*t",
                 {}});
  out.push_back({"L2_warm",
                 "a warm start costs sM/(1 + s) events",
                 kB,
                 "floors: tight, warm start",
                 "F > 0; s > 0; M > 0; t >= 0; t <= s*M; h >= 1; "
                 "l*(1 + s)*M <= F*(M + t); W <= (h - 1)*F + l",
                 "(1 + s)*W*s*M <= (1 + s)*F*((h - 1)*s*M + t) + F*s*M",
                 {}});
  out.push_back({"L2_cold_frac",
                 "events with weights: M + 1 takes M's place (m = M + 1)",
                 kC,
                 kTight,
                 "F > 0; s > 0; m >= 1; t >= 0; h >= 2; "
                 "f*(1 + s)*m <= F*(s*m + 1); l*(1 + s)*m <= F*(m - 1 + t); "
                 "W <= f + (h - 2)*F + l",
                 "W*s*m <= F*((h - 1)*s*m + t)",
                 {}});
}

static void addRegimes(Table &out) {
  out.push_back({"B_threshold",
                 "M >= (128/27) d^2: the quadratic term is the larger (A = M^2 "
                 "/ 4d)",
                 kB,
                 kTight,
                 "d > 0; M > 0; 27*M >= 128*d^2; 4*d*A = M^2",
                 "8*M^3 <= 27*A^2",
                 {}});
  out.push_back({"B_threshold_dv_le_d",
                 "M >= 2(d + d_v)^2 is enough where d_v <= d (k M^2 against "
                 "2 d_v M)",
                 kB,
                 kTight,
                 "d > 0; v > 0; v <= d; M >= 2*(d + v)^2; k*(d + v)^2 = v",
                 "2*v*M <= k*M^2",
                 {}});
  out.push_back({"B_value",
                 "W s M <= F t at s = 1 with F = kappa M^2 is I/O >= 4 E d "
                 "d_v / M (kappa = 1/4d)",
                 kB,
                 kTight,
                 "d > 0; v > 0; M > 0; E >= 0; 4*d*F = M^2; E*v*M <= F*t",
                 "4*E*d*v <= M*t",
                 {}});
  const std::string cell =
      "2*A >= 1; A < 1; B = 1 - A; G >= 0; s >= 0; r >= 0; "
      "s + r + A*G^2 <= 1 + A; q >= 0; q <= A*G^2; q <= G*s; p >= 0; "
      "p <= B*G^2; p <= G*r; ";
  out.push_back({"C_dvled_G_le1",
                 "a segment's weighted products, d_v <= d, few scores "
                 "(A = d/(d + d_v), in units of M)",
                 kC,
                 kTight,
                 cell + "G <= 1",
                 "2*B*q + p <= B*(1 + 2*A)",
                 {}});
  out.push_back({"C_dvled_G_ge1",
                 "the same, many scores",
                 kC,
                 kTight,
                 cell + "G >= 1",
                 "2*B*q + p <= B*(1 + 2*A)",
                 {}});
  out.push_back({"C_hand_cubic",
                 "the cubic of the hand proof",
                 kC,
                 kTight,
                 "2*A >= 1; A < 1; G >= 1",
                 "2*(1 + A)*G + (2*A - 1)*G^2 - 2*A*G^3 <= 1 + 2*A",
                 {}});
  out.push_back({"C_dvged",
                 "a segment's products, d_v >= d: w <= M^2/(2d) with theta = "
                 "4d^2/M, X = 3M",
                 kC,
                 kTight,
                 "d > 0; M > 0; h*M = 4*d^2; c >= 0; X = 3*M; h*c <= X; "
                 "w >= 0; 4*w^2 <= c*(X - h*c)^2",
                 "2*d*w <= M^2",
                 {}});
  out.push_back({"C_amgm_sum",
                 "two geometric means share their words",
                 kC,
                 kTight,
                 "q >= 0; k >= 0; v >= 0; z >= 0; a >= 0; b >= 0; "
                 "a^2 <= q*k; b^2 <= v*z; q + k + v + z <= S",
                 "2*(a + b) <= S",
                 {}});
  out.push_back({"R_phi",
                 "small caches: a segment's products are at most "
                 "M^1.5",
                 kR,
                 kTight,
                 "M > 0; c >= 0; c <= 3*M; 4*w^2 <= c*(3*M - c)^2",
                 "w^2 <= M^3",
                 {}});
  out.push_back({"R_refund",
                 "computing a score again never pays",
                 kR,
                 kTight,
                 "g*d >= 1; u >= 1",
                 "g*d - 1 <= g*d*u - u",
                 {"g*d <= g*d*u - u"}});
  out.push_back({"RC_tangent",
                 "R' is at most C's form, and meets it at M = 4d^2 (x = d / "
                 "sqrt M)",
                 kR,
                 kTight,
                 "",
                 "4*x - 1 <= 4*x^2",
                 {}});
  out.push_back({"alias",
                 "V inside K: T d (d + d_v) <= d_v (d a + z)(d b)",
                 "shared latent (V = columns of K), own derivation, not peer "
                 "reviewed",
                 "floors: aliasing",
                 "d > 0; v > 0; a >= 0; b >= 0; z >= 0; z <= a*v; T = z*b",
                 "T*d*(d + v) <= v*(d*a + z)*(d*b)",
                 {}});
  out.push_back({"upper_fa2_ge_floor",
                 "FlashAttention-2's traffic is at least the floor that it "
                 "attains",
                 "arithmetic",
                 "ioflor-floor: reference traffic",
                 "d > 0; v > 0; M > 0; N > 0; a >= 1; a*(d + v) <= M; "
                 "R*a >= N",
                 "N^2*(d + v)^2 <= R*N*(d + v)*M",
                 {}});
}

void ioflor::theorems::addTight(Table &out) {
  addSegmentOfThePass(out);
  addStarts(out);
  addRegimes(out);
}
