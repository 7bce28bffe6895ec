# REQUIRES: clang-format
# RUN: %python %s %kperf_src %formatter
"""C++ and CUDA are laid out as .clang-format says. Not the examples, whose pages cite their lines, nor the sources that tests read."""
import pathlib
import re
import subprocess
import sys

import tree

SUFFIXES = {".cpp", ".h", ".cu"}


def is_laid_out_by_hand(path):
    return path.parts[0] == "examples" or path.parts[:2] == ("docs", "tour") or (path.parts[0] == "test" and path.suffix == ".cu")


def main(root, clang_format):
    root = pathlib.Path(root)
    paths = [path for path in tree.sources(root) if path.suffix in SUFFIXES and not is_laid_out_by_hand(path)]
    found = subprocess.run([clang_format, "--dry-run", *paths], cwd=root, capture_output=True, text=True).stderr
    places = sorted(set(re.findall(r"^(\S+?):\d+:\d+: warning: code should be clang-formatted", found, re.M)))
    tree.finish([f"{path}: '{pathlib.Path(clang_format).name} -i {path}' lays it out" for path in places], len(paths))


main(*sys.argv[1:])
