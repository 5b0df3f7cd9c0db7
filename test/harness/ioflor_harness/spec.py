# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is run: a file, a call, its buffers and the sizes to run it at."""
import dataclasses
import json
import re

ELEMENTS = {
    "f32": "F32", "f64": "F64", "f16": "F16", "bf16": "BF16",
    "i32": "I32", "i64": "I64", "u8": "U8",
}
FILLS = {"random": "Random", "zero": "Zero", "nan": "NaN", "iota": "Iota",
         "lowest": "Lowest"}


class SpecError(Exception):
    """A specification that cannot be run; the message says what to change."""


@dataclasses.dataclass
class Buffer:
    """`words` is a C++ expression over the symbols; `element` a key of ELEMENTS."""
    words: str
    element: str = "f32"
    fill: str = "random"

    def __post_init__(self):
        if self.element not in ELEMENTS:
            raise SpecError(f"unknown element type '{self.element}'")
        if self.fill not in FILLS:
            raise SpecError(f"unknown fill '{self.fill}'")


@dataclasses.dataclass
class Spec:
    """One subject.

    call: a C++ statement over symbols and buffers that launches the kernels.
    allocations: names of what the subject itself allocates, in order.
    sizes: values of the symbols, one dictionary a run.
    check: members of ioflor::harness::Attention (C++ expressions), or None.
    symbols: for certificates, {symbol of the certificate: Python expression
    over this specification's symbols}; a symbol of the same name needs none.
    aliases: for certificates, {buffer of the certificate: buffer here}.
    subject: for certificates, the name of the subject; None takes the only one.
    expected: closed forms by hand, {buffer: {"loads" or "stores": [issued,
    traffic, compulsory]}} as Python expressions over the symbols.
    """
    file: str
    call: str
    buffers: dict
    sizes: list
    allocations: list = dataclasses.field(default_factory=list)
    check: dict = None
    tolerance: float = 1e-3
    flags: list = dataclasses.field(default_factory=list)
    language: str = "cuda"
    symbols: dict = dataclasses.field(default_factory=dict)
    aliases: dict = dataclasses.field(default_factory=dict)
    subject: str = None
    expected: dict = dataclasses.field(default_factory=dict)
    verdict: str = None
    name: str = None

    def __post_init__(self):
        if not self.sizes:
            raise SpecError("no sizes to run at")
        names = set(self.sizes[0])
        for size in self.sizes:
            if set(size) != names:
                raise SpecError("every size must give the same symbols")
        for name in list(names) + list(self.buffers):
            if not re.fullmatch(r"[A-Za-z_]\w*", name):
                raise SpecError(f"'{name}' is not an identifier")

    @staticmethod
    def from_dict(entry):
        entry = dict(entry)
        entry["buffers"] = {
            name: Buffer(**value) if isinstance(value, dict) else Buffer(value)
            for name, value in entry["buffers"].items()}
        unknown = set(entry) - {f.name for f in dataclasses.fields(Spec)}
        if unknown:
            raise SpecError(f"unknown member '{sorted(unknown)[0]}'")
        return Spec(**entry)


def load(path):
    """The specifications of a JSON file: an array of objects."""
    with open(path) as handle:
        return [Spec.from_dict(entry) for entry in json.load(handle)]


def driver_source(spec, file):
    """C++ that includes the subject, registers its buffers and calls it."""
    symbols = "\n".join(
        f'  [[maybe_unused]] const int64_t {name} = session.symbol("{name}");'
        for name in spec.sizes[0])
    pointers = "\n".join(
        f'  [[maybe_unused]] const AnyPointer {name} = session.pointer("{name}");'
        for name in spec.buffers)
    define = [
        f'  session.buffer("{name}", Element::{ELEMENTS[b.element]}, {b.words}, '
        f'Fill::{FILLS[b.fill]});' for name, b in spec.buffers.items()]
    for item in spec.allocations:
        name, _, element = item.partition(":")
        define.append(f'  session.nameAllocation("{name}", '
                      f'Element::{ELEMENTS[element or "f32"]});')
    check = []
    if spec.check is not None:
        check.append("  Attention attention;")
        for member, value in spec.check.items():
            if member in ("q", "k", "v", "o", "mask"):
                value = json.dumps(value)
            elif isinstance(value, bool):
                value = str(value).lower()
            check.append(f"  attention.{member} = {value};")
        check.append("  session.checkAttention(attention);")
    newline = "\n"
    return f'''#define main ioflor_subject_main
#include "{file}"
#undef main
#include "test/harness/runtime/Session.h"
#include <cmath>
using namespace ioflor::harness;
void ioflorDefine(Session &session) {{
{symbols}
{newline.join(define)}
}}
void ioflorCall(Session &session) {{
{symbols}
{pointers}
  {spec.call};
}}
void ioflorCheck([[maybe_unused]] Session &session) {{
{symbols}
{newline.join(check)}
}}
'''
