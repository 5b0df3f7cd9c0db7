//===- ioflor-read-ir.cpp - Skeletons from LLVM IR files -------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ioflor-read-ir kernel.ll --spec kernel.spec` prints the skeleton of one
// subject. The spec says what the AST reader finds in a compilation, a line
// each:
//
//   subject NAME
//   symbol NAME [lo [hi]]
//   assume "COND"
//   buffer NAME [element-bytes]
//   stage MANGLED-NAME-OR-PART
//   grid "x" "y" "z"            block "x" "y" "z"         shared "bytes"
//   param NAME int "EXPR" | ptr BUFFER ["offset"] | opaque
//   field PARAM BYTE-OFFSET int "EXPR" | ptr BUFFER ["offset"] | opaque
//
// A stage without grid and block is launched elsewhere (gridDim_x, ...);
// without params, every pointer is a buffer of its own and every integer a
// symbol. For developers and tests; not installed.
//
//===----------------------------------------------------------------------===//
#include "dialect/interp/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "plugin/clang/ir/IRReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/Timer.h"

using namespace llvm;
using namespace ioflor;

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("LLVM IR file"));
static cl::opt<std::string> specFile("spec", cl::desc("What the AST knows"));
static cl::opt<bool>
    allKernels("all-kernels", cl::desc("Read every kernel, one subject each"));
static cl::list<std::string>
    interpret("interpret", cl::desc("Execute at sizes, e.g. N=100,heads=2, and "
                                    "print issued, traffic, compulsory"));
static cl::opt<bool> printIR("print-ir", cl::desc("Print the simplified IR"));
static cl::opt<bool> locations("locations", cl::desc("Print locations"));
static cl::opt<bool> summary("summary", cl::desc("Only counts and unknowns"));

namespace {
struct SpecReader {
  frontend::SubjectSpec spec;
  std::string error;

  Expr expr(StringRef text) {
    auto e = parseExpr(text);
    if (!e)
      error = ("cannot read expression '" + text + "'").str();
    return e.value_or(Expr(0));
  }

  /// Words of a line; quoted ones keep their blanks.
  static std::vector<std::string> words(StringRef line) {
    std::vector<std::string> all;
    while (!(line = line.ltrim()).empty() && !line.starts_with("#")) {
      if (line.consume_front("\"")) {
        auto [word, rest] = line.split('"');
        all.push_back(word.str());
        line = rest;
      } else {
        size_t n = line.find_first_of(" \t");
        all.push_back(line.substr(0, n).str());
        line = n == StringRef::npos ? "" : line.substr(n);
      }
    }
    return all;
  }

  frontend::Binding binding(ArrayRef<std::string> w) {
    frontend::Binding b;
    if (!w.empty() && w[0] == "int" && w.size() >= 2) {
      b.kind = frontend::Binding::Integer;
      b.value = expr(w[1]);
    } else if (!w.empty() && w[0] == "ptr" && w.size() >= 2) {
      b.kind = frontend::Binding::Pointer;
      b.buffer = w[1];
      if (w.size() >= 3)
        b.offsetBytes = expr(w[2]);
    }
    return b;
  }

  void line(StringRef text) {
    std::vector<std::string> w = words(text);
    if (w.empty())
      return;
    auto stage = [&]() -> frontend::StageSpec & {
      if (spec.stages.empty())
        spec.stages.emplace_back();
      return spec.stages.back();
    };
    if (w[0] == "subject" && w.size() == 2) {
      spec.name = w[1];
    } else if (w[0] == "symbol" && w.size() >= 2) {
      frontend::SymbolSpec s;
      s.name = w[1];
      if (w.size() > 2)
        s.lo = expr(w[2]);
      if (w.size() > 3)
        s.hi = expr(w[3]);
      spec.symbols.push_back(s);
    } else if (w[0] == "assume" && w.size() == 2) {
      if (auto c = parseCond(w[1]))
        spec.assumptions.push_back({*c, "spec"});
      else
        error = "cannot read condition";
    } else if (w[0] == "buffer" && w.size() >= 2) {
      frontend::BufferSpec b;
      b.name = w[1];
      if (w.size() > 2)
        StringRef(w[2]).getAsInteger(10, b.elementBytes);
      spec.buffers.push_back(b);
    } else if (w[0] == "stage" && w.size() == 2) {
      spec.stages.emplace_back();
      spec.stages.back().mangledName = w[1];
    } else if ((w[0] == "grid" || w[0] == "block") && w.size() == 4) {
      for (unsigned d = 0; d < 3; ++d)
        (w[0] == "grid" ? stage().grid : stage().block)[d] = expr(w[d + 1]);
      stage().launched = true;
    } else if (w[0] == "shared" && w.size() == 2) {
      stage().dynamicSharedBytes = expr(w[1]);
    } else if (w[0] == "param" && w.size() >= 3) {
      frontend::ParamBinding p;
      p.name = w[1];
      p.fields[0] = binding(ArrayRef(w).drop_front(2));
      stage().params.push_back(p);
    } else if (w[0] == "field" && w.size() >= 4) {
      for (auto &p : stage().params)
        if (p.name == w[1]) {
          uint64_t offset = 0;
          StringRef(w[2]).getAsInteger(10, offset);
          p.fields[offset] = binding(ArrayRef(w).drop_front(3));
          return;
        }
      frontend::ParamBinding p;
      p.name = w[1];
      uint64_t offset = 0;
      StringRef(w[2]).getAsInteger(10, offset);
      p.fields[offset] = binding(ArrayRef(w).drop_front(3));
      stage().params.push_back(p);
    } else {
      error = ("cannot read line '" + text + "'").str();
    }
  }
};
} // namespace

/// Launched elsewhere: gridDim_x, blockDim_x, ... as the AST reader names them.
static void nameLaunch(frontend::SubjectSpec &spec) {
  for (frontend::StageSpec &s : spec.stages) {
    if (s.launched)
      continue;
    for (unsigned d = 0; d < 3; ++d)
      for (auto [what, list] :
           {std::pair{"gridDim_", &s.grid}, std::pair{"blockDim_", &s.block}}) {
        std::string name = std::string(what) + "xyz"[d];
        (*list)[d] = Expr::symbol(name);
        if (none_of(spec.symbols, [&](auto &x) { return x.name == name; }))
          spec.symbols.push_back({name, "", Expr(1), std::nullopt});
      }
  }
}

static void interpretAt(mlir::ModuleOp module, StringRef sizes) {
  Valuation at;
  SmallVector<StringRef, 8> parts;
  sizes.split(parts, ',');
  for (StringRef part : parts) {
    auto [name, value] = part.split('=');
    int64_t number = 0;
    value.getAsInteger(10, number);
    at[name.str()] = BigInt(number);
  }
  module.walk([&](SubjectOp subject) {
    InterpOptions options;
    options.maxSteps = 2'000'000'000;
    InterpCounts counts = Interpreter(subject).bounds(at, options);
    outs() << sizes << ":";
    if (!counts.ok())
      outs() << " " << counts.message;
    auto words = [](const Words &w) {
      std::string text = std::to_string(w.lo);
      if (!w.exact())
        text += ".." + (w.hi ? std::to_string(*w.hi) : std::string("?"));
      return text;
    };
    auto show = [&](StringRef direction,
                    const std::map<std::string, AccessCounts> &all) {
      for (auto &[name, c] : all)
        outs() << " " << name << "." << direction << "=" << words(c.issued)
               << "/" << words(c.traffic) << "/" << words(c.compulsory);
    };
    show("loads", counts.loads);
    show("stores", counts.stores);
    outs() << "\n";
  });
}

static void print(mlir::ModuleOp module) {
  if (!interpret.empty()) {
    // Commas separate the values of the option itself.
    interpretAt(module, llvm::join(interpret, ","));
    return;
  }
  if (summary) {
    unsigned loads = 0, stores = 0, loops = 0, dataLoops = 0, unknowns = 0,
             unknownGuards = 0, guards = 0, dataSlow = 0, slow = 0;
    std::set<std::string> data;
    module.walk([&](SymbolOp s) {
      if (s.getData())
        data.insert(s.getName().str());
    });
    module.walk([&](mlir::Operation *op) {
      auto address = [&](auto access) {
        if (!isSlow(access))
          return;
        ++slow;
        if (!access.getAddress() || access.getAddress()->dependsOnAny(data))
          ++dataSlow;
      };
      if (auto load = dyn_cast<LoadOp>(op)) {
        ++loads;
        address(load);
      } else if (auto store = dyn_cast<StoreOp>(op)) {
        ++stores;
        address(store);
      } else if (auto loop = dyn_cast<LoopOp>(op)) {
        ++loops;
        dataLoops += loop.getTrips().dependsOnAny(data);
      } else if (auto guard = dyn_cast<GuardOp>(op)) {
        ++guards;
        unknownGuards += guard.getCondition().hasUnknown();
      } else if (auto unknown = dyn_cast<UnknownOp>(op)) {
        ++unknowns;
        outs() << "  unknown: " << unknown.getReason() << " at "
               << unknown.getLoc() << "\n";
      }
    });
    outs() << "  slow " << slow << " (data " << dataSlow << "), loads " << loads
           << ", stores " << stores << ", loops " << loops << " (data "
           << dataLoops << "), guards " << guards << " (unknown "
           << unknownGuards << "), unknowns " << unknowns << "\n";
    return;
  }
  mlir::OpPrintingFlags flags;
  if (locations)
    flags.enableDebugInfo(true, true);
  module.print(outs(), flags);
  outs() << "\n";
}

static int readOne(Module &module, const frontend::SubjectSpec &spec) {
  mlir::MLIRContext context;
  context.loadDialect<IoflorDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> result(
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
  mlir::OpBuilder builder(&context);
  builder.setInsertionPointToEnd(result->getBody());
  std::string error;
  auto subject = ir::extractSubject(module, spec, builder, {}, {}, &error);
  if (mlir::failed(subject)) {
    errs() << "ioflor-read-ir: " << error << "\n";
    return 2;
  }
  if (mlir::failed(mlir::verify(*result))) {
    result->print(errs(), mlir::OpPrintingFlags().printGenericOpForm());
    return 1;
  }
  print(*result);
  return 0;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "reads kernels' skeletons\n");
  LLVMContext llvm;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, llvm);
  if (!module) {
    diagnostic.print("ioflor-read-ir", errs());
    return 2;
  }
  SpecReader reader;
  if (!specFile.empty()) {
    auto text = MemoryBuffer::getFile(specFile);
    if (!text) {
      errs() << "ioflor-read-ir: cannot open '" << specFile << "'\n";
      return 2;
    }
    SmallVector<StringRef, 32> lines;
    (*text)->getBuffer().split(lines, '\n');
    for (StringRef line : lines)
      reader.line(line);
    if (!reader.error.empty()) {
      errs() << "ioflor-read-ir: " << reader.error << "\n";
      return 2;
    }
  }
  nameLaunch(reader.spec);
  std::vector<std::string> entries;
  // Part of a name is enough where it is the only one.
  for (frontend::StageSpec &s : reader.spec.stages) {
    for (Function &f : *module)
      if (!f.isDeclaration() && f.getName().contains(s.mangledName)) {
        s.mangledName = f.getName().str();
        break;
      }
    entries.push_back(s.mangledName);
  }
  module = ir::simplified(std::move(module), entries);
  if (printIR)
    module->print(outs(), nullptr);
  if (!allKernels)
    return readOne(*module, reader.spec);
  std::vector<std::string> kernels;
  for (Function &f : *module)
    if (!f.isDeclaration() &&
        (f.getCallingConv() == CallingConv::PTX_Kernel ||
         f.getCallingConv() == CallingConv::AMDGPU_KERNEL ||
         f.getCallingConv() == CallingConv::SPIR_KERNEL))
      kernels.push_back(f.getName().str());
  int status = 0;
  for (const std::string &name : kernels) {
    frontend::SubjectSpec spec;
    spec.name = name;
    spec.stages.emplace_back();
    spec.stages.back().mangledName = name;
    nameLaunch(spec);
    TimeRecord start = TimeRecord::getCurrentTime();
    outs() << "kernel " << name << " ("
           << module->getFunction(name)->getInstructionCount()
           << " instructions)\n";
    outs().flush();
    status = std::max(status, readOne(*module, spec));
    TimeRecord end = TimeRecord::getCurrentTime();
    if (summary)
      outs() << "  "
             << format("%.2f", end.getProcessTime() - start.getProcessTime())
             << " s\n";
  }
  return status;
}
