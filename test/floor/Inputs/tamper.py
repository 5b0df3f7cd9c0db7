# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes every field of certificates, one at a time, and has them checked.

Usage: tamper.py CHECKER FOLDER CERTIFICATE...

Each change must be refused: with the digest all of them, without it (as if the
forger had computed it anew) all but those listed here, which follow from
nothing else in a certificate. FOLDER takes the changed files.
"""
import copy
import json
import os
import re
import subprocess
import sys

# What nothing else in the certificate determines, and why.
FREE = [
    # Names, places and sentences for people.
    r"subject(\..*)?", r"tool\..*", r"scope", r"model\.word",
    r"buffers\[\]\.(name|evidence)", r"symbols\[\]\.(display|data)",
    r"findings\[\]\.(file|line|column|message|notes.*)", r"reason",
    r"findings\[\]",  # a remark or a warning that is left out
    r"obligations\[\]\.(solver|note)", r"digest",
    # Counts that no sum, floor or proof uses; only their order is checked.
    r"buffers\[\]\.(loads|stores)\.(issued|compulsory)(\.lo|\.hi)?",
    # The upper ends of sizes and of fast memory: proofs need lower ends only.
    r"symbols\[\]\.assumptions\[\]", r"footprint\.hi", r"model\.mode",
    # Nothing disclosed and `exact` ask for the same.
    r"disclosure(\.kind|\.text)?",
    # Conditions that no proof needs, and where they come from.
    r"assumptions\[\]",
    # The floors of an option that may or may not have been given.
    r"floors\[\]\.decides",
    # The narrowest operand's counts; the others' go into bytes only.
    r"buffers\[\]\.element_bytes",
    # How often it was executed, and why that proved nothing.
    r"coverage\.\w+\.(sizes_executed|reasons\[\])",
    # Where the pairs are not proved, what they may amount to.
    r"coverage\.pairs\.(mask|w|pairs_per_head)",
]


def leaves(value, path=()):
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, path + (key,))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from leaves(inner, path + (i,))


def changes(path, value):
    """New values; DELETE for none at all."""
    name = path[-1]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if value is None:
        return ["1"]
    if isinstance(value, (dict, list)):
        return [DELETE] if isinstance(name, int) else []
    if name == "verdict":
        return [v for v in ("certified", "flagged", "inconclusive") if v != value]
    if name == "result":
        return [
            r for r in ("proved", "refuted", "unknown", "vacuous") if r != value
        ]
    if name == "severity":
        return [s for s in ("flag", "warning", "remark") if s != value]
    if name == "state":
        return [s for s in ("proved", "agrees", "refuted", "undecided") if s != value]
    if name == "role":
        return [r for r in ("Q", "K", "V", "O", "other") if r != value]
    if name == "smt2" and value:
        trivial = "(set-logic QF_NRA)\n(assert false)\n(check-sat)\n"
        dropped = re.sub(r"\(assert \(not.*\n", "(assert false)\n", value)
        number = re.sub(r"(\(assert [^\n]*?)(\d+)(\)*)", more, value, count=1)
        return [s for s in (trivial, dropped, number) if s != value]
    if re.search(r"\d", value):
        # The first and the last number of an expression; not 0, which in
        # `max(0, n)` may as well be 1.
        def step(match):
            return str(int(match[0]) + 1)

        number = r"(?<![0-9])[1-9][0-9]*|^0$"
        first = re.sub(number, step, value, count=1)
        last = re.sub(f"({number})(?=[^1-9]*$)", step, value)
        twice = {"2*(" + value + ")"} if value != "0" else set()
        return sorted(({first, last} | twice) - {value})
    return [value + " + 1", value + "x"]


def more(match):
    return match[1] + str(int(match[2]) + 1) + match[3]


DELETE = object()


def changed(certificates, path, new):
    out = copy.deepcopy(certificates)
    at = out
    for key in path[:-1]:
        at = at[key]
    if new is DELETE:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return out


def pattern(path):
    text = ""
    for key in path[1:]:
        text += "[]" if isinstance(key, int) else ("." if text else "") + key
    return text


def run(checker, files, *options):
    """Which files the checker refuses; it must always finish its work."""
    bad = set()
    for start in range(0, len(files), 200):
        part = files[start : start + 200]
        done = subprocess.run(
            [checker, "check", "--second-solver=none", *options, *part],
            capture_output=True, text=True, check=False,
        )
        if done.returncode not in (0, 1, 2):
            sys.exit(f"the checker ended with {done.returncode}: {done.stderr}")
        for line in (done.stdout + done.stderr).splitlines():
            match = re.search(r"[^ ']*\.json", line)
            if match and " certificates hold" not in line:
                bad.add(match[0])
    return bad


def main():
    checker, folder, *paths = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    faults = total = caught = allowed = 0
    for path in paths:
        with open(path) as file:
            certificates = json.load(file)
        if run(checker, [path]):
            sys.exit(f"{path}: refused as it is")
        cases, old = {}, {}
        for at, value in leaves(certificates):
            if len(at) < 2:
                continue
            for new in changes(at, value):
                name = os.path.join(folder, f"{len(cases)}.json")
                with open(name, "w") as file:
                    json.dump(changed(certificates, at, new), file)
                cases[name], old[name] = (at, new), str(value)
        with_digest = run(checker, list(cases))
        without = run(checker, list(cases), "--no-digest")
        for name, (at, new) in cases.items():
            what = pattern(at)
            shown = "left out" if new is DELETE else repr(new)[:90]
            total += 1
            caught += name in without
            if name not in with_digest:
                faults += 1
                print(f"{path}: {what} {shown}: not refused")
            elif name not in without:
                # A buffer that is no operand does not take part in a floor.
                other = what == "buffers[].role" and "other" in old[name]
                if other or any(re.fullmatch(free, what) for free in FREE):
                    allowed += 1
                else:
                    faults += 1
                    print(f"{path}: {what} {shown}: only the digest tells")
        for name in cases:
            os.remove(name)
    print(
        f"{total} changes refused, {caught} of them by what they contradict"
        if not faults
        else f"{faults} of {total} changes not refused as they should be"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
