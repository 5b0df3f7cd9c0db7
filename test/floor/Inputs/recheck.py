# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the queries of a folder to a solver, in one process.

Usage: recheck.py [--only-unsat] FOLDER SOLVER ARGUMENTS...

expect.txt says what each must give.
"""
import argparse
import os
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--only-unsat", action="store_true")
parser.add_argument("solver", nargs=argparse.REMAINDER)
options = parser.parse_args()

queries = []
with open(os.path.join(options.folder, "expect.txt")) as lines:
    for line in lines:
        name, want = line.split()
        if want == "unsat" or not options.only_unsat:
            queries.append((name, want))
script = ""
for name, want in queries:
    with open(os.path.join(options.folder, name)) as file:
        script += file.read() + "(reset)\n"
path = os.path.join(options.folder, "all.smt2")
with open(path, "w") as file:
    file.write(script)
run = subprocess.run(
    [*options.solver, path], capture_output=True, text=True, check=False
)
answers = run.stdout.split()
if len(answers) != len(queries):
    sys.exit(f"{len(answers)} answers to {len(queries)} queries: {run.stdout}{run.stderr}")
faults = 0
for (name, want), got in zip(queries, answers):
    if got != want:
        faults += 1
        print(f"{name}: {got}, not {want}")
if faults:
    sys.exit(1)
print(f"{len(queries)} queries: all as expected")
