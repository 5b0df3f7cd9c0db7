# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates the expressions of certificates and of expected counts."""

NAMES = {
    "ceildiv": lambda a, b: -((-a) // b),
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "min": min, "max": max, "sum": sum, "range": range, "abs": abs,
}


class EvaluationError(Exception):
    """An expression that has no value; the message quotes it."""


def evaluate(expression, symbols):
    """Integer value of `expression` (text or a number) at `symbols`."""
    if isinstance(expression, (int, float)):
        return expression
    try:
        # A generator inside sum() sees globals only.
        return eval(expression, {"__builtins__": {}, **NAMES, **symbols})
    except Exception as error:  # whatever a malformed text raises
        raise EvaluationError(f"'{expression}': {error}") from error


def interval(value, symbols):
    """(lo, hi) of an expression or {"lo": ..., "hi": ...}; hi None is unbounded."""
    if isinstance(value, dict):
        lo, hi = value.get("lo"), value.get("hi")
        return (0 if lo is None else evaluate(lo, symbols),
                None if hi is None else evaluate(hi, symbols))
    exact = evaluate(value, symbols)
    return exact, exact
