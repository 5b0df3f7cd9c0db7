(*===- FiniteSets.v - Finite sets as lists without duplicates -------------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
From Coq Require Import List Arith Lia.
Import ListNotations.

Lemma length_filter_split {T} (f : T -> bool) (l : list T) :
  length l = length (filter f l) + length (filter (fun x => negb (f x)) l).
Proof. induction l as [|x l IH]; cbn; [easy|]. destruct (f x); cbn; lia. Qed.

Lemma NoDup_map_on {A B} (f : A -> B) (l : list A) :
  (forall x y, In x l -> In y l -> f x = f y -> x = y) ->
  NoDup l -> NoDup (map f l).
Proof.
  induction l as [|a l IH]; cbn; intros inj nd; [constructor|].
  inversion nd as [|? ? notin nd']; subst. constructor.
  - intros hin. apply in_map_iff in hin. destruct hin as [y [e hy]].
    apply notin. rewrite <- (inj y a); auto.
  - apply IH; auto.
Qed.

(** A set that an injection maps into [s] is no larger than [s]. *)
Lemma length_le_image {A B} (f : A -> B) (l : list A) (s : list B) :
  (forall x y, In x l -> In y l -> f x = f y -> x = y) ->
  NoDup l -> (forall x, In x l -> In (f x) s) -> length l <= length s.
Proof.
  intros inj nd into. rewrite <- (map_length f l).
  apply NoDup_incl_length; [now apply NoDup_map_on|].
  intros y hy. apply in_map_iff in hy. destruct hy as [x [<- hx]]. auto.
Qed.

Lemma NoDup_concat {A} (l1 l2 : list A) :
  NoDup l1 -> NoDup l2 -> (forall x, In x l1 -> In x l2 -> False) ->
  NoDup (l1 ++ l2).
Proof.
  induction l1 as [|a l1 IH]; cbn; intros n1 n2 apart; [assumption|].
  inversion n1 as [|? ? notin n1']; subst. constructor.
  - rewrite in_app_iff. intros [h|h]; [easy|]. apply (apart a); auto.
  - apply IH; auto. intros x h1 h2. apply (apart x); auto.
Qed.

Lemma NoDup_product {A B} (l1 : list A) (l2 : list B) :
  NoDup l1 -> NoDup l2 -> NoDup (list_prod l1 l2).
Proof.
  intros n1 n2. induction n1 as [|a l1 notin n1 IH]; cbn; [constructor|].
  apply NoDup_concat; auto.
  - apply NoDup_map_on; [congruence|assumption].
  - intros [x y] h1 h2. apply in_map_iff in h1. destruct h1 as [? [[= <- <-] _]].
    apply in_prod_iff in h2. tauto.
Qed.

(** Every member is of one sort or the other: split the set accordingly. *)
Lemma split_by {A} (P Q : A -> Prop) (l : list A) :
  (forall x, In x l -> P x \/ Q x) -> NoDup l ->
  exists l1 l2, length l = length l1 + length l2 /\ NoDup l1 /\ NoDup l2 /\
    (forall x, In x l1 -> In x l /\ P x) /\ (forall x, In x l2 -> In x l /\ Q x).
Proof.
  induction l as [|a l IH]; intros sort nd.
  - exists [], []. cbn. repeat split; try constructor; easy.
  - inversion nd as [|? ? notin nd']; subst.
    destruct IH as (l1 & l2 & len & n1 & n2 & h1 & h2);
      [intros; apply sort; now right|assumption|].
    destruct (sort a) as [p|q]; [now left| |].
    + exists (a :: l1), l2. cbn. split; [lia|]. split.
      * constructor; [|assumption]. intros h. now apply h1 in h.
      * split; [assumption|]. split.
        -- intros x [<-|h]; [auto|]. apply h1 in h. tauto.
        -- intros x h. apply h2 in h. tauto.
    + exists l1, (a :: l2). cbn. split; [lia|]. split; [assumption|]. split.
      * constructor; [|assumption]. intros h. now apply h2 in h.
      * split.
        -- intros x h. apply h1 in h. tauto.
        -- intros x [<-|h]; [auto|]. apply h2 in h. tauto.
Qed.
