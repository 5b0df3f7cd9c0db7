(*===- Regimes.v - The arithmetic of the floors that are not proved whole -===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* Theorems C and R', small caches, fast matrix multiplication and V inside   *)
(* K. Proved here is what a segment's counts imply; that segments of runs     *)
(* have these counts is not (docs/proofs.md names the open steps).            *)
From Coq Require Import Reals Lra Psatz.
Open Scope R_scope.

Lemma sq_nonneg (x : R) : 0 <= x * x.
Proof. apply Rle_0_sqr. Qed.

Lemma sq_le (x y : R) : 0 <= y -> x * x <= y * y -> x <= y.
Proof. intros hy h. apply Rnot_lt_le. intros bad. nra. Qed.

(** ** Theorem C *)

(** y (3 M - y)^2 is largest at y = M. *)
Theorem peak_of_three : forall M y, 0 <= y <= 3 * M ->
  y * ((3 * M - y) * (3 * M - y)) <= 4 * (M * M * M).
Proof.
  intros M y [lo hi].
  assert (0 <= (M - y) * (M - y) * (4 * M - y))
    by (apply Rmult_le_pos; [apply sq_nonneg|lra]).
  lra.
Qed.

(** d_v >= d: a segment of X = 3M words (M is M + 1 of the theorem), c touched pairs
    of weight h = 4 d^2 / M each, does at most M^2 / (2 d) work. *)
Theorem c_wide_segment : forall d M h c w,
  0 < d -> 0 < M -> h * M = 4 * (d * d) -> 0 <= c -> h * c <= 3 * M -> 0 <= w ->
  4 * (w * w) <= c * ((3 * M - h * c) * (3 * M - h * c)) -> 2 * d * w <= M * M.
Proof.
  intros d M h c w dp mp weight cp fits wp work.
  assert (hp : 0 < h) by (assert (0 < d * d) by nra; nra).
  pose proof (peak_of_three M (h * c) ltac:(split; [nra|assumption])) as peak.
  assert (h * (4 * (w * w)) <= 4 * (M * M * M)).
  { apply Rle_trans with (h * (c * ((3 * M - h * c) * (3 * M - h * c)))).
    - apply Rmult_le_compat_l; lra.
    - rewrite <- Rmult_assoc. exact peak. }
  apply sq_le; [nra|].
  replace (2 * d * w * (2 * d * w)) with (4 * (d * d) * (w * w)) by ring.
  rewrite <- weight. assert (h * (w * w) <= M * M * M) by lra.
  replace (h * M * (w * w)) with (M * (h * (w * w))) by ring.
  replace (M * M * (M * M)) with (M * (M * M * M)) by ring.
  apply Rmult_le_compat_l; lra.
Qed.

Lemma c_cubic (A G : R) : 0 <= A -> 1 <= G ->
  2 * (1 + A) * G + (2 * A - 1) * (G * G) - 2 * A * (G * G * G) <= 1 + 2 * A.
Proof.
  intros a g. set (e := G - 1). assert (e0 : 0 <= e) by (unfold e; lra).
  replace G with (1 + e) by (unfold e; ring).
  assert (0 <= e * e * (4 * A + 1 + 2 * A * e)).
  { apply Rmult_le_pos; [apply sq_nonneg|]. assert (0 <= A * e) by nra. lra. }
  lra.
Qed.

(** d_v <= d: A = d / (d + d_v), B = 1 - A; in units of M, G^2 pairs, s and r the
    geometric means of the words of Q, K and of V, O; q and p the work. *)
Theorem c_narrow_segment : forall A B G s r q p,
  1 <= 2 * A -> A < 1 -> B = 1 - A -> 0 <= G -> 0 <= s -> 0 <= r ->
  s + r + A * (G * G) <= 1 + A ->
  0 <= q -> q <= A * (G * G) -> q <= G * s ->
  0 <= p -> p <= B * (G * G) -> p <= G * r ->
  2 * B * q + p <= B * (1 + 2 * A).
Proof.
  intros A B G s r q p a1 a2 -> g sp rp words q0 q1 q2 p0 p1 p2.
  assert (b : 0 < 1 - A) by lra.
  destruct (Rle_lt_dec G 1) as [few|many].
  - assert (G * G <= 1) by nra.
    assert ((1 - A) * q <= (1 - A) * (A * (G * G))) by (apply Rmult_le_compat_l; lra).
    assert ((1 - A) * (1 + 2 * A) * (G * G) <= (1 - A) * (1 + 2 * A) * 1)
      by (apply Rmult_le_compat_l; [nra|assumption]).
    lra.
  - (* q <= G s <= G (1 + A - A G^2) - p *)
    assert (G * s + G * r <= G * (1 + A - A * (G * G))).
    { rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; lra. }
    assert (hq : q <= G * (1 + A - A * (G * G)) - p) by lra.
    assert ((1 - A) * q <= (1 - A) * (G * (1 + A - A * (G * G)) - p))
      by (apply Rmult_le_compat_l; lra).
    assert ((2 * A - 1) * p <= (2 * A - 1) * ((1 - A) * (G * G)))
      by (apply Rmult_le_compat_l; lra).
    pose proof (c_cubic A G ltac:(lra) ltac:(lra)) as cubic.
    apply Rmult_le_compat_l with (r := 1 - A) in cubic; [|lra]. lra.
Qed.

(** A cold start when events have fractional weights: m = M + 1 takes M's place. *)
Theorem cold_start_fractional : forall F s m t h f l W,
  0 < F -> 0 < s -> 1 <= m -> 0 <= t -> 2 <= h ->
  f * ((1 + s) * m) <= F * (s * m + 1) -> l * ((1 + s) * m) <= F * (m - 1 + t) ->
  W <= f + (h - 2) * F + l -> W * (s * m) <= F * ((h - 1) * (s * m) + t).
Proof.
  intros F s m t h f l W fp sp mp tp hp first last work.
  apply Rmult_le_reg_l with (1 + s); [lra|].
  assert (k : 0 < s * ((1 + s) * m)) by (apply Rmult_lt_0_compat; nra).
  apply Rmult_le_compat_l with (r := s * ((1 + s) * m)) in work; [|lra].
  apply Rmult_le_compat_l with (r := s) in first; [|lra].
  apply Rmult_le_compat_l with (r := s) in last; [|lra].
  assert (0 <= F * t) by nra. nra.
Qed.

(** ** Theorem R' and small caches *)

(** Each computed pair weighs one word: at most M^(3/2) work in 3M words. *)
Theorem small_segment : forall M c w,
  0 <= c <= 3 * M -> 4 * (w * w) <= c * ((3 * M - c) * (3 * M - c)) ->
  w * w <= M * M * M.
Proof. intros M c w hc h. pose proof (peak_of_three M c hc). lra. Qed.

(** Computing a score again never pays. *)
Theorem refund : forall g d u, 1 <= g * d -> 1 <= u -> g * d - 1 <= g * d * u - u.
Proof. intros g d u h hu. assert (0 <= (g * d - 1) * (u - 1)) by nra. lra. Qed.

(** R' never exceeds the form of C, and meets it at M = 4 d^2 (x = d / sqrt M). *)
Theorem regimes_touch : forall x, 4 * x - 1 <= 4 * (x * x).
Proof. intros x. pose proof (sq_nonneg (2 * x - 1)). lra. Qed.

(** AM-GM of three: products of an interval with a, b, c words. *)
Theorem am_gm_three : forall a b c, 0 <= a -> 0 <= b -> 0 <= c ->
  27 * (a * b * c) <= (a + b + c) * (a + b + c) * (a + b + c).
Proof.
  intros a b c ha hb hc.
  assert (0 <= a * ((b - c) * (b - c))) by (apply Rmult_le_pos; [lra|apply sq_nonneg]).
  assert (0 <= b * ((c - a) * (c - a))) by (apply Rmult_le_pos; [lra|apply sq_nonneg]).
  assert (0 <= c * ((a - b) * (a - b))) by (apply Rmult_le_pos; [lra|apply sq_nonneg]).
  assert (0 <= (a + b + c) * ((a - b) * (a - b) + (b - c) * (b - c) + (c - a) * (c - a))).
  { apply Rmult_le_pos; [lra|]. pose proof (sq_nonneg (a - b)).
    pose proof (sq_nonneg (b - c)). pose proof (sq_nonneg (c - a)). lra. }
  lra.
Qed.

(** Every cache size: s words of each side, 3M - 2s partial pairs, D = d^2. *)
Theorem unified_segment : forall D M s, 0 < D -> 0 <= s <= M ->
  s * s * (s * s + D * (3 * M - 2 * s)) <= M * M * (M * M + D * M).
Proof.
  intros D M s dp [lo hi].
  assert (0 <= (M - s) * (M - s) * (M + 2 * s))
    by (apply Rmult_le_pos; [apply sq_nonneg|lra]).
  assert (ss : s * s <= M * M) by nra.
  assert (s * s * (s * s) <= M * M * (M * M))
    by (apply Rmult_le_compat; try assumption; apply sq_nonneg).
  assert (D * (s * s * (3 * M - 2 * s)) <= D * (M * M * M))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** ** Any algorithm, fast matrix multiplication among them *)

(** An epoch of X words: a rows and b columns with at least d computed entries,
    r and c entries in the other rows and columns. *)
Theorem fmm_epoch : forall d a b r c X B,
  0 < d -> 0 <= a -> 0 <= b -> 0 <= r -> 0 <= c ->
  d * a + r <= X -> d * b + c <= X -> B <= a * b + r + c ->
  d * d * B <= X * X \/ B <= 2 * X.
Proof.
  intros d a b r c X B dp ap bp rp cp rows cols count.
  set (D := d * d). assert (0 < D) by (unfold D; nra).
  assert (rX : r <= X) by nra. assert (cX : c <= X) by nra.
  assert (prod : D * (a * b) <= (X - r) * (X - c)).
  { unfold D. replace (d * d * (a * b)) with ((d * a) * (d * b)) by ring.
    apply Rmult_le_compat; nra. }
  assert (cross : 2 * (r * c) <= X * (r + c)) by nra.
  assert (all : D * B <= X * X + (r + c) * (D - X / 2)) by nra.
  destruct (Rle_lt_dec D (X / 2)) as [big|small].
  - left. assert ((r + c) * (D - X / 2) <= 0) by nra. lra.
  - right. assert ((r + c) * (D - X / 2) <= 2 * X * (D - X / 2)) by nra.
    apply Rmult_le_reg_l with D; [assumption|]. lra.
Qed.

(** ** V stored as part of K *)

Theorem alias_segment : forall d v a b z,
  0 < d -> 0 < v -> 0 <= a -> 0 <= b -> 0 <= z <= a * v ->
  z * b * (d * (d + v)) <= v * ((d * a + z) * (d * b)).
Proof.
  intros d v a b z dp vp ap bp [zp zv].
  assert (0 <= d * b * (d * (a * v - z))) by (apply Rmult_le_pos; nra). lra.
Qed.

(** ** FlashAttention-2's traffic is at least the floor that it attains *)

Theorem flash2_above_floor : forall d v M N a R,
  0 < d -> 0 < v -> 0 < N -> 1 <= a -> a * (d + v) <= M -> N <= R * a ->
  N * N * ((d + v) * (d + v)) <= R * N * (d + v) * M.
Proof.
  intros d v M N a R dp vp np ap fits tiles.
  assert (rp : 0 < R) by nra.
  assert (N * (d + v) <= R * M).
  { apply Rle_trans with (R * a * (d + v)).
    - apply Rmult_le_compat_r; lra.
    - rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
  replace (N * N * ((d + v) * (d + v))) with (N * (d + v) * (N * (d + v))) by ring.
  replace (R * N * (d + v) * M) with (N * (d + v) * (R * M)) by ring.
  apply Rmult_le_compat_l; [nra|assumption].
Qed.
Close Scope R_scope.
