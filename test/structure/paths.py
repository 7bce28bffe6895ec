# RUN: %python %s %kperf_src
"""Every file and folder that CONTRIBUTING.md and docs/probe.md name between backticks is there, under the folder that the sentence is about; and
CONTRIBUTING.md says of each folder of decoder and rewriters what it is for."""
import pathlib
import re
import sys

import tree

PAGES = ["CONTRIBUTING.md", "docs/probe.md"]
# Where a name may start; a name is a path where it has a slash between words, or an ending.
BASES = [".", "runtime/include/kperf", "runtime/include/kperf/cuda", "docs/reference", "test/structure"]
NAMED = re.compile(r"`((?:[\w.+-]+/)+[\w.+-]*|[\w-]+\.(?:h|cpp|md|txt|def))`")
TEMPLATE = re.compile(r"Thing|thing|\*")  # what a contributor's new file would be called
HOUSES = ["decoder", "rewriters"]


def main(root):
    findings, checked = [], 0
    for page in PAGES:
        for name in NAMED.findall((root / page).read_text()):
            checked += 1
            if not TEMPLATE.search(name) and not any((root / base / name).exists() for base in BASES):
                findings.append(f"{page}: there is no {name}")
    guide = (root / "CONTRIBUTING.md").read_text()
    for house in HOUSES:
        for room in {path.parts[1] for path in tree.sources(root, house) if len(path.parts) > 2}:
            checked += 1
            if f"`{room}`" not in guide:
                findings.append(f"CONTRIBUTING.md: says nothing of {house}/{room}")
    tree.finish(sorted(findings), checked)


main(pathlib.Path(sys.argv[1]))
