//===- Report.cpp - Text, JSON and CSV ------------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/floor/Report.h"
#include "llvm/Support/JSON.h"

using namespace ioflor::floortool;
using llvm::raw_ostream;
using llvm::StringRef;

/// Columns in text: longer values end their line.
static constexpr size_t kWidest = 40;

static void printText(raw_ostream &os, const Section &s) {
  if (s.rows.empty())
    return;
  std::vector<size_t> width;
  auto widen = [&](size_t i, size_t n) {
    if (width.size() <= i)
      width.resize(i + 1);
    width[i] = std::max(width[i], std::min(n, kWidest));
  };
  for (size_t i = 0; i < s.rows[0].size(); ++i)
    widen(i, s.rows[0][i].first.size());
  for (const Record &r : s.rows)
    for (size_t i = 0; i < r.size(); ++i)
      widen(i, r[i].second.text.size());
  auto field = [&](size_t i, StringRef text, bool right, bool last) {
    size_t pad = width[i] > text.size() ? width[i] - text.size() : 0;
    if (right)
      os << std::string(pad, ' ') << text;
    else
      os << text << std::string(last ? 0 : pad, ' ');
    if (!last)
      os << "  ";
  };
  os << '\n' << s.name << '\n';
  const Record &first = s.rows[0];
  os << "  ";
  for (size_t i = 0; i < first.size(); ++i)
    field(i, first[i].first, first[i].second.kind == Cell::Number,
          i + 1 == first.size());
  os << '\n';
  for (const Record &r : s.rows) {
    os << "  ";
    for (size_t i = 0; i < r.size(); ++i)
      field(i,
            r[i].second.kind == Cell::Null ? "-" : StringRef(r[i].second.text),
            r[i].second.kind == Cell::Number, i + 1 == r.size());
    os << '\n';
  }
}

static void printText(raw_ostream &os, const Report &r) {
  bool first = true;
  for (const auto &[name, cell] : r.header) {
    if (cell.kind == Cell::Null)
      continue;
    os << (first ? "" : ", ") << name << " = " << cell.text;
    first = false;
  }
  os << '\n';
  for (const Section &s : r.sections)
    printText(os, s);
  if (!r.notes.empty())
    os << '\n';
  for (const std::string &n : r.notes)
    os << n << '\n';
}

void ioflor::floortool::printJson(raw_ostream &os, const Cell &cell) {
  switch (cell.kind) {
  case Cell::Null:
    os << "null";
    break;
  case Cell::Text:
    os << llvm::json::Value(cell.text);
    break;
  case Cell::Number:
  case Cell::Bool:
    os << cell.text;
    break;
  }
}

static void printArray(raw_ostream &os, const std::vector<Report> &reports) {
  llvm::json::OStream j(os, 2);
  auto record = [&](const Record &r) {
    for (const auto &[name, cell] : r) {
      j.attributeBegin(name);
      j.rawValue([&](raw_ostream &raw) { printJson(raw, cell); });
      j.attributeEnd();
    }
  };
  j.array([&] {
    for (const Report &r : reports)
      j.object([&] {
        record(r.header);
        for (const Section &s : r.sections)
          j.attributeArray(s.name, [&] {
            for (const Record &row : s.rows)
              j.object([&] { record(row); });
          });
        j.attributeArray("notes", [&] {
          for (const std::string &n : r.notes)
            j.value(n);
        });
      });
  });
  os << '\n';
}

static std::string csvField(StringRef text) {
  if (text.find_first_of(",\"\n\r") == StringRef::npos)
    return text.str();
  std::string out = "\"";
  for (char c : text)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

static void printCsv(raw_ostream &os, const std::vector<Report> &reports) {
  bool titled = false;
  for (const Report &r : reports) {
    if (r.sections.empty())
      continue;
    for (const Record &row : r.sections[0].rows) {
      Record all = r.header;
      all.insert(all.end(), row.begin(), row.end());
      auto line = [&](auto text) {
        for (size_t i = 0; i < all.size(); ++i)
          os << (i ? "," : "") << csvField(text(all[i]));
        os << '\n';
      };
      if (!titled)
        line([](const auto &f) { return f.first; });
      titled = true;
      line([](const auto &f) { return f.second.text; });
    }
  }
}

void ioflor::floortool::print(raw_ostream &os,
                              const std::vector<Report> &reports,
                              StringRef format) {
  if (format == "json")
    return printArray(os, reports);
  if (format == "csv")
    return printCsv(os, reports);
  bool first = true;
  for (const Report &r : reports) {
    if (!first)
      os << '\n';
    first = false;
    printText(os, r);
  }
}
