//===- HostChecks.cpp - Check macros that expand to nothing ---------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/loader/HostChecks.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

bool isCheckMacro(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"TORCH_CHECK", "TORCH_INTERNAL_ASSERT", "AT_ASSERT"}, true)
      .Cases({"AT_ASSERTM", "TORCH_CHECK_VALUE", "FLASHINFER_CHECK"}, true)
      .Cases({"CHECK", "GGML_ASSERT", "FT_CHECK", "TLLM_CHECK"}, true)
      .Cases({"TORCH_CHECK_EQ", "CHECK_EQ", "assert"}, true)
      .Default(false);
}

class CheckWatcher : public PPCallbacks {
public:
  CheckWatcher(Preprocessor &pp, std::shared_ptr<std::vector<HostCheck>> out)
      : pp(pp), out(std::move(out)) {}

  void MacroExpands(const Token &name, const MacroDefinition &,
                    SourceRange range, const MacroArgs *args) override {
    if (!args || args->getNumMacroArguments() == 0 ||
        !isCheckMacro(name.getIdentifierInfo()->getName()))
      return;
    // A variadic macro has one argument that holds the commas.
    std::string text;
    unsigned depth = 0;
    for (const Token *t = args->getUnexpArgument(0); t->isNot(tok::eof); ++t) {
      if (t->isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
        ++depth;
      else if (t->isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && depth)
        --depth;
      else if (t->is(tok::comma) && depth == 0)
        break;
      if (t->hasLeadingSpace() && !text.empty())
        text += ' ';
      text += pp.getSpelling(*t);
    }
    StringRef macro = name.getIdentifierInfo()->getName();
    if (macro.ends_with("_EQ") && args->getNumMacroArguments() >= 2) {
      text = "(" + text + ") == (";
      for (const Token *t = args->getUnexpArgument(1); t->isNot(tok::eof); ++t)
        text += pp.getSpelling(*t) + " ";
      text += ")";
    }
    out->push_back({range.getBegin(), macro.str(), std::move(text)});
  }

private:
  Preprocessor &pp;
  std::shared_ptr<std::vector<HostCheck>> out;
};

} // namespace

std::shared_ptr<std::vector<HostCheck>>
watchHostChecks(CompilerInstance &compiler) {
  auto out = std::make_shared<std::vector<HostCheck>>();
  Preprocessor &pp = compiler.getPreprocessor();
  pp.addPPCallbacks(std::make_unique<CheckWatcher>(pp, out));
  return out;
}

} // namespace ioflor::frontend
