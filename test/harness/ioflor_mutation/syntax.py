# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clang's syntax tree of one source file, with the text of each node."""
import dataclasses
import json
import os
import re
import subprocess
import tempfile

from ioflor_harness import build

NAMESPACE = "ioflor_mutation_subject"
INTEGERS = re.compile(
    r"^(const )?(unsigned |signed )?(char|short|int|long|long long|bool|"
    r"unsigned|size_t|std::size_t|u?int(8|16|32|64)_t)( int)?( &)?$")


class SyntaxTreeError(Exception):
    """A file that Clang does not parse; the message is Clang's."""


@dataclasses.dataclass(eq=False)
class Node:
    """One node; `begin` and `end` are offsets in the file, or None in macros.

    function: the function around it. children: without the empty ones.
    """
    kind: str
    data: dict
    begin: int
    end: int
    text: str
    parent: "Node" = None
    function: "Node" = None
    children: list = dataclasses.field(default_factory=list)

    @property
    def known(self):
        return self.begin is not None

    @property
    def type(self):
        given = self.data.get("type", {})
        return given.get("desugaredQualType", given.get("qualType", ""))

    @property
    def integer(self):
        return bool(INTEGERS.match(self.type))

    def bare(self):
        """The node under parentheses, casts and substituted parameters."""
        node = self
        while node.kind in ("ParenExpr", "ImplicitCastExpr", "ConstantExpr",
                            "SubstNonTypeTemplateParmExpr",
                            "ExprWithCleanups") and node.children:
            node = node.children[-1]
        return node

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


def constants(file):
    """Integer constants of a source file, which sizes may be written in."""
    with open(os.path.join(build.ROOT, file)) as handle:
        text = handle.read()
    found = {}
    for name, value in re.findall(r"\b(\w+) = (\d+)\b", text):
        found.setdefault(name, int(value))
    return found


def split_includes(source):
    """(`#include` lines with angle brackets, source with them blanked)."""
    pattern = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<[^>]*>", re.M)
    includes = [match.group().strip() for match in pattern.finditer(source)]
    return includes, pattern.sub(lambda m: " " * len(m.group()), source)


def _span(data, source):
    """Offsets of a node's text in the file; None for what macros made."""
    begin, end = data.get("range", {}).get("begin"), data.get("range", {}).get("end")
    if not begin or not end or "offset" not in begin or "offset" not in end:
        return None, None
    first, last = begin["offset"], end["offset"] + end["tokLen"]
    return (first, last) if 0 <= first <= last <= len(source) else (None, None)


def _build(data, source, parent, function):
    begin, end = _span(data, source)
    node = Node(data.get("kind", ""), data, begin, end,
                source[begin:end] if begin is not None else "", parent, function)
    if node.kind in ("FunctionDecl", "CXXMethodDecl"):
        function = node
    for child in data.get("inner", []):
        if child.get("kind"):
            node.children.append(_build(child, source, node, function))
        else:
            # A missing part of a `for`: kept, so that parts keep their places.
            node.children.append(Node("", {}, None, None, "", node, function))
    return node


def parse(source, clang, flags, folder):
    """The nodes at the top of `source`. The file's own declarations are put in a
    namespace, so that Clang prints these and not what headers declare."""
    includes, body = split_includes(source)
    if not body.isascii():
        raise SyntaxTreeError("offsets are bytes: the file must be ASCII")
    with tempfile.TemporaryDirectory() as scratch:
        inner = os.path.join(scratch, "subject.inc")
        outer = os.path.join(scratch, "outer.cu")
        with open(inner, "w") as handle:
            handle.write(body)
        with open(outer, "w") as handle:
            handle.write("\n".join(includes) + f"\nnamespace {NAMESPACE} {{\n"
                         f"#include \"{inner}\"\n}}\n")
        result = subprocess.run(
            [clang, *flags, "-w", "-fsyntax-only", "-I" + folder, "-Xclang",
             "-ast-dump=json", "-Xclang", f"-ast-dump-filter={NAMESPACE}", outer],
            capture_output=True, text=True)
    if result.returncode:
        raise SyntaxTreeError(result.stderr[-2000:])
    decoder, text, nodes = json.JSONDecoder(), result.stdout, []
    at = text.find("{")
    while at >= 0:
        data, end = decoder.raw_decode(text, at)
        nodes.append(_build(data, source, None, None))
        at = text.find("{", end)
    return nodes
