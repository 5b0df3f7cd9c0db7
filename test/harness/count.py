#!/usr/bin/env python3
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes a kernel on the CPU and prints what it moved, as JSON.

  count.py FILE.cu --launch launch --args Q K V O 2 N \\
      --buffers Q=2*N*32 K=2*N*32 V=2*N*32 O=2*N*32:f32:nan --sizes N=64 N=100
  count.py --config examples/examples.json [--only NAME]

Arguments and buffer sizes (words) are C++ expressions over the symbols. A
buffer is NAME=WORDS[:ELEMENT[:FILL]]. The result has one object a size; its
"buffers" give [issued, traffic, compulsory] for loads and stores.
Exit status: 0 counted, 1 a check failed, 2 the harness could not do its work.
"""
import argparse
import json
import os
import sys

from ioflor_harness import build, evaluate, spec


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--launch", help="host function to call")
    parser.add_argument("--args", nargs="*", default=[])
    parser.add_argument("--call", help="a C++ statement instead of --launch")
    parser.add_argument("--buffers", nargs="*", default=[])
    parser.add_argument("--allocations", nargs="*", default=[])
    parser.add_argument("--sizes", nargs="*", default=[])
    parser.add_argument("--check", help="JSON object, members of Attention")
    parser.add_argument("--language", default="cuda", choices=["cuda", "c++"])
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--config")
    parser.add_argument("--only")
    parser.add_argument("--lines", action="store_true",
                        help="one line a buffer instead of JSON")
    parser.add_argument("--quiet", action="store_true",
                        help="print errors and a summary only")
    parser.add_argument("--keep", help="folder for intermediate files")
    parser.add_argument("--accesses", action="store_true",
                        help="also print counts per instruction")
    return parser.parse_args()


def specs_of(options):
    if options.config:
        return [one for one in spec.load(options.config)
                if options.only in (None, one.name, one.file)]
    if not options.file or not (options.call or options.launch):
        raise spec.SpecError("give a file and --launch or --call")
    buffers = {}
    for text in options.buffers:
        name, _, rest = text.partition("=")
        buffers[name] = spec.Buffer(*rest.split(":"))
    sizes = [{name: int(value) for name, value in
              (item.split("=") for item in text.split(","))}
             for text in options.sizes]
    call = options.call or f"{options.launch}({', '.join(options.args)})"
    return [spec.Spec(
        file=os.path.abspath(options.file), call=call, buffers=buffers,
        sizes=sizes, allocations=options.allocations,
        check=json.loads(options.check) if options.check else None,
        flags=options.flag, language=options.language)]


def count_errors(one, result):
    """Where the counts differ from the specification's closed forms."""
    kinds = ("issued", "traffic", "compulsory")
    for buffer, directions in one.expected.items():
        for direction in ("loads", "stores"):
            forms = directions.get(direction, [0, 0, 0])
            for kind, form, counted in zip(
                    kinds, forms, result["buffers"][buffer][direction]):
                value = evaluate.evaluate(form, result["symbols"])
                if value != counted:
                    yield (f"{one.name}: {kind} {direction} of {buffer} at "
                           f"{result['symbols']}: counted {counted}, "
                           f"closed form {value}")


def lines(results):
    """Text of the counts, buffers in alphabetical order."""
    for result in results:
        at = " ".join(f"{k}={v}" for k, v in sorted(result["symbols"].items()))
        for name, counts in sorted(result["buffers"].items()):
            extra = "".join(
                f" {kind} {counts[kind]}"
                for kind in ("over_reads", "over_writes", "host_stores")
                if counts[kind])
            yield (f"{at}: {name} loads {counts['loads']} "
                   f"stores {counts['stores']}{extra}")
        for fault in result["faults"]:
            yield f"{at}: fault: {fault}"


def main():
    options = parse_arguments()
    failed = False
    try:
        output = []
        for one in specs_of(options):
            results = build.execute(one, keep=options.keep)
            for result in results:
                if not options.accesses:
                    result.pop("accesses")
                errors = list(count_errors(one, result))
                if result.get("max_abs_error", 0) > one.tolerance:
                    errors.append(
                        f"{one.name}: output is off by "
                        f"{result['max_abs_error']} at {result['symbols']}")
                for error in errors:
                    print(error, file=sys.stderr)
                failed |= bool(errors)
            output.append({"file": one.file, "name": one.name,
                           "results": results})
    except (spec.SpecError, evaluate.EvaluationError, ValueError,
            TypeError) as error:
        print(f"count.py: error: {error}", file=sys.stderr)
        return 2
    if options.quiet:
        print(f"{len(output)} subjects, "
              f"{sum(len(entry['results']) for entry in output)} runs, "
              f"{'some' if failed else 'no'} errors")
        return 1 if failed else 0
    if options.lines:
        for entry in output:
            print("\n".join(lines(entry["results"])))
        return 1 if failed else 0
    print(json.dumps(output if options.config else output[0]["results"],
                     indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
