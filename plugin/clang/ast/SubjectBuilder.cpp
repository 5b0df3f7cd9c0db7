//===- SubjectBuilder.cpp - Launches to a subject -------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/SubjectBuilder.h"
#include "plugin/clang/ast/Annotations.h"
#include "plugin/loader/Kernels.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

std::string instantiationOf(const ASTContext &ctx, const FunctionDecl *kernel) {
  if (!kernel->isTemplateInstantiation() &&
      !kernel->getTemplateSpecializationArgs())
    return {};
  std::string text;
  raw_string_ostream os(text);
  PrintingPolicy policy(ctx.getLangOpts());
  policy.SuppressTagKeyword = true;
  kernel->getNameForDiagnostic(os, policy, /*Qualified=*/false);
  return text;
}

std::string sourceText(const ASTContext &ctx, SourceRange range) {
  if (range.isInvalid())
    return {};
  const SourceManager &sources = ctx.getSourceManager();
  CharSourceRange chars =
      CharSourceRange::getTokenRange(sources.getExpansionLoc(range.getBegin()),
                                     sources.getExpansionLoc(range.getEnd()));
  std::string text =
      Lexer::getSourceText(chars, sources, ctx.getLangOpts()).str();
  // One line, for messages.
  std::string out;
  for (char c : text) {
    bool space = c == '\n' || c == '\t' || c == '\r' || c == ' ' || c == '\\';
    if (!space)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out.size() > 300 ? out.substr(0, 300) : out;
}

} // namespace

SubjectBuilder::SubjectBuilder(HostEval &eval,
                               std::vector<AnnotationProblem> &problems)
    : eval(eval), names(eval.names), ctx(eval.context()), problems(problems) {}

StageSpec SubjectBuilder::stage(const Launch &launch, bool launched) {
  StageSpec out;
  out.kernel = launch.kernel;
  ASTNameGenerator mangler(ctx);
  out.mangledName = ctx.getLangOpts().CPlusPlus
                        ? mangler.getName(launch.kernel)
                        : launch.kernel->getNameAsString();
  out.instantiation = instantiationOf(ctx, launch.kernel);
  out.launched = launched;
  if (launched && launch.range.isValid()) {
    out.launch = launch.range.getBegin();
    std::string text = sourceText(ctx, launch.range);
    size_t from = text.find("<<<"), to = text.rfind(">>>");
    out.launchText = from != std::string::npos && to != std::string::npos
                         ? text.substr(from, to + 3 - from)
                         : text;
  }
  for (unsigned axis = 0; axis < 3; ++axis) {
    out.grid[axis] = launch.grid[axis].num;
    out.block[axis] = launch.block[axis].num;
  }
  out.dynamicSharedBytes =
      launch.sharedBytes.isInteger() ? launch.sharedBytes.num : Expr(0);
  for (unsigned i = 0; i < launch.kernel->getNumParams(); ++i)
    out.params.push_back(bindParam(
        launch.kernel->getParamDecl(i),
        i < launch.args.size()
            ? launch.args[i]
            : Value::opaque(
                  launch.kernel->getParamDecl(i)->getNameAsString())));
  return out;
}

/// Calls f with what the launch of a (const) stage depends on: its grid and
/// block and what its parameters are bound to.
template <typename Stage, typename F>
static void forEachLaunchExpr(Stage &stage, F f) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    f(stage.grid[axis]);
    f(stage.block[axis]);
  }
  for (auto &param : stage.params)
    for (auto &[at, binding] : param.fields) {
      f(binding.value);
      f(binding.offsetBytes);
    }
}

void SubjectBuilder::keepLoops(ArrayRef<const Launch *> launches) {
  // A loop whose counter no launch of the subject uses repeats the same
  // launches (a benchmark): the subject is one of them. Where one stage uses
  // it, its companions in the loop run as often.
  std::set<std::string> used;
  auto use = [&](const Expr &e) {
    for (const std::string &s : e.freeSymbols())
      used.insert(s);
  };
  for (const StageSpec &stage : spec.stages)
    forEachLaunchExpr(stage, use);
  for (auto [stage, launch] : zip_equal(spec.stages, launches))
    for (const LoopFrame &loop : launch->state.loops)
      if (used.count(loop.var))
        stage.hostLoops.push_back({loop.var, loop.trips});
}

void SubjectBuilder::factsOf(ArrayRef<const Launch *> launches) {
  for (const Fact &fact : launches.front()->state.facts) {
    bool everywhere = all_of(launches, [&](const Launch *launch) {
      return is_contained(launch->state.facts, fact);
    });
    if (everywhere && !fact.condition.hasUnknown())
      for (const Cond &c : fact.condition.conjuncts())
        spec.assumptions.push_back({c, fact.source});
  }
  for (auto [stage, launch] : zip(spec.stages, launches)) {
    Cond guard;
    for (const Fact &fact : launch->state.facts) {
      bool everywhere = all_of(launches, [&](const Launch *other) {
        return is_contained(other->state.facts, fact);
      });
      if (!everywhere)
        guard = guard && fact.condition;
    }
    stage.hostGuard = guard;
  }
}

void SubjectBuilder::nonEmptyLaunches() {
  for (const StageSpec &stage : spec.stages)
    for (const std::array<Expr, 3> *extents : {&stage.grid, &stage.block})
      for (const Expr &extent : *extents)
        if (!extent.isConst() && !names.known.isPositive(extent))
          spec.assumptions.push_back(
              {Cond::nonNegative(extent - 1), "a launch is not empty"});
}

/// Conditions like `d == 64` fix a symbol: put the number everywhere.
void SubjectBuilder::substituteFixed() {
  std::map<std::string, Expr> fixed;
  for (const AssumptionSpec &assumption : spec.assumptions) {
    const Cond &c = assumption.condition;
    if (c.kind() != CondKind::Zero)
      continue;
    std::set<std::string> symbols = c.expr().freeSymbols();
    if (symbols.size() != 1 || fixed.count(*symbols.begin()))
      continue;
    auto affine = c.expr().asAffineIn(*symbols.begin());
    if (!affine)
      continue;
    std::optional<int64_t> a = affine->first.constant64(),
                           b = affine->second.constant64();
    if (a && b && *a != 0 && *b % *a == 0)
      fixed[*symbols.begin()] = Expr(-*b / *a);
  }
  if (fixed.empty())
    return;
  auto put = [&](Expr &e) { e = e.substitute(fixed); };
  for (StageSpec &stage : spec.stages) {
    forEachLaunchExpr(stage, put);
    put(stage.dynamicSharedBytes);
    for (HostLoop &loop : stage.hostLoops)
      put(loop.trips);
    stage.hostGuard = stage.hostGuard.substitute(fixed);
  }
  for (BufferSpec &buffer : spec.buffers) {
    if (buffer.words)
      put(*buffer.words);
    for (Expr &e : buffer.extents)
      put(e);
  }
  for (AssumptionSpec &assumption : spec.assumptions)
    assumption.condition = assumption.condition.substitute(fixed);
  if (spec.disclosure && spec.disclosure->w)
    put(*spec.disclosure->w);
  if (spec.claimWords)
    put(*spec.claimWords);
  if (spec.fastWords)
    put(*spec.fastWords);
}

std::set<std::string> SubjectBuilder::usedSymbols() const {
  std::set<std::string> used;
  auto use = [&](const Expr &e) {
    for (const std::string &s : e.freeSymbols())
      used.insert(s);
  };
  for (const StageSpec &stage : spec.stages) {
    forEachLaunchExpr(stage, use);
    use(stage.dynamicSharedBytes);
    for (const HostLoop &loop : stage.hostLoops)
      use(loop.trips);
    for (const std::string &s : stage.hostGuard.freeSymbols())
      used.insert(s);
  }
  for (const BufferSpec &buffer : spec.buffers) {
    if (buffer.words)
      use(*buffer.words);
    for (const Expr &e : buffer.extents)
      use(e);
  }
  if (spec.disclosure && spec.disclosure->w)
    use(*spec.disclosure->w);
  if (spec.claimWords)
    use(*spec.claimWords);
  if (spec.fastWords)
    use(*spec.fastWords);
  return used;
}

void SubjectBuilder::closeSymbols() {
  std::set<std::string> used = usedSymbols();
  // Facts about a symbol in use may bring further symbols along.
  std::vector<AssumptionSpec> kept;
  std::vector<bool> taken(spec.assumptions.size());
  auto addRanges = [&] {
    for (bool changed = true; changed;) {
      changed = false;
      for (const SymbolInfo &info : names.symbols)
        if (used.count(info.name))
          for (const std::optional<Expr> *end : {&info.lo, &info.hi})
            if (*end)
              for (const std::string &s : (*end)->freeSymbols())
                changed |= used.insert(s).second;
    }
  };
  addRanges();
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [i, assumption] : enumerate(spec.assumptions)) {
      if (taken[i])
        continue;
      std::set<std::string> symbols = assumption.condition.freeSymbols();
      if (none_of(symbols, [&](const auto &s) { return used.count(s); }))
        continue;
      taken[i] = changed = true;
      used.insert(symbols.begin(), symbols.end());
      addRanges();
    }
  }
  for (auto [i, assumption] : enumerate(spec.assumptions))
    if (taken[i] && !assumption.condition.isAlways() &&
        none_of(kept, [&, &a = assumption](const AssumptionSpec &k) {
          return k.condition == a.condition;
        }))
      kept.push_back(assumption);
  spec.assumptions = std::move(kept);

  std::set<std::string> loopVars;
  for (const StageSpec &stage : spec.stages)
    for (const HostLoop &loop : stage.hostLoops)
      loopVars.insert(loop.var);
  for (const SymbolInfo &info : names.symbols) {
    if (!used.count(info.name) || loopVars.count(info.name))
      continue;
    spec.symbols.push_back({info.name, info.display, info.lo, info.hi});
    if (!info.unreadable.empty())
      spec.unknowns.emplace_back(
          "host value '" + info.unreadable + "' could not be read", info.loc);
  }
}

std::optional<Expr>
SubjectBuilder::constantNamed(StringRef name, const FunctionDecl *function) {
  // A template parameter of this instantiation.
  const FunctionDecl *pattern = function->getTemplateInstantiationPattern();
  if (const FunctionTemplateDecl *primary = function->getPrimaryTemplate())
    if (const TemplateArgumentList *args =
            function->getTemplateSpecializationArgs()) {
      (void)pattern;
      for (auto [i, param] : enumerate(*primary->getTemplateParameters()))
        if (param->getName() == name && i < args->size() &&
            args->get(i).getKind() == TemplateArgument::Integral)
          return Expr(args->get(i).getAsIntegral().getExtValue());
    }
  // A constant of the file or of an enclosing namespace or class.
  DeclarationName lookup(&ctx.Idents.get(name));
  for (const DeclContext *scope = function->getDeclContext(); scope;
       scope = scope->getParent())
    for (const NamedDecl *found : scope->lookup(lookup)) {
      const auto *var = dyn_cast<VarDecl>(found);
      if (const auto *constant = dyn_cast<EnumConstantDecl>(found))
        return Expr(constant->getInitVal().getExtValue());
      if (!var || !var->getType()->isIntegralOrEnumerationType() ||
          !var->getType().isConstQualified() || !var->getAnyInitializer())
        continue;
      const VarDecl *defined = nullptr;
      const clang::Expr *init = var->getAnyInitializer(defined);
      clang::Expr::EvalResult result;
      if (!init->isValueDependent() && init->EvaluateAsInt(result, ctx))
        return Expr(result.Val.getInt().getExtValue());
    }
  return std::nullopt;
}

void SubjectBuilder::annotate(const Launch &launch) {
  AnnotationScope scope;
  scope.function = launch.kernel->getNameAsString();
  // Parameters by name; fields of records by their path with underscores.
  std::map<std::string, Expr> integers;
  std::map<std::string, std::string> buffers;
  for (const ParamBinding &param : spec.stages.back().params)
    for (const auto &[at, binding] : param.fields) {
      std::string name = param.name;
      if (param.fields.size() > 1 || binding.display.size() > name.size())
        name = binding.display;
      for (char &c : name)
        if (c == '.')
          c = '_';
      if (binding.kind == Binding::Integer)
        integers[name] = binding.value;
      else if (binding.kind == Binding::Pointer)
        buffers[name] = binding.buffer;
    }
  scope.integer = [&](StringRef name) -> std::optional<Expr> {
    if (auto it = integers.find(name.str()); it != integers.end())
      return it->second;
    return constantNamed(name, launch.kernel);
  };
  scope.buffer = [&](StringRef name) -> BufferSpec * {
    auto it = buffers.find(name.str());
    if (it != buffers.end())
      for (BufferSpec &buffer : spec.buffers)
        if (buffer.name == it->second)
          return &buffer;
    return nullptr;
  };
  readAnnotations(launch.kernel, scope, spec, problems,
                  [&](SourceLocation loc) { return eval.where(loc); });
}

void SubjectBuilder::annotateHost(const FunctionDecl *host,
                                  const Launch &launch) {
  AnnotationScope scope;
  scope.function = host->getNameAsString();
  const FunctionDecl *definition = host->getDefinition();
  auto valueOf = [&](StringRef name) -> const Value * {
    for (const ParmVarDecl *param : definition->parameters())
      if (param->getName() == name) {
        auto it = launch.state.vars.find(param->getCanonicalDecl());
        return it == launch.state.vars.end() ? nullptr : &it->second;
      }
    return nullptr;
  };
  scope.integer = [&](StringRef name) -> std::optional<Expr> {
    if (const Value *v = valueOf(name); v && v->isInteger())
      return v->num;
    return constantNamed(name, host);
  };
  scope.buffer = [&](StringRef name) -> BufferSpec * {
    const Value *v = valueOf(name);
    if (!v || v->kind != Value::Pointer)
      return nullptr;
    auto it = bufferIndex.find(v->buffer);
    return it == bufferIndex.end() ? nullptr : &spec.buffers[it->second];
  };
  readAnnotations(host, scope, spec, problems,
                  [&](SourceLocation loc) { return eval.where(loc); });
}

/// `assert(n % 64 == 0)` and __builtin_assume at the top of a kernel's body,
/// where they speak of parameters only.
void SubjectBuilder::deviceAsserts(const Launch &launch) {
  const FunctionDecl *kernel = launch.kernel->getDefinition();
  const auto *body =
      kernel ? dyn_cast_or_null<CompoundStmt>(kernel->getBody()) : nullptr;
  if (!body)
    return;
  State state = launch.state;
  for (auto [param, value] : zip(kernel->parameters(), launch.args))
    state.vars[param->getCanonicalDecl()] = value;
  size_t symbols = names.symbols.size();
  for (const Stmt *s : body->body()) {
    const auto *e = dyn_cast<clang::Expr>(s);
    if (isa<ReturnStmt, IfStmt>(s))
      break; // what follows may not be reached
    if (!e)
      continue;
    e = e->IgnoreParenImpCasts();
    const clang::Expr *asserted = nullptr;
    if (auto *select = dyn_cast<ConditionalOperator>(e)) {
      auto *fail =
          dyn_cast<CallExpr>(select->getFalseExpr()->IgnoreParenImpCasts());
      if (fail && fail->getDirectCallee() &&
          (fail->getDirectCallee()->isNoReturn() ||
           fail->getDirectCallee()->getName().contains("assert")))
        asserted = select->getCond();
    } else if (auto *call = dyn_cast<CallExpr>(e)) {
      if (const FunctionDecl *callee = call->getDirectCallee();
          callee && callee->getBuiltinID() == Builtin::BI__builtin_assume)
        asserted = call->getArg(0);
    }
    if (!asserted)
      continue;
    Cond c = eval.conditionOf(asserted, state);
    bool readable = !c.hasUnknown();
    for (const std::string &name : c.freeSymbols())
      for (size_t i = symbols; i < names.symbols.size(); ++i)
        readable &= names.symbols[i].name != name;
    if (readable)
      spec.assumptions.push_back(
          {c, "assert at " + eval.where(asserted->getExprLoc())});
  }
}

SubjectSpec SubjectBuilder::build(std::string name,
                                  ArrayRef<const Launch *> launches,
                                  const FunctionDecl *host, bool launched) {
  spec = {};
  bufferIndex.clear();
  spec.name = std::move(name);
  spec.loc = launches.front()->kernel->getLocation();
  for (const Launch *launch : launches) {
    spec.stages.push_back(stage(*launch, launched));
    annotate(*launch);
    deviceAsserts(*launch);
  }
  keepLoops(launches);
  if (host)
    annotateHost(host, *launches.front());
  factsOf(launches);
  substituteFixed();
  nonEmptyLaunches();
  closeSymbols();
  return std::move(spec);
}

} // namespace ioflor::frontend
