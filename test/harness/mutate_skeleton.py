#!/usr/bin/env python3
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges ioflor's passes by mutants of the skeletons of kernels.

  mutate_skeleton.py --config examples/examples.json --plugin build/lib/ioflor.so \\
      --opt build/bin/ioflor-opt --only gqa --limit 4 --table

As mutate.py, but what is changed is the skeleton that the plugin emits: bounds,
guards, addresses and buffers. It is executed on numbers by itself.
Exit status: 0 as it must be, 1 a verdict or a count is wrong, 2 no judgement.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import subprocess
import sys
import tempfile

from ioflor_harness import build, certificate, evaluate, spec
from ioflor_mutation import judge, report, skeleton, skeleton_program, syntax


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    report.add_arguments(parser)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--opt", required=True, help="ioflor-opt")
    parser.add_argument("--group", type=int, default=24,
                        help="mutants in one program")
    return parser.parse_args()


def emit(one, options, toolchain):
    """The skeleton of a specification's file."""
    flags = (["-x", "c++"] if one.language == "c++" else
             [*toolchain.cuda_flags(), "--cuda-device-only"])
    done = subprocess.run(
        [toolchain.clang, "-w", "-std=c++17", "-O1", "-fsyntax-only",
         "-I" + os.path.join(build.ROOT, "plugin/include"), *one.flags, *flags,
         f"-fplugin={options.plugin}", "-fplugin-arg-ioflor-emit=skeleton",
         "-fplugin-arg-ioflor-remarks=none", os.path.join(build.ROOT, one.file)],
        capture_output=True, text=True)
    if done.returncode:
        raise spec.SpecError(done.stderr[-1000:])
    return done.stdout


def said_of(text, options):
    """The certificate of a skeleton; 'broken' where it is not valid."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "certificate.json")
        done = subprocess.run(
            [options.opt, "--ioflor", f"--ioflor-certificate=file={path}", "-o",
             os.devnull, "-"], input=text, capture_output=True, text=True)
        if done.returncode < 0:
            return f"ioflor-opt ends with signal {-done.returncode}"
        if done.returncode or not os.path.exists(path):
            return ("broken" if " error: " in done.stderr or done.returncode
                    else None)
        with open(path) as handle:
            made = json.load(handle)
        return made[0] if made else None


def judge_kernel(one, options, toolchain, to):
    """Judges all mutants of one kernel's skeleton, into the report `to`."""
    text = emit(one, options, toolchain)
    mutants = report.select(skeleton.mutants(text), options)
    if options.list:
        for mutant in mutants:
            print(f"{one.name}: {mutant}")
        return
    if options.sizes:
        one = dataclasses.replace(one, sizes=one.sizes[:options.sizes])
    texts = [text, *(mutant.text for mutant in mutants)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        said = list(pool.map(lambda one: said_of(one, options), texts))
    kept = [i for i in range(1, len(texts)) if said[i] != "broken"]
    to.broken += len(mutants) - len(kept)
    constants, check = syntax.constants(one.file), True
    for first in range(0, max(1, len(kept)), options.group):
        part = kept[first:first + options.group]
        with tempfile.TemporaryDirectory() as folder:
            program = skeleton_program.SkeletonProgram(
                one, [text, *(texts[i] for i in part)], folder, toolchain.clang,
                options.seed, constants)
            originals = program.run(0, one.sizes)
            if check and judge.effect(one, originals, originals) != "equal":
                raise spec.SpecError(
                    f"{one.name}: the skeleton itself is "
                    f"{judge.effect(one, originals, originals)} when run: "
                    + next((run.fault for run in originals if run.fault), ""))
            check = False
            for number, index in enumerate(part, 1):
                runs = program.run(number, one.sizes)
                if isinstance(said[index], str):
                    found = judge.Outcome("-", "error", [said[index]])
                else:
                    found = judge.judge(
                        one, runs, originals, said[index],
                        lambda sizes: program.run(number, [sizes])[0], constants,
                        "disclosure" in text)
                to.add(one.name, mutants[index - 1], found)


def main():
    options = parse_arguments()
    to = report.Report(options)
    try:
        toolchain = build.Toolchain()
        for one in spec.load(options.config):
            if (one.name in options.only if options.only else
                    one.verdict not in ("flagged", "inconclusive")):
                try:
                    judge_kernel(one, options, toolchain, to)
                except skeleton.SkeletonError as error:
                    print(f"{one.name}: not executed: {error}")
    except (spec.SpecError, evaluate.EvaluationError,
            certificate.CertificateError, OSError, ValueError) as error:
        print(f"mutate_skeleton.py: error: {error}", file=sys.stderr)
        return 2
    return 0 if options.list else to.finish()


if __name__ == "__main__":
    sys.exit(main())
