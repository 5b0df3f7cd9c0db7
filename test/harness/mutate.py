#!/usr/bin/env python3
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges the plugin by mutants: what a mutant computes is found by running it.

  mutate.py --config examples/examples.json --plugin build/lib/ioflor.so

For every mutant of every certified example:
  output wrong, or memory past an end touched: the verdict must not be certified
  output right: the verdict must not be flagged, and every count must agree
Exit status: 0 as it must be, 1 a verdict or a count is wrong, 2 no judgement.
"""
import argparse
import collections
import dataclasses
import os
import sys
import tempfile

from compare import certify
from ioflor_harness import build, certificate, evaluate, mutation, spec


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", required=True)
    parser.add_argument("--only", action="append")
    parser.add_argument("--plugin")
    parser.add_argument("--limit", type=int, default=0,
                        help="at most this many mutants a file, spread evenly")
    parser.add_argument("--list", action="store_true",
                        help="only say what each mutant computes")
    return parser.parse_args()


def behaviour(one, toolchain):
    """('right' | 'wrong' | 'overrun' | 'broken', results)."""
    try:
        results = build.execute(one, toolchain)
    except spec.SpecError:
        return "broken", []
    if any(r.get("max_abs_error", 0) > one.tolerance for r in results):
        return "wrong", results
    if any(b["over_reads"] or b["over_writes"]
           for r in results for b in r["buffers"].values()):
        return "overrun", results
    return "right", results


def judge(one, what, results, options, toolchain):
    """(verdict, complaints)."""
    chosen = certificate.choose(certify(one, options.plugin, toolchain),
                                one.subject)
    verdict, complaints = chosen["verdict"], []
    if what in ("wrong", "overrun") and verdict == "certified":
        complaints.append(f"certified, though {what} when run")
    if what == "right" and verdict == "flagged":
        ids = ", ".join(f["id"] for f in chosen["findings"])
        complaints.append(f"flagged ({ids}), though right when run")
    if results:
        outcome = certificate.compare(chosen, results, one.symbols, one.aliases)
        complaints += outcome.errors
    return verdict, complaints


def spread(items, limit):
    if not limit or len(items) <= limit:
        return items
    return [items[i * len(items) // limit] for i in range(limit)]


def main():
    options = parse_arguments()
    if not options.plugin and not options.list:
        print("mutate.py: error: give --plugin or --list", file=sys.stderr)
        return 2
    try:
        toolchain = build.Toolchain()
        specs = [one for one in spec.load(options.config)
                 if one.verdict != "flagged"
                 and (not options.only or one.name in options.only)]
    except (spec.SpecError, OSError, ValueError, TypeError) as error:
        print(f"mutate.py: error: {error}", file=sys.stderr)
        return 2
    tally, status = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for one in specs:
            with open(os.path.join(build.ROOT, one.file)) as handle:
                source = handle.read()
            for mutant in spread(list(mutation.mutants(source)), options.limit):
                path = os.path.join(folder, os.path.basename(one.file))
                with open(path, "w") as handle:
                    handle.write(mutant.text)
                changed = dataclasses.replace(one, file=path)
                what, results = behaviour(changed, toolchain)
                verdict, complaints = "-", []
                if what != "broken" and not options.list:
                    try:
                        verdict, complaints = judge(changed, what, results,
                                                    options, toolchain)
                    except (certificate.CertificateError, KeyError,
                            evaluate.EvaluationError) as error:
                        complaints = [str(error)]
                tally[what, verdict] += 1
                status |= bool(complaints)
                print(f"{one.name}: {mutant}: {what}, {verdict}", flush=True)
                for complaint in complaints:
                    print("  " + complaint, flush=True)
    for (what, verdict), count in sorted(tally.items()):
        print(f"{count} {what} and {verdict}")
    return status


if __name__ == "__main__":
    sys.exit(main())
