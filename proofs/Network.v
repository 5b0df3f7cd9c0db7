(*===- Network.v - Words between devices ----------------------------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* N query rows and N key columns lie evenly on P devices; device p ends up   *)
(* with x_p rows and y_p columns (N / P of each its own) and can then compute *)
(* x_p y_p of the N^2 pairs. A row or column moved costs d words. This is the *)
(* counting relaxation: every schedule that moves whole rows and columns      *)
(* satisfies it.                                                              *)
From Coq Require Import Reals Lra Psatz List.
Import ListNotations.
Open Scope R_scope.

Lemma square_nonneg (x : R) : 0 <= x * x.
Proof. apply Rle_0_sqr. Qed.

(** ** AM-GM, concentration, saturation *)

Theorem am_gm : forall x y : R, 4 * (x * y) <= (x + y) * (x + y).
Proof. intros. pose proof (square_nonneg (x - y)). lra. Qed.

(** A given product of rows and columns is cheapest at x = y. *)
Theorem square_is_cheapest : forall s x y : R,
  0 <= s -> 0 <= x -> 0 <= y -> s * s <= x * y -> 2 * s <= x + y.
Proof.
  intros s x y hs hx hy h. apply Rnot_lt_le. intros bad. pose proof (am_gm x y). nra.
Qed.

Definition sum (l : list R) : R := fold_right Rplus 0 l.
Definition squares (l : list R) : R := sum (map (fun u => u * u) l).

Lemma sum_nonneg l : (forall u, In u l -> 0 <= u) -> 0 <= sum l.
Proof.
  induction l as [|u l IH]; cbn; intros h; [lra|].
  assert (0 <= u) by (apply h; now left). assert (0 <= sum l) by (apply IH; auto). 
  unfold sum in *. lra.
Qed.

(** A sum of squares is reached with the least sum when one device holds all. *)
Theorem concentration : forall l : list R,
  (forall u, In u l -> 0 <= u) -> squares l <= sum l * sum l.
Proof.
  induction l as [|u l IH]; cbn; intros h; [lra|].
  assert (0 <= u) by (apply h; now left).
  assert (0 <= sum l) by (apply sum_nonneg; auto).
  assert (squares l <= sum l * sum l) by (apply IH; auto).
  unfold squares, sum in *. nra.
Qed.

(** An even split of the same sum has the smallest sum of squares: taking it for
    granted overstates the floor. *)
Theorem even_split_overstates : forall l : list R,
  sum l * sum l <= INR (length l) * squares l.
Proof.
  induction l as [|u l IH]; [cbn; lra|].
  change (length (u :: l)) with (S (length l)). rewrite S_INR.
  unfold squares, sum in *. cbn. set (s := fold_right Rplus 0 l) in *.
  set (q := fold_right Rplus 0 (map (fun u => u * u) l)) in *.
  set (n := INR (length l)) in *. assert (0 <= n) by apply pos_INR.
  assert (cross : 2 * u * s <= n * (u * u) + q).
  { destruct (Req_dec n 0) as [z|nz].
    - rewrite z, Rmult_0_l in *.
      assert (s0 : s * s = 0) by (pose proof (square_nonneg s); lra).
      apply Rmult_integral in s0. assert (s = 0) as -> by tauto.
      assert (0 <= q); [|lra]. unfold q. clear.
      induction l as [|v l IH]; cbn; [lra|]. pose proof (square_nonneg v). lra.
    - apply Rmult_le_reg_l with n; [lra|]. pose proof (square_nonneg (n * u - s)). lra. }
  lra.
Qed.

Theorem saturation_step : forall s : R, 0 <= s -> s * s <= 1 -> s <= 1.
Proof. intros. nra. Qed.

(** ** The floor: 2 d N (sqrt (P^2 - P + 1) - 1) / P *)

Definition networkFloor (d N P : R) : R := 2 * (d * N) * (sqrt (P * P - P + 1) - 1) / P.

Section Floor.
Variables N P : R.
Hypothesis sizes : 0 < N /\ 1 <= P.

(** The words of d = 1 that devices with rows and columns (x, y) received. *)
Definition received (ds : list (R * R)) : R :=
  sum (map (fun p => fst p + snd p - 2 * (N / P)) ds).
Definition pairs (ds : list (R * R)) : R := sum (map (fun p => fst p * snd p) ds).

Lemma pairs_le : forall ds,
  (forall p, In p ds -> N / P <= fst p /\ N / P <= snd p) ->
  exists u, u = map (fun p => (fst p + snd p) / 2 - N / P) ds /\
    (forall v, In v u -> 0 <= v) /\ received ds = 2 * sum u /\
    pairs ds <= squares u + 2 * (N / P) * sum u + INR (length ds) * (N / P * (N / P)).
Proof.
  induction ds as [|[x y] ds IH]; intros h.
  - exists []. unfold received, pairs, squares. cbn. repeat split; try lra. easy.
  - destruct IH as (u & -> & pos & rec & le); [intros p hp; apply h; now right|].
    destruct (h (x, y)) as [hx hy]; [now left|]. cbn in hx, hy.
    exists ((x + y) / 2 - N / P :: map (fun p => (fst p + snd p) / 2 - N / P) ds).
    split; [reflexivity|].
    change (length ((x, y) :: ds)) with (S (length ds)). rewrite S_INR.
    unfold received, pairs, squares, sum in *. cbn. set (h0 := N / P) in *.
    split; [|split].
    + intros v [<-|hv]; [lra|auto].
    + lra.
    + pose proof (am_gm x y). nra.
Qed.

Theorem network_counting_floor : forall ds d,
  0 <= d -> INR (length ds) = P ->
  (forall p, In p ds -> N / P <= fst p /\ N / P <= snd p) ->
  N * N <= pairs ds -> networkFloor d N P <= d * received ds.
Proof.
  intros ds d dpos len own all. destruct sizes as [np pp].
  destruct (pairs_le ds own) as (u & _ & pos & rec & le).
  pose proof (concentration u pos) as conc. pose proof (sum_nonneg u pos) as upos.
  rewrite len in le. set (U := sum u) in *. set (h := N / P) in *.
  assert (hP : h * P = N) by (unfold h; field; lra).
  assert (0 < h) by (unfold h; apply Rdiv_lt_0_compat; lra).
  (* (U + h)^2 >= h^2 (P^2 - P + 1) *)
  assert (sq : h * h * (P * P - P + 1) <= (U + h) * (U + h)).
  { assert (e : N * N = h * h * (P * P)) by (rewrite <- hP; ring). nra. }
  assert (root : h * sqrt (P * P - P + 1) <= U + h).
  { assert (0 <= P * P - P + 1) by nra.
    pose proof (sqrt_sqrt _ H0). pose proof (sqrt_pos (P * P - P + 1)).
    set (r := sqrt (P * P - P + 1)) in *. apply Rnot_lt_le. intros bad.
    assert (0 <= U + h) by lra.
    assert ((U + h) * (U + h) < (h * r) * (h * r)) by (apply Rmult_le_0_lt_compat; lra).
    replace (h * r * (h * r)) with (h * h * (r * r)) in * by ring.
    rewrite H1 in *. lra. }
  rewrite rec. unfold networkFloor.
  replace (2 * (d * N) * (sqrt (P * P - P + 1) - 1) / P)
    with (d * (2 * (h * sqrt (P * P - P + 1) - h))) by (unfold h; field; lra).
  apply Rmult_le_compat_l; [assumption|]. lra.
Qed.

(** However many devices there are, the floor stays below 2 d N. *)
Theorem network_floor_saturates : forall d, 0 <= d -> networkFloor d N P <= 2 * (d * N).
Proof.
  intros d dpos. destruct sizes as [np pp]. unfold networkFloor.
  assert (0 <= P * P - P + 1) by nra.
  assert (r : sqrt (P * P - P + 1) <= P).
  { apply Rle_trans with (sqrt (Rsqr P)).
    - apply sqrt_le_1_alt. unfold Rsqr. lra.
    - rewrite sqrt_Rsqr; lra. }
  apply Rmult_le_reg_r with P; [lra|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (0 <= d * N) by nra. nra.
Qed.
End Floor.

Theorem one_device_moves_nothing : forall d N, networkFloor d N 1 = 0.
Proof.
  intros. unfold networkFloor. replace (1 * 1 - 1 + 1) with 1 by ring. rewrite sqrt_1. lra.
Qed.

Theorem network_floor_monotone : forall d N P P',
  0 <= d * N -> 1 <= P <= P' -> networkFloor d N P <= networkFloor d N P'.
Proof.
  intros d N P P' dn [p1 p2]. unfold networkFloor.
  (* (sqrt (P^2 - P + 1) - 1) / P = (P - 1) / (sqrt (P^2 - P + 1) + 1) *)
  assert (form : forall Q, 1 <= Q ->
    (sqrt (Q * Q - Q + 1) - 1) / Q = (Q - 1) / (sqrt (Q * Q - Q + 1) + 1)).
  { intros Q q. assert (h : 0 <= Q * Q - Q + 1) by nra.
    pose proof (sqrt_sqrt _ h). pose proof (sqrt_pos (Q * Q - Q + 1)).
    set (r := sqrt (Q * Q - Q + 1)) in *.
    apply Rmult_eq_reg_r with (Q * (r + 1)); [|nra].
    replace ((r - 1) / Q * (Q * (r + 1))) with (r * r - 1) by (field; lra).
    replace ((Q - 1) / (r + 1) * (Q * (r + 1))) with ((Q - 1) * Q) by (field; lra).
    rewrite H. ring. }
  assert (split : forall a b c, 2 * a * b / c = 2 * (a * (b / c)))
    by (intros; unfold Rdiv; ring).
  rewrite !split. apply Rmult_le_compat_l; [lra|].
  apply Rmult_le_compat_l; [assumption|].
  rewrite !form by lra.
  assert (h : 0 <= P * P - P + 1) by nra. assert (h' : 0 <= P' * P' - P' + 1) by nra.
  pose proof (sqrt_sqrt _ h) as e. pose proof (sqrt_pos (P * P - P + 1)) as r0.
  pose proof (sqrt_sqrt _ h') as e'. pose proof (sqrt_pos (P' * P' - P' + 1)) as r0'.
  set (r := sqrt (P * P - P + 1)) in *. set (r' := sqrt (P' * P' - P' + 1)) in *.
  apply Rmult_le_reg_r with (r + 1); [lra|]. apply Rmult_le_reg_r with (r' + 1); [lra|].
  replace ((P - 1) / (r + 1) * (r + 1) * (r' + 1)) with ((P - 1) * (r' + 1)) by (field; lra).
  replace ((P' - 1) / (r' + 1) * (r + 1) * (r' + 1)) with ((P' - 1) * (r + 1))
    by (field; lra).
  (* (P - 1) r' <= (P' - 1) r, by squares *)
  assert ((P - 1) * r' <= (P' - 1) * r).
  { apply Rsqr_incr_0_var; [|nra]. unfold Rsqr.
    replace ((P - 1) * r' * ((P - 1) * r')) with ((P - 1) * (P - 1) * (r' * r')) by ring.
    replace ((P' - 1) * r * ((P' - 1) * r)) with ((P' - 1) * (P' - 1) * (r * r)) by ring.
    rewrite e, e'. set (a := P - 1) in *. set (b := P' - 1) in *.
    replace (P' * P' - P' + 1) with (b * b + b + 1) by (unfold b; ring).
    replace (P * P - P + 1) with (a * a + a + 1) by (unfold a; ring).
    assert (0 <= a <= b) by (unfold a, b; lra).
    assert (0 <= a * b * (b - a)) by (apply Rmult_le_pos; nra). nra. }
  lra.
Qed.

(** A cap alpha N^2 / P on the pairs of a device: the cost of k pairs, 2 sqrt k, is
    concave, so it lies above its chord between k1 and k2. *)
Theorem chord : forall k1 k2 k s1 s2 s : R,
  0 <= s1 -> s1 < s2 -> s1 * s1 = k1 -> s2 * s2 = k2 -> 0 <= s -> s * s = k ->
  k1 <= k <= k2 -> s1 + (s2 - s1) * ((k - k1) / (k2 - k1)) <= s.
Proof.
  intros k1 k2 k s1 s2 s a b <- <- c <- [lo hi].
  assert (s1 <= s) by nra. assert (s <= s2) by nra.
  replace (s * s - s1 * s1) with ((s - s1) * (s + s1)) by ring.
  replace (s2 * s2 - s1 * s1) with ((s2 - s1) * (s2 + s1)) by ring.
  replace ((s2 - s1) * ((s - s1) * (s + s1) / ((s2 - s1) * (s2 + s1))))
    with ((s - s1) * ((s + s1) / (s2 + s1))) by (field; lra).
  assert ((s + s1) / (s2 + s1) <= 1).
  { apply Rmult_le_reg_r with (s2 + s1); [lra|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  nra.
Qed.

(** Heads share a device's or a segment's words without gaining from it. *)
Theorem heads_concavity : forall (hs : list (R * R)),
  (forall p, In p hs -> 0 <= fst p /\ 0 <= snd p) ->
  sum (map (fun p => fst p * snd p) hs) <= sum (map fst hs) * sum (map snd hs).
Proof.
  induction hs as [|[a b] hs IH]; intros h; [cbn; lra|].
  destruct (h (a, b)) as [ha hb]; [now left|]. cbn in ha, hb.
  assert (0 <= sum (map fst hs)).
  { apply sum_nonneg. intros u hu. apply in_map_iff in hu.
    destruct hu as [p [<- hp]]. apply h. now right. }
  assert (0 <= sum (map snd hs)).
  { apply sum_nonneg. intros u hu. apply in_map_iff in hu.
    destruct hu as [p [<- hp]]. apply h. now right. }
  assert (sum (map (fun p => fst p * snd p) hs) <= sum (map fst hs) * sum (map snd hs))
    by (apply IH; intros; apply h; now right).
  unfold sum in *. cbn. nra.
Qed.
Close Scope R_scope.
