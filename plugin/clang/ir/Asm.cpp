//===- Asm.cpp - What inline PTX moves -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Asm.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace ioflor::ir;

namespace {
struct Predicate {
  unsigned argument;
  bool negated;
};

class AsmReader {
public:
  explicit AsmReader(const CallBase &call) : call(call) {
    auto *as = cast<InlineAsm>(call.getCalledOperand());
    text = as->getAsmString();
    for (const InlineAsm::ConstraintInfo &c : as->ParseConstraints()) {
      if (c.Type == InlineAsm::isClobber)
        continue;
      bool result = c.Type == InlineAsm::isOutput && !c.isIndirect;
      arguments.push_back(result ? -1 : static_cast<int>(nextArgument++));
    }
  }
  SmallVector<AsmEffect, 2> run();

private:
  void statement(StringRef s);
  std::optional<unsigned> operand(StringRef s) const;
  std::optional<int64_t> constant(StringRef s) const;
  void setAccess(AsmEffect &e, ArrayRef<StringRef> parts);
  void setFactors(AsmEffect &e, StringRef operands) const;
  bool unpack(StringRef name, StringRef operands);
  void setParts(AsmEffect &e, StringRef operands) const;

  const CallBase &call;
  std::string text;
  SmallVector<int, 8> arguments; ///< operand number -> argument, -1: result
  unsigned nextArgument = 0;
  StringMap<Predicate> predicates;
  /// Registers of the string that hold a part of an argument.
  StringMap<AsmPart> parts;
  SmallVector<AsmEffect, 2> effects;
};
} // namespace

/// `$3` or `${3:x}`, possibly in brackets and with `+0` behind.
std::optional<unsigned> AsmReader::operand(StringRef s) const {
  s = s.trim(" \t[]{}");
  if (!s.consume_front("$"))
    return std::nullopt;
  s.consume_front("{");
  unsigned number;
  if (s.consumeInteger(10, number) || number >= arguments.size() ||
      arguments[number] < 0)
    return std::nullopt;
  // `[$1+16]`: offsets inside of the string are not followed.
  if (s.contains('+') && s.split('+').second.trim(" ]}") != "0")
    return std::nullopt;
  return static_cast<unsigned>(arguments[number]);
}

std::optional<int64_t> AsmReader::constant(StringRef s) const {
  s = s.trim(" \t");
  int64_t value;
  if (!s.getAsInteger(0, value))
    return value;
  if (auto number = operand(s))
    if (auto *c = dyn_cast<ConstantInt>(call.getArgOperand(*number)))
      return c->getSExtValue();
  return std::nullopt;
}

/// Bytes of a type suffix: b16 2, f32 4, u64 8, v4.f32 16.
void AsmReader::setAccess(AsmEffect &e, ArrayRef<StringRef> parts) {
  int64_t lanes = 1;
  for (StringRef p : parts) {
    if (p == "v2")
      lanes = 2;
    else if (p == "v4")
      lanes = 4;
    else if (p == "v8")
      lanes = 8;
    unsigned bits;
    p.consume_front("b"); // bf16
    p.consume_back("x2");
    if (p.size() >= 1 && !p.ltrim("fus").getAsInteger(10, bits) && bits >= 8 &&
        bits <= 128)
      e.scalarBytes = bits / 8;
  }
  e.bytes = lanes * e.scalarBytes;
}

/// `{d..}, {a..}, {b..}, {c..}`: the registers of a and b.
void AsmReader::setFactors(AsmEffect &e, StringRef operands) const {
  SmallVector<SmallVector<unsigned, 8>, 4> fragments(1);
  bool braces = false, complete = true;
  while (!operands.empty()) {
    size_t end = operands.find_first_of("{},");
    StringRef word = operands.substr(0, end).trim();
    if (!word.empty()) {
      if (auto argument = operand(word))
        fragments.back().push_back(*argument);
      else
        // Results, also as accumulators, are no arguments.
        complete &= fragments.size() == 1 || fragments.size() > 3;
    }
    if (end == StringRef::npos)
      break;
    // `${0:x}` is one word.
    if (operands[end] == '{' && word == "$") {
      size_t close = operands.find('}', end);
      auto argument = operand(operands.slice(end - 1, close));
      if (argument)
        fragments.back().push_back(*argument);
      operands = close == StringRef::npos ? "" : operands.substr(close + 1);
      continue;
    }
    braces = operands[end] == '{' || (braces && operands[end] != '}');
    if (operands[end] == ',' && !braces)
      fragments.emplace_back();
    operands = operands.substr(end + 1);
  }
  if (!complete || fragments.size() < 3 || fragments[1].empty() ||
      fragments[2].empty())
    return;
  e.left = fragments[1];
  e.right = fragments[2];
}

/// `mov.b32 {low, high}, $1`: low and high are halves of the argument.
bool AsmReader::unpack(StringRef name, StringRef operands) {
  unsigned bits;
  if (!name.consume_front("mov.b") || name.getAsInteger(10, bits) ||
      bits % 8 != 0)
    return false;
  auto [names, from] = operands.split('}');
  auto argument = operand(from.trim(" \t,"));
  names = names.trim();
  if (!argument || !names.consume_front("{"))
    return false;
  SmallVector<StringRef, 4> registers;
  names.split(registers, ',');
  unsigned bytes = bits / 8 / registers.size();
  for (auto [i, r] : enumerate(registers))
    parts[r.trim()] = {*argument, unsigned(i) * bytes, bytes};
  return true;
}

void AsmReader::setParts(AsmEffect &e, StringRef operands) const {
  while (!operands.empty()) {
    operands = operands.ltrim(" \t,{}[]");
    size_t end = operands.find_first_of(" \t,{}[]");
    if (auto it = parts.find(operands.substr(0, end)); it != parts.end())
      e.parts.push_back(it->second);
    operands = end == StringRef::npos ? "" : operands.substr(end);
  }
}

void AsmReader::statement(StringRef s) {
  s = s.trim(" \t\r\n");
  // Braces around the whole string, but not those of a register list.
  while (s.starts_with("{") && !s.contains('}'))
    s = s.drop_front().ltrim();
  while (s.ends_with("}") && !s.contains('{'))
    s = s.drop_back().rtrim();
  if (s.starts_with("{") && s.ends_with("}"))
    s = s.trim(" \t{}");
  if (s.empty() || s.starts_with("//") || s.starts_with(".reg") ||
      s.ends_with(":"))
    return;
  AsmEffect e;
  std::string predicate; // one that was not read
  if (s.consume_front("@")) {
    bool negated = s.consume_front("!");
    auto [name, rest] = s.split(' ');
    s = rest.ltrim();
    auto it = predicates.find(name.trim());
    if (it == predicates.end()) {
      predicate = ("@" + name).str();
    } else {
      e.predicate = it->second.argument;
      e.predicateNegated = it->second.negated != negated;
    }
  }
  size_t space = s.find_first_of(" \t");
  StringRef name = s.substr(0, space), rest = space == StringRef::npos
                                                  ? StringRef()
                                                  : s.substr(space).trim();
  e.mnemonic = name.str();
  SmallVector<StringRef, 8> fields, operands;
  name.split(fields, '.', -1, /*KeepEmpty=*/false);
  rest.split(operands, ',');
  if (fields.empty())
    return;
  StringRef head = fields[0];
  if (unpack(name, rest))
    return;
  // Memory operands are the ones in brackets.
  SmallVector<unsigned, 2> memory;
  for (unsigned i = 0; i < operands.size(); ++i)
    if (operands[i].contains('['))
      memory.push_back(i);

  if (head == "setp") {
    bool ne = is_contained(fields, "ne"), equal = is_contained(fields, "eq");
    if ((ne || equal) && operands.size() == 3 && operands[2].trim() == "0")
      if (auto number = operand(operands[1]))
        predicates[operands[0].trim()] = {*number, equal};
    return;
  }
  if (name.starts_with("cp.async.bulk") || name.starts_with("cp.reduce")) {
    bool waits = name.contains("commit_group") || name.contains("wait_group");
    e.kind = waits ? AsmEffect::Compute : AsmEffect::Unknown;
  } else if (name.starts_with("cp.async")) {
    if (memory.size() == 2 && operands.size() >= 3) {
      e.kind = AsmEffect::Copy;
      e.to = operand(operands[memory[0]]);
      e.from = operand(operands[memory[1]]);
      auto bytes = constant(operands[2]);
      if (!e.to || !e.from || !bytes) {
        e.kind = AsmEffect::Unknown;
      } else {
        e.bytes = *bytes;
        if (operands.size() >= 4 && !operands[3].contains("policy")) {
          e.sourceBytesConstant = constant(operands[3]);
          if (!e.sourceBytesConstant) {
            e.sourceBytes = operand(operands[3]);
            if (!e.sourceBytes)
              e.kind = AsmEffect::Unknown;
          }
        }
      }
    } else {
      e.kind = AsmEffect::Compute; // commit_group, wait_group, wait_all
    }
  } else if (head == "ld" || head == "ldu") {
    e.kind = AsmEffect::Load;
    setAccess(e, fields);
    if (!memory.empty())
      e.from = operand(operands[memory.back()]);
    if (is_contained(fields, "param"))
      e.kind = AsmEffect::Compute;
    else if (!e.from || e.bytes == 0)
      e.kind = AsmEffect::Unknown;
  } else if (head == "st") {
    e.kind = AsmEffect::Store;
    setAccess(e, fields);
    if (!memory.empty())
      e.to = operand(operands[memory.front()]);
    if (!e.to || e.bytes == 0)
      e.kind = AsmEffect::Unknown;
  } else if (head == "ldmatrix" || head == "stmatrix") {
    bool load = head == "ldmatrix";
    e.kind = load ? AsmEffect::LdMatrix : AsmEffect::StMatrix;
    e.matrices = is_contained(fields, "x4")   ? 4
                 : is_contained(fields, "x2") ? 2
                                              : 1;
    e.scalarBytes = 2;
    auto address = memory.empty() ? std::nullopt : operand(operands[memory[0]]);
    (load ? e.from : e.to) = address;
    if (!address)
      e.kind = AsmEffect::Unknown;
  } else if (head == "red" || (head == "atom" && !e.predicate)) {
    e.kind = AsmEffect::Atomic;
    setAccess(e, fields);
    if (name.contains("x2"))
      e.bytes *= 2; // f16x2, bf16x2
    if (!memory.empty())
      e.to = operand(operands[memory.front()]);
    if (!e.to || e.bytes == 0)
      e.kind = AsmEffect::Unknown;
  } else if (head == "mma") {
    e.kind = AsmEffect::Mma;
    setFactors(e, rest);
  } else if (head == "bar" || head == "barrier") {
    e.kind = AsmEffect::Barrier;
  } else if (memory.empty() ||
             (head == "mbarrier" || head == "prefetch" || head == "prefetchu" ||
              head == "fence" || head == "discard" || head == "applypriority" ||
              head == "createpolicy")) {
    // Prefetches fill caches and move no words to the thread; an mbarrier is a
    // counter in shared memory.
    bool other = head == "wgmma" || head == "tcgen05" || head == "call" ||
                 head == "atom" || head == "red" || head == "bra";
    e.kind = other ? AsmEffect::Unknown : AsmEffect::Compute;
    if (head == "wgmma" && (name.contains("fence") || name.contains("commit") ||
                            name.contains("wait")))
      e.kind = AsmEffect::Compute;
  }
  // Arithmetic that may not run moves nothing either way.
  if (!predicate.empty() && e.kind != AsmEffect::Compute) {
    e.kind = AsmEffect::Unknown;
    e.mnemonic = predicate;
  }
  if (e.kind == AsmEffect::Compute)
    setParts(e, rest);
  effects.push_back(e);
}

SmallVector<AsmEffect, 2> AsmReader::run() {
  // Commas inside of {..} vectors are operands of a vector load or store; only
  // statements are split here.
  SmallVector<StringRef, 8> lines;
  SplitString(text, lines, ";\n");
  // A statement may go on in the next line, with its operands.
  std::vector<std::string> statements;
  for (StringRef line : lines) {
    StringRef t = line.trim();
    bool goesOn =
        !statements.empty() &&
        (t.starts_with("{$") || t.starts_with("{ $") || t.starts_with("$") ||
         StringRef(statements.back()).rtrim().ends_with(","));
    if (goesOn)
      statements.back() += " " + t.str();
    else
      statements.push_back(line.str());
  }
  for (const std::string &s : statements)
    statement(s);
  return effects;
}

SmallVector<AsmEffect, 2> ioflor::ir::readAsm(const CallBase &call) {
  return AsmReader(call).run();
}
