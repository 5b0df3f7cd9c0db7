#!/usr/bin/env bash
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configures and builds ioflor in ./build (or $IOFLOR_BUILD). Arguments go to
# ninja.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${IOFLOR_BUILD:-$root/build}
if [ ! -f "$build/build.ninja" ]; then
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
    ${IOFLOR_CMAKE_ARGS:-} >"$build.configure.log" 2>&1 || {
    cat "$build.configure.log" >&2
    exit 2
  }
  mv "$build.configure.log" "$build/configure.log"
fi
ninja -C "$build" -j "$(nproc)" "$@"
