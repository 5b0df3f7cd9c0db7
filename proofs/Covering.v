(*===- Covering.v - The fewest rows and columns that devices must receive -===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* N rows and N columns lie on devices, at most h of each on one. Copies of   *)
(* rows and columns are sent to other devices until every pair meets on one:  *)
(* at least 2 (N - h) copies, for h = N / P that is 2 N (1 - 1 / P).          *)
From Coq Require Import List Arith Bool Lia.
From Ioflor Require Import FiniteSets.
Import ListNotations.

Section Covering.
Variables N h : nat.

(** Items 0 .. N - 1, where each lies, and the copies (item, device) sent. *)
Definition foreign (own : nat -> nat) (p : nat) : list nat :=
  filter (fun i => negb (own i =? p)) (seq 0 N).

(** No device owns more than h. *)
Definition even (own : nat -> nat) : Prop :=
  forall p, length (filter (fun i => own i =? p) (seq 0 N)) <= h.

Definition at_ (own : nat -> nat) (C : list (nat * nat)) (i p : nat) : Prop :=
  own i = p \/ In (i, p) C.

Definition moved (C : list (nat * nat)) (i : nat) : bool :=
  existsb (fun c => fst c =? i) C.

Lemma foreign_many own p : even own -> N - h <= length (foreign own p).
Proof.
  intros e. specialize (e p). pose proof (length_filter_split (fun i => own i =? p) (seq 0 N)).
  rewrite seq_length in H. unfold foreign. lia.
Qed.

Lemma moved_In C i : moved C i = true -> In i (map fst C).
Proof.
  unfold moved. rewrite existsb_exists. intros [c [hc e]].
  apply Nat.eqb_eq in e. subst. now apply in_map.
Qed.

(** Items that are all moved take a copy each. *)
Lemma moved_many C l : NoDup l -> (forall i, In i l -> moved C i = true) ->
  length l <= length C.
Proof.
  intros nd all. rewrite <- (map_length fst C). apply NoDup_incl_length; [assumption|].
  intros i hi. now apply moved_In, all.
Qed.

(** All foreign items came to device p. *)
Lemma gathered own C p : even own ->
  (forall j, j < N -> at_ own C j p) ->
  incl (map (fun j => (j, p)) (foreign own p)) C.
Proof.
  intros e here c hc. apply in_map_iff in hc. destruct hc as [j [<- hj]].
  apply filter_In in hj. destruct hj as [hj ne]. apply in_seq in hj.
  destruct (here j ltac:(lia)) as [eq|]; [|assumption].
  apply negb_true_iff, Nat.eqb_neq in ne. contradiction.
Qed.

Lemma pairs_once (own : nat -> nat) p : NoDup (map (fun j => (j, p)) (foreign own p)).
Proof.
  apply NoDup_map_on; [congruence|]. apply NoDup_filter, seq_NoDup.
Qed.

(** One side: A the copies of this side's items, B of the other's. *)
Lemma one_side ownA ownB A B :
  even ownA -> even ownB ->
  (forall i j, i < N -> j < N -> exists p, at_ ownA A i p /\ at_ ownB B j p) ->
  2 * (N - h) <= length B \/ (N - h <= length A /\ N - h <= length B) \/ N <= length A.
Proof.
  intros eA eB meet.
  pose (U := filter (fun i => negb (moved A i)) (seq 0 N)).
  assert (stay : forall i, In i U -> forall j, j < N -> at_ ownB B j (ownA i)).
  { intros i hi j hj. apply filter_In in hi. destruct hi as [hi um]. apply in_seq in hi.
    destruct (meet i j ltac:(lia) hj) as (p & [<-|hA] & hB); [assumption|].
    exfalso. apply negb_true_iff in um. enough (moved A i = true) by congruence.
    apply existsb_exists. exists (i, p). split; [assumption|]. apply Nat.eqb_refl. }
  assert (inU : forall i, i < N -> ~ In i U -> moved A i = true).
  { intros i hi no. destruct (moved A i) eqn:m; [reflexivity|]. exfalso. apply no.
    apply filter_In. split; [apply in_seq; lia|now rewrite m]. }
  destruct U as [|i0 U'] eqn:eU.
  - right; right. rewrite <- (seq_length N 0) at 1. apply moved_many; [apply seq_NoDup|].
    intros i hi. apply in_seq in hi. apply inU; [lia|easy].
  - pose proof (gathered ownB B (ownA i0) eB (stay i0 (or_introl eq_refl))) as g0.
    pose proof (foreign_many ownB (ownA i0) eB) as m0.
    destruct (forallb (fun i => ownA i =? ownA i0) (i0 :: U')) eqn:same.
    + right; left. split.
      * etransitivity; [apply (foreign_many ownA (ownA i0) eA)|].
        apply moved_many; [apply NoDup_filter, seq_NoDup|]. intros i hi.
        apply filter_In in hi. destruct hi as [hi ne]. apply in_seq in hi.
        apply inU; [lia|]. intros k. rewrite forallb_forall in same.
        apply same in k. rewrite k in ne. discriminate.
      * etransitivity; [exact m0|]. rewrite <- (map_length (fun j => (j, ownA i0))).
        apply NoDup_incl_length; [apply pairs_once|assumption].
    + left. assert (exists i1, In i1 (i0 :: U') /\ ownA i1 <> ownA i0) as (i1 & h1 & ne).
      { clear - same. induction (i0 :: U') as [|x l IH]; [discriminate|].
        cbn in same. destruct (Nat.eqb_spec (ownA x) (ownA i0)) as [e|e].
        - destruct (IH same) as (i1 & hi & ne). exists i1. split; [now right|assumption].
        - exists x. split; [now left|assumption]. }
      pose proof (gathered ownB B (ownA i1) eB (stay i1 h1)) as g1.
      pose proof (foreign_many ownB (ownA i1) eB) as m1.
      pose (both := map (fun j => (j, ownA i0)) (foreign ownB (ownA i0)) ++
                    map (fun j => (j, ownA i1)) (foreign ownB (ownA i1))).
      assert (length both <= length B).
      { apply NoDup_incl_length.
        - apply NoDup_concat; try apply pairs_once.
          intros c c0 c1. apply in_map_iff in c0, c1.
          destruct c0 as [? [<- _]], c1 as [? [[=] _]]. congruence.
        - intros c hc. apply in_app_iff in hc. destruct hc; auto. }
      unfold both in H. rewrite app_length, !map_length in H. lia.
Qed.

Theorem covering_minimum : forall ownRow ownCol rows cols,
  even ownRow -> even ownCol ->
  (forall i j, i < N -> j < N -> exists p, at_ ownRow rows i p /\ at_ ownCol cols j p) ->
  2 * (N - h) <= length rows + length cols.
Proof.
  intros ownRow ownCol rows cols eR eC meet.
  destruct (one_side ownRow ownCol rows cols eR eC meet) as [h1|[h1|h1]]; [lia|lia|].
  destruct (one_side ownCol ownRow cols rows eC eR) as [h2|[h2|h2]]; try lia.
  intros i j hi hj. destruct (meet j i hj hi) as (p & a & b). eauto.
Qed.
End Covering.
