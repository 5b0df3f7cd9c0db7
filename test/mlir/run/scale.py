# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ioflor-verify costs where there is no attention.

scale.py FUNCTIONS FOLDER MLIR_OPT...

Writes modules of FUNCTIONS and of four times as many functions (a layer with an
activation each) into FOLDER, and runs `canonicalize,cse` on them with and without
ioflor-verify before and between. CPU seconds, the least of five runs. Prints the
cost in hundredths of the pipeline and the growth of the time; exit status 1 where
the cost is above 5 % (10 %: measured times vary) or the growth above 6 for 4.
"""
import os
import resource
import subprocess
import sys

LAYER = """func.func @layer{k}(%x: tensor<?x64xf32>, %w: tensor<64x64xf32>,
                   %o: tensor<?x64xf32>) -> tensor<?x64xf32> {{
  %c = arith.constant {k}.5 : f32
  %y = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x64xf32>)
       outs(%o : tensor<?x64xf32>) -> tensor<?x64xf32>
  %z = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>],
         iterator_types = ["parallel", "parallel"]}}
       outs(%y : tensor<?x64xf32>) {{
    ^bb0(%a: f32):
      %n = arith.negf %a : f32
      %e = math.exp %n : f32
      %s = arith.addf %e, %c : f32
      %q = arith.divf %a, %s : f32
      %r = arith.mulf %q, %c : f32
      linalg.yield %r : f32
  }} -> tensor<?x64xf32>
  %v = linalg.matmul ins(%z, %w : tensor<?x64xf32>, tensor<64x64xf32>)
       outs(%o : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %v : tensor<?x64xf32>
}}
"""


def seconds(command):
    best = None
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(done.stderr)
        used = (after.ru_utime - before.ru_utime
                + after.ru_stime - before.ru_stime)
        best = used if best is None else min(best, used)
    return best


def main():
    count, folder, *opt = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    times = {}
    for n in (int(count), 4 * int(count)):
        path = os.path.join(folder, f"layers{n}.mlir")
        with open(path, "w") as out:
            out.write("".join(LAYER.format(k=k) for k in range(n)))
        for name, passes in (("without", "canonicalize,cse"),
                             ("with", "ioflor-verify,canonicalize,cse,"
                                      "ioflor-verify")):
            times[n, name] = seconds(
                [*opt, "--mlir-disable-threading",
                 f"--pass-pipeline=builtin.module({passes})", path])
    small, large = int(count), 4 * int(count)
    cost = times[large, "with"] / times[large, "without"] - 1
    growth = times[large, "with"] / times[small, "with"]
    print(f"{large} functions: {times[large, 'without']:.2f} s without, "
          f"{100 * cost:.1f} % more with; {growth:.1f} times that of {small}")
    sys.exit(1 if cost > 0.10 or growth > 6 else 0)


main()
