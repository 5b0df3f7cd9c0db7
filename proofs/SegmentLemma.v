(*===- SegmentLemma.v - What a set of words allows to be computed ---------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* Words, and the segment lemma: how many score pairs and how many products   *)
(* P_ij V_jl a time interval can compute when X words were in fast memory at  *)
(* its start or came during it.                                               *)
From Coq Require Import List Arith Bool Lia Psatz.
From Ioflor Require Import FiniteSets LoomisWhitney.
Import ListNotations.

(** One element in memory. A pair-private word of (i, j) carries the set of
    indices c whose products Q_ic K_jc went into it (products, partial sums, the
    score, any elementwise function of it). An output-private word of (i, l)
    carries the set of keys j whose products P_ij V_jl went into it. *)
Inductive word :=
| WQ (i c : nat)
| WK (j c : nat)
| WV (j l : nat)
| WP (i j : nat) (products : list nat)
| WO (i l : nat) (keys : list nat).

Definition isQ w := match w with WQ _ _ => true | _ => false end.
Definition isK w := match w with WK _ _ => true | _ => false end.
Definition isV w := match w with WV _ _ => true | _ => false end.
Definition isP w := match w with WP _ _ _ => true | _ => false end.
Definition isO w := match w with WO _ _ _ => true | _ => false end.
(** The words that the floor of Q and K counts. *)
Definition isQKP w := isQ w || isK w || isP w.

Definition count (f : word -> bool) (l : list word) : nat := length (filter f l).

Lemma count_app f l1 l2 : count f (l1 ++ l2) = count f l1 + count f l2.
Proof. unfold count. now rewrite filter_app, app_length. Qed.

Lemma count_kinds l :
  length l = count isQ l + count isK l + count isV l + count isP l + count isO l.
Proof.
  unfold count. induction l as [|[] l IH]; cbn; lia.
Qed.

Lemma count_QKP l : count isQKP l = count isQ l + count isK l + count isP l.
Proof. unfold count. induction l as [|[] l IH]; cbn; lia. Qed.

Lemma count_le_length f l : count f l <= length l.
Proof. unfold count. induction l as [|w l IH]; cbn; [lia|]. destruct (f w); cbn; lia. Qed.

Lemma word_eq_dec (w w' : word) : {w = w'} + {w <> w'}.
Proof. repeat decide equality. Defined.

Definition has (D : list word) (w : word) : bool :=
  if in_dec word_eq_dec w D then true else false.

Lemma has_In D w : has D w = true <-> In w D.
Proof. unfold has. destruct (in_dec word_eq_dec w D); split; easy. Qed.

(** Row i of Q (of K) is wholly in D. *)
Definition fullRow (d : nat) (D : list word) (i : nat) : Prop :=
  forall c, c < d -> In (WQ i c) D.
Definition fullCol (d : nat) (D : list word) (j : nat) : Prop :=
  forall c, c < d -> In (WK j c) D.

(** The pair can be evaluated in the interval: one of its private words is in D,
    or all that it is computed from is. *)
Definition pairReady (d : nat) (D : list word) (i j : nat) : Prop :=
  (exists s, In (WP i j s) D) \/ (fullRow d D i /\ fullCol d D j).

Lemma rows_words (d : nat) (mk : nat -> nat -> word) (kind : word -> bool)
      (D : list word) (rows : list nat) :
  (forall i c i' c', mk i c = mk i' c' -> i = i' /\ c = c') ->
  (forall i c, kind (mk i c) = true) ->
  NoDup rows -> (forall i c, In i rows -> c < d -> In (mk i c) D) ->
  d * length rows <= count kind D.
Proof.
  intros inj isKind nd full.
  assert (H : length (list_prod rows (seq 0 d)) <= count kind D).
  { apply (length_le_image (fun p => mk (fst p) (snd p))).
    - intros [i c] [i' c'] _ _ e. apply inj in e. cbn in e. destruct e; congruence.
    - apply NoDup_product; [assumption|apply seq_NoDup].
    - intros [i c] h. apply in_prod_iff in h. destruct h as [hi hc].
      apply in_seq in hc. apply filter_In. cbn. split; [apply full; auto; lia|auto]. }
  rewrite prod_length, seq_length in H. lia.
Qed.

Definition fullRowb d D i := forallb (fun c => has D (WQ i c)) (seq 0 d).
Definition fullColb d D j := forallb (fun c => has D (WK j c)) (seq 0 d).

Lemma fullRowb_spec d D i : fullRowb d D i = true <-> fullRow d D i.
Proof.
  unfold fullRowb, fullRow. rewrite forallb_forall. split; intros h c hc.
  - apply has_In, h, in_seq. lia.
  - apply has_In, h. apply in_seq in hc. lia.
Qed.

Lemma fullColb_spec d D j : fullColb d D j = true <-> fullCol d D j.
Proof.
  unfold fullColb, fullCol. rewrite forallb_forall. split; intros h c hc.
  - apply has_In, h, in_seq. lia.
  - apply has_In, h. apply in_seq in hc. lia.
Qed.

Definition pairOfP w := match w with WP i j _ => (i, j) | _ => (0, 0) end.
Definition pairOfV w := match w with WV j l => (j, l) | _ => (0, 0) end.
Definition pairOfO w := match w with WO i l _ => (i, l) | _ => (0, 0) end.

(** The pairs among [cand] that are ready lie in a set of at most a b + p pairs,
    where d (a + b) + p words of D are of Q, K and pair-private. *)
Lemma ready_pairs (d : nat) (D : list word) (cand : list (nat * nat)) :
  exists (N : list (nat * nat)) (a b p : nat),
    length N = a * b + p /\ d * (a + b) + p <= count isQKP D /\
    p <= count isP D /\
    (forall i j, In (i, j) cand -> pairReady d D i j -> In (i, j) N).
Proof.
  pose (rows := filter (fullRowb d D) (nodup Nat.eq_dec (map fst cand))).
  pose (cols := filter (fullColb d D) (nodup Nat.eq_dec (map snd cand))).
  exists (list_prod rows cols ++ map pairOfP (filter isP D)),
    (length rows), (length cols), (count isP D).
  rewrite app_length, prod_length, map_length. split; [reflexivity|]. split.
  - assert (d * length rows <= count isQ D).
    { apply (rows_words d WQ isQ); auto.
      - intros * e. now injection e.
      - apply NoDup_filter, NoDup_nodup.
      - intros i c h hc. apply filter_In in h. destruct h as [_ h].
        apply fullRowb_spec in h. now apply h. }
    assert (d * length cols <= count isK D).
    { apply (rows_words d WK isK); auto.
      - intros * e. now injection e.
      - apply NoDup_filter, NoDup_nodup.
      - intros i c h hc. apply filter_In in h. destruct h as [_ h].
        apply fullColb_spec in h. now apply h. }
    rewrite count_QKP. lia.
  - split; [lia|]. intros i j hc [[s h]|[hr hk]]; apply in_app_iff.
    + right. apply in_map_iff. exists (WP i j s). split; [reflexivity|].
      now apply filter_In.
    + left. apply in_prod; apply filter_In; split;
        try (now apply fullRowb_spec); try (now apply fullColb_spec);
        apply nodup_In, in_map_iff; now exists (i, j).
Qed.

(** All that an interval of X = |D| words can do: the products of a set T of
    triples whose operands and accumulators D provides. *)
Lemma interval_counts (d dv : nat) (D : list word) (T : list triple) :
  NoDup T ->
  (forall i j l, In (i, j, l) T ->
     l < dv /\ pairReady d D i j /\ In (WV j l) D /\ exists s, In (WO i l s) D) ->
  exists a b p v z n : nat,
    d * (a + b) + p + v + z <= length D /\ n <= a * b + p /\
    length T <= n * dv /\ length T * length T <= n * (v * z).
Proof.
  intros nd ok.
  destruct (ready_pairs d D (map fst T)) as (N & a & b & p & lenN & words & _ & into).
  assert (inN : forall i j l, In (i, j, l) T -> In (i, j) N).
  { intros i j l h. apply into; [|now apply ok in h].
    apply in_map_iff. now exists (i, j, l). }
  exists a, b, p, (count isV D), (count isO D), (length N).
  split; [|split; [lia|split]].
  - rewrite (count_kinds D). rewrite count_QKP in words. lia.
  - rewrite <- (seq_length dv 0) at 1. rewrite <- prod_length.
    apply (length_le_image (fun t : triple => (fst t, snd t))); auto.
    + intros [x l] [x' l'] _ _ e. cbn in e. congruence.
    + intros [[i j] l] h. cbn. apply in_prod; [eauto|].
      apply in_seq. apply ok in h. lia.
  - unfold count.
    rewrite <- (map_length pairOfV (filter isV D)),
      <- (map_length pairOfO (filter isO D)).
    apply loomis_whitney; [assumption|]. intros i j l h. split; [eauto|].
    apply ok in h. destruct h as (_ & _ & hv & s & ho). split.
    + apply in_map_iff. exists (WV j l). split; [reflexivity|]. now apply filter_In.
    + apply in_map_iff. exists (WO i l s). split; [reflexivity|]. now apply filter_In.
Qed.
