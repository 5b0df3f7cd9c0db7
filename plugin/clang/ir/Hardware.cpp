//===- Hardware.cpp - Thread and block indices in LLVM IR -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Hardware.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace ioflor::ir;

static std::optional<LaunchRead> fromIntrinsic(Intrinsic::ID id) {
  using L = LaunchRead;
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::amdgcn_workitem_id_x:
    return L{L::ThreadIndex, 0};
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::amdgcn_workitem_id_y:
    return L{L::ThreadIndex, 1};
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::amdgcn_workitem_id_z:
    return L{L::ThreadIndex, 2};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::amdgcn_workgroup_id_x:
    return L{L::BlockIndex, 0};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::amdgcn_workgroup_id_y:
    return L{L::BlockIndex, 1};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::amdgcn_workgroup_id_z:
    return L{L::BlockIndex, 2};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return L{L::BlockExtent, 0};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return L{L::BlockExtent, 1};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return L{L::BlockExtent, 2};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return L{L::GridExtent, 0};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return L{L::GridExtent, 1};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return L{L::GridExtent, 2};
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return L{L::Lane, 0};
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return L{L::WarpSize, 0};
  default:
    return std::nullopt;
  }
}

/// OpenCL's work-item functions arrive as calls of mangled library functions.
static std::optional<LaunchRead> fromOpenCL(const CallBase &call,
                                            StringRef name) {
  using L = LaunchRead;
  auto kind =
      StringSwitch<std::optional<L::Kind>>(name)
          .Cases(
              {"get_global_id", "_Z13get_global_idj", "__ockl_get_global_id"},
              L::GlobalIndex)
          .Cases({"get_local_id", "_Z12get_local_idj", "__ockl_get_local_id"},
                 L::ThreadIndex)
          .Cases({"get_group_id", "_Z12get_group_idj", "__ockl_get_group_id"},
                 L::BlockIndex)
          .Cases({"get_local_size", "_Z14get_local_sizej",
                  "__ockl_get_local_size", "get_enqueued_local_size",
                  "_Z23get_enqueued_local_sizej"},
                 L::BlockExtent)
          .Cases({"get_num_groups", "_Z14get_num_groupsj",
                  "__ockl_get_num_groups"},
                 L::GridExtent)
          .Cases({"get_global_size", "_Z15get_global_sizej"}, L::GlobalExtent)
          .Cases({"get_global_offset", "_Z17get_global_offsetj"}, L::GridOffset)
          .Cases({"get_sub_group_local_id", "_Z22get_sub_group_local_idv"},
                 L::Lane)
          .Cases({"get_sub_group_size", "_Z18get_sub_group_sizev",
                  "get_max_sub_group_size", "_Z22get_max_sub_group_sizev"},
                 L::WarpSize)
          .Cases({"get_sub_group_id", "_Z16get_sub_group_idv"}, L::WarpIndex)
          .Default(std::nullopt);
  if (!kind)
    return std::nullopt;
  if (call.arg_size() == 0)
    return L{*kind, 0};
  auto *dim = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (!dim || dim->getZExtValue() > 2)
    return std::nullopt;
  return L{*kind, static_cast<unsigned>(dim->getZExtValue())};
}

/// HIP's blockDim and gridDim are loads at fixed offsets of the packets that
/// amdgcn.dispatch.ptr and amdgcn.implicitarg.ptr point at (hidden arguments of
/// code object 5: block counts at 0, 4, 8, group sizes at 12, 14, 16; HSA
/// dispatch packet: workgroup sizes at 4, 6, 8, grid sizes at 12, 16, 20).
static std::optional<LaunchRead> fromPacket(const LoadInst &load) {
  using L = LaunchRead;
  const DataLayout &layout = load.getModule()->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true);
  uint64_t at = offset.getZExtValue();
  unsigned bits = load.getType()->getScalarSizeInBits();
  // Stub headers declare the built-in variables as variables.
  if (auto *global = dyn_cast<GlobalVariable>(base);
      global && global->isDeclaration() && at < 12 && at % 4 == 0 &&
      bits == 32) {
    auto kind = StringSwitch<std::optional<L::Kind>>(global->getName())
                    .Case("threadIdx", L::ThreadIndex)
                    .Case("blockIdx", L::BlockIndex)
                    .Case("blockDim", L::BlockExtent)
                    .Case("gridDim", L::GridExtent)
                    .Default(std::nullopt);
    if (kind)
      return L{*kind, static_cast<unsigned>(at / 4)};
  }
  auto *call = dyn_cast<IntrinsicInst>(base);
  if (!call)
    return std::nullopt;
  if (call->getIntrinsicID() == Intrinsic::amdgcn_implicitarg_ptr) {
    if (at < 12 && at % 4 == 0 && bits == 32)
      return L{L::GridExtent, static_cast<unsigned>(at / 4)};
    if (at >= 12 && at < 18 && at % 2 == 0 && bits == 16)
      return L{L::BlockExtent, static_cast<unsigned>((at - 12) / 2)};
  } else if (call->getIntrinsicID() == Intrinsic::amdgcn_dispatch_ptr) {
    if (at >= 4 && at < 10 && at % 2 == 0 && bits == 16)
      return L{L::BlockExtent, static_cast<unsigned>((at - 4) / 2)};
    if (at >= 12 && at < 24 && at % 4 == 0 && bits == 32)
      return L{L::GlobalExtent, static_cast<unsigned>((at - 12) / 4)};
  }
  return std::nullopt;
}

std::optional<LaunchRead> ioflor::ir::launchRead(const Instruction &inst) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return fromPacket(*load);
  auto *call = dyn_cast<CallBase>(&inst);
  if (!call || !call->getCalledFunction())
    return std::nullopt;
  const Function &callee = *call->getCalledFunction();
  if (callee.isIntrinsic())
    return fromIntrinsic(callee.getIntrinsicID());
  return fromOpenCL(*call, callee.getName());
}
