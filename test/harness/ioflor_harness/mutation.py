# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small faults of the kinds that people make, one at a time."""
import dataclasses
import re


@dataclasses.dataclass
class Mutant:
    """`text` is the whole source with one change at `line`."""
    kind: str
    line: int
    before: str
    after: str
    text: str

    def __str__(self):
        return f"{self.kind} in line {self.line}: '{self.before}' to '{self.after}'"


#: (kind, pattern, replacement); every match in code is one mutant.
OPERATORS = [
    ("grid rounded down", r"\((\w+) \+ (\w+) - 1\) / \2", r"\1 / \2"),
    ("grid rounded down", r"\((\w+) \+ 63\) / 64", r"\1 / 64"),
    ("grid rounded down", r"CEIL_DIV\((\w+), (\w+)\)", r"((\1) / (\2))"),
    ("bound one short", r"(for \([^;]*; \w+ < [\w ]+?)(;)", r"\1 - 1\2"),
    ("bound one short", r"(while \(\w+ > )0\)", r"\g<1>1)"),
    ("bound one long", r"(for \([^;]*; \w+) < ([\w ]+?;)", r"\1 <= \2"),
    ("stride doubled", r"(; \w+ \+= )(BC|BR|LANES|WARPS)\)", r"\g<1>2 * \2)"),
    ("stride doubled", r"; \+\+(\w+)\)", r"; \1 += 2)"),
    ("first one skipped", r"(for \((?:const )?int \w+ = )0;", r"\g<1>1;"),
    ("guard dropped", r"if \((\w+) < (n|nq|nk)\)", "if (true)"),
    ("guard tightened", r"if \((\w+) < (n|nq|nk)\)", r"if (\1 < \2 - 1)"),
    ("tail not clamped", r"min\((BC), (n|nk) - j0\)", r"\1"),
    ("tail dropped", r"min\((BC), (n|nk) - j0\)", r"\2 - j0 < \1 ? 0 : \1"),
    ("diagonal lost", r"<= i; \+\+j", "< i; ++j"),
    ("diagonal lost", r"j > i \|\|", "j >= i ||"),
    ("window shifted", r"j <= i - W", "j < i - W"),
    ("window shifted", r"i - W \+ 1", "i - W"),
]


def mutants(source):
    """Every mutant of `source`, comments left alone, in order of operators."""
    comments = [match.span() for match in
                re.finditer(r"//[^\n]*|/\*.*?\*/", source, re.S)]
    seen = set()
    for kind, pattern, replacement in OPERATORS:
        for match in re.finditer(pattern, source):
            if any(a <= match.start() < b for a, b in comments):
                continue
            after = match.expand(replacement)
            text = source[:match.start()] + after + source[match.end():]
            if after == match.group() or text in seen:
                continue
            seen.add(text)
            yield Mutant(kind, source.count("\n", 0, match.start()) + 1,
                         match.group(), after, text)
