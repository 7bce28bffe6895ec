"""Compiles a HIP source to assembly with and without probes, and compares what the kernels take of the hardware.

usage: registers.py CLANG INCLUDE SOURCE BUILD…, beside a folder `libraries`; leaves BUILD.s here. A build is an architecture, or
ARCHITECTURE-sums, -memory, -sync for other probes than those of regions alone.
"""
import re
import subprocess
import sys

MAX_EXTRA_VECTOR_REGISTERS = 4  # of a kernel whose own code has more live values than its entry's probe
PROBES = {"": [], "sums": ["--aggregate=*"], "memory": ["--probes=memory,sync"], "sync": ["--probes=region,sync"]}
# With so many a SIMD of gfx9 still holds eight waves, all that it can of gfx90a and gfx942 (800 of them in all; LLVM's
# getOccupancyWithNumSGPRs); from gfx10 on a wave has 106, used or not.
MAX_SCALAR_REGISTERS = 100
MAX_WITH_MEMORY_PROBES = 88  # beside a working set: their calls need most of the 102 that a wave has
# Four more is less than a launch's name takes: the hardware hands a probed kernel nine (its arguments, its queue and its number there, two
# each, its block's place three) where others get three, and a region keeps eight of the kernel's loop (a buffer's descriptor four, how
# many records there are, how many are kept and in what ring, a clock) and needs three for a moment (the rest of two clocks). Where a
# kernel begins, its slot is taken and described by up to 29.
MAX_EXTRA_SCALAR_REGISTERS = 22  # of the kernel with a working set
MAX_EXTRA_OF_SMALL_KERNELS = 46  # those that call functions: where these find no slot they take one


def compile(command, architecture, source, output):
    flags = ["-std=c++17", "-O3", "-Wall", "-Wextra", "-Werror", "-x", "hip", "--cuda-device-only", "-S",
             f"--offload-arch={architecture}", "--rocm-device-lib-path=libraries", "-mcode-object-version=5",
             "-include", f"{include}/kperf/clang/hipcc.h"]
    subprocess.run([*command, *flags, source, "-o", output], check=True)
    return kernels(output)


def kernels(assembly):
    """What the metadata says of each kernel: {name: {key: number}}."""
    found = {}
    for entry in re.split(r"^  - ", open(assembly).read().split(".amdgpu_metadata")[1], flags=re.M)[1:]:
        numbers = {key: int(value) for key, value in re.findall(r"^    \.(\w+): +(\d+)$", entry, re.M)}
        if name := re.search(r"^    \.name: +(\S+)$", entry, re.M):
            found[name[1]] = numbers
    return found


def check(build, plain, probed):
    for name, numbers in probed.items():
        for forbidden in ("private_segment_fixed_size", "vgpr_spill_count", "sgpr_spill_count"):
            if forbidden == "sgpr_spill_count" and build.endswith("-memory"):
                continue  # calls need more than a wave has beside a working set; what is spilled stays in vector registers
            if numbers[forbidden]:
                yield f"{build}: {name}: {forbidden} is {numbers[forbidden]}"
        if numbers["sgpr_count"] > (MAX_WITH_MEMORY_PROBES if build.endswith("-memory") else MAX_SCALAR_REGISTERS):
            yield f"{build}: {name}: {numbers['sgpr_count']} scalar registers"
        if name in plain:
            print(f"{build} {name}: vector registers {plain[name]['vgpr_count']} -> {numbers['vgpr_count']}, "
                  f"scalar {plain[name]['sgpr_count']} -> {numbers['sgpr_count']}")
            isLarge = name == next(iter(plain))  # the first kernel is the one with a working set
            more = {file: numbers[f"{file}_count"] - plain[name][f"{file}_count"] for file in ("vgpr", "sgpr")}
            if isLarge and more["vgpr"] > MAX_EXTRA_VECTOR_REGISTERS and "-" not in build:
                yield f"{build}: {name}: {more['vgpr']} more vector registers"
            if more["sgpr"] > (MAX_EXTRA_SCALAR_REGISTERS if isLarge else MAX_EXTRA_OF_SMALL_KERNELS) and not build.endswith("-memory"):
                yield f"{build}: {name}: {more['sgpr']} more scalar registers"
    if len(probed) <= len(plain):
        yield f"{build}: no kernel of kperf's own: there are no probes"


clang, include, source, *builds = sys.argv[1:]
findings, plain = [], {}
for build in builds:
    architecture, _, probes = build.partition("-")
    if architecture not in plain:
        plain[architecture] = compile([clang, "-I", include], architecture, source, f"{architecture}.plain.s")
    probed = compile(["kperf-cc", *PROBES[probes], clang], architecture, source, f"{build}.s")
    findings += check(build, plain[architecture], probed)
sys.exit("\n".join(findings) or 0)
