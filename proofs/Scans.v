(*===- Scans.v - Every input is read, every output written ----------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* The scan floors: the words of Q, K and V of each row that a required pair  *)
(* has are read, the words of each such row of O are written. The four are    *)
(* different words, so they add up, and to Theorem A's with V and O.          *)
From Coq Require Import List Arith Bool Lia.
From Ioflor Require Import FiniteSets LoomisWhitney SegmentLemma Machine
  Residency Flow TheoremA.
Import ListNotations.

Section Scans.
Variables d M : nat.
Notation run := (run d M).

(** The words that a trace reads, and writes. *)
Definition reads (tr : trace) : list word :=
  flat_map (fun x => match fst (snd x) with Rd w => [w] | _ => [] end) tr.
Definition written (tr : trace) : list word :=
  flat_map (fun x => match fst (snd x) with Wr w => [w] | _ => [] end) tr.

Lemma count_reads kind tr : count kind (reads tr) = tally (readsOf kind) tr.
Proof.
  unfold count, tally, reads, written. induction tr as [|[p [o f]] tr IH]; [reflexivity|].
  cbn. rewrite filter_app, app_length, IH.
  destruct o as [w| | |]; cbn; try reflexivity. destruct (kind w); reflexivity.
Qed.

Lemma count_written kind tr : count kind (written tr) = tally (writesOf kind) tr.
Proof.
  unfold count, tally, reads, written. induction tr as [|[p [o f]] tr IH]; [reflexivity|].
  cbn. rewrite filter_app, app_length, IH.
  destruct o as [|w| |]; cbn; try reflexivity. destruct (kind w); reflexivity.
Qed.

(** What word [w] was made of is in G. *)
Definition madeOf (G : list word) (w : word) : Prop :=
  match w with
  | WP i j s => forall c, In c s -> In (WQ i c) G /\ In (WK j c) G
  | WO i l s => forall j, In j s -> In (WV j l) G /\
      forall c, c < d -> In (WQ i c) G /\ In (WK j c) G
  | _ => True
  end.
Definition known (G : list word) (w : word) : Prop :=
  madeOf G w /\ (isQ w || isK w || isV w = true -> In w G).

Lemma madeOf_mono G G' w : incl G G' -> madeOf G w -> madeOf G' w.
Proof.
  intros sub. destruct w as [i c|j c|j l|i j s|i l s]; cbn; auto.
  - intros h c hc. destruct (h c hc). auto.
  - intros h j hj. destruct (h j hj) as [hv h']. split; [auto|].
    intros c hc. destruct (h' c hc). auto.
Qed.

Lemma known_mono G G' w : incl G G' -> known G w -> known G' w.
Proof. intros sub [m k]. split; [now apply (madeOf_mono G)|auto]. Qed.

Lemma step_known f o f' S S' G :
  lstep d f o f' -> sstep f S o S' ->
  (forall w, In w f -> known G w) -> (forall w, In w S -> madeOf G w) ->
  let G' := match o with Rd w => w :: G | _ => G end in
  (forall w, In w f' -> known G' w) /\ (forall w, In w S' -> madeOf G' w).
Proof.
  intros ls ss hf hS G'.
  assert (up : incl G G') by (unfold G'; destruct o; auto using incl_tl, incl_refl).
  assert (hS' : forall w, In w S -> madeOf G' w)
    by (intros w h; apply (madeOf_mono G); auto).
  assert (hf' : forall w, In w f -> known G' w)
    by (intros w h; apply (known_mono G); auto).
  destruct ls as [f w|f w|f g i j s ops sub|f g i l s ops sub|f g sub].
  - inversion ss; subst. split; [|assumption].
    intros w' [<-|h]; [|auto]. split; [auto|]. intros _. now left.
  - inversion ss as [|w' hw| |]; subst. split; [assumption|].
    intros w' [<-|h]; [|auto].
    destruct w as [i c|j c|j l|i j s|i l s]; cbn in *; try exact I.
    + destruct hw as [_ hw]. intros c hc. destruct (hw c hc) as (s0 & h0 & [h|h]).
      * apply hf in h. destruct h as [h _]. now apply h.
      * apply hS in h. now apply h.
    + destruct hw as [_ hw]. intros j hj. destruct (hw j hj) as (s0 & h0 & [h|h]).
      * apply hf in h. destruct h as [h _]. now apply h.
      * apply hS in h. now apply h.
  - inversion ss; subst. split; [|assumption].
    intros w' [<-|h]; [|auto]. split; [|discriminate].
    intros c hc. destruct (ops c hc) as [(s0 & h & h0)|[hq hk]].
    + apply hf in h. destruct h as [h _]. now apply h.
    + split; [now apply hf in hq; apply hq|now apply hf in hk; apply hk].
  - inversion ss; subst. split; [|assumption].
    intros w' [<-|h]; [|auto]. split; [|discriminate].
    intros j hj. destruct (ops j hj) as [(s0 & h & h0)|[(s0 & h & fl) hv]].
    + apply hf in h. destruct h as [h _]. now apply h.
    + split; [now apply hf in hv; apply hv|]. intros c hc.
      apply hf in h. destruct h as [h _]. apply h, fl, hc.
  - inversion ss; subst. split; auto.
Qed.

Lemma run_known F S tr S' : run F S tr S' -> forall G,
  (forall p w, In w (F p) -> known G w) -> (forall w, In w S -> madeOf G w) ->
  forall w, In w S' -> madeOf (reads tr ++ G) w.
Proof.
  induction 1 as [|F S p o f S1 tr S2 ls len ss r IH]; intros G hF hS w hw; [auto|].
  destruct (step_known _ _ _ _ _ G ls ss (hF p) hS) as [kf kS]. cbn zeta in *.
  set (G' := match o with Rd w => w :: G | _ => G end) in *.
  assert (up : incl G G') by (unfold G'; destruct o; auto using incl_tl, incl_refl).
  apply madeOf_mono with (G := reads tr ++ G').
  - unfold G'. destruct o; cbn; auto using incl_refl.
    intros x hx. apply in_app_iff in hx. cbn. rewrite in_app_iff. cbn in hx. tauto.
  - apply IH; auto. intros q x hx. unfold update in hx.
    destruct (q =? p); [auto|]. apply (known_mono G); eauto.
Qed.

Lemma run_written F S tr S' : run F S tr S' ->
  forall w, In w S' -> In w S \/ In w (written tr).
Proof.
  induction 1 as [|F S p o f S1 tr S2 ls len ss r IH]; intros w hw; [auto|].
  destruct (IH w hw) as [h|h]; [|right; cbn; apply in_app_iff; auto].
  destruct ss as [w0 h0|w0 h0|w0|]; try (left; exact h).
  destruct h as [<-|h]; [right; now left|now left].
Qed.

Variables (F : nat -> list word) (S S' : list word) (tr : trace).
Variables (E : list (nat * nat)) (dv : nat).
Hypothesis outputs : 0 < dv.
Hypothesis runs : run F S tr S'.
Hypothesis start : cold F S.
Hypothesis finish : computes E dv S'.

Lemma needed : forall i j l, In (i, j) E -> l < dv ->
  In (WV j l) (reads tr) /\
  forall c, c < d -> In (WQ i c) (reads tr) /\ In (WK j c) (reads tr).
Proof.
  intros i j l hE hl. destruct (finish i j l hE hl) as (s & hs & hj).
  destruct start as [empty clean].
  pose proof (run_known _ _ _ _ runs []) as h. rewrite app_nil_r in h.
  apply (h ltac:(intros p w; now rewrite empty)) in hs; [now apply hs|].
  intros w hw. apply clean in hw. destruct w; cbn in *; subst; easy.
Qed.

Variables rows cols : list nat.
Hypothesis rowsOnce : NoDup rows.
Hypothesis colsOnce : NoDup cols.
Hypothesis rowsRequired : forall i, In i rows -> exists j, In (i, j) E.
Hypothesis colsRequired : forall j, In j cols -> exists i, In (i, j) E.

Theorem scan_q : d * length rows <= tally (readsOf isQ) tr.
Proof.
  rewrite <- count_reads. apply (rows_words d WQ isQ); auto.
  - intros * e. now injection e.
  - intros i c hi hc. destruct (rowsRequired i hi) as [j hj].
    destruct (needed i j 0 hj outputs) as [_ h]. now apply h.
Qed.

Theorem scan_k : d * length cols <= tally (readsOf isK) tr.
Proof.
  rewrite <- count_reads. apply (rows_words d WK isK); auto.
  - intros * e. now injection e.
  - intros j c hj hc. destruct (colsRequired j hj) as [i hi].
    destruct (needed i j 0 hi outputs) as [_ h]. now apply h.
Qed.

Theorem scan_v : dv * length cols <= tally (readsOf isV) tr.
Proof.
  rewrite <- count_reads. apply (rows_words dv WV isV); auto.
  - intros * e. now injection e.
  - intros j l hj hl. destruct (colsRequired j hj) as [i hi].
    now apply (needed i j l hi hl).
Qed.

Theorem scan_o : dv * length rows <= tally (writesOf isO) tr.
Proof.
  rewrite <- count_written. unfold count. rewrite <- (map_length pairOfO).
  replace (dv * length rows) with (length (list_prod rows (seq 0 dv)))
    by (rewrite prod_length, seq_length; lia).
  apply NoDup_incl_length; [apply NoDup_product; [assumption|apply seq_NoDup]|].
  intros [i l] h. apply in_prod_iff in h. destruct h as [hi hl]. apply in_seq in hl.
  destruct (rowsRequired i hi) as [j hj].
  destruct (finish i j l hj ltac:(lia)) as (s & hs & hjs).
  apply in_map_iff. exists (WO i l s). split; [reflexivity|]. apply filter_In.
  split; [|reflexivity]. destruct (run_written _ _ _ _ runs _ hs) as [h|h]; [|assumption].
  destruct start as [_ clean]. apply clean in h. cbn in h. now subst s.
Qed.

Lemma kinds_apart :
  tally (readsOf isQKP) tr + tally (readsOf isV) tr + tally (writesOf isO) tr <= io tr.
Proof.
  unfold io, tally. clear. induction tr as [|[p [o f]] l IH]; cbn; [lia|].
  destruct o as [[]|[]|w|]; cbn in *; lia.
Qed.

(** Reads of Q, K and pair-private words, of V, and writes of O are apart: any
    floor of the first adds to the scans of V and O. *)
Theorem composite : readsQK tr + dv * length cols + dv * length rows <= io tr.
Proof. pose proof kinds_apart. pose proof scan_v. pose proof scan_o. unfold readsQK. lia. Qed.

(** All four scans. *)
Theorem scan_total : (d + dv) * length rows + (d + dv) * length cols <= io tr.
Proof.
  pose proof composite. pose proof scan_q. pose proof scan_k.
  assert (tally (readsOf isQ) tr + tally (readsOf isK) tr <= readsQK tr); [|lia].
  unfold readsQK. rewrite <- !count_reads, count_QKP. lia.
Qed.
End Scans.
