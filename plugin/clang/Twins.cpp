//===- Twins.cpp - Subjects with one and the same skeleton ----------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/Twins.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace ioflor::frontend {

/// `info` without what tells two instantiations apart.
static DictionaryAttr anonymous(DictionaryAttr info) {
  NamedAttrList kept(info);
  for (StringRef key : {"kernel", "instantiation", "launch"})
    kept.erase(key);
  return kept.getDictionary(info.getContext());
}

static OwningOpRef<SubjectOp> anonymous(SubjectOp subject) {
  OwningOpRef<SubjectOp> copy(subject.clone());
  copy->setSymName("_");
  copy->setInfoAttr(anonymous(copy->getInfo()));
  (*copy)->walk(
      [](StageOp stage) { stage.setInfoAttr(anonymous(stage.getInfo())); });
  return copy;
}

static size_t operationsOf(SubjectOp subject) {
  size_t n = 0;
  subject->walk([&](Operation *) { ++n; });
  return n;
}

std::optional<unsigned> Twins::find(SubjectOp subject) const {
  if (entries.empty())
    return std::nullopt;
  OwningOpRef<SubjectOp> own = anonymous(subject);
  size_t operations = operationsOf(*own);
  for (const Entry &e : entries)
    if (e.operations == operations &&
        OperationEquivalence::isEquivalentTo(
            own.get().getOperation(), const_cast<Entry &>(e).skeleton.get(),
            OperationEquivalence::Flags::None))
      return e.number;
  return std::nullopt;
}

void Twins::enter(SubjectOp subject, unsigned number) {
  OwningOpRef<SubjectOp> own = anonymous(subject);
  size_t operations = operationsOf(*own);
  entries.push_back({std::move(own), operations, number});
}

OwningOpRef<SubjectOp> asTwin(SubjectOp analysed, SubjectOp twin) {
  OwningOpRef<SubjectOp> copy(analysed.clone());
  copy->setSymName(twin.getSymName());
  copy->setInfoAttr(twin.getInfoAttr());
  std::vector<StageOp> stages;
  twin->walk([&](StageOp stage) { stages.push_back(stage); });
  size_t next = 0;
  (*copy)->walk([&](StageOp stage) {
    if (next < stages.size())
      stage.setInfoAttr(stages[next++].getInfoAttr());
  });
  return copy;
}

} // namespace ioflor::frontend
