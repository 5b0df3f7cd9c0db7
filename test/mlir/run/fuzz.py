# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutates the text of modules and has a tool read them: none may crash or hang.

fuzz.py CASES SEED UPSTREAM OPT PASSES FILE...

Each case deletes, repeats, swaps or changes a few tokens of one FILE, or puts a
line of another in. CASES cases go through OPT, many a process, separated by
`// -----`. An exit by a signal, or a process that takes more than 30 s of CPU
time, is halved until one case is left, which is printed; then the exit status is
1, unless UPSTREAM, an mlir-opt, dies of it without any pass. What OPT reports of
a module does not matter.
"""
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'"[^"]*"|[%@#!^]?[\w.$-]+|\s+|.')
NUMBERS = ["0", "1", "-1", "2147483647", "-9223372036854775808",
           "18446744073709551616", "?", "64"]


def mutate(lines, others, rng):
    """One case: the text of a module with one to three changes."""
    lines = list(lines)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        k = rng.randrange(len(lines))
        # Half of the changes are to numbers: most of those are still modules.
        kind = rng.choice((0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 7))
        if kind == 0:
            del lines[k]
            if not lines:
                lines = [""]
        elif kind == 1:
            lines.insert(k, lines[rng.randrange(len(lines))])
        elif kind == 2:
            other = rng.randrange(len(lines))
            lines[k], lines[other] = lines[other], lines[k]
        elif kind == 3:
            lines.insert(k, rng.choice(others))
        else:
            tokens = TOKEN.findall(lines[k])
            solid = [i for i, t in enumerate(tokens) if not t.isspace()]
            if not solid:
                continue
            i = rng.choice(solid)
            if kind == 4:
                tokens[i] = ""
            elif kind == 5:
                tokens[i] = tokens[rng.choice(solid)]
            elif kind == 6:
                numbers = [j for j in solid if re.fullmatch(r"-?\d+", tokens[j])]
                tokens[rng.choice(numbers or [i])] = rng.choice(NUMBERS)
            else:
                other = TOKEN.findall(rng.choice(others))
                if other:
                    tokens[i] = rng.choice(other)
            lines[k] = "".join(tokens)
    return "\n".join(lines)


def survives(opt, passes, cases, folder):
    path = os.path.join(folder, "case.mlir")
    with open(path, "w") as out:
        out.write("\n// -----\n".join(cases))
    done = subprocess.run(
        [*opt, "--split-input-file", "--allow-unregistered-dialect",
         "--mlir-print-op-on-diagnostic=false", *passes, path, "-o", os.devnull],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"},
        preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_CPU, (30, 30)),
                            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))))
    return done.returncode in (0, 1), done


def main():
    count, seed, upstream, opt, passes, *files = sys.argv[1:]
    opt, passes = opt.split(), passes.split(";")
    texts = []
    for name in sorted(files):
        with open(name) as file:
            # One module, or several in a file that is split.
            for part in file.read().split("// -----"):
                texts.append([l for l in part.split("\n")
                              if not l.lstrip().startswith("//")] or [""])
    everything = [line for text in texts for line in text]
    rng = random.Random(int(seed))
    cases = [mutate(rng.choice(texts), everything, rng)
             for _ in range(int(count))]
    cases = [c.replace("// -----", "") for c in cases]
    bad = theirs = 0
    with tempfile.TemporaryDirectory() as folder:
        pending = [cases[k:k + 250] for k in range(0, len(cases), 250)]
        while pending:
            some = pending.pop()
            fine, done = survives(opt, passes, some, folder)
            if fine:
                continue
            if len(some) > 1:
                pending += [some[:len(some) // 2], some[len(some) // 2:]]
                continue
            if not survives([upstream], [], some, folder)[0]:
                theirs += 1
                continue
            bad += 1
            print(f"exit {done.returncode} on:\n{some[0]}\n"
                  + done.stderr.decode(errors="replace")[-2000:])
            if bad == 5:
                break
    print(f"{len(cases)} cases, {bad} crashed or hung; {theirs} did in MLIR itself")
    sys.exit(1 if bad else 0)


main()
