# RUN: %python %s %kperf_src
"""Every file and folder that CONTRIBUTING.md and docs/probe.md name between backticks is there."""
import pathlib
import re
import sys

import tree

PAGES = ["CONTRIBUTING.md", "docs/probe.md"]
NAMED = re.compile(r"`((?:decoder|rewriters|runtime|tool|test|docs|cmake)/[\w./+-]*)`")
TEMPLATE = re.compile(r"Thing|thing")  # what a contributor's new file would be called


def main(root):
    findings, checked = [], 0
    for page in PAGES:
        for name in NAMED.findall((root / page).read_text()):
            checked += 1
            if not TEMPLATE.search(name) and not (root / name).exists():
                findings.append(f"{page}: there is no {name}")
    tree.finish(findings, checked)


main(pathlib.Path(sys.argv[1]))
