//===- HostLaunches.cpp - Launches in host code ---------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `kernel<<<grid, block, shared, stream>>>(args)` and the functions that do the
// same: cudaLaunchKernel, cudaLaunchKernelEx(C), their cooperative and HIP
// kin.
//
//===----------------------------------------------------------------------===//

#include "plugin/clang/ast/HostEval.h"
#include "plugin/loader/Kernels.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

/// The field of a record by its name.
const Value *fieldNamed(const Value &v, StringRef name) {
  if (v.kind != Value::Record)
    return nullptr;
  for (const auto &[step, value] : v.fields)
    if (step.kind == Step::Field)
      if (cast<NamedDecl>(step.decl)->getName() == name)
        return &value;
  return nullptr;
}

} // namespace

Value HostEval::extent(const Value &v, unsigned axis) {
  if (v.isInteger())
    return axis == 0 ? v : Value::integer(1);
  static constexpr const char *axes[] = {"x", "y", "z"};
  if (const Value *field = fieldNamed(v, axes[axis]))
    return *field;
  return Value::opaque("launch extent");
}

void HostEval::dimensions(const clang::Expr *e, State &state, Value out[3]) {
  Value v;
  if (std::optional<Path> path = lvalue(e, state)) {
    v = part(state, *path, e->getType());
    // A dim3 that nobody has written here: its parts are symbols.
    if (const CXXRecordDecl *record = e->getType()->getAsCXXRecordDecl())
      for (const FieldDecl *field : record->fields())
        part(state, path->child({Step::Field, field->getCanonicalDecl(), 0}),
             field->getType());
    v = part(state, *path, e->getType());
  } else {
    v = eval(e, state);
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    out[axis] = integerOr(extent(v, axis), spell(e), e->getExprLoc(),
                          ctx.UnsignedIntTy);
}

const FunctionDecl *HostEval::functionValue(const clang::Expr *e,
                                            State &state) {
  Value v = eval(e, state);
  if (v.kind == Value::Address) {
    Value at = part(state, v.target, e->getType());
    v = at;
  }
  return v.kind == Value::Function && isKernel(v.function) ? v.function
                                                           : nullptr;
}

void HostEval::launchKernel(const CUDAKernelCallExpr *call, State &state) {
  const FunctionDecl *kernel = call->getDirectCallee();
  if (!kernel)
    kernel = functionValue(call->getCallee(), state);
  Launch launch;
  const CallExpr *config = call->getConfig();
  if (config && config->getNumArgs() >= 2) {
    dimensions(config->getArg(0), state, launch.grid);
    dimensions(config->getArg(1), state, launch.block);
    if (config->getNumArgs() >= 3)
      launch.sharedBytes =
          integerOr(eval(config->getArg(2), state), "shared_bytes",
                    call->getExprLoc(), ctx.getSizeType());
    launch.config = config->getSourceRange();
  }
  for (const clang::Expr *arg : call->arguments()) {
    Value v = eval(arg, state);
    if (v.kind == Value::Address && !arg->getType()->isPointerType())
      v = part(state, v.target, arg->getType());
    launch.args.push_back(std::move(v));
  }
  if (!kernel || state.dead)
    return;
  launch.kernel = kernel;
  launch.within = frames.back()->function;
  launch.range = call->getSourceRange();
  launch.state = state;
  launches.push_back(std::move(launch));
}

bool HostEval::launchByApi(const CallExpr *call, State &state, StringRef name) {
  enum {
    None,
    Array,
    Config
  } form =
      StringSwitch<decltype(form)>(name)
          .Cases({"cudaLaunchKernel", "cudaLaunchCooperativeKernel"}, Array)
          .Cases({"hipLaunchKernel", "hipLaunchCooperativeKernel"}, Array)
          .Cases({"cudaLaunchKernelEx", "cudaLaunchKernelExC"}, Config)
          .Default(None);
  if (form == None)
    return false;
  Launch launch;
  launch.within = frames.back()->function;
  launch.range = launch.config = call->getSourceRange();
  if (form == Array) {
    if (call->getNumArgs() < 4)
      return false;
    launch.kernel = functionValue(call->getArg(0), state);
    dimensions(call->getArg(1), state, launch.grid);
    dimensions(call->getArg(2), state, launch.block);
    Value array = eval(call->getArg(3), state);
    if (launch.kernel && array.kind == Value::Address)
      for (unsigned i = 0; i < launch.kernel->getNumParams(); ++i) {
        Value at = part(state, array.target.child({Step::Index, nullptr, i}),
                        ctx.VoidPtrTy);
        if (at.kind == Value::Address)
          at =
              part(state, at.target, launch.kernel->getParamDecl(i)->getType());
        launch.args.push_back(at);
      }
    if (call->getNumArgs() >= 5)
      launch.sharedBytes =
          integerOr(eval(call->getArg(4), state), "shared_bytes",
                    call->getExprLoc(), ctx.getSizeType());
  } else {
    if (call->getNumArgs() < 2)
      return false;
    Value config = eval(call->getArg(0), state);
    if (config.kind != Value::Address)
      return false;
    launch.kernel = functionValue(call->getArg(1), state);
    QualType type = call->getArg(0)->getType()->getPointeeType();
    if (const RecordDecl *record = type->getAsRecordDecl())
      for (const FieldDecl *field : record->fields()) {
        Path path =
            config.target.child({Step::Field, field->getCanonicalDecl(), 0});
        Value v = part(state, path, field->getType());
        Value *out = field->getName() == "gridDim"    ? launch.grid
                     : field->getName() == "blockDim" ? launch.block
                                                      : nullptr;
        for (unsigned axis = 0; out && axis < 3; ++axis)
          out[axis] = integerOr(extent(v, axis), field->getName(),
                                call->getExprLoc(), ctx.UnsignedIntTy);
        if (field->getName() == "dynamicSmemBytes")
          launch.sharedBytes = integerOr(v, "shared_bytes", call->getExprLoc(),
                                         ctx.getSizeType());
      }
    for (unsigned i = 2; i < call->getNumArgs(); ++i)
      launch.args.push_back(eval(call->getArg(i), state));
  }
  if (!launch.kernel || state.dead)
    return true;
  launch.state = state;
  launches.push_back(std::move(launch));
  return true;
}

Launch HostEval::entry(const FunctionDecl *function) {
  Launch launch;
  launch.kernel = function;
  State state;
  for (const ParmVarDecl *param : function->parameters()) {
    Path path = variable(param);
    if (param->getDeclName().isEmpty())
      roots[path.root].spelling = "unnamed";
    QualType type = param->getType().getNonReferenceType();
    fill(state, path, type);
    launch.args.push_back(part(state, path, type));
  }
  static constexpr const char *axes[] = {"x", "y", "z"};
  bool kernel = isKernel(function);
  for (unsigned axis = 0; axis < 3; ++axis)
    for (auto [out, what] : {std::pair(launch.grid, "gridDim_"),
                             std::pair(launch.block, "blockDim_")})
      out[axis] = Value::integer(
          kernel ? names.symbol(std::string(what) + axes[axis], Expr(1),
                                Expr(2147483647), function->getLocation())
                 : Expr(1));
  // What bounds the block is written at the kernel.
  if (const auto *bounds = function->getAttr<CUDALaunchBoundsAttr>()) {
    Value threads = eval(bounds->getMaxThreads(), state);
    if (threads.isInteger())
      state.facts.push_back(
          {le(launch.block[0].num * launch.block[1].num * launch.block[2].num,
              threads.num),
           "__launch_bounds__ at " + where(function->getLocation())});
  }
  if (const auto *fixed = function->getAttr<ReqdWorkGroupSizeAttr>()) {
    Value sizes[3] = {eval(fixed->getXDim(), state),
                      eval(fixed->getYDim(), state),
                      eval(fixed->getZDim(), state)};
    for (unsigned axis = 0; axis < 3; ++axis)
      if (sizes[axis].isInteger())
        launch.block[axis] = sizes[axis];
  }
  launch.sharedBytes = Value::integer(0);
  launch.state = std::move(state);
  return launch;
}

/// Makes up all parts of an object, so that copies of it share them.
void HostEval::fill(State &state, const Path &path, QualType type,
                    unsigned depth) {
  type = type.getNonReferenceType();
  const RecordDecl *record = type->getAsRecordDecl();
  if (!record || !record->getDefinition() || depth > 4) {
    part(state, path, type);
    return;
  }
  for (const FieldDecl *field : record->getDefinition()->fields())
    if (!field->isBitField() && !field->getType()->isArrayType())
      fill(state, path.child({Step::Field, field->getCanonicalDecl(), 0}),
           field->getType(), depth + 1);
}

} // namespace ioflor::frontend
