(*===- TheoremA.v - The floor of Q and K ----------------------------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* Reads of Q, K and spilled pair-private words are at least                  *)
(* E min(d^2 / M, 1/2), from a cold start, for any set E of required pairs    *)
(* (any mask; rows of all batches and heads numbered apart), with             *)
(* recomputation, spilling and any number of processors. No additive loss.    *)
From Coq Require Import List Arith Bool Lia Psatz.
From Ioflor Require Import FiniteSets LoomisWhitney SegmentLemma SegmentArith Machine
  Residency Flow Segments Processors.
Import ListNotations.

Section TheoremA.
Variables d M : nat.
Notation lrun := (lrun d M).
Notation hits := (hits d).

(** One product of each pair stands for the pair. *)
Definition first (t : triple) : Prop := snd t = 0.

Lemma interval_pairs f tr rest T :
  lrun f (tr ++ rest) -> NoDup T ->
  (forall t, In t T -> first t /\ hits f tr rest t) ->
  let X := count isQKP f + count isQKP (events f tr rest) in
  4 * (d * d) * length T <= X * X \/ length T <= X.
Proof.
  intros lr nd h X. pose (D := f ++ events f tr rest).
  destruct (ready_pairs d D (map fst T)) as (N & a & b & p & lenN & words & _ & into).
  apply (segment_pairs d a b p).
  - unfold D in words. now rewrite count_app in words.
  - rewrite <- lenN. apply (length_le_image (fst : triple -> nat * nat)); auto.
    + intros [x l] [y l'] hx hy e. apply h in hx, hy. destruct hx as [hx _], hy as [hy _].
      unfold first in *. cbn in *. congruence.
    + intros [[i j] l] ht. apply into.
      * apply in_map_iff. now exists (i, j, l).
      * apply h in ht. destruct ht as [_ ht].
        apply (interval_provides d M tr f rest f lr) in ht; [now destruct ht|].
        apply provides_start.
Qed.

(** One processor, from any start: large fast memory. *)
Lemma processor_large f tr T :
  2 * (d * d) <= M -> lrun f tr -> length f <= M -> NoDup T ->
  (forall t, In t T -> first t /\ hits f tr [] t) ->
  2 * (d * d) * length T <= M * (count isQKP f + 2 * ltally (readsOf isQKP) tr).
Proof.
  intros big lr len nd h.
  destruct (Nat.eq_dec M 0) as [z|nz]; [assert (d = 0) as -> by nia; lia|].
  pose proof (segments d M M (2 * (d * d)) M isQKP first ltac:(lia)) as cut.
  specialize (cut ltac:(
    intros g u rest U lr' fits few ndU hU;
    pose proof (interval_pairs g u rest U lr' ndU hU) as lemma; cbn in lemma;
    pose proof (count_le_length isQKP g);
    set (X := count isQKP g + count isQKP (events g u rest)) in *;
    assert (X <= 2 * M) by (unfold X; lia); clearbody X;
    destruct lemma as [quad|lin];
    [ assert (X * X <= 2 * M * X) by (apply Nat.mul_le_mono_r; lia); lia
    | apply Nat.le_trans with (2 * (d * d) * X);
      [now apply Nat.mul_le_mono_l|now apply Nat.mul_le_mono_r]])).
  specialize (cut tr f T lr len nd h). rewrite events_QKP in cut.
  apply Nat.mul_le_mono_pos_l with M; [lia|].
  replace (M * (2 * (d * d) * length T)) with (2 * (d * d) * M * length T) by ring.
  eapply Nat.le_trans; [exact cut|]. apply Nat.eq_le_incl. ring.
Qed.

(** One processor, from any start: small fast memory. *)
Lemma processor_small f tr T :
  0 < M -> M <= 2 * (d * d) -> lrun f tr -> length f <= M -> NoDup T ->
  (forall t, In t T -> first t /\ hits f tr [] t) ->
  length T <= count isQKP f + 2 * ltally (readsOf isQKP) tr.
Proof.
  intros pos small lr len nd h.
  pose proof (segments d M M 1 1 isQKP first pos) as cut.
  specialize (cut ltac:(
    intros g u rest U lr' fits few ndU hU;
    pose proof (interval_pairs g u rest U lr' ndU hU) as lemma; cbn in lemma;
    pose proof (count_le_length isQKP g);
    set (X := count isQKP g + count isQKP (events g u rest)) in *;
    assert (X <= 2 * M) by (unfold X; lia); clearbody X;
    rewrite !Nat.mul_1_l;
    destruct lemma as [quad|lin]; [|exact lin];
    assert (X * X <= 4 * (d * d) * X) by (apply Nat.mul_le_mono_r; lia);
    assert (4 * (d * d) * length U <= 4 * (d * d) * X) by lia;
    apply Nat.mul_le_mono_pos_l with (4 * (d * d)); [lia|assumption])).
  specialize (cut tr f T lr len nd h). rewrite events_QKP in cut.
  apply Nat.mul_le_mono_pos_l with M; [lia|].
  replace (M * length T) with (1 * M * length T) by ring.
  eapply Nat.le_trans; [exact cut|]. apply Nat.eq_le_incl. ring.
Qed.

Variables (F : nat -> list word) (S S' : list word) (tr : trace).
Variables (E : list (nat * nat)) (dv : nat).
Hypothesis once : NoDup E.
Hypothesis outputs : 0 < dv.
Hypothesis runs : run d M F S tr S'.
Hypothesis start : cold F S.
Hypothesis finish : computes E dv S'.

(** Words of Q, of K and private to pairs that are read. *)
Definition readsQK : nat := tally (readsOf isQKP) tr.

Lemma done : forall t, In t (list_prod E [0]) ->
  first t /\ exists p, hits [] (proj p tr) [] t.
Proof.
  intros [[i j] l] h. apply in_prod_iff in h. destruct h as [h [<-|[]]].
  split; [reflexivity|]. apply (cold_computes d M F S tr S' E dv); auto.
Qed.

Lemma all_pairs : NoDup (list_prod E [0]) /\ length (list_prod E [0]) = length E.
Proof.
  split.
  - apply NoDup_product; [assumption|]. repeat constructor. easy.
  - rewrite prod_length. cbn. lia.
Qed.

Lemma local p : lrun [] (proj p tr).
Proof. destruct start as [empty _]. rewrite <- (empty p). now apply run_proj with (1 := runs). Qed.

(** reads >= E d^2 / M for M >= 2 d^2. *)
Theorem theorem_A_large : 2 * (d * d) <= M -> d * d * length E <= M * readsQK.
Proof.
  intros big. destruct all_pairs as [nd len]. rewrite <- len.
  assert (2 * (d * d) * length (list_prod E [0]) <= M * 2 * readsQK).
  { apply (processors_add_up d _ _ _ tr first); [|assumption|exact done].
    intros p T ndT h.
    pose proof (processor_large [] (proj p tr) T big (local p) ltac:(cbn; lia) ndT h).
    cbn [count filter length] in *. unfold count in *. cbn in *. lia. }
  lia.
Qed.

(** reads >= E / 2 for M <= 2 d^2. *)
Theorem theorem_A_small : 0 < M -> M <= 2 * (d * d) -> length E <= 2 * readsQK.
Proof.
  intros pos small. destruct all_pairs as [nd len]. rewrite <- len.
  assert (1 * length (list_prod E [0]) <= 2 * readsQK).
  { apply (processors_add_up d _ _ _ tr first); [|assumption|exact done].
    intros p T ndT h.
    pose proof (processor_small [] (proj p tr) T pos small (local p) ltac:(cbn; lia) ndT h).
    unfold count in *. cbn in *. lia. }
  lia.
Qed.

(** The floor `saha-ye`: reads >= E d^2 / (2 M) for M >= d^2. *)
Theorem saha_ye_floor : d * d <= M -> d * d * length E <= 2 * M * readsQK.
Proof.
  intros gate. destruct (Nat.le_gt_cases (2 * (d * d)) M) as [big|small].
  - pose proof (theorem_A_large big). lia.
  - destruct (Nat.eq_dec M 0) as [z|nz]; [assert (d = 0) as -> by nia; lia|].
    pose proof (theorem_A_small ltac:(lia) ltac:(lia)) as h.
    apply Nat.le_trans with (d * d * (2 * readsQK)); [now apply Nat.mul_le_mono_l|].
    replace (d * d * (2 * readsQK)) with (d * d * 2 * readsQK) by ring.
    apply Nat.mul_le_mono_r. lia.
Qed.
End TheoremA.
