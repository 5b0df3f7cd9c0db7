(*===- Processors.v - Floors add up over processors -----------------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* Each product that counts is done by one processor, and each transfer is    *)
(* one processor's: a bound for each cold processor is a bound for all, with  *)
(* the M of one processor and no loss.                                        *)
From Coq Require Import List Arith Bool Lia.
From Ioflor Require Import FiniteSets LoomisWhitney SegmentLemma Machine Residency Flow.
Import ListNotations.

Definition total (cost : op -> bool) (tr : trace) (ps : list nat) : nat :=
  fold_right (fun p s => ltally cost (proj p tr) + s) 0 ps.

Lemma total_cons cost tr p ps :
  total cost tr (p :: ps) = ltally cost (proj p tr) + total cost tr ps.
Proof. reflexivity. Qed.

Lemma total_apart cost p x tr ps :
  ~ In p ps -> total cost ((p, x) :: tr) ps = total cost tr ps.
Proof.
  induction ps as [|q ps IH]; intros notin; [reflexivity|].
  rewrite !total_cons, IH by (intros h; apply notin; now right).
  rewrite proj_cons. destruct (Nat.eqb_spec p q) as [->|]; [|reflexivity].
  destruct notin. now left.
Qed.

Lemma total_step cost p x tr ps : NoDup ps ->
  total cost ((p, x) :: tr) ps <= (if cost (fst x) then 1 else 0) + total cost tr ps.
Proof.
  intros nd. induction nd as [|q ps notin nd IH]; [cbn; lia|].
  rewrite !total_cons, proj_cons. destruct (Nat.eqb_spec p q) as [->|ne]; [|lia].
  rewrite total_apart by assumption. unfold ltally. cbn.
  destruct (cost (fst x)); cbn; lia.
Qed.

Lemma total_le cost tr ps : NoDup ps -> total cost tr ps <= tally cost tr.
Proof.
  intros nd. induction tr as [|[p x] tr IH].
  - clear nd. induction ps; cbn; [lia|assumption].
  - pose proof (total_step cost p x tr ps nd). unfold tally in *. cbn.
    destruct (cost (fst x)); cbn; lia.
Qed.

Section Sum.
Variables d A B : nat.
Variable cost : op -> bool.
Variable tr : trace.
Variable good : triple -> Prop.
Hypothesis each : forall p T, NoDup T ->
  (forall t, In t T -> good t /\ hits d [] (proj p tr) [] t) ->
  A * length T <= B * ltally cost (proj p tr).

Lemma sum_list : forall ps T, NoDup T ->
  (forall t, In t T -> good t /\ exists p, In p ps /\ hits d [] (proj p tr) [] t) ->
  A * length T <= B * total cost tr ps.
Proof.
  induction ps as [|p ps IH]; intros T nd h.
  - destruct T as [|t T]; [cbn; lia|]. destruct (h t) as (_ & p & [] & _). now left.
  - destruct (split_by (fun t => good t /\ hits d [] (proj p tr) [] t)
       (fun t => good t /\ exists q, In q ps /\ hits d [] (proj q tr) [] t) T)
      as (T1 & T2 & len & n1 & n2 & h1 & h2); [|assumption|].
    { intros t ht. destruct (h t ht) as (g & q & [->|hq] & hh); eauto. }
    cbn [total fold_right]. fold (total cost tr ps).
    assert (A * length T1 <= B * ltally cost (proj p tr))
      by (apply each; auto; intros t ht; now apply h1 in ht).
    assert (A * length T2 <= B * total cost tr ps)
      by (apply IH; auto; intros t ht; now apply h2 in ht).
    rewrite len, !Nat.mul_add_distr_l. lia.
Qed.

Theorem processors_add_up : forall T, NoDup T ->
  (forall t, In t T -> good t /\ exists p, hits d [] (proj p tr) [] t) ->
  A * length T <= B * tally cost tr.
Proof.
  intros T nd h. pose (ps := nodup Nat.eq_dec (map fst tr)).
  apply Nat.le_trans with (B * total cost tr ps).
  - apply sum_list; [assumption|]. intros t ht.
    destruct (h t ht) as (g & p & hp). split; [assumption|]. exists p.
    split; [|assumption]. apply nodup_In.
    destruct (in_dec Nat.eq_dec p (map fst tr)) as [|no]; [assumption|].
    exfalso. replace (proj p tr) with (@nil (op * list word)) in hp; [easy|].
    clear - no. induction tr as [|[q x] l IH]; [reflexivity|].
    rewrite proj_cons. cbn in no. destruct (Nat.eqb_spec q p); [tauto|]. tauto.
  - apply Nat.mul_le_mono_l, total_le, NoDup_nodup.
Qed.
End Sum.
