(*===- TheoremB.v - The floor of the whole forward pass -------------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* Reads plus writes are at least 4 E d d_v / M (d_v >= d) or                 *)
(* E (d + d_v)^2 / M (d_v <= d), from a cold start, once M is large enough:   *)
(* the floor that FlashAttention-2 attains.                                   *)
From Coq Require Import List Arith Bool Lia Psatz.
From Ioflor Require Import FiniteSets LoomisWhitney SegmentLemma SegmentArith Machine
  Residency Flow Segments Processors.
Import ListNotations.

Section Processor.
Variables d dv M : nat.
Notation lrun := (lrun d M).
Notation hits := (hits d).

(** A product of the outputs' d_v columns. *)
Definition column (t : triple) : Prop := snd t < dv.
Definition every (w : word) : bool := true.

Lemma count_every l : count every l = length l.
Proof. unfold count. induction l as [|w l IH]; cbn; auto. Qed.

(** The segment lemma of the machine: an interval of X words (those in fast
    memory at its start and its events) does at most phi(X) products. *)
Lemma interval_products f tr rest T :
  lrun f (tr ++ rest) -> NoDup T ->
  (forall t, In t T -> column t /\ hits f tr rest t) ->
  let X := length f + length (events f tr rest) in
  exists a b p v z n,
    d * (a + b) + p + v + z <= X /\ n <= a * b + p /\
    length T <= n * dv /\ length T * length T <= n * (v * z).
Proof.
  intros lr nd h X. unfold X. rewrite <- app_length.
  apply (interval_counts d dv); [assumption|]. intros i j l ht.
  apply h in ht. destruct ht as [hl ht]. split; [exact hl|].
  apply (interval_provides d M tr f rest f lr); [apply provides_start|assumption].
Qed.

(** A linear bound on every interval of at most M events becomes a bound on the
    run: [a W <= b X] gives [a W <= b (words at the start + 2 events)]. *)
Lemma processor_bound (a b : nat) :
  0 < M ->
  (forall X W na nb p v z n,
     X <= 2 * M -> d * (na + nb) + p + v + z <= X -> n <= na * nb + p ->
     W <= n * dv -> W * W <= n * (v * z) -> a * W <= b * X) ->
  forall f tr T, lrun f tr -> length f <= M -> NoDup T ->
  (forall t, In t T -> column t /\ hits f tr [] t) ->
  a * length T <= b * (length f + 2 * ltally paying tr).
Proof.
  intros pos bound f tr T lr len nd h.
  assert (cut : a * M * length T
                <= b * (M * count every f + (M + M) * count every (events f tr []))).
  { apply (segments d M M a b every column pos); auto.
    intros g u rest U lr' fits few ndU hU. rewrite !count_every in *.
    destruct (interval_products g u rest U lr' ndU hU)
      as (na & nb & p & v & z & n & h1 & h2 & h3 & h4).
    apply (bound _ _ na nb p v z n); auto. lia. }
  rewrite !count_every in cut. pose proof (events_paid d M tr f lr) as paid.
  apply Nat.mul_le_mono_pos_l with M; [assumption|].
  replace (M * (a * length T)) with (a * M * length T) by ring.
  eapply Nat.le_trans; [exact cut|].
  replace (M * (b * (length f + 2 * ltally paying tr)))
    with (b * (M * length f + (M + M) * ltally paying tr)) by ring.
  apply Nat.mul_le_mono_l, Nat.add_le_mono_l, Nat.mul_le_mono_l. exact paid.
Qed.

(** phi on intervals of at most 2 M words, made linear: d_v >= d. *)
Theorem phi_linear_wide : forall X W : nat,
  128 * (d * d) <= 27 * M -> X <= 2 * M ->
  16 * (d * W) <= X * X \/ 27 * (W * W) <= X * X * X -> 8 * d * W <= M * X.
Proof.
  intros X W thr small [quad|cubic].
  - assert (X * X <= 2 * M * X) by now apply Nat.mul_le_mono_r. lia.
  - apply square_le. apply Nat.mul_le_mono_pos_l with 27; [lia|].
    replace (27 * (8 * d * W * (8 * d * W))) with (64 * (d * d) * (27 * (W * W))) by ring.
    apply Nat.le_trans with (64 * (d * d) * (X * X * X)); [now apply Nat.mul_le_mono_l|].
    replace (64 * (d * d) * (X * X * X)) with (X * X * (64 * (d * d) * X)) by ring.
    replace (27 * (M * X * (M * X))) with (X * X * (27 * M * M)) by ring.
    apply Nat.mul_le_mono_l.
    apply Nat.le_trans with (64 * (d * d) * (2 * M)); [now apply Nat.mul_le_mono_l|].
    replace (64 * (d * d) * (2 * M)) with (128 * (d * d) * M) by ring.
    now apply Nat.mul_le_mono_r.
Qed.

(** The same for d_v <= d. *)
Theorem phi_linear_narrow : forall X W : nat,
  2 * ((d + dv) * (d + dv)) <= M \/
  8 * ((d + dv) * (d + dv) * ((d + dv) * (d + dv))) <= 27 * (dv * dv) * M ->
  X <= 2 * M ->
  4 * ((d + dv) * (d + dv)) * W <= dv * (X * X) \/
  (27 * (W * W) <= X * X * X /\ W <= dv * X) ->
  2 * ((d + dv) * (d + dv)) * W <= dv * M * X.
Proof.
  intros X W. generalize ((d + dv) * (d + dv)) as s. intros s thr small [quad|[cubic lin]].
  - assert (dv * (X * X) <= dv * (2 * M * X))
      by (apply Nat.mul_le_mono_l; now apply Nat.mul_le_mono_r).
    replace (dv * (2 * M * X)) with (2 * (dv * M * X)) in H by ring. lia.
  - destruct thr as [thr|thr].
    + apply Nat.le_trans with (2 * s * (dv * X)); [now apply Nat.mul_le_mono_l|].
      replace (2 * s * (dv * X)) with (2 * s * (dv * X)) by ring.
      replace (dv * M * X) with (M * (dv * X)) by ring.
      now apply Nat.mul_le_mono_r.
    + apply square_le. apply Nat.mul_le_mono_pos_l with 27; [lia|].
      replace (27 * (2 * s * W * (2 * s * W))) with (4 * (s * s) * (27 * (W * W))) by ring.
      apply Nat.le_trans with (4 * (s * s) * (X * X * X)); [now apply Nat.mul_le_mono_l|].
      replace (4 * (s * s) * (X * X * X)) with (X * X * (4 * (s * s) * X)) by ring.
      replace (27 * (dv * M * X * (dv * M * X)))
        with (X * X * (27 * (dv * dv) * M * M)) by ring.
      apply Nat.mul_le_mono_l.
      apply Nat.le_trans with (4 * (s * s) * (2 * M)); [now apply Nat.mul_le_mono_l|].
      replace (4 * (s * s) * (2 * M)) with (8 * (s * s) * M) by ring.
      now apply Nat.mul_le_mono_r.
Qed.

(** One processor whose fast memory holds any words at the start: at most half of
    them come for free. *)
Theorem processor_wide : 0 < M -> 128 * (d * d) <= 27 * M ->
  forall f tr T, lrun f tr -> length f <= M -> NoDup T ->
  (forall t, In t T -> column t /\ hits f tr [] t) ->
  8 * d * length T <= M * (length f + 2 * ltally paying tr).
Proof.
  intros pos thr. apply processor_bound; [assumption|].
  intros X W na nb p v z n hX h1 h2 h3 h4. apply phi_linear_wide; [assumption..|].
  now apply (segment_products_wide d dv na nb p v z n W X).
Qed.

Theorem processor_narrow : 0 < M -> 0 < d -> dv <= d ->
  2 * ((d + dv) * (d + dv)) <= M \/
  8 * ((d + dv) * (d + dv) * ((d + dv) * (d + dv))) <= 27 * (dv * dv) * M ->
  forall f tr T, lrun f tr -> length f <= M -> NoDup T ->
  (forall t, In t T -> column t /\ hits f tr [] t) ->
  2 * ((d + dv) * (d + dv)) * length T <= dv * M * (length f + 2 * ltally paying tr).
Proof.
  intros pos dpos narrow thr. apply processor_bound; [assumption|].
  intros X W na nb p v z n hX h1 h2 h3 h4. apply phi_linear_narrow; [assumption..|].
  now apply (segment_products_narrow d dv na nb p v z n W X).
Qed.
End Processor.

Section TheoremB.
Variables d dv M : nat.
Variables (F : nat -> list word) (S S' : list word) (tr : trace).
Variable E : list (nat * nat).
Hypothesis once : NoDup E.
Hypothesis runs : run d M F S tr S'.
Hypothesis start : cold F S.
Hypothesis finish : computes E dv S'.

Lemma all_done : forall t, In t (list_prod E (seq 0 dv)) ->
  column dv t /\ exists p, hits d [] (proj p tr) [] t.
Proof.
  intros [[i j] l] h. apply in_prod_iff in h. destruct h as [h hl].
  apply in_seq in hl. split; [unfold column; cbn; lia|].
  apply (cold_computes d M F S tr S' E dv); auto. lia.
Qed.

Lemma paying_io : tally paying tr <= io tr.
Proof.
  unfold io, tally. clear. induction tr as [|[p [o f]] l IH]; cbn; [lia|].
  destruct o as [[]|[]|w|]; cbn in *; lia.
Qed.

Lemma cold_local p : lrun d M [] (proj p tr).
Proof. destruct start as [empty _]. rewrite <- (empty p). now apply run_proj with (1 := runs). Qed.

Lemma all_products :
  NoDup (list_prod E (seq 0 dv)) /\ length (list_prod E (seq 0 dv)) = length E * dv.
Proof.
  split; [apply NoDup_product; [assumption|apply seq_NoDup]|].
  now rewrite prod_length, seq_length.
Qed.

(** Theorem B, d_v >= d: I/O >= 4 E d d_v / M for M >= (128/27) d^2. (It holds for
    every d_v; for d_v < d the next one is stronger.) *)
Theorem theorem_B_wide :
  128 * (d * d) <= 27 * M -> 4 * (d * dv) * length E <= M * io tr.
Proof.
  intros thr. destruct (Nat.eq_dec M 0) as [z|nz]; [assert (d = 0) as -> by nia; lia|].
  destruct all_products as [nd len].
  assert (h : 8 * d * length (list_prod E (seq 0 dv)) <= M * 2 * tally paying tr).
  { apply (processors_add_up d _ _ _ tr (column dv)); [|assumption|exact all_done].
    intros p T ndT hT.
    pose proof (processor_wide d dv M ltac:(lia) thr [] (proj p tr) T (cold_local p)
                  ltac:(cbn; lia) ndT hT). cbn [length] in *. lia. }
  rewrite len in h. pose proof paying_io.
  assert (M * tally paying tr <= M * io tr) by now apply Nat.mul_le_mono_l.
  replace (8 * d * (length E * dv)) with (2 * (4 * (d * dv) * length E)) in h by ring.
  lia.
Qed.

(** Theorem B, d_v <= d: I/O >= E (d + d_v)^2 / M for M >= 2 (d + d_v)^2 or
    M >= (8/27) (d + d_v)^4 / d_v^2. *)
Theorem theorem_B_narrow : 0 < dv -> dv <= d ->
  2 * ((d + dv) * (d + dv)) <= M \/
  8 * ((d + dv) * (d + dv) * ((d + dv) * (d + dv))) <= 27 * (dv * dv) * M ->
  (d + dv) * (d + dv) * length E <= M * io tr.
Proof.
  intros vpos narrow thr. destruct (Nat.eq_dec M 0) as [z|nz].
  { exfalso. destruct thr as [thr|thr]; nia. }
  destruct all_products as [nd len].
  assert (h : 2 * ((d + dv) * (d + dv)) * length (list_prod E (seq 0 dv))
              <= dv * M * 2 * tally paying tr).
  { apply (processors_add_up d _ _ _ tr (column dv)); [|assumption|exact all_done].
    intros p T ndT hT.
    pose proof (processor_narrow d dv M ltac:(lia) ltac:(lia) narrow thr [] (proj p tr) T
                  (cold_local p) ltac:(cbn; lia) ndT hT). cbn [length] in *. lia. }
  rewrite len in h. pose proof paying_io.
  assert (M * tally paying tr <= M * io tr) by now apply Nat.mul_le_mono_l.
  apply Nat.mul_le_mono_pos_l with (2 * dv); [lia|].
  replace (2 * dv * ((d + dv) * (d + dv) * length E))
    with (2 * ((d + dv) * (d + dv)) * (length E * dv)) by ring.
  eapply Nat.le_trans; [exact h|].
  replace (dv * M * 2 * tally paying tr) with (2 * dv * (M * tally paying tr)) by ring.
  now apply Nat.mul_le_mono_l.
Qed.
End TheoremB.
