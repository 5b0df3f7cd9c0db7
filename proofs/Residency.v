(*===- Residency.v - Which transfers an interval's work is charged to -----===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* A residency of (i, l) is a maximal interval in which a fast memory holds a *)
(* word private to output (i, l). Work that reaches the output is done in a   *)
(* residency that also writes such a word afterwards. That write pays for the *)
(* residency, and the charge is dated at its start.                           *)
From Coq Require Import List Arith Bool Lia.
From Ioflor Require Import FiniteSets LoomisWhitney SegmentLemma Machine.
Import ListNotations.

Section Residency.
Variables d M : nat.
Notation lstep := (lstep d).
Notation lrun := (lrun d M).
Notation product := (product d).

Definition ofOutput i l w :=
  match w with WO i' l' _ => (i' =? i) && (l' =? l) | _ => false end.
Definition resident i l (f : list word) : bool := existsb (ofOutput i l) f.
Definition writes i l o := match o with Wr w => ofOutput i l w | _ => false end.

Lemma resident_In i l f : resident i l f = true <-> exists s, In (WO i l s) f.
Proof.
  unfold resident. rewrite existsb_exists. split.
  - intros [w [h e]]. destruct w; try discriminate. cbn in e.
    apply andb_prop in e. destruct e as [e1 e2].
    apply Nat.eqb_eq in e1, e2. subst. eauto.
  - intros [s h]. exists (WO i l s). cbn. now rewrite !Nat.eqb_refl.
Qed.

(** The residency of (i, l) that is under way writes before it ends. *)
Fixpoint pays i l (tr : ltrace) : bool :=
  match tr with
  | [] => false
  | (o, f) :: tr => writes i l o || (resident i l f && pays i l tr)
  end.

(** The charged event of a step, if it is one: a read of an input or of a
    pair-private word, or the start of a residency that pays. [f] is fast memory
    before the step, [fut] what the processor does after it. *)
Definition event (f : list word) (o : op) (fut : ltrace) : list word :=
  match o with
  | Rd (WO i l _) | Mk (WO i l _) =>
      if negb (resident i l f) && pays i l fut then [WO i l []] else []
  | Rd w => [w]
  | _ => []
  end.

Fixpoint events (f : list word) (tr rest : ltrace) : list word :=
  match tr with
  | [] => []
  | (o, f') :: tr => event f o (tr ++ rest) ++ events f' tr rest
  end.

(** The product (i, j, l) is done here, in a residency that pays. *)
Definition hit f o fut (t : triple) : Prop :=
  let '(i, j, l) := t in
  exists s, o = Mk (WO i l s) /\ In j s /\ product f i j l /\ pays i l fut = true.

Fixpoint hits (f : list word) (tr rest : ltrace) (t : triple) : Prop :=
  match tr with
  | [] => False
  | (o, f') :: tr => hit f o (tr ++ rest) t \/ hits f' tr rest t
  end.

Fixpoint final (f : list word) (tr : ltrace) : list word :=
  match tr with [] => f | (_, f') :: tr => final f' tr end.

Lemma events_app f t1 t2 rest :
  events f (t1 ++ t2) rest = events f t1 (t2 ++ rest) ++ events (final f t1) t2 rest.
Proof.
  revert f. induction t1 as [|[o f'] t1 IH]; intros f; cbn; [reflexivity|].
  now rewrite IH, !app_assoc.
Qed.

Lemma hits_app f t1 t2 rest t :
  hits f (t1 ++ t2) rest t <-> hits f t1 (t2 ++ rest) t \/ hits (final f t1) t2 rest t.
Proof.
  revert f. induction t1 as [|[o f'] t1 IH]; intros f; cbn; [tauto|].
  rewrite IH, app_assoc. tauto.
Qed.

Lemma lrun_app f t1 t2 : lrun f (t1 ++ t2) -> lrun (final f t1) t2.
Proof.
  revert f. induction t1 as [|[o f'] t1 IH]; intros f; cbn; [easy|]. intuition.
Qed.

Lemma final_fits f tr : length f <= M -> lrun f tr -> length (final f tr) <= M.
Proof.
  revert f. induction tr as [|[o f'] tr IH]; intros f; cbn; [easy|]. intuition.
Qed.

Lemma event_short f o fut : length (event f o fut) <= 1.
Proof.
  destruct o as [[]| |[]|]; cbn; try lia; destruct (_ && _); cbn; lia.
Qed.

(** ** What is in fast memory came from D. *)

Definition provides (f : list word) (fut : ltrace) (D : list word) : Prop :=
  (forall w, In w f -> isQ w || isK w || isV w = true -> In w D) /\
  (forall i j s, In (WP i j s) f ->
     (exists s', In (WP i j s') D) \/
     forall c, In c s -> In (WQ i c) D /\ In (WK j c) D) /\
  (forall i l s, In (WO i l s) f -> pays i l fut = true -> exists s', In (WO i l s') D).

Lemma provides_start f fut : provides f fut f.
Proof. repeat split; eauto. Qed.

Lemma provides_mono f fut D D' : incl D D' -> provides f fut D -> provides f fut D'.
Proof.
  intros sub (h1 & h2 & h3). split; [|split].
  - auto.
  - intros i j s h. destruct (h2 i j s h) as [[s' h']|h']; [left; eauto|right].
    intros c hc. destruct (h' c hc). auto.
  - intros i l s h p. destruct (h3 i l s h p). eauto.
Qed.

Definition pairIn (D : list word) i j := existsb
  (fun w => match w with WP i' j' _ => (i' =? i) && (j' =? j) | _ => false end) D.

Lemma pairIn_spec D i j : pairIn D i j = true <-> exists s, In (WP i j s) D.
Proof.
  unfold pairIn. rewrite existsb_exists. split.
  - intros [[] [h e]]; try discriminate. apply andb_prop in e. destruct e as [e1 e2].
    apply Nat.eqb_eq in e1, e2. subst. eauto.
  - intros [s h]. exists (WP i j s). now rewrite !Nat.eqb_refl.
Qed.

Lemma pays_back i l o f fut s :
  In (WO i l s) f -> pays i l fut = true -> pays i l ((o, f) :: fut) = true.
Proof.
  intros h p. cbn. apply orb_true_iff. right. rewrite p, andb_true_r.
  apply resident_In. eauto.
Qed.

Lemma provides_step f o f' fut D :
  lstep f o f' -> provides f ((o, f') :: fut) D ->
  provides f' fut (D ++ event f o fut).
Proof.
  intros st (h1 & h2 & h3).
  assert (keep : forall g, incl g f -> incl g f' ->
    (forall w, In w g -> isQ w || isK w || isV w = true -> In w D) /\
    (forall i j s, In (WP i j s) g ->
      (exists s', In (WP i j s') D) \/
      forall c, In c s -> In (WQ i c) D /\ In (WK j c) D) /\
    (forall i l s, In (WO i l s) g -> pays i l fut = true ->
      exists s', In (WO i l s') D)).
  { intros g sub sub'. split; [|split]; eauto.
    intros i l s h p. apply (h3 i l s); [auto|]. eapply pays_back; eauto. }
  assert (weaken : forall X, provides X fut D -> provides X fut (D ++ event f o fut))
    by (intros; eapply provides_mono; [apply incl_appl, incl_refl|assumption]).
  (* a word joins those that were there *)
  assert (join : forall w g, f' = w :: g -> incl g f ->
    (isQ w || isK w || isV w = true -> In w (D ++ event f o fut)) ->
    (forall i j s, w = WP i j s -> (exists s', In (WP i j s') (D ++ event f o fut)) \/
       forall c, In c s -> In (WQ i c) (D ++ event f o fut) /\
                           In (WK j c) (D ++ event f o fut)) ->
    (forall i l s, w = WO i l s -> pays i l fut = true ->
       exists s', In (WO i l s') (D ++ event f o fut)) ->
    provides f' fut (D ++ event f o fut)).
  { intros w g -> sub c1 c2 c3.
    destruct (keep g sub) as (k1 & k2 & k3); [now apply incl_tl, incl_refl|].
    destruct (weaken g (conj k1 (conj k2 k3))) as (w1 & w2 & w3).
    split; [|split].
    - intros x [<-|hx]; auto.
    - intros i j s [e|hx]; auto.
    - intros i l s [e|hx]; eauto. }
  (* the output's residency starts here, or was under way *)
  assert (out : forall i l s, (o = Rd (WO i l s) \/ o = Mk (WO i l s)) ->
    In (WO i l s) f' -> pays i l fut = true ->
    exists s', In (WO i l s') (D ++ event f o fut)).
  { intros i l s how here p. destruct (resident i l f) eqn:r.
    - apply resident_In in r. destruct r as [s0 r].
      destruct (h3 i l s0 r) as [s' h]; [eapply pays_back; eauto|].
      exists s'. apply in_app_iff. now left.
    - exists []. apply in_app_iff. right.
      destruct how as [-> | ->]; cbn; rewrite r, p; now left. }
  destruct st as [f w|f w|f g i j s ops sub|f g i l s ops sub|f g sub].
  - apply (join w f); auto using incl_refl.
    + intros k. apply in_app_iff. right. destruct w; try discriminate; now left.
    + intros i j s ->. left. exists s. apply in_app_iff. right. now left.
    + intros i l s -> p. apply (out i l s); auto. now left.
  - apply weaken, keep; apply incl_refl.
  - apply (join (WP i j s) g); auto; try discriminate.
    intros i' j' s' [= <- <- <-]. destruct (pairIn D i j) eqn:e.
    { apply pairIn_spec in e. destruct e as [s' e]. left. exists s'.
      apply in_app_iff. now left. }
    right. intros c hc. rewrite !in_app_iff.
    destruct (ops c hc) as [[s0 [hp hs]]|[hq hk]].
    + destruct (h2 i j s0 hp) as [has|all].
      * apply pairIn_spec in has. congruence.
      * destruct (all c hs). auto.
    + split; left; now apply h1.
  - apply (join (WO i l s) g); auto; try discriminate.
    intros i' l' s' [= <- <- <-] p. apply (out i l s); auto. now left.
  - apply weaken, keep; [assumption|apply incl_refl].
Qed.

(** All that an interval's products need is in fast memory at its start or among
    its events. *)
Lemma interval_provides : forall tr f rest D,
  lrun f (tr ++ rest) -> provides f (tr ++ rest) D ->
  forall i j l, hits f tr rest (i, j, l) ->
  pairReady d (D ++ events f tr rest) i j /\
  In (WV j l) (D ++ events f tr rest) /\
  exists s, In (WO i l s) (D ++ events f tr rest).
Proof.
  induction tr as [|[o f'] tr IH]; intros f rest D lr pr i j l; cbn; [easy|].
  cbn in lr. destruct lr as (st & len & lr).
  pose proof (provides_step _ _ _ _ _ st pr) as pr'.
  rewrite app_assoc. intros [(s & -> & hj & ((s0 & hp & fl) & hv) & p)|later];
    [|now apply IH].
  set (D1 := D ++ event f (Mk (WO i l s)) (tr ++ rest)) in *.
  destruct pr as (h1 & h2 & _).
  assert (up : incl D (D1 ++ events f' tr rest))
    by (unfold D1; rewrite <- app_assoc; apply incl_appl, incl_refl).
  split; [|split].
  - destruct (h2 i j s0 hp) as [[s' h]|all].
    + left. exists s'. auto.
    + right. split; intros c hc; apply up; now apply all, fl.
  - apply up, h1; auto.
  - destruct pr' as (_ & _ & h3). destruct (h3 i l s) as [s' h]; auto.
    + inversion st; subst. now left.
    + exists s'. apply in_app_iff. now left.
Qed.

(** ** The events are paid by transfers. *)

(** The reads and the writes of output words that pay. *)
Definition paying o := readsOf (fun w => negb (isO w)) o || writesOf isO o.

Lemma events_paid_from : forall tr f (open : list (nat * nat)),
  lrun f tr -> NoDup open ->
  (forall i l, In (i, l) open -> resident i l f = true /\ pays i l tr = true) ->
  length (events f tr []) + length open <= ltally paying tr.
Proof.
  induction tr as [|[o f'] tr IH]; intros f open lr nd op.
  - destruct open as [|[i l] open]; [cbn; lia|].
    destruct (op i l) as [_ h]; [now left|discriminate].
  - cbn in lr. destruct lr as (st & len & lr).
    cbn [events]. rewrite app_nil_r, app_length.
    assert (still : forall i l, In (i, l) open -> writes i l o = false ->
              resident i l f' = true /\ pays i l tr = true).
    { intros i l h w. destruct (op i l h) as [_ p]. cbn in p. rewrite w in p.
      cbn in p. now apply andb_prop in p. }
    assert (step : ltally paying ((o, f') :: tr)
                   = (if paying o then 1 else 0) + ltally paying tr)
      by (unfold ltally; cbn; now destruct (paying o)).
    rewrite step.
    (* no write of an output word: the open residencies stay open *)
    assert (plain : (forall i l, writes i l o = false) ->
              length (event f o tr) <= (if paying o then 1 else 0) ->
              length (event f o tr) + length (events f' tr []) + length open
              <= (if paying o then 1 else 0) + ltally paying tr).
    { intros nw e. specialize (IH f' open lr nd). cut (length (events f' tr []) +
        length open <= ltally paying tr); [lia|]. apply IH. auto. }
    (* an output word appears *)
    assert (start : forall i l s, In (WO i l s) f' ->
              (forall i l, writes i l o = false) ->
              event f o tr = (if negb (resident i l f) && pays i l tr
                              then [WO i l []] else []) ->
              length (event f o tr) + length (events f' tr []) + length open
              <= (if paying o then 1 else 0) + ltally paying tr).
    { intros i l s here nw e. rewrite e.
      destruct (negb (resident i l f) && pays i l tr) eqn:c.
      - apply andb_prop in c. destruct c as [c1 c2]. apply negb_true_iff in c1.
        assert (fresh : ~ In (i, l) open)
          by (intros h; apply op in h; destruct h; congruence).
        specialize (IH f' ((i, l) :: open) lr (NoDup_cons _ fresh nd)).
        cbn [length] in *. cut (length (events f' tr []) + S (length open)
          <= ltally paying tr); [lia|]. apply IH.
        intros i' l' [[= <- <-]|h]; [|auto]. split; [|assumption].
        apply resident_In. eauto.
      - cbn [length]. apply Nat.le_trans with (ltally paying tr); [|lia].
        apply (IH f' open lr nd). auto. }
    destruct o as [w|w|w|].
    + destruct w as [i c|j c|j l|i j s|i l s];
        try (apply plain; cbn; [easy|lia]).
      apply (start i l s); auto. inversion st; subst. now left.
    + destruct w as [i c|j c|j l|i j s|i l s];
        try (apply plain; cbn; [easy|lia]).
      (* the write closes one residency *)
      cbn.
      pose (open' := remove (fun x y : nat * nat => 
              ltac:(decide equality; apply Nat.eq_dec)) (i, l) open).
      assert (ge : length open <= S (length open')).
      { change (S (length open')) with (length ((i, l) :: open')).
        apply NoDup_incl_length; [assumption|]. intros x hx.
        destruct (in_dec (fun x y : nat * nat =>
              ltac:(decide equality; apply Nat.eq_dec)) x [(i, l)]) as [[<-|[]]|ne];
          [now left|right]. apply in_in_remove; [|assumption].
        intros ->. apply ne. now left. }
      assert (length (events f' tr []) + length open' <= ltally paying tr); [|lia].
      apply IH; auto.
      * clear - nd. unfold open'. induction nd as [|x l' notin nd IH]; cbn; [constructor|].
        match goal with |- context [if ?b then _ else _] => destruct b end;
          [assumption|]. constructor; [|assumption].
        intros h. apply in_remove in h. tauto.
      * intros i' l' h. apply in_remove in h. destruct h as [h ne].
        apply still; [assumption|]. cbn.
        destruct (Nat.eqb_spec i i'), (Nat.eqb_spec l l'); subst; cbn; congruence.
    + destruct w as [i c|j c|j l|i j s|i l s];
        try (apply plain; cbn; [easy|lia]).
      apply (start i l s); auto. inversion st; subst. now left.
    + apply plain; cbn; [easy|lia].
Qed.

Lemma events_paid tr f : lrun f tr -> length (events f tr []) <= ltally paying tr.
Proof.
  intros lr. pose proof (events_paid_from tr f [] lr (NoDup_nil _)) as h.
  cbn in h. specialize (h ltac:(easy)). lia.
Qed.

(** The events of Q, K and pair-private words are exactly their reads. *)
Lemma events_QKP : forall tr f rest, 
  count isQKP (events f tr rest) = ltally (readsOf isQKP) tr.
Proof.
  induction tr as [|[o f'] tr IH]; intros f rest; [reflexivity|].
  cbn [events]. rewrite count_app, IH. unfold count, ltally.
  destruct o as [[]|w|[]|]; cbn; try lia;
    match goal with |- context [if ?b then _ else _] => destruct b end; cbn; lia.
Qed.
End Residency.
