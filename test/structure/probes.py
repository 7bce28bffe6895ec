# RUN: %python %s %kperf_src
"""Every probe that Clang is shown is called in the source that each target's probes are compiled with."""
import pathlib
import re
import sys

import tree

DECLARATIONS = "runtime/include/kperf/clang/probe_declarations.h"
CALLS = "test/rewriters/kernel/Inputs/every_probe.cu"
DECLARED = re.compile(r"\bstruct (\w+) \{|\bKPERF_OBJECT\([^,()]*, (\w+)|\bKPERF_RANGE\((\w+)\)|KPERF_PROBE_FUNCTION [\w ]+[ *](\w+)\(")


def main(root):
    root = pathlib.Path(root)
    # The calls of the memory rewriter have a list and macros of their own (kperf/rules/MemoryCalls.h).
    declarations = (root / DECLARATIONS).read_text().split("#define KPERF_LVALUE")[0]
    outside_macros = re.sub(r"^#define (?:.*\\\n)*.*", "", declarations, flags=re.M)
    names = {next(filter(None, found)) for found in DECLARED.findall(outside_macros)}
    calls = re.sub(r"//.*", "", (root / CALLS).read_text())
    tree.finish([f"{CALLS}: calls no {name}" for name in sorted(names) if not re.search(rf"\b{name}\b", calls)], len(names))


main(sys.argv[1])
