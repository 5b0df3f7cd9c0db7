//===- Report.h - Text, JSON and CSV ----------------------------*- C++ -*-===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef IOFLOR_PLUGIN_FLOOR_REPORT_H
#define IOFLOR_PLUGIN_FLOOR_REPORT_H

#include "passes/floors/Exact.h"
#include <string>
#include <utility>
#include <vector>

namespace ioflor::floortool {

/// One value. Numbers are kept as text: they have any length.
struct Cell {
  enum Kind { Null, Text, Number, Bool } kind = Null;
  std::string text;

  Cell() = default;
  Cell(const char *s) : kind(Text), text(s) {}
  Cell(std::string s) : kind(Text), text(std::move(s)) {}
  Cell(bool b) : kind(Bool), text(b ? "true" : "false") {}
  Cell(const BigInt &n) : kind(Number), text(decimal(n)) {}
  /// A decimal number of 17 significant digits; exact where it is an integer.
  Cell(const floors::Surd &s) : kind(Number), text(s.decimal()) {}
  Cell(const floors::Rational &r) : Cell(floors::Surd(r)) {}
};

using Record = std::vector<std::pair<std::string, Cell>>;

/// Rows with the same columns.
struct Section {
  std::string name;
  std::vector<Record> rows;
};

struct Report {
  Record header;
  std::vector<Section> sections;
  std::vector<std::string> notes;
};

/// `text`, `json` (one array) or `csv` (the rows of all sections of the name of
/// the first one, each with its report's header before it).
void print(llvm::raw_ostream &os, const std::vector<Report> &reports,
           llvm::StringRef format);

/// The value as it stands in JSON.
void printJson(llvm::raw_ostream &os, const Cell &cell);

} // namespace ioflor::floortool

#endif // IOFLOR_PLUGIN_FLOOR_REPORT_H
