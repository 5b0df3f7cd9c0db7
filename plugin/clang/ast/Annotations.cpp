//===- Annotations.cpp - ioflor/annotations.h, read -----------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/ast/Annotations.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

/// `"\"nk\""` -> `nk`: an argument may be written as a string or plainly.
std::string unquoted(StringRef text) {
  text = text.trim();
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.drop_front().drop_back();
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      ++i;
    out += text[i];
  }
  return out;
}

/// `params->n`, `Traits::kN` -> one identifier, as expressions want it.
std::string flattened(StringRef text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && i > 0 &&
        (text.substr(i, 2) == "->" || text.substr(i, 2) == "::")) {
      out += '_';
      ++i;
    } else if (text[i] == '.' && i > 0 && i + 1 < text.size() &&
               !isDigit(text[i - 1]) && !isDigit(text[i + 1])) {
      out += '_';
    } else {
      out += text[i];
    }
  }
  return out;
}

class Reader {
public:
  Reader(const AnnotationScope &scope, SubjectSpec &subject,
         std::vector<AnnotationProblem> &problems,
         const std::function<std::string(SourceLocation)> &where)
      : scope(scope), subject(subject), problems(problems), where(where) {}

  void read(const AnnotateAttr *attr) {
    StringRef kind = attr->getAnnotation();
    if (!kind.consume_front("ioflor."))
      return;
    loc = attr->getLocation();
    macro = "IOFLOR_" + kind.upper();
    args.clear();
    for (const clang::Expr *arg : attr->args()) {
      const clang::Expr *plain = arg->IgnoreParenImpCasts();
      if (auto *constant = dyn_cast<ConstantExpr>(plain))
        plain = constant->getSubExpr()->IgnoreParenImpCasts();
      auto *literal = dyn_cast<clang::StringLiteral>(plain);
      args.push_back(literal ? unquoted(literal->getString()) : "");
    }
    if (kind == "exact" || kind == "causal" || kind == "causal_top_left") {
      disclose(kind, std::nullopt, "");
    } else if (kind == "window" || kind == "window_symmetric") {
      if (std::optional<Expr> w = expression(0))
        disclose(kind, *w, args[0]);
    } else if (kind == "approximate" || kind == "sparse") {
      if (wants(1) && args[0].empty())
        problem("needs a text that says what is computed and where it is "
                "described");
      else
        disclose(kind, std::nullopt, args.empty() ? "" : args[0]);
    } else if (kind == "masked_by") {
      if (wants(1))
        disclose(kind, std::nullopt, args[0]);
    } else if (kind == "role") {
      role();
    } else if (kind == "extent") {
      extent();
    } else if (kind == "assume") {
      assumption();
    } else if (kind == "claim_words") {
      if (std::optional<Expr> e = expression(0))
        subject.claimWords = *e;
    } else if (kind == "fast_words") {
      if (std::optional<Expr> e = expression(0))
        subject.fastWords = *e;
    } else {
      problem("is no annotation of this version");
    }
  }

private:
  void problem(const Twine &text) {
    AnnotationProblem p{loc, (macro + " " + text).str()};
    for (const AnnotationProblem &known : problems)
      if (known.loc == p.loc && known.message == p.message)
        return;
    problems.push_back(std::move(p));
  }

  bool wants(size_t count) {
    if (args.size() >= count)
      return true;
    problem("needs " + Twine(count) + " argument" + (count == 1 ? "" : "s"));
    return false;
  }

  /// Replaces names by values; a name without one is a problem.
  template <typename T> std::optional<T> resolve(const T &parsed) {
    std::map<std::string, Expr> values;
    for (const std::string &name : parsed.freeSymbols()) {
      std::optional<Expr> value = scope.integer(name);
      if (!value) {
        problem("uses '" + Twine(name) +
                "', which is no integer parameter of '" + scope.function + "'");
        return std::nullopt;
      }
      values[name] = *value;
    }
    return parsed.substitute(values);
  }

  std::optional<Expr> expression(size_t index) {
    if (!wants(index + 1))
      return std::nullopt;
    ExprError error;
    std::optional<Expr> parsed = parseExpr(flattened(args[index]), &error);
    if (!parsed) {
      problem("cannot read '" + Twine(args[index]) + "': " + error.message);
      return std::nullopt;
    }
    return resolve(*parsed);
  }

  void disclose(StringRef kind, std::optional<Expr> w, StringRef text) {
    if (subject.disclosure) {
      // The kernel's own annotation is read before the host function's.
      if (own && (subject.disclosure->kind != kind))
        problem("contradicts IOFLOR_" +
                StringRef(subject.disclosure->kind).upper() +
                " on the same function");
      return;
    }
    subject.disclosure = DisclosureSpec{kind.str(), w, text.str(), loc};
    own = true;
  }

  BufferSpec *bufferOf(StringRef name) {
    BufferSpec *buffer = scope.buffer(flattened(name));
    if (!buffer)
      problem("names '" + name + "', which is no pointer parameter of '" +
              scope.function + "'");
    return buffer;
  }

  void role() {
    if (!wants(2))
      return;
    if (args[1] != "Q" && args[1] != "K" && args[1] != "V" && args[1] != "O") {
      problem("knows the roles Q, K, V and O, not '" + Twine(args[1]) + "'");
      return;
    }
    if (BufferSpec *buffer = bufferOf(args[0]))
      buffer->role = args[1];
  }

  void extent() {
    if (!wants(3))
      return;
    BufferSpec *buffer = bufferOf(args[0]);
    if (!buffer)
      return;
    std::vector<Expr> extents;
    for (size_t i = 1; i < args.size(); ++i) {
      std::optional<Expr> e = expression(i);
      if (!e)
        return;
      extents.push_back(*e);
    }
    buffer->extents = std::move(extents);
    buffer->evidence = macro + " at " + where(loc);
  }

  void assumption() {
    if (!wants(1))
      return;
    ExprError error;
    std::optional<Cond> parsed = parseCond(flattened(args[0]), &error);
    if (!parsed) {
      problem("cannot read '" + Twine(args[0]) + "': " + error.message);
      return;
    }
    if (std::optional<Cond> c = resolve(*parsed))
      subject.assumptions.push_back({*c, macro + " at " + where(loc)});
  }

  const AnnotationScope &scope;
  SubjectSpec &subject;
  std::vector<AnnotationProblem> &problems;
  const std::function<std::string(SourceLocation)> &where;
  SourceLocation loc;
  std::string macro;
  std::vector<std::string> args;
  bool own = false; ///< the disclosure comes from this function
};

} // namespace

void readAnnotations(const FunctionDecl *function, const AnnotationScope &scope,
                     SubjectSpec &subject,
                     std::vector<AnnotationProblem> &problems,
                     const std::function<std::string(SourceLocation)> &where) {
  Reader reader(scope, subject, problems, where);
  for (const auto *attr : function->specific_attrs<AnnotateAttr>())
    reader.read(attr);
}

} // namespace ioflor::frontend
