//===- BodyScanner.cpp - Exponentials and contractions in a body ----------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/loader/CandidateFilter.h"
#include "plugin/loader/Kernels.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

/// What one body holds itself, and whom it calls.
struct BodyScanner::Facts {
  Weight own;
  std::vector<const FunctionDecl *> callees;  ///< with repetition
  std::vector<const FunctionDecl *> launches; ///< kernels named, in order
  std::optional<Weight> total;
  bool inProgress = false;
  std::optional<bool> reachesKernel; ///< names one or calls who does
};

namespace {

constexpr unsigned maxCallDepth = 64;
constexpr unsigned saturation = 1000;

/// `__nv_expf`, `__builtin_exp2f`, `h2exp2`, `poly_exp2`: whatever is called
/// after the exponential, but no `expand`, `expect` or `export`.
bool namesExponential(StringRef name) {
  if (name.contains("ex2_approx"))
    return true;
  for (size_t at = name.find_insensitive("exp"); at != StringRef::npos;
       at = name.find_insensitive("exp", at + 3)) {
    StringRef rest = name.drop_front(at + 3);
    bool other = name.contains_insensitive("regexp");
    for (StringRef word : {"and", "ect", "ort", "licit", "ired", "ire", "ose",
                           "ress", "eri", "lore", "lain", "onent"})
      other |= rest.starts_with_insensitive(word);
    if (!other)
      return true;
  }
  return false;
}

bool namesContraction(StringRef name) {
  for (StringRef part : {"mma", "gemm", "gemv", "mfma", "matmul", "dot", "dp4a",
                         "dp2a", "fma", "inner_product", "madd"})
    if (name.contains_insensitive(part))
      return !name.contains("fmax");
  for (StringRef prefix : {"__builtin_elementwise_", "__builtin_", "__"})
    if (name.consume_front(prefix))
      break;
  return name == "mad" || name == "mad24";
}

/// `__hadd2`, `atomicAdd`, `warpReduceSum`: a product given to it is summed up.
bool namesAddition(StringRef name) {
  for (StringRef part : {"add", "reduce", "sum", "accum"})
    if (name.contains_insensitive(part))
      return true;
  return false;
}

bool namesProduct(StringRef name) { return name.contains_insensitive("mul"); }

/// The name of what is called, also where templates leave it open.
StringRef calleeName(const CallExpr *call) {
  const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  DeclarationName name;
  if (const FunctionDecl *direct = call->getDirectCallee())
    name = direct->getDeclName();
  else if (auto *lookup = dyn_cast<OverloadExpr>(callee))
    name = lookup->getName();
  else if (auto *dependent = dyn_cast<CXXDependentScopeMemberExpr>(callee))
    name = dependent->getMember();
  return name.isIdentifier() && name.getAsIdentifierInfo()
             ? name.getAsIdentifierInfo()->getName()
             : StringRef();
}

const Expr *strip(const Expr *e) { return e->IgnoreParenCasts(); }

bool isIntegerType(QualType type) {
  return !type->isDependentType() &&
         (type->isIntegralOrEnumerationType() || type->isPointerType());
}

/// The two operands of a sum or product, built in or overloaded.
bool operandsOf(const Expr *e, BinaryOperatorKind kind,
                OverloadedOperatorKind overloaded, const Expr *&a,
                const Expr *&b) {
  if (auto *op = dyn_cast<BinaryOperator>(e); op && op->getOpcode() == kind) {
    a = op->getLHS();
    b = op->getRHS();
    return true;
  }
  if (auto *op = dyn_cast<CXXOperatorCallExpr>(e);
      op && op->getOperator() == overloaded && op->getNumArgs() == 2) {
    a = op->getArg(0);
    b = op->getArg(1);
    return true;
  }
  return false;
}

/// The variable that an lvalue is a part of: `acc` of `acc[i].x`.
const ValueDecl *baseVariable(const Expr *e) {
  for (;;) {
    e = strip(e);
    if (auto *index = dyn_cast<ArraySubscriptExpr>(e))
      e = index->getBase();
    else if (auto *member = dyn_cast<MemberExpr>(e)) {
      // A field of the object whose member function this is.
      if (isa<CXXThisExpr>(strip(member->getBase())))
        return member->getMemberDecl();
      e = member->getBase();
    } else if (auto *op = dyn_cast<CXXOperatorCallExpr>(e);
               op && op->getOperator() == OO_Subscript)
      e = op->getArg(0);
    else if (auto *unary = dyn_cast<UnaryOperator>(e);
             unary && unary->getOpcode() == UO_Deref)
      e = unary->getSubExpr();
    else if (auto *ref = dyn_cast<DeclRefExpr>(e))
      return ref->getDecl();
    else
      return nullptr;
  }
}

bool mentions(const Stmt *s, const ValueDecl *variable) {
  if (!s)
    return false;
  if (auto *ref = dyn_cast<DeclRefExpr>(s))
    return ref->getDecl() == variable;
  if (auto *member = dyn_cast<MemberExpr>(s);
      member && member->getMemberDecl() == variable)
    return true;
  return std::any_of(s->child_begin(), s->child_end(), [&](const Stmt *child) {
    return mentions(child, variable);
  });
}

} // namespace

/// One walk over one body.
struct BodyVisitor {
  BodyScanner::Facts &facts;
  SmallPtrSet<const ValueDecl *, 8> products; ///< locals that are a product

  bool isProduct(const Expr *e, const ValueDecl *accumulator) {
    e = strip(e);
    const Expr *a, *b;
    if (operandsOf(e, BO_Mul, OO_Star, a, b)) {
      bool literal = isa<FloatingLiteral, IntegerLiteral>(strip(a)) ||
                     isa<FloatingLiteral, IntegerLiteral>(strip(b));
      return !literal && (!accumulator || !mentions(e, accumulator));
    }
    if (auto *ref = dyn_cast<DeclRefExpr>(e))
      return products.contains(ref->getDecl());
    if (auto *call = dyn_cast<CallExpr>(e))
      return namesProduct(calleeName(call));
    if (auto *construct = dyn_cast<CXXConstructExpr>(e);
        construct && construct->getNumArgs() == 1)
      return isProduct(construct->getArg(0), accumulator);
    return false;
  }

  /// A product among the terms of a sum.
  bool hasProductTerm(const Expr *e, const ValueDecl *accumulator) {
    e = strip(e);
    const Expr *a, *b;
    if (operandsOf(e, BO_Add, OO_Plus, a, b) ||
        operandsOf(e, BO_Sub, OO_Minus, a, b))
      return hasProductTerm(a, accumulator) || hasProductTerm(b, accumulator);
    return isProduct(e, accumulator);
  }

  /// `s += f(a, b)` may sum up products that f computes; shuffles, maxima and
  /// exponentials of one value do not.
  bool mayReturnProduct(const Expr *e) {
    auto *call = dyn_cast<CallExpr>(strip(e));
    if (!call || namesExponential(calleeName(call)))
      return false;
    StringRef name = calleeName(call);
    if (name.contains_insensitive("max") || name.contains_insensitive("min"))
      return false;
    return count_if(call->arguments(), [](const Expr *arg) {
             return !arg->getType()->isIntegralOrEnumerationType();
           }) >= 2;
  }

  bool accumulates(const Expr *e) {
    const Expr *to, *what;
    if (operandsOf(e, BO_AddAssign, OO_PlusEqual, to, what) ||
        operandsOf(e, BO_SubAssign, OO_MinusEqual, to, what))
      return !isIntegerType(to->getType()) &&
             (hasProductTerm(what, nullptr) || mayReturnProduct(what) ||
              // `s = q * k`, then `s += shuffle(s)` sums over a warp.
              products.contains(baseVariable(to)));
    if (operandsOf(e, BO_Assign, OO_Equal, to, what)) {
      noteProduct(baseVariable(to), to->getType(), what);
      return !isIntegerType(to->getType()) && addsProduct(what, to);
    }
    return false;
  }

  /// Whether a sum of at least two terms has a product among them other than a
  /// rescaled `to`: `acc = acc * keep + p * v`, `return a * b + c`.
  bool addsProduct(const Expr *what, const Expr *to) {
    const Expr *a, *b;
    what = strip(what);
    if (isIntegerType(what->getType()) ||
        !(operandsOf(what, BO_Add, OO_Plus, a, b) ||
          operandsOf(what, BO_Sub, OO_Minus, a, b)))
      return false;
    return hasProductTerm(what, to ? baseVariable(to) : nullptr);
  }

  /// Remembers locals that hold a product, by initialisation, assignment or
  /// `t *= b`.
  void noteProduct(const ValueDecl *variable, QualType type,
                   const Expr *value) {
    if (variable && !isIntegerType(type) && isProduct(value, nullptr))
      products.insert(variable);
  }

  void visitCall(const CallExpr *call) {
    StringRef name = calleeName(call);
    if (namesExponential(name))
      ++facts.own.exponentials;
    else if (namesContraction(name))
      ++facts.own.contractions;
    else if (namesAddition(name))
      // A product that is added atomically, or that a warp or block sums up.
      for (const Expr *arg : call->arguments())
        if (!isIntegerType(arg->getType()) && isProduct(arg, nullptr))
          ++facts.own.contractions;
    auto note = [&](const FunctionDecl *callee) {
      facts.callees.push_back(callee);
    };
    if (const FunctionDecl *callee = call->getDirectCallee())
      note(callee);
    else if (auto *lookup = dyn_cast<OverloadExpr>(
                 call->getCallee()->IgnoreParenImpCasts()))
      // A template that nobody instantiates calls any of them.
      for (const NamedDecl *found : lookup->decls())
        if (const FunctionDecl *callee = found->getAsFunction())
          note(callee);
  }

  /// The launches in the body of a lambda count as those of the function that
  /// holds it.
  void nameKernels(const Stmt *s) {
    if (!s)
      return;
    if (auto *ref = dyn_cast<DeclRefExpr>(s))
      if (auto *function = dyn_cast<FunctionDecl>(ref->getDecl());
          function && isKernel(function))
        facts.launches.push_back(function);
    for (const Stmt *child : s->children())
      nameKernels(child);
  }

  void visit(const Stmt *s) {
    if (!s)
      return;
    if (auto *declare = dyn_cast<DeclStmt>(s)) {
      for (const Decl *d : declare->decls())
        if (auto *var = dyn_cast<VarDecl>(d); var && var->getInit()) {
          noteProduct(var, var->getType(), var->getInit());
          if (!isIntegerType(var->getType()) &&
              addsProduct(var->getInit(), nullptr))
            ++facts.own.contractions;
        }
    } else if (auto *result = dyn_cast<ReturnStmt>(s)) {
      if (const Expr *value = result->getRetValue();
          value && addsProduct(value, nullptr))
        ++facts.own.contractions;
    } else if (auto *assembly = dyn_cast<GCCAsmStmt>(s)) {
      std::string text = assembly->getAsmString();
      if (StringRef(text).contains("ex2."))
        ++facts.own.exponentials;
      if (StringRef(text).contains("mma") || StringRef(text).contains("fma.") ||
          StringRef(text).contains("dp4a"))
        ++facts.own.contractions;
    } else if (auto *e = dyn_cast<Expr>(s)) {
      if (accumulates(e))
        ++facts.own.contractions;
      if (auto *scale = dyn_cast<CompoundAssignOperator>(e);
          scale && scale->getOpcode() == BO_MulAssign &&
          !isIntegerType(scale->getType()) &&
          !isa<FloatingLiteral, IntegerLiteral>(strip(scale->getRHS())))
        if (const ValueDecl *variable = baseVariable(scale->getLHS()))
          products.insert(variable);
      if (auto *ref = dyn_cast<DeclRefExpr>(e)) {
        if (auto *function = dyn_cast<FunctionDecl>(ref->getDecl());
            function && isKernel(function))
          facts.launches.push_back(function);
      }
      if (auto *call = dyn_cast<CallExpr>(e))
        visitCall(call);
      else if (auto *construct = dyn_cast<CXXConstructExpr>(e))
        facts.callees.push_back(construct->getConstructor());
      // Its operator() is read where it is called.
      auto *lambda = dyn_cast<LambdaExpr>(e);
      if (lambda && lambda->isGenericLambda()) {
        const CXXMethodDecl *pattern = lambda->getCallOperator();
        if (auto *operators = pattern->getDescribedFunctionTemplate())
          for (const FunctionDecl *instance : operators->specializations())
            nameKernels(instance->getBody());
      } else if (lambda && !lambda->getCallOperator()->isDependentContext()) {
        for (const Expr *init : lambda->capture_inits())
          visit(init);
        nameKernels(lambda->getBody());
        return;
      }
    }
    for (const Stmt *child : s->children())
      visit(child);
  }
};

const BodyScanner::Facts &BodyScanner::factsOf(const FunctionDecl *function) {
  function = function->getCanonicalDecl();
  std::shared_ptr<Facts> &facts = cache[function];
  if (facts)
    return *facts;
  facts = std::make_shared<Facts>();
  std::shared_ptr<Facts> keep = facts; // the map may grow below
  const FunctionDecl *definition = nullptr;
  if (const Stmt *body = function->getBody(definition)) {
    BodyVisitor visitor{*keep, {}};
    visitor.visit(body);
    if (auto *constructor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer *init : constructor->inits())
        visitor.visit(init->getInit());
  }
  return *keep;
}

Weight BodyScanner::weighRec(const FunctionDecl *function, unsigned depth) {
  auto &facts = const_cast<Facts &>(factsOf(function));
  if (facts.total)
    return *facts.total;
  Weight sum = facts.own;
  if (facts.inProgress || depth > maxCallDepth)
    return sum;
  facts.inProgress = true;
  // The list may be reached again through a cycle, so iterate over a copy.
  std::vector<const FunctionDecl *> callees = facts.callees;
  for (const FunctionDecl *callee : callees) {
    Weight w = weighRec(callee, depth + 1);
    sum.exponentials = std::min(saturation, sum.exponentials + w.exponentials);
    sum.contractions = std::min(saturation, sum.contractions + w.contractions);
  }
  auto &again = const_cast<Facts &>(factsOf(function));
  again.inProgress = false;
  again.total = sum;
  return sum;
}

Weight BodyScanner::weigh(const FunctionDecl *function) {
  return weighRec(function, 0);
}

/// Whether a launch can be found below `function`; cycles count as no, and the
/// system's headers are not searched.
bool BodyScanner::reachesKernel(const FunctionDecl *function, unsigned depth) {
  const FunctionDecl *definition = nullptr;
  if (depth > maxCallDepth || !function->hasBody(definition) ||
      function->getASTContext().getSourceManager().isInSystemHeader(
          definition->getLocation()))
    return false;
  auto &facts = const_cast<Facts &>(factsOf(function));
  if (facts.reachesKernel)
    return *facts.reachesKernel;
  facts.reachesKernel = !facts.launches.empty();
  if (*facts.reachesKernel)
    return true;
  std::vector<const FunctionDecl *> callees = facts.callees;
  bool found = any_of(callees, [&](const FunctionDecl *callee) {
    return !isKernel(callee) && reachesKernel(callee, depth + 1);
  });
  const_cast<Facts &>(factsOf(function)).reachesKernel = found;
  return found;
}

std::vector<const FunctionDecl *>
BodyScanner::namedBy(const FunctionDecl *host) {
  return factsOf(host).launches;
}

std::vector<const FunctionDecl *>
BodyScanner::launchedBy(const FunctionDecl *host,
                        SmallPtrSetImpl<const FunctionDecl *> *visited) {
  std::vector<const FunctionDecl *> out;
  SmallPtrSet<const FunctionDecl *, 16> open;
  auto walk = [&](auto &self, const FunctionDecl *function,
                  unsigned depth) -> void {
    if (depth > maxCallDepth || out.size() > saturation ||
        !open.insert(function->getCanonicalDecl()).second)
      return;
    if (visited)
      visited->insert(function->getCanonicalDecl());
    std::vector<const FunctionDecl *> callees = factsOf(function).callees;
    for (const FunctionDecl *kernel : factsOf(function).launches)
      out.push_back(kernel);
    for (const FunctionDecl *callee : callees) {
      auto *method = dyn_cast<CXXMethodDecl>(callee);
      bool lambda = method && method->getParent()->isLambda();
      if (!isKernel(callee) && !lambda && reachesKernel(callee, 0))
        self(self, callee, depth + 1);
    }
    open.erase(function->getCanonicalDecl());
  };
  walk(walk, host, 0);
  return out;
}

} // namespace ioflor::frontend
