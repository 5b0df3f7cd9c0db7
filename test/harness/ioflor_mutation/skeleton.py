# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads an I/O skeleton's text, and makes mutants of it."""
import dataclasses
import re

from .operators import Mutant


class SkeletonError(Exception):
    """Text that is no skeleton, or has what is not executed; says which line."""


@dataclasses.dataclass
class Op:
    """One operation. fields: what its line says. line: index of the line."""
    kind: str
    fields: dict
    line: int
    body: list = dataclasses.field(default_factory=list)


PATTERNS = [
    ("subject", r'ioflor\.subject @(?P<name>\w+)(?P<rest>.*)\{$'),
    ("symbol", r'ioflor\.symbol "(?P<name>\w+)"(?P<rest>.*)$'),
    ("assume", r'ioflor\.assume "(?P<condition>[^"]*)"(?P<rest>.*)$'),
    ("buffer", r'ioflor\.buffer (?P<space>\w+) @(?P<name>\w+) : (?P<bytes>\d+) '
               r'bytes(?: words "(?P<words>[^"]*)")?(?: role \w+)?'
               r'(?P<scalar> scalar)?(?P<rest>.*)$'),
    ("stage", r'ioflor\.stage @(?P<name>\w+) threads "(?P<threads>[^"]*)"'
              r'(?P<rest>.*)\{$'),
    ("loop", r'ioflor\.loop (?P<kind>\w+) "(?P<var>\w+)" to "(?P<trips>[^"]*)"'
             r'(?P<rest>.*)\{$'),
    ("guard", r'ioflor\.guard "(?P<condition>[^"]*)"(?P<rest>.*)\{$'),
    ("load", r'%(?P<result>\w+) = ioflor\.load @(?P<buffer>\w+)\['
             r'"(?P<address>[^"]*)"\](?: width (?P<width>\d+))? '
             r'instr (?P<instr>\d+)(?P<rest>.*)$'),
    ("store", r'ioflor\.store %(?P<value>\w+) to @(?P<buffer>\w+)\['
              r'"(?P<address>[^"]*)"\](?: width (?P<width>\d+))? '
              r'instr (?P<instr>\d+)(?P<rest>.*)$'),
    ("compute", r'%(?P<result>\w+) = ioflor\.compute (?P<kind>\w+)'
                r'\((?P<operands>[^)]*)\)(?: "(?P<detail>[^"]*)")?'
                r'(?: \{(?P<attributes>.*)\})?$'),
    ("barrier", r'ioflor\.barrier$'),
]
PATTERNS = [(kind, re.compile(text)) for kind, text in PATTERNS]


def read(text):
    """The subject of a skeleton, as an Op."""
    subject, stack = None, []
    for number, line in enumerate(text.splitlines()):
        line = line.strip()
        if line in ("", "module {"):
            continue
        if line == "}":
            if stack:
                stack.pop()
            continue
        for kind, pattern in PATTERNS:
            if match := pattern.fullmatch(line):
                break
        else:
            raise SkeletonError(f"line {number + 1}: {line}")
        op = Op(kind, match.groupdict(), number)
        if kind == "subject":
            if subject:
                raise SkeletonError("more than one subject")
            subject = op
        else:
            stack[-1].body.append(op)
        if line.endswith("{"):
            stack.append(op)
    if not subject:
        raise SkeletonError("no subject")
    return subject


def walk(op):
    yield op
    for inner in op.body:
        yield from walk(inner)


# ---- Mutants ---------------------------------------------------------------


def _arguments(text, at):
    """Ends of the arguments of the call whose `(` is at `at`: [(begin, end)]."""
    depth, begin, found = 0, at + 1, []
    for index in range(at, len(text)):
        letter = text[index]
        depth += letter == "("
        depth -= letter == ")"
        if (letter == "," and depth == 1) or depth == 0:
            found.append((begin, index))
            begin = index + 1
            if depth == 0:
                return found, index + 1
    return found, len(text)


def _one_argument(text):
    """`text` with one call of min or max replaced by one of its arguments."""
    for match in re.finditer(r"\b(?:min|max)\(", text):
        arguments, end = _arguments(text, match.end() - 1)
        for a, b in arguments:
            yield f"{text[:match.start()]}({text[a:b].strip()}){text[end:]}"


def _uses(text, name):
    return re.finditer(rf"\b{name}\b", text)


def _substitute(text, name, value):
    """`text` of some lines with a variable replaced in their expressions."""
    return re.sub(r'"([^"]*)"', lambda quoted: '"' + re.sub(
        rf"\b{name}\b", value, quoted.group(1)) + '"', text)


def _extent(op):
    """The last line inside of `op`."""
    return max(one.line for one in walk(op))


class _Maker:
    def __init__(self, text):
        self.lines = text.splitlines()
        self.found, self.seen = [], {text}

    def change(self, operator, op, before, after, body=None):
        """One mutant: `before` for `after` in the line of `op`; `body`: (name,
        value) to substitute in the lines inside it."""
        lines = list(self.lines)
        if before not in lines[op.line]:
            return
        lines[op.line] = lines[op.line].replace(before, after, 1)
        if body:
            for number in range(op.line + 1, _extent(op) + 1):
                lines[number] = _substitute(lines[number], *body)
        text = "\n".join(lines) + "\n"
        if text in self.seen:
            return
        self.seen.add(text)
        note = f" with {body[1]} for {body[0]}" if body else ""
        self.found.append(Mutant(operator, op.line + 1, before, after + note, text))

    def loop(self, op):
        kind, var, trips = (op.fields[key] for key in ("kind", "var", "trips"))
        if kind == "thread":
            return
        quote = lambda text: f'"{var}" to "{text}"'
        make = lambda name, text, body=None: self.change(
            name, op, quote(trips), quote(text), body)
        for match in re.finditer(r"\bceildiv\(", trips):
            make("tail dropped", f"{trips[:match.start()]}floordiv("
                 f"{trips[match.end():]}")
        for text in _one_argument(trips):
            make("guard dropped", text)
        make("`<` for `<=`", f"{trips} + 1")
        make("window or bound by one", f"{trips} - 1")
        make("stride doubled", f"ceildiv({trips}, 2)", (var, f"(2*{var})"))
        make("start off by one", f"{trips} - 1", (var, f"({var} + 1)"))
        make("early exit", f"min({trips}, 1)")

    def guard(self, op):
        text = op.fields["condition"]
        make = lambda name, after: self.change(
            name, op, f'guard "{text}"', f'guard "{after}"')
        for match in re.finditer(r" (<=|<|>=|>) ", text):
            flipped = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[match.group(1)]
            make("`<` for `<=`", f"{text[:match.start()]} {flipped} "
                 f"{text[match.end():]}")
            for step, sign in ((1, "+"), (-1, "-")):
                make("window or bound by one", f"{text[:match.end()]}{step} + "
                     f"{text[match.end():]}")
        parts = re.split(r" (?:<=|<|>=|>) ", text)
        if len(parts) == 2 and not re.search(r"\b(?:and|or|not)\b", text):
            inverse = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
            make("mask inverted", re.sub(
                r" (<=|<|>=|>) ", lambda m: f" {inverse[m.group(1)]} ", text))
        make("guard dropped", "0 <= 0")

    def access(self, op, variables, buffers):
        address, buffer = op.fields["address"], op.fields["buffer"]
        space, scalar, size = buffers[buffer]
        if scalar:
            return
        for name in variables:
            for match in _uses(address, name):
                for value in ("0", f"({name} + 1)"):
                    self.change("wrong tile index", op, f'["{address}"]',
                                f'["{address[:match.start()]}{value}'
                                f'{address[match.end():]}"]')
        self.change("start off by one", op, f'["{address}"]', f'["{address} + 1"]')
        for other, kind in buffers.items():
            if other != buffer and kind == (space, scalar, size):
                self.change("K tile for V", op, f"@{buffer}[", f"@{other}[")


def mutants(text):
    """Every mutant of a skeleton, in order of operators and lines."""
    subject, maker = read(text), _Maker(text)
    slow = {op.fields["name"]: (op.fields["space"], False, op.fields["bytes"])
            for op in subject.body if op.kind == "buffer"}

    def visit(op, variables, buffers):
        if op.kind == "stage":
            buffers = {**slow, **{
                one.fields["name"]: (one.fields["space"],
                                     bool(one.fields["scalar"]),
                                     one.fields["bytes"])
                for one in op.body if one.kind == "buffer"}}
        if op.kind == "loop":
            maker.loop(op)
            variables = [*variables, op.fields["var"]]
        elif op.kind == "guard":
            maker.guard(op)
        elif op.kind in ("load", "store"):
            maker.access(op, variables, buffers)
        for inner in op.body:
            visit(inner, variables, buffers)

    visit(subject, [], slow)
    return sorted(maker.found, key=lambda m: m.operator)
