//===- Read.cpp - A certificate from its JSON ---------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/check/Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ioflor;
using namespace ioflor::check;
using llvm::StringRef;
using llvm::Twine;

/// Sentences that every certificate states.
static constexpr StringRef kStanding[] = {
    "no index arithmetic wraps", "sizes and launch extents are at least 1",
    "buffers do not alias unless the same argument says so"};

namespace {

class Form {
public:
  Form(Certificate &c, Report &report) : c(c), report(report) {}

  void read() {
    const Json &j = *c.json;
    if (text(j, "schema", c.path) != "ioflor-certificate-v1")
      report.malformed(c.path + ".schema", "is not 'ioflor-certificate-v1'");
    member(j, "subject", c.path, Json::Object);
    text(j, "scope", c.path);
    if (const Json *tool = member(j, "tool", c.path, Json::Object))
      for (const char *name : {"ioflor", "llvm", "z3"})
        text(*tool, name, c.path + ".tool");
    readSymbols(j);
    readModel(j);
    readDims(j);
    each(j, "buffers",
         [&](const Json &b, const std::string &p) { readBuffer(b, p); });
    if (const Json *t = member(j, "traffic", c.path, Json::Object)) {
      c.loads = words(*t, "loads", c.path + ".traffic");
      c.stores = words(*t, "stores", c.path + ".traffic");
      c.total = words(*t, "total", c.path + ".traffic");
    }
    if (const Json *f = member(j, "footprint", c.path, Json::Object)) {
      c.footprintLo = expression(*f, "lo", c.path + ".footprint");
      c.footprintHi = expression(*f, "hi", c.path + ".footprint");
    }
    c.pairs = expression(j, "pairs", c.path);
    each(j, "floors",
         [&](const Json &f, const std::string &p) { readFloor(f, p); });
    readDisclosure(j);
    if (j.get("claim"))
      c.claim = expression(j, "claim", c.path);
    c.verdict = text(j, "verdict", c.path);
    c.reason = text(j, "reason", c.path);
    each(j, "findings", [&](const Json &f, const std::string &p) {
      FindingRow row{p, text(f, "id", p), text(f, "severity", p),
                     text(f, "message", p), witness(f, p)};
      member(f, "notes", p, Json::Array);
      c.findings.push_back(std::move(row));
    });
    each(j, "obligations", [&](const Json &o, const std::string &p) {
      ObligationRow row{p,
                        text(o, "name", p),
                        text(o, "result", p),
                        text(o, "solver", p),
                        o.get("note") ? text(o, "note", p) : "",
                        text(o, "smt2", p),
                        witness(o, p)};
      c.obligations.push_back(std::move(row));
    });
    readCoverage(j);
    readAssumptions(j);
  }

private:
  const Json *member(const Json &j, StringRef name, const Twine &path,
                     Json::Kind kind) {
    const Json *m = j.get(name);
    if (!m) {
      report.malformed(path + "." + name, "is missing");
      return nullptr;
    }
    if (m->kind != kind) {
      report.malformed(path + "." + name, "is " + m->kindName());
      return nullptr;
    }
    return m;
  }
  std::string text(const Json &j, StringRef name, const Twine &path) {
    const Json *m = member(j, name, path, Json::String);
    return m ? m->text : "";
  }
  template <typename F> void each(const Json &j, StringRef name, F read) {
    const Json *list = member(j, name, c.path, Json::Array);
    if (!list)
      return;
    for (auto [i, item] : llvm::enumerate(list->items)) {
      std::string p = c.path + "." + name.str() + "[" + std::to_string(i) + "]";
      if (item.kind == Json::Object)
        read(item, p);
      else
        report.malformed(p, "is " + item.kindName());
    }
  }

  std::optional<Expr> parse(const Json &value, const Twine &path) {
    if (auto n = value.integer())
      return Expr(*n);
    if (!value.isString()) {
      report.malformed(path, "is " + value.kindName() + ", not an expression");
      return std::nullopt;
    }
    ExprError error;
    std::optional<Expr> e = parseExpr(value.text, &error);
    if (!e) {
      report.malformed(path, "is no expression: " + error.message);
      return std::nullopt;
    }
    for (const std::string &s : e->freeSymbols())
      if (!c.symbol(s) && s != c.fastWords)
        report.differ(path, "uses '" + s + "', which is no symbol of it");
    return e;
  }
  /// nullopt for null, too.
  std::optional<Expr> expression(const Json &j, StringRef name,
                                 const Twine &path) {
    const Json *m = j.get(name);
    if (!m) {
      report.malformed(path + "." + name, "is missing");
      return std::nullopt;
    }
    if (m->isNull())
      return std::nullopt;
    return parse(*m, path + "." + name);
  }
  std::optional<Cond> condition(const Json &value, const Twine &path) {
    ExprError error;
    std::optional<Cond> out;
    if (!value.isString())
      report.malformed(path, "is " + value.kindName() + ", not a condition");
    else if (!(out = parseCond(value.text, &error)))
      report.malformed(path, "is no condition: " + error.message);
    return out;
  }

  Words words(const Json &j, StringRef name, const Twine &path) {
    Words w;
    const Json *m = j.get(name);
    std::string at = (path + "." + name).str();
    if (!m) {
      report.malformed(at, "is missing");
    } else if (m->kind == Json::Object) {
      if (auto lo = expression(*m, "lo", at))
        w.lo = *lo;
      else if (const Json *l = m->get("lo"); l && l->isNull())
        report.malformed(at + ".lo", "is null");
      w.hi = expression(*m, "hi", at);
    } else if (auto e = parse(*m, at)) {
      w.lo = *e;
      w.hi = *e;
    }
    return w;
  }

  void readSymbols(const Json &j) {
    each(j, "symbols", [&](const Json &s, const std::string &p) {
      Symbol out;
      out.name = text(s, "name", p);
      out.fromData = s.get("data");
      // Python identifiers, as the rest of the certificate spells them.
      auto e = parseExpr(out.name);
      if (!e || e->kind() != ExprKind::Symbol)
        report.malformed(p + ".name", "is no name");
      if (c.symbol(out.name))
        report.differ(p + ".name", "is there twice");
      c.symbols.push_back(std::move(out));
    });
    // An end may use any symbol.
    const Json *list = j.get("symbols");
    for (size_t i = 0; list && i < c.symbols.size(); ++i) {
      std::string p = c.path + ".symbols[" + std::to_string(i) + "]";
      const Json &s = list->items[i];
      Symbol &out = c.symbols[i];
      const Json *assumptions = member(s, "assumptions", p, Json::Array);
      for (size_t k = 0; assumptions && k < assumptions->items.size(); ++k)
        readRange(assumptions->items[k], out,
                  p + ".assumptions[" + std::to_string(k) + "]");
    }
  }
  /// `n >= 1`, `n <= N - 1`.
  void readRange(const Json &value, Symbol &out, const std::string &path) {
    if (!value.isString())
      return report.malformed(path, "is " + value.kindName());
    StringRef rest = value.text;
    bool upper = false;
    if (rest.consume_front(out.name + " >= ") ||
        (upper = rest.consume_front(out.name + " <= "))) {
      if (auto e = parse(Json{Json::String, false, rest.str(), {}, {}}, path)) {
        std::optional<Expr> &end = upper ? out.hi : out.lo;
        if (end)
          report.differ(path, "is said twice");
        end = e;
      }
      return;
    }
    report.malformed(path, "is no range of '" + out.name + "'");
  }

  void readModel(const Json &j) {
    const Json *m = member(j, "model", c.path, Json::Object);
    if (!m)
      return;
    std::string p = c.path + ".model";
    c.fastWords = m->get("symbol") ? text(*m, "symbol", p) : "M";
    if (c.symbol(c.fastWords))
      report.differ(p + ".symbol", "is also a symbol of the subject");
    if (const Json *given = m->get("M"); !given)
      report.malformed(p + ".M", "is missing");
    else if (auto e = parse(*given, p + ".M");
             e && !(e->kind() == ExprKind::Symbol && e->name() == c.fastWords))
      c.givenM = e;
    if (c.givenM && c.givenM->dependsOn(c.fastWords))
      report.differ(p + ".M", "speaks of itself");
    std::string mode = text(*m, "mode", p);
    if (mode != "explicit" && mode != "cache")
      report.malformed(p + ".mode", "is neither explicit nor cache");
    text(*m, "word", p);
    c.elementBytes = bytes(*m, p);
  }
  BigInt bytes(const Json &j, const std::string &path) {
    const Json *m = j.get("element_bytes");
    auto n = m ? m->integer() : std::nullopt;
    if (!n || *n < 1 || *n > 1'000'000) {
      report.malformed(path + ".element_bytes", "is no number of bytes");
      return BigInt(1);
    }
    return *n;
  }

  void readDims(const Json &j) {
    const Json *dims = member(j, "dims", c.path, Json::Object);
    if (!dims || dims->members.empty())
      return;
    c.hasDims = true;
    for (const char *name :
         {"n_q", "n_k", "d", "d_v", "batch", "heads", "kv_heads"})
      if (auto e = expression(*dims, name, c.path + ".dims"))
        c.dims[name] = *e;
      else
        c.hasDims = false;
  }

  void readBuffer(const Json &j, const std::string &p) {
    Buffer b;
    b.path = p;
    b.name = text(j, "name", p);
    b.role = text(j, "role", p);
    if (!llvm::is_contained({"Q", "K", "V", "O", "S", "other"}, b.role))
      report.malformed(p + ".role", "is no role");
    b.roles.insert(b.role);
    if (j.get("roles"))
      if (const Json *roles = member(j, "roles", p, Json::Array))
        for (const Json &r : roles->items)
          b.roles.insert(r.text);
    if (const Json *extents = member(j, "extents", p, Json::Array))
      for (auto [i, e] : llvm::enumerate(extents->items))
        if (auto extent = parse(e, p + ".extents[" + Twine(i) + "]"))
          b.extents.push_back(*extent);
    text(j, "evidence", p);
    b.elementBytes = bytes(j, p);
    for (bool stores : {false, true}) {
      StringRef name = stores ? "stores" : "loads";
      const Json *d = member(j, name, p, Json::Object);
      if (!d)
        continue;
      std::string at = p + "." + name.str();
      (stores ? b.stores : b.loads) = {words(*d, "issued", at),
                                       words(*d, "traffic", at),
                                       words(*d, "compulsory", at)};
    }
    if (const Json *exact = member(j, "exact", p, Json::Bool))
      b.exact = exact->truth;
    c.buffers.push_back(std::move(b));
  }

  void readFloor(const Json &j, const std::string &p) {
    FloorRow f;
    f.path = p;
    f.kind = text(j, "kind", p);
    f.against = text(j, "against", p);
    f.source = text(j, "source", p);
    if (auto e = expression(j, "num", p))
      f.num = *e;
    if (auto e = expression(j, "den", p))
      f.den = *e;
    if (const Json *h = member(j, "hypotheses", p, Json::Array))
      for (auto [i, item] : llvm::enumerate(h->items))
        if (auto cond = condition(item, p + ".hypotheses[" + Twine(i) + "]"))
          f.hypotheses.push_back(*cond);
    if (const Json *d = member(j, "decides", p, Json::Bool))
      f.decides = d->truth;
    c.floors.push_back(std::move(f));
  }

  void readCoverage(const Json &j) {
    if (!j.get("coverage"))
      return;
    const Json *coverage = member(j, "coverage", c.path, Json::Object);
    for (const char *what : {"q", "k", "v", "o", "pairs"}) {
      if (!coverage || !coverage->get(what))
        continue;
      std::string path = c.path + ".coverage";
      const Json *of = member(*coverage, what, path, Json::Object);
      if (!of)
        continue;
      path += std::string(".") + what;
      CoverageRow row;
      row.path = path;
      row.what = what;
      row.state = text(*of, "state", path);
      row.method = text(*of, "method", path);
      if (row.what == "pairs") {
        if (const Json *mask = of->get("mask"); mask && !mask->isNull())
          row.mask = text(*of, "mask", path);
        row.w = expression(*of, "w", path);
        row.pairs = expression(*of, "pairs_per_head", path);
      }
      const Json *faults = member(*of, "witnesses", path, Json::Array);
      for (size_t i = 0; faults && i < faults->items.size(); ++i) {
        const Json &fault = faults->items[i];
        std::string p = path + ".witnesses[" + std::to_string(i) + "]";
        if (auto sizes = witness(fault, p))
          row.faults.push_back(
              {p, text(fault, "id", p), text(fault, "fault", p), *sizes});
        else
          report.malformed(p, "has no sizes");
      }
      c.coverage.push_back(std::move(row));
    }
  }

  void readDisclosure(const Json &j) {
    const Json *d = j.get("disclosure");
    if (!d)
      return report.malformed(c.path + ".disclosure", "is missing");
    if (d->isNull())
      return;
    if (d->kind != Json::Object)
      return report.malformed(c.path + ".disclosure", "is " + d->kindName());
    const Json *kind = d->get("kind");
    c.disclosure = kind && kind->isString() ? kind->text : "";
    if (d->get("w"))
      c.width = expression(*d, "w", c.path + ".disclosure");
  }

  void readAssumptions(const Json &j) {
    const Json *list = member(j, "assumptions", c.path, Json::Array);
    if (!list)
      return;
    size_t standing = 0;
    for (auto [i, item] : llvm::enumerate(list->items)) {
      std::string p = c.path + ".assumptions[" + std::to_string(i) + "]";
      if (!item.isString()) {
        report.malformed(p, "is " + item.kindName());
      } else if (llvm::is_contained(kStanding, item.text)) {
        ++standing;
      } else if (auto cond = sourced(item.text)) {
        c.assumptions.push_back(*cond);
      } else {
        report.malformed(p, "is no condition with its source");
      }
    }
    if (standing != std::size(kStanding))
      report.differ(c.path + ".assumptions",
                    "the assumptions of every certificate are not there");
  }
  /// `N % 64 == 0 (assert)`: the source is the last parenthesis that leaves a
  /// condition in front of it.
  static std::optional<Cond> sourced(StringRef text) {
    if (!text.ends_with(")"))
      return std::nullopt;
    for (size_t at = text.rfind(" ("); at != StringRef::npos && at > 0;
         at = text.take_front(at).rfind(" ("))
      if (auto cond = parseCond(text.take_front(at)))
        return cond;
    return std::nullopt;
  }

  std::optional<Witness> witness(const Json &j, const std::string &path) {
    const Json *w = j.get("witness");
    if (!w) {
      report.malformed(path + ".witness", "is missing");
      return std::nullopt;
    }
    if (w->isNull())
      return std::nullopt;
    if (w->kind != Json::Object) {
      report.malformed(path + ".witness", "is " + w->kindName());
      return std::nullopt;
    }
    Witness out;
    for (const auto &[name, value] : w->members)
      if (auto n = value.integer())
        out[name] = *n;
      else
        report.malformed(path + ".witness." + name, "is no whole number");
    return out;
  }

  Certificate &c;
  Report &report;
};

} // namespace

std::optional<Certificate>
ioflor::check::readCertificate(const Json &json, const std::string &path,
                               Report &report) {
  if (json.kind != Json::Object) {
    report.malformed(path, "is " + json.kindName() + ", not a certificate");
    return std::nullopt;
  }
  Certificate c;
  c.path = path;
  c.json = &json;
  unsigned before = report.malformedCount();
  Form(c, report).read();
  if (report.malformedCount() != before)
    return std::nullopt;
  return c;
}
