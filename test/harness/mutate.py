#!/usr/bin/env python3
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges ioflor by mutants of kernels: what a mutant does is found by running it.

  mutate.py --config examples/examples.json --plugin build/lib/ioflor.so
  mutate.py ... --only flash2 --operator 'tail dropped' --limit 4 --table

For every mutant of every kernel of the configuration that is not flagged:
  output wrong, or memory past an end touched: never certified, never silent
  a flag: an execution at its witness's sizes shows what it says
  output right: counts as executed
Where ioflor says `inconclusive`, that is counted.
Exit status: 0 as it must be, 1 a verdict or a count is wrong, 2 no judgement.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import subprocess
import sys
import tempfile

from compare import certify
from ioflor_harness import build, certificate, evaluate, spec
from ioflor_mutation import execute, judge, operators, report, syntax


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    report.add_arguments(parser)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--group", type=int, default=16,
                        help="mutants in one program")
    return parser.parse_args()


def mutants_of(one, options, toolchain):
    """(source, mutants) of a specification's file."""
    path = os.path.join(build.ROOT, one.file)
    with open(path) as handle:
        source = handle.read()
    flags = ["-std=c++17", "-I" + os.path.join(build.ROOT, "plugin/include"),
             *one.flags]
    flags += (["-x", "c++"] if one.language == "c++" else
              [*toolchain.cuda_flags(), "--cuda-host-only"])
    nodes = syntax.parse(source, toolchain.clang, flags, os.path.dirname(path))
    return source, report.select(operators.mutants(source, nodes), options)


def compiles(one, toolchain):
    flags = (["-x", "c++"] if one.language == "c++" else
             [*toolchain.cuda_flags(), "--cuda-device-only"])
    return not subprocess.run(
        [toolchain.clang, "-w", "-std=c++17", "-fsyntax-only",
         "-I" + os.path.join(build.ROOT, "plugin/include"), *one.flags, *flags,
         one.file], capture_output=True).returncode


def said_of(one, options, toolchain):
    """The certificate of a mutant, None where there is none; text: an error."""
    if not compiles(one, toolchain):
        return "broken"
    try:
        certificates = certify(one, options.plugin, toolchain)
        return (certificate.choose(certificates, one.subject)
                if certificates else None)
    except certificate.CertificateError as error:
        return None if "(status 0)" in str(error) else str(error)


def judge_kernel(one, options, toolchain, folder, to):
    """Judges all mutants of one kernel, into the report `to`."""
    source, mutants = mutants_of(one, options, toolchain)
    if options.list:
        for mutant in mutants:
            print(f"{one.name}: {mutant}")
        return
    if options.sizes:
        one = dataclasses.replace(one, sizes=one.sizes[:options.sizes])
    subjects = []
    for number, text in enumerate([source, *(mutant.text for mutant in mutants)]):
        place = os.path.join(folder, str(number))
        os.makedirs(place)
        subjects.append(dataclasses.replace(
            one, file=os.path.join(place, os.path.basename(one.file))))
        with open(subjects[-1].file, "w") as handle:
            handle.write(text)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        said = list(pool.map(
            lambda subject: said_of(subject, options, toolchain), subjects))
    kept = [i for i in range(len(subjects)) if said[i] != "broken"]
    to.broken += len(subjects) - len(kept)
    constants = syntax.constants(one.file)
    made = execute.programs(one, [subjects[i].file for i in kept], folder, toolchain,
                            options.seed, options.group)

    def outcome(position):
        chosen, (program, number) = said[kept[position]], made[position]
        if program is None:
            return judge.Outcome("-", "not built", [number[-300:]])
        if isinstance(chosen, str):
            return judge.Outcome("-", "error", [chosen])
        try:
            return judge.judge(one, program.run(number, one.sizes),
                               program.run(0, one.sizes), chosen,
                               lambda sizes: program.run(number, [sizes])[0],
                               constants, "IOFLOR_" in source)
        except evaluate.EvaluationError as error:
            return judge.Outcome("-", "error", [str(error)])

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for position, found in enumerate(
                pool.map(outcome, range(1, len(kept))), 1):
            to.add(one.name, mutants[kept[position] - 1], found)


def main():
    options = parse_arguments()
    to = report.Report(options)
    try:
        toolchain = build.Toolchain()
        specs = [one for one in spec.load(options.config)
                 if (one.name in options.only if options.only else
                     one.verdict not in ("flagged", "inconclusive"))]
        if not specs:
            raise spec.SpecError("no kernel to mutate")
        for one in specs:
            with tempfile.TemporaryDirectory() as folder:
                judge_kernel(one, options, toolchain, folder, to)
    except (syntax.SyntaxTreeError, spec.SpecError, OSError, ValueError,
            TypeError) as error:
        print(f"mutate.py: error: {error}", file=sys.stderr)
        return 2
    return 0 if options.list else to.finish()


if __name__ == "__main__":
    sys.exit(main())
