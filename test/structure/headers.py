# RUN: %python %s %kperf_include %clang %host_cxx
"""Every header that users include compiles alone as C++17, and all of them in both orders."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import tree

FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", "-"]


def complaint(compiler, include, names):
    """What the compiler says of a file that includes these headers, each twice; empty when it takes them."""
    text = "".join(f"#include <{name}>\n" * 2 for name in names)
    run = subprocess.run([compiler, "-I", include, *FLAGS], input=text, capture_output=True, text=True)
    return f"{compiler}: {names[0] if len(names) == 1 else 'all headers'}\n{run.stderr}" if run.returncode else ""


def only_includes(header):
    """Whether a header is another one under a second name."""
    code = re.sub(r"//.*", "", header.read_text())
    return not re.sub(r"^\s*#\s*(include|ifndef|define|endif)\b.*$", "", code, flags=re.M).strip()


def main(include, clang, host_compiler):
    include = pathlib.Path(include)
    names = [header.relative_to(include) for header in sorted((include / "kperf").rglob("*.h"))]
    # Those of a vendor need its headers (vendor_headers.py); those of Clang are Clang's alone.
    names = [name for name in names if name.parts[1] not in {"cuda", "hip", "gpu", "hip_on_cuda", "clang"}]
    vendors = {"ConfigSymbol.h"}  # the parts that vendors share
    names = [name for name in names if name.name not in vendors]
    together = [name for name in names if name.name != "annotate_rewriting.h"]  # stands in for annotate.h
    # The host target's own parts have capital letters; nobody includes them but its CUDA headers.
    alone = [name for name in names if name.name.islower() and not only_includes(include / name)]
    alone += [header.relative_to(include) for header in [*include.glob("iket/*"), *include.glob("amd_sqtt_marker/*")]]
    jobs = [(clang, include, [name]) for name in alone]
    probe = pathlib.Path("kperf/probe.h")  # which has to stand before the CUDA headers
    together = [name for name in together if name != probe]
    jobs += [(clang, include, [probe, *together]), (host_compiler, include, [probe, *together[::-1]])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = [text for text in pool.map(lambda job: complaint(*job), jobs) if text]
    tree.finish(findings, len(jobs))


main(*sys.argv[1:])
