"""The files of a batch of programs: one translation unit, a header with a part of the functions, and a second unit for that header."""
import re

from prediction import TABLE, checksum
from program import BITS, SIZE, STORED

PRELUDE = ["#include <cstdio>", "#include <kperf/annotate.h>", '#include "functions.h"']
MAIN = f"""
static unsigned *out, copy[{SIZE}];
static const unsigned table[{len(TABLE)}] = {{{", ".join(map(str, TABLE))}}};
static void clear() {{
  for (unsigned i = 0; i < {STORED}; ++i)
    copy[i] = 0xDEAD;
  for (unsigned i = 0; i < {len(TABLE)}; ++i)
    copy[{BITS} + i] = table[i];
  cudaMemcpy(out, copy, sizeof copy, cudaMemcpyHostToDevice);
}}
static void show(const char *name, unsigned count) {{
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(copy, out, sizeof copy, cudaMemcpyDeviceToHost);
  unsigned total = 2166136261u;
  for (unsigned i = 0; i < count; ++i)
    total = (total ^ copy[i]) * 16777619u;
  std::printf("%s %u %d\\n", name, total, int(error));
}}
"""


def isInHeader(program):
    return program.number % 4 == 1


def files(programs, launches):
    """Names and texts; the launches are in the order of main()."""
    header = ["#pragma once", "#include <kperf/annotate.h>"]
    main = [*PRELUDE]
    for program in programs:
        lines = program.cxx()
        (header if isInHeader(program) else main).extend(line.replace("__device__ unsigned", "inline __device__ unsigned") if isInHeader(program) else line for line in lines)
    main += MAIN.splitlines() + ["int main() {", "  cudaMalloc(&out, sizeof copy);"]
    for launch in launches:
        program = launch.program
        main.append(f'  clear(); {launch.name()}<<<{program.grid}, {program.launchBlock()}>>>(out, {launch.argument}); '
                    f'show("{launch.name()}", {program.grid * program.block});')
    main.append("}")
    other = ['#include "functions.h"', '__global__ void other() { KPERF_SCOPE("other"); }']
    return {"all.cu": main, "functions.h": header, "other.cu": other}


def inHip(name, lines):
    """A file of files() in HIP's spelling: its name and its lines, launches by the macro and by chevrons in turn."""
    spelled = ["#include <hip/hip_runtime.h>"] if name != "functions.h" else []
    for number, line in enumerate(lines):
        line = re.sub(r"\bcuda(?=[A-Z])", "hip", line).replace("__shfl_xor_sync(~0u, ", "__shfl_xor(")
        if number % 2:
            line = re.sub(r"(\w+(?:<[^<>]*>)?)<<<(\w+), ([^>]+)>>>\(",
                          r"hipLaunchKernelGGL(HIP_KERNEL_NAME(\1), dim3(\2), dim3(\3), 0, 0, ", line)
        spelled.append(line)
    return name.replace(".cu", ".hip"), spelled


def expectedOutput(launches):
    return "".join(f"{launch.name()} {checksum(launch.stored)} 0\n" for launch in launches)
