#!/usr/bin/env bash
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what ioflor builds and tests with, from Debian 12's own packages.
# Does nothing when all of it is there. With --build, all but Coq,
# which takes 1 GB and is only for the tests.
set -euo pipefail

# Needed: the compiler and libraries that ioflor is a plugin of, the solver, the
# build tool, isl for integer sets. The solver is z3 4.8.12 because LLVM 22
# already loads that one.
need=(clang-22 llvm-22-dev llvm-22-tools libclang-22-dev libclang-cpp22-dev
      libmlir-22-dev mlir-22-tools libz3-dev z3 libisl-dev cmake ninja-build g++ git
      python3 ca-certificates)
# For the tests and the developer: unit tests, sanitizer runtimes, compiler
# cache, formatter, and cvc5 as the second solver that re-checks obligations.
test=(libgtest-dev libclang-rt-22-dev ccache clang-format-22 cvc5)
# Checks the proofs of the floors.
[ "${1:-}" = --build ] || test+=(coq)

missing=()
for p in "${need[@]}" "${test[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' ||
    missing+=("$p")
done
[ "${#missing[@]}" -eq 0 ] && exit 0

run=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "deps.sh: error: not root and no sudo; install: ${missing[*]}" >&2
    exit 2
  }
  run=(sudo)
fi
echo "deps.sh: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -qq
"${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
