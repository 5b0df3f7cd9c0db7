//===- Solver.cpp - z3 behind a small face --------------------------------===//
//
// Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file that includes z3++.h. Compiled with exceptions; none leaves it.
//
//===----------------------------------------------------------------------===//
#include "passes/prover/Solver.h"
#include "dialect/expr/Work.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <new>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <z3++.h>

using namespace ioflor;
using namespace ioflor::prover;

llvm::StringRef ioflor::prover::engineName(Engine engine) {
  return engine == Engine::Nlsat ? "qfnra-nlsat" : "default";
}

namespace {

/// Interrupts z3 after some seconds of the calling thread's own CPU time, which
/// unlike z3's timeout does not run while other processes have the processor.
class Backstop {
public:
  explicit Backstop(z3::context &context) : context(context) {
    if (pthread_getcpuclockid(pthread_self(), &clock) != 0)
      return;
    start = now();
    try {
      watcher = std::thread([this] { watch(); });
    } catch (const std::system_error &) {
      // The unit bound remains.
    }
  }
  ~Backstop() { stop(); }

  void stop() {
    if (!watcher.joinable())
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      done = true;
    }
    wake.notify_one();
    watcher.join();
  }

private:
  static constexpr double kSeconds = 5;

  double now() const {
    timespec t = {};
    clock_gettime(clock, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
  }

  void watch() {
    std::unique_lock<std::mutex> lock(mutex);
    while (!wake.wait_for(lock, std::chrono::milliseconds(200),
                          [this] { return done; }))
      if (now() - start > kSeconds) {
        context.interrupt();
        return;
      }
  }

  z3::context &context;
  clockid_t clock = {};
  double start = 0;
  std::mutex mutex;
  std::condition_variable wake;
  bool done = false;
  std::thread watcher;
};

} // namespace

static SolverResult run(const std::string &smt2, Engine engine,
                        unsigned rlimit) {
  SolverResult result;
  z3::context context;
  z3::solver solver = engine == Engine::Nlsat
                          ? z3::tactic(context, "qfnra-nlsat").mk_solver()
                          : z3::solver(context);
  // On the solver: a global parameter would reach other users of the same z3
  // in the process, and does not bound the tactic's solver.
  z3::params params(context);
  params.set("rlimit", rlimit);
  solver.set(params);
  z3::expr_vector assertions = context.parse_string(smt2.c_str());
  for (unsigned i = 0; i < assertions.size(); ++i)
    solver.add(assertions[i]);
  // Only a backstop, far above what the unit bound takes: single steps of
  // algebra on large numbers cost few units and may last long.
  Backstop backstop(context);
  z3::check_result answer = solver.check();
  backstop.stop();
  // Counts from the context's creation, parsing included.
  z3::stats statistics = solver.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i)
    if (statistics.key(i) == "rlimit count" && statistics.is_uint(i))
      WorkScope::spend(unitsPerSolverUnit * statistics.uint_value(i));
  switch (answer) {
  case z3::unsat:
    result.answer = SolverAnswer::Unsat;
    break;
  case z3::unknown:
    result.answer = SolverAnswer::Unknown;
    result.note = solver.reason_unknown();
    break;
  case z3::sat: {
    result.answer = SolverAnswer::Sat;
    z3::model model = solver.get_model();
    for (unsigned i = 0; i < model.num_consts(); ++i) {
      z3::func_decl symbol = model.get_const_decl(i);
      z3::expr value = model.get_const_interp(symbol);
      if (value.is_numeral() || value.is_algebraic())
        result.model[symbol.name().str()] = value.get_decimal_string(6);
    }
    break;
  }
  }
  return result;
}

SolverResult ioflor::prover::solve(const std::string &smt2, Engine engine,
                                   unsigned rlimit) {
  SolverResult result;
  if (WorkScope::exhausted()) {
    result.answer = SolverAnswer::Unknown;
    result.note = "analysis budget exhausted";
    return result;
  }
  WorkScope::spend(unitsPerQuery);
  uint64_t left = WorkScope::left() / unitsPerSolverUnit;
  rlimit = unsigned(std::max<uint64_t>(1, std::min<uint64_t>(rlimit, left)));
  result.answer = SolverAnswer::Error;
  try {
    return run(smt2, engine, rlimit);
  } catch (const z3::exception &e) {
    result.note = e.msg();
  } catch (const std::bad_alloc &) {
    result.note = "out of memory";
  } catch (...) {
    result.note = "the solver failed";
  }
  return result;
}

std::string ioflor::prover::solverVersion() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(build);
}
