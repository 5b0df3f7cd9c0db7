(*===- Flow.v - What the output needs was computed ------------------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* A product that is part of an output word in slow memory was done by some   *)
(* processor in a residency that pays, unless it was there at the start.      *)
From Coq Require Import List Arith Bool Lia.
From Ioflor Require Import FiniteSets LoomisWhitney SegmentLemma Machine Residency.
Import ListNotations.

Section Flow.
Variables d M : nat.
Notation lstep := (lstep d).
Notation run := (run d M).
Notation hits := (hits d).

Lemma proj_cons p q x tr :
  proj p ((q, x) :: tr) = if q =? p then x :: proj p tr else proj p tr.
Proof. unfold proj. cbn. destruct (q =? p); reflexivity. Qed.

Definition inSlow i j l S := exists s, In (WO i l s) S /\ In j s.

Theorem output_is_computed : forall F S tr S', run F S tr S' ->
  forall i j l, inSlow i j l S' ->
  inSlow i j l S \/
  (exists p s, In (WO i l s) (F p) /\ In j s /\ pays i l (proj p tr) = true) \/
  (exists p, hits (F p) (proj p tr) [] (i, j, l)).
Proof.
  induction 1 as [|F S p o f S1 tr S2 ls len ss r IH]; intros i j l hin; [now left|].
  destruct (IH i j l hin) as [(s & hs & hj)|[(q & s & hs & hj & pay)|(q & h)]].
  - (* in slow memory after the step *)
    destruct ss as [w hw|w hw|w|]; try (left; exists s; now split).
    destruct hs as [->|hs]; [|left; exists s; now split].
    cbn in hw. destruct hw as [[s1 h1] all]. destruct (all j hj) as (s0 & h0 & [hf|hS]).
    + right; left. exists p, s0. split; [assumption|]. split; [assumption|].
      rewrite proj_cons, Nat.eqb_refl. cbn. now rewrite !Nat.eqb_refl.
    + left. now exists s0.
  - (* in a fast memory after the step *)
    unfold update in hs. destruct (Nat.eqb_spec q p) as [e|ne].
    2:{ right; left. exists q, s. rewrite proj_cons.
        destruct (Nat.eqb_spec p q); [congruence|]. auto. }
    subst q.
    assert (was : forall s0, In (WO i l s0) (F p) -> In j s0 ->
              exists p0 s1, In (WO i l s1) (F p0) /\ In j s1 /\
                pays i l (proj p0 ((p, (o, f)) :: tr)) = true).
    { intros s0 h0 j0. exists p, s0. split; [assumption|]. split; [assumption|].
      rewrite proj_cons, Nat.eqb_refl. now apply (pays_back _ _ _ _ _ s). }
    remember (F p) as g eqn:eg.
    destruct ls as [g w|g w|g g' i0 j0 s0 ops sub|g g' i0 l0 s0 ops sub|g g' sub].
    + destruct hs as [->|hs]; [|right; left; eauto].
      inversion ss; subst. left. now exists s.
    + right; left; eauto.
    + destruct hs as [[=]|hs]. right; left; eauto.
    + destruct hs as [[= -> -> ->]|hs]; [|right; left; eauto].
      destruct (ops j hj) as [(s1 & h1 & j1)|pr]; [right; left; eauto|].
      right; right. exists p. rewrite proj_cons, Nat.eqb_refl. left.
      exists s. rewrite app_nil_r. rewrite <- eg. auto.
    + right; left; eauto.
  - (* done later *)
    right; right. exists q. rewrite proj_cons. unfold update in h.
    rewrite (Nat.eqb_sym q p) in h.
    destruct (Nat.eqb_spec p q) as [e|ne]; [|assumption]. now right.
Qed.

(** Cold: fast memories are empty and no private word in slow memory holds
    anything. *)
Definition cold (F : nat -> list word) (S : list word) : Prop :=
  (forall p, F p = []) /\ forall w, In w S -> blank w.

(** At the end every output O_il (l < dv) of a required pair (i, j) in E is in
    slow memory, and the product of the pair is part of it. *)
Definition computes (E : list (nat * nat)) (dv : nat) (S : list word) : Prop :=
  forall i j l, In (i, j) E -> l < dv -> inSlow i j l S.

Lemma cold_computes F S tr S' E dv :
  run F S tr S' -> cold F S -> computes E dv S' ->
  forall i j l, In (i, j) E -> l < dv -> exists p, hits [] (proj p tr) [] (i, j, l).
Proof.
  intros r [empty clean] comp i j l hE hl.
  destruct (output_is_computed _ _ _ _ r i j l (comp i j l hE hl))
    as [(s & h & hj)|[(p & s & h & _)|(p & h)]].
  - apply clean in h. cbn in h. now subst s.
  - now rewrite empty in h.
  - exists p. now rewrite empty in h.
Qed.
End Flow.
