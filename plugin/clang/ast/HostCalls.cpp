//===- HostCalls.cpp - Calls of host code on symbols ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/HostEval.h"
#include "plugin/loader/Kernels.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

constexpr unsigned maxInlineDepth = 24;

StringRef nameOf(const FunctionDecl *f) {
  return f && f->getDeclName().isIdentifier() && f->getIdentifier()
             ? f->getName()
             : StringRef();
}

/// Types that own or refer to an array of words: tensors, vectors.
bool isContainer(QualType type) {
  if (type.isNull())
    return false;
  const CXXRecordDecl *record =
      type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->getDeclName().isIdentifier())
    return false;
  return StringSwitch<bool>(record->getName())
      .Cases({"Tensor", "TensorBase", "vector", "device_vector"}, true)
      .Cases({"host_vector", "unique_ptr", "shared_ptr", "DeviceBuffer"}, true)
      .Cases({"Storage", "array", "span"}, record->getName() != "array")
      .Default(false);
}

/// Values that come from outside and depend on no other.
bool readsInput(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"atoi", "atol", "atoll", "stoi", "stol", "stoll"}, true)
      .Cases({"strtol", "strtoul", "strtoll", "rand", "scanf"}, true)
      .Default(false);
}

bool namesCeilDiv(StringRef name) {
  std::string lower = name.lower();
  lower.erase(std::remove(lower.begin(), lower.end(), '_'), lower.end());
  return StringSwitch<bool>(lower)
      .Cases({"cdiv", "ceildiv", "divup", "ceilingdiv", "atenceildiv"}, true)
      .Cases({"dividerndup", "divroundup", "divideup", "iceildiv"}, true)
      .Default(false);
}

const Step storageStep{Step::Index, nullptr, -1};

/// What a function of a library does with the words behind its argument
/// number `i`; nullopt where it leaves them alone.
std::optional<HostTouch::Kind> useOf(const FunctionDecl *callee, StringRef name,
                                     unsigned i, QualType argument) {
  StringRef plain = name;
  if (plain.consume_front("cuda") || plain.consume_front("hip") ||
      plain.consume_front("cu")) {
    if (plain.starts_with("Free") || plain.starts_with("Mem") ||
        plain.starts_with("Pointer") || plain.starts_with("Stream") ||
        plain.starts_with("Func") || plain.starts_with("Host")) {
      if (plain.starts_with("Memset"))
        return i == 0 ? std::optional(HostTouch::Overwrites) : std::nullopt;
      if (plain.starts_with("Memcpy"))
        return i == 0 ? HostTouch::Overwrites : HostTouch::Reads;
      return std::nullopt;
    }
  }
  if (name == "free" || name == "printf" || name == "fprintf")
    return std::nullopt;
  if (name == "memset" || name == "fill" || name == "fill_n" || name == "iota")
    return HostTouch::Overwrites;
  if (name == "memcpy" || name == "memmove")
    return i == 0 ? HostTouch::Overwrites : HostTouch::Reads;
  if (name == "copy" || name == "copy_n")
    return i == 2 ? HostTouch::Overwrites : HostTouch::Reads;
  QualType type = argument;
  if (callee && i < callee->getNumParams())
    type = callee->getParamDecl(i)->getType();
  type = type.getNonReferenceType();
  return type->isAnyPointerType() && type->getPointeeType().isConstQualified()
             ? HostTouch::Reads
             : HostTouch::MayWrite;
}

} // namespace

HostTouch *HostEval::touch(HostTouch::Kind kind, unsigned buffer,
                           const clang::Expr *call, StringRef callee,
                           const State &state) {
  if (state.dead)
    return nullptr;
  HostTouch made;
  made.kind = kind;
  made.buffer = buffer;
  made.after = launches.size();
  made.callee = callee.str();
  made.loc = call->getExprLoc();
  made.state.facts = state.facts;
  made.state.loops = state.loops;
  touches.push_back(std::move(made));
  return &touches.back();
}

/// 0, or a number that no score reaches from above.
Fill HostEval::fillOf(const clang::Expr *value) const {
  while (true) {
    const clang::Expr *inner = value->IgnoreImplicit()->IgnoreParenCasts();
    if (auto *made = dyn_cast<CXXConstructExpr>(inner);
        made && made->getNumArgs() == 1)
      inner = made->getArg(0);
    if (inner == value)
      break;
    value = inner;
  }
  clang::Expr::EvalResult number;
  if (value->isValueDependent() || !value->EvaluateAsRValue(number, ctx))
    return Fill::Unknown;
  double v = 1;
  if (number.Val.isInt())
    v = number.Val.getInt().getExtValue();
  else if (number.Val.isFloat())
    v = number.Val.getFloat().convertToDouble();
  constexpr double filler = -1e4;
  return v == 0        ? Fill::Zero
         : v <= filler ? Fill::MinusInfinity
                       : Fill::Unknown;
}

bool HostEval::canInline(const FunctionDecl *callee) const {
  const FunctionDecl *definition = nullptr;
  if (!callee || !callee->hasBody(definition) || isKernel(callee) ||
      frames.size() > maxInlineDepth ||
      active.contains(callee->getCanonicalDecl()) ||
      definition->isDependentContext())
    return false;
  if (auto *method = dyn_cast<CXXMethodDecl>(definition))
    if (isContainer(ctx.getCanonicalTagType(method->getParent())))
      return false;
  if (!ctx.getSourceManager().isInSystemHeader(definition->getLocation()))
    return true;
  // Of the libraries only arithmetic on integers.
  if (!callee->getReturnType()->isIntegralOrEnumerationType() ||
      callee->getNumParams() == 0)
    return false;
  return all_of(callee->parameters(), [](const ParmVarDecl *p) {
    return p->getType()->isIntegralOrEnumerationType();
  });
}

void HostEval::forgetArguments(const CallExpr *call, State &state) {
  const FunctionDecl *callee = call->getDirectCallee();
  unsigned skip =
      isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(callee)
          ? 1
          : 0;
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    const clang::Expr *arg = call->getArg(i);
    Value v = eval(arg, state);
    if (v.kind == Value::Pointer && skip == 0)
      if (std::optional<HostTouch::Kind> use =
              useOf(callee, nameOf(callee), i, arg->getType()))
        if (touch(*use, v.buffer, call, nameOf(callee), state) && i == 0 &&
            call->getNumArgs() >= 3 && v.num.isZero() &&
            nameOf(callee).contains_insensitive("memset")) {
          size_t made = touches.size() - 1;
          Value bytes = eval(call->getArg(2), state);
          // Of bytes all alike only zeros are a number.
          if (bytes.isInteger() && fillOf(call->getArg(1)) == Fill::Zero) {
            touches[made].fill = Fill::Zero;
            touches[made].bytes = bytes.num;
          }
        }
    QualType param;
    if (callee && i >= skip && i - skip < callee->getNumParams())
      param = callee->getParamDecl(i - skip)->getType();
    std::optional<Path> written;
    if (!param.isNull() && param->isReferenceType() &&
        !param->getPointeeType().isConstQualified())
      written = lvalue(arg, state);
    else if (v.kind == Value::Address && arg->getType()->isAnyPointerType() &&
             !arg->getType()->getPointeeType().isConstQualified())
      written = v.target;
    if (!written)
      continue;
    Value now = *slot(state, *written);
    std::string name = spellPath(*written);
    if (now.isInteger() || now.kind == Value::None) {
      auto it = roots.find(written->root);
      QualType type = !written->steps.empty() || it == roots.end()
                          ? QualType(ctx.IntTy)
                          : it->second.type;
      if (!type->isRecordType() && type->isIntegralOrEnumerationType())
        store(state, *written,
              integerOr(Value::opaque(name), name, arg->getExprLoc(), type));
    }
  }
}

Value HostEval::remembered(const std::string &key, const clang::Expr *e,
                           StringRef hint, bool size) {
  if (auto it = memo.find(key); it != memo.end())
    return it->second;
  Value v = unknown(e, hint, /*noted=*/false);
  if (v.isInteger() && size)
    if (SymbolInfo *info = names.find(v.num.name())) {
      info->lo = Expr(1);
      names.known.declare(info->name, Expr(1), std::nullopt);
    }
  memo[key] = v;
  return v;
}

/// The buffer of a tensor or vector: made where the object is first met, and
/// carried along by copies of it.
unsigned HostEval::storageOf(const clang::Expr *object, State &state) {
  object = object->IgnoreParenImpCasts();
  if (std::optional<Path> path = lvalue(object, state)) {
    Path storage = path->child(storageStep);
    Value *at = slot(state, storage);
    if (at->kind != Value::Pointer)
      *at = Value::pointer(names.buffer(spellPath(*path), object->getExprLoc()),
                           0);
    return at->buffer;
  }
  Value v = eval(object, state);
  if (auto it = v.fields.find(storageStep); it != v.fields.end())
    return it->second.buffer;
  std::string text = spell(object);
  auto it = memo.find("storage " + text);
  if (it == memo.end())
    it = memo.emplace(
                 "storage " + text,
                 Value::pointer(names.buffer(text, object->getExprLoc()), 0))
             .first;
  return it->second.buffer;
}

std::optional<Value> HostEval::containerCall(const CXXMemberCallExpr *call,
                                             State &state, StringRef hint) {
  const clang::Expr *object = call->getImplicitObjectArgument();
  QualType type = object->getType();
  if (type->isAnyPointerType())
    type = type->getPointeeType();
  if (!isContainer(type))
    return std::nullopt;
  StringRef name = nameOf(call->getDirectCallee());
  if (name.empty()) // conversion operators and the like
    return unknown(call, hint, false);
  if (call->getType()->isAnyPointerType()) {
    unsigned buffer = storageOf(object, state);
    if (unsigned bytes = scalarBytes(ctx, call->getType()->getPointeeType()))
      if (!names.buffers[buffer].elementBytes)
        names.buffers[buffer].elementBytes = bytes;
    return Value::pointer(buffer, 0);
  }
  if (name == "contiguous" || name == "detach" || name == "clone" ||
      name == "to" || name == "cuda") {
    // Words and sizes of the same tensor, in another place at most.
    Value v = Value::record();
    v.fields[storageStep] = Value::pointer(storageOf(object, state), 0);
    return v;
  }
  if (call->getType()->isIntegralOrEnumerationType()) {
    std::string key = utostr(storageOf(object, state)) + "." + name.str() + "(";
    for (const clang::Expr *arg : call->arguments()) {
      Value v = eval(arg, state);
      key += (v.isInteger() ? v.num.str() : spell(arg)) + ",";
    }
    bool size = name == "size" || name == "numel" || name == "stride" ||
                name == "nbytes" || name == "element_size";
    return remembered(key, call, hint, size);
  }
  // By PyTorch's convention a method `name_` changes the tensor itself.
  bool inPlace = name.ends_with("_");
  touch(inPlace ? name == "zero_" || name == "fill_" || name == "copy_"
                      ? HostTouch::Overwrites
                      : HostTouch::MayWrite
                : HostTouch::Reads,
        storageOf(object, state), call, name, state);
  if (isContainer(call->getType())) {
    // Another tensor made of this one: its own storage, named as written.
    Value v = Value::record();
    std::string text = hint.empty() ? spell(call) : hint.str();
    v.fields[storageStep] =
        Value::pointer(names.buffer(text, call->getExprLoc()), 0);
    return v;
  }
  return Value::opaque(spell(call));
}

std::optional<Value> HostEval::allocation(const CallExpr *call, State &state,
                                          StringRef name) {
  StringRef plain = name;
  if (!plain.consume_front("cuda") && !plain.consume_front("hip"))
    return std::nullopt;
  if (plain != "Malloc" && plain != "MallocManaged" && plain != "MallocAsync" &&
      plain != "ExtMallocWithFlags")
    return std::nullopt;
  if (call->getNumArgs() < 2)
    return std::nullopt;
  Value to = eval(call->getArg(0), state), bytes = eval(call->getArg(1), state);
  if (to.kind == Value::Address) {
    std::string spelling = spellPath(to.target);
    unsigned buffer = names.buffer(spelling, call->getExprLoc());
    if (bytes.isInteger()) {
      names.buffers[buffer].bytes = bytes.num;
      names.buffers[buffer].evidence =
          name.str() + " at " + where(call->getExprLoc());
    }
    store(state, to.target, Value::pointer(buffer, 0));
  }
  return Value::integer(0); // cudaSuccess
}

std::optional<Value> HostEval::known(const CallExpr *call, State &state,
                                     StringRef hint) {
  const FunctionDecl *callee = call->getDirectCallee();
  StringRef name = nameOf(callee);
  unsigned n = call->getNumArgs();
  if (callee && callee->getBuiltinID() == Builtin::BI__builtin_expect)
    return eval(call->getArg(0), state, hint);
  if (callee && callee->getBuiltinID() == Builtin::BI__builtin_assume) {
    Cond c = condition(call->getArg(0), state);
    state.facts.push_back(
        {c, "__builtin_assume at " + where(call->getExprLoc())});
    return Value();
  }
  if (n == 2 && (name == "min" || name == "max")) {
    Value a = eval(call->getArg(0), state), b = eval(call->getArg(1), state);
    if (a.kind == Value::Address)
      a = part(state, a.target, call->getArg(0)->getType());
    if (a.isInteger() && b.isInteger())
      return Value::integer(name == "min" ? min(a.num, b.num)
                                          : max(a.num, b.num));
    return unknown(call, hint);
  }
  if (n == 2 && namesCeilDiv(name)) {
    Value a = eval(call->getArg(0), state), b = eval(call->getArg(1), state);
    // The name is no proof: only where the body is out of sight.
    if (!canInline(callee) && a.isInteger() && b.isInteger() &&
        names.known.isPositive(b.num) && names.known.isNonNegative(a.num))
      return Value::integer(ceildiv(a.num, b.num));
    if (!canInline(callee))
      return unknown(call, hint);
    return std::nullopt;
  }
  StringRef rounding = name;
  rounding.consume_front("__builtin_");
  if (n == 1 && (rounding == "ceil" || rounding == "ceilf" ||
                 rounding == "floor" || rounding == "floorf")) {
    Value a = eval(call->getArg(0), state);
    if (a.isInteger())
      return a;
    // A float holds every integer up to 2^24.
    QualType computed =
        call->getArg(0)->IgnoreParenImpCasts()->getType().getCanonicalType();
    if (a.kind == Value::Ratio &&
        computed->isSpecificBuiltinType(clang::BuiltinType::Float) &&
        !a.num.isConst())
      state.facts.push_back(
          {le(a.num, Expr(1 << 24)),
           "exact in a float at " + where(call->getExprLoc())});
    if (a.kind == Value::Ratio && names.known.isPositive(a.den))
      return Value::ratio(rounding.starts_with("ceil") ? ceildiv(a.num, a.den)
                                                       : floordiv(a.num, a.den),
                          1);
    return unknown(call, hint);
  }
  if (n == 1 && (name == "move" || name == "forward" || name == "as_const" ||
                 name == "addressof")) {
    if (std::optional<Path> path = lvalue(call->getArg(0), state))
      return Value::address(*path);
    return eval(call->getArg(0), state, hint);
  }
  if (n == 1 && (name == "raw_pointer_cast" || name == "data")) {
    Value v = eval(call->getArg(0), state);
    if (v.kind == Value::Pointer)
      return v;
  }
  if (readsInput(name)) {
    for (const clang::Expr *arg : call->arguments())
      eval(arg, state);
    return unknown(call, hint, /*noted=*/false);
  }
  if (name == "malloc" || name == "calloc" || name == "aligned_alloc") {
    Value bytes = n ? eval(call->getArg(n - 1), state) : Value();
    unsigned buffer = names.buffer(hint.empty() ? StringRef("memory") : hint,
                                   call->getExprLoc());
    if (bytes.isInteger() && name == "malloc") {
      names.buffers[buffer].bytes = bytes.num;
      names.buffers[buffer].evidence = "malloc at " + where(call->getExprLoc());
    }
    return Value::pointer(buffer, 0);
  }
  return std::nullopt;
}

Value HostEval::inlineCall(const FunctionDecl *callee,
                           ArrayRef<const clang::Expr *> args,
                           std::optional<Path> object, State &state,
                           const clang::Expr *at, StringRef hint) {
  const FunctionDecl *definition = nullptr;
  const Stmt *body = callee->getBody(definition);
  // Evaluate all arguments before the callee's variables change.
  std::vector<std::pair<const void *, Value>> bound;
  for (unsigned i = 0; i < definition->getNumParams(); ++i) {
    const ParmVarDecl *param = definition->getParamDecl(i);
    if (i >= args.size())
      break;
    Value v;
    std::optional<Path> path;
    if (param->getType()->isReferenceType()) {
      path = lvalue(args[i], state);
      if (path) {
        v = Value::address(*path);
      } else {
        Path temporary;
        temporary.root = args[i];
        roots[temporary.root] =
            Root{spell(args[i]), args[i]->getType(), nullptr};
        Value held = eval(args[i], state);
        if (held.kind == Value::Address && !args[i]->getType()->isPointerType())
          v = held;
        else {
          store(state, temporary, std::move(held));
          v = Value::address(temporary);
        }
      }
    } else {
      v = eval(args[i], state);
    }
    bound.emplace_back(variable(param).root, std::move(v));
  }
  for (auto &[root, value] : bound)
    state.vars[root] = std::move(value);

  const void *selfKey = nullptr;
  std::optional<Value> outerSelf;
  if (auto *method = dyn_cast<CXXMethodDecl>(definition);
      method && method->isInstance() && object) {
    selfKey = method->getParent()->getCanonicalDecl();
    if (auto it = state.vars.find(selfKey); it != state.vars.end())
      outerSelf = it->second;
    state.vars[selfKey] = Value::address(*object);
  }

  Frame frame;
  frame.function = definition;
  frames.push_back(&frame);
  active.insert(definition->getCanonicalDecl());
  if (auto *constructor = dyn_cast<CXXConstructorDecl>(definition);
      constructor && object)
    for (const CXXCtorInitializer *init : constructor->inits())
      if (init->isMemberInitializer()) {
        const FieldDecl *field = init->getMember();
        Path path = object->child({Step::Field, field->getCanonicalDecl(), 0});
        if (field->getType()->isReferenceType()) {
          if (std::optional<Path> to = lvalue(init->getInit(), state)) {
            store(state, path, Value::address(*to));
            continue;
          }
        }
        store(state, path, eval(init->getInit(), state, field->getName()));
      }
  State before = state;
  Flow flow = exec(body, state);
  active.erase(definition->getCanonicalDecl());
  frames.pop_back();

  Value result;
  bool fallsOff = flow == Flow::Next && !state.dead;
  if (frame.exits.empty()) {
    if (!fallsOff)
      state.dead = true;
  } else {
    State merged = frame.exits.front();
    result = frame.returned.front();
    std::string name = hint.empty() ? spell(at) : hint.str();
    for (size_t i = 1; i < frame.exits.size(); ++i) {
      merged =
          merge(before, std::move(merged), frame.exits[i], at->getExprLoc());
      result = mergeValue(result, frame.returned[i], name, at->getExprLoc());
    }
    if (fallsOff)
      merged = merge(before, std::move(merged), state, at->getExprLoc());
    state = std::move(merged);
    state.loops = before.loops;
  }
  if (selfKey) {
    if (outerSelf)
      state.vars[selfKey] = *outerSelf;
    else
      state.vars.erase(selfKey);
  }
  return result;
}

Value HostEval::evalCall(const CallExpr *call, State &state, StringRef hint) {
  const FunctionDecl *callee = call->getDirectCallee();
  StringRef name = nameOf(callee);
  if (callee && callee->isNoReturn()) {
    for (const clang::Expr *arg : call->arguments())
      if (!arg->getType()->isPointerType())
        eval(arg, state);
    state.dead = true;
    return Value::opaque(spell(call));
  }
  if (launchByApi(call, state, name))
    return Value::integer(0); // cudaSuccess
  if (std::optional<Value> v = allocation(call, state, name))
    return *v;
  if (std::optional<Value> v = known(call, state, hint))
    return *v;
  if (auto *member = dyn_cast<CXXMemberCallExpr>(call))
    if (std::optional<Value> v = containerCall(member, state, hint))
      return *v;

  if (auto *op = dyn_cast<CXXOperatorCallExpr>(call)) {
    if (op->isAssignmentOp() && op->getOperator() == OO_Equal) {
      std::string target = spell(op->getArg(0));
      Value v = eval(op->getArg(1), state, target);
      if (v.kind == Value::Address &&
          !op->getArg(1)->getType()->isPointerType())
        v = part(state, v.target, op->getArg(1)->getType());
      assign(op->getArg(0), v, state);
      return v;
    }
    if (op->getOperator() == OO_Call) {
      Value f = eval(op->getArg(0), state);
      const FunctionDecl *body = f.kind == Value::Closure ? callee : callee;
      if (body && canInline(body)) {
        ArrayRef<const clang::Expr *> args(op->getArgs(), op->getNumArgs());
        std::optional<Path> object;
        if (f.kind != Value::Closure)
          object = lvalue(op->getArg(0), state);
        return inlineCall(body, args.drop_front(), object, state, call, hint);
      }
    }
    if (op->getOperator() == OO_Subscript && op->getNumArgs() == 2 &&
        call->getType()->isIntegralOrEnumerationType()) {
      Value index = eval(op->getArg(1), state);
      return remembered(
          "[] " + spell(op->getArg(0)) + " " +
              (index.isInteger() ? index.num.str() : spell(op->getArg(1))),
          call, hint, false);
    }
    if (op->getOperator() == OO_LessLess ||
        op->getOperator() == OO_GreaterGreater)
      return Value::opaque(spell(call));
  }

  const FunctionDecl *target = callee;
  if (!target) {
    Value f = eval(call->getCallee(), state);
    if (f.kind == Value::Function)
      target = f.function;
  }
  if (canInline(target)) {
    ArrayRef<const clang::Expr *> args(call->getArgs(), call->getNumArgs());
    std::optional<Path> object;
    if (auto *member = dyn_cast<CXXMemberCallExpr>(call)) {
      const clang::Expr *self = member->getImplicitObjectArgument();
      if (self && self->getType()->isAnyPointerType()) {
        Value pointer = eval(self, state);
        if (pointer.kind == Value::Address)
          object = pointer.target;
      } else if (self) {
        object = lvalue(self, state);
      }
    } else if (isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(target)) {
      object = lvalue(args.front(), state);
      args = args.drop_front();
    }
    return inlineCall(target, args, object, state, call, hint);
  }
  forgetArguments(call, state);
  // What follows a failed call of the CUDA or HIP runtime is not analysed.
  if (const auto *status = call->getType()->getAs<EnumType>())
    if (StringRef type = status->getDecl()->getName();
        type.starts_with("cudaError") || type.starts_with("hipError"))
      return Value::integer(0);
  if (isContainer(call->getType())) {
    Value v = Value::record();
    unsigned buffer = names.buffer(hint.empty() ? spell(call) : hint.str(),
                                   call->getExprLoc());
    v.fields[storageStep] = Value::pointer(buffer, 0);
    // torch::zeros(sizes), torch::full(sizes, value) and their kin.
    bool full = name == "full" || name == "full_like";
    if (HostTouch *made =
            touch(HostTouch::Overwrites, buffer, call, name, state)) {
      if (name == "zeros" || name == "zeros_like")
        made->fill = Fill::Zero;
      else if (full && call->getNumArgs() >= 2)
        made->fill = fillOf(call->getArg(1));
    }
    return v;
  }
  return unknown(call, hint);
}

Value HostEval::evalConstruct(const CXXConstructExpr *e, State &state) {
  const CXXConstructorDecl *constructor = e->getConstructor();
  const CXXRecordDecl *record = constructor->getParent();
  if ((constructor->isCopyOrMoveConstructor() || e->isElidable()) &&
      e->getNumArgs() >= 1) {
    const clang::Expr *from = e->getArg(0);
    if (std::optional<Path> path = lvalue(from, state)) {
      // Copies share what has not been looked at yet.
      if (isContainer(from->getType()))
        storageOf(from, state);
      else
        fill(state, *path, from->getType());
      return part(state, *path, from->getType());
    }
    Value v = eval(from, state);
    return v.kind == Value::Address ? part(state, v.target, from->getType())
                                    : v;
  }
  if (record->getDeclName().isIdentifier() && record->getName() == "dim3") {
    Value v = Value::record();
    unsigned i = 0;
    for (const FieldDecl *field : record->fields()) {
      if (i >= 3)
        break;
      Value extent = Value::integer(1);
      if (i < e->getNumArgs()) {
        extent = eval(e->getArg(i), state);
        if (extent.kind == Value::Record && e->getNumArgs() == 1)
          return extent; // from uint3
      }
      v.fields[{Step::Field, field->getCanonicalDecl(), 0}] = integerOr(
          std::move(extent), i < e->getNumArgs() ? spell(e->getArg(i)) : "1",
          e->getExprLoc(), ctx.UnsignedIntTy);
      ++i;
    }
    return v;
  }
  if (isContainer(e->getType())) {
    for (const clang::Expr *arg : e->arguments())
      eval(arg, state);
    return Value::record(); // storage is made where it is first asked for
  }
  const FunctionDecl *definition = nullptr;
  bool visible = constructor->hasBody(definition) && canInline(constructor);
  if (!visible)
    return Value::record();
  Path object;
  object.root = e;
  roots[e] = Root{spell(e), e->getType(), nullptr};
  store(state, object, Value::record());
  ArrayRef<const clang::Expr *> args(e->getArgs(), e->getNumArgs());
  inlineCall(constructor, args, object, state, e, {});
  Value v = state.vars[e];
  return v;
}

} // namespace ioflor::frontend
