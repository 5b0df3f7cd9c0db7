(*===- LoomisWhitney.v - The discrete Loomis-Whitney inequality -----------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* A finite set of triples (i, j, l) has at most sqrt(|A| |B| |C|) members,   *)
(* where A, B, C hold its projections to (i, j), (j, l) and (i, l).           *)
From Coq Require Import List Arith Lia Psatz.
From Ioflor Require Import FiniteSets.
Import ListNotations.

Definition triple : Type := nat * nat * nat.

(** The Cauchy-Schwarz step: roots add up when the squares are bounded by
    products with a common factor. *)
Lemma cauchy_step : forall n t x y T X Y : nat,
  t * t <= n * (x * y) -> T * T <= n * (X * Y) ->
  (t + T) * (t + T) <= n * ((x + X) * (y + Y)).
Proof.
  intros n t x y T X Y h H.
  assert (cross : 2 * (t * T) <= n * (x * Y + X * y)).
  { (* (2 t T)^2 <= 4 n^2 xY Xy <= n^2 (xY + Xy)^2 *)
    assert (prod : (t * t) * (T * T) <= (n * (x * y)) * (n * (X * Y)))
      by (apply Nat.mul_le_mono; assumption).
    set (p := x * Y) in *. set (q := X * y) in *.
    assert (e : (n * (x * y)) * (n * (X * Y)) = n * n * (p * q))
      by (unfold p, q; ring).
    rewrite e in prod.
    assert (sq : (2 * (t * T)) * (2 * (t * T)) <= (n * (p + q)) * (n * (p + q))).
    { replace ((2 * (t * T)) * (2 * (t * T))) with (4 * ((t * t) * (T * T)))
        by ring.
      replace ((n * (p + q)) * (n * (p + q)))
        with (n * n * ((p + q) * (p + q))) by ring.
      apply Nat.le_trans with (4 * (n * n * (p * q))); [lia|].
      replace (4 * (n * n * (p * q))) with (n * n * (4 * (p * q))) by ring.
      apply Nat.mul_le_mono_l.
      destruct (Nat.le_ge_cases p q) as [c|c];
        [replace q with (p + (q - p)) by lia | replace p with (q + (p - q)) by lia];
        nia. }
    destruct (Nat.le_gt_cases (2 * (t * T)) (n * (p + q))) as [ok|bad]; [exact ok|].
    exfalso. assert (n * (p + q) * (n * (p + q)) < 2 * (t * T) * (2 * (t * T)))
      by (apply Nat.mul_lt_mono; exact bad). lia. }
  replace ((t + T) * (t + T)) with (t * t + 2 * (t * T) + T * T) by ring.
  replace (n * ((x + X) * (y + Y)))
    with (n * (x * y) + n * (x * Y + X * y) + n * (X * Y)) by ring.
  lia.
Qed.

Definition onL (l : nat) (t : triple) : bool := snd t =? l.
Definition onL2 (l : nat) (p : nat * nat) : bool := snd p =? l.

(** One slice: the triples with last coordinate [l]. *)
Lemma slice (l : nat) (S : list triple) (A B C : list (nat * nat)) :
  NoDup S ->
  (forall i j k, In (i, j, k) S -> k = l) ->
  (forall i j k, In (i, j, k) S -> In (i, j) A /\ In (j, k) B /\ In (i, k) C) ->
  length S * length S <= length A * (length B * length C).
Proof.
  intros nd onl proj.
  assert (inj : forall x y, In x S -> In y S -> fst x = fst y -> x = y).
  { intros [[i j] k] [[i' j'] k'] hx hy e. cbn in e.
    rewrite (onl _ _ _ hx), (onl _ _ _ hy). congruence. }
  assert (byA : length S <= length A).
  { apply (length_le_image fst); auto.
    intros [[i j] k] h. now apply proj in h. }
  assert (byBC : length S <= length B * length C).
  { rewrite <- prod_length.
    apply (length_le_image
             (fun t : triple => ((snd (fst t), snd t), (fst (fst t), snd t)))); auto.
    - intros [[i j] k] [[i' j'] k'] hx hy e. cbn in e. congruence.
    - intros [[i j] k] h. cbn. apply in_prod; now apply proj in h. }
  apply Nat.mul_le_mono; assumption.
Qed.

Theorem loomis_whitney : forall (S : list triple) (A B C : list (nat * nat)),
  NoDup S ->
  (forall i j l, In (i, j, l) S -> In (i, j) A /\ In (j, l) B /\ In (i, l) C) ->
  length S * length S <= length A * (length B * length C).
Proof.
  intros S A. remember (map snd S) as Ls eqn:eL.
  assert (cover : forall t, In t S -> In (snd t) Ls)
    by (subst; intros; now apply in_map).
  clear eL. revert S cover.
  induction Ls as [|l Ls IH]; intros S cover B C nd proj.
  - destruct S as [|t S]; [cbn; lia|]. destruct (cover t); now left.
  - rewrite (length_filter_split (onL l) S), (length_filter_split (onL2 l) B),
      (length_filter_split (onL2 l) C).
    apply cauchy_step.
    + apply (slice l).
      * now apply NoDup_filter.
      * intros i j k h. apply filter_In in h. now apply Nat.eqb_eq.
      * intros i j k h. apply filter_In in h. destruct h as [h e].
        apply proj in h. repeat rewrite filter_In. tauto.
    + apply IH.
      * intros t h. apply filter_In in h. destruct h as [h e].
        destruct (cover t h) as [same|]; [|assumption].
        unfold onL in e. rewrite <- same, Nat.eqb_refl in e. discriminate.
      * now apply NoDup_filter.
      * intros i j k h. apply filter_In in h. destruct h as [h e].
        apply proj in h. repeat rewrite filter_In. tauto.
Qed.
