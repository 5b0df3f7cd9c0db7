# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what a certificate says with what an execution moved."""
import dataclasses

from .evaluate import EvaluationError, evaluate, interval

KINDS = ("issued", "traffic", "compulsory")
DIRECTIONS = ("loads", "stores")


class CertificateError(Exception):
    """A certificate that cannot be compared; the message says why."""


@dataclasses.dataclass
class Comparison:
    """Differences are errors; `inexact` names counts that are only bracketed."""
    compared: int = 0
    exact: int = 0
    errors: list = dataclasses.field(default_factory=list)
    inexact: set = dataclasses.field(default_factory=set)


def choose(certificates, name):
    """The subject called `name`, or the only one."""
    if name is not None:
        certificates = [one for one in certificates
                        if one["subject"].get("name") == name]
    if len(certificates) != 1:
        raise CertificateError(
            f"{len(certificates)} subjects" + (f" named '{name}'" if name else "")
            + "; give 'subject' in the configuration")
    return certificates[0]


def bindings(certificate, sizes, mapping):
    """Values of the certificate's symbols at one size."""
    values = dict(sizes)
    for symbol in certificate.get("symbols", []):
        name = symbol["name"]
        if name in mapping:
            values[name] = evaluate(mapping[name], sizes)
        elif name not in values and symbol.get("display") in sizes:
            values[name] = sizes[symbol["display"]]
    return values


def compare(certificate, results, mapping=None, aliases=None):
    """Compares every buffer, direction and kind at every size."""
    outcome = Comparison()
    aliases = aliases or {}
    buffers = {aliases.get(one["name"], one["name"]): one
               for one in certificate["buffers"]}
    for result in results:
        symbols = bindings(certificate, result["symbols"], mapping or {})
        at = ", ".join(f"{k}={v}" for k, v in result["symbols"].items())
        for name, counted in result["buffers"].items():
            if name not in buffers:
                if any(any(counted[direction]) for direction in DIRECTIONS):
                    outcome.errors.append(
                        f"{name} is moved but not in the certificate")
                continue
            for direction in DIRECTIONS:
                claims = buffers[name].get(direction) or {}
                for kind, count in zip(KINDS, counted[direction]):
                    check(outcome, f"{kind} {direction} of {name}", at,
                          claims.get(kind), count, symbols)
    outcome.errors = list(dict.fromkeys(outcome.errors))
    return outcome


def check(outcome, what, at, claim, count, symbols):
    """One claimed count against one counted."""
    if claim is None:
        outcome.inexact.add(what)
        return
    outcome.compared += 1
    try:
        lo, hi = interval(claim, symbols)
    except EvaluationError as error:
        outcome.errors.append(f"{what}: {error}")
        return
    if lo == hi:
        outcome.exact += 1
    if isinstance(claim, dict):
        outcome.inexact.add(what)
    if lo > count or (hi is not None and hi < count):
        said = lo if lo == hi else f"[{lo}, {hi}]"
        outcome.errors.append(
            f"{what} at {at}: certificate {said}, executed {count}")
