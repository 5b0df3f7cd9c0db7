(*===- Masks.v - How many score pairs a mask requires ---------------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* The closed forms of E against a count of the pairs. Rows i < n_q see keys  *)
(* j < n_k; the diagonal of row i is column i + off, off = n_k - n_q.         *)
From Coq Require Import List Arith Bool Lia ZArith.
From Ioflor Require Import FiniteSets.
Import ListNotations.

Definition pairs (nq nk : nat) : list (nat * nat) := list_prod (seq 0 nq) (seq 0 nk).

Definition required (see : nat -> nat -> bool) (nq nk : nat) : list (nat * nat) :=
  filter (fun p => see (fst p) (snd p)) (pairs nq nk).

Lemma required_once see nq nk : NoDup (required see nq nk).
Proof. apply NoDup_filter, NoDup_product; apply seq_NoDup. Qed.

(** Keys of row i that it sees. *)
Definition row (see : nat -> nat -> bool) nk i := length (filter (see i) (seq 0 nk)).

Definition sumTo (f : nat -> nat) n := list_sum (map f (seq 0 n)).

Lemma sumTo_S f n : sumTo f (S n) = sumTo f n + f n.
Proof. unfold sumTo. rewrite seq_S, map_app, list_sum_app. cbn. lia. Qed.

Lemma required_rows see nq nk : length (required see nq nk) = sumTo (row see nk) nq.
Proof.
  unfold required, pairs, sumTo. generalize (seq 0 nq). intros l.
  induction l as [|i l IH]; cbn; [reflexivity|].
  rewrite filter_app, app_length, IH. f_equal. unfold row.
  generalize (seq 0 nk). intros ks. induction ks as [|k ks IHk]; cbn; [reflexivity|].
  destruct (see i k); cbn; now rewrite IHk.
Qed.

(** The keys k with a <= k < b. *)
Lemma count_interval a b n :
  length (filter (fun k => (a <=? k) && (k <? b)) (seq 0 n)) = Nat.min b n - a.
Proof.
  induction n as [|n IH]; [cbn; lia|]. rewrite seq_S, filter_app, app_length, IH, Nat.add_0_l.
  cbn [filter]. destruct (Nat.leb_spec a n), (Nat.ltb_spec n b); cbn [andb length]; lia.
Qed.

Lemma row_interval see nk i a b :
  (forall j, see i j = ((a <=? j) && (j <? b))) -> row see nk i = Nat.min b nk - a.
Proof.
  intros h. unfold row. rewrite <- count_interval. f_equal. now apply filter_ext.
Qed.

Definition all (i j : nat) : bool := true.
Definition causal (off i j : nat) : bool := j <=? i + off.
Definition topLeft (i j : nat) : bool := j <=? i.
(** The last w keys up to and with the diagonal. *)
Definition window (off w i j : nat) : bool := (j <=? i + off) && (i + off <? j + w).
(** At most w away from the diagonal. *)
Definition band (off w i j : nat) : bool := (j <=? i + off + w) && (i + off <=? j + w).

Lemma sumTo_ext f g n : (forall i, i < n -> f i = g i) -> sumTo f n = sumTo g n.
Proof.
  induction n as [|n IH]; intros h; [reflexivity|]. rewrite !sumTo_S, IH; auto.
Qed.

Lemma sumTo_plus f g n : sumTo (fun i => f i + g i) n = sumTo f n + sumTo g n.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite !sumTo_S, IH. lia. Qed.

Lemma sumTo_shift f n : sumTo f (S n) = f 0 + sumTo (fun i => f (S i)) n.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite sumTo_S, IH, sumTo_S. lia. Qed.

Lemma sumTo_reverse f n : sumTo (fun i => f (n - 1 - i)) n = sumTo f n.
Proof.
  induction n as [|n IH]; [reflexivity|]. rewrite sumTo_shift, sumTo_S, <- IH.
  replace (S n - 1 - 0) with n by lia. rewrite Nat.add_comm. f_equal.
  apply sumTo_ext. intros i h. f_equal. lia.
Qed.

(** Twice the sum of min(w, off + 1 + i), as [twiceWindow] has it. *)
Lemma twice_window w off n :
  let ragged := Nat.min n (w - off - 1) in
  2 * sumTo (fun i => Nat.min w (i + off + 1)) n
  = 2 * ragged * (off + 1) + ragged * (ragged - 1) + 2 * (n - ragged) * w.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn zeta in *.
  rewrite sumTo_S, Nat.mul_add_distr_l, IH.
  destruct (Nat.le_gt_cases (w - off - 1) n) as [far|near].
  - replace (Nat.min n (w - off - 1)) with (w - off - 1) by lia.
    replace (Nat.min (S n) (w - off - 1)) with (w - off - 1) by lia.
    replace (Nat.min w (n + off + 1)) with w by lia.
    replace (S n - (w - off - 1)) with (n - (w - off - 1) + 1) by lia. lia.
  - replace (Nat.min n (w - off - 1)) with n by lia.
    replace (Nat.min (S n) (w - off - 1)) with (S n) by lia.
    replace (Nat.min w (n + off + 1)) with (n + off + 1) by lia.
    replace (S n - S n) with 0 by lia. replace (n - n) with 0 by lia.
    destruct n as [|n]; [lia|]. replace (S (S n) - 1) with (n + 1) by lia.
    replace (S n - 1) with n by lia. clear. lia.
Qed.

Lemma seen_interval (see : nat -> nat -> bool) nk i a b :
  (forall j, see i j = true <-> a <= j < b) -> row see nk i = Nat.min b nk - a.
Proof.
  intros h. apply row_interval. intros j.
  destruct (see i j) eqn:e; [apply h in e|].
  - symmetry. apply andb_true_intro. rewrite Nat.leb_le, Nat.ltb_lt. lia.
  - symmetry. apply not_true_is_false. intros k. apply andb_prop in k.
    rewrite Nat.leb_le, Nat.ltb_lt in k. assert (see i j = true) by (apply h; lia).
    congruence.
Qed.

Theorem full_pairs : forall nq nk, length (required all nq nk) = nq * nk.
Proof.
  intros nq nk. rewrite required_rows.
  rewrite (sumTo_ext _ (fun _ => nk)).
  - induction nq as [|nq IH]; [reflexivity|]. rewrite sumTo_S, IH. lia.
  - intros i _. unfold row, all. clear.
    rewrite <- (seq_length nk 0) at 2. generalize (seq 0 nk). intros l.
    induction l as [|k l IH]; cbn; congruence.
Qed.

(** Causal, bottom-right: 2 E = 2 n_q n_k - n_q (n_q - 1). *)
Theorem causal_pairs : forall nq off,
  2 * length (required (causal off) nq (nq + off)) + nq * (nq - 1)
  = 2 * (nq * (nq + off)).
Proof.
  intros nq off. rewrite required_rows.
  rewrite (sumTo_ext _ (fun i => i + off + 1)).
  - induction nq as [|n IH]; [reflexivity|].
    rewrite sumTo_S. destruct n as [|n]; [cbn; lia|].
    replace (S (S n) - 1) with (S n) by lia. replace (S n - 1) with n in IH by lia. lia.
  - intros i h. rewrite (seen_interval _ _ i 0 (i + off + 1)); [lia|].
    intros j. unfold causal. rewrite Nat.leb_le. lia.
Qed.

(** Causal, top-left: 2 E = m (m + 1) + 2 max(0, n_q - n_k) n_k, m = min(n_q, n_k). *)
Theorem top_left_pairs : forall nq nk,
  let m := Nat.min nq nk in
  2 * length (required topLeft nq nk) = m * (m + 1) + 2 * (nq - nk) * nk.
Proof.
  intros nq nk. cbn zeta. rewrite required_rows.
  rewrite (sumTo_ext _ (fun i => Nat.min (i + 1) nk)).
  - induction nq as [|n IH]; [reflexivity|]. rewrite sumTo_S.
    rewrite Nat.mul_add_distr_l, IH. destruct (Nat.le_gt_cases nk n).
    + rewrite !Nat.min_r by lia. replace (S n - nk) with (n - nk + 1) by lia. ring.
    + rewrite !Nat.min_l by lia. replace (S n - nk) with 0 by lia.
      replace (n - nk) with 0 by lia. ring.
  - intros i h. rewrite (seen_interval _ _ i 0 (i + 1)); [lia|].
    intros j. unfold topLeft. rewrite Nat.leb_le. lia.
Qed.

(** A window of w >= 1 keys, n_k = n_q + off. *)
Theorem window_pairs : forall nq off w, 1 <= w ->
  let ragged := Nat.min nq (w - off - 1) in
  2 * length (required (window off w) nq (nq + off))
  = 2 * ragged * (off + 1) + ragged * (ragged - 1) + 2 * (nq - ragged) * w.
Proof.
  intros nq off w pos. cbn zeta. rewrite required_rows, <- twice_window. f_equal.
  apply sumTo_ext. intros i h.
  rewrite (seen_interval _ _ i (i + off + 1 - w) (i + off + 1)); [lia|].
  intros j. unfold window. rewrite andb_true_iff, Nat.leb_le, Nat.ltb_lt. lia.
Qed.

(** Twice the sum of min(w, i). *)
Lemma twice_capped w n : 1 <= n ->
  2 * sumTo (Nat.min w) n
  = Nat.min w (n - 1) * (Nat.min w (n - 1) + 1) + 2 * (n - 1 - Nat.min w (n - 1)) * w.
Proof.
  intros pos. destruct n as [|n]; [lia|]. replace (S n - 1) with n by lia. clear pos.
  induction n as [|n IH]; [rewrite sumTo_S; change (sumTo (Nat.min w) 0) with 0; lia|].
  rewrite sumTo_S, Nat.mul_add_distr_l, IH. destruct (Nat.le_gt_cases w n).
  - replace (Nat.min w n) with w by lia. replace (Nat.min w (S n)) with w by lia.
    replace (S n - w) with (n - w + 1) by lia. lia.
  - replace (Nat.min w n) with n by lia. replace (Nat.min w (S n)) with (S n) by lia.
    replace (S n - S n) with 0 by lia. replace (n - n) with 0 by lia. lia.
Qed.

(** A symmetric window: w keys on each side of the diagonal. *)
Theorem symmetric_window_pairs : forall nq off w, 1 <= nq ->
  let ragged := Nat.min nq (w + 1 - off - 1) in
  let a := Nat.min w (nq - 1) in
  2 * length (required (band off w) nq (nq + off))
  = 2 * ragged * (off + 1) + ragged * (ragged - 1) + 2 * (nq - ragged) * (w + 1)
    + a * (a + 1) + 2 * (nq - 1 - a) * w.
Proof.
  intros nq off w pos. cbn zeta. rewrite required_rows.
  rewrite (sumTo_ext _ (fun i => Nat.min (w + 1) (i + off + 1) + Nat.min w (nq - 1 - i))).
  - rewrite sumTo_plus, Nat.mul_add_distr_l, twice_window.
    rewrite (sumTo_reverse (Nat.min w)), twice_capped by assumption. lia.
  - intros i h.
    rewrite (seen_interval _ _ i (i + off - w) (i + off + w + 1)); [lia|].
    intros j. unfold band. rewrite andb_true_iff, !Nat.leb_le. lia.
Qed.
