#!/usr/bin/env python3
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py --work DIR: has coqc check every proof, and says what each rests on.

Compiles a copy of the proofs in DIR (made if it is not there), then prints one
line a theorem of the table: `File.name: no axioms`, or the axioms that the proofs
of its file use, and below it the statement as Coq reads it. Exit 1 when a proof fails, uses
an axiom other than those of Coq's real numbers, is left open, or when table and
files name different theorems; 2 when the checker itself cannot run.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Seconds for one file; far above what any takes. coqc itself has no limit.
LIMIT = 240
# What Coq's standard library builds the real numbers on.
ALLOWED = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
}
OPEN = r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Abort)\b"
UNSAFE = r"\b(bypass_check|Unset\s+(Guard|Positivity|Universe)\s+Check\w*)\b"


def fail(message, status=1):
    print(f"check.py: error: {message}", file=sys.stderr)
    sys.exit(status)


def without_comments(text):
    out, depth, i = [], 0, 0
    while i < len(text):
        if text.startswith("(*", i):
            depth, i = depth + 1, i + 2
        elif depth and text.startswith("*)", i):
            depth, i = depth - 1, i + 2
        else:
            if not depth or text[i] == "\n":
                out.append(text[i])
            i += 1
    return "".join(out)


def read_table(path):
    """The theorems that the page lists, as (file, name), in its order."""
    rows = re.findall(
        r"^\|\s*`(\w+)\.(\w+)`\s*\|", path.read_text(encoding="utf-8"), re.M
    )
    if not rows:
        fail(f"{path}: no table row '| `File.theorem` | ...'")
    for row in rows:
        if rows.count(row) > 1:
            fail(f"{path}: {'.'.join(row)} is listed twice")
    return rows


def read_sources(folder):
    """File name -> (imports, theorems), refusing what leaves a proof open."""
    files = {}
    for path in sorted(folder.glob("*.v")):
        text = without_comments(path.read_text(encoding="utf-8"))
        for number, line in enumerate(text.splitlines(), 1):
            bad = re.search(OPEN, line) or re.search(UNSAFE, line)
            if bad:
                fail(f"{path}:{number}: '{bad.group(0)}' leaves a proof open")
        imports = []
        for names in re.findall(r"From\s+Ioflor\s+Require\s+Import\s+([\w\s]+)\.", text):
            imports += names.split()
        files[path.stem] = (imports, re.findall(r"^\s*Theorem\s+(\w+)", text, re.M))
    if not files:
        fail(f"{folder}: no .v files")
    return files


def order(files):
    done, state = [], {}

    def visit(name, by):
        if name not in files:
            fail(f"{by}.v imports {name}, which is not there")
        if state.get(name) == "open":
            fail(f"{name}.v imports itself")
        if name in state:
            return
        state[name] = "open"
        for other in files[name][0]:
            visit(other, name)
        state[name] = "done"
        done.append(name)

    for name in files:
        visit(name, name)
    return done


def coqc(program, work, name):
    try:
        return subprocess.run(
            [program, "-q", "-Q", ".", "Ioflor", f"{name}.v"],
            cwd=work, capture_output=True, text=True, check=False, timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        fail(f"{name}.v: coqc did not finish in {LIMIT} s")
    except OSError as error:
        fail(f"cannot run {program}: {error}", 2)


def compile_all(program, work, names, files):
    """coqc on each file, as many at once as there are processors."""
    waiting, done = list(names), set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        running = {}
        while waiting or running:
            for name in [n for n in waiting if done.issuperset(files[n][0])]:
                waiting.remove(name)
                running[pool.submit(coqc, program, work, name)] = name
            finished, _ = concurrent.futures.wait(
                running, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in finished:
                name, result = running.pop(future), future.result()
                if result.returncode:
                    pool.shutdown(cancel_futures=True)
                    fail(f"{name}.v does not check:\n{result.stderr.strip()}")
                done.add(name)


def assumptions(program, work, theorems):
    """What Coq itself says: file -> axioms, (file, theorem) -> statement.

    The axioms are asked of all theorems of a file at once, since each question
    walks through the whole library: they are those of the file's theorems taken
    together.
    """
    by_file = {}
    for name, theorem in theorems:
        by_file.setdefault(name, []).append(f"@Ioflor.{name}.{theorem}")
    query = [f"From Ioflor Require {name}." for name in by_file]
    for name, all_of in by_file.items():
        query += [
            f"Definition all_of_{name} := (I, {', '.join(all_of)}).",
            f'Goal True. idtac "@@ {name}". Abort.',
            f"Print Assumptions all_of_{name}.",
        ]
    for row in theorems:
        query += [
            f'Goal True. idtac "@@ {".".join(row)}". Abort.',
            f"Check @Ioflor.{'.'.join(row)}.",
        ]
    (work / "Assumptions.v").write_text("\n".join(query) + "\n")
    result = coqc(program, work, "Assumptions")
    if result.returncode:
        fail(f"asking for the assumptions: {result.stderr.strip()}")
    axioms, statements = {}, {}
    for part in re.split(r"^@@ ", result.stdout, flags=re.M)[1:]:
        name, answer = part.split("\n", 1)
        if "." in name:
            statements[tuple(name.split("."))] = answer.rstrip()
        elif answer.strip() == "Closed under the global context":
            axioms[name] = []
        else:
            found = re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", answer, re.M)
            axioms[name] = [a for a in found if a != "Axioms"]
            if not axioms[name]:
                fail(f"{name}: unreadable answer of Print Assumptions: {answer}")
    return axioms, statements


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--coqc", default="coqc")
    parser.add_argument("--proofs", default=HERE, type=pathlib.Path)
    parser.add_argument(
        "--table", default=HERE.parent / "docs" / "proofs.md", type=pathlib.Path
    )
    args = parser.parse_args()
    for path in (args.table, args.proofs):
        if not path.exists():
            fail(f"{path} is not there", 2)
    table = read_table(args.table)
    files = read_sources(args.proofs)
    have = {(f, t) for f, (_, theorems) in files.items() for t in theorems}
    for row in table:
        if row not in have:
            fail(f"{args.table}: there is no theorem {'.'.join(row)}")
    for row in sorted(have - set(table)):
        fail(f"{args.table} does not list {'.'.join(row)}")
    args.work.mkdir(parents=True, exist_ok=True)
    for old in args.work.glob("*.v*"):
        old.unlink()
    names = order(files)
    for name in names:
        shutil.copyfile(args.proofs / f"{name}.v", args.work / f"{name}.v")
    compile_all(args.coqc, args.work, names, files)
    axioms, statements = assumptions(args.coqc, args.work, table)
    bad = False
    for row in table:
        used = axioms[row[0]]
        print(f"{'.'.join(row)}: {', '.join(used) if used else 'no axioms'}")
        print("\n".join("  " + line for line in statements[row].splitlines()))
    for name, used in axioms.items():
        for axiom in used:
            if axiom not in ALLOWED:
                print(f"check.py: error: {name}.v uses {axiom}", file=sys.stderr)
                bad = True
    print(f"{len(table)} theorems checked, {len(names)} files")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
