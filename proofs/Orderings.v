(*===- Orderings.v - Orders between floors and reference traffic ----------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* Words, over the reals: N rows of Q, K and V with d columns, M words of     *)
(* fast memory. These are facts about the formulas; that a formula is a floor *)
(* of every kernel is TheoremA.v, TheoremB.v and Scans.v.                     *)
From Coq Require Import Reals Lra Psatz ZArith.
Open Scope R_scope.

(** The pinned floor of exact attention, the traffic quoted for FlashAttention,
    naive attention, and the scan of Q, K and V. *)
Definition exactFloor N d M := N * N * (d * d) / (2 * M).
Definition flash N d M := N * N * (d * d) / M.
Definition naive N d := 2 * (N * N) + 3 * (N * d).
Definition scan N d := 3 * (N * d).

Section Exact.
Variables N d M : R.
Hypothesis sizes : 0 < N /\ 0 < d /\ 0 < M.

Lemma square_pos : 0 < N * N * (d * d).
Proof. assert (0 < N * N) by nra. assert (0 < d * d) by nra. nra. Qed.

Theorem exact_floor_positive : 0 < exactFloor N d M.
Proof. pose proof square_pos. unfold exactFloor. apply Rdiv_lt_0_compat; lra. Qed.

Theorem flash_is_twice_the_floor : flash N d M = 2 * exactFloor N d M.
Proof. unfold flash, exactFloor. field. lra. Qed.

Theorem exact_floor_le_flash : exactFloor N d M <= flash N d M.
Proof. rewrite flash_is_twice_the_floor. pose proof exact_floor_positive. lra. Qed.

Theorem flash_le_naive : d * d <= M -> flash N d M <= naive N d.
Proof.
  intros gate. unfold flash, naive. apply Rmult_le_reg_r with M; [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (0 < N * N) by nra. assert (N * N * (d * d) <= N * N * M) by nra.
  assert (0 < N * d * M) by (assert (0 < N * d) by nra; nra). nra.
Qed.

Theorem exact_floor_le_naive : d * d <= M -> exactFloor N d M <= naive N d.
Proof.
  intros. apply Rle_trans with (flash N d M);
    [apply exact_floor_le_flash|now apply flash_le_naive].
Qed.

(** A claim below the floor, without division. *)
Theorem claim_below_floor : forall T,
  T < exactFloor N d M <-> 2 * M * T < N * N * (d * d).
Proof.
  intros T. unfold exactFloor. split; intros h.
  - apply Rmult_lt_compat_r with (r := 2 * M) in h; [|lra].
    unfold Rdiv in h. rewrite Rmult_assoc, Rinv_l in h by lra. lra.
  - apply Rmult_lt_reg_r with (2 * M); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** ** Approximate attention: it still reads its inputs. *)

Theorem scan_below_exact_floor :
  scan N d <= exactFloor N d M <-> 6 * M <= N * d.
Proof.
  unfold scan, exactFloor.
  assert (e : N * N * (d * d) / (2 * M) = N * d * (N * d / (2 * M))) by (field; lra).
  assert (0 < N * d) by nra. rewrite e.
  assert (h : N * d / (2 * M) * (2 * M) = N * d) by (field; lra).
  split; intros k.
  - assert (3 <= N * d / (2 * M)) by nra. nra.
  - assert (3 <= N * d / (2 * M)) by nra. nra.
Qed.

Theorem flash_below_scan : flash N d M < scan N d <-> N * d < 3 * M.
Proof.
  unfold scan, flash.
  assert (e : N * N * (d * d) / M = N * d * (N * d / M)) by (field; lra).
  assert (0 < N * d) by nra. rewrite e.
  assert (h : N * d / M * M = N * d) by (field; lra).
  split; intros k.
  - assert (N * d / M < 3) by nra. nra.
  - assert (N * d / M < 3) by nra. nra.
Qed.

(** With the stores of O: 4 N d. *)
Theorem exact_floor_below_scan_and_stores :
  exactFloor N d M < 4 * (N * d) <-> N * d < 8 * M.
Proof.
  unfold exactFloor.
  assert (e : N * N * (d * d) / (2 * M) = N * d * (N * d / (2 * M))) by (field; lra).
  assert (0 < N * d) by nra. rewrite e.
  assert (h : N * d / (2 * M) * (2 * M) = N * d) by (field; lra).
  split; intros k.
  - assert (N * d / (2 * M) < 4) by nra. nra.
  - assert (N * d / (2 * M) < 4) by nra. nra.
Qed.
End Exact.

(** The three orders at once: where the exact floor is in force and approximation
    pays, scan <= floor <= flash <= naive. *)
Theorem approx_attention_io_floor_ordering : forall N d M,
  0 < N /\ 0 < d /\ 0 < M -> d * d <= M -> 6 * M <= N * d ->
  scan N d <= exactFloor N d M /\ exactFloor N d M <= flash N d M /\
  flash N d M <= naive N d.
Proof.
  intros N d M s g r. split; [now apply scan_below_exact_floor|].
  split; [now apply exact_floor_le_flash|now apply flash_le_naive].
Qed.

Theorem exact_floor_antitone_in_M : forall N d M M',
  0 < M -> M <= M' -> exactFloor N d M' <= exactFloor N d M.
Proof.
  intros N d M M' pos le. unfold exactFloor, Rdiv.
  assert (/ (2 * M') <= / (2 * M)) by (apply Rinv_le_contravar; lra).
  assert (0 <= N * N * (d * d)) by (assert (0 <= N * N) by nra; nra). nra.
Qed.

Theorem exact_floor_monotone : forall N d N' d' M,
  0 < M -> 0 <= N <= N' -> 0 <= d <= d' -> exactFloor N d M <= exactFloor N' d' M.
Proof.
  intros N d N' d' M pos n e. unfold exactFloor, Rdiv.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  assert (N * d <= N' * d') by nra. assert (0 <= N * d) by nra.
  replace (N * N * (d * d)) with ((N * d) * (N * d)) by ring.
  replace (N' * N' * (d' * d')) with ((N' * d') * (N' * d')) by ring. nra.
Qed.

(** Floors of different words or resources are composed by the maximum. *)
Theorem max_of_floors : forall T f g, f <= T -> g <= T -> Rmax f g <= T.
Proof. intros. now apply Rmax_lub. Qed.

(** The floor that is shown, E d^2 / (2 M), is at most Theorem A's. *)
Theorem saha_ye_below_theorem_A : forall E d M,
  0 <= E -> 0 < M -> d * d <= M ->
  E * (d * d) / (2 * M) <= E * Rmin (d * d / M) (1 / 2).
Proof.
  intros E d M e m gate.
  replace (E * (d * d) / (2 * M)) with (E * (d * d / M / 2)) by (field; lra).
  assert (h : d * d / M * M = d * d) by (field; lra).
  assert (0 <= d * d) by nra.
  assert (0 <= d * d / M) by nra. assert (d * d / M <= 1) by nra.
  apply Rmult_le_compat_l; [assumption|]. apply Rmin_glb; lra.
Qed.

(** With a warm fast memory and M >= 2 d^2 the shown floor still holds when the
    scan does: a run reads at least E d^2/M - M and at least (n_q + n_k) d. For
    d^2 <= M < 2 d^2 that is not so: see [warm_max_needs_2dd]. *)
Theorem warm_max : forall E d M nq nk T,
  0 < d -> 2 * (d * d) <= M -> 0 <= nq -> 0 <= nk -> 0 <= E <= nq * nk ->
  (nq + nk) * d <= T -> E * (d * d) / M - M <= T -> E * (d * d) / (2 * M) <= T.
Proof.
  intros E d M nq nk T dp gate q k [e0 e1] scanned warm.
  assert (0 < d * d) by nra. assert (mp : 0 < M) by lra.
  set (y := E * (d * d) / (2 * M)).
  assert (hy : 2 * M * y = E * (d * d)) by (unfold y; field; lra).
  replace (E * (d * d) / M) with (2 * y) in warm by (unfold y; field; lra).
  assert (0 <= y) by (assert (0 <= E * (d * d)) by nra; nra).
  destruct (Rlt_le_dec y M) as [small|large]; [|lra].
  (* y^2 <= M y = E d^2 / 2 <= ((n_q + n_k) d)^2 *)
  apply Rle_trans with ((nq + nk) * d); [|assumption].
  assert (y * y <= M * y) by nra.
  assert (e2 : E <= (nq + nk) * (nq + nk)) by nra.
  assert (0 <= (nq + nk) * d) by nra.
  assert (E * (d * d) <= (nq + nk) * (nq + nk) * (d * d)) by nra.
  apply Rnot_lt_le. intros bad. nra.
Qed.

(** At M = d^2 the two bounds on a warm run do not give the shown floor. *)
Theorem warm_max_needs_2dd : exists E d M nq nk T,
  0 < d /\ d * d <= M /\ E <= nq * nk /\ (nq + nk) * d <= T /\
  E * Rmin (d * d / M) (1 / 2) - M <= T /\ T < E * (d * d) / (2 * M).
Proof.
  exists 100, 1, 1, 10, 10, 49.
  replace (1 * 1 / 1) with 1 by field. rewrite Rmin_right by lra. lra.
Qed.
Close Scope R_scope.
