//===- Certificate.cpp - The certificate of a module ----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/output/Certificate.h"
#include "mlir/IR/Location.h"
#include "passes/floors/Problem.h"
#include "passes/output/Version.h"
#include "passes/verdict/View.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include <cstdlib>

using namespace mlir;
using namespace ioflor;
using verdict::View;
using verdict::Words;

namespace {

/// JSON text must be UTF-8; source text need not be.
std::string utf8(StringRef s) {
  return llvm::json::isUTF8(s) ? s.str() : llvm::json::fixUTF8(s);
}

/// The kernel's name in the source, where the stage knows its symbol.
std::string kernelName(StageOp stage) {
  auto symbol = stage.getInfo().getAs<StringAttr>("kernel");
  if (!symbol || symbol.getValue().empty())
    return stage.getSymName().str();
  std::string mangled = symbol.getValue().str();
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()))
    return mangled; // C and OpenCL
  char *base = demangler.getFunctionBaseName(nullptr, nullptr);
  std::string name = base ? base : mangled;
  std::free(base);
  return name;
}

/// Writes one subject.
class Writer {
public:
  Writer(llvm::json::OStream &j, SubjectOp subject,
         const CertificateOptions &options, StringRef digest = "")
      : j(j), subject(subject), view(subject), options(options),
        digest(digest) {}

  void write() {
    j.object([&] {
      j.attribute("schema", "ioflor-certificate-v1");
      j.attributeObject("subject", [&] { writeSubject(); });
      j.attributeObject("model", [&] { writeModel(); });
      j.attributeArray("symbols", [&] { writeSymbols(); });
      j.attributeObject("dims", [&] { writeDims(); });
      j.attributeArray("buffers", [&] { writeBuffers(); });
      j.attributeObject("traffic", [&] {
        Words loads = view.all("loads"), stores = view.all("stores");
        Words total = loads;
        total += stores;
        words("loads", loads);
        words("stores", stores);
        words("total", total);
      });
      j.attributeObject("footprint", [&] {
        expression("lo", view.footprintLo);
        expression("hi", view.footprintHi);
      });
      writePairs();
      j.attributeObject("coverage", [&] { writeCoverage(); });
      j.attributeArray("floors", [&] { writeFloors(); });
      writeDisclosure();
      if (std::optional<Expr> claim = subject.getClaimWords())
        text("claim", claim->str());
      writeVerdict();
      j.attributeArray("findings", [&] { writeFindings(); });
      j.attributeArray("obligations", [&] { writeObligations(); });
      j.attributeArray("assumptions", [&] { writeAssumptions(); });
      j.attributeObject("tool", [&] {
        j.attribute("ioflor", output::toolVersion());
        j.attribute("llvm", output::llvmVersion());
        j.attribute("z3", output::z3Version());
      });
      j.attribute("scope",
                  "a two-level memory model, not a measurement: slow memory is "
                  "what all CTAs share (L2 and HBM together), each CTA starts "
                  "with an empty fast memory of M words; arithmetic and races "
                  "are not proved");
      if (!digest.empty())
        j.attribute("digest", digest);
    });
  }

private:
  void text(StringRef name, StringRef value) { j.attribute(name, utf8(value)); }
  void expression(StringRef name, const std::optional<Expr> &e) {
    if (e)
      text(name, e->str());
    else
      j.attribute(name, nullptr);
  }
  void words(StringRef name, const Words &w) {
    if (w.exact()) {
      expression(name, w.lo);
      return;
    }
    j.attributeObject(name, [&] {
      expression("lo", w.lo);
      expression("hi", w.hi);
    });
  }

  /// A field of the dictionary `info`; numbers stay numbers.
  void info(StringRef name, DictionaryAttr from) {
    Attribute a = from ? from.get(name) : Attribute();
    if (auto i = dyn_cast_or_null<IntegerAttr>(a))
      j.attribute(name, i.getInt());
    else if (auto s = dyn_cast_or_null<StringAttr>(a))
      text(name, s.getValue());
    else
      j.attribute(name, nullptr);
  }

  /// A position, which may have come as text.
  void position(StringRef name, DictionaryAttr from) {
    auto s = from ? from.getAs<StringAttr>(name) : StringAttr();
    int64_t value;
    if (s && !s.getValue().getAsInteger(10, value))
      j.attribute(name, value);
    else
      info(name, from);
  }

  void writeSubject() {
    DictionaryAttr from = subject.getInfo();
    for (StringRef name : {"name", "file", "line", "column", "language",
                           "target", "instantiation", "launch"}) {
      if (name == "name" && !from.get(name))
        text(name, subject.getSymName());
      else if (name == "line" || name == "column")
        position(name, from);
      else
        info(name, from);
    }
    j.attributeArray("stages", [&] {
      subject.walk<WalkOrder::PreOrder>([&](StageOp stage) {
        j.object([&] {
          text("name", kernelName(stage));
          for (StringRef name : {"instantiation", "launch"})
            if (stage.getInfo().get(name))
              info(name, stage.getInfo());
          text("threads", stage.getThreads().str());
        });
      });
    });
  }

  void writeModel() {
    std::string error;
    auto given = floors::givenFastWords(subject, options.fastWords,
                                        options.target, error);
    text("M", given ? given->atLeast.str() : fastWordsName(subject));
    text("symbol", fastWordsName(subject));
    text("mode", options.mode);
    text("word", "one element of an operand; M counts the narrowest");
    j.attribute("element_bytes", floors::wordBytes(subject));
  }

  void writeSymbols() {
    for (auto symbol : subject.getBody().getOps<SymbolOp>())
      j.object([&] {
        text("name", symbol.getName());
        if (symbol.getDisplay())
          text("display", *symbol.getDisplay());
        j.attributeArray("assumptions", [&] {
          std::string name = symbol.getName().str();
          if (symbol.getLo())
            j.value(utf8(name + " >= " + symbol.getLo()->str()));
          if (symbol.getHi())
            j.value(utf8(name + " <= " + symbol.getHi()->str()));
        });
        if (symbol.getData())
          text("data", *symbol.getData());
      });
  }

  void writeDims() {
    if (!view.problem)
      return;
    const floors::AttentionDims &d = view.problem->dims;
    const std::pair<StringRef, const Expr *> all[] = {
        {"n_q", &d.nQ},          {"n_k", &d.nK},      {"d", &d.d},
        {"d_v", &d.dV},          {"batch", &d.batch}, {"heads", &d.heads},
        {"kv_heads", &d.kvHeads}};
    for (auto [name, e] : all) {
      if (auto c = e->constant64())
        j.attribute(name, *c);
      else
        text(name, e->str());
    }
  }

  void writeBuffers() {
    for (BufferOp buffer : view.slowBuffers())
      j.object([&] {
        text("name",
             buffer.getDisplay() ? *buffer.getDisplay() : buffer.getSymName());
        Role role = buffer.getRole().value_or(Role::Other);
        text("role", stringifyRole(role));
        // A buffer of several operands is counted as one.
        std::set<Role> roles = view.rolesIn(buffer);
        roles.insert(role);
        if (roles.size() > 1)
          j.attributeArray("roles", [&] {
            for (Role r : roles)
              j.value(stringifyRole(r));
          });
        j.attributeArray("extents", [&] {
          if (auto extents = buffer.getExtents())
            for (Attribute e : *extents)
              j.value(cast<ExprAttr>(e).getValue().str());
        });
        text("evidence", buffer.getEvidence().value_or(""));
        j.attribute("element_bytes", int64_t(buffer.getElementBytes()));
        bool exact = true;
        for (StringRef direction : {"loads", "stores"})
          j.attributeObject(direction, [&] {
            for (StringRef measure : {"issued", "traffic", "compulsory"}) {
              Words w = view.buffer(buffer, direction, measure);
              exact &= w.exact();
              words(measure, w);
            }
          });
        j.attribute("exact", exact);
      });
  }

  void writePairs() {
    if (!view.problem) {
      j.attribute("pairs", nullptr);
      return;
    }
    const floors::Problem &p = *view.problem;
    if (p.mask.kind == floors::MaskKind::Approximate ||
        p.mask.kind == floors::MaskKind::Sparse) {
      j.attribute("pairs", nullptr);
      return;
    }
    floors::Required r = floors::requiredPairs(p.dims, p.mask);
    Expr pairs = floordiv(p.dims.batch * p.dims.heads * r.twicePairs, Expr(2));
    text("pairs", pairs.str());
  }

  /// By thing: a proof where there is one, else what executions showed.
  void writeCoverage() {
    for (StringRef what : {"q", "k", "v", "o", "pairs"}) {
      SmallVector<CoverageOp> proofs, runs;
      for (auto c : subject.getBody().getOps<CoverageOp>())
        if (c.getWhat() == what)
          (c.getBy() == "sets" ? proofs : runs).push_back(c);
      if (proofs.empty() && runs.empty())
        continue;
      bool isProved = !proofs.empty() && proofs.front().getState() == "proved";
      CoverageOp first =
          isProved || runs.empty() ? proofs.front() : runs.front();
      j.attributeObject(what, [&] {
        text("state", first.getState());
        text("method", isProved                          ? "proved"
                       : first.getState() == "undecided" ? "undecided"
                                                         : "executed");
        if (what == "pairs") {
          if (first.getMask())
            text("mask", *first.getMask());
          else
            j.attribute("mask", nullptr);
          expression("w", first.getW());
          expression("pairs_per_head", first.getPairs());
        }
        j.attribute("sizes_executed",
                    runs.empty() ? 0 : int64_t(runs.front().getChecked()));
        j.attributeArray("reasons", [&] {
          for (const auto &list : {proofs, runs})
            for (CoverageOp c : list)
              if (c.getReason() && c.getState() == "undecided")
                j.value(utf8(*c.getReason()));
        });
        j.attributeArray("witnesses", [&] {
          for (CoverageOp c : runs)
            if (c.getWitness())
              j.object([&] {
                if (auto id = c->getAttrOfType<StringAttr>("ioflor.id"))
                  text("id", id.getValue());
                text("fault", c.getReason().value_or(""));
                witness(c.getWitness());
              });
        });
      });
    }
  }

  void writeFloors() {
    for (auto floor : subject.getBody().getOps<FloorOp>())
      j.object([&] {
        text("kind", floor.getKind());
        text("against", floor.getAgainst());
        text("num", floor.getNum().str());
        text("den", floor.getDen().str());
        j.attributeArray("hypotheses", [&] {
          for (Attribute h : floor.getHypotheses())
            if (auto c = dyn_cast<CondAttr>(h); c && !c.getValue().isAlways())
              j.value(utf8(c.getValue().str()));
        });
        text("source", floor.getSource());
        j.attribute("decides", !floor->hasAttr("reported_only"));
      });
  }

  void writeDisclosure() {
    std::optional<DictionaryAttr> d = subject.getDisclosure();
    if (!d) {
      j.attribute("disclosure", nullptr);
      return;
    }
    j.attributeObject("disclosure", [&] {
      info("kind", *d);
      if (auto w = d->getAs<ExprAttr>("w"))
        text("w", w.getValue().str());
      if (d->get("text"))
        info("text", *d);
    });
  }

  void writeVerdict() {
    for (auto verdict : subject.getBody().getOps<VerdictOp>()) {
      text("verdict", verdict.getVerdict());
      text("reason", verdict.getReason());
      return;
    }
    text("verdict", "inconclusive");
    text("reason", "the analysis did not finish");
  }

  void writeFindings() {
    for (auto finding : subject.getBody().getOps<FindingOp>())
      j.object([&] {
        text("id", finding.getId());
        text("severity", finding.getSeverity());
        text("message", finding.getMessage());
        Location at = finding.getLoc();
        // The innermost place of the construct itself.
        auto place = at->findInstanceOf<FileLineColLoc>();
        if (place) {
          text("file", place.getFilename().getValue());
          j.attribute("line", int64_t(place.getLine()));
          j.attribute("column", int64_t(place.getColumn()));
        } else {
          j.attribute("file", nullptr);
          j.attribute("line", nullptr);
          j.attribute("column", nullptr);
        }
        j.attributeArray("notes", [&] {
          for (Attribute n : finding.getNotes())
            j.value(utf8(cast<StringAttr>(n).getValue()));
        });
        witness(finding.getWitness());
      });
  }

  /// An integer of any size, from its digits.
  void number(StringRef name, StringRef digits) {
    StringRef unsignedDigits = digits;
    unsignedDigits.consume_front("-");
    if (unsignedDigits.empty() ||
        !llvm::all_of(unsignedDigits, llvm::isDigit)) {
      text(name, digits);
      return;
    }
    j.attributeBegin(name);
    j.rawValue(digits);
    j.attributeEnd();
  }

  void witness(std::optional<DictionaryAttr> at) {
    if (!at) {
      j.attribute("witness", nullptr);
      return;
    }
    j.attributeObject("witness", [&] {
      for (NamedAttribute entry : *at)
        if (auto value = dyn_cast<StringAttr>(entry.getValue()))
          number(entry.getName().getValue(), value.getValue());
    });
  }

  void writeObligations() {
    for (auto o : subject.getBody().getOps<ObligationOp>())
      j.object([&] {
        text("name", o.getName());
        text("result", o.getResult());
        text("solver", o.getSolver());
        if (auto note = o->getAttrOfType<StringAttr>("note"))
          text("note", note.getValue());
        text("smt2", o.getSmt2());
        witness(o.getWitness());
      });
  }

  void writeAssumptions() {
    for (auto a : subject.getBody().getOps<AssumeOp>())
      j.value(utf8(a.getCondition().str() + " (" + a.getSource().str() + ")"));
    j.value("no index arithmetic wraps");
    j.value("sizes and launch extents are at least 1");
    j.value("buffers do not alias unless the same argument says so");
  }

  llvm::json::OStream &j;
  SubjectOp subject;
  View view;
  const CertificateOptions &options;
  StringRef digest; ///< "" while it is not known
};

/// SHA-256 of the certificate without it, as compact JSON.
std::string digestOf(SubjectOp subject, const CertificateOptions &options) {
  std::string text;
  {
    llvm::raw_string_ostream os(text);
    llvm::json::OStream j(os);
    Writer(j, subject, options).write();
  }
  llvm::SHA256 hash;
  hash.update(text);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

} // namespace

void ioflor::printCertificate(ModuleOp module, llvm::raw_ostream &os,
                              const CertificateOptions &options) {
  llvm::json::OStream j(os, 2);
  j.array([&] {
    module.walk<WalkOrder::PreOrder>([&](SubjectOp subject) {
      for (auto verdict : subject.getBody().getOps<VerdictOp>())
        if (verdict.getVerdict() != "not-attention") {
          std::string digest = digestOf(subject, options);
          Writer(j, subject, options, digest).write();
          break;
        }
    });
  });
  os << '\n';
}

bool ioflor::writeCertificate(ModuleOp module, StringRef path,
                              std::string &error,
                              const CertificateOptions &options) {
  std::error_code ec;
  llvm::raw_fd_ostream os(path, ec, llvm::sys::fs::OF_Text);
  if (!ec) {
    printCertificate(module, os, options);
    os.flush();
    ec = os.error();
    os.clear_error();
  }
  if (ec) {
    error = ("'" + path + "': " + ec.message()).str();
    return false;
  }
  return true;
}
