# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the queries of a folder to a solver, in one process.

Usage: recheck.py [--only-unsat] [--may-give-up N] FOLDER SOLVER ARGUMENTS...

expect.txt says what each must give. `unknown` is a fault unless N queries may
end so.
"""
import argparse
import os
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--only-unsat", action="store_true")
parser.add_argument("--may-give-up", type=int, default=0)
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
faults = gave_up = 0
for (name, want), got in zip(queries, answers):
    if got == "unknown" and options.may_give_up:
        gave_up += 1
    elif got != want:
        faults += 1
        print(f"{name}: {got}, not {want}")
if gave_up > options.may_give_up:
    sys.exit(f"gave up on {gave_up} queries")
if faults:
    sys.exit(1)
how = f"none contradicted, {gave_up} open" if options.may_give_up else "all as expected"
print(f"{len(queries)} queries: {how}")
