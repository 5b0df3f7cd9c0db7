# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translates skeletons to C++ that executes them on numbers and counts.

The threads of a CTA run in lock step: each operation is a loop over them. What
it means is written here from the dialect's definition, apart from ioflor's own
interpreter and its executions on provenance.
"""
import ast
import json
import math
import os
import re
import subprocess

from ioflor_harness.evaluate import evaluate
from ioflor_harness.spec import SpecError

from .execute import TIME_LIMIT, Run
from .skeleton import SkeletonError, read

HERE = os.path.dirname(os.path.abspath(__file__))


class Expression:
    """C++ text of the dialect's expressions. `lanes`: variables with a value a
    thread, which become `name[l]`."""

    def __init__(self, lanes):
        self.lanes = lanes

    def __call__(self, text):
        try:
            return self.emit(ast.parse(text.strip(), mode="eval").body)
        except SyntaxError as error:
            raise SkeletonError(f"expression '{text}'") from error

    def emit(self, node):
        binary = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
        compare = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
                   ast.Eq: "==", ast.NotEq: "!="}
        match node:
            case ast.Constant(value=int()):
                return f"I({int(node.value)})"
            case ast.Name():
                return f"{node.id}[l]" if node.id in self.lanes else node.id
            case ast.UnaryOp(op=ast.USub()):
                return f"(-{self.emit(node.operand)})"
            case ast.UnaryOp(op=ast.Not()):
                return f"(!{self.emit(node.operand)})"
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int(power))):
                return "(" + "*".join([self.emit(node.left)] * power) + ")"
            case ast.BinOp() if type(node.op) in binary:
                return (f"({self.emit(node.left)} {binary[type(node.op)]} "
                        f"{self.emit(node.right)})")
            case ast.BoolOp():
                sign = " && " if isinstance(node.op, ast.And) else " || "
                return "(" + sign.join(map(self.emit, node.values)) + ")"
            case ast.Compare() if all(type(op) in compare for op in node.ops):
                sides = [self.emit(node.left), *map(self.emit, node.comparators)]
                return "(" + " && ".join(
                    f"({a} {compare[type(op)]} {b})"
                    for a, op, b in zip(sides, node.ops, sides[1:])) + ")"
            case ast.Call(func=ast.Name(id=name)) if name in (
                    "min", "max", "floordiv", "ceildiv", "mod"):
                return f"{name}_({', '.join(map(self.emit, node.args))})"
        raise SkeletonError(f"expression '{ast.unparse(node)}'")


COMPUTE = {"add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}",
           "div": "{0} / {1}", "max": "std::fmax({0}, {1})",
           "min": "std::fmin({0}, {1})", "exp": "std::exp({0})",
           "convert": "{0}", "fma": "{0} * {1} + {2}", "neg": "-{0}"}


class Emitter:
    """One subject as a C++ function `run<number>`."""

    def __init__(self, subject, number, slow, symbols):
        self.out, self.number, self.subject = [], number, subject
        self.slow, self.symbols = slow, symbols
        self.fast, self.widths, self.lanes, self.depth = {}, {}, set(), 0
        self.vector = False

    def text(self):
        self.line(f"void run{self.number}(Machine &m) {{")
        for name in self.symbols:
            self.line(f"  [[maybe_unused]] const I {name} = m.symbol(\"{name}\");")
        for op in self.subject.body:
            self.emit(op)
        self.line("}")
        return "\n".join(self.out)

    def line(self, text):
        self.out.append(text)

    @property
    def expression(self):
        return Expression(self.lanes)

    def emit(self, op):
        if op.kind in ("symbol", "assume", "barrier"):
            return
        if op.kind == "buffer" and op.fields["space"] == "slow":
            return
        getattr(self, "emit_" + op.kind)(op)

    def emit_stage(self, op):
        self.fast = {one.fields["name"]: one for one in op.body
                     if one.kind == "buffer"}
        self.line("{ // stage")
        for one in op.body:
            if one.kind != "buffer":
                self.emit(one)
        self.line("}")

    def emit_loop(self, op):
        kind, var, trips = (op.fields[key] for key in ("kind", "var", "trips"))
        if kind == "thread" and not self.vector:
            self.threads(op)
            return
        if not self.vector:
            self.line(f"for (I {var} = 0, e = {self.expression(trips)}; {var} < e; "
                      f"++{var}) {{")
            inner = [one for one in op.body if one.kind not in ("symbol",)]
            if kind in ("grid", "host") and all(
                    one.kind == "loop" and one.fields["kind"] != "thread"
                    or one.kind == "stage" for one in inner):
                for one in inner:
                    self.emit(one)
            elif any(one.kind == "loop" and one.fields["kind"] == "thread"
                     for one in inner) and len(inner) == 1:
                self.emit(inner[0])
            else:
                self.cta([], inner)
            self.line("}")
            return
        self.line(f"{{ std::vector<I> trips(L); I most = 0; for (I l = 0; l < L; "
                  f"++l) if (mask[l]) most = std::max(most, trips[l] = "
                  f"{self.expression(trips)});")
        self.line(f"const Mask outer = mask; for (I {var} = 0; {var} < most; "
                  f"++{var}) {{ m.step(); Mask mask(L); for (I l = 0; l < L; ++l) "
                  f"mask[l] = outer[l] && {var} < trips[l];")
        for one in op.body:
            self.emit(one)
        self.line("} }")

    def threads(self, op):
        """The nest of thread loops that starts here: a CTA."""
        nest = [op]
        while (len(nest[-1].body) == 1 and nest[-1].body[0].kind == "loop"
               and nest[-1].body[0].fields["kind"] == "thread"):
            nest.append(nest[-1].body[0])
        self.cta(nest, nest[-1].body)

    def cta(self, nest, body):
        trips = [self.expression(one.fields["trips"]) for one in nest]
        self.line("{ m.beginCta(); const I L = " + (" * ".join(trips) or "1") + ";")
        self.line("Mask mask(L, 1);")
        names = [one.fields["var"] for one in nest]
        for name in names:
            self.line(f"[[maybe_unused]] std::vector<I> {name}(L);")
        if names:
            self.line("for (I l = 0; l < L; ++l) { I rest = l;")
            for name, count in reversed(list(zip(names, trips))):
                self.line(f"{name}[l] = rest % ({count}); rest /= ({count});")
            self.line("}")
        for name, one in self.fast.items():
            words = self.expression(one.fields["words"] or "1")
            copies = "L" if one.fields["space"] == "private" else "1"
            self.line(f"Fast f_{name}({words}, {copies});")
        self.lanes, self.vector = set(names), True
        for one in body:
            self.emit(one)
        self.lanes, self.vector = set(), False
        self.line("}")

    def emit_guard(self, op):
        if not self.vector:
            raise SkeletonError("a guard outside of the threads")
        self.line(f"{{ const Mask outer = mask; Mask mask(L); for (I l = 0; l < L; "
                  f"++l) mask[l] = outer[l] && "
                  f"{self.expression(op.fields['condition'])};")
        for one in op.body:
            self.emit(one)
        self.line("}")

    def _plain(self, op):
        rest = (op.fields.get("rest") or "").strip()
        if "atomic" in rest:
            raise SkeletonError(f"line {op.line + 1}: atomic")

    def emit_load(self, op):
        self._plain(op)
        name, width = op.fields["buffer"], int(op.fields["width"] or 1)
        result = "v" + op.fields["result"]
        self.widths[result] = width
        address = self.expression(op.fields["address"])
        self.line(f"std::vector<double> {result}(L * {width}, NaN);")
        if name in self.fast:
            lane = "l" if self.fast[name].fields["space"] == "private" else "0"
            self.line(f"for (I l = 0; l < L; ++l) if (mask[l]) for (I w = 0; w < "
                      f"{width}; ++w) {result}[l * {width} + w] = f_{name}.get(m, "
                      f"{address} + w, {lane});")
        else:
            index = self.slow.index(name)
            self.line(f"{{ m.begin({index}, false); for (I l = 0; l < L; ++l) if "
                      f"(mask[l]) for (I w = 0; w < {width}; ++w) {result}[l * "
                      f"{width} + w] = m.get({address} + w); m.end(); }}")

    def emit_store(self, op):
        self._plain(op)
        name, width = op.fields["buffer"], int(op.fields["width"] or 1)
        value = "v" + op.fields["value"]
        mine = self.widths[value]
        if mine not in (1, width):
            raise SkeletonError(f"line {op.line + 1}: {mine} words to {width}")
        source = f"{value}[l * {mine}" + (" + w]" if mine > 1 else "]")
        address = self.expression(op.fields["address"])
        if name in self.fast:
            lane = "l" if self.fast[name].fields["space"] == "private" else "0"
            self.line(f"for (I l = 0; l < L; ++l) if (mask[l]) for (I w = 0; w < "
                      f"{width}; ++w) f_{name}.put(m, {address} + w, {lane}, "
                      f"{source});")
        else:
            index = self.slow.index(name)
            self.line(f"{{ m.begin({index}, true); for (I l = 0; l < L; ++l) if "
                      f"(mask[l]) for (I w = 0; w < {width}; ++w) m.put({address} "
                      f"+ w, {source}); m.end(); }}")

    def emit_compute(self, op):
        result, kind = "v" + op.fields["result"], op.fields["kind"]
        detail = op.fields["detail"] or ""
        operands = ["v" + one.strip().lstrip("%") for one in
                    op.fields["operands"].split(",") if one.strip()]
        if kind == "shuffle":
            self.shuffle(op, result, operands)
            return
        if kind == "constant":
            text = {"-Inf": "-INFINITY", "Inf": "INFINITY", "memset": "0.0"}.get(
                detail) or (detail if re.fullmatch(r"-?[\d.]+(E[+-]?\d+)?", detail)
                            else f"double({detail})" if detail in self.symbols
                            else "m.scale()")
        elif "rsqrt" in detail:
            text = "1 / std::sqrt({0})"
        elif kind in COMPUTE and "extract" not in detail:
            text = COMPUTE[kind]
        else:
            raise SkeletonError(f"line {op.line + 1}: {kind} {detail}")
        widths = {self.widths[one] for one in operands} or {1}
        if len(widths) != 1:
            raise SkeletonError(f"line {op.line + 1}: operands of other widths")
        width = widths.pop()
        self.widths[result] = width
        text = text.format(*(f"{one}[l]" for one in operands))
        self.line(f"std::vector<double> {result}(L * {width}); for (I l = 0; l < L * "
                  f"{width}; ++l) {result}[l] = {text};")

    def shuffle(self, op, result, operands):
        attributes = op.fields["attributes"] or ""
        lane = re.search(r'lane = #ioflor\.expr<"([^"]*)">', attributes)
        mode = re.search(r'lane_mode = "(\w+)"', attributes)
        if not lane or not mode or mode.group(1) != "xor":
            raise SkeletonError(f"line {op.line + 1}: shuffle")
        self.widths[result] = 1
        self.line(f"std::vector<double> {result}(L); for (I l = 0; l < L; ++l) {{ "
                  f"I other = l ^ ({self.expression(lane.group(1))}); {result}[l] = "
                  f"other < L && mask[other] ? {operands[0]}[other] : NaN; }}")


def source_of(texts, spec):
    """C++ of a program that runs any of the skeletons `texts`."""
    first = read(texts[0])
    slow = [op.fields["name"] for op in first.body if op.kind == "buffer"]
    symbols = [op.fields["name"] for op in first.body if op.kind == "symbol"]
    functions = [Emitter(read(text), number, slow, symbols).text()
                 for number, text in enumerate(texts)]
    names = ", ".join(f'"{spec.aliases.get(name, name)}"' for name in slow)
    return ('#include "skeleton_machine.h"\n' + "\n".join(functions) +
            f"\nvoid (*const runs[])(Machine &) = {{"
            + ", ".join(f"run{n}" for n in range(len(texts))) + "};\n"
            f"const std::vector<std::string> slowNames = {{{names}}};\n"
            "int main(int n, char **a) { return skeletonMain(n, a, slowNames, runs); }\n")


class SkeletonProgram:
    """Original and mutants of one skeleton, compiled into one program; as
    execute.Program."""

    def __init__(self, spec, texts, folder, clang, seed, constants):
        self.spec, self.seed, self.constants = spec, seed, constants
        self.path = os.path.join(folder, "skeletons")
        # What the subject allocates itself, as the skeleton says it.
        self.allocated = {
            spec.aliases.get(op.fields["name"], op.fields["name"]):
                op.fields["words"]
            for op in read(texts[0]).body
            if op.kind == "buffer" and op.fields["words"]}
        try:
            source = source_of(texts, spec)
        except KeyError as error:
            raise SkeletonError(f"no value {error}") from error
        with open(self.path + ".cpp", "w") as handle:
            handle.write(source)
        done = subprocess.run(
            [clang, "-x", "c++", "-std=c++17", "-O1", "-w", "-I" + HERE,
             self.path + ".cpp", "-lstdc++", "-lm", "-o", self.path],
            capture_output=True, text=True)
        if done.returncode:
            raise SpecError("compiling a skeleton:\n" + done.stderr[:2000])

    def _value(self, text, sizes):
        text = str(text).replace("std::", "").replace("(double)", "")
        return evaluate(text, {**self.constants, **sizes, "sqrt": math.sqrt})

    def _arguments(self, sizes):
        given = [f"{name}={value}" for name, value in sizes.items()]
        for name, text in self.spec.symbols.items():
            given.append(f"{name}={self._value(text, sizes)}")
        for name, buffer in self.spec.buffers.items():
            given.append(f"words:{name}={self._value(buffer.words, sizes)}")
        for name, text in self.allocated.items():
            if name not in self.spec.buffers:
                given.append(f"words:{name}={self._value(text, sizes)}")
        for name, text in (self.spec.check or {}).items():
            given.append(f"check:{name}=" + (text if name == "mask" else
                                            str(self._value(text, sizes))))
        return given

    def run(self, mutant, sizes):
        runs = []
        for size in sizes:
            try:
                done = subprocess.run(
                    [self.path, str(mutant), str(self.seed), *self._arguments(size)],
                    capture_output=True, text=True, timeout=TIME_LIMIT)
            except subprocess.TimeoutExpired:
                runs.append(Run(size, None, "does not end"))
                continue
            if done.returncode:
                runs.append(Run(size, None, done.stderr.strip()[-200:]
                                or f"status {done.returncode}"))
                continue
            result = json.loads(done.stdout)
            result["symbols"] = dict(size)
            runs.append(Run(size, result))
        return runs
