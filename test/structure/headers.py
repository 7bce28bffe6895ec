# RUN: %python %s %kperf_include %host_cxx %clang
"""Every public header compiles alone as C++17, with the host's compiler and with Clang."""
import pathlib
import subprocess
import sys

import tree

FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", "-"]


def main(include, *compilers):
    include, findings, checked = pathlib.Path(include), [], 0
    for header in sorted((include / "kperf").rglob("*.h")):
        name = header.relative_to(include)
        if name.parts[1] in {"cuda", "hip", "clang"}:
            continue  # these need a vendor's headers (vendor_headers.py), or are Clang's alone
        for compiler in compilers:
            checked += 1
            run = subprocess.run([compiler, "-I", include, *FLAGS], input=f"#include <{name}>\n#include <{name}>\n", capture_output=True, text=True)
            if run.returncode != 0:
                findings.append(f"{compiler}: {name}\n{run.stderr}")
    tree.finish(findings, checked)


main(*sys.argv[1:])
