# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs by integer sets, and mutants that must not be proved.

usage: mutate_sets.py IOFLOR_OPT SKELETON MUTANTS

SKELETON is a skeleton that is proved as it stands. MUTANTS holds lines
`name | text | replacement [| count]`: `text` must occur in the skeleton; its first
`count` occurrences (all by default) are replaced. What is still proved then is an
error, and so is a mutant that is no valid skeleton. The pass runs only after the
roles of the original were found, so that a mutant is judged on coverage.
"""
import re
import subprocess
import sys


def run(tool, passes, text):
    result = subprocess.run([tool, *passes, "-"], input=text, text=True,
                            capture_output=True, check=False)
    if result.returncode:
        sys.exit(f"error: {result.stderr}")
    return result.stdout


def state(output):
    found = re.search(r'ioflor\.coverage "pairs" "(\w+)" by "sets"'
                      r'(?: mask "(\w+)")?(?:.*reason = "([^"]*)")?', output)
    return found.groups() if found else ("none", None, None)


def main():
    tool, skeleton, mutants = sys.argv[1:]
    with open(skeleton, encoding="utf-8") as file:
        text = run(tool, ["--ioflor-roles"], file.read())
    verdict, mask, reason = state(run(tool, ["--ioflor-cover-sets"], text))
    print(f"original: {verdict} {mask or reason}")
    with open(mutants, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    for line in lines:
        if not line or line.startswith("#"):
            continue
        name, old, new, *count = [part.strip() for part in line.split(" | ")]
        if old not in text:
            sys.exit(f"error: mutant '{name}' does not apply")
        changed = text.replace(old, new, int(count[0]) if count else -1)
        verdict, mask, reason = state(
            run(tool, ["--ioflor-cover-sets"], changed))
        print(f"{name}: {verdict} {mask or reason}")


main()
