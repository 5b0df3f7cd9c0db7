#!/usr/bin/env bash
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds the plugin and compiles three example kernels
# with it: one that is certified, one that is flagged, one that materialises its
# scores.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${IOFLOR_BUILD:-$root/build}
bash "$root/scripts/deps.sh" --build
bash "$root/scripts/build.sh" ioflor ioflor-core >"$build.demo.log" 2>&1 || {
  cat "$build.demo.log" >&2
  exit 2
}
rm -f "$build.demo.log"
cd "$root/examples"
compile() {
  echo
  echo "\$ clang-22 -fplugin=ioflor.so -fsyntax-only $*"
  # No CUDA toolkit is needed: these are the headers that ioflor ships.
  clang-22 -x cuda -nocudainc -nocudalib --cuda-device-only \
    --cuda-gpu-arch=sm_80 -Wno-unknown-cuda-version \
    -isystem "$root/plugin/include/ioflor/cuda_stub" -I "$root/plugin/include" \
    -fsyntax-only -fplugin="$build/lib/ioflor.so" \
    -fplugin-arg-ioflor-remarks=all "$@"
}
compile vector_loads.cu -fplugin-arg-ioflor-certificate="$build/vector_loads.json"
echo "(certificate: $build/vector_loads.json)"
compile window_undisclosed.cu
compile naive_pipeline.cu
