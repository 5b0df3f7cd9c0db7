# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Substitutions:
#   %ioflor_opt, %ioflor_floor, %ioflor_lint   the tools
#   %ioflor_plugin                             ioflor.so
#   %mlir_opt_ioflor  mlir-opt with ioflor-mlir.so; %verify_mlir: ioflor-opt
#   %clang_ioflor     Clang with the plugin and the annotations' include path
#   %clang, %clangxx  Clang without
#   %ioflor_include   -I of the annotations
#   %cuda_stub        flags that compile CUDA with the shipped stub header
#   %cuda_flags       flags that compile CUDA with a toolkit (cuda-headers)
#   %cuda_certificate=FILE  compiles CUDA and writes its certificate
#   %read_ir_cu       CUDA to the IR that ioflor-read-ir reads
#   %filecheck        FileCheck that also rejects unexpected errors and warnings
#   %count, %compare  the counting harness; certificates against executions
#   %run_mlir         executes a function of MLIR and counts its words
#   %mutate, %mutate_skeleton  ioflor judged by mutants of kernels
#   %cvc5, %z3        solvers, as programs (features of these names)
#   %coqc             the proof checker (feature coq)
#   %src_root, %obj_root  the checkout and the build folder
import os
import shutil

import lit.formats

config.name = "ioflor"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [
    ".mlir", ".test", ".c", ".cpp", ".cc", ".cu", ".cl", ".hip", ".smt2", ".py",
]
# Sources of other kinds of tests; `Inputs` are read by tests.
config.excludes = [
    "Inputs", "harness", "run", "lit.cfg.py", "lit.site.cfg.py", "CMakeLists.txt",
]
config.test_source_root = os.path.join(config.ioflor_src_root, "test")
config.test_exec_root = os.path.join(config.ioflor_obj_root, "test")

src, obj = config.ioflor_src_root, config.ioflor_obj_root
bin_dir = os.path.join(obj, "bin")
include = os.path.join(src, "plugin", "include")
plugin = os.path.join(obj, "lib", "ioflor.so")
clang = os.path.join(config.llvm_tools_dir, "clang")
stub = os.path.join(include, "ioflor", "cuda_stub")


def tool(name):
    return os.path.join(bin_dir, name)


def add(name, value):
    config.substitutions.append((name + r"\b", value))


add("%ioflor_opt", tool("ioflor-opt"))
add("%run_mlir", tool("ioflor-run-mlir"))
add("%ioflor_floor", tool("ioflor-floor"))
add("%ioflor_lint", tool("ioflor-lint"))
add("%ioflor_plugin", plugin)
# A stock mlir-opt with ioflor loaded, and verify's messages without the IR.
mlir_plugin = os.path.join(obj, "lib", "ioflor-mlir.so")
add(
    "%mlir_opt_ioflor",
    os.path.join(config.llvm_tools_dir, "mlir-opt")
    + f" --load-dialect-plugin={mlir_plugin} --load-pass-plugin={mlir_plugin}",
)
add("%mlir_opt", os.path.join(config.llvm_tools_dir, "mlir-opt"))
add(
    "%verify_mlir",
    tool("ioflor-opt") + " --allow-unregistered-dialect "
    "--mlir-print-op-on-diagnostic=false "
    "-o /dev/null",
)
add("%ioflor_include", "-I" + include)
add("%clang_ioflor", f"{clang} -fplugin={plugin} -I{include}")
add("%clangxx", clang + "++")
add("%clang", clang)
add("%cuda_stub", f"-nocudainc -nocudalib -Wno-unknown-cuda-version -isystem {stub}")
# `%cuda_certificate=FILE SOURCE`: what the plugin says of CUDA, as a file.
add(
    "%cuda_certificate",
    f"{clang} -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -fsyntax-only "
    "-nocudainc -nocudalib -Wno-unknown-cuda-version "
    f"-isystem {stub} -I{include} -fplugin={plugin} "
    "-fplugin-arg-ioflor-remarks=none -fplugin-arg-ioflor-certificate",
)
# Device code as ioflor-read-ir takes it.
add(
    "%read_ir_cu",
    f"{clang} -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc "
    f"-nocudalib -isystem {stub} -I{include} -O1 -gline-tables-only "
    "-fno-discard-value-names -S -emit-llvm -Xclang -disable-llvm-passes",
)
add(
    "%filecheck",
    os.path.join(config.llvm_tools_dir, "FileCheck")
    + " --implicit-check-not=error: --implicit-check-not=warning:",
)
add("%cvc5", config.cvc5)
add("%z3", config.z3)
add("%coqc", config.coqc)
add("%python", config.python or "python3")
# Kernels that the harness executes switch stacks in a way of their own.
no_asan = "env"
if config.asan_runtime:
    no_asan += f" -u LD_PRELOAD IOFLOR_PRELOAD={config.asan_runtime}"
harness = f"{no_asan} IOFLOR_HARNESS_LIB={os.path.join(obj, 'lib')}"
for name in ("count", "compare", "mutate", "mutate_skeleton"):
    add(
        "%" + name,
        f"{harness} {config.python or 'python3'} "
        + os.path.join(src, "test", "harness", name + ".py"),
    )
add("%src_root", src)
add("%obj_root", obj)

if config.cuda_root and "NOTFOUND" not in config.cuda_root:
    config.available_features.add("cuda-headers")
    add("%cuda_root", config.cuda_root)
    flags = f"--cuda-path={config.cuda_root} -nocudalib"
    cccl = os.path.join(config.cuda_root, "include", "cccl")
    if os.path.isdir(cccl):
        flags += f" -isystem {cccl}"
    add("%cuda_flags", flags)
for solver in ("cvc5", "z3"):
    path = getattr(config, solver)
    if path and "NOTFOUND" not in path:
        config.available_features.add(solver)
if config.coqc and "NOTFOUND" not in config.coqc:
    config.available_features.add("coq")

# Another Clang, in which the plugin must refuse to run.
for other in ("clang-14", "clang-15", "clang-16", "clang-19"):
    path = shutil.which(other)
    if path:
        config.available_features.add("other-clang")
        add("%other_clang", path)
        break

# Tests use the headers that ioflor ships, whether or not a toolkit is there; a
# test that wants the real ones sets this itself.
config.environment["IOFLOR_CUDA_PATH"] = "none"
if config.asan_runtime:
    # Clang keeps what it allocates until the process ends. A report aborts, so
    # that `not` does not take it for an expected failure. LLVM's allocators
    # poison in headers what its libraries, not instrumented, do not unpoison.
    config.available_features.add("sanitize")
    config.environment["LD_PRELOAD"] = config.asan_runtime
    config.environment["ASAN_OPTIONS"] = (
        "detect_leaks=0:abort_on_error=1:allow_user_poisoning=0"
    )
    config.environment["UBSAN_OPTIONS"] = (
        "print_stacktrace=1:halt_on_error=1:abort_on_error=1"
    )
# FileCheck, not, count, split-file.
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
