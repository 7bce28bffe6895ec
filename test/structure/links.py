# RUN: %python %s %kperf_src
"""Every link of a Markdown page to a file leads to one, and to a heading that is there; README.md is short enough to be read."""
import pathlib
import re
import sys

import tree

MAX_README_LINES = 150
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(path):
    """As GitHub makes them of headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", path.read_text(), re.M)}


def check(root, page):
    text = re.sub(r"^```.*?^```$", "", (root / page).read_text(), flags=re.S | re.M)
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        to = (root / page.parent / name).resolve() if name else root / page
        if not to.exists():
            yield f"{page}: {target} is not there"
        elif anchor and anchor not in anchors(to):
            yield f"{page}: {target} has no such heading"


def main(root):
    pages = [path for path in tree.files(root) if path.suffix == ".md"]
    findings = [finding for page in pages for finding in check(root, page)]
    lines = len((root / "README.md").read_text().splitlines())
    if lines > MAX_README_LINES:
        findings.append(f"README.md: {lines} lines, more than {MAX_README_LINES}: what is not of the first minute belongs into docs")
    tree.finish(findings, len(pages))


main(pathlib.Path(sys.argv[1]))
