# RUN: %python %s %kperf_src
"""The sources name no machine's own folders and no package registry, and hold no leftovers; nothing that kperf wrote is among them."""
import pathlib
import re
import sys

import tree

PATTERNS = {
    "a path of one machine": re.compile(r"(^|[^\w$}.])/(home|root|work|farm|mnt|srv|Users)/"),
    "a package registry": re.compile(r"\b(deb|security|archive|ports)\.(debian|ubuntu)\.(org|com)\b|registry\.npm|\bpypi\."),
    "a leftover": re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b"),
}


def main(root):
    findings, checked = [], 0
    for path in tree.files(root):
        if path.suffix == ".kperf" or any(part.endswith(".overlay") for part in path.parts):
            findings.append(f"{path}: a result of kperf, not a source")
        try:
            lines = (pathlib.Path(root) / path).read_text().splitlines()
        except UnicodeDecodeError:
            continue
        checked += 1
        if str(path) == "test/structure/places.py":
            continue
        for number, line in enumerate(lines, 1):
            findings += [f"{path}:{number}: {what}: {line.strip()}" for what, pattern in PATTERNS.items() if pattern.search(line)]
    tree.finish(findings, checked)


main(sys.argv[1])
