//===- Subject.cpp - Subjects from specialised kernels -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ir/Context.h"
#include "plugin/clang/ir/Emit.h"
#include "plugin/clang/ir/Simplify.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace ioflor;
using namespace ioflor::ir;

namespace {
/// A stage between specialisation and emission. Element sizes of shared slow
/// buffers are known once every stage has been measured.
struct Stage {
  const frontend::StageSpec *spec = nullptr;
  Function *function = nullptr; ///< the specialised copy
  std::string refusal;          ///< why it is not read
  Launch launch;
  std::unique_ptr<DominatorTree> dom;
  std::unique_ptr<LoopInfo> loops;
  std::unique_ptr<DataFlow> flow;
  std::unique_ptr<ValueReader> reader;
  std::unique_ptr<Emitter> emitter;
  std::array<std::string, 3> gridVars, threadVars;

  ~Stage() {
    emitter.reset();
    reader.reset();
    loops.reset();
    dom.reset();
    if (function)
      function->eraseFromParent();
  }
};

class SubjectBuilder {
public:
  SubjectBuilder(Module &module, const frontend::SubjectSpec &spec,
                 mlir::OpBuilder &builder, const LocMapper &locations,
                 const ReaderOptions &options)
      : module(module), spec(spec), builder(builder), locations(locations),
        options(options), context(spec, options, builder.getContext()) {}

  mlir::FailureOr<SubjectOp> run(std::string *error);

private:
  bool prepare(Stage &stage, unsigned number, std::string *error);
  std::string refuse(const Function &f) const;
  void declareBuffers();
  mlir::Location at(clang::SourceLocation loc) const;
  mlir::DictionaryAttr subjectInfo();
  mlir::DictionaryAttr stageInfo(const Stage &stage);
  mlir::DictionaryAttr disclosure();
  BufferOp buffer(const BufferInfo &info, const frontend::BufferSpec *given,
                  mlir::Location loc);
  void emitStage(Stage &stage);
  void emitDeclarations(SubjectOp subject);
  mlir::Block *loop(LoopKind kind, StringRef var, const Expr &trips,
                    mlir::Block *in, mlir::Location loc);
  mlir::StringAttr text(StringRef s) { return builder.getStringAttr(s); }
  ExprAttr expr(const Expr &e) {
    return ExprAttr::get(builder.getContext(), e);
  }
  ExprAttr expr(const std::optional<Expr> &e) {
    return e ? expr(*e) : ExprAttr();
  }

  Module &module;
  const frontend::SubjectSpec &spec;
  mlir::OpBuilder &builder;
  const LocMapper &locations;
  const ReaderOptions &options;
  Context context;
  std::map<std::string, BufferInfo> buffers;
  std::vector<std::unique_ptr<Stage>> stages;
};
} // namespace

mlir::Location SubjectBuilder::at(clang::SourceLocation loc) const {
  if (options.sourceLocation && loc.isValid())
    return options.sourceLocation(loc);
  return mlir::UnknownLoc::get(builder.getContext());
}

/// What the reader does not take on, with the reason.
std::string SubjectBuilder::refuse(const Function &f) const {
  if (f.getInstructionCount() > options.instructionBudget)
    return "kernel is larger than the analysis budget";
  for (const BasicBlock &block : f) {
    const Instruction *end = block.getTerminator();
    if (!isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(end))
      return "control flow not understood: " +
             std::string(end->getOpcodeName());
  }
  return "";
}

bool SubjectBuilder::prepare(Stage &stage, unsigned number,
                             std::string *error) {
  const frontend::StageSpec &s = *stage.spec;
  Function *kernel = module.getFunction(s.mangledName);
  if (!kernel || kernel->isDeclaration()) {
    if (error)
      *error = "function '" + s.mangledName + "' is not in the module";
    return false;
  }
  std::string suffix =
      spec.stages.size() > 1 ? std::to_string(number + 1) : std::string();
  Launch &launch = stage.launch;
  for (unsigned d = 0; d < 3; ++d) {
    launch.grid[d] = s.grid[d];
    launch.block[d] = s.block[d];
    std::string axis(1, "xyz"[d]);
    if (!s.grid[d].isOne()) {
      stage.gridVars[d] = context.fresh("b" + axis + suffix);
      launch.blockIndex[d] = Expr::symbol(stage.gridVars[d]);
      context.known.declare(stage.gridVars[d], Expr(0), s.grid[d] - 1);
    }
    if (!s.block[d].isOne()) {
      stage.threadVars[d] = context.fresh("t" + axis + suffix);
      launch.threadIndex[d] = Expr::symbol(stage.threadVars[d]);
      context.known.declare(stage.threadVars[d], Expr(0), s.block[d] - 1);
    }
  }
  // What every GPU of today sets as its limit.
  if (!launch.threads().isConst())
    context.assume(le(launch.threads(), Expr(1024)),
                   "a block has at most 1024 threads");
  if (kernel->getInstructionCount() > options.instructionBudget) {
    stage.refusal = refuse(*kernel);
    return true;
  }
  StageConstants constants;
  for (unsigned d = 0; d < 3; ++d) {
    constants.grid[d] = s.grid[d].constant64();
    constants.block[d] = s.block[d].constant64();
  }
  if (kernel->arg_size() == s.params.size())
    for (unsigned i = 0; i < s.params.size(); ++i)
      if (auto it = s.params[i].fields.find(0);
          it != s.params[i].fields.end() &&
          it->second.kind == frontend::Binding::Integer)
        if (auto value = it->second.value.constant64())
          constants.arguments[i] = *value;
  stage.function = specialise(*kernel, constants);
  stage.refusal = refuse(*stage.function);
  if (!stage.refusal.empty())
    return true;
  stage.dom = std::make_unique<DominatorTree>(*stage.function);
  stage.loops = std::make_unique<LoopInfo>(*stage.dom);
  ReversePostOrderTraversal<Function *> rpo(stage.function);
  if (containsIrreducibleCFG<BasicBlock *>(rpo, *stage.loops)) {
    stage.refusal = "irreducible control flow";
    return true;
  }
  for (Loop *l : stage.loops->getLoopsInPreorder())
    if (!l->getLoopPreheader() || !l->getLoopLatch() ||
        !l->hasDedicatedExits()) {
      stage.refusal = "loop in no simple form";
      return true;
    }
  stage.flow = std::make_unique<DataFlow>(*stage.function);
  stage.reader = std::make_unique<ValueReader>(
      context, s, *stage.function, *stage.loops, *stage.dom, *stage.flow,
      launch, buffers, locations);
  stage.emitter =
      std::make_unique<Emitter>(*stage.reader, *stage.flow, *stage.function,
                                *stage.loops, buffers, builder);
  stage.emitter->measureElements();
  return true;
}

void SubjectBuilder::declareBuffers() {
  for (const frontend::BufferSpec &b : spec.buffers) {
    BufferInfo info;
    info.name = b.name;
    info.space = Space::Slow;
    info.elementBytes = b.elementBytes;
    info.guessed = b.elementBytes == 0;
    info.display = b.display;
    buffers[b.name] = info;
  }
}

mlir::DictionaryAttr SubjectBuilder::subjectInfo() {
  mlir::NamedAttrList info(options.info);
  auto put = [&](StringRef key, const std::string &value) {
    if (!value.empty() && !info.get(key))
      info.set(key, text(value));
  };
  put("name", spec.name);
  if (spec.stages.size() == 1) {
    put("instantiation", spec.stages.front().instantiation);
    put("launch", spec.stages.front().launchText);
  }
  return info.getDictionary(builder.getContext());
}

mlir::DictionaryAttr SubjectBuilder::stageInfo(const Stage &stage) {
  mlir::NamedAttrList info;
  info.set("kernel", text(stage.spec->mangledName));
  if (!stage.spec->instantiation.empty())
    info.set("instantiation", text(stage.spec->instantiation));
  if (!stage.spec->launchText.empty())
    info.set("launch", text(stage.spec->launchText));
  if (!stage.spec->launched)
    info.set("launched", builder.getBoolAttr(false));
  mlir::MLIRContext *c = builder.getContext();
  for (auto [key, extents] : {std::pair{"grid", &stage.spec->grid},
                              std::pair{"block", &stage.spec->block}}) {
    SmallVector<mlir::Attribute, 3> es;
    for (const Expr &e : *extents)
      es.push_back(ExprAttr::get(c, e));
    info.set(key, builder.getArrayAttr(es));
  }
  return info.getDictionary(c);
}

mlir::DictionaryAttr SubjectBuilder::disclosure() {
  if (!spec.disclosure)
    return {};
  const frontend::DisclosureSpec &d = *spec.disclosure;
  mlir::NamedAttrList attrs;
  attrs.set("kind", text(d.kind));
  if (d.w)
    attrs.set("w", expr(*d.w));
  if (!d.text.empty())
    attrs.set("text", text(d.text));
  if (auto loc = at(d.loc)->findInstanceOf<mlir::FileLineColLoc>()) {
    attrs.set("line", builder.getI64IntegerAttr(loc.getLine()));
    attrs.set("column", builder.getI64IntegerAttr(loc.getColumn()));
  }
  return attrs.getDictionary(builder.getContext());
}

BufferOp SubjectBuilder::buffer(const BufferInfo &info,
                                const frontend::BufferSpec *given,
                                mlir::Location loc) {
  mlir::MLIRContext *c = builder.getContext();
  unsigned element = std::max(1u, info.elementBytes);
  std::optional<Expr> words;
  if (info.bytes)
    words = ceildiv(*info.bytes, Expr(static_cast<int64_t>(element)));
  RoleAttr role;
  mlir::ArrayAttr extents;
  mlir::StringAttr evidence;
  mlir::UnitAttr annotated;
  if (given) {
    if (given->words)
      words = given->words;
    if (auto r = symbolizeRole(given->role); r && !given->role.empty())
      role = RoleAttr::get(c, *r);
    if (!given->extents.empty()) {
      SmallVector<mlir::Attribute, 4> es;
      for (const Expr &e : given->extents)
        es.push_back(expr(e));
      extents = builder.getArrayAttr(es);
    }
    if (!given->evidence.empty())
      evidence = text(given->evidence);
    if (role || extents)
      annotated = builder.getUnitAttr();
  }
  auto op = BufferOp::create(
      builder, loc, text(info.name), SpaceAttr::get(c, info.space),
      builder.getI64IntegerAttr(element), expr(words), role, extents, evidence,
      info.display.empty() || info.display == info.name ? mlir::StringAttr()
                                                        : text(info.display),
      mlir::UnitAttr(), annotated);
  if (given && given->initial != frontend::Fill::Unknown) {
    op->setAttr(initialAttr, text(given->initial == frontend::Fill::Zero
                                      ? "zero"
                                      : "minus infinity"));
    if (given->initialBytes)
      op->setAttr(initialWordsAttr,
                  expr(floordiv(*given->initialBytes,
                                Expr(static_cast<int64_t>(element)))));
  }
  return op;
}

mlir::Block *SubjectBuilder::loop(LoopKind kind, StringRef var,
                                  const Expr &trips, mlir::Block *in,
                                  mlir::Location loc) {
  builder.setInsertionPointToEnd(in);
  auto op = LoopOp::create(builder, loc, kind, var, trips, mlir::StringAttr());
  return &op.getBody().emplaceBlock();
}

/// Buffers that loads and stores of an operation name.
static std::set<std::string> usedBuffers(mlir::Operation *op) {
  std::set<std::string> used;
  op->walk([&](mlir::Operation *inner) {
    if (auto load = dyn_cast<LoadOp>(inner))
      used.insert(load.getBuffer().str());
    else if (auto store = dyn_cast<StoreOp>(inner))
      used.insert(store.getBuffer().str());
  });
  return used;
}

void SubjectBuilder::emitStage(Stage &stage) {
  const frontend::StageSpec &s = *stage.spec;
  mlir::Location loc = at(s.launched ? s.launch : spec.loc);
  std::string name = context.fresh(spec.stages.size() > 1 ? "stage1" : "stage");
  int64_t registers = stage.function && stage.refusal.empty()
                          ? registerEstimate(*stage.function)
                          : 255; // the most that one thread can have
  auto op = StageOp::create(builder, loc, text(name), stageInfo(stage),
                            expr(stage.launch.threads()),
                            builder.getI64IntegerAttr(registers));
  mlir::Block *top = &op.getBody().emplaceBlock(), *body = top;
  for (unsigned d : {2u, 1u, 0u})
    if (!stage.gridVars[d].empty())
      body = loop(LoopKind::Grid, stage.gridVars[d], s.grid[d], body, loc);
  for (unsigned d : {2u, 1u, 0u})
    if (!stage.threadVars[d].empty())
      body = loop(LoopKind::Thread, stage.threadVars[d], s.block[d], body, loc);
  builder.setInsertionPointToEnd(body);
  mlir::Region scratch;
  mlir::Block *fast = &scratch.emplaceBlock();
  if (!stage.refusal.empty())
    UnknownOp::create(builder, loc, text(stage.refusal), mlir::ArrayAttr(),
                      mlir::ArrayAttr(), builder.getUnitAttr());
  else
    stage.emitter->run(body, fast);
  // What has become of branches that only steer indices.
  op.walk([](mlir::Operation *inner) {
    bool empty = false;
    if (auto guard = dyn_cast<GuardOp>(inner))
      empty = guard.getBody().front().empty();
    else if (auto seq = dyn_cast<LoopOp>(inner))
      empty = seq.getKind() == LoopKind::Seq && seq.getBody().front().empty();
    if (empty)
      inner->erase();
  });
  // The arrays of the stage, then its registers, then the nest.
  builder.setInsertionPointToStart(fast);
  for (const std::string &used : usedBuffers(op)) {
    auto it = buffers.find(used);
    bool scalar = false;
    for (auto declared : fast->getOps<BufferOp>())
      scalar |= declared.getSymName() == used;
    if (it != buffers.end() && it->second.space != Space::Slow && !scalar)
      buffer(it->second, nullptr, loc);
  }
  top->getOperations().splice(top->begin(), fast->getOperations());
  builder.setInsertionPointAfter(op);
}

void SubjectBuilder::emitDeclarations(SubjectOp subject) {
  mlir::Block *body = &subject.getBody().front();
  builder.setInsertionPointToStart(body);
  for (const frontend::SymbolSpec &s : spec.symbols)
    SymbolOp::create(builder, at(spec.loc), text(s.name), expr(s.lo),
                     expr(s.hi), mlir::StringAttr(),
                     s.display.empty() || s.display == s.name
                         ? mlir::StringAttr()
                         : text(s.display));
  // Only what the skeleton speaks of: a value may have been given up first and
  // read later.
  std::set<std::string> used;
  auto mention = [&](const std::set<std::string> &names) {
    used.insert(names.begin(), names.end());
  };
  subject->walk([&](mlir::Operation *op) {
    forEachExpr(
        op, [&](const Expr &e) { mention(e.freeSymbols()); },
        [&](const Cond &c) { mention(c.freeSymbols()); });
  });
  for (const frontend::AssumptionSpec &a : context.assumptions)
    mention(a.condition.freeSymbols());
  for (const NewSymbol &s : reverse(context.symbols))
    if (used.count(s.name))
      for (auto &end : {s.lo, s.hi})
        if (end)
          mention(end->freeSymbols());
  for (const NewSymbol &s : context.symbols)
    if (used.count(s.name))
      SymbolOp::create(builder, s.loc, text(s.name), expr(s.lo), expr(s.hi),
                       s.data.empty() ? mlir::StringAttr() : text(s.data),
                       s.display.empty() || s.display == s.name
                           ? mlir::StringAttr()
                           : text(s.display));
  mlir::MLIRContext *c = builder.getContext();
  for (auto *list : {&spec.assumptions,
                     const_cast<const std::vector<frontend::AssumptionSpec> *>(
                         &context.assumptions)})
    for (const frontend::AssumptionSpec &a : *list)
      AssumeOp::create(builder, at(spec.loc), CondAttr::get(c, a.condition),
                       text(a.source));
  std::set<std::string> touched = usedBuffers(subject);
  for (const frontend::BufferSpec &b : spec.buffers)
    buffer(buffers[b.name], &b, at(b.loc));
  for (auto &[name, info] : buffers) {
    bool given = any_of(spec.buffers, [&](const frontend::BufferSpec &b) {
      return b.name == name;
    });
    if (!given && info.space == Space::Slow && touched.count(name))
      buffer(info, nullptr, at(spec.loc));
  }
  for (auto &[reason, loc] : spec.unknowns)
    UnknownOp::create(builder, at(loc), text(reason), mlir::ArrayAttr(),
                      mlir::ArrayAttr(), builder.getUnitAttr());
}

mlir::FailureOr<SubjectOp> SubjectBuilder::run(std::string *error) {
  declareBuffers();
  mlir::OpBuilder::InsertionGuard keep(builder);
  for (const frontend::StageSpec &s : spec.stages) {
    stages.push_back(std::make_unique<Stage>());
    stages.back()->spec = &s;
    if (!prepare(*stages.back(), stages.size() - 1, error))
      return mlir::failure();
  }
  auto subject = SubjectOp::create(
      builder, at(spec.loc), text(Context::identifier(spec.name)),
      subjectInfo(), disclosure(), expr(spec.claimWords), expr(spec.fastWords),
      mlir::DictionaryAttr());
  mlir::Block *body = &subject.getBody().emplaceBlock();
  // Stages in launch order; a host loop that the next stage shares goes on.
  std::vector<std::pair<std::string, mlir::Block *>> open;
  for (auto &stage : stages) {
    const auto &hosts = stage->spec->hostLoops;
    size_t shared = 0;
    while (shared < open.size() && shared < hosts.size() &&
           open[shared].first == hosts[shared].var)
      ++shared;
    open.resize(shared);
    mlir::Block *in = open.empty() ? body : open.back().second;
    for (size_t i = shared; i < hosts.size(); ++i) {
      in = loop(LoopKind::Host, hosts[i].var, hosts[i].trips, in,
                at(stage->spec->launch));
      open.push_back({hosts[i].var, in});
    }
    builder.setInsertionPointToEnd(in);
    if (!stage->spec->hostGuard.isAlways()) {
      auto guard = GuardOp::create(
          builder, at(stage->spec->launch),
          CondAttr::get(builder.getContext(), stage->spec->hostGuard));
      builder.setInsertionPointToStart(&guard.getBody().emplaceBlock());
    }
    emitStage(*stage);
  }
  emitDeclarations(subject);
  return subject;
}

mlir::FailureOr<SubjectOp>
ioflor::ir::extractSubject(Module &module, const frontend::SubjectSpec &spec,
                           mlir::OpBuilder &builder, const LocMapper &locations,
                           const ReaderOptions &options, std::string *error) {
  return SubjectBuilder(module, spec, builder, locations, options).run(error);
}
