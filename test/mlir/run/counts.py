# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the symbolic counts of a function of MLIR with an execution.

counts.py OPT RUN FILE FUNCTION [--traffic] SIZES...

SIZES is NAME=N,NAME=N,...: what ioflor-run-mlir wants. Each count of words
(measure `issued`, and `traffic` in explicit mode) of an argument, and their sum
over the slow arrays between, is evaluated there. Prints one line a size; exits
with 1 where an exact count differs or the execution lies outside of an interval,
2 where a tool failed.
"""
import collections
import json
import re
import subprocess
import sys

COUNT = re.compile(
    r'ioflor\.count @(\w+) "(\w+)" "(\w+)" lo "([^"]*)"(?: hi "([^"]*)")?'
)


def ceildiv(a, b):
    return -(-a // b)


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"counts.py: error: {' '.join(command)}\n{done.stderr}")
    return done.stdout


def symbolic(opt, file, function):
    """Maps (buffer, direction, measure) to the texts of lower and upper end."""
    text = run(
        [
            opt,
            "--allow-unregistered-dialect",
            f"--ioflor-extract=functions=^{function}$",
            "--ioflor-traffic=mode=explicit",
            file,
        ]
    )
    counts = {}
    for buffer, direction, measure, lo, hi in COUNT.findall(text):
        counts[buffer, direction, measure] = lo, hi or None
    if not counts:
        sys.exit(f"counts.py: error: no counts of '{function}' in {file}")
    return counts


def main():
    opt, runner, file, function, *rest = sys.argv[1:]
    counts = symbolic(opt, file, function)
    bad = 0
    for text in rest:
        sizes = dict(pair.split("=") for pair in text.split(","))
        executed = json.loads(run([runner, file, function, *text.split(",")]))
        at = {k.replace("grid_", "gridDim_"): int(v) for k, v in sizes.items()}
        for text_of in counts.values():
            for name in re.findall(r"\barg\w+", " ".join(filter(None, text_of))):
                if name not in at and "default" in at:
                    at[name] = at["default"]
        scope = dict(ceildiv=ceildiv, floordiv=floordiv, mod=mod, min=min,
                     max=max, sum=sum, range=range, **at)
        expected = collections.defaultdict(lambda: [0, 0])
        for (buffer, direction, measure), (lo, hi) in counts.items():
            if measure == "compulsory":
                continue
            # An array between is one of several: their sum.
            name = buffer if re.fullmatch(r"arg\d+", buffer) else "other"
            sums = expected[name, direction, measure]
            sums[0] += eval(lo, scope)
            sums[1] = (None if hi is None or sums[1] is None
                       else sums[1] + eval(hi, scope))
        seen = {
            (name, direction, measure): n
            for direction in ("loads", "stores")
            for name, both in executed[direction].items()
            for measure, n in both.items()
        }
        exact = ranges = 0
        for key in sorted(set(expected) | set(seen)):
            lo, hi = expected.get(key, [0, 0])
            n = seen.get(key, 0)
            if lo == hi == n:
                exact += 1
            elif lo <= n and (hi is None or n <= hi) and lo != hi:
                ranges += 1
            else:
                bad += 1
                print(f"{' '.join(key)}: {lo} to {hi} words, executed {n}")
        line = f"{text}: {exact} counts equal the execution"
        if ranges:
            line += f", {ranges} contain it"
        if executed["out_of_bounds"]:
            line += f"; {executed['out_of_bounds']} accesses out of bounds"
        if "error" in executed:
            line += ("; the output is attention" if float(executed["error"]) < 1e-9
                     else f"; the output is off by {executed['error']}")
        print(line)
    sys.exit(1 if bad else 0)


main()
