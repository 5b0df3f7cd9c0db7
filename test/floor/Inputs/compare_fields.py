# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare_fields.py FIELDS CERTIFICATE [maximum]

Compares every number, boolean and verdict of a seed certificate (FIELDS: path to
value) with the certificate that ioflor computed. Each field must be equal, or be
one of the differences named here. Prints the differences and how many fields are
equal; exit status 1 if one is not accounted for, or if a difference that is
named does not occur.
"""
import json
import re
import sys
from decimal import Decimal

# Left out: they speak of other software.
LEFT_OUT = {
    r"/wall_banner_untouched/.*": "speaks of other software",
    r"/lean_rung/.*": "speaks of another proof assistant's build",
    r"/bridge_external": "speaks of other software",
}
# The seed computed these in binary floating point; ioflor rounds the exact value.
ROUNDED = {
    r"/approx_attention/savings_demo/exact_over_approx": "exact value rounded",
    r"/brute_force_validation/rows/\d+/(formula_floor|slack)": "exact value rounded",
    r"/composition_with_saha_ye/rows/\d+/"
    r"(network_words_floor|composed_floor_max|fraction_of_saturation)":
        "exact value rounded",
    r"/floor_curve/rows/\d+/words_floor": "exact value rounded",
}
# Without --seed-compat each floor is the maximum of all.
FLOOR = "the maximum of all floors that apply"
SCHEDULE = "words of a schedule, not an order of growth"
STORE = "the store of O is counted"
COVERING = "the true minimum of the model, not of its relaxation"
MAXIMUM = {
    r"/(grid/\d+|flagship)/io_floor_(words|bytes_fp16)": FLOOR,
    r"/(grid/\d+|flagship)/flash(attention_io_words|_over_floor)": SCHEDULE,
    r"/(grid/\d+|flagship)/naive_(io_words|over_floor)": SCHEDULE,
    r"/compliance_oracle/valid/claimed_io_words": SCHEDULE,
    r"/approx_attention/input_scan_floor_words_flagship": STORE,
    r"/approx_attention/savings_demo/approx_scan_floor_words": STORE,
    r"/approx_attention/savings_demo/exact_(pebble_floor_words|over_approx)": FLOOR,
    r"/brute_force_validation/rows/\d+/(formula_floor|slack|brute_force_min)": COVERING,
    r"/composition_with_saha_ye/rows/\d+/"
    r"(network_words_floor|fraction_of_saturation)": COVERING,
    r"/composition_with_saha_ye/rows/\d+/(single_device_io_floor|composed_floor_max)":
        FLOOR,
    r"/composition_with_saha_ye/(rows/\d+/binding_axis|binding_axis_switches)":
        "with the scan among its floors one device always moves more",
    r"/floor_curve/rows/\d+/words_floor": COVERING,
}


def flatten(value, path=""):
    if isinstance(value, dict):
        for key, v in value.items():
            yield from flatten(v, f"{path}/{key}")
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from flatten(v, f"{path}/{i}")
    else:
        yield path, value


def reason_of(path, table):
    for pattern, why in table.items():
        if re.fullmatch(pattern, path):
            return pattern, why
    return None, None


def equal(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or isinstance(a, str):
        return type(a) is type(b) and a == b
    return not isinstance(b, (str, type(None))) and Decimal(a) == Decimal(b)


def near(a, b):
    """Equal but for some last digits of a double."""
    numbers = all(isinstance(x, Decimal) for x in (a, b))
    return numbers and abs(a - b) <= Decimal("1e-12") * max(1, abs(a), abs(b))


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f, parse_float=Decimal, parse_int=Decimal)


def main():
    seed, ours = load(sys.argv[1]), dict(flatten(load(sys.argv[2])))
    maximum = sys.argv[3:] == ["maximum"]
    named = dict(ROUNDED, **MAXIMUM) if maximum else ROUNDED
    same = rounded = bad = 0
    used = set()
    for path, want in seed.items():
        pattern, why = reason_of(path, LEFT_OUT)
        if pattern:
            if path in ours:
                print(f"bad {path}: is left out by name but present")
                bad += 1
            print(f"left out {path}: {why}")
            continue
        if path not in ours:
            print(f"bad {path}: missing")
            bad += 1
            continue
        got = ours[path]
        if equal(want, got):
            same += 1
            continue
        pattern, why = reason_of(path, MAXIMUM if maximum else {})
        if pattern:
            used.add(pattern)
            print(f"differs {path}: {want} -> {got}: {why}")
            continue
        pattern, why = reason_of(path, ROUNDED)
        if pattern and near(want, got):
            rounded += 1
            continue
        print(f"bad {path}: seed {want}, ioflor {got}")
        bad += 1
    kind = "attention" if any(p.startswith("/grid/") for p in seed) else "distributed"
    for pattern in MAXIMUM if maximum else ():
        here = any(re.fullmatch(pattern, p) for p in seed)
        if here and pattern not in used:
            print(f"bad {pattern}: a difference is named that does not occur")
            bad += 1
    print(f"{kind}: {same} equal, {rounded} equal but for a double's last digits, "
          f"{bad} bad, of {len(seed)}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
