//===- SizeUse.cpp - Which integers are sizes -----------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/SizeUse.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

/// The variable or field that an expression is, through casts.
const Decl *named(const Expr *e) {
  if (!e)
    return nullptr;
  e = e->IgnoreParenCasts();
  if (auto *ref = dyn_cast<DeclRefExpr>(e))
    return isa<VarDecl>(ref->getDecl()) ? ref->getDecl()->getCanonicalDecl()
                                        : nullptr;
  if (auto *member = dyn_cast<MemberExpr>(e))
    return isa<FieldDecl>(member->getMemberDecl())
               ? member->getMemberDecl()->getCanonicalDecl()
               : nullptr;
  return nullptr;
}

bool isNotPositiveLiteral(const Expr *e) {
  e = e->IgnoreParenCasts();
  if (auto *minus = dyn_cast<UnaryOperator>(e))
    return minus->getOpcode() == UO_Minus;
  auto *literal = dyn_cast<IntegerLiteral>(e);
  return literal && literal->getValue().isZero();
}

} // namespace

struct SizeVisitor {
  SizeUse &to;
  unsigned depth = 0;

  void size(const Expr *e) {
    if (const Decl *d = named(e))
      to.uses[d].size = true;
  }
  /// Somebody asks whether it is zero.
  void tested(const Expr *e) {
    if (const Decl *d = named(e))
      to.uses[d].zeroTested = true;
  }
  /// Somebody asks whether it is negative.
  void signTested(const Expr *e) {
    if (const Decl *d = named(e))
      to.uses[d].signTested = true;
  }
  void compared(const Expr *e, const Expr *with, bool strictlyAboveZero) {
    bool negative = isa<UnaryOperator>(with->IgnoreParenCasts());
    if (strictlyAboveZero && !negative)
      tested(e);
    else
      signTested(e);
  }
  /// `n + 63` of `(n + 63) / 64`.
  void sizesInSum(const Expr *e) {
    e = e->IgnoreParenCasts();
    if (auto *op = dyn_cast<BinaryOperator>(e); op && op->isAdditiveOp()) {
      sizesInSum(op->getLHS());
      if (op->getOpcode() == BO_Add)
        sizesInSum(op->getRHS());
    } else {
      size(e);
    }
  }

  void visitBinary(const BinaryOperator *op) {
    switch (op->getOpcode()) {
    case BO_Mul:
      size(op->getLHS());
      size(op->getRHS());
      break;
    case BO_Div:
    case BO_Rem:
      sizesInSum(op->getLHS());
      size(op->getRHS());
      break;
    case BO_LT:
    case BO_LE:
      if (isNotPositiveLiteral(op->getRHS()))
        compared(op->getLHS(), op->getRHS(), op->getOpcode() == BO_LE);
      else if (!isNotPositiveLiteral(op->getLHS()))
        size(op->getRHS());
      break;
    case BO_GT:
    case BO_GE:
      if (isNotPositiveLiteral(op->getRHS()))
        compared(op->getLHS(), op->getRHS(), op->getOpcode() == BO_GT);
      else
        size(op->getLHS());
      break;
    case BO_EQ:
    case BO_NE:
      if (isNotPositiveLiteral(op->getRHS()))
        compared(op->getLHS(), op->getRHS(), true);
      break;
    case BO_LAnd:
    case BO_LOr:
      tested(op->getLHS());
      tested(op->getRHS());
      break;
    case BO_Assign:
      flow(named(op->getLHS()), op->getRHS());
      break;
    default:
      break;
    }
  }

  void flow(const Decl *into, const Expr *from) {
    if (!into)
      return;
    if (const Decl *source = named(from))
      to.flows.emplace_back(into->getCanonicalDecl(), source);
  }

  void call(const FunctionDecl *callee, ArrayRef<const Expr *> args) {
    const FunctionDecl *definition = callee;
    if (!callee->hasBody(definition))
      return;
    for (unsigned i = 0; i < args.size() && i < definition->getNumParams(); ++i)
      flow(definition->getParamDecl(i), args[i]);
    if (depth < 32) {
      ++depth;
      function(definition);
      --depth;
    }
  }

  void function(const FunctionDecl *f) {
    if (!to.seen.insert(f->getCanonicalDecl()).second)
      return;
    // Parameters of all redeclarations are one to us: those of the definition.
    visit(f->getBody());
    if (auto *constructor = dyn_cast<CXXConstructorDecl>(f))
      for (const CXXCtorInitializer *init : constructor->inits()) {
        if (init->isMemberInitializer())
          flow(init->getMember(), init->getInit());
        visit(init->getInit());
      }
  }

  void visit(const Stmt *s) {
    if (!s)
      return;
    if (auto *op = dyn_cast<BinaryOperator>(s))
      visitBinary(op);
    else if (auto *unary = dyn_cast<UnaryOperator>(s)) {
      if (unary->getOpcode() == UO_LNot)
        tested(unary->getSubExpr());
    } else if (auto *branch = dyn_cast<IfStmt>(s))
      tested(branch->getCond());
    else if (auto *select = dyn_cast<ConditionalOperator>(s))
      tested(select->getCond());
    else if (auto *declare = dyn_cast<DeclStmt>(s)) {
      for (const Decl *d : declare->decls())
        if (auto *var = dyn_cast<VarDecl>(d); var && var->getInit())
          flow(var->getCanonicalDecl(), var->getInit());
    } else if (auto *launch = dyn_cast<CUDAKernelCallExpr>(s)) {
      for (const Expr *arg : launch->getConfig()->arguments())
        size(arg);
    }
    if (auto *c = dyn_cast<CallExpr>(s)) {
      if (const FunctionDecl *callee = c->getDirectCallee()) {
        ArrayRef<const Expr *> args(c->getArgs(), c->getNumArgs());
        if (isa<CXXOperatorCallExpr>(c) && isa<CXXMethodDecl>(callee) &&
            !args.empty())
          args = args.drop_front();
        call(callee, args);
      }
    } else if (auto *construct = dyn_cast<CXXConstructExpr>(s)) {
      ArrayRef<const Expr *> args(construct->getArgs(),
                                  construct->getNumArgs());
      if (construct->getConstructor()->getParent()->getName() == "dim3")
        for (const Expr *arg : args)
          size(arg);
      else
        call(construct->getConstructor(), args);
    }
    for (const Stmt *child : s->children())
      visit(child);
  }
};

void SizeUse::read(const FunctionDecl *function) {
  const FunctionDecl *definition = function;
  if (function->hasBody(definition))
    SizeVisitor{*this}.function(definition);
}

void SizeUse::settle() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [into, from] : flows) {
      Uses of = uses.lookup(into);
      Uses &source = uses[from];
      Uses both{source.size || of.size, source.zeroTested || of.zeroTested,
                source.signTested || of.signTested};
      changed |= both.size != source.size ||
                 both.zeroTested != source.zeroTested ||
                 both.signTested != source.signTested;
      source = both;
    }
  }
}

std::optional<int> SizeUse::least(const Decl *decl) const {
  Uses u = uses.lookup(decl->getCanonicalDecl());
  if (!u.size || u.signTested)
    return std::nullopt;
  return u.zeroTested ? 0 : 1;
}

} // namespace ioflor::frontend
