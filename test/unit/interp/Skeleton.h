//===- Skeleton.h - Skeletons from text, for tests ---------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_TEST_UNIT_INTERP_SKELETON_H
#define IOFLOR_TEST_UNIT_INTERP_SKELETON_H

#include "dialect/interp/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <string>

namespace ioflor {

/// A parsed module; its first subject. Fails the test if the text is wrong.
struct Skeleton {
  /// `body` stands in a subject with the slow buffers Q, K, O.
  explicit Skeleton(const std::string &body) {
    context.loadDialect<IoflorDialect>();
    std::string text = "ioflor.subject @s attributes {info = {}} {\n"
                       "ioflor.buffer slow @Q : 4 bytes\n"
                       "ioflor.buffer slow @K : 4 bytes\n"
                       "ioflor.buffer slow @O : 4 bytes\n" +
                       body + "}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    subject = *module->getOps<SubjectOp>().begin();
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  SubjectOp subject;
};

/// `body` in one stage.
inline std::string stage(const std::string &body, const char *name = "k") {
  return std::string("ioflor.stage @") + name +
         " threads \"1\" registers 0 attributes {info = {}} {\n" + body + "}\n";
}

inline Valuation
sizes(std::initializer_list<std::pair<const char *, int64_t>> l) {
  Valuation at;
  for (auto [name, value] : l)
    at[name] = BigInt(value);
  return at;
}

inline Words exactly(uint64_t n) { return {n, n}; }

inline std::ostream &operator<<(std::ostream &os, const Words &w) {
  os << '[' << w.lo << ", ";
  return (w.hi ? os << *w.hi : os << '?') << ']';
}

/// issued, traffic, compulsory.
inline void expectCounts(const AccessCounts &c, Words issued, Words traffic,
                         Words compulsory) {
  EXPECT_EQ(c.issued, issued);
  EXPECT_EQ(c.traffic, traffic);
  EXPECT_EQ(c.compulsory, compulsory);
}

} // namespace ioflor

#endif // IOFLOR_TEST_UNIT_INTERP_SKELETON_H
