//===- Extractor.h - One function as a skeleton -*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a function and writes the program of its words into the dialect. What
// it does not understand becomes an ioflor.unknown with the place and reason.
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PASSES_EXTRACT_EXTRACTOR_H
#define IOFLOR_PASSES_EXTRACT_EXTRACTOR_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/extract/Entity.h"
#include "passes/extract/Extract.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace ioflor::extract {

class Extractor {
public:
  struct Launch {
    Expr grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    Expr blockId[3] = {0, 0, 0}, threadId[3] = {0, 0, 0};
  };

  /// `function` is any operation with one region that takes its operands as
  /// arguments of its entry block: a func.func, or a tt.func, which is not
  /// registered.
  Extractor(mlir::Operation *function, llvm::StringRef name,
            mlir::OpBuilder &builder, const ExtractOptions &options);

  /// Writes the subject at the builder's insertion point; null if the function
  /// has no body or its attributes are wrong, which is then reported.
  SubjectOp run();

  // Function.cpp: symbols, arguments, stages.
  /// A new symbol; `like` is made unique.
  Expr symbol(llvm::StringRef like, std::optional<Expr> lo,
              std::optional<Expr> hi, mlir::Location loc,
              llvm::StringRef display = "");
  /// A value that memory or something unread decides.
  Expr dataSymbol(llvm::StringRef reason, mlir::Location loc);
  /// What is taken to hold and is no condition on symbols.
  void statement(const llvm::Twine &text, mlir::Location loc);
  void assumption(const Cond &c, llvm::StringRef source, mlir::Location loc);

  // Emit.cpp: loops, guards, words.
  void loop(mlir::Location loc, LoopKind kind, llvm::StringRef hint,
            const Expr &trips, llvm::function_ref<void(Expr)> body);
  /// A nest of sequential loops over the coordinates of a shape.
  void loops(mlir::Location loc, llvm::ArrayRef<Expr> sizes,
             llvm::function_ref<void(llvm::ArrayRef<Expr>)> body);
  void guard(mlir::Location loc, const Cond &c, llvm::function_ref<void()> fn);
  mlir::Value load(const View &view, llvm::ArrayRef<Expr> at,
                   mlir::Location loc);
  mlir::Value loadWord(llvm::StringRef buffer, const Expr &word,
                       mlir::Location loc);
  void store(mlir::Value v, const View &view, llvm::ArrayRef<Expr> at,
             mlir::Location loc);
  void storeWord(mlir::Value v, llvm::StringRef buffer, const Expr &word,
                 mlir::Location loc);
  mlir::Value compute(ComputeKind kind, llvm::ArrayRef<mlir::Value> operands,
                      llvm::StringRef detail, mlir::Location loc);
  /// The word of an entity at coordinates (none for a scalar).
  mlir::Value element(const Entity &e, llvm::ArrayRef<Expr> at,
                      mlir::Location loc);
  void copy(const Entity &from, const View &to, mlir::Location loc);
  void unknown(mlir::Operation *op, llvm::StringRef reason);
  /// A fast array of the present stage. Sizes may depend on loop variables: the
  /// strides then are those of their largest values. nullopt if they have none.
  std::optional<View> fastArray(llvm::StringRef hint, mlir::Type element,
                                llvm::ArrayRef<Expr> sizes, mlir::Location loc,
                                Space space = Space::Private,
                                bool scalar = false);
  /// An array in slow memory, shared by the stages.
  View slowArray(llvm::StringRef hint, mlir::Type element,
                 llvm::ArrayRef<Expr> sizes, mlir::Location loc);
  /// Somewhere for a value of the type: fast if a constant bounds it, else
  /// slow.
  View temporary(llvm::StringRef hint, mlir::Type element,
                 llvm::ArrayRef<Expr> sizes, mlir::Location loc);
  /// This array is needed as a whole at one time: a loop reads it in each of
  /// its iterations, say. Other values may be held in parts.
  void keep(const View &view) { passing.erase(view.buffer); }
  /// What `loop` reads in each of its iterations is kept.
  void keepOperands(mlir::Operation *loop);
  Expr simplified(const Expr &e) const { return simplify(e, known); }
  /// Outside of loops a value that is not bounded is where the caller is.
  bool insideLoops() const { return depthOfLoops > 0; }
  static Exprs rowMajor(llvm::ArrayRef<Expr> sizes);
  /// The largest value over the loops around; nullopt if none is found.
  std::optional<Expr> largest(const Expr &e) const;

  /// Made of the function's sizes only: no loop variable, nothing from memory.
  bool isSubjectSize(const Expr &e) const;
  /// The words of a buffer are those of an array of this shape, which is laid
  /// out by `strides`: the author says so where he makes a pointer to blocks.
  void describe(llvm::StringRef buffer, const Expr &offset,
                llvm::ArrayRef<Expr> sizes, llvm::ArrayRef<Expr> strides);

  /// The program uses this size itself, not only a check of bounds.
  void ask(const Expr &size) {
    for (const std::string &name : size.freeSymbols())
      asked.insert(name);
  }

  // Values.
  const Entity &get(mlir::Value v);
  void set(mlir::Value v, Entity e);
  /// An integer operand; a data symbol where it is not known.
  Expr integer(mlir::Value v);
  Expr integer(mlir::OpFoldResult v);
  Exprs integers(llvm::ArrayRef<mlir::OpFoldResult> vs);
  Cond condition(mlir::Value v);
  Expr apply(mlir::AffineExpr e, llvm::ArrayRef<Expr> dims,
             llvm::ArrayRef<Expr> symbols);
  Exprs apply(mlir::AffineMap map, llvm::ArrayRef<Expr> operands);
  Exprs shapeOf(mlir::Value v);

  // One function a dialect; false: not its operation.
  void visit(mlir::Operation *op);
  void visit(mlir::Block &block);
  bool visitInteger(mlir::Operation *op);
  bool visitControl(mlir::Operation *op);
  bool visitScalar(mlir::Operation *op);
  bool visitMemory(mlir::Operation *op);
  bool visitTensor(mlir::Operation *op);
  bool visitLinalg(mlir::Operation *op);
  /// IREE's attention, which is not linked: by name.
  bool visitLinalgExt(mlir::Operation *op);
  bool visitGpu(mlir::Operation *op);
  bool visitVector(mlir::Operation *op);
  /// Triton's operations, which are not linked: by name.
  bool visitTriton(mlir::Operation *op);
  bool tritonShape(mlir::Operation *op, llvm::StringRef name);
  bool tritonAddress(mlir::Operation *op, llvm::StringRef name);
  bool tritonMemory(mlir::Operation *op, llvm::StringRef name);
  bool tritonWords(mlir::Operation *op, llvm::StringRef name);
  /// A descriptor that the host makes is followed by its sizes and strides.
  void descriptorArguments(mlir::Block &entry);
  /// The grid of a kernel whose launch is not in the module: the attribute
  /// `ioflor.grid` of the function, else symbols.
  /// An attribute that cannot be read is an error, which is said: nullopt.
  std::optional<Launch> unknownLaunch();
  /// Whether reinterpret_cast of a view of it starts elsewhere than the view.
  bool startsBehindBase(llvm::StringRef buffer) const {
    return shifted.contains(buffer);
  }

  /// Whether the value's buffer may be overwritten by `op`, which consumes it:
  /// nothing reads it afterwards, through this or another value. An argument of
  /// the function may be only where it is the `destination` of the operation.
  /// Whether the element-wise operation `op` computes what the loop around
  /// carries in the memory of `v`: the next value belongs there.
  bool carriesOn(mlir::Value v, mlir::Operation *op);
  bool isLastUse(mlir::Value v, mlir::Operation *op, bool destination = false);

  // Control.cpp
  void forLoop(mlir::Operation *op, mlir::Value iv, const Expr &lo,
               const Expr &hi, const Expr &step, mlir::ValueRange inits,
               mlir::ValueRange args, mlir::ValueRange yielded,
               mlir::Block &body);
  void parallelLoops(mlir::Operation *op, mlir::ValueRange ivs,
                     llvm::ArrayRef<Expr> lo, llvm::ArrayRef<Expr> hi,
                     llvm::ArrayRef<Expr> step, mlir::Block &body);
  /// What `v` grows by in each iteration of the loop that carries `arg`; for a
  /// shaped pointer over its coordinates. nullopt if it is no recurrence.
  /// `dimension`: that of a block pointer.
  std::optional<Expr> growth(mlir::Value v, mlir::Value arg,
                             mlir::Operation *loop, int dimension = -1,
                             unsigned depth = 0);

  // Gpu.cpp: numbers of block and thread, set by the launch.
  std::optional<Launch> launch;
  void launched(mlir::Operation *op, Launch sizes, llvm::StringRef kernel,
                llvm::function_ref<void()> body);

  mlir::MLIRContext *context() { return builder.getContext(); }

  mlir::Operation *function;
  std::string name;
  mlir::OpBuilder &builder;
  const ExtractOptions &options;
  SubjectOp subject;
  Assumptions known;

private:
  // Attributes.cpp: what the function says about itself; false: an error, said.
  bool declareFunction();
  bool declareArguments();
  bool declareAssumptions();
  /// `stride == 64*n`: the argument is that value wherever it occurs. False:
  /// the text is none of this kind.
  bool replaceArgument(llvm::StringRef text);
  /// An expression over the function's sizes; nullopt: an error, which is said.
  std::optional<Expr> declaredExpression(llvm::StringRef name,
                                         mlir::Attribute a);
  bool isDeclared(const std::set<std::string> &symbols, llvm::StringRef name);
  // Arguments.cpp
  void arguments();
  void argument(mlir::BlockArgument arg, unsigned number);
  /// A symbol for a dynamic dimension.
  Expr dimension(mlir::BlockArgument arg, unsigned k);
  void applyDescriptions();
  void dropUnusedDimensions();
  void stages(mlir::Block &body);
  void stage(mlir::Operation *op, llvm::function_ref<void()> body);
  std::string unique(llvm::StringRef like);
  BufferOp declare(Space space, llvm::StringRef hint, mlir::Type element,
                   std::optional<Expr> words, mlir::Location loc, bool scalar);

  llvm::DenseMap<mlir::Value, Entity> values;
  /// By buffer, the values that were in it at some time.
  llvm::StringMap<llvm::SmallVector<mlir::Value>> inBuffer;
  /// Values that are words or fast arrays of the present stage.
  llvm::SmallVector<mlir::Value> local;
  llvm::StringSet<> names;
  /// Symbols of dimensions that the program asks for or runs over.
  std::set<std::string> asked;
  /// The last of the subject's symbols, assumptions and slow buffers, and of
  /// the present stage's fast buffers: new ones stand after it.
  mlir::Operation *lastHeader = nullptr, *lastFast = nullptr;
  StageOp currentStage;
  /// What `describe` was told of a buffer; none: descriptions differ.
  std::map<std::string, std::optional<Exprs>> described;
  /// Symbols that memory decides.
  std::set<std::string> fromMemory;
  /// Values of arguments that ioflor.assume gave.
  std::map<std::string, Expr> given;
  /// Fast arrays of values that nothing needs as a whole.
  llvm::StringSet<> passing;
  /// Arguments whose data starts behind their base pointer.
  llvm::StringSet<> shifted;
  bool severalStages = false;
  /// Loops around, grid and thread loops among them.
  std::set<std::string> variables;
  unsigned depthOfLoops = 0;
  int64_t nextInstr = 0;
  unsigned nextUnknown = 0;
};

/// What of an attention a function has, at any level.
struct Signs {
  unsigned exponentials = 0, products = 0, whole = 0;
  /// Sums of rows, or exponentials in loops, which may be summed there.
  unsigned sums = 0;
  /// The first product or copy to fast memory.
  mlir::Operation *first = nullptr;

  /// It may be attention: two products and a softmax between. A layer with an
  /// activation has an exponential, too, but no sum of it.
  bool candidate() const {
    return whole || (exponentials && products >= 2 && sums);
  }
  /// What is missing; in words that go on "no attention was found: ".
  std::string missing() const;
};
/// What each name of an operation is a sign of, as far as it was asked for.
using NameSigns = llvm::DenseMap<mlir::OperationName, uint8_t>;
Signs signsOf(mlir::Operation *function, NameSigns &names);

struct Function {
  mlir::Operation *function;
  std::string name;
};
/// Functions that have a part of what an attention is, and the first of them.
struct Fragment {
  unsigned functions = 0;
  mlir::Operation *at = nullptr;
  std::string name, missing;
};
/// The functions to read: those that match `pattern`, or where it is empty the
/// candidates, and what else comes near. False: the pattern is wrong, said at
/// the module. Kernels that a function of the module launches are left out.
bool functionsOf(mlir::ModuleOp module, llvm::StringRef pattern,
                 std::vector<Function> &found, Fragment &fragment);
/// Writes the subject of each at the end of `to`; false: an error, said.
bool writeSubjects(llvm::ArrayRef<Function> functions, mlir::ModuleOp to,
                   const ExtractOptions &options);

} // namespace ioflor::extract

#endif // IOFLOR_PASSES_EXTRACT_EXTRACTOR_H
