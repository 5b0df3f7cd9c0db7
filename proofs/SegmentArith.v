(*===- SegmentArith.v - The arithmetic of the segment lemma ---------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* Over natural numbers, without division: X words give at most phi(X)        *)
(* completed pairs or products. Letters as in SegmentLemma.v: a full rows of  *)
(* Q, b of K, p pair-private words, v words of V, z touched outputs, n pairs, *)
(* T products.                                                                *)
From Coq Require Import Arith Lia Psatz.

Lemma am_gm_nat (x y : nat) : 4 * (x * y) <= (x + y) * (x + y).
Proof.
  destruct (Nat.le_ge_cases x y) as [c|c];
    [replace y with (x + (y - x)) by lia | replace x with (y + (x - y)) by lia]; nia.
Qed.

Lemma square_le (x y : nat) : x * x <= y * y -> x <= y.
Proof.
  intros h. destruct (Nat.le_gt_cases x y) as [ok|bad]; [exact ok|].
  assert (y * y < x * x) by (apply Nat.mul_lt_mono; exact bad). lia.
Qed.

(** Theorem A's phi: max(X^2 / (4 d^2), X). *)
Theorem segment_pairs : forall d a b p n X : nat,
  d * (a + b) + p <= X -> n <= a * b + p -> 4 * (d * d) * n <= X * X \/ n <= X.
Proof.
  intros d a b p n X words pairs.
  destruct (Nat.le_gt_cases n X) as [|big]; [now right|]. left.
  assert (exists Y, X = Y + p /\ d * (a + b) <= Y) as (Y & -> & rows)
    by (exists (X - p); lia).
  assert (ab : Y < a * b) by lia.
  assert (amgm : 4 * (d * d) * (a * b) <= Y * Y).
  { apply Nat.le_trans with (d * (a + b) * (d * (a + b)));
      [|now apply Nat.mul_le_mono].
    pose proof (am_gm_nat a b).
    replace (d * (a + b) * (d * (a + b))) with (d * d * ((a + b) * (a + b))) by ring.
    replace (4 * (d * d) * (a * b)) with (d * d * (4 * (a * b))) by ring.
    now apply Nat.mul_le_mono_l. }
  assert (small : 4 * (d * d) <= Y \/ Y = 0).
  { destruct (Nat.eq_dec Y 0) as [|ne]; [now right|]. left.
    apply Nat.mul_le_mono_pos_r with Y; [lia|].
    apply Nat.le_trans with (4 * (d * d) * (a * b)); [|exact amgm].
    apply Nat.mul_le_mono_l. lia. }
  apply Nat.le_trans with (4 * (d * d) * (a * b) + 4 * (d * d) * p).
  { rewrite <- Nat.mul_add_distr_l. now apply Nat.mul_le_mono_l. }
  destruct small as [small| ->].
  - assert (4 * (d * d) * p <= Y * p) by now apply Nat.mul_le_mono_r.
    replace ((Y + p) * (Y + p)) with (Y * Y + Y * p + p * Y + p * p) by ring. lia.
  - assert (d = 0) as -> by nia. lia.
Qed.

(** 27 y r^2 <= 4 (y + r)^3: the product is largest at y = r / 2. *)
Lemma cubic_peak (y r : nat) :
  27 * (y * (r * r)) <= 4 * ((y + r) * (y + r) * (y + r)).
Proof.
  (* the difference is (r - 2 y)^2 (4 r + y) *)
  destruct (Nat.le_ge_cases (2 * y) r) as [c|c].
  - replace r with (2 * y + (r - 2 * y)) by lia. generalize (r - 2 * y). intros e. nia.
  - assert (exists e, 2 * y = r + e) as (e & he) by (exists (2 * y - r); lia).
    assert (8 * (27 * (y * (r * r))) <= 8 * (4 * ((y + r) * (y + r) * (y + r)))).
    { replace (8 * (27 * (y * (r * r)))) with (108 * ((2 * y) * (r * r))) by ring.
      replace (8 * (4 * ((y + r) * (y + r) * (y + r))))
        with (4 * ((2 * y + 2 * r) * (2 * y + 2 * r) * (2 * y + 2 * r))) by ring.
      rewrite he. nia. }
    lia.
Qed.

Section Products.
Variables d dv a b p v z n T X : nat.
Hypothesis words : d * (a + b) + p + v + z <= X.
Hypothesis pairs : n <= a * b + p.
Hypothesis trivial : T <= n * dv.
Hypothesis loomisWhitney : T * T <= n * (v * z).

(** The words apart: Y of Q, K and pair-private; R others. *)
Lemma parted : exists Y R, X = Y + R /\ d * (a + b) + p <= Y /\ 4 * (v * z) <= R * R.
Proof.
  exists (d * (a + b) + p), (X - (d * (a + b) + p)). repeat split; try lia.
  apply Nat.le_trans with ((v + z) * (v + z)); [apply am_gm_nat|].
  apply Nat.mul_le_mono; lia.
Qed.

Lemma by_full_rows Y R :
  4 * (v * z) <= R * R -> 4 * (d * d) * n <= Y * Y -> 4 * (d * T) <= Y * R.
Proof.
  intros hr hn. apply square_le.
  replace (4 * (d * T) * (4 * (d * T))) with (16 * (d * d) * (T * T)) by ring.
  apply Nat.le_trans with (16 * (d * d) * (n * (v * z))).
  { now apply Nat.mul_le_mono_l. }
  replace (16 * (d * d) * (n * (v * z))) with ((4 * (d * d) * n) * (4 * (v * z))) by ring.
  replace (Y * R * (Y * R)) with ((Y * Y) * (R * R)) by ring.
  now apply Nat.mul_le_mono.
Qed.

Lemma by_private Y R :
  4 * (v * z) <= R * R -> n <= Y -> X = Y + R ->
  27 * (T * T) <= X * X * X /\ T <= dv * X.
Proof.
  intros hr hn ->. split.
  - assert (4 * (27 * (T * T)) <= 4 * ((Y + R) * (Y + R) * (Y + R))); [|lia].
    eapply Nat.le_trans; [|apply cubic_peak].
    replace (4 * (27 * (T * T))) with (27 * (4 * (T * T))) by ring.
    apply Nat.mul_le_mono_l.
    apply Nat.le_trans with (4 * (n * (v * z))); [lia|].
    replace (4 * (n * (v * z))) with (n * (4 * (v * z))) by ring.
    now apply Nat.mul_le_mono.
  - apply Nat.le_trans with (n * dv); [assumption|]. rewrite Nat.mul_comm.
    apply Nat.mul_le_mono_l. lia.
Qed.

(** Lemma 1 for d_v >= d (true for any d_v): T <= max(X^2/(16 d),
    X^(3/2)/(3 sqrt 3)). *)
Theorem segment_products_wide : 16 * (d * T) <= X * X \/ 27 * (T * T) <= X * X * X.
Proof.
  destruct parted as (Y & R & eX & rows & hr).
  destruct (segment_pairs d a b p n Y rows pairs) as [full|private].
  - left. pose proof (by_full_rows Y R hr full). subst X.
    pose proof (am_gm_nat Y R). lia.
  - right. now apply (by_private Y R).
Qed.

(** Lemma 1 for d_v <= d: T <= max(d_v X^2 / (4 (d + d_v)^2),
    min(d_v X, X^(3/2)/(3 sqrt 3))). *)
Theorem segment_products_narrow : 0 < d -> dv <= d ->
  4 * ((d + dv) * (d + dv)) * T <= dv * (X * X) \/
  (27 * (T * T) <= X * X * X /\ T <= dv * X).
Proof.
  intros dpos narrow. destruct parted as (Y & R & eX & rows & hr).
  destruct (segment_pairs d a b p n Y rows pairs) as [full|private];
    [left|right; now apply (by_private Y R)].
  pose proof (by_full_rows Y R hr full) as lw.
  assert (tr : 4 * (d * d) * T <= dv * (Y * Y)).
  { apply Nat.le_trans with (4 * (d * d) * (n * dv)).
    - now apply Nat.mul_le_mono_l.
    - replace (4 * (d * d) * (n * dv)) with (dv * (4 * (d * d) * n)) by ring.
      now apply Nat.mul_le_mono_l. }
  destruct (Nat.le_gt_cases ((d + dv) * Y) (X * d)) as [low|high].
  - (* few rows: every pair gives at most d_v products *)
    apply Nat.mul_le_mono_pos_l with (d * d); [nia|].
    replace (d * d * (4 * ((d + dv) * (d + dv)) * T))
      with ((d + dv) * (d + dv) * (4 * (d * d) * T)) by ring.
    apply Nat.le_trans with ((d + dv) * (d + dv) * (dv * (Y * Y))).
    { now apply Nat.mul_le_mono_l. }
    replace ((d + dv) * (d + dv) * (dv * (Y * Y)))
      with (dv * (((d + dv) * Y) * ((d + dv) * Y))) by ring.
    replace (d * d * (dv * (X * X))) with (dv * ((X * d) * (X * d))) by ring.
    apply Nat.mul_le_mono_l. now apply Nat.mul_le_mono.
  - (* many rows: Loomis-Whitney, past its peak *)
    apply Nat.mul_le_mono_pos_l with d; [assumption|].
    replace (d * (4 * ((d + dv) * (d + dv)) * T))
      with ((d + dv) * (d + dv) * (4 * (d * T))) by ring.
    apply Nat.le_trans with ((d + dv) * (d + dv) * (Y * R)).
    { now apply Nat.mul_le_mono_l. }
    replace (d * (dv * (X * X))) with ((X * d) * (X * dv)) by ring.
    replace ((d + dv) * (d + dv) * (Y * R)) with (((d + dv) * Y) * ((d + dv) * R)) by ring.
    assert (sum : (d + dv) * Y + (d + dv) * R = X * d + X * dv) by (subst X; ring).
    assert (X * dv <= X * d) by now apply Nat.mul_le_mono_l.
    revert high sum H. generalize ((d + dv) * Y) as u, ((d + dv) * R) as w.
    generalize (X * d) as s, (X * dv) as t. intros s t u w. clear. intros high sum le.
    assert (exists e, u = s + e /\ t = w + e) as (e & -> & ->)
      by (exists (u - s); lia).
    nia.
Qed.
End Products.
