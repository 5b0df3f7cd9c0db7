// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates the inline PTX of CUDA's headers and of kernels, one statement at
// a time. PTX registers are bits; each instruction's suffix says how to read
// them. Copies that PTX makes asynchronous happen at once, which their waits
// allow.

#include "test/harness/pass/Passes.h"
#include "test/harness/pass/Ptx.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>

using namespace llvm;
using namespace ioflor::harness;

namespace {

constexpr unsigned sharedSpace = 3;

class Translator {
public:
  Translator(CallInst &call)
      : call(call), builder(&call), context(call.getContext()),
        module(*call.getModule()) {}

  void run() {
    const auto &assembly = *cast<InlineAsm>(call.getCalledOperand());
    bindOperands(assembly);
    for (const ptx::Statement &statement : ptx::parse(assembly.getAsmString()))
      translate(statement);
    replaceCall();
  }

private:
  [[noreturn]] void unsupported(const Twine &what) {
    fail("unsupported inline PTX '" + what + "' in '" +
         call.getFunction()->getName() + "'");
  }

  void bindOperands(const InlineAsm &assembly) {
    unsigned argument = 0, number = 0;
    auto *aggregate = dyn_cast<StructType>(call.getType());
    for (const InlineAsm::ConstraintInfo &info : assembly.ParseConstraints()) {
      if (info.Type == InlineAsm::isClobber)
        continue;
      std::string name = "$" + std::to_string(number++);
      if (info.Type == InlineAsm::isOutput && !info.isIndirect) {
        Type *type = aggregate ? aggregate->getElementType(outputs.size())
                               : call.getType();
        outputs.emplace_back(name, type);
        continue;
      }
      Value *value = call.getArgOperand(argument++);
      registers[name] = value;
      // A tied input is the initial value of its output.
      if (info.hasMatchingInput() || info.Codes.empty())
        continue;
      unsigned tied;
      if (!StringRef(info.Codes.front()).getAsInteger(10, tied))
        registers["$" + std::to_string(tied)] = value;
    }
  }

  void replaceCall() {
    if (outputs.empty()) {
      call.eraseFromParent();
      return;
    }
    builder.SetInsertPoint(&call);
    Value *result = nullptr;
    if (!call.getType()->isStructTy()) {
      result = coerce(registers[outputs.front().first], call.getType());
    } else {
      result = PoisonValue::get(call.getType());
      for (auto [index, output] : enumerate(outputs))
        result = builder.CreateInsertValue(
            result, coerce(registers[output.first], output.second), index);
    }
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  Type *typeOf(StringRef suffix) {
    Type *scalar = StringSwitch<Type *>(suffix)
                       .Cases({"f32", "tf32"}, Type::getFloatTy(context))
                       .Case("f64", Type::getDoubleTy(context))
                       .Case("f16", Type::getHalfTy(context))
                       .Case("bf16", Type::getBFloatTy(context))
                       .Cases({"b8", "u8", "s8"}, Type::getInt8Ty(context))
                       .Cases({"b16", "u16", "s16"}, Type::getInt16Ty(context))
                       .Cases({"b32", "u32", "s32"}, Type::getInt32Ty(context))
                       .Cases({"b64", "u64", "s64"}, Type::getInt64Ty(context))
                       .Case("b128", Type::getInt128Ty(context))
                       .Case("pred", Type::getInt1Ty(context))
                       .Default(nullptr);
    if (scalar)
      return scalar;
    if (suffix == "f16x2")
      return FixedVectorType::get(Type::getHalfTy(context), 2);
    if (suffix == "bf16x2")
      return FixedVectorType::get(Type::getBFloatTy(context), 2);
    return nullptr;
  }

  Type *bits(unsigned width) { return IntegerType::get(context, width); }

  Value *asBits(Value *value) {
    Type *type = value->getType();
    if (type->isPointerTy())
      return builder.CreatePtrToInt(value, bits(64));
    if (type->isIntegerTy())
      return value;
    return builder.CreateBitCast(value, bits(type->getPrimitiveSizeInBits()));
  }

  Value *coerce(Value *value, Type *type) {
    if (!value)
      unsupported("a register that nothing sets");
    if (value->getType() == type)
      return value;
    Value *number = asBits(value);
    if (type->isPointerTy())
      return builder.CreateIntToPtr(builder.CreateZExtOrTrunc(number, bits(64)),
                                    type);
    number =
        builder.CreateZExtOrTrunc(number, bits(type->getPrimitiveSizeInBits()));
    return type->isIntegerTy() ? number : builder.CreateBitCast(number, type);
  }

  Value *get(StringRef text, Type *type) {
    if (text.starts_with("{")) {
      Value *whole = ConstantInt::get(
          type->isIntegerTy() ? type : bits(type->getPrimitiveSizeInBits()), 0);
      SmallVector<StringRef> parts = ptx::list(text);
      const unsigned width =
          whole->getType()->getIntegerBitWidth() / parts.size();
      for (auto [index, part] : enumerate(parts)) {
        Value *piece =
            builder.CreateZExt(get(part, bits(width)), whole->getType());
        whole =
            builder.CreateOr(whole, builder.CreateShl(piece, index * width));
      }
      return coerce(whole, type);
    }
    if (std::optional<APInt> number = ptx::immediate(text)) {
      Value *constant = ConstantInt::get(context, *number);
      if (type->isFloatingPointTy() && !text.starts_with("0"))
        return ConstantFP::get(type, text);
      return coerce(constant, type);
    }
    auto found = registers.find(text.str());
    if (found == registers.end())
      unsupported(text);
    return coerce(found->second, type);
  }

  void set(StringRef text, Value *value) {
    if (text == "_")
      return;
    if (text.starts_with("{")) {
      Value *number = asBits(value);
      SmallVector<StringRef> parts = ptx::list(text);
      const unsigned width =
          number->getType()->getIntegerBitWidth() / parts.size();
      for (auto [index, part] : enumerate(parts))
        set(part, builder.CreateTrunc(builder.CreateLShr(number, index * width),
                                      bits(width)));
      return;
    }
    registers[text.str()] = value;
  }

  Value *address(StringRef text, unsigned space) {
    StringRef inside = text.drop_front().drop_back().trim();
    auto [base, offset] = inside.split('+');
    Value *value = get(base.trim(), bits(64));
    if (!offset.trim().empty())
      value = builder.CreateAdd(value, get(offset.trim(), bits(64)));
    return builder.CreateIntToPtr(value, PointerType::get(context, space));
  }

  //===--------------------------------------------------------------------===//
  // Statements
  //===--------------------------------------------------------------------===//

  void translate(const ptx::Statement &statement) {
    if (statement.isDeclaration())
      return;
    if (statement.predicate.empty()) {
      execute(statement);
      return;
    }
    // A guarded instruction that only sets a register becomes a select.
    StringRef name = statement.predicate;
    const bool negated = name.consume_front("!");
    Value *guard = get(name, Type::getInt1Ty(context));
    if (negated)
      guard = builder.CreateNot(guard);
    std::map<std::string, Value *> before = registers;
    BasicBlock *head = builder.GetInsertBlock();
    Instruction *end = SplitBlockAndInsertIfThen(
        guard, &*builder.GetInsertPoint(), /*Unreachable=*/false);
    builder.SetInsertPoint(end);
    execute(statement);
    BasicBlock *then = builder.GetInsertBlock();
    BasicBlock *tail = call.getParent();
    builder.SetInsertPoint(&call);
    for (auto &[text, value] : registers) {
      Value *old = before.count(text) ? before[text] : nullptr;
      if (old == value)
        continue;
      if (old && old->getType() != value->getType()) {
        IRBuilder<>::InsertPointGuard restore(builder);
        builder.SetInsertPoint(then->getTerminator());
        value = coerce(value, old->getType());
      }
      PHINode *phi = PHINode::Create(value->getType(), 2, "", tail->begin());
      phi->addIncoming(old ? old : PoisonValue::get(value->getType()), head);
      phi->addIncoming(value, then);
      value = phi;
    }
  }

  void execute(const ptx::Statement &statement) {
    if (!executeMove(statement) && !executeMemory(statement) &&
        !executeArithmetic(statement) && !executeSync(statement) &&
        !executeMatrix(statement))
      unsupported(statement.text);
  }

  bool executeMove(const ptx::Statement &s) {
    if (s.name == "mov") {
      Type *type = typeOf(s.suffixes.back());
      if (!type || s.operands.size() != 2)
        return false;
      set(s.operands[0], get(s.operands[1], type));
      return true;
    }
    if (s.name == "cvta") {
      set(s.operands[0], get(s.operands[1], typeOf(s.suffixes.back())));
      return true;
    }
    if (s.name == "cvt")
      return executeConversion(s);
    if (s.name == "selp") {
      Type *type = typeOf(s.suffixes.back());
      set(s.operands[0],
          builder.CreateSelect(get(s.operands[3], Type::getInt1Ty(context)),
                               get(s.operands[1], type),
                               get(s.operands[2], type)));
      return true;
    }
    return false;
  }

  Value *convert(Value *value, Type *to, bool fromSigned, bool toSigned,
                 StringRef rounding) {
    Type *from = value->getType();
    if (from->isFloatingPointTy() && to->isFloatingPointTy())
      return builder.CreateFPCast(value, to);
    if (from->isIntegerTy() && to->isIntegerTy())
      return builder.CreateIntCast(value, to, fromSigned);
    if (from->isIntegerTy())
      return fromSigned ? builder.CreateSIToFP(value, to)
                        : builder.CreateUIToFP(value, to);
    if (from->isHalfTy() || from->isBFloatTy())
      value = builder.CreateFPExt(value, Type::getFloatTy(context));
    const Intrinsic::ID id = StringSwitch<Intrinsic::ID>(rounding)
                                 .Case("rni", Intrinsic::rint)
                                 .Case("rmi", Intrinsic::floor)
                                 .Case("rpi", Intrinsic::ceil)
                                 .Default(Intrinsic::trunc);
    value = builder.CreateUnaryIntrinsic(id, value);
    return toSigned ? builder.CreateFPToSI(value, to)
                    : builder.CreateFPToUI(value, to);
  }

  bool executeConversion(const ptx::Statement &s) {
    const size_t count = s.suffixes.size();
    if (count < 2)
      return false;
    StringRef toName = s.suffixes[count - 2], fromName = s.suffixes[count - 1];
    Type *to = typeOf(toName), *from = typeOf(fromName);
    if (!to || !from)
      return false;
    if (auto *pair = dyn_cast<FixedVectorType>(to)) {
      if (s.operands.size() != 3)
        return false;
      Value *result = PoisonValue::get(pair);
      // The first source operand is the upper half.
      for (unsigned lane : {0u, 1u})
        result = builder.CreateInsertElement(
            result,
            builder.CreateFPCast(get(s.operands[2 - lane], from),
                                 pair->getElementType()),
            lane);
      set(s.operands[0], result);
      return true;
    }
    set(s.operands[0],
        convert(get(s.operands[1], from), to, fromName.starts_with("s"),
                toName.starts_with("s"), s.suffixes.front()));
    return true;
  }

  bool executeMemory(const ptx::Statement &s) {
    if (s.name == "cp")
      return executeCopy(s);
    if (s.name == "prefetch" || s.name == "prefetchu")
      return true;
    if (s.name != "ld" && s.name != "st" && s.name != "ldu")
      return false;
    const bool load = s.name != "st";
    unsigned space = 0, width = 1;
    for (StringRef suffix : s.suffixes) {
      if (suffix.starts_with("shared"))
        space = sharedSpace;
      else if (suffix == "global")
        space = 1;
      else if (suffix == "v2" || suffix == "v4" || suffix == "v8")
        width = suffix[1] - '0';
      else if (suffix == "param" || suffix == "local" || suffix == "const")
        return false;
    }
    Type *type = typeOf(s.suffixes.back());
    if (!type || s.operands.size() != 2)
      return false;
    Value *where = address(s.operands[load ? 1 : 0], space);
    StringRef values = s.operands[load ? 0 : 1];
    if (width == 1) {
      if (load)
        set(values, builder.CreateLoad(type, where));
      else
        builder.CreateStore(get(values, type), where);
      return true;
    }
    SmallVector<StringRef> parts = ptx::list(values);
    auto *vector = FixedVectorType::get(type, width);
    if (load) {
      Value *loaded = builder.CreateLoad(vector, where);
      for (auto [index, part] : enumerate(parts))
        set(part, builder.CreateExtractElement(loaded, index));
      return true;
    }
    Value *stored = PoisonValue::get(vector);
    for (auto [index, part] : enumerate(parts))
      stored = builder.CreateInsertElement(stored, get(part, type), index);
    builder.CreateStore(stored, where);
    return true;
  }

  /// cp.async.{ca,cg}.shared.global [to], [from], bytes {, bytes read}: what is
  /// not read is zero.
  bool executeCopy(const ptx::Statement &s) {
    if (s.suffixes.front() != "async" || s.suffixes.size() < 2)
      return false;
    StringRef kind = s.suffixes[1];
    if (kind == "commit_group" || kind == "wait_group" || kind == "wait_all")
      return true;
    if ((kind != "ca" && kind != "cg") || s.operands.size() < 3)
      return false;
    Value *to = address(s.operands[0], sharedSpace);
    Value *from = address(s.operands[1], 1);
    Value *bytes = get(s.operands[2], bits(64)), *taken = bytes;
    if (s.operands.size() > 3) {
      taken = get(s.operands[3], bits(64));
      builder.CreateMemSet(to, builder.getInt8(0), bytes, MaybeAlign());
    }
    builder.CreateMemCpy(to, MaybeAlign(), from, MaybeAlign(), taken);
    return true;
  }

  bool executeArithmetic(const ptx::Statement &s) {
    if (s.suffixes.empty() || s.operands.empty())
      return false;
    StringRef suffix = s.suffixes.back();
    Type *type = typeOf(suffix);
    if (!type)
      return false;
    const bool isSigned = suffix.starts_with("s");
    const bool floating = type->isFPOrFPVectorTy();
    auto operand = [&](size_t index) { return get(s.operands[index], type); };
    auto has = [&](StringRef name) { return is_contained(s.suffixes, name); };
    auto unary = [&](Intrinsic::ID id) {
      set(s.operands[0], builder.CreateUnaryIntrinsic(id, operand(1)));
      return true;
    };
    StringRef name = s.name;
    const size_t count = s.operands.size();
    if (name == "setp") {
      set(s.operands[0],
          compare(s.suffixes.front(), operand(1), operand(2), isSigned));
      return true;
    }
    if (count == 2) {
      if (name == "neg")
        return set(s.operands[0], floating ? builder.CreateFNeg(operand(1))
                                           : builder.CreateNeg(operand(1))),
               true;
      if (name == "not")
        return set(s.operands[0], builder.CreateNot(operand(1))), true;
      if (!floating)
        return false;
      Value *one = ConstantFP::get(type, 1.0);
      if (name == "abs")
        return unary(Intrinsic::fabs);
      if (name == "ex2")
        return unary(Intrinsic::exp2);
      if (name == "lg2")
        return unary(Intrinsic::log2);
      if (name == "sin")
        return unary(Intrinsic::sin);
      if (name == "cos")
        return unary(Intrinsic::cos);
      if (name == "tanh")
        return unary(Intrinsic::tanh);
      if (name == "sqrt")
        return unary(Intrinsic::sqrt);
      if (name == "rcp")
        return set(s.operands[0], builder.CreateFDiv(one, operand(1))), true;
      if (name == "rsqrt")
        return set(s.operands[0],
                   builder.CreateFDiv(one, builder.CreateUnaryIntrinsic(
                                               Intrinsic::sqrt, operand(1)))),
               true;
      return false;
    }
    if (name == "fma" || name == "mad") {
      if (count != 4 || has("hi") || has("wide"))
        return false;
      Value *result =
          floating
              ? builder.CreateIntrinsic(Intrinsic::fma, {type},
                                        {operand(1), operand(2), operand(3)})
              : builder.CreateAdd(builder.CreateMul(operand(1), operand(2)),
                                  operand(3));
      set(s.operands[0], saturate(result, has("sat"), has("relu")));
      return true;
    }
    if (count != 3 || has("hi") || has("wide"))
      return false;
    Value *x = operand(1), *result = nullptr;
    if (name == "shl" || name == "shr") {
      Value *amount =
          builder.CreateZExtOrTrunc(get(s.operands[2], bits(32)), type);
      result = name == "shl" ? builder.CreateShl(x, amount)
               : isSigned    ? builder.CreateAShr(x, amount)
                             : builder.CreateLShr(x, amount);
      set(s.operands[0], result);
      return true;
    }
    Value *y = operand(2);
    if (name == "add")
      result = floating ? builder.CreateFAdd(x, y) : builder.CreateAdd(x, y);
    else if (name == "sub")
      result = floating ? builder.CreateFSub(x, y) : builder.CreateSub(x, y);
    else if (name == "mul")
      result = floating ? builder.CreateFMul(x, y) : builder.CreateMul(x, y);
    else if (name == "div" && floating)
      result = builder.CreateFDiv(x, y);
    else if (name == "min" || name == "max")
      result = extreme(name == "max", x, y, floating, isSigned);
    else if (name == "and")
      result = builder.CreateAnd(x, y);
    else if (name == "or")
      result = builder.CreateOr(x, y);
    else if (name == "xor")
      result = builder.CreateXor(x, y);
    else
      return false;
    set(s.operands[0],
        floating ? saturate(result, has("sat"), has("relu")) : result);
    return true;
  }

  Value *extreme(bool largest, Value *x, Value *y, bool floating,
                 bool isSigned) {
    const Intrinsic::ID id =
        floating   ? (largest ? Intrinsic::maxnum : Intrinsic::minnum)
        : isSigned ? (largest ? Intrinsic::smax : Intrinsic::smin)
                   : (largest ? Intrinsic::umax : Intrinsic::umin);
    return builder.CreateBinaryIntrinsic(id, x, y);
  }

  Value *saturate(Value *value, bool toOne, bool relu) {
    Type *type = value->getType();
    if (toOne || relu)
      value = builder.CreateBinaryIntrinsic(Intrinsic::maxnum, value,
                                            ConstantFP::get(type, 0.0));
    if (toOne)
      value = builder.CreateBinaryIntrinsic(Intrinsic::minnum, value,
                                            ConstantFP::get(type, 1.0));
    return value;
  }

  Value *compare(StringRef relation, Value *x, Value *y, bool isSigned) {
    if (x->getType()->isFloatingPointTy()) {
      const auto predicate = StringSwitch<CmpInst::Predicate>(relation)
                                 .Case("eq", CmpInst::FCMP_OEQ)
                                 .Case("ne", CmpInst::FCMP_ONE)
                                 .Case("lt", CmpInst::FCMP_OLT)
                                 .Case("le", CmpInst::FCMP_OLE)
                                 .Case("gt", CmpInst::FCMP_OGT)
                                 .Case("ge", CmpInst::FCMP_OGE)
                                 .Default(CmpInst::BAD_FCMP_PREDICATE);
      if (predicate == CmpInst::BAD_FCMP_PREDICATE)
        unsupported("setp." + relation);
      return builder.CreateFCmp(predicate, x, y);
    }
    const auto predicate =
        StringSwitch<CmpInst::Predicate>(relation)
            .Case("eq", CmpInst::ICMP_EQ)
            .Case("ne", CmpInst::ICMP_NE)
            .Case("lt", isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
            .Case("le", isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
            .Case("gt", isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
            .Case("ge", isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
            .Default(CmpInst::BAD_ICMP_PREDICATE);
    if (predicate == CmpInst::BAD_ICMP_PREDICATE)
      unsupported("setp." + relation);
    return builder.CreateICmp(predicate, x, y);
  }

  CallInst *runtime(StringRef name, Type *result, ArrayRef<Value *> values) {
    SmallVector<Type *> types;
    for (Value *value : values)
      types.push_back(value->getType());
    return builder.CreateCall(
        module.getOrInsertFunction(name,
                                   FunctionType::get(result, types, false)),
        values);
  }

  bool executeSync(const ptx::Statement &s) {
    if (s.name == "fence" || s.name == "membar" || s.name == "nanosleep")
      return true;
    if (s.name == "activemask") {
      set(s.operands[0], runtime("nvvm_activemask", bits(32), {}));
      return true;
    }
    if ((s.name == "bar" || s.name == "barrier") && !s.suffixes.empty() &&
        is_contained(s.suffixes, "sync")) {
      Value *count = s.operands.size() > 1 ? get(s.operands[1], bits(32))
                                           : ConstantInt::get(bits(32), 0);
      runtime("nvvm_barrier_cta_sync_aligned_count", Type::getVoidTy(context),
              {get(s.operands[0], bits(32)), count});
      return true;
    }
    return false;
  }

  /// Warp-wide matrix instructions go through memory: arrays of 32-bit
  /// registers that the runtime reads and fills.
  Value *spill(ArrayRef<Value *> values, unsigned words) {
    IRBuilder<> entry(
        &*call.getFunction()->getEntryBlock().getFirstInsertionPt());
    AllocaInst *array = entry.CreateAlloca(ArrayType::get(bits(32), words));
    for (auto [index, value] : enumerate(values))
      builder.CreateStore(
          value, builder.CreateConstInBoundsGEP2_64(array->getAllocatedType(),
                                                    array, 0, index));
    return array;
  }

  void reload(StringRef text, Value *array, unsigned words) {
    for (auto [index, part] : enumerate(ptx::list(text)))
      set(part,
          builder.CreateLoad(
              bits(32), builder.CreateConstInBoundsGEP2_64(
                            ArrayType::get(bits(32), words), array, 0, index)));
  }

  SmallVector<Value *> words(StringRef text) {
    SmallVector<Value *> result;
    for (StringRef part : ptx::list(text))
      result.push_back(get(part, bits(32)));
    return result;
  }

  bool executeMatrix(const ptx::Statement &s) {
    auto has = [&](StringRef name) { return is_contained(s.suffixes, name); };
    Type *none = Type::getVoidTy(context);
    if (s.name == "ldmatrix" && has("m8n8")) {
      const unsigned count = has("x4") ? 4 : has("x2") ? 2 : 1;
      Value *array = spill({}, count);
      runtime("ioflor_ldmatrix", none,
              {array, address(s.operands[1], sharedSpace),
               ConstantInt::get(bits(32), count),
               ConstantInt::get(bits(32), has("trans"))});
      reload(s.operands[0], array, count);
      return true;
    }
    if (s.name == "mma" && has("m16n8k16") && s.operands.size() == 4) {
      SmallVector<Value *> a = words(s.operands[1]), b = words(s.operands[2]),
                           c = words(s.operands[3]);
      const size_t types = s.suffixes.size() - 4;
      StringRef dType = s.suffixes[types], aType = s.suffixes[types + 1];
      if (a.size() != 4 || b.size() != 2 ||
          (aType != "f16" && aType != "bf16") ||
          c.size() != (dType == "f32" ? 4u : 2u))
        return false;
      Value *result = spill({}, 4);
      runtime(dType == "f32" ? "ioflor_mma_m16n8k16_f32"
                             : "ioflor_mma_m16n8k16_f16",
              none,
              {result, spill(a, 4), spill(b, 2), spill(c, 4),
               ConstantInt::get(bits(32), aType == "bf16")});
      reload(s.operands[0], result, 4);
      return true;
    }
    return false;
  }

  CallInst &call;
  IRBuilder<> builder;
  LLVMContext &context;
  Module &module;
  std::map<std::string, Value *> registers;
  SmallVector<std::pair<std::string, Type *>> outputs;
};

} // namespace

PreservedAnalyses ioflor::harness::LowerPtxPass::run(Module &module,
                                                     ModuleAnalysisManager &) {
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (call->isInlineAsm())
          calls.push_back(call);
  for (CallInst *call : calls)
    Translator(*call).run();
  return PreservedAnalyses::none();
}
