//===- HostStmt.cpp - Statements of host code on symbols ------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/HostEval.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

HostEval::HostEval(ASTContext &context, const SizeUse &sizes,
                   ArrayRef<HostCheck> checks)
    : ctx(context), sizes(sizes), checks(checks) {}

void HostEval::run(const FunctionDecl *root) {
  const FunctionDecl *definition = nullptr;
  const Stmt *body = root->getBody(definition);
  if (!body)
    return;
  State state;
  Frame frame;
  frame.function = definition;
  frames.push_back(&frame);
  active.insert(definition->getCanonicalDecl());
  // Parameters first, so that they get the plain names.
  for (const ParmVarDecl *param : definition->parameters())
    if (!param->getDeclName().isEmpty())
      part(state, variable(param), param->getType());
  exec(body, state);
  active.erase(definition->getCanonicalDecl());
  frames.pop_back();
}

void HostEval::declare(const VarDecl *var, State &state) {
  Path path = variable(var);
  const clang::Expr *init = var->getInit();
  if (var->isStaticLocal() && !var->getType().isConstQualified())
    return; // keeps its value between calls: made up when read
  if (!init) {
    // Written before it is read, or not known.
    state.vars.erase(path.root);
    return;
  }
  if (var->getType()->isReferenceType()) {
    if (std::optional<Path> to = lvalue(init, state)) {
      state.vars[path.root] = Value::address(*to);
      return;
    }
    state.vars[path.root] = eval(init, state, var->getName());
    return;
  }
  Value v = eval(init, state, var->getName());
  if (v.kind == Value::None)
    state.vars.erase(path.root);
  else
    state.vars[path.root] = std::move(v);
}

HostEval::Flow HostEval::execIf(const IfStmt *s, State &state) {
  if (s->getInit())
    exec(s->getInit(), state);
  if (const DeclStmt *declared = s->getConditionVariableDeclStmt())
    exec(declared, state);
  if (s->isConsteval())
    return Flow::Next;
  Cond c = condition(s->getCond(), state);
  if (c.isAlways())
    return exec(s->getThen(), state);
  if (c.isNever())
    return s->getElse() ? exec(s->getElse(), state) : Flow::Next;
  State yes = state, no = state;
  std::string at = where(s->getIfLoc());
  yes.facts.push_back({c, "guard at " + at});
  no.facts.push_back({!c, "guard at " + at});
  Flow then = exec(s->getThen(), yes);
  Flow otherwise = s->getElse() ? exec(s->getElse(), no) : Flow::Next;
  bool thenOn = then == Flow::Next && !yes.dead;
  bool elseOn = otherwise == Flow::Next && !no.dead;
  if (thenOn && elseOn)
    state = merge(state, std::move(yes), std::move(no), s->getIfLoc());
  else if (thenOn)
    state = std::move(yes);
  else if (elseOn)
    state = std::move(no);
  else
    return then == Flow::Continue && otherwise == Flow::Continue
               ? Flow::Continue
               : Flow::Stop;
  return Flow::Next;
}

HostEval::Flow HostEval::execSwitch(const SwitchStmt *s, State &state) {
  if (s->getInit())
    exec(s->getInit(), state);
  if (const DeclStmt *declared = s->getConditionVariableDeclStmt())
    exec(declared, state);
  Value on = eval(s->getCond(), state);
  const auto *body = dyn_cast<CompoundStmt>(s->getBody());
  if (!body)
    return Flow::Next;
  std::vector<const Stmt *> list(body->body_begin(), body->body_end());
  std::string source = "switch at " + where(s->getSwitchLoc());

  Cond none = Cond::always(); // no case so far
  bool hasDefault = false;
  std::vector<State> ends;
  auto runFrom = [&](size_t from, const Stmt *first, Cond c) {
    if (c.isNever())
      return;
    State branch = state;
    if (!c.isAlways())
      branch.facts.push_back({c, source});
    size_t outer = frames.back()->breaks.size();
    Flow flow = exec(first, branch);
    for (size_t i = from + 1;
         flow == Flow::Next && !branch.dead && i < list.size(); ++i) {
      const Stmt *next = list[i];
      while (auto *label = dyn_cast<SwitchCase>(next))
        next = label->getSubStmt();
      flow = exec(next, branch);
    }
    auto &breaks = frames.back()->breaks;
    std::move(breaks.begin() + outer, breaks.end(), std::back_inserter(ends));
    breaks.resize(outer);
    if (flow != Flow::Stop && !branch.dead)
      ends.push_back(std::move(branch));
  };
  for (size_t i = 0; i < list.size(); ++i) {
    Cond c = Cond::never();
    const Stmt *at = list[i];
    bool isDefault = false, isCase = false;
    while (auto *label = dyn_cast<SwitchCase>(at)) {
      isCase = true;
      if (auto *value = dyn_cast<CaseStmt>(label)) {
        Value v = eval(value->getLHS(), state);
        Cond here =
            on.isInteger() && v.isInteger()
                ? eq(on.num, v.num)
                : Cond::unknown("switch on '" + spell(s->getCond()) + "'",
                                "h" + utostr(++unknownConditions));
        c = c || here;
        none = none && !here;
      } else {
        isDefault = hasDefault = true;
      }
      at = label->getSubStmt();
    }
    if (!isCase)
      continue;
    if (isDefault) {
      // All other cases, also those below.
      Cond others = Cond::always();
      for (const SwitchCase *label = s->getSwitchCaseList(); label;
           label = label->getNextSwitchCase())
        if (auto *value = dyn_cast<CaseStmt>(label)) {
          Value v = eval(value->getLHS(), state);
          if (on.isInteger() && v.isInteger())
            others = others && ne(on.num, v.num);
        }
      c = c || others;
    }
    runFrom(i, at, c);
  }
  if (!hasDefault && !none.isNever()) {
    State rest = state;
    if (!none.isAlways())
      rest.facts.push_back({none, source});
    ends.push_back(std::move(rest));
  }
  if (ends.empty())
    return Flow::Stop;
  State before = state;
  state = std::move(ends.front());
  for (size_t i = 1; i < ends.size(); ++i)
    state =
        merge(before, std::move(state), std::move(ends[i]), s->getSwitchLoc());
  return Flow::Next;
}

namespace {

/// The variables that a statement writes, as far as it names them.
void assignedIn(const Stmt *s, std::vector<const clang::Expr *> &out) {
  if (!s)
    return;
  if (auto *op = dyn_cast<BinaryOperator>(s)) {
    if (op->isAssignmentOp())
      out.push_back(op->getLHS());
  } else if (auto *op = dyn_cast<UnaryOperator>(s)) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf)
      out.push_back(op->getSubExpr());
  } else if (auto *op = dyn_cast<CXXOperatorCallExpr>(s)) {
    if (op->isAssignmentOp())
      out.push_back(op->getArg(0));
  }
  for (const Stmt *child : s->children())
    assignedIn(child, out);
}

/// `for (int i = a; i < b; i += c)`.
struct CountedLoop {
  const VarDecl *var = nullptr;
  const clang::Expr *from = nullptr, *to = nullptr, *step = nullptr;
  bool inclusive = false;
};

const VarDecl *variableOf(const clang::Expr *e) {
  auto *ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

std::optional<CountedLoop> countedLoop(const ForStmt *loop) {
  CountedLoop out;
  if (auto *declared = dyn_cast_or_null<DeclStmt>(loop->getInit())) {
    if (!declared->isSingleDecl())
      return std::nullopt;
    out.var = dyn_cast<VarDecl>(declared->getSingleDecl());
    out.from = out.var ? out.var->getInit() : nullptr;
  } else if (auto *op = dyn_cast_or_null<BinaryOperator>(loop->getInit())) {
    if (op->getOpcode() != BO_Assign)
      return std::nullopt;
    out.var = variableOf(op->getLHS());
    out.from = op->getRHS();
  }
  auto *cond = dyn_cast_or_null<BinaryOperator>(
      loop->getCond() ? loop->getCond()->IgnoreParenImpCasts() : nullptr);
  if (!out.var || !out.from || !cond || variableOf(cond->getLHS()) != out.var)
    return std::nullopt;
  if (cond->getOpcode() == BO_LE)
    out.inclusive = true;
  else if (cond->getOpcode() != BO_LT && cond->getOpcode() != BO_NE)
    return std::nullopt;
  out.to = cond->getRHS();
  const Stmt *increment = loop->getInc();
  if (auto *op = dyn_cast_or_null<UnaryOperator>(increment)) {
    if (!op->isIncrementOp() || variableOf(op->getSubExpr()) != out.var)
      return std::nullopt;
  } else if (auto *op = dyn_cast_or_null<BinaryOperator>(increment)) {
    if (op->getOpcode() != BO_AddAssign ||
        variableOf(op->getLHS()) != out.var || cond->getOpcode() == BO_NE)
      return std::nullopt;
    out.step = op->getRHS();
  } else {
    return std::nullopt;
  }
  std::vector<const clang::Expr *> assigned;
  assignedIn(loop->getBody(), assigned);
  for (const clang::Expr *e : assigned)
    if (variableOf(e) == out.var)
      return std::nullopt;
  return out;
}

} // namespace

void HostEval::forgetAssigned(const Stmt *s, State &state) {
  std::vector<const clang::Expr *> assigned;
  assignedIn(s, assigned);
  for (const clang::Expr *e : assigned) {
    // Writing an element or a field of what a call returns tells nothing here.
    const clang::Expr *base = e->IgnoreParenImpCasts();
    while (isa<ArraySubscriptExpr>(base))
      base = cast<ArraySubscriptExpr>(base)->getBase()->IgnoreParenImpCasts();
    if (!isa<DeclRefExpr, MemberExpr>(base))
      continue;
    if (auto *ref = dyn_cast<DeclRefExpr>(base);
        ref && !state.vars.count(ref->getDecl()->getCanonicalDecl()))
      continue; // declared inside
    if (std::optional<Path> path = lvalue(base, state)) {
      Value now = part(state, *path, base->getType());
      if (base != e->IgnoreParenImpCasts() || now.kind == Value::Pointer)
        continue; // elements; device buffers keep their identity
      std::string name = spellPath(*path);
      store(state, *path,
            now.isInteger() ? integerOr(Value::opaque(name), name,
                                        base->getExprLoc(), base->getType())
                            : Value::opaque(name));
    }
  }
}

HostEval::Flow HostEval::execLoop(const Stmt *loop, State &state) {
  LoopFrame frame;
  const Stmt *body = nullptr, *assigning = loop;
  std::optional<CountedLoop> counted;
  if (auto *f = dyn_cast<ForStmt>(loop)) {
    counted = countedLoop(f);
    if (f->getInit())
      exec(f->getInit(), state);
    body = f->getBody();
  } else if (auto *w = dyn_cast<WhileStmt>(loop)) {
    body = w->getBody();
  } else if (auto *d = dyn_cast<DoStmt>(loop)) {
    body = d->getBody();
  } else if (auto *r = dyn_cast<CXXForRangeStmt>(loop)) {
    body = r->getBody();
  }

  State before = state;
  if (counted) {
    Value from = eval(counted->from, state), to = eval(counted->to, state);
    Value step = counted->step ? eval(counted->step, state) : Value::integer(1);
    if (from.isInteger() && to.isInteger() && step.isInteger() &&
        names.known.isPositive(step.num)) {
      Expr distance = to.num - from.num + Expr(counted->inclusive ? 1 : 0);
      frame.trips = max(ceildiv(distance, step.num), 0);
      frame.trips = simplify(frame.trips, names.known);
      Expr var = names.symbol(counted->var->getName(), Expr(0), frame.trips - 1,
                              counted->var->getLocation());
      frame.var = var.name().str();
      forgetAssigned(body, state);
      store(state, variable(counted->var),
            Value::integer(from.num + step.num * var));
    } else {
      counted.reset();
    }
  }
  if (!counted) {
    forgetAssigned(assigning, state);
    Expr trips = names.symbol(
        "trips", Expr(0), std::nullopt, loop->getBeginLoc(),
        "iterations of the host loop at " + where(loop->getBeginLoc()));
    frame.var = names.identifier("it");
    frame.trips = trips;
    frame.readable = false;
  }
  state.loops.push_back(frame);
  size_t outer = frames.back()->breaks.size();
  if (auto *r = dyn_cast<CXXForRangeStmt>(loop))
    if (const VarDecl *var = r->getLoopVariable())
      state.vars.erase(variable(var).root);
  if (body)
    exec(body, state);
  frames.back()->breaks.resize(outer);
  // After the loop: what it wrote is not followed over its iterations.
  state.loops = before.loops;
  state.facts = before.facts;
  state.dead = false;
  forgetAssigned(loop, state);
  return Flow::Next;
}

void HostEval::applyChecks(SourceRange range, State &state) {
  const SourceManager &sources = ctx.getSourceManager();
  SourceLocation begin = sources.getExpansionLoc(range.getBegin());
  SourceLocation end = sources.getExpansionLoc(range.getEnd());
  for (const HostCheck &check : checks) {
    SourceLocation at = sources.getExpansionLoc(check.loc);
    if (at != begin && (!sources.isBeforeInTranslationUnit(begin, at) ||
                        !sources.isBeforeInTranslationUnit(at, end)))
      continue;
    if (sources.getFileID(at) != sources.getFileID(begin))
      continue;
    ExprError error;
    std::optional<Cond> parsed = parseCond(check.condition, &error);
    if (!parsed)
      continue;
    // Names mean what they mean here.
    std::map<std::string, Expr> meaning;
    bool all = true;
    for (const std::string &name : parsed->freeSymbols()) {
      bool found = false;
      for (auto &[root, value] : state.vars) {
        auto it = roots.find(root);
        if (it == roots.end() || it->second.spelling != name ||
            it->second.viaPointer || !value.isInteger())
          continue;
        meaning[name] = value.num;
        found = true;
      }
      all &= found;
    }
    if (all && !meaning.empty())
      state.facts.push_back({parsed->substitute(meaning),
                             check.macro + " at " + where(check.loc)});
  }
}

HostEval::Flow HostEval::exec(const Stmt *s, State &state) {
  if (!s)
    return Flow::Next;
  if (state.dead || ++budget > 2000000)
    return Flow::Stop;
  if (auto *compound = dyn_cast<CompoundStmt>(s)) {
    for (const Stmt *child : compound->body()) {
      Flow flow = exec(child, state);
      if (flow != Flow::Next || state.dead)
        return flow;
    }
    return Flow::Next;
  }
  // `do { ... } while (0)` is how macros spell a block.
  if (auto *loop = dyn_cast<DoStmt>(s)) {
    Cond again = condition(loop->getCond(), state);
    if (again.isNever()) {
      size_t outer = frames.back()->breaks.size();
      Flow flow = exec(loop->getBody(), state);
      auto &breaks = frames.back()->breaks;
      State before = state;
      bool on = flow == Flow::Next;
      for (size_t i = outer; i < breaks.size(); ++i) {
        state = on ? merge(before, state, breaks[i], loop->getBeginLoc())
                   : breaks[i];
        on = true;
      }
      breaks.resize(outer);
      if (!on || state.dead)
        return flow;
      applyChecks(s->getSourceRange(), state);
      return Flow::Next;
    }
    return execLoop(s, state);
  }
  if (isa<ForStmt, WhileStmt, CXXForRangeStmt>(s))
    return execLoop(s, state);
  if (auto *branch = dyn_cast<IfStmt>(s))
    return execIf(branch, state);
  if (auto *branch = dyn_cast<SwitchStmt>(s))
    return execSwitch(branch, state);
  if (auto *declared = dyn_cast<DeclStmt>(s)) {
    for (const Decl *d : declared->decls())
      if (auto *var = dyn_cast<VarDecl>(d))
        declare(var, state);
    return Flow::Next;
  }
  if (auto *ret = dyn_cast<ReturnStmt>(s)) {
    Value v;
    if (ret->getRetValue()) {
      const FunctionDecl *f = frames.back()->function;
      std::optional<Path> path;
      if (f && f->getReturnType()->isReferenceType())
        path = lvalue(ret->getRetValue(), state);
      v = path ? Value::address(*path) : eval(ret->getRetValue(), state);
    }
    if (!state.dead) {
      frames.back()->exits.push_back(state);
      frames.back()->returned.push_back(std::move(v));
    }
    return Flow::Stop;
  }
  if (isa<BreakStmt>(s)) {
    frames.back()->breaks.push_back(state);
    return Flow::Stop;
  }
  if (isa<ContinueStmt>(s))
    return Flow::Continue;
  if (isa<NullStmt>(s)) {
    applyChecks(s->getSourceRange(), state);
    return Flow::Next;
  }
  if (auto *e = dyn_cast<clang::Expr>(s)) {
    if (isa<CXXThrowExpr>(e->IgnoreParenImpCasts())) {
      state.dead = true;
      return Flow::Stop;
    }
    eval(e, state);
    if (!state.dead)
      applyChecks(s->getSourceRange(), state);
    return state.dead ? Flow::Stop : Flow::Next;
  }
  if (auto *attempt = dyn_cast<CXXTryStmt>(s))
    return execTry(attempt, state);
  if (auto *attributed = dyn_cast<AttributedStmt>(s))
    return exec(attributed->getSubStmt(), state);
  if (auto *label = dyn_cast<LabelStmt>(s))
    return exec(label->getSubStmt(), state);
  if (auto *label = dyn_cast<SwitchCase>(s))
    return exec(label->getSubStmt(), state);
  // To a label behind which nothing is launched, as to an error exit, control
  // leaves. Any other jump may still get to a launch: nothing follows from it.
  if (auto *jump = dyn_cast<GotoStmt>(s))
    return leavesBy(jump) ? Flow::Stop : Flow::Next;
  return Flow::Next;
}

/// What control that leaves the block by an exception was about to do is
/// unknown where a handler goes on.
HostEval::Flow HostEval::execTry(const CXXTryStmt *attempt, State &state) {
  State before = state;
  Flow flow = exec(attempt->getTryBlock(), state);
  for (unsigned i = 0; i < attempt->getNumHandlers(); ++i) {
    State caught = before;
    forgetAssigned(attempt->getTryBlock(), caught);
    const Stmt *handler = attempt->getHandler(i)->getHandlerBlock();
    if (exec(handler, caught) != Flow::Next || caught.dead)
      continue;
    bool goesOn = flow == Flow::Next && !state.dead;
    state = goesOn ? merge(before, std::move(state), std::move(caught),
                           attempt->getBeginLoc())
                   : std::move(caught);
    flow = Flow::Next;
  }
  return flow;
}

/// Does anything behind the label, which stands in the function after the jump,
/// launch a kernel or call a function that may?
bool HostEval::leavesBy(const GotoStmt *jump) const {
  const SourceManager &sources = ctx.getSourceManager();
  SourceLocation label = jump->getLabel()->getLocation();
  if (!sources.isBeforeInTranslationUnit(jump->getBeginLoc(), label))
    return false;
  const FunctionDecl *function = frames.back()->function;
  const FunctionDecl *definition = nullptr;
  if (!function || !function->hasBody(definition))
    return false;
  bool launches = false;
  SmallVector<const Stmt *> todo{definition->getBody()};
  while (!todo.empty() && !launches) {
    const Stmt *s = todo.pop_back_val();
    if (!s)
      continue;
    if (auto *call = dyn_cast<CallExpr>(s);
        call && sources.isBeforeInTranslationUnit(label, call->getBeginLoc())) {
      const FunctionDecl *callee = call->getDirectCallee();
      launches |= isa<CUDAKernelCallExpr>(call) || canInline(callee) ||
                  (callee && callee->getIdentifier() &&
                   callee->getName().contains("Launch"));
    }
    // Another jump from there may go back.
    if (isa<GotoStmt, IndirectGotoStmt>(s))
      launches |= sources.isBeforeInTranslationUnit(label, s->getBeginLoc());
    todo.append(s->child_begin(), s->child_end());
  }
  return !launches;
}

} // namespace ioflor::frontend
