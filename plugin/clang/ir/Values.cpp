//===- Values.cpp - LLVM values as symbolic integers -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Values.h"
#include "dialect/expr/Work.h"
#include "plugin/clang/ir/Hardware.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace ioflor;
using namespace ioflor::ir;

/// Deeper chains of operators are given up: the reader recurses.
static constexpr unsigned maxDepth = 500;

Expr Launch::linearThread() const {
  return threadIndex[0] +
         block[0] * (threadIndex[1] + block[1] * threadIndex[2]);
}

ValueReader::ValueReader(Context &context, const frontend::StageSpec &spec,
                         Function &function, LoopInfo &loops,
                         DominatorTree &dom, const DataFlow &flow,
                         const Launch &launch,
                         std::map<std::string, BufferInfo> &buffers,
                         const LocMapper &locations)
    : context(context), launch(launch), spec(spec), function(function),
      loops(loops), dom(dom), flow(flow), buffers(buffers),
      locations(locations) {
  // One name a loop, outer ones first, so that names follow the source.
  for (Loop *l : loops.getLoopsInPreorder()) {
    LoopFacts &f = facts[l].value;
    f.var = context.fresh("t1");
    context.known.declare(f.var, Expr(0), std::nullopt);
  }
}

/// The file as the compiler was given it. Clang's debug information splits
/// absolute names into a folder, shared with the working folder, and the rest.
static std::string fileOf(const DILocation &loc) {
  StringRef name = loc.getFilename(), folder = loc.getDirectory();
  const DISubprogram *function = loc.getScope()->getSubprogram();
  const DICompileUnit *unit = function ? function->getUnit() : nullptr;
  if (folder.empty() || sys::path::is_absolute(name) ||
      (unit && unit->getDirectory() == folder))
    return name.str();
  SmallString<256> full(folder);
  sys::path::append(full, name);
  return full.str().str();
}

mlir::Location ValueReader::location(const Instruction &inst) const {
  auto at = [&](const DILocation *loc) -> mlir::Location {
    std::string file = fileOf(*loc);
    if (locations)
      return locations(context.mlir, file, loc->getLine(), loc->getColumn());
    return mlir::FileLineColLoc::get(context.mlir, file, loc->getLine(),
                                     loc->getColumn());
  };
  const DILocation *loc = inst.getDebugLoc();
  if (!loc || loc->getLine() == 0)
    return mlir::UnknownLoc::get(context.mlir);
  mlir::Location result = at(loc);
  if (const DILocation *caller = loc->getInlinedAt()) {
    // Innermost position first; only the outermost call is kept besides.
    while (caller->getInlinedAt())
      caller = caller->getInlinedAt();
    if (caller->getLine() != 0)
      result = mlir::CallSiteLoc::get(result, at(caller));
  }
  return result;
}

mlir::Location ValueReader::location(const Value *v) const {
  if (auto *inst = dyn_cast_or_null<Instruction>(v))
    return location(*inst);
  return mlir::UnknownLoc::get(context.mlir);
}

Expr ValueReader::unreadable(const Value *v, StringRef reason,
                             std::optional<Expr> lo, std::optional<Expr> hi) {
  auto it = unreadables.find(v);
  if (it != unreadables.end())
    return it->second;
  StringRef base = v->getName().take_until([](char c) { return c == '.'; });
  Expr e = context.data(base.empty() ? "data" : ("data_" + base).str(), reason,
                        location(v), lo, hi);
  unreadables[v] = e;
  return e;
}

Expr ValueReader::integer(Value *v) {
  if (auto *c = dyn_cast<ConstantInt>(v)) {
    if (c->getBitWidth() == 1)
      return Expr(c->isOne() ? 1 : 0);
    if (c->getValue().getSignificantBits() > 64)
      return unreadable(v, "constant wider than 64 bits");
    return Expr(c->getSExtValue());
  }
  if (auto it = integers.find(v); it != integers.end()) {
    sawOpen |= it->second.open;
    return it->second.value;
  }
  if (v->getType()->isIntegerTy(1) && !isa<PHINode>(v)) {
    auto e = indicator(condition(v));
    return e ? *e
             : unreadable(v, "a condition that depends on data", Expr(0),
                          Expr(1));
  }
  if (depth > maxDepth)
    return unreadable(v, "expression nested too deeply");
  bool outer = sawOpen;
  sawOpen = false;
  ++depth;
  Expr e = read(v);
  --depth;
  if (e.size() > context.options.expressionBudget || WorkScope::exhausted())
    e = unreadable(v, "expression larger than the analysis budget");
  integers[v] = {e, sawOpen};
  sawOpen |= outer;
  return e;
}

Expr ValueReader::read(Value *v) {
  if (isa<UndefValue>(v))
    return unreadable(v, "undefined value");
  if (auto *arg = dyn_cast<Argument>(v))
    return fromBinding(parameterField(arg), arg->getName(), v);
  if (auto *e = dyn_cast<ConstantExpr>(v)) {
    if (e->getOpcode() == Instruction::PtrToInt)
      return address(e->getOperand(0), false);
    return unreadable(v, "constant expression");
  }
  auto *inst = dyn_cast<Instruction>(v);
  if (!inst)
    return unreadable(v, "value not understood");
  if (launchRead(*inst))
    return readLaunch(*inst);
  if (auto *op = dyn_cast<BinaryOperator>(inst))
    return readBinary(*op);
  if (auto *cast = dyn_cast<CastInst>(inst))
    return readCast(*cast);
  if (auto *phi = dyn_cast<PHINode>(inst))
    return readPhi(*phi);
  if (auto *select = dyn_cast<SelectInst>(inst)) {
    if (select->getCondition()->getType()->isVectorTy())
      return unreadable(v, "vector select");
    Value *a, *b;
    if (match(v, m_SMin(m_Value(a), m_Value(b))))
      return min(integer(a), integer(b));
    if (match(v, m_SMax(m_Value(a), m_Value(b))))
      return max(integer(a), integer(b));
    bool least = match(v, m_UMin(m_Value(a), m_Value(b)));
    if (least || match(v, m_UMax(m_Value(a), m_Value(b)))) {
      unsigned bits = v->getType()->getIntegerBitWidth();
      Expr x = asUnsigned(integer(a), bits), y = asUnsigned(integer(b), bits);
      return least ? min(x, y) : max(x, y);
    }
    Cond c = condition(select->getCondition());
    return choose(v, c, integer(select->getTrueValue()),
                  integer(select->getFalseValue()));
  }
  if (auto *load = dyn_cast<LoadInst>(inst))
    return readLoad(*load);
  if (auto *freeze = dyn_cast<FreezeInst>(inst))
    return integer(freeze->getOperand(0));
  if (auto *call = dyn_cast<CallBase>(inst))
    return readCall(*call);
  if (auto *extract = dyn_cast<ExtractElementInst>(inst)) {
    if (auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand()))
      if (Value *element = findScalarElement(extract->getVectorOperand(),
                                             index->getZExtValue()))
        if (element != v && element->getType() == v->getType())
          return integer(element);
    return unreadable(v, "element of a vector");
  }
  if (auto *extract = dyn_cast<ExtractValueInst>(inst)) {
    if (Value *inserted = FindInsertedValue(extract->getAggregateOperand(),
                                            extract->getIndices()))
      return integer(inserted);
    if (auto *math = dyn_cast<WithOverflowInst>(extract->getAggregateOperand()))
      if (extract->getIndices()[0] == 0) {
        Expr a = integer(math->getLHS()), b = integer(math->getRHS());
        switch (math->getBinaryOp()) {
        case Instruction::Add:
          return a + b;
        case Instruction::Sub:
          return a - b;
        default:
          return a * b;
        }
      }
    return unreadable(v, "member of an aggregate");
  }
  return unreadable(v, "instruction not understood: " +
                           std::string(inst->getOpcodeName()));
}

/// a where c holds, b elsewhere.
Expr ValueReader::choose(const Value *v, const Cond &c, const Expr &a,
                         const Expr &b) {
  if (a == b)
    return a;
  Cond known = simplify(c, context.known);
  if (known.isAlways())
    return a;
  if (known.isNever())
    return b;
  if (c.kind() == CondKind::NonNegative) {
    // a <= b (or a < b) ? a : b, and the mirror image.
    if (c.expr() == b - a || c.expr() == b - a - 1)
      return min(a, b);
    if (c.expr() == a - b || c.expr() == a - b - 1)
      return max(a, b);
  }
  if (c.kind() == CondKind::Zero && (c.expr() == a - b || c.expr() == b - a))
    return b;
  if (auto one = indicator(known))
    return b + (a - b) * *one;
  std::optional<Expr> lo, hi;
  auto ca = a.constant(), cb = b.constant();
  if (ca && cb) {
    lo = min(a, b);
    hi = max(a, b);
  }
  return unreadable(v, "chosen by a condition that depends on data", lo, hi);
}

Expr ValueReader::readBinary(BinaryOperator &op) {
  if (op.getType()->isVectorTy())
    return unreadable(&op, "vector arithmetic");
  Value *va = op.getOperand(0), *vb = op.getOperand(1);
  unsigned bits = op.getType()->getIntegerBitWidth();
  Expr a = integer(va), b = integer(vb);
  auto cb = b.constant64();
  switch (op.getOpcode()) {
  case Instruction::Add:
    return a + b;
  case Instruction::Sub:
    return a - b;
  case Instruction::Mul:
    return a * b;
  case Instruction::SDiv:
    return divideTruncating(a, b, &op);
  case Instruction::SRem: {
    Expr q = divideTruncating(a, b, &op);
    return a - b * q;
  }
  case Instruction::UDiv:
    return divideUnsigned(asUnsigned(a, bits), asUnsigned(b, bits), &op);
  case Instruction::URem: {
    Expr x = asUnsigned(a, bits), y = asUnsigned(b, bits);
    return x - y * divideUnsigned(x, y, &op);
  }
  case Instruction::Shl:
    if (cb && *cb >= 0 && *cb < 63)
      return a * Expr(int64_t(1) << *cb);
    return unreadable(&op, "shift by an amount that is not constant");
  case Instruction::LShr:
    if (cb && *cb >= 0 && *cb < 63) {
      // (hi << c | zext lo) >> c is hi.
      Value *high = nullptr;
      if (auto *pack = dyn_cast<BinaryOperator>(va))
        if (pack->getOpcode() == Instruction::Or ||
            pack->getOpcode() == Instruction::Add)
          for (unsigned side : {0u, 1u}) {
            auto *shift = dyn_cast<BinaryOperator>(pack->getOperand(side));
            auto *low = dyn_cast<ZExtInst>(pack->getOperand(1 - side));
            if (shift && low && shift->getOpcode() == Instruction::Shl &&
                shift->getOperand(1) == vb &&
                low->getSrcTy()->getScalarSizeInBits() <= uint64_t(*cb))
              high = shift->getOperand(0);
          }
      if (high)
        return integer(high);
      return floordiv(asUnsigned(cutByShift(op, a), bits),
                      Expr(int64_t(1) << *cb));
    }
    return unreadable(&op, "shift by an amount that is not constant");
  case Instruction::AShr:
    if (cb && *cb >= 0 && *cb < 63)
      return floordiv(cutByShift(op, a), Expr(int64_t(1) << *cb));
    return unreadable(&op, "shift by an amount that is not constant");
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    if (op.getOpcode() == Instruction::Or &&
        cast<PossiblyDisjointInst>(op).isDisjoint())
      return a + b;
    if (auto e = bitwise(op.getOpcode(), a, b, bits))
      return *e;
    return unreadable(&op, "bitwise operation on symbolic operands");
  default:
    return unreadable(&op, "arithmetic not understood");
  }
}

Expr ValueReader::readCast(CastInst &cast) {
  Value *from = cast.getOperand(0);
  switch (cast.getOpcode()) {
  case Instruction::SExt:
    if (from->getType()->isIntegerTy(1))
      return -integer(from);
    if (from->getType()->isIntegerTy())
      return integer(from);
    break;
  case Instruction::ZExt:
    if (from->getType()->isIntegerTy(1) ||
        (from->getType()->isIntegerTy() && cast.hasNonNeg()))
      return integer(from);
    if (from->getType()->isIntegerTy())
      return asUnsigned(integer(from), from->getType()->getIntegerBitWidth());
    break;
  case Instruction::Trunc:
    if (from->getType()->isIntegerTy()) {
      unsigned bits = cast.getType()->getIntegerBitWidth();
      Expr e = truncated(integer(from), bits);
      return bits >= 8 && bits < 32 ? narrowed(e, cast) : e;
    }
    break;
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
    return address(from, false);
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return readFloatToInt(cast);
  default:
    break;
  }
  return unreadable(&cast, "bits of a value that is no index");
}

/// What reads as a negative number is, as an unsigned one, 2^bits more: a
/// subtraction below 0 is defined for unsigned numbers and a common mistake.
/// Launches are taken not to do that, which is listed.
Expr ValueReader::asUnsigned(const Expr &e, unsigned bits) {
  if (bits < 8 || bits > 64 || context.known.isNonNegative(e) ||
      context.isData(e))
    return e;
  if (isLaunchConstant(e)) {
    context.assume(Cond::nonNegative(e), "an unsigned value is not negative");
    return e;
  }
  BigInt modulus(1);
  for (unsigned i = 0; i < bits; ++i)
    modulus = modulus * BigInt(2);
  return simplify(mod(e, Expr(modulus)), context.known);
}

/// A value that the source keeps in a char or short, which cuts it: that is no
/// wrap-around that nobody meant.
Expr ValueReader::narrowed(const Expr &e, CastInst &cast) {
  bool isSigned = !cast.use_empty() && llvm::all_of(cast.users(), [](User *u) {
    return isa<SExtInst>(u);
  });
  return narrowed(e, cast.getType()->getIntegerBitWidth(), isSigned);
}

/// The same for `(x << 24) >> 24` and its kind. `e` is what the shifted value
/// reads as; it stays where the shift is known not to cut.
Expr ValueReader::cutByShift(const BinaryOperator &right, const Expr &e) {
  auto *shift = dyn_cast<BinaryOperator>(right.getOperand(0));
  if (!shift || shift->getOpcode() != Instruction::Shl)
    return e;
  const auto *by = dyn_cast<ConstantInt>(shift->getOperand(1));
  bool isSigned = right.getOpcode() == Instruction::AShr;
  if (!by || (isSigned ? shift->hasNoSignedWrap() : shift->hasNoUnsignedWrap()))
    return e;
  uint64_t bits = shift->getType()->getIntegerBitWidth(),
           cut = by->getZExtValue();
  if (bits > 64 || cut == 0 || cut >= bits || bits - cut > 62)
    return e;
  return narrowed(integer(shift->getOperand(0)), bits - cut, isSigned) *
         Expr(int64_t(1) << cut);
}

/// The low `bits` bits of e. Launches are taken to fit, which is listed.
Expr ValueReader::narrowed(const Expr &e, unsigned bits, bool isSigned) {
  int64_t modulus = int64_t(1) << bits;
  Expr lo(isSigned ? -modulus / 2 : 0), hi(lo + Expr(modulus - 1));
  if (context.known.isNonNegative(e - lo) &&
      context.known.isNonNegative(hi - e))
    return e;
  if (isLaunchConstant(e)) {
    context.assume(le(e, hi),
                   "a value fits in " + std::to_string(bits) + " bits");
    return e;
  }
  return simplify(mod(e - lo, Expr(modulus)) + lo, context.known);
}

/// (int)ceil(float(a) / b) and its kind, as hosts and kernels write tile
/// counts; exact below 2^24, which is assumed and listed.
Expr ValueReader::readFloatToInt(CastInst &cast) {
  auto asInteger = [&](Value *v) -> std::optional<Expr> {
    if (auto *conv = dyn_cast<CastInst>(v))
      if (isa<SIToFPInst, UIToFPInst>(conv) &&
          conv->getOperand(0)->getType()->isIntegerTy())
        return integer(conv->getOperand(0));
    if (auto *c = dyn_cast<ConstantFP>(v)) {
      APSInt value(64, false);
      bool exact = false;
      if (c->getValueAPF().convertToInteger(value, APFloat::rmTowardZero,
                                            &exact) == APFloat::opOK &&
          exact)
        return Expr(value.getExtValue());
    }
    return std::nullopt;
  };
  Value *v = cast.getOperand(0);
  enum { Trunc, Ceil, Floor } rounding = Trunc;
  while (true) {
    if (auto *ext = dyn_cast<CastInst>(v);
        ext && isa<FPExtInst, FPTruncInst>(ext)) {
      v = ext->getOperand(0);
      continue;
    }
    auto *call = dyn_cast<CallBase>(v);
    if (!call || !call->getCalledFunction() || rounding != Trunc)
      break;
    StringRef name = call->getCalledFunction()->getName();
    if (name.contains("ceil"))
      rounding = Ceil;
    else if (name.contains("floor"))
      rounding = Floor;
    else
      break;
    v = call->getArgOperand(0);
  }
  if (auto plain = asInteger(v)) {
    // A double keeps every int, a float those up to 2^24.
    Expr most(int64_t(1) << 24);
    if (v->getType()->isDoubleTy() ||
        (context.known.isNonNegative(most - *plain) &&
         context.known.isNonNegative(*plain + most)))
      return *plain;
    if (!isLaunchConstant(*plain))
      return unreadable(&cast, "rounded in floating point");
    context.assume(le(*plain, most), "a float is taken for the exact integer");
    return *plain;
  }
  std::optional<Expr> a, b;
  if (auto *div = dyn_cast<BinaryOperator>(v)) {
    if (div->getOpcode() == Instruction::FDiv) {
      a = asInteger(div->getOperand(0));
      b = asInteger(div->getOperand(1));
    } else if (div->getOpcode() == Instruction::FMul) {
      // x * 0.03125f, which is x / 32.
      for (unsigned side : {0u, 1u})
        if (auto *c = dyn_cast<ConstantFP>(div->getOperand(side))) {
          APFloat inverse(c->getValueAPF().getSemantics());
          if (c->getValueAPF().getExactInverse(&inverse)) {
            a = asInteger(div->getOperand(1 - side));
            b = asInteger(ConstantFP::get(cast.getContext(), inverse));
          }
        }
    }
  }
  if (a && b && positiveDivisor(*b, &cast)) {
    context.assume(le(*a, Expr(int64_t(1) << 24)),
                   "a float quotient is taken for the exact one");
    if (rounding == Ceil)
      return ceildiv(*a, *b);
    return rounding == Floor ? floordiv(*a, *b)
                             : divideTruncating(*a, *b, &cast);
  }
  return unreadable(&cast, "computed in floating point");
}

Expr ValueReader::readLaunch(const Instruction &inst) {
  LaunchRead read = *launchRead(inst);
  switch (read.kind) {
  case LaunchRead::ThreadIndex:
    return launch.threadIndex[read.dim];
  case LaunchRead::BlockIndex:
    return launch.blockIndex[read.dim];
  case LaunchRead::BlockExtent:
    return launch.block[read.dim];
  case LaunchRead::GridExtent:
    return launch.grid[read.dim];
  case LaunchRead::GlobalIndex:
    return launch.blockIndex[read.dim] * launch.block[read.dim] +
           launch.threadIndex[read.dim];
  case LaunchRead::GlobalExtent:
    return launch.grid[read.dim] * launch.block[read.dim];
  case LaunchRead::Lane:
    return mod(launch.linearThread(), Expr(32));
  case LaunchRead::WarpIndex:
    return floordiv(launch.linearThread(), Expr(32));
  case LaunchRead::WarpSize:
    return Expr(32);
  case LaunchRead::GridOffset:
    return Expr(0);
  }
  return unreadable(&inst, "launch parameter not understood");
}

/// A broadcast inside a warp of a value that the threads of the warp may have
/// in common (`__shfl_sync(mask, threadIdx.x / 32, 0)`): the value of the
/// source lane. Only for blocks in one dimension.
Expr ValueReader::readShuffle(CallBase &call) {
  Expr e = integer(call.getArgOperand(1));
  if (context.isData(e))
    return unreadable(&call, "value of another lane");
  auto lane = integer(call.getArgOperand(2)).constant64();
  bool flat = launch.threadIndex[1].isZero() && launch.threadIndex[2].isZero();
  const Expr &tx = launch.threadIndex[0];
  if (tx.isZero())
    return e;
  if (!lane || !flat || *lane < 0 || *lane > 31)
    return unreadable(&call, "value of another lane");
  Expr source = tx - mod(tx, Expr(32)) + Expr(*lane);
  return simplify(e.substitute(tx.name(), source), context.known);
}

/// Addresses in the shared window and special registers by inline PTX.
Expr ValueReader::readAsm(CallBase &call) {
  StringRef text = cast<InlineAsm>(call.getCalledOperand())->getAsmString();
  if (text.contains("cvta") && call.arg_size() == 1 &&
      (text.contains("shared") || text.contains("global"))) {
    Value *v = call.getArgOperand(0);
    return v->getType()->isPointerTy() ? address(v, true) : integer(v);
  }
  static const std::pair<StringRef, unsigned> axes[] = {
      {".x", 0}, {".y", 1}, {".z", 2}};
  if (call.arg_size() == 0 && text.contains("mov")) {
    if (text.contains("%laneid"))
      return mod(launch.linearThread(), Expr(32));
    for (auto [suffix, d] : axes) {
      auto names = [&](StringRef name) {
        return text.contains(("%" + name + suffix).str());
      };
      if (names("tid"))
        return launch.threadIndex[d];
      if (names("ctaid"))
        return launch.blockIndex[d];
      if (names("ntid"))
        return launch.block[d];
      if (names("nctaid"))
        return launch.grid[d];
    }
  }
  return unreadable(&call, "result of inline assembly");
}

Expr ValueReader::readCall(CallBase &call) {
  if (call.isInlineAsm())
    return readAsm(call);
  Function *callee = call.getCalledFunction();
  if (!callee)
    return unreadable(&call, "result of an indirect call");
  auto arg = [&](unsigned i) { return integer(call.getArgOperand(i)); };
  switch (callee->getIntrinsicID()) {
  case Intrinsic::smax:
    return max(arg(0), arg(1));
  case Intrinsic::smin:
    return min(arg(0), arg(1));
  case Intrinsic::umax:
  case Intrinsic::umin: {
    if (!call.getType()->isIntegerTy())
      break;
    bool isMax = callee->getIntrinsicID() == Intrinsic::umax;
    unsigned bits = call.getType()->getIntegerBitWidth();
    Expr a = asUnsigned(arg(0), bits), b = asUnsigned(arg(1), bits);
    return isMax ? max(a, b) : min(a, b);
  }
  case Intrinsic::abs: {
    Expr e = arg(0);
    return max(e, -e);
  }
  case Intrinsic::usub_sat:
    return max(Expr(0), arg(0) - arg(1));
  case Intrinsic::uadd_sat:
  case Intrinsic::sadd_sat:
    return arg(0) + arg(1);
  case Intrinsic::ssub_sat:
    return arg(0) - arg(1);
  case Intrinsic::expect:
  case Intrinsic::ssa_copy:
    return arg(0);
  case Intrinsic::nvvm_shfl_sync_idx_i32:
    return readShuffle(call);
  case Intrinsic::umul_fix:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::ctpop:
    return unreadable(&call, "bit count", Expr(0), Expr(64));
  default:
    break;
  }
  StringRef name = callee->getName();
  if (call.arg_size() == 2 && call.getArgOperand(0)->getType()->isIntegerTy()) {
    bool isUnsigned = name == "__nv_umin" || name == "__nv_umax" ||
                      name == "_Z3minjj" || name == "_Z3maxjj" ||
                      name == "__nv_ullmin" || name == "__nv_ullmax";
    auto value = [&](unsigned i) {
      return isUnsigned
                 ? asUnsigned(arg(i), call.getType()->getIntegerBitWidth())
                 : arg(i);
    };
    if (name == "__nv_min" || name == "__nv_llmin" || name == "_Z3minii" ||
        (isUnsigned && name.contains("min")))
      return min(value(0), value(1));
    if (name == "__nv_max" || name == "__nv_llmax" || name == "_Z3maxii" ||
        (isUnsigned && name.contains("max")))
      return max(value(0), value(1));
    // OpenCL's and libdevice's 24-bit product.
    if (name == "__nv_mul24" || name == "__nv_umul24" || name == "_Z5mul24ii")
      return arg(0) * arg(1);
  }
  if (name == "__nv_abs" && call.arg_size() == 1) {
    Expr e = arg(0);
    return max(e, -e);
  }
  return unreadable(&call, ("result of " + name).str());
}

Expr ValueReader::readLoad(LoadInst &load) {
  if (isParameterRead(load)) {
    const frontend::Binding *field = parameterField(&load);
    std::string name = fieldName(load);
    if (field || !name.empty())
      return fromBinding(field, name, &load);
    return unreadable(&load, "a parameter's element at a computed index");
  }
  Pointers from = pointer(load.getPointerOperand());
  std::string buffer = from.size() == 1 ? from.front().buffer : "";
  if (buffer.empty())
    return unreadable(&load, "loaded from memory");
  auto it = buffers.find(buffer);
  std::string display = it != buffers.end() && !it->second.display.empty()
                            ? it->second.display
                            : buffer;
  return unreadable(&load, "loaded from " + display);
}
