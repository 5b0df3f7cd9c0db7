(*===- Machine.v - Fast memories, slow memory, and what a run does --------===*)
(*                                                                            *)
(* Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.        *)
(* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *)
(*                                                                            *)
(*===----------------------------------------------------------------------===*)
(* The model of the floors as a machine. Any number of processors (one per    *)
(* CTA of each launch), each with a fast memory of M words, share one slow    *)
(* memory. A step moves one word or makes one; row statistics, rescaling      *)
(* factors and all control are free. The steps allow more than a real kernel  *)
(* does (a step may combine any operands that are at hand, drop any words,    *)
(* and merge into slow memory as an atomic addition does), so that a floor of *)
(* the machine is a floor of the kernel.                                      *)
From Coq Require Import List Arith Bool Lia.
From Ioflor Require Import FiniteSets LoomisWhitney SegmentLemma.
Import ListNotations.

Inductive op :=
| Rd (w : word)   (* slow to fast *)
| Wr (w : word)   (* fast to slow; also an atomic addition *)
| Mk (w : word)   (* compute, possibly in place *)
| Drop.

Section Machine.
Variable d : nat. (* columns of Q and K *)

(** P_ij V_jl can be computed from fast memory [f]. *)
Definition product (f : list word) (i j l : nat) : Prop :=
  (exists s, In (WP i j s) f /\ forall c, c < d -> In c s) /\ In (WV j l) f.

(** One step of one processor on its own fast memory. *)
Inductive lstep : list word -> op -> list word -> Prop :=
| StepRead f w : lstep f (Rd w) (w :: f)
| StepWrite f w : lstep f (Wr w) f
| StepPair f f' i j s :
    (forall c, In c s ->
       (exists s0, In (WP i j s0) f /\ In c s0) \/
       (In (WQ i c) f /\ In (WK j c) f)) ->
    incl f' f -> lstep f (Mk (WP i j s)) (WP i j s :: f')
| StepOutput f f' i l s :
    (forall j, In j s ->
       (exists s0, In (WO i l s0) f /\ In j s0) \/ product f i j l) ->
    incl f' f -> lstep f (Mk (WO i l s)) (WO i l s :: f')
| StepDrop f f' : incl f' f -> lstep f Drop f'.

(** What may be written from fast memory [f] when slow memory holds [S]. *)
Definition writable (f S : list word) (w : word) : Prop :=
  match w with
  | WP i j s => (exists s0, In (WP i j s0) f) /\
      forall c, In c s -> exists s0, In c s0 /\
        (In (WP i j s0) f \/ In (WP i j s0) S)
  | WO i l s => (exists s0, In (WO i l s0) f) /\
      forall j, In j s -> exists s0, In j s0 /\
        (In (WO i l s0) f \/ In (WO i l s0) S)
  | w => In w f
  end.

Inductive sstep (f S : list word) : op -> list word -> Prop :=
| SlowRead w : In w S -> sstep f S (Rd w) S
| SlowWrite w : writable f S w -> sstep f S (Wr w) (w :: S)
| SlowMake w : sstep f S (Mk w) S
| SlowDrop : sstep f S Drop S.

(** A trace: which processor did what, and its fast memory afterwards. *)
Definition trace := list (nat * (op * list word)).
Definition ltrace := list (op * list word).

Definition update (F : nat -> list word) p f q := if q =? p then f else F q.

Variable M : nat. (* words of each fast memory *)

Inductive run : (nat -> list word) -> list word -> trace -> list word -> Prop :=
| RunDone F S : run F S [] S
| RunStep F S p o f S1 tr S2 :
    lstep (F p) o f -> length f <= M -> sstep (F p) S o S1 ->
    run (update F p f) S1 tr S2 -> run F S ((p, (o, f)) :: tr) S2.

(** The steps of one processor. *)
Definition proj (p : nat) (tr : trace) : ltrace :=
  map snd (filter (fun x => fst x =? p) tr).

Fixpoint lrun (f : list word) (tr : ltrace) : Prop :=
  match tr with
  | [] => True
  | (o, f') :: tr => lstep f o f' /\ length f' <= M /\ lrun f' tr
  end.

Lemma run_proj F S tr S' : run F S tr S' -> forall p, lrun (F p) (proj p tr).
Proof.
  induction 1 as [|F S p o f S1 tr S2 ls len ss r IH]; intros q; cbn; [easy|].
  specialize (IH q). unfold proj in *. cbn. unfold update in IH.
  rewrite (Nat.eqb_sym q p) in IH.
  destruct (Nat.eqb_spec p q) as [e|]; [subst q|]; cbn; auto.
Qed.

(** Traffic in words. *)
Definition isRead o := match o with Rd _ => true | _ => false end.
Definition isWrite o := match o with Wr _ => true | _ => false end.
Definition readsOf (kind : word -> bool) o :=
  match o with Rd w => kind w | _ => false end.
Definition writesOf (kind : word -> bool) o :=
  match o with Wr w => kind w | _ => false end.
Definition tally (f : op -> bool) (tr : trace) : nat :=
  length (filter (fun x => f (fst (snd x))) tr).
Definition ltally (f : op -> bool) (tr : ltrace) : nat :=
  length (filter (fun x => f (fst x)) tr).
(** Words moved between slow memory and the fast memories. *)
Definition io (tr : trace) : nat := tally (fun o => isRead o || isWrite o) tr.

(** Inputs and private words that nothing has gone into. *)
Definition blank (w : word) : Prop :=
  match w with WP _ _ s | WO _ _ s => s = [] | _ => True end.

End Machine.

(** A run is one of every larger fast memory: a floor at M is a floor below M. *)
Theorem more_memory : forall d M M' F S tr S',
  M <= M' -> run d M F S tr S' -> run d M' F S tr S'.
Proof.
  intros d M M' F S tr S' le. induction 1; [constructor|].
  econstructor; eauto. lia.
Qed.
