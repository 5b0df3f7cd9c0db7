# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks certificates against their schema and by evaluating them.

Usage: check_certificate.py FILE [--at N=64,d=128] [--solver z3]

Every field of the schema must be there with its type; every expression must
evaluate in Python at the given sizes; every obligation that is said to be
proved must be unsat for the solver, if one is given, and its traffic at least
its floor at the given sizes. Exit status 1 with one line a fault.
"""
import argparse
import json
import subprocess
import sys
import tempfile

HELPERS = {
    "ceildiv": lambda a, b: -(-a // b),
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "min": min,
    "max": max,
    "sum": sum,
    "range": range,
    "__builtins__": {},
}
TEXT, NUMBER, OBJECT, LIST = str, int, dict, list
SCHEMA = {
    "schema": TEXT,
    "subject": {
        "name": TEXT,
        "file": (TEXT, None),
        "line": (NUMBER, None),
        "column": (NUMBER, None),
        "language": (TEXT, None),
        "target": (TEXT, None),
        "instantiation": (TEXT, None),
        "launch": (TEXT, None),
        "stages": LIST,
    },
    "model": {"M": TEXT, "mode": TEXT, "word": TEXT, "element_bytes": NUMBER},
    "symbols": LIST,
    "dims": OBJECT,
    "buffers": LIST,
    "traffic": {"loads": None, "stores": None, "total": None},
    "footprint": {"lo": (TEXT, None), "hi": (TEXT, None)},
    "pairs": (TEXT, None),
    "floors": LIST,
    "disclosure": (OBJECT, None),
    "verdict": TEXT,
    "reason": TEXT,
    "findings": LIST,
    "obligations": LIST,
    "assumptions": LIST,
    "tool": {"ioflor": TEXT, "llvm": TEXT, "z3": TEXT},
    "scope": TEXT,
}
faults = []


def fault(text):
    faults.append(text)


def check(value, schema, path):
    if schema is None:
        return
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            return fault(f"{path}: not an object")
        for key, inner in schema.items():
            if key not in value:
                fault(f"{path}.{key}: missing")
            else:
                check(value[key], inner, f"{path}.{key}")
        return
    kinds = schema if isinstance(schema, tuple) else (schema,)
    if value is None:
        if None not in kinds:
            fault(f"{path}: null")
    elif not isinstance(value, tuple(k for k in kinds if k)):
        fault(f"{path}: {type(value).__name__}")


def evaluate(expression, at, path):
    """The value of a number or string; (lo, hi) of an interval."""
    if isinstance(expression, dict):
        ends = [expression.get("lo"), expression.get("hi")]
        return tuple(
            None if e is None else evaluate(e, at, path) for e in ends
        )
    if isinstance(expression, int):
        return expression
    try:
        # As globals: the body of a sum is a scope of its own.
        value = eval(expression, {**HELPERS, **at})
    except Exception as error:  # pylint: disable=broad-except
        fault(f"{path}: {expression!r}: {error}")
        return None
    if isinstance(value, float):
        fault(f"{path}: {expression!r} is no integer")
    return value


def low(value):
    return value[0] if isinstance(value, tuple) else value


def words_of(certificate, against, at):
    """What a floor bounds, from below."""
    total = 0
    for buffer in certificate["buffers"]:
        loads = low(evaluate(buffer["loads"]["traffic"], at, "loads"))
        stores = low(evaluate(buffer["stores"]["traffic"], at, "stores"))
        role = buffer["role"].lower()
        if against == "total":
            total += loads + stores
        elif against == "o":
            total += stores if role == "o" else 0
        elif against == "loads":
            total += loads if role in "qkv" else 0
        else:
            total += loads if role in against else 0
            if against == "qk" and role == "s":
                total += loads + stores
    return total


def check_one(certificate, arguments):
    check(certificate, SCHEMA, "certificate")
    if faults:
        return
    if certificate["schema"] != "ioflor-certificate-v1":
        fault(f"schema is {certificate['schema']}")
    if certificate["verdict"] not in ("certified", "flagged", "inconclusive"):
        fault(f"verdict is {certificate['verdict']}")
    flagged = any(f["severity"] == "flag" for f in certificate["findings"])
    if flagged != (certificate["verdict"] == "flagged"):
        fault("verdict and findings differ")
    at = dict(arguments.at)
    for symbol in certificate["symbols"]:
        if at and symbol["name"] in at:
            for text in symbol["assumptions"]:
                if evaluate(text, at, "assumptions") is False:
                    fault(f"the sizes violate {text}")
    if at:
        for name, value in certificate["dims"].items():
            evaluate(value, at, f"dims.{name}")
        loads = stores = 0
        for buffer in certificate["buffers"]:
            for direction in ("loads", "stores"):
                values = [
                    evaluate(buffer[direction][m], at, buffer["name"])
                    for m in ("issued", "traffic", "compulsory")
                ]
                if all(isinstance(v, int) for v in values) and not (
                    values[0] >= values[1] >= values[2] >= 0
                ):
                    fault(f"{buffer['name']} {direction}: {values} do not fall")
                if isinstance(values[1], int):
                    loads += values[1] if direction == "loads" else 0
                    stores += values[1] if direction == "stores" else 0
        total = evaluate(certificate["traffic"]["total"], at, "traffic.total")
        if isinstance(total, int) and total != loads + stores:
            fault(f"total {total} is not {loads} + {stores}")
        if certificate["pairs"] is not None:
            evaluate(certificate["pairs"], at, "pairs")
        # Every floor and condition is an expression, whatever came of it.
        sizes = {"M": 1 << 20, **at}
        for floor in certificate["floors"]:
            for text in (floor["num"], floor["den"], *floor["hypotheses"]):
                evaluate(text, sizes, f"floors.{floor['kind']}")
            if "True" in floor["hypotheses"]:
                fault(f"floors.{floor['kind']}: a hypothesis that says nothing")
    for finding in certificate["findings"]:
        for name, value in (finding["witness"] or {}).items():
            if not isinstance(value, int):
                fault(f"{finding['id']}: witness {name} is no integer")
    # M: what the floors need, the kernel holds and is given.
    floors = {}
    for floor in certificate["floors"]:
        n = sum(1 for name in floors if name.split("/")[0] == floor["kind"])
        floors[floor["kind"] + (f"/{n + 1}" if n else "")] = floor
    for obligation in certificate["obligations"]:
        name = obligation["name"]
        if obligation["result"] not in ("proved", "refuted", "unknown", "vacuous"):
            fault(f"{name}: result {obligation['result']}")
        if (obligation["witness"] is not None) != (
            obligation["result"] == "refuted"
        ):
            fault(f"{name}: witness and result differ")
        if obligation["result"] == "refuted":
            witness = obligation["witness"]
            if not int(witness["words"]) < int(witness["floor"]):
                fault(f"{name}: the witness is none")
        if obligation["result"] == "proved" and arguments.solver:
            with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
                file.write(obligation["smt2"])
                file.flush()
                answer = subprocess.run(
                    [*arguments.solver.split(), file.name],
                    capture_output=True, text=True, timeout=60, check=False,
                ).stdout.strip()
            if answer != "unsat":
                fault(f"{name}: the solver says {answer!r}")
        if obligation["result"] == "proved" and at and name in floors:
            floor = floors[name]
            sizes = dict(at)
            if certificate["model"]["M"].isdigit():
                sizes["M"] = int(certificate["model"]["M"])
            elif certificate["footprint"]["lo"] is not None:
                d = evaluate(certificate["dims"]["d"], at, "dims.d")
                held = evaluate(certificate["footprint"]["lo"], at, "footprint")
                sizes[certificate["model"]["M"]] = max(d * d, held)
            else:
                continue
            num = evaluate(floor["num"], sizes, f"{name}.num")
            den = evaluate(floor["den"], sizes, f"{name}.den")
            moved = words_of(certificate, floor["against"], at)
            if num is not None and den is not None and moved * den < num:
                fault(f"{name}: {moved} words are below {num}/{den}")


def main():
    def sizes(text):
        return {k: int(v) for k, v in (p.split("=") for p in text.split(","))}

    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--at", type=sizes, default={})
    parser.add_argument("--solver")
    arguments = parser.parse_args()
    with (sys.stdin if arguments.file == "-" else open(arguments.file)) as file:
        certificates = json.load(file)
    if not isinstance(certificates, list):
        fault("not an array")
    else:
        for certificate in certificates:
            check_one(certificate, arguments)
    for text in faults:
        print(text)
    if not faults:
        print(f"{len(certificates)} certificates hold")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
