# RUN: %python %s %kperf_src
"""No program of kperf starts a shell: compilers get an argument vector, whatever names a file, a trace or a command holds."""
import pathlib
import re
import sys

import tree

FORBIDDEN = re.compile(r"(?<![\w.>])(?:std::)?(?:system|popen|wordexp)\s*\(|\"/bin/(?:ba)?sh|\bsh -c\b")


def main(root):
    checked, findings = 0, []
    for path in tree.sources(root, "decoder", "posix", "rewriters", "runtime", "tool"):
        checked += 1
        for number, line in enumerate((pathlib.Path(root) / path).read_text().splitlines(), 1):
            if FORBIDDEN.search(line.split("//")[0]):
                findings.append(f"{path}:{number}: starts a shell: {line.strip()}")
    tree.finish(findings, checked)


main(*sys.argv[1:])
