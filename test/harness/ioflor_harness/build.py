# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns a specification into a host program that counts, and runs it."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from .spec import SpecError, driver_source

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))

#: What the plugin itself runs before it reads loops and accesses, with the
#: second round that it runs on each kernel (plugin/clang/ir/Simplify.cpp).
#: Everything before it only sets linkage and attributes.
PLUGIN_PIPELINE = (
    "globaldce,cgscc(inline<only-mandatory>,function(sroa,early-cse,simplifycfg)),"
    "globaldce,function(loop-simplify,lcssa),"
    "function(early-cse,simplifycfg,sroa,early-cse,simplifycfg,adce,"
    "loop-simplify,lcssa)")
PIPELINE = ("harness-prepare," + PLUGIN_PIPELINE + ",harness-lower-ptx,"
            "function(loop-simplify),harness-count,harness-retarget")
HOST_PIPELINE = "harness-prepare," + PLUGIN_PIPELINE + ",harness-count"


class Toolchain:
    """Where the tools are; `libraries` holds IoflorHarness.so and the runtime."""

    def __init__(self, libraries=None, cuda_path=None, arch="sm_80"):
        self.clang = self._tool("IOFLOR_CLANG", "clang-22", "clang++-22")
        self.opt = self._tool("IOFLOR_OPT", "opt-22", "opt")
        candidates = [libraries, os.environ.get("IOFLOR_HARNESS_LIB"),
                      os.path.join(ROOT, "build", "lib")]
        self.libraries = next(
            (path for path in candidates if path and os.path.exists(
                os.path.join(path, "IoflorHarness.so"))), None)
        if not self.libraries:
            raise SpecError("IoflorHarness.so not found; build the targets "
                            "IoflorHarness and ioflor_harness_runtime, and set "
                            "IOFLOR_HARNESS_LIB")
        self.cuda_path = cuda_path or os.environ.get(
            "IOFLOR_CUDA_PATH", "/usr/local/cuda")
        self.arch = arch

    @staticmethod
    def _tool(variable, *names):
        for name in (os.environ.get(variable), *names):
            if name and shutil.which(name):
                return name
        raise SpecError(f"{names[0]} not found")

    def cuda_flags(self):
        """Flags that compile CUDA: with a toolkit's headers where there are any,
        else with the ones that ioflor ships."""
        flags = ["-x", "cuda", f"--cuda-gpu-arch={self.arch}", "-nogpulib",
                 "-Xclang", "-target-sdk-version=12.9"]
        if os.path.isdir(os.path.join(self.cuda_path, "include")):
            return flags + [
                f"--cuda-path={self.cuda_path}", "-isystem",
                os.path.join(self.cuda_path, "include", "cccl")]
        stub = os.path.join(ROOT, "plugin/include/ioflor/cuda_stub")
        return flags + ["-nocudainc", "-isystem", stub]


def _run(command, what):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0:
        return result
    missing = sorted(set(re.findall(
        r"undefined reference to `(\w+)'", result.stderr)))
    if missing:
        raise SpecError(f"{what}: the harness has no " + ", ".join(missing))
    raise SpecError(f"{what} failed:\n" + result.stderr[-4000:])


def build(spec, toolchain, folder, file, source=None):
    """Path of the program that `spec` becomes; intermediate files in `folder`.
    `source` is the driver's text where it is not the usual one."""
    at = lambda name: os.path.join(folder, name)
    cuda = spec.language == "cuda"
    driver = at("driver.cu" if cuda else "driver.cpp")
    with open(driver, "w") as handle:
        handle.write(source or driver_source(spec, file))
    common = ["-O1", "-w", "-I" + ROOT, "-I" + os.path.join(ROOT, "plugin/include"),
              "-I" + os.path.dirname(file)] + spec.flags
    if not any(flag.startswith("-std=") for flag in spec.flags):
        common.append("-std=c++17")
    plugin = os.path.join(toolchain.libraries, "IoflorHarness.so")
    emit = ["-Xclang", "-disable-llvm-passes", "-gline-tables-only", "-emit-llvm"]
    runtime = os.path.join(toolchain.libraries, "libioflor_harness_runtime.a")
    objects = [at("counted.o")]
    if cuda:
        flags = toolchain.cuda_flags()
        _run([toolchain.clang, *flags, *common, *emit, "--cuda-device-only", "-S",
              driver, "-o", at("device.ll")], "compiling device code")
        fatbin = at("empty.fatbin")
        with open(fatbin, "w") as handle:
            handle.write("\0" * 64)
        _run([toolchain.clang, *flags, *common, "--cuda-host-only", "-c", driver,
              "-Xclang", "-fcuda-include-gpubinary", "-Xclang", fatbin,
              "-fno-pie", "-o", at("host.o")], "compiling host code")
        objects.append(at("host.o"))
        pipeline, source = PIPELINE, at("device.ll")
    else:
        _run([toolchain.clang, "-x", "c++", *common, *emit, "-S", driver, "-o",
              at("plain.ll"), "-fno-pie"], "compiling")
        pipeline, source = HOST_PIPELINE, at("plain.ll")
    _run([toolchain.opt, f"-load-pass-plugin={plugin}", f"-passes={pipeline}",
          source, "-o", at("counted.bc")], "instrumenting")
    _run([toolchain.clang, "-O1", "-w", "-x", "ir", "-c", at("counted.bc"),
          "-fno-pie", "-o", at("counted.o")], "generating code")
    tables = [] if cuda else [
        os.path.join(toolchain.libraries, "libioflor_harness_plain.a")]
    _run([toolchain.clang, "-no-pie", *objects, "-Wl,--whole-archive", runtime,
          "-Wl,--no-whole-archive", *tables, "-lstdc++", "-lm", "-o", at("program")],
         "linking")
    return at("program")


def execute(spec, toolchain=None, keep=None):
    """Runs `spec` at each of its sizes; a list of results, see Session::json."""
    toolchain = toolchain or Toolchain()
    file = spec.file if os.path.isabs(spec.file) else os.path.join(
        ROOT, spec.file)
    if not os.path.exists(file):
        raise SpecError(f"no file '{file}'")
    folder = keep or tempfile.mkdtemp(prefix="ioflor-harness-")
    try:
        os.makedirs(folder, exist_ok=True)
        program = build(spec, toolchain, folder, os.path.abspath(file))
        sizes = [",".join(f"{name}={value}" for name, value in size.items())
                 for size in spec.sizes]
        result = _run([program, *sizes], "running")
        return json.loads(result.stdout)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
