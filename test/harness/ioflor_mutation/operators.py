# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation operators on source text, which find their sites in the syntax tree.

Each operator takes a node and yields edits. A template is looked at in each of
its instantiations, where types are known; equal edits count once.
"""
import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Edit:
    """Text `after` in place of [begin, end)."""
    operator: str
    begin: int
    end: int
    after: str


@dataclasses.dataclass(frozen=True)
class Mutant:
    """`text` is the whole source with one edit."""
    operator: str
    line: int
    before: str
    after: str
    text: str

    def __str__(self):
        squeeze = lambda text: re.sub(r"\s+", " ", text).strip()
        return (f"{self.operator}, line {self.line}: "
                f"'{squeeze(self.before)}' to '{squeeze(self.after)}'")


def _replace(operator, node, after):
    return Edit(operator, node.begin, node.end, after)


def _comparison(node):
    """An integer comparison by order, with both sides in the file."""
    if node.kind != "BinaryOperator" or not node.known or len(node.children) != 2:
        return False
    left, right = node.children
    return (node.data.get("opcode") in ("<", "<=", ">", ">=") and left.known
            and right.known and left.integer and right.integer)


def _opcode_span(node, source, text):
    """Where the operator of a binary node stands."""
    left, right = node.children
    at = source.find(text, left.end, right.begin)
    return (at, at + len(text)) if at >= 0 else None


def relation(node, source):
    """`<` for `<=` and back."""
    if not _comparison(node):
        return
    code = node.data["opcode"]
    span = _opcode_span(node, source, code)
    if span:
        flipped = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[code]
        yield Edit("`<` for `<=`", *span, flipped)


def bound(node, source):
    """The bound off by one to the side that `relation` does not reach."""
    if _comparison(node):
        right = node.children[1]
        step = "- 1" if node.data["opcode"] in ("<", ">=") else "+ 1"
        yield _replace("window or bound by one", right, f"({right.text}) {step}")


def tail(node, source):
    """Tiles that do not fit are left out."""
    if (node.kind == "BinaryOperator" and node.data.get("opcode") == "/"
            and node.known and node.integer):
        sum_ = node.children[0].bare()
        if sum_.kind == "BinaryOperator" and sum_.data.get("opcode") == "-":
            first = sum_.children[0].bare()
            if (first.kind == "BinaryOperator"
                    and first.data.get("opcode") == "+"
                    and first.children[0].known and node.children[1].known):
                yield _replace("tail dropped", node,
                               f"({first.children[0].text}) / "
                               f"{node.children[1].text}")
        elif (sum_.kind == "BinaryOperator" and sum_.data.get("opcode") == "+"
              and sum_.children[0].known and node.children[1].known):
            yield _replace("tail dropped", node, f"({sum_.children[0].text}) / "
                           f"{node.children[1].text}")
    if node.kind == "ForStmt" and len(node.children) == 5:
        condition, step = node.children[2].bare(), node.children[3].bare()
        if (_comparison(condition) and condition.data["opcode"] == "<"
                and step.kind == "CompoundAssignOperator"
                and step.data.get("opcode") == "+=" and step.children[1].known):
            left, right = condition.children
            yield _replace("tail dropped", condition,
                           f"{left.text} + {step.children[1].text} <= "
                           f"{right.text}")


def stride(node, source):
    """Every second iteration is left out."""
    if node.kind != "ForStmt" or len(node.children) != 5:
        return
    step = node.children[3].bare()
    if not step.known:
        return
    if step.kind == "CompoundAssignOperator" and step.children[1].known:
        amount = step.children[1]
        yield _replace("stride doubled", amount, f"2 * ({amount.text})")
    if step.kind == "UnaryOperator" and step.data.get("opcode") == "++":
        yield _replace("stride doubled", step, f"{step.children[0].text} += 2")


def start(node, source):
    """A loop or an index that starts one later."""
    if node.kind == "VarDecl" and node.integer and node.children:
        first = node.children[-1]
        if (first.known and first.kind != "InitListExpr" and node.function
                and not node.data.get("constexpr")):
            yield _replace("start off by one", first, f"({first.text}) + 1")


def _pointer_rank(type_):
    """(element type, dimensions) of a pointer or an array; None of others."""
    match = re.match(r"^(?:const )?([\w: ]+?) ?(\*|\(\*\)|(?:\[\d+\])+)"
                     r"((?:\[\d+\])*)(?: ?(?:const|__restrict))*$", type_)
    if not match:
        return None
    element, form, more = match.groups()
    return element, (0 if form.startswith("*") else
                     form.count("[") + form.count("(") + more.count("["))


def _subscript_index(node):
    """The subscript that `node` is part of the index of, if any."""
    child, parent = node, node.parent
    while parent is not None:
        if (parent.kind == "ArraySubscriptExpr"
                and child is parent.children[-1]):
            return parent
        if parent.kind.endswith("Stmt") or parent.kind == "LambdaExpr":
            return None
        child, parent = parent, parent.parent
    return None


def tile(node, source):
    """A wrong index of an access: a variable one too large, or left at 0."""
    if node.kind != "DeclRefExpr" or not node.known or not node.integer:
        return
    if (node.data.get("referencedDecl", {}).get("kind") not in
            ("VarDecl", "ParmVarDecl") or not _subscript_index(node)):
        return
    yield _replace("wrong tile index", node, f"({node.text} + 1)")
    yield _replace("wrong tile index", node, "0")


def _pointers(function):
    """{name: (element, dimensions)} of the arrays that a function can name."""
    return {one.data["name"]: _pointer_rank(one.type)
            for one in function.walk()
            if one.kind in ("ParmVarDecl", "VarDecl") and one.data.get("name")
            and _pointer_rank(one.type)}


def operand(node, source):
    """Another array of the same type: K's tile for V's, and so on."""
    if node.kind != "DeclRefExpr" or not node.known or not node.function:
        return
    declared = node.data.get("referencedDecl", {})
    mine = _pointer_rank(node.type)
    if declared.get("kind") not in ("VarDecl", "ParmVarDecl") or not mine:
        return
    parent = node.parent
    while parent is not None and parent.kind in ("ImplicitCastExpr", "ParenExpr"):
        parent = parent.parent
    if parent is None or parent.kind not in ("ArraySubscriptExpr",
                                             "BinaryOperator", "CallExpr",
                                             "VarDecl"):
        return
    for name, other in _pointers(node.function).items():
        if name != node.text and other == mine:
            yield _replace("K tile for V", node, name)


def head(node, source):
    """Quotient for remainder: another head, lane or row."""
    if (node.kind == "BinaryOperator" and node.data.get("opcode") in ("/", "%")
            and node.known and node.integer
            and all(child.known for child in node.children)):
        code = node.data["opcode"]
        span = _opcode_span(node, source, code)
        if span:
            yield Edit("wrong head mapping", *span, "%" if code == "/" else "/")


def condition(node, source):
    """Masks and guards: inverted, dropped, or one branch for both."""
    if node.kind == "IfStmt":
        test = node.children[0]
        if test.known and not node.data.get("hasInit"):
            yield _replace("mask inverted", test, f"!({test.text})")
            yield _replace("guard dropped", test, "true")
    if node.kind == "ConditionalOperator" and all(
            child.known for child in node.children):
        test, yes, no = node.children
        if not any("float" in child.type and child.bare().kind == "DeclRefExpr"
                   for child in test.walk()):
            yield _replace("mask inverted", test, f"!({test.text})")
            yield _replace("guard dropped", node, yes.text)
            yield _replace("guard dropped", node, no.text)
    if node.kind == "CallExpr" and len(node.children) == 3 and node.known:
        callee = node.children[0].bare()
        if callee.text in ("min", "max") and node.integer:
            for child in node.children[1:]:
                yield _replace("guard dropped", node, f"({child.text})")


def early_exit(node, source):
    """A loop that runs once."""
    if node.kind not in ("ForStmt", "WhileStmt") or not node.known:
        return
    body = node.children[-1]
    if not body.known:
        return
    if body.kind == "CompoundStmt":
        yield Edit("early exit", body.end - 1, body.end, "  break;\n  }")
        return
    end = body.end
    rest = re.match(r"\s*;", source[end:])
    if rest and source[end - 1] not in "};":
        end += rest.end()
    yield Edit("early exit", body.begin, end,
               f"{{ {source[body.begin:end]} break; }}")


OPERATORS = [relation, bound, tail, stride, start, tile, operand, head, condition,
             early_exit]


def _index_names(source):
    """Block and thread indices, by tokens: in the tree they are calls."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: " " * len(m.group()), source,
                  flags=re.S)
    for match in re.finditer(r"\b(blockIdx|threadIdx)\.([xyz])\b", code):
        name, axis = match.groups()
        edits = [f"({match.group()} + 1)"]
        if name == "blockIdx":
            edits += ["0", f"{name}.{'y' if axis == 'x' else 'x'}"]
        for after in edits:
            yield Edit("wrong head mapping", *match.span(), after)


def mutants(source, nodes):
    """Every mutant of `source`, in order of operators and places."""
    edits = set(_index_names(source))
    for top in nodes:
        for node in top.walk():
            for operator in OPERATORS:
                edits.update(operator(node, source))
    result, seen = [], {source}
    for edit in sorted(edits, key=lambda e: (e.operator, e.begin, e.end, e.after)):
        text = source[:edit.begin] + edit.after + source[edit.end:]
        if text in seen:
            continue
        seen.add(text)
        result.append(Mutant(edit.operator, source.count("\n", 0, edit.begin) + 1,
                             source[edit.begin:edit.end], edit.after, text))
    return result
