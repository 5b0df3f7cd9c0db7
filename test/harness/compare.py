#!/usr/bin/env python3
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares certificates with executions: every count of every buffer.

  compare.py --config examples/examples.json --plugin build/lib/ioflor.so
  compare.py --config CONFIG --only NAME --certificate FILE

Without --certificate each file is compiled with the plugin, which writes one.
Exit status: 0 all agree, 1 something differs, 2 the comparison could not be made.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

from ioflor_harness import build, certificate, evaluate, spec


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", required=True)
    parser.add_argument("--only", action="append")
    parser.add_argument("--plugin")
    parser.add_argument("--certificate")
    parser.add_argument("--exact", action="store_true",
                        help="an interval is a difference, too")
    parser.add_argument("--forms", action="store_true",
                        help="compare with the configuration's closed forms, "
                        "which count.py checks, instead of running")
    parser.add_argument("--verdicts", action="store_true",
                        help="also compare the verdict with the configuration's")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def certify(one, plugin, toolchain):
    """The certificates that the plugin writes for the file of `one`."""
    file = os.path.join(build.ROOT, one.file)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "certificate.json")
        command = [toolchain.clang, f"-fplugin={plugin}",
                   f"-fplugin-arg-ioflor-certificate={path}",
                   "-fplugin-arg-ioflor-remarks=none",
                   "-I" + os.path.join(build.ROOT, "plugin/include"),
                   "-fsyntax-only", "-O1", *one.flags]
        if one.language == "cuda":
            command += [*toolchain.cuda_flags(), "--cuda-device-only"]
        # A plugin with sanitizers needs their runtime loaded before Clang.
        env = dict(os.environ)
        if "IOFLOR_PRELOAD" in env:
            env["LD_PRELOAD"] = env["IOFLOR_PRELOAD"]
        result = subprocess.run(command + [file], capture_output=True,
                                text=True, env=env)
        if result.returncode < 0 or not os.path.exists(path):
            raise certificate.CertificateError(
                f"the plugin wrote no certificate (status {result.returncode})\n"
                + result.stderr[-2000:])
        with open(path) as handle:
            return json.load(handle)


def closed_forms(one):
    """What an execution of `one` would give, by its closed forms."""
    return [{"symbols": size, "buffers": {
        buffer: {direction: [evaluate.evaluate(form, size) for form in
                             one.expected.get(buffer, {}).get(
                                 direction, ("0", "0", "0"))]
                 for direction in certificate.DIRECTIONS}
        for buffer in [*one.buffers, *one.allocations]}} for size in one.sizes]


def label(chosen):
    """The verdict; `traffic proved` where only coverage is left undecided."""
    if (chosen["verdict"] == "inconclusive"
            and (chosen.get("reason") or "").startswith("traffic proved")):
        return "traffic proved"
    return chosen["verdict"]


def compare_one(one, options, toolchain):
    """Prints the outcome; True where everything agrees."""
    if options.certificate:
        with open(options.certificate) as handle:
            certificates = json.load(handle)
    else:
        certificates = certify(one, options.plugin, toolchain)
    chosen = certificate.choose(certificates, one.subject)
    results = (closed_forms(one) if options.forms
               else build.execute(one, toolchain))
    outcome = certificate.compare(chosen, results, one.symbols, one.aliases)
    errors = list(outcome.errors)
    if not outcome.compared:
        errors.append("the certificate has no counts")
    if options.exact and outcome.inexact:
        errors.append("not exact: " + ", ".join(sorted(outcome.inexact)))
    # Certified is traffic proved, and more.
    met = {label(chosen)} | ({"traffic proved"} if chosen["verdict"] == "certified"
                             else set())
    if options.verdicts and one.verdict and one.verdict not in met:
        errors.append(f"verdict {chosen['verdict']}, expected {one.verdict}"
                      f" ({chosen.get('reason') or 'no reason given'})")
    print(f"{one.name}: {chosen['verdict']}, {outcome.compared} counts compared, "
          f"{outcome.exact} exact, {len(errors)} errors")
    for error in errors:
        print("  " + error)
    if options.verbose and outcome.inexact:
        print("  bracketed: " + ", ".join(sorted(outcome.inexact)))
    return not errors


def main():
    options = parse_arguments()
    if not options.plugin and not options.certificate:
        print("compare.py: error: give --plugin or --certificate",
              file=sys.stderr)
        return 2
    status = 0
    try:
        specs = [one for one in spec.load(options.config)
                 if not options.only or one.name in options.only]
        toolchain = build.Toolchain()
        if not specs:
            raise spec.SpecError("nothing to compare")
    except (spec.SpecError, OSError, ValueError, TypeError) as error:
        print(f"compare.py: error: {error}", file=sys.stderr)
        return 2
    for one in specs:
        try:
            if not compare_one(one, options, toolchain):
                status = max(status, 1)
        except (spec.SpecError, certificate.CertificateError,
                evaluate.EvaluationError, KeyError) as error:
            print(f"{one.name}: error: {error}")
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main())
