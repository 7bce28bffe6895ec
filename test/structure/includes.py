# RUN: %python %s %kperf_src
"""Who may include whom: rewriters and decoder never meet, and only kperf/format.h, its further parts and the version join them.
What all of them ask of the system is in posix, which knows none of them. The rewriters' text and the probes that it calls have their names in
common. What probes of all vendors share asks for no vendor, one header does, and has no instructions of one: these are in cuda/ and hip/."""
import pathlib
import re
import sys

import tree

CPP_STANDARD = r"[a-z_]+"
C_AND_POSIX = (
    r"(sys/)?(assert|cxxabi|dlfcn|elf|errno|eventfd|fcntl|file|fnmatch|limits|link|math|mman|poll|pthread|random|resource|sched|signal|socket|spawn|stat|stdarg|"
    r"stddef|stdint|stdio|stdlib|string|syscall|time|types|ucontext|unistd|unwind|wait)\.h|(arpa/inet|ifaddrs|net/if|netdb|netinet/in|netinet/tcp)\.h"
)
VENDOR = r"(cuda|hip|nv|cooperative_groups|device_|driver_types|vector_types|cub|cccl).*"
# folder: (own folders that it may include, library headers that it may include)
RULES = {
    "posix": ({"posix"}, [CPP_STANDARD, C_AND_POSIX]),
    "decoder": ({"decoder", "posix"}, [CPP_STANDARD, C_AND_POSIX, r"fmt/.*", r"nlohmann/.*", r"xxhash\.h", r"perfetto\.pb\.h"]),
    "rewriters": ({"rewriters", "posix"}, [CPP_STANDARD, C_AND_POSIX, r"clang/.*", r"llvm/.*", r"fmt/.*", r"xxhash\.h"]),
    "runtime": ({"runtime", "posix"}, [CPP_STANDARD, C_AND_POSIX, VENDOR, r"boost/context/.*", r"sanitizer/.*", r"xxhash\.h"]),
    "tool": ({"tool", "rewriters", "decoder", "runtime", "posix"}, [r".*"]),
}
# What Clang reads in place of nvcc's own headers; it names whatever it has to imitate.
EXEMPT = "runtime/include/kperf/clang/"
JOINT = {"runtime/include/kperf/format.h", "runtime/include/kperf/format_references.h",
         "runtime/include/kperf/format_summary.h", "runtime/version.h.in"}
# Whose text calls the probes, and what those are called.
EMITTED = {("rewriters", "runtime/include/kperf/rules/KernelTraits.h"), ("rewriters", "runtime/include/kperf/rules/MemoryCalls.h"),
           ("rewriters", "runtime/include/kperf/rules/Probes.h"),
           ("decoder", "runtime/include/kperf/rules/BlockSample.h")}  # how many blocks of a wide launch the next run records
# What is compiled for every GPU, and the one header there that asks which.
SHARED = ("runtime/include/kperf/gpu/", "runtime/include/kperf/abi/", "runtime/include/kperf/probe.h")
ASKS = "runtime/include/kperf/abi/Target.h"
EVERY_GPUS = "runtime/include/kperf/gpu/"
ASSEMBLY = re.compile(r"\b(asm|__asm__|__asm)\b\s*(volatile|__volatile__)?\s*\(|\b__builtin_(amdgcn|nvvm)_|\b__nvvm_")
VENDOR_MACRO = re.compile(r"\b__(HIP__|HIP_DEVICE_COMPILE__|HIP_PLATFORM_\w+__|CUDA_ARCH__|CUDACC__|NVCC__)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def resolve(root, path, name):
    """The repository's file that an include of `name` in `path` means, or None for a library's."""
    for base in (path.parent, path.parts[0], ".", "runtime/include", *RULES):
        if (root / base / name).is_file():
            return pathlib.Path((root / base / name).resolve().relative_to(root.resolve()))
    generated = pathlib.Path("runtime") / (pathlib.Path(name).name + ".in")
    return generated if name.startswith("kperf/") and (root / generated).is_file() else None


def check(root, path):
    own, libraries = RULES[path.parts[0]]
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        if str(path).startswith(SHARED) and str(path) != ASKS and (macro := VENDOR_MACRO.search(line)):
            yield f"{path}:{number}: {macro[0]} is asked for in {ASKS} only"
        if str(path).startswith(EVERY_GPUS) and ASSEMBLY.search(line):
            yield f"{path}:{number}: instructions of a vendor belong into kperf/cuda or kperf/hip: {line.strip()}"
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, name = match.groups()
        target = resolve(root, path, name)
        if target is not None:
            if target.parts[0] not in own and str(target) not in JOINT and (path.parts[0], str(target)) not in EMITTED:
                yield f"{path}:{number}: {path.parts[0]} may not include {target}"
        elif name.startswith("kperf/") or (quote == '"' and "/" not in name):
            yield f"{path}:{number}: {name} is not a file of this repository"
        elif not any(re.fullmatch(pattern, name) for pattern in libraries):
            yield f"{path}:{number}: {path.parts[0]} may not include {name}"


def main(root):
    findings, checked = [], 0
    for path in tree.sources(root, *RULES):
        if path.suffix != ".py" and not str(path).startswith(EXEMPT):
            checked += 1
            findings += check(pathlib.Path(root), path)
    tree.finish(findings, checked)


main(sys.argv[1])
