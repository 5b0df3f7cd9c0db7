//===- Nolint.cpp - NOLINT comments ---------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/clang/Nolint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/GlobPattern.h"
#include <limits>

using namespace llvm;
using namespace clang;

namespace ioflor::frontend {

namespace {

bool matches(const std::vector<std::string> &ids, StringRef id) {
  if (ids.empty())
    return true;
  return any_of(ids, [&](StringRef pattern) {
    Expected<GlobPattern> glob = GlobPattern::create(pattern);
    if (!glob) {
      consumeError(glob.takeError());
      return false;
    }
    return glob->match(id);
  });
}

/// The list in parentheses after the word, if there is one.
std::vector<std::string> listAfter(StringRef rest) {
  std::vector<std::string> ids;
  if (!rest.consume_front("("))
    return ids;
  SmallVector<StringRef> parts;
  rest.take_until([](char c) { return c == ')'; }).split(parts, ',');
  for (StringRef part : parts)
    ids.push_back(part.trim().str());
  return ids;
}

} // namespace

const std::vector<Nolint::Mark> &Nolint::marksOf(FileID file) {
  auto [it, fresh] = cache.try_emplace(file);
  if (!fresh)
    return it->second;
  std::vector<Mark> marks;
  std::vector<Mark> open;
  bool invalid = false;
  StringRef text = sources.getBufferData(file, &invalid);
  if (!invalid && text.contains("NOLINT")) {
    SmallVector<StringRef> lines;
    text.split(lines, '\n');
    for (auto [i, line] : enumerate(lines)) {
      unsigned number = i + 1;
      for (size_t at = line.find("NOLINT"); at != StringRef::npos;
           at = line.find("NOLINT", at + 6)) {
        StringRef rest = line.drop_front(at + 6);
        if (rest.consume_front("NEXTLINE")) {
          marks.push_back({number + 1, number + 1, listAfter(rest)});
        } else if (rest.consume_front("BEGIN")) {
          open.push_back({number, 0, listAfter(rest)});
        } else if (rest.consume_front("END")) {
          std::vector<std::string> ids = listAfter(rest);
          for (size_t k = open.size(); k-- > 0;)
            if (open[k].ids == ids) {
              open[k].lastLine = number;
              marks.push_back(open[k]);
              open.erase(open.begin() + k);
              break;
            }
        } else {
          marks.push_back({number, number, listAfter(rest)});
        }
      }
    }
  }
  // A BEGIN without its END suppresses nothing, as in clang-tidy.
  return cache[file] = std::move(marks);
}

bool Nolint::suppresses(SourceLocation loc, StringRef id) {
  if (loc.isInvalid())
    return false;
  // A finding in a macro may be silenced where it is used or where it is
  // written.
  for (SourceLocation at :
       {sources.getExpansionLoc(loc), sources.getSpellingLoc(loc)}) {
    FileID file = sources.getFileID(at);
    unsigned line = sources.getSpellingLineNumber(at);
    for (const Mark &mark : marksOf(file))
      if (mark.firstLine <= line && line <= mark.lastLine &&
          matches(mark.ids, id))
        return true;
  }
  return false;
}

} // namespace ioflor::frontend
