# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes mutants in the counting harness, several in one program."""
import dataclasses
import json
import os
import re
import subprocess

from ioflor_harness import build
from ioflor_harness.spec import SpecError, driver_source

from .syntax import split_includes

#: Seconds for all sizes of one mutant; one that needs longer does not end.
TIME_LIMIT = 60


class ExecutionError(Exception):
    """What the harness could not do; the message says what."""


def group_driver(spec, files):
    """The driver of `spec` with each file in a namespace of its own; the symbol
    `mutant` says which one is called. Buffers and check are of the first."""
    with open(files[0]) as handle:
        includes, _ = split_includes(handle.read())
    text = driver_source(spec, "ioflor_mutation_subjects")
    spaces = []
    for number, file in enumerate(files):
        with open(file) as handle:
            _, body = split_includes(handle.read())
        with open(file + ".inc", "w") as handle:
            handle.write(body)
        spaces.append(f"namespace ioflor_m{number} {{\n#include \"{file}.inc\"\n}}")
    text = text.replace('#include "ioflor_mutation_subjects"',
                        "\n".join(includes + spaces))
    cases = "\n".join(
        f"  case {number}: {{ using namespace ioflor_m{number}; {spec.call}; break; }}"
        for number in range(len(files)))
    text = text.replace(f"  {spec.call};\n}}", "  switch (session.symbol(\"mutant\")) "
                        f"{{\n{cases}\n  }}\n}}", 1)
    for function in ("ioflorDefine(Session &session) {",
                     "ioflorCheck([[maybe_unused]] Session &session) {"):
        text = text.replace(function, function + " using namespace ioflor_m0;")
    return text


@dataclasses.dataclass
class Run:
    """One execution. result: as of Session::json, None where it did not end well;
    fault: why."""
    sizes: dict
    result: dict = None
    fault: str = ""


class Program:
    """Original and mutants, compiled into one program."""

    def __init__(self, spec, files, folder, toolchain, seed):
        self.spec, self.seed = spec, seed
        directory = os.path.dirname(os.path.join(build.ROOT, spec.file))
        self.path = build.build(
            dataclasses.replace(spec, flags=[
                # What is not written is NaN, as in shared memory.
                *spec.flags, "-ftrivial-auto-var-init=pattern",
                "-I" + directory]),
            toolchain, folder, files[0], group_driver(spec, files))

    def run(self, mutant, sizes):
        """One Run for each of `sizes`. A mutant may do anything, so what fails
        together is run one by one."""
        texts = [",".join(f"{k}={v}" for k, v in {**size, "mutant": mutant}.items())
                 for size in sizes]
        try:
            done = subprocess.run(
                [self.path, "--detail", f"--seed={self.seed}", *texts],
                capture_output=True, text=True, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            fault = "does not end"
        else:
            if done.returncode == 0:
                results = json.loads(done.stdout)
                for result in results:
                    result["symbols"].pop("mutant")
                    result.pop("accesses")
                return [Run(size, result) for size, result in zip(sizes, results)]
            fault = (re.sub(r"^ioflor-harness: error: ", "", done.stderr.strip())
                     [-200:] if done.returncode > 0
                     else f"signal {-done.returncode}")
        if len(sizes) > 1:
            return [run for size in sizes for run in self.run(mutant, [size])]
        return [Run(size, None, fault) for size in sizes]


def programs(spec, files, folder, toolchain, seed, group):
    """(program, number in it) of each mutant file; files[0] is the original, in
    each program number 0. A group that does not build is split; what cannot be
    built alone is (None, message)."""
    made = {}

    def make(part, name):
        place = os.path.join(folder, name)
        os.makedirs(place)
        try:
            program = Program(spec, [files[0], *(files[i] for i in part)], place,
                              toolchain, seed)
        except SpecError as error:
            if len(part) <= 1:
                for i in part:
                    made[i] = (None, str(error))
                return
            half = len(part) // 2
            make(part[:half], name + "a")
            make(part[half:], name + "b")
            return
        for number, i in enumerate(part):
            made[i] = (program, number + 1)

    for first in range(1, len(files), group):
        make(list(range(first, min(first + group, len(files)))), f"g{first}")
    return made
