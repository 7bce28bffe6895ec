# RUN: %python %s %kperf_src
"""docs/reference/format.md shows every field that decoder/trace/Schemas.h and RecordSchemas.h give the text form of a trace."""
import pathlib
import re
import sys

import tree

FIELD = re.compile(r'(?:field::\w+|Range|Number) ?\w*\{"([\w-]+)"')


def main(root):
    page = (root / "docs/reference/format.md").read_text()
    text_form = page[page.index("## The text form") : page.index("## Versions")]
    names = [(source, name) for source in ("Schemas.h", "RecordSchemas.h") for name in FIELD.findall((root / "decoder/trace" / source).read_text())]
    findings = [f"{source}: FORMAT.md shows no {name}=" for source, name in names if f"{name}=" not in text_form]
    tree.finish(sorted(set(findings)), len(names))


main(pathlib.Path(sys.argv[1]))
