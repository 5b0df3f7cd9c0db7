//===- HostEval.h - Runs host code on symbols --------------------*- C++
//-*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the body of a host function in order with symbolic values for its
// parameters, follows calls whose bodies are visible, and writes down every
// launch with what grid, block, shared memory and arguments are at that point,
// the conditions under which control gets there and the loops around it.
//
// What cannot be read becomes a fresh symbol that says so: never a guess.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_CLANG_AST_HOSTEVAL_H
#define IOFLOR_PLUGIN_CLANG_AST_HOSTEVAL_H

#include "plugin/clang/Subject.h"
#include "plugin/clang/ast/Names.h"
#include "plugin/clang/ast/SizeUse.h"
#include "plugin/clang/ast/Value.h"
#include "plugin/loader/Handover.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <deque>

namespace ioflor::frontend {

/// One launch as the host code reaches it.
struct Launch {
  const clang::FunctionDecl *kernel = nullptr;
  /// The host function whose text holds the launch.
  const clang::FunctionDecl *within = nullptr;
  clang::SourceRange range;
  clang::SourceRange config; ///< `<<<...>>>`
  Value grid[3], block[3], sharedBytes;
  std::vector<Value> args;
  State state; ///< facts and loops there, and variables
};

/// A call of the host code that is given a buffer and whose body is not
/// followed: an API function, or one defined elsewhere.
struct HostTouch {
  enum Kind { Reads, MayWrite, Overwrites } kind = Reads;
  unsigned buffer = 0;
  size_t after = 0; ///< launches before it
  std::string callee;
  clang::SourceLocation loc;
  State state; ///< facts and loops there; no variables
  /// What it writes, where that is one number: `cudaMemset(p, 0, bytes)`.
  Fill fill = Fill::Unknown;
  std::optional<Expr> bytes; ///< that it writes; none: the whole buffer
};

class HostEval {
public:
  HostEval(clang::ASTContext &context, const SizeUse &sizes,
           llvm::ArrayRef<HostCheck> checks);

  /// Runs `root` with its parameters as symbols; the launches go to `launches`.
  void run(const clang::FunctionDecl *root);

  /// A function that is launched nowhere in the file, or is no kernel: extents
  /// and parameters are symbols (for plain functions the extents are 1).
  Launch entry(const clang::FunctionDecl *function);

  /// Value of an expression of a kernel or of the host where `state` holds, for
  /// asserts in device code: parameters must be in `state`.
  Cond conditionOf(const clang::Expr *e, State &state);

  Names names;
  std::vector<Launch> launches;
  std::vector<HostTouch> touches;

  /// The value of a part of a value, made up by its type where nothing is
  /// known.
  Value part(State &state, const Path &path, clang::QualType type);
  Value integerOr(Value v, llvm::StringRef spelling, clang::SourceLocation loc,
                  clang::QualType type);
  clang::ASTContext &context() { return ctx; }
  std::string spell(const clang::Stmt *s) const;
  std::string where(clang::SourceLocation loc) const;

private:
  enum class Flow { Next, Stop, Continue };
  struct Frame {
    const clang::FunctionDecl *function = nullptr;
    std::vector<State> exits; ///< states at returns
    std::vector<Value> returned;
    std::vector<State> breaks; ///< states at breaks, innermost last
  };

  // Statements.
  Flow exec(const clang::Stmt *s, State &state);
  Flow execIf(const clang::IfStmt *s, State &state);
  Flow execSwitch(const clang::SwitchStmt *s, State &state);
  Flow execLoop(const clang::Stmt *loop, State &state);
  Flow execTry(const clang::CXXTryStmt *attempt, State &state);
  bool leavesBy(const clang::GotoStmt *jump) const;
  void declare(const clang::VarDecl *var, State &state);
  State merge(const State &before, State a, State b, clang::SourceLocation loc);
  Value mergeValue(const Value &a, const Value &b, llvm::StringRef name,
                   clang::SourceLocation loc);
  void forgetAssigned(const clang::Stmt *s, State &state);
  void applyChecks(clang::SourceRange range, State &state);

  // Expressions.
  Value eval(const clang::Expr *e, State &state, llvm::StringRef hint = {});
  Value evalBinary(const clang::BinaryOperator *op, State &state,
                   llvm::StringRef hint);
  Value evalUnary(const clang::UnaryOperator *op, State &state);
  Value evalConditional(const clang::AbstractConditionalOperator *op,
                        State &state, llvm::StringRef hint);
  Value evalCast(const clang::CastExpr *cast, State &state,
                 llvm::StringRef hint);
  Value arithmetic(clang::BinaryOperatorKind kind, Value a, Value b,
                   clang::QualType type, const clang::Expr *e,
                   llvm::StringRef hint);
  Value pointerArithmetic(clang::BinaryOperatorKind kind, Value a, Value b,
                          clang::QualType pointer, const clang::Expr *e);
  std::optional<Path> lvalue(const clang::Expr *e, State &state);
  Value load(State &state, const clang::Expr *e, llvm::StringRef hint);
  void assign(const clang::Expr *to, Value value, State &state);
  void store(State &state, const Path &path, Value value);
  Value *slot(State &state, const Path &path);
  Value unknown(const clang::Expr *e, llvm::StringRef hint, bool noted = true);
  Value defaultFor(const Path &path, clang::QualType type);
  Value initList(const clang::InitListExpr *list, State &state);
  std::string spellPath(const Path &path) const;
  Path variable(const clang::ValueDecl *decl);
  Cond condition(const clang::Expr *e, State &state);
  Cond truth(const Value &v, const clang::Expr *e);
  std::optional<Expr> truncDiv(const Expr &a, const Expr &b) const;

  // Calls.
  Value evalCall(const clang::CallExpr *call, State &state,
                 llvm::StringRef hint);
  Value evalConstruct(const clang::CXXConstructExpr *e, State &state);
  std::optional<Value> known(const clang::CallExpr *call, State &state,
                             llvm::StringRef hint);
  std::optional<Value> allocation(const clang::CallExpr *call, State &state,
                                  llvm::StringRef name);
  Value inlineCall(const clang::FunctionDecl *callee,
                   llvm::ArrayRef<const clang::Expr *> args,
                   std::optional<Path> object, State &state,
                   const clang::Expr *at, llvm::StringRef hint);
  bool canInline(const clang::FunctionDecl *callee) const;
  void forgetArguments(const clang::CallExpr *call, State &state);
  void launchKernel(const clang::CUDAKernelCallExpr *call, State &state);
  bool launchByApi(const clang::CallExpr *call, State &state,
                   llvm::StringRef name);
  void dimensions(const clang::Expr *e, State &state, Value out[3]);
  Value extent(const Value &dim3Value, unsigned axis);
  void fill(State &state, const Path &path, clang::QualType type,
            unsigned depth = 0);
  const clang::FunctionDecl *functionValue(const clang::Expr *e, State &state);
  std::optional<Value> containerCall(const clang::CXXMemberCallExpr *call,
                                     State &state, llvm::StringRef hint);
  unsigned storageOf(const clang::Expr *object, State &state);
  HostTouch *touch(HostTouch::Kind kind, unsigned buffer,
                   const clang::Expr *call, llvm::StringRef callee,
                   const State &state);
  Fill fillOf(const clang::Expr *value) const;
  Value remembered(const std::string &key, const clang::Expr *e,
                   llvm::StringRef hint, bool size);

  clang::ASTContext &ctx;
  const SizeUse &sizes;
  llvm::ArrayRef<HostCheck> checks;
  std::vector<Frame *> frames;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 16> active;
  std::map<std::string, Value> memo; ///< results of calls that read only
  /// A host object that is not part of another.
  struct Root {
    std::string spelling;
    clang::QualType type;
    const clang::Decl *decl = nullptr;
    bool viaPointer = false; ///< what a pointer `spelling` points to
  };
  std::map<const void *, Root> roots;
  std::deque<char> pointees; ///< addresses that stand for such objects
  unsigned budget = 0;
  unsigned unknownConditions = 0;
};

} // namespace ioflor::frontend

#endif // IOFLOR_PLUGIN_CLANG_AST_HOSTEVAL_H
