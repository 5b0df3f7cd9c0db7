# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a mutant does and what ioflor says of it, and whether that may be."""
import dataclasses

from ioflor_harness import certificate
from ioflor_harness.evaluate import EvaluationError, evaluate

from . import witness

#: What a mutant does, worst first: broken off, output wrong, memory past an end
#: touched, another set of words touched, other counts, nothing that is seen.
EFFECTS = ("fault", "wrong", "overrun", "set", "counts", "equal")
#: Those that no kernel may have that is certified.
DIFFERS = ("fault", "wrong", "overrun")


def _moved(result):
    return {name: (one["loads"], one["stores"])
            for name, one in result["buffers"].items()}


def _sets(result):
    return {name: (one["loaded"], one["stored"])
            for name, one in result["buffers"].items()}


def _overruns(result):
    """Memory past an end was touched; of fast arrays only skeletons tell."""
    return result.get("fast_faults", 0) or any(
        one["over_reads"] or one["over_writes"]
        for one in result["buffers"].values())


def effect(spec, runs, originals):
    """One of EFFECTS, from executions at the same sizes."""
    if any(run.result is None for run in runs):
        return "fault"
    pairs = [(run.result, one.result) for run, one in zip(runs, originals)]
    if any(e > spec.tolerance for new, _ in pairs for e in new["row_errors"]):
        return "wrong"
    if any(_overruns(new) for new, _ in pairs):
        return "overrun"
    if any(_sets(new) != _sets(old) for new, old in pairs):
        return "set"
    if any(_moved(new) != _moved(old) for new, old in pairs):
        return "counts"
    return "equal"


def _why(chosen):
    """Why ioflor does not decide, in its words."""
    reasons = [reason for one in (chosen.get("coverage") or {}).values()
               if one["state"] not in ("proved", "refuted")
               for reason in one.get("reasons", [])]
    return "; ".join(dict.fromkeys([chosen.get("reason") or "", *reasons]))


def same_problem(chosen, spec, constants):
    """Whether the certificate is about the attention that the specification
    checks. Where a launch alone says how many heads or rows there are, a mutant
    of the launch states another problem, and may solve it."""
    names = (("n_q", "queries"), ("n_k", "keys"), ("d", "d"), ("d_v", "dv"),
             ("batch", "batch"), ("heads", "heads"), ("kv_heads", "kvHeads"))
    for sizes in spec.sizes:
        at = certificate.bindings(chosen, sizes, spec.symbols)
        for theirs, ours in names:
            if theirs not in (chosen.get("dims") or {}):
                continue
            try:
                said = evaluate(chosen["dims"][theirs], at)
            except EvaluationError:
                return False
            if said != evaluate(spec.check.get(ours, 1), {**constants, **sizes}):
                return False
    return True


@dataclasses.dataclass
class Outcome:
    """effect: one of EFFECTS. verdict: ioflor's, or `silent`. complaints: what
    may not be. reason: ioflor's, where it does not decide."""
    effect: str
    verdict: str
    complaints: list
    reason: str = ""
    confirmed: int = 0


def judge(spec, runs, originals, chosen, run_at, constants, declared):
    """Judges one mutant.

    chosen: its certificate, None where ioflor says nothing. run_at(sizes): a Run
    of the mutant at other sizes. constants: values of names in the check.
    declared: the source says that it is attention; of others that compute none
    nothing need be said.
    """
    what = effect(spec, runs, originals)
    if chosen is None:
        complaints = ([f"nothing is said, though {what} when run"]
                      if what in DIFFERS and declared else [])
        return Outcome(what, "silent", complaints)
    verdict, complaints, confirmed = chosen["verdict"], [], 0
    if not same_problem(chosen, spec, constants):
        # What it says can be held against that problem only.
        return Outcome(what, "other problem: " + verdict, [], _why(chosen))
    if what in DIFFERS and verdict == "certified":
        at = next(run for run in runs if run.result is None or any(
            e > spec.tolerance for e in run.result["row_errors"])
            or _overruns(run.result))
        complaints.append(f"certified, though {what} when run at {at.sizes}"
                          + (f" ({at.fault})" if at.fault else ""))
    flags = [f for f in chosen["findings"] if f["severity"] == "flag"]
    for finding in flags:
        if not finding.get("witness"):
            if what not in DIFFERS:
                complaints.append(f"{finding['id']} without a witness, though "
                                  "right when run")
            continue
        sizes = witness.sizes_of(finding, chosen, spec)
        if sizes is None:
            complaints.append(f"{finding['id']}: the witness "
                              f"{finding['witness']} is not over the symbols")
            continue
        wrong = witness.confirm(finding, chosen, spec, run_at(sizes))
        if wrong:
            complaints.append(f"{finding['message']}: {wrong}")
        else:
            confirmed += 1
    results = [run.result for run in runs if run.result is not None]
    if results and len(results) == len(runs):
        outcome = certificate.compare(chosen, results, spec.symbols, spec.aliases)
        complaints += outcome.errors[:3]
    return Outcome(what, verdict, complaints, _why(chosen), confirmed)
