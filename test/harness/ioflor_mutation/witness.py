# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether an execution at a witness's sizes shows what a finding says."""
import re

from ioflor_harness.evaluate import EvaluationError, evaluate

PLACE = r"(?: of head (?P<head>\d+))?(?: of batch (?P<batch>\d+))?"
ENTRY = re.compile(r"^(?:column (?P<column>\d+) of )?row (?P<row>\d+) of "
                   r"(?P<buffer>\w+?)" + PLACE + r" is never (?:read|written)")
ELEMENT = re.compile(r"^element (?P<word>-?\d+) of (?P<buffer>\w+) is "
                     r"(?:read|written)")
MOVES = re.compile(r"^(?P<how>reads|stores) (?P<words>\d+) words of "
                   r"(?P<buffer>\w+) at ")
ROWS = [re.compile(text + PLACE) for text in (
    r"pair \((?P<row>\d+), (?P<key>\d+)\)", r"query row (?P<row>\d+)",
    r"output row (?P<row>\d+)")]
PAIRS = ("ioflor-uncovered-pairs", "ioflor-repeated-pairs",
         "ioflor-phantom-pairs", "ioflor-disclosure-mismatch")


def sizes_of(finding, certificate, spec):
    """The witness over the specification's symbols; None if it is not over them."""
    witness = dict(finding.get("witness") or {})
    names = {one["name"]: one.get("display", one["name"])
             for one in certificate["symbols"]}
    named = {names.get(name, name): value for name, value in witness.items()}
    named.update(witness)
    for ours in spec.sizes[0]:
        for theirs, text in spec.symbols.items():
            if text == ours and theirs in witness:
                named[ours] = witness[theirs]
    if not all(name in named for name in spec.sizes[0]):
        return None
    return {name: named[name] for name in spec.sizes[0]}


def _touches(runs, word):
    return any(first <= word < first + count for first, count in runs)


def _entry(match, certificate, sizes):
    """Index of the entry that a finding names, by the certificate's extents."""
    buffer = next(one for one in certificate["buffers"]
                  if one["name"] == match["buffer"])
    extents = [evaluate(e, sizes) for e in buffer["extents"]]
    extents = [1] * (4 - len(extents)) + extents
    index = 0
    for extent, name in zip(extents, ("batch", "head", "row", "column")):
        index = index * extent + int(match[name] or 0)
    return index


def confirm(finding, certificate, spec, run):
    """'' where the run shows the fault, else what it shows."""
    if run.result is None:
        return ""  # it ended in a fault: no execution of this kind is right
    text = re.sub(r"^declared [^,]*, but ", "", finding["message"])
    buffers = run.result["buffers"]
    alias = lambda name: spec.aliases.get(name, name)
    try:
        if match := ENTRY.match(text):
            written = finding["id"] == "ioflor-unwritten-output"
            runs = buffers[alias(match["buffer"])]["stored" if written
                                                   else "loaded"]
            word = _entry(match, certificate, {**run.sizes})
            return (f"word {word} of {match['buffer']} is touched"
                    if _touches(runs, word) else "")
        if match := ELEMENT.match(text):
            written = finding["id"] == "ioflor-over-write"
            one = buffers[alias(match["buffer"])]
            word = int(match["word"])
            outside = word < 0 or word >= one["words"]
            return "" if outside and _touches(
                one["stored" if written else "loaded"], word) else (
                    f"word {word} of {one['words']} is not touched")
        if match := MOVES.match(text):
            one = buffers[alias(match["buffer"])]
            moved = one["loads" if match["how"] == "reads" else "stores"][1]
            return "" if moved == int(match["words"]) else f"{moved} are moved"
        if finding["id"] == "ioflor-rewritten-output":
            one = buffers[alias("O")]
            return "" if one["stores"][2] > one["words"] else "O is written once"
    except (KeyError, StopIteration, EvaluationError) as error:
        return f"not to be checked: {error!r}"
    if finding["id"] in PAIRS:
        for pattern in ROWS:
            if match := pattern.search(text):
                break
        else:
            return "names no row"
        check = spec.check
        scope = {**run.sizes}
        queries = evaluate(check.get("queries", "1"), scope)
        heads = evaluate(check.get("heads", "1"), scope)
        row = ((int(match["batch"] or 0) * heads + int(match["head"] or 0))
               * queries + int(match["row"]))
        error = run.result["row_errors"][row]
        return "" if error > spec.tolerance else (
            f"output row {row} is right at {run.sizes}")
    return "no rule for this finding"
