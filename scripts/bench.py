#!/usr/bin/env python3
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugin costs, each figure against the same compile without it.

Runs `clang -fsyntax-only` on each file with and without the plugin in turn (the
order alternates, so that drift hits both alike) and prints medians of CPU time
(user + system, seconds) and of the largest resident set (MiB), their ratio and
their difference. For a file in which a kernel is analysed the peer is also the
device compile to LLVM IR without the plugin (`codegen`), since the analysis needs
Clang's own IR.

  scripts/bench.py [--build DIR] [--runs N] [FILE...]

Without FILEs: every example, and the non-attention file of the tests.
"""
import argparse
import glob
import json
import os
import statistics
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STUB = os.path.join(ROOT, "plugin", "include", "ioflor", "cuda_stub")
BASE = ["clang-22", "-x", "cuda", "-nocudainc", "-nocudalib", "-isystem", STUB,
        "-I", os.path.join(ROOT, "plugin", "include"), "--cuda-device-only",
        "--cuda-gpu-arch=sm_80", "-Wno-unknown-cuda-version"]


def run(command):
    """CPU seconds and peak MiB of one process tree; raises if it fails."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError("failed: " + " ".join(command))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(variants, runs):
    """Medians of each variant, measured in turn: {name: (seconds, MiB)}."""
    samples = {name: [] for name in variants}
    names = list(variants)
    for i in range(runs):
        for name in names if i % 2 == 0 else reversed(names):
            samples[name].append(run(variants[name]))
    return {name: (statistics.median(s[0] for s in got),
                   statistics.median(s[1] for s in got))
            for name, got in samples.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--json", help="write the figures to this file too")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    plugin = os.path.join(args.build, "lib", "ioflor.so")
    if not os.path.exists(plugin):
        parser.error(f"no plugin at {plugin}; run scripts/build.sh first")
    files = args.files or sorted(
        glob.glob(os.path.join(ROOT, "examples", "*.cu")) +
        glob.glob(os.path.join(ROOT, "test", "plugin", "Inputs", "not_attention*.cu")))
    rows = []
    print(f"{'file':40s} {'plain s':>8s} {'plugin s':>9s} {'ratio':>6s} "
          f"{'codegen s':>10s} {'above codegen s':>16s} {'plain MiB':>10s} {'plugin MiB':>11s}")
    for path in files:
        syntax = BASE + ["-fsyntax-only", path]
        variants = {"plain": syntax, "plugin": syntax + ["-fplugin=" + plugin],
                    "codegen": BASE + ["-O1", "-S", "-emit-llvm", "-o", os.devnull, path]}
        got = compare(variants, args.runs)
        row = {"file": os.path.relpath(path, ROOT),
               **{name: {"seconds": t, "mib": m} for name, (t, m) in got.items()}}
        rows.append(row)
        print(f"{row['file']:40s} {got['plain'][0]:8.3f} {got['plugin'][0]:9.3f} "
              f"{got['plugin'][0] / got['plain'][0]:6.2f} {got['codegen'][0]:10.3f} "
              f"{got['plugin'][0] - got['codegen'][0]:16.3f} "
              f"{got['plain'][1]:10.1f} {got['plugin'][1]:11.1f}", flush=True)
    if args.json:
        with open(args.json, "w") as out:
            json.dump({"runs": args.runs, "rows": rows}, out, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
