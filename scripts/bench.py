#!/usr/bin/env python3
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugin costs, each figure against the same compile without it.

Runs `clang -fsyntax-only` on each file with and without the plugin in turn (the
order alternates, so that drift hits both alike) and prints medians of CPU time
(user + system, seconds) and of the largest resident set (MiB):

  plain     clang -fsyntax-only
  codegen   the device compile to LLVM IR, without the plugin: the peer of a file
            in which a kernel is analysed, since that needs Clang's own IR
  plugin    clang -fsyntax-only with the plugin
  above     plugin - codegen
  ratio     plugin / plain: what a file without attention pays
  coverage  both coverage passes on the file's skeleton: ioflor-opt with them less
            ioflor-opt without them

The last lines give the medians over the files whose kernels were analysed and,
for each of the others, the ratio. Limits, for a machine of its own: above < 0.5 s
and coverage < 1 s (medians), ratio < 1.05.

  scripts/bench.py [--build DIR] [--runs N] [--cases DIR] [--markdown] [FILE...]

Without FILEs: every example and the non-attention files of the tests. --cases
adds the .cu files of a folder.
"""
import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile

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


def coverage_commands(path, plugin, build, skeleton):
    """ioflor-opt on the skeleton of a file, without and with the coverage passes;
    None where the file holds no skeleton."""
    got = subprocess.run(
        BASE + ["-fsyntax-only", "-fplugin=" + plugin, "-fplugin-arg-ioflor-emit=skeleton",
                path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    if b"ioflor.subject" not in got.stdout:
        return None
    with open(skeleton, "wb") as out:
        out.write(got.stdout)
    opt = [os.path.join(build, "bin", "ioflor-opt"), skeleton, "-o", os.devnull]
    first = ["ioflor-roles", "ioflor-traffic", "ioflor-check-extents"]

    def pipeline(passes):
        return opt + ["--pass-pipeline=builtin.module(ioflor.subject("
                      + ",".join(passes) + "))"]
    return {"before": pipeline(first),
            "covered": pipeline(first + ["ioflor-cover-sets", "ioflor-cover-exec"])}


def measure(path, plugin, build, runs, skeleton):
    """One row of figures: seconds and MiB."""
    syntax = BASE + ["-fsyntax-only", path]
    got = compare({"plain": syntax, "plugin": syntax + ["-fplugin=" + plugin],
                   "codegen": BASE + ["-O1", "-S", "-emit-llvm", "-o", os.devnull, path]},
                  runs)
    row = {"file": os.path.relpath(path, ROOT) if path.startswith(ROOT + os.sep)
           else os.path.basename(path),
           **{name: t for name, (t, _) in got.items()},
           **{name + "_mib": m for name, (_, m) in got.items()}}
    row["above"] = row["plugin"] - row["codegen"]
    row["ratio"] = row["plugin"] / row["plain"]
    commands = coverage_commands(path, plugin, build, skeleton)
    row["coverage"] = None
    if commands:
        times = compare(commands, runs)
        row["coverage"] = times["covered"][0] - times["before"][0]
    return row


COLUMNS = [("plain", 3), ("codegen", 3), ("plugin", 3), ("above", 3), ("ratio", 2),
           ("coverage", 3), ("plain_mib", 0), ("plugin_mib", 0)]


def text(row, markdown):
    cells = ["-" if row[name] is None else f"{row[name]:.{digits}f}"
             for name, digits in COLUMNS]
    if markdown:
        return "| `" + row["file"] + "` | " + " | ".join(cells) + " |"
    return f"{row['file']:44s} " + " ".join(f"{c:>10s}" for c in cells)


def heading(markdown):
    names = [name for name, _ in COLUMNS]
    if markdown:
        return ("| file | " + " | ".join(names) + " |\n|" + "---|" * (len(names) + 1))
    return f"{'file':44s} " + " ".join(f"{n:>10s}" for n in names)


def summary(rows):
    analysed = [r for r in rows if r["coverage"] is not None]
    if analysed:
        yield (f"{len(analysed)} analysed files: median above "
               f"{statistics.median(r['above'] for r in analysed):.3f} s, median coverage "
               f"{statistics.median(r['coverage'] for r in analysed):.3f} s")
    for r in rows:
        if r["coverage"] is None:
            yield f"{r['file']}, not analysed: ratio {r['ratio']:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--cases", help="a folder of more .cu files")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", help="write the figures to this file too")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    plugin = os.path.join(args.build, "lib", "ioflor.so")
    if not os.path.exists(plugin):
        parser.error(f"no plugin at {plugin}; run scripts/build.sh first")
    if args.runs < 1:
        parser.error("--runs must be at least 1")
    files = args.files or sorted(
        glob.glob(os.path.join(ROOT, "examples", "*.cu")) +
        glob.glob(os.path.join(ROOT, "test", "plugin", "Inputs", "not_attention*.cu")))
    if args.cases:
        more = sorted(glob.glob(os.path.join(args.cases, "*.cu")))
        if not more:
            parser.error(f"no .cu files in {args.cases}")
        files += more
    rows = []
    print(heading(args.markdown))
    with tempfile.TemporaryDirectory() as folder:
        skeleton = os.path.join(folder, "skeleton.mlir")
        for path in files:
            try:
                row = measure(path, plugin, args.build, args.runs, skeleton)
            except (RuntimeError, subprocess.CalledProcessError) as error:
                print(f"bench.py: {path}: {error}", file=sys.stderr)
                return 1
            rows.append(row)
            print(text(row, args.markdown), flush=True)
    for line in summary(rows):
        print(("" if not args.markdown else "\n") + line)
    if args.json:
        with open(args.json, "w") as out:
            json.dump({"runs": args.runs, "rows": rows}, out, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
