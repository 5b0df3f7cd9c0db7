(*===- Attained.v - FlashAttention-2 as a run of the machine --------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* The hypotheses of the floors can be met, and Theorem B's constant cannot   *)
(* be improved: tiles of a rows of Q stay in fast memory with their outputs   *)
(* while the keys stream by.                                                  *)
From Coq Require Import List Arith Bool Lia.
From Ioflor Require Import FiniteSets LoomisWhitney SegmentLemma Machine Flow.
Import ListNotations.

Section Attained.
Variables d dv M : nat.
Notation lstep := (lstep d).

(** One processor goes from fast memory f and slow memory S to f' and S' and moves
    n words. *)
Inductive reach : list word -> list word -> nat -> list word -> list word -> Prop :=
| Stop f S : reach f S 0 f S
| Go f S o f1 S1 n f2 S2 :
    lstep f o f1 -> length f1 <= M -> sstep f S o S1 -> reach f1 S1 n f2 S2 ->
    reach f S ((if isRead o || isWrite o then 1 else 0) + n) f2 S2.

Lemma reach_trans f S n f1 S1 m f2 S2 :
  reach f S n f1 S1 -> reach f1 S1 m f2 S2 -> reach f S (n + m) f2 S2.
Proof.
  induction 1 as [|f S o f1 S1 n f3 S3 ls len ss r IH]; intros h; [exact h|].
  rewrite <- Nat.add_assoc. eapply Go; eauto.
Qed.

Lemma reach_last f S n f1 S1 o f2 S2 :
  reach f S n f1 S1 -> lstep f1 o f2 -> length f2 <= M -> sstep f1 S1 o S2 ->
  reach f S (n + (if isRead o || isWrite o then 1 else 0)) f2 S2.
Proof.
  intros h ls len ss. eapply reach_trans; [exact h|].
  rewrite <- (Nat.add_0_r (if isRead o || isWrite o then 1 else 0)).
  eapply Go; eauto using Stop.
Qed.

Lemma reach_drop f S n f1 S1 f2 :
  reach f S n f1 S1 -> incl f2 f1 -> length f2 <= M -> reach f S n f2 S1.
Proof.
  intros h sub len. rewrite <- (Nat.add_0_r n).
  apply (reach_last f S n f1 S1 Drop f2 S1); auto using StepDrop, SlowDrop.
Qed.

Lemma reach_run f S n f' S' : reach f S n f' S' ->
  forall F, F 0 = f -> exists tr, run d M F S tr S' /\ io tr = n.
Proof.
  induction 1 as [f S|f S o f1 S1 n f2 S2 ls len ss r IH]; intros F hF.
  - exists []. split; [constructor|reflexivity].
  - destruct (IH (update F 0 f1)) as (tr & ht & hio); [reflexivity|].
    exists ((0, (o, f1)) :: tr). split.
    + apply RunStep with (S1 := S1); try rewrite hF; assumption.
    + unfold io, tally in *. cbn. destruct (isRead o || isWrite o); cbn; lia.
Qed.

Lemma read_all ws f S : incl ws S -> length ws + length f <= M ->
  reach f S (length ws) (ws ++ f) S.
Proof.
  induction ws as [|w ws IH]; intros sub fits; [constructor|]. cbn in fits.
  cbn [length]. rewrite <- Nat.add_1_r.
  apply (reach_last f S (length ws) (ws ++ f) S (Rd w) (w :: ws ++ f) S).
  - apply IH; [|lia]. intros x h. apply sub. now right.
  - constructor.
  - cbn. rewrite app_length. lia.
  - constructor. apply sub. now left.
Qed.

Lemma make_all ws f S :
  (forall w g, In w ws -> incl f g -> lstep g (Mk w) (w :: g)) ->
  length ws + length f <= M -> reach f S 0 (ws ++ f) S.
Proof.
  induction ws as [|w ws IH]; intros can fits; [constructor|]. cbn in fits.
  change 0 with (0 + 0).
  apply (reach_last f S 0 (ws ++ f) S (Mk w) (w :: ws ++ f) S).
  - apply IH; [|lia]. intros x g h. apply can. now right.
  - apply can; [now left|]. apply incl_appr, incl_refl.
  - cbn. rewrite app_length. lia.
  - constructor.
Qed.

Lemma write_all ws f S :
  (forall w, In w ws -> isO w = true /\ In w f) -> length f <= M ->
  reach f S (length ws) f (ws ++ S).
Proof.
  induction ws as [|w ws IH]; intros have fits; [constructor|].
  cbn [length]. rewrite <- Nat.add_1_r.
  apply (reach_last f S (length ws) f (ws ++ S) (Wr w) f (w :: ws ++ S)).
  - apply IH; [|assumption]. intros x h. apply have. now right.
  - constructor.
  - assumption.
  - constructor. destruct (have w) as [o h]; [now left|].
    destruct w; try discriminate. cbn. split; [eauto|]. eauto.
Qed.

(** ** One tile of rows *)

Variable nk : nat.
Variable R : list nat.
Variable S : list word.
Hypothesis inputQ : forall i c, In i R -> c < d -> In (WQ i c) S.
Hypothesis inputK : forall j c, j < nk -> c < d -> In (WK j c) S.
Hypothesis inputV : forall j l, j < nk -> l < dv -> In (WV j l) S.
Hypothesis fits : length R * (d + dv + 2) + d + 1 <= M.

Definition qs := map (fun p => WQ (fst p) (snd p)) (list_prod R (seq 0 d)).
Definition ks j := map (WK j) (seq 0 d).
Definition ps j := map (fun i => WP i j (seq 0 d)) R.
(** The outputs: k columns have keys up to and with j, the others those before. *)
Definition os j k := map (fun p : nat * nat => WO (fst p) (snd p)
  (seq 0 (if snd p <? k then Datatypes.S j else j))) (list_prod R (seq 0 dv)).

Lemma sizes j k : length qs = length R * d /\ length (ks j) = d /\
  length (ps j) = length R /\ length (os j k) = length R * dv.
Proof.
  unfold qs, ks, ps, os. rewrite !map_length, !prod_length, !seq_length. auto.
Qed.

Lemma in_qs i c : In i R -> c < d -> In (WQ i c) qs.
Proof.
  intros hi hc. apply in_map_iff. exists (i, c). split; [reflexivity|].
  apply in_prod; [assumption|apply in_seq; lia].
Qed.

Lemma in_os i l j k : In i R -> l < dv ->
  In (WO i l (seq 0 (if l <? k then Datatypes.S j else j))) (os j k).
Proof.
  intros hi hl. apply in_map_iff. exists (i, l). split; [reflexivity|].
  apply in_prod; [assumption|apply in_seq; clear - hl; lia].
Qed.

(** A column of V updates that column of the outputs. *)
Lemma one_column j k : j < nk -> k < dv ->
  reach (qs ++ ps j ++ os j k) S 1 (qs ++ ps j ++ os j (Datatypes.S k)) S.
Proof.
  intros hj hk. destruct (sizes j k) as (sq & sk & sp & so).
  destruct (sizes j (Datatypes.S k)) as (_ & _ & _ & so').
  set (f := qs ++ ps j ++ os j k).
  assert (lf : length f = length R * (d + dv + 1))
    by (unfold f; rewrite !app_length, sq, sp, so; lia).
  set (ws := map (fun i => WO i k (seq 0 (Datatypes.S j))) R).
  apply reach_drop with (f1 := ws ++ [WV j k] ++ f).
  - change 1 with (1 + 0). apply reach_trans with (f1 := [WV j k] ++ f) (S1 := S).
    + apply (read_all [WV j k]); [|cbn; lia].
      intros w [<-|[]]. now apply inputV.
    + apply make_all; [|unfold ws; rewrite map_length; cbn; lia].
      intros w g hw sub. apply in_map_iff in hw. destruct hw as [i [<- hi]].
      apply StepOutput; [|apply incl_refl]. intros j' hj'. apply in_seq in hj'.
      destruct (Nat.eq_dec j' j) as [->|ne].
      * right. split; [|apply sub; now left]. exists (seq 0 d).
        split; [|intros c hc; apply in_seq; lia].
        apply sub, in_app_iff. right. unfold f. rewrite !in_app_iff. right. left.
        apply in_map_iff. now exists i.
      * left. exists (seq 0 j). split; [|apply in_seq; lia].
        apply sub, in_app_iff. right. unfold f. rewrite !in_app_iff. right. right.
        pose proof (in_os i k j k hi hk) as h. now rewrite Nat.ltb_irrefl in h.
  - intros w hw. rewrite !in_app_iff in hw. destruct hw as [h|[h|h]].
    + rewrite !in_app_iff. right. right. unfold f. rewrite in_app_iff. now left.
    + rewrite !in_app_iff. right. right. unfold f. rewrite !in_app_iff. auto.
    + apply in_map_iff in h. destruct h as [[i l] [<- h]].
      apply in_prod_iff in h. destruct h as [hi hl]. apply in_seq in hl.
      cbn [fst snd]. destruct (Nat.eq_dec l k) as [->|ne].
      * rewrite !in_app_iff. left. apply in_map_iff. exists i.
        split; [|assumption]. destruct (Nat.ltb_spec k (Datatypes.S k)); [reflexivity|lia].
      * rewrite !in_app_iff. right. right. unfold f. rewrite !in_app_iff. right. right.
        pose proof (in_os i l j k hi ltac:(lia)) as h.
        destruct (Nat.ltb_spec l k), (Nat.ltb_spec l (Datatypes.S k)); try lia; exact h.
  - rewrite !app_length, sq, sp, so'. lia.
Qed.

Lemma columns j k : j < nk -> k <= dv ->
  reach (qs ++ ps j ++ os j 0) S k (qs ++ ps j ++ os j k) S.
Proof.
  intros hj. induction k as [|k IH]; intros hk; [constructor|].
  rewrite <- Nat.add_1_r at 1. eapply reach_trans; [apply IH; lia|].
  apply one_column; lia.
Qed.

(** A key updates all outputs of the tile. *)
Lemma one_key j : j < nk ->
  reach (qs ++ os j 0) S (d + dv) (qs ++ os (Datatypes.S j) 0) S.
Proof.
  intros hj. destruct (sizes j 0) as (sq & sk & sp & so).
  destruct (sizes (Datatypes.S j) 0) as (_ & _ & _ & so').
  assert (lf : length (qs ++ os j 0) = length R * (d + dv))
    by (rewrite app_length, sq, so; lia).
  apply reach_trans with (f1 := qs ++ ps j ++ os j 0) (S1 := S).
  - apply reach_drop with (f1 := ps j ++ ks j ++ qs ++ os j 0).
    + rewrite <- (Nat.add_0_r d).
      apply reach_trans with (f1 := ks j ++ qs ++ os j 0) (S1 := S).
      * rewrite <- sk at 1. apply read_all; [|rewrite sk, lf; lia].
        intros w h. apply in_map_iff in h. destruct h as [c [<- h]].
        apply in_seq in h. apply inputK; [assumption|lia].
      * apply make_all; [|rewrite sp, app_length, sk, lf; lia].
        intros w g h sub. apply in_map_iff in h. destruct h as [i [<- hi]].
        apply StepPair; [|apply incl_refl]. intros c hc. apply in_seq in hc.
        right. split; apply sub; rewrite !in_app_iff.
        -- right. left. apply in_qs; [assumption|lia].
        -- left. apply in_map_iff. exists c. split; [reflexivity|apply in_seq; lia].
    + intros w. rewrite !in_app_iff. tauto.
    + rewrite !app_length, sq, sp, so. lia.
  - apply reach_drop with (f1 := qs ++ ps j ++ os j dv); [now apply columns| |].
    + intros w. rewrite !in_app_iff. intros [h|h]; [auto|]. right. right.
      apply in_map_iff in h. destruct h as [[i l] [<- h]].
      apply in_prod_iff in h. destruct h as [hi hl]. apply in_seq in hl. cbn [fst snd].
      pose proof (in_os i l j dv hi ltac:(lia)) as h.
      destruct (Nat.ltb_spec l dv); [exact h|lia].
    + rewrite app_length, sq, so'. lia.
Qed.

Lemma keys j : j <= nk -> reach (qs ++ os 0 0) S (j * (d + dv)) (qs ++ os j 0) S.
Proof.
  induction j as [|j IH]; intros hj; [constructor|].
  replace (Datatypes.S j * (d + dv)) with (j * (d + dv) + (d + dv)) by lia.
  eapply reach_trans; [apply IH; lia|apply one_key; lia].
Qed.

Lemma one_tile :
  reach [] S (length R * (d + dv) + nk * (d + dv)) [] (os nk 0 ++ S).
Proof.
  destruct (sizes 0 0) as (sq & _ & _ & so). destruct (sizes nk 0) as (_ & _ & _ & so').
  replace (length R * (d + dv) + nk * (d + dv))
    with (length R * d + (0 + (nk * (d + dv) + length R * dv))) by lia.
  apply reach_trans with (f1 := qs) (S1 := S).
  { pose proof (read_all qs [] S) as all. rewrite app_nil_r, sq in all.
    apply all; [|cbn; lia].
    intros w h. apply in_map_iff in h. destruct h as [[i c] [<- h]].
    apply in_prod_iff in h. destruct h as [hi hc]. apply in_seq in hc.
    apply inputQ; [assumption|cbn; lia]. }
  apply reach_trans with (f1 := qs ++ os 0 0) (S1 := S).
  { apply reach_drop with (f1 := os 0 0 ++ qs).
    - apply make_all; [|rewrite so, sq; lia].
      intros w g h sub. apply in_map_iff in h. destruct h as [[i l] [<- h]].
      cbn [fst snd]. apply StepOutput; [|apply incl_refl].
      intros j hj. apply in_seq in hj. cbn in hj. lia.
    - intros w. rewrite !in_app_iff. tauto.
    - rewrite app_length, sq, so. lia. }
  eapply reach_trans; [apply (keys nk); lia|].
  apply reach_drop with (f1 := qs ++ os nk 0); [|intros w []|cbn; lia].
  rewrite <- so'. apply write_all; [|rewrite app_length, sq, so'; lia].
  intros w h. split; [|apply in_app_iff; now right].
  apply in_map_iff in h. destruct h as [p [<- _]]. reflexivity.
Qed.
End Attained.

Section Tiles.
Variables d dv M nk a : nat.
Hypothesis fits : a * (d + dv + 2) + d + 1 <= M.

Lemma all_tiles : forall tiles S,
  (forall R, In R tiles -> length R <= a) ->
  (forall i c, In i (concat tiles) -> c < d -> In (WQ i c) S) ->
  (forall j c, j < nk -> c < d -> In (WK j c) S) ->
  (forall j l, j < nk -> l < dv -> In (WV j l) S) ->
  exists S', incl S S' /\
    reach d M [] S (length (concat tiles) * (d + dv) + length tiles * (nk * (d + dv))) [] S' /\
    forall i l, In i (concat tiles) -> l < dv -> In (WO i l (seq 0 nk)) S'.
Proof.
  induction tiles as [|R tiles IH]; intros S small iq ik iv.
  - exists S. split; [apply incl_refl|]. split; [constructor|easy].
  - set (S1 := os dv R nk 0 ++ S).
    destruct (IH S1) as (S' & sub & r & outs).
    + intros; apply small; now right.
    + intros i c h hc. apply in_app_iff. right. apply iq; [|assumption].
      cbn. apply in_app_iff. now right.
    + intros. apply in_app_iff. right. auto.
    + intros. apply in_app_iff. right. auto.
    + exists S'. split; [|split].
      * intros w h. apply sub, in_app_iff. now right.
      * cbn [concat length]. rewrite app_length.
        match goal with |- reach _ _ _ _ ?n _ _ => replace n with
          ((length R * (d + dv) + nk * (d + dv)) +
           (length (concat tiles) * (d + dv) + length tiles * (nk * (d + dv)))) by lia end.
        eapply reach_trans; [|exact r]. apply one_tile; auto.
        -- intros i c hi hc. apply iq; [|assumption]. cbn. apply in_app_iff. now left.
        -- assert (length R <= a) by (apply small; now left).
           assert (length R * (d + dv + 2) <= a * (d + dv + 2))
             by now apply Nat.mul_le_mono_r. lia.
      * intros i l h hl. cbn in h. apply in_app_iff in h. destruct h as [h|h]; [|auto].
        apply sub, in_app_iff. left.
        pose proof (in_os dv R i l nk 0 h hl) as k.
        destruct (Nat.ltb_spec l 0); [lia|exact k].
Qed.

(** Every full attention has a run: n_q (d + d_v) + tiles n_k (d + d_v) words, with
    tiles of at most a rows, a (d + d_v + 2) + d + 1 <= M. *)
Theorem flash2_run : forall tiles : list (list nat),
  (forall R, In R tiles -> length R <= a) ->
  exists F S tr S', run d M F S tr S' /\ cold F S /\
    computes (list_prod (concat tiles) (seq 0 nk)) dv S' /\
    io tr = length (concat tiles) * (d + dv) + length tiles * (nk * (d + dv)).
Proof.
  intros tiles small.
  pose (S := map (fun p => WQ (fst p) (snd p)) (list_prod (concat tiles) (seq 0 d)) ++
             map (fun p => WK (fst p) (snd p)) (list_prod (seq 0 nk) (seq 0 d)) ++
             map (fun p => WV (fst p) (snd p)) (list_prod (seq 0 nk) (seq 0 dv))).
  destruct (all_tiles tiles S small) as (S' & sub & r & outs).
  - intros i c hi hc. apply in_app_iff. left. apply in_map_iff. exists (i, c).
    split; [reflexivity|]. apply in_prod; [assumption|apply in_seq; lia].
  - intros j c hj hc. unfold S. rewrite !in_app_iff. right. left. apply in_map_iff. exists (j, c).
    split; [reflexivity|]. apply in_prod; apply in_seq; lia.
  - intros j l hj hl. unfold S. rewrite !in_app_iff. right. right. apply in_map_iff. exists (j, l).
    split; [reflexivity|]. apply in_prod; apply in_seq; lia.
  - destruct (reach_run d M _ _ _ _ _ r (fun _ => []) eq_refl) as (tr & ht & hio).
    exists (fun _ => []), S, tr, S'. split; [assumption|]. split.
    + split; [reflexivity|]. intros w h. unfold S in h. rewrite !in_app_iff in h.
      destruct h as [h|[h|h]]; apply in_map_iff in h; destruct h as [p [<- _]]; exact I.
    + split; [|assumption]. intros i j l h hl. apply in_prod_iff in h.
      destruct h as [hi hj]. exists (seq 0 nk). split; [now apply outs|assumption].
Qed.
End Tiles.
