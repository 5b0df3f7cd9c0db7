//===- CheckTest.cpp - The checker's reader -------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/check/Check.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace ioflor;
using namespace ioflor::check;

static std::string problem(const std::string &text) {
  std::string error;
  EXPECT_FALSE(parseJson(text, error)) << text;
  return error;
}

TEST(Json, NumbersKeepTheirDigits) {
  std::string error, digits = "-" + std::string(300, '7');
  auto j = parseJson("[" + digits + ", 1.5, 1e3, 0]", error);
  ASSERT_TRUE(j) << error;
  std::string shown;
  llvm::raw_string_ostream(shown) << *j->items[0].integer();
  EXPECT_EQ(shown, digits);
  EXPECT_FALSE(j->items[1].integer());
  EXPECT_FALSE(j->items[2].integer());
  EXPECT_EQ(*j->items[3].integer(), BigInt(0));
}

TEST(Json, CompactIsWhatTheWriterGives) {
  std::string written;
  {
    llvm::raw_string_ostream os(written);
    llvm::json::OStream w(os);
    w.object([&] {
      w.attribute("a \"b\"\\\n\t\r\x01\x1f", 3);
      w.attributeArray("c", [&] {
        w.value("\xc3\xa9/");
        w.value(nullptr);
        w.value(true);
        w.value(-12);
      });
      w.attributeObject("e", [&] {});
      w.attribute("digest", "x");
    });
  }
  std::string error;
  auto j = parseJson(written, error);
  ASSERT_TRUE(j) << error;
  EXPECT_EQ(j->compact(), written);
  size_t end = written.find(",\"digest\"");
  EXPECT_EQ(j->compact("digest"), written.substr(0, end) + "}");
}

TEST(Json, RefusesWithThePlace) {
  EXPECT_EQ(problem("{\"a\": 1,\n \"a\": 2}"),
            "line 2, column 5: two members are called 'a'");
  EXPECT_EQ(problem("[1 2]"), "line 1, column 4: expected ',' or ']'");
  EXPECT_EQ(problem("[01]"), "line 1, column 4: a number begins with 0");
  EXPECT_EQ(problem(""), "line 1, column 1: expected a value");
  EXPECT_EQ(problem("[] []"), "line 1, column 4: unexpected text after the "
                              "value");
  for (const char *bad :
       {"{", "[", "\"", "\"\\x\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\u12\"",
        "\"a\nb\"", "tru", "-", "1.", "1e", "{a: 1}", "{\"a\" 1}", "[1,]",
        "\"\xff\"", "nan"})
    EXPECT_FALSE(problem(bad).empty()) << bad;
  EXPECT_NE(problem(std::string(200'000, '[')).find("nested too deeply"),
            std::string::npos);
}

TEST(Check, DigestIsSha256) {
  EXPECT_EQ(digestOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb"
                             "410ff61f20015ad");
}

TEST(Check, WhatIsNoCertificate) {
  for (const char *text : {"{}", "3", "[3]", "[{}]", "[{\"schema\": 1}]",
                           "[{\"schema\": \"ioflor-certificate-v2\"}]"}) {
    std::string error;
    Summary summary;
    auto j = parseJson(text, error);
    ASSERT_TRUE(j);
    auto found = checkCertificates(*j, {}, summary);
    ASSERT_FALSE(found.empty()) << text;
    EXPECT_TRUE(found.front().malformed) << text;
  }
}
