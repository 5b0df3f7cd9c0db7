(*===- Segments.v - From intervals to whole runs --------------------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* A run is cut after every L events. Each segment but the last has L events, *)
(* and each but the first starts with at most M words, so what a bound on one *)
(* segment says of its words (those at its start and its events) adds up to   *)
(* the events alone: there is no additive loss at a cold start.               *)
From Coq Require Import List Arith Bool Lia Psatz.
From Ioflor Require Import FiniteSets LoomisWhitney SegmentLemma Machine Residency.
Import ListNotations.

(** The arithmetic of two consecutive parts: [m] words at the start, [L] events
    and [W1] work in the first; at most [M] words, [t] events and [W2] work in
    the rest. Work a W <= b (words + events) in a segment gives
    a L W <= b (L words + (M + L) events) overall. *)
Theorem cold_start_step : forall a b L M m m2 t W1 W2 : nat,
  m2 <= M -> a * W1 <= b * (m + L) ->
  a * L * W2 <= b * (L * m2 + (M + L) * t) ->
  a * L * (W1 + W2) <= b * (L * m + (M + L) * (L + t)).
Proof.
  intros a b L M m m2 t W1 W2 hm h1 h2.
  assert (L * (a * W1) <= L * (b * (m + L))) by now apply Nat.mul_le_mono_l.
  assert (b * (L * m2) <= b * (L * M))
    by (apply Nat.mul_le_mono_l; now apply Nat.mul_le_mono_l).
  replace (a * L * (W1 + W2)) with (L * (a * W1) + a * L * W2) by ring.
  replace (b * (L * m + (M + L) * (L + t)))
    with (L * (b * (m + L)) + (b * (L * M) + b * ((M + L) * t))) by ring.
  rewrite Nat.mul_add_distr_l in h2. lia.
Qed.

Section Cut.
Variables d M L a b : nat.
Variable keep : word -> bool.       (* the words that count *)
Variable good : triple -> Prop.     (* the products that count *)
Hypothesis Lpos : 0 < L.
Notation lrun := (lrun d M).
Notation hits := (hits d).

Hypothesis interval : forall f tr rest T,
  lrun f (tr ++ rest) -> length f <= M -> count keep (events f tr rest) <= L ->
  NoDup T -> (forall t, In t T -> good t /\ hits f tr rest t) ->
  a * length T <= b * (count keep f + count keep (events f tr rest)).

Lemma cut : forall tr f rest l, 0 < l ->
  count keep (events f tr rest) <= l \/
  exists t1 t2, tr = t1 ++ t2 /\ t1 <> [] /\ count keep (events f t1 (t2 ++ rest)) = l.
Proof.
  induction tr as [|[o f'] tr IH]; intros f rest l lpos; [left; cbn; lia|].
  cbn [events]. rewrite count_app.
  assert (one : count keep (event f o (tr ++ rest)) <= 1)
    by (etransitivity; [apply count_le_length|apply event_short]).
  destruct (Nat.eq_dec (count keep (event f o (tr ++ rest))) l) as [e|ne].
  - right. exists [(o, f')], tr. split; [reflexivity|]. split; [discriminate|].
    cbn. now rewrite app_nil_r.
  - destruct (IH f' rest (l - count keep (event f o (tr ++ rest)))) as
      [h|(t1 & t2 & -> & _ & h)]; [lia|left; lia|right].
    exists ((o, f') :: t1), t2. split; [reflexivity|]. split; [discriminate|].
    cbn [events]. rewrite count_app, <- app_assoc in *. lia.
Qed.

Theorem segments : forall tr f T,
  lrun f tr -> length f <= M -> NoDup T ->
  (forall t, In t T -> good t /\ hits f tr [] t) ->
  a * L * length T <= b * (L * count keep f + (M + L) * count keep (events f tr [])).
Proof.
  intros tr. remember (length tr) as n eqn:en. revert tr en.
  induction n as [n IH] using lt_wf_ind. intros tr -> f T lr len nd ht.
  destruct (cut tr f [] L Lpos) as [short|(t1 & t2 & -> & ne & full)].
  - assert (h : a * length T <= b * (count keep f + count keep (events f tr [])))
      by (apply interval; auto; now rewrite app_nil_r).
    assert (L * (a * length T) <= L * (b * (count keep f + count keep (events f tr []))))
      by now apply Nat.mul_le_mono_l.
    replace (a * L * length T) with (L * (a * length T)) by ring.
    replace (b * (L * count keep f + (M + L) * count keep (events f tr [])))
      with (L * (b * (count keep f + count keep (events f tr []))) +
            b * (M * count keep (events f tr []))) by ring.
    lia.
  - rewrite app_nil_r in full.
    destruct (split_by (fun t => good t /\ hits f t1 t2 t)
                       (fun t => good t /\ hits (final f t1) t2 [] t) T)
      as (T1 & T2 & lenT & n1 & n2 & h1 & h2); [|assumption|].
    { intros t h. apply ht in h. destruct h as [g h]. rewrite hits_app in h.
      rewrite app_nil_r in h. tauto. }
    rewrite lenT, events_app, app_nil_r, count_app, full.
    apply cold_start_step with (m2 := count keep (final f t1)).
    + etransitivity; [apply count_le_length|]. apply (final_fits d); [assumption|].
      clear - lr. revert f lr. induction t1 as [|[o f'] t1 IH]; cbn; [easy|].
      intros f (h1 & h2 & h3). auto.
    + rewrite <- full. apply interval; auto; [lia|]. intros t h. now apply h1 in h.
    + apply (IH (length t2)).
      * rewrite app_length. destruct t1; [congruence|cbn; lia].
      * reflexivity.
      * now apply lrun_app in lr.
      * apply (final_fits d); [assumption|].
        clear - lr. revert f lr. induction t1 as [|[o f'] t1 IH]; cbn; [easy|].
        intros f (h1 & h2 & h3). auto.
      * assumption.
      * intros t h. now apply h2 in h.
Qed.
End Cut.
