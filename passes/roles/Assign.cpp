//===- Assign.cpp - Which operand is which ------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/roles/Assigner.h"

using namespace mlir;
using namespace ioflor;
using namespace ioflor::roles;

/// Stores of the output that are traced.
static constexpr size_t maxFrames = 256;

std::set<std::string> ioflor::roles::loopVarsOf(const Frame &frame,
                                                const Program &program,
                                                const Expr &e) {
  // Fresh variables are the ones with two underscores and no symbol op.
  std::set<std::string> vars;
  for (const std::string &s : e.freeSymbols())
    if (program.loopOf.count(s) || !program.known.range(s))
      vars.insert(s);
  return vars;
}

/// Splits the factors of the scores into two sides that never meet on one.
/// Every connected component is put with the side of its smallest member that
/// the loads order first; `orient` decides which side is Q.
bool Assigner::colour(const std::set<Triple> &triples) {
  std::map<Id, std::set<Id>> edges;
  for (const Triple &t : triples) {
    edges[t.x].insert(t.y);
    edges[t.y].insert(t.x);
    out.pattern.v.insert(t.v);
  }
  std::map<Id, int> side;
  unsigned components = 0;
  for (auto &[start, neighbours] : edges) {
    if (side.count(start))
      continue;
    ++components;
    std::vector<Id> work{start};
    side[start] = 0;
    while (!work.empty()) {
      Id s = work.back();
      work.pop_back();
      for (Id n : edges[s]) {
        if (side.count(n)) {
          if (side[n] == side[s])
            return false;
          continue;
        }
        side[n] = 1 - side[s];
        work.push_back(n);
      }
    }
  }
  // Several components: unrolled loads of shared buffers. Align them by buffer.
  if (components > 1) {
    std::map<unsigned, int> sideOfBuffer;
    std::set<Id> done;
    for (auto &[start, neighbours] : edges) {
      if (done.count(start))
        continue;
      std::vector<Id> members{start};
      for (size_t i = 0; i < members.size(); ++i) {
        if (!done.insert(members[i]).second)
          continue;
        members.insert(members.end(), edges[members[i]].begin(),
                       edges[members[i]].end());
      }
      int flip = 0;
      for (Id m : members)
        if (auto it = sideOfBuffer.find(bufferOf(m)); it != sideOfBuffer.end())
          flip = it->second != side[m];
      for (Id m : std::set<Id>(members.begin(), members.end())) {
        side[m] ^= flip;
        sideOfBuffer.emplace(bufferOf(m), side[m]);
      }
    }
  }
  for (auto &[s, which] : side)
    (which ? out.pattern.y : out.pattern.x).insert(s);
  return true;
}

/// Positive: x is Q. Q shares its row with O, K shares its row with V.
int Assigner::preferFirst(const Frame &frame) {
  if (!frame.addr)
    return 0;
  auto vars = [&](const std::vector<Reach> &reaches) {
    std::set<std::string> all;
    for (const Reach &r : reaches)
      if (r.addr)
        for (const std::string &v : loopVarsOf(frame, program, *r.addr))
          all.insert(v);
    return all;
  };
  std::set<std::string> o = loopVarsOf(frame, program, *frame.addr),
                        x = vars(frame.x), y = vars(frame.y), v = vars(frame.v);
  int score = 0;
  for (const std::string &var : o)
    if (!v.count(var))
      score += int(x.count(var)) - int(y.count(var));
  for (const std::string &var : v)
    if (!o.count(var))
      score += int(y.count(var)) - int(x.count(var));
  return score;
}

int Assigner::preferByName() {
  auto looksLike = [&](const std::set<Id> &of, char letter) {
    int n = 0;
    for (Id s : of) {
      StringRef name = program.buffers[bufferOf(s)].name;
      n += name.size() && (name.front() | 32) == letter;
      n += name.contains_insensitive(letter == 'q' ? "query" : "key");
    }
    return n;
  };
  return looksLike(out.pattern.x, 'q') + looksLike(out.pattern.y, 'k') -
         looksLike(out.pattern.y, 'q') - looksLike(out.pattern.x, 'k');
}

void Assigner::orient() {
  auto swapSides = [&] {
    std::swap(out.pattern.x, out.pattern.y);
    for (Frame &f : out.frames)
      std::swap(f.x, f.y);
  };
  // An annotation decides.
  auto annotated = [&](const std::set<Id> &side, Role role) {
    return llvm::any_of(side, [&](Id s) {
      BufferOp b = program.buffers[bufferOf(s)].op;
      return b.getAnnotated() && b.getRole() == role;
    });
  };
  if (annotated(out.pattern.x, Role::Q) || annotated(out.pattern.y, Role::K))
    return;
  if (annotated(out.pattern.y, Role::Q) || annotated(out.pattern.x, Role::K))
    return swapSides();
  int score = 0;
  for (const Frame &f : out.frames)
    score += preferFirst(f);
  if (score == 0) {
    score = preferByName();
    if (score != 0)
      out.tieBreak = "names of the buffers tell Q from K";
  }
  if (score < 0)
    swapSides();
  if (score == 0)
    giveUp("which factor of the scores is Q and which is K cannot be told",
           out.frames.empty() || out.frames.front().scoreSites.empty()
               ? nullptr
               : out.frames.front().scoreSites.front().getOperation());
}

/// Final outputs against partial ones, scores against row statistics.
void Assigner::classifyBuffers() {
  std::set<unsigned> feeds;
  for (const Frame &f : out.frames)
    for (unsigned b : f.outputBuffers)
      if (b != program.accesses[f.store].buffer)
        feeds.insert(b);
  for (const Frame &f : out.frames)
    out.outputs.insert(program.accesses[f.store].buffer);
  for (unsigned b : feeds)
    if (out.outputs.size() > 1 && out.outputs.erase(b))
      out.partials.insert(b);
  llvm::erase_if(out.frames, [&](const Frame &f) {
    return out.partials.count(program.accesses[f.store].buffer) > 0;
  });
}

bool Assigner::resolve(std::set<Triple> &triples) {
  analyse({});
  triples = readTriples();
  // A dot product that is written out has no loop that sums it.
  bool straight = triples.empty() && flow().sawExp;
  if (straight) {
    analyse({}, true);
    triples = readTriples();
  }
  // One buffer in two roles: tell its loads apart.
  auto conflicts = [&] {
    std::map<unsigned, std::set<int>> roles;
    for (const Triple &t : triples) {
      roles[bufferOf(t.x)].insert(0);
      roles[bufferOf(t.y)].insert(bufferOf(t.x) == bufferOf(t.y) ? 1 : 0);
      roles[bufferOf(t.v)].insert(2);
    }
    std::set<unsigned> found;
    for (auto &[buffer, r] : roles) {
      unsigned loads = 0;
      for (unsigned a : program.buffers[buffer].accesses)
        loads += program.accesses[a].isLoad;
      if (r.size() > 1 && loads > 1 && loads <= 64)
        found.insert(buffer);
    }
    return found;
  };
  std::set<unsigned> split = conflicts();
  if (triples.empty())
    split.insert(mixed.begin(), mixed.end());
  if (split.empty())
    return !triples.empty();
  mixed.clear();
  trouble.clear();
  analyse(split, straight);
  triples = readTriples();
  return !triples.empty();
}

void Assigner::analyse(const std::set<unsigned> &perLoad, bool straight) {
  out.flow = std::make_unique<Flow>(program, perLoad, straight);
}

/// Does the author say that this is attention?
bool Assigner::declared() {
  SubjectOp subject = program.subject;
  if (subject.getDisclosure())
    return true;
  return llvm::any_of(program.buffers, [](const Buffer &b) {
    BufferOp op = b.op;
    return op.getAnnotated() &&
           op.getRole().value_or(Role::Other) != Role::Other;
  });
}

/// Is something stored that is a gradient and no output? An output that
/// is taken for a gradient as well is one of tiles that share memory, which the
/// flow did not keep apart.
bool Assigner::storesGradient() {
  return llvm::any_of(program.accesses, [&](const Access &a) {
    if (a.isLoad || !program.buffers[a.buffer].slow ||
        !flow().has(a.store().getValue(), FactKind::Back))
      return false;
    return llvm::none_of(flow().of(a.store().getValue()), [&](Id id) {
      const Fact &f = flow().fact(id);
      return f.kind == FactKind::Weighted && flow().isNormalised(f.a, f.b) &&
             llvm::none_of(flow().sets.members(f.c), [&](Id s) {
               return llvm::is_contained(flow().sets.members(f.a), s) ||
                      llvm::is_contained(flow().sets.members(f.b), s);
             });
    });
  });
}

/// Could something that was not read be attention?
bool Assigner::suspicious() {
  if (!flow().sawExp || program.unknowns.empty())
    return false;
  unsigned operands = 0;
  bool anything =
      llvm::any_of(program.unknowns, [](UnknownOp op) { return op.getAny(); });
  // Without an access of its own an unknown may read it; all of them written
  // is no attention.
  for (const Buffer &b : program.buffers)
    operands += b.slow && (b.loaded || (anything && !b.stored));
  return operands >= 3;
}

Assignment Assigner::run() {
  std::set<Triple> triples;
  bool any = resolve(triples);
  if (storesGradient()) {
    giveUp("a backward pass: gradients of the scores reach slow memory");
    return std::move(out);
  }
  if (!any) {
    if (flow().overflow)
      giveUp(*flow().overflow);
    else if (!trouble.empty() && !storedWith(FactKind::Weighted).empty())
      giveUp(trouble);
    else if (suspicious()) {
      UnknownOp unknown = program.unknowns.front();
      giveUp("the data flow of a softmax could not be followed: " +
                 unknown.getReason().str(),
             unknown);
    } else if (declared()) {
      giveUp("declared as attention, but no normalised exp of a product of two "
             "operands reaches slow memory");
    } else {
      out.outcome = Assignment::NotAttention;
    }
    return std::move(out);
  }
  if (flow().overflow) {
    giveUp(*flow().overflow);
    return std::move(out);
  }
  if (!colour(triples)) {
    giveUp("the two factors of the scores share operands");
    return std::move(out);
  }
  // The same words may be K and V (a shared latent); two buffers that each look
  // like both are tiles that the analysis could not keep apart.
  std::set<unsigned> values, both;
  for (Id s : out.pattern.v) {
    values.insert(bufferOf(s));
    if (out.pattern.x.count(s) || out.pattern.y.count(s))
      both.insert(bufferOf(s));
  }
  if (!both.empty() && values.size() > 1) {
    giveUp("tiles of '" + program.buffers[*values.begin()].name + "' and '" +
           program.buffers[*values.rbegin()].name +
           "' share fast memory and cannot be kept apart");
    return std::move(out);
  }
  out.outcome = Assignment::Attention;
  for (unsigned i = 0; i < program.accesses.size(); ++i) {
    const Access &a = program.accesses[i];
    if (!a.isLoad && program.buffers[a.buffer].slow &&
        flow().has(a.store().getValue(), FactKind::Weighted)) {
      if (out.frames.size() == maxFrames) {
        giveUp("the output is stored by more than " +
                   std::to_string(maxFrames) + " instructions",
               a.op);
        return std::move(out);
      }
      Frame f = traceOutput(flow(), i, out.pattern);
      if (!f.outputSites.empty())
        out.frames.push_back(std::move(f));
    }
  }
  orient();
  if (out.outcome == Assignment::Attention)
    classifyBuffers();
  return std::move(out);
}

Assignment ioflor::roles::assignRoles(Program &program) {
  Assignment first = Assigner(program).run();
  // An operand in two places of the formula, and other operands beside it
  // there, is as likely an array that takes turns.
  auto takesTurns = [&] {
    auto beside = [&](const std::set<Id> &side) {
      return side.size() > 1 && llvm::any_of(side, [&](Id s) {
               return first.pattern.v.count(s) > 0;
             });
    };
    return beside(first.pattern.x) || beside(first.pattern.y);
  };
  if (first.outcome == Assignment::NotAttention ||
      (first.outcome == Assignment::Attention && !takesTurns()))
    return first;
  // Tiles that take turns in one array are told apart by the order of stores.
  program.findReaching();
  Assignment second = Assigner(program).run();
  if (second.outcome == Assignment::Inconclusive && program.separateTiles()) {
    program.findReaching();
    program.work = 0; // what the mixture cost says nothing of this
    Assignment third = Assigner(program).run();
    if (third.outcome == Assignment::Attention) {
      third.tieBreak += third.tieBreak.empty() ? "" : "; ";
      third.tieBreak += "tiles at different offsets of one shared array are "
                        "taken for disjoint";
      return third;
    }
  }
  // Of two reasons the narrower flow's is closer to the cause.
  return second.outcome == Assignment::NotAttention ? std::move(first)
                                                    : std::move(second);
}
