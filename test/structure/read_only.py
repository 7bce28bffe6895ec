# RUN: %python %s %kperf_src
"""A translation unit answers and does not act: nothing of it changes, and only what runs before the plan can have Clang add to the AST."""
import pathlib
import re
import sys

import tree

MUTABLE = re.compile(r"\bmutable\b")
# A member that is a reference through which something could change.
REFERENCE = re.compile(r"^  (?!const\b|.*\()[\w:<>]+ &(\w+);", re.M)
# member: what changes by it
REFERENCES = {
    "reporter": "the user is told of mistakes",
    "buffers": "a file is read when its text is asked for",
}
ACTS = re.compile(r"\bInstantiator\b|\bclang::Sema\b")
ACTORS = {"rewriters/analysis", "rewriters/parse", "rewriters/kernel/KernelUniformity", "rewriters/ProbeChoice", "rewriters/Rewrite"}


def main(root):
    checked, findings, seen = 0, [], set()
    for path in tree.sources(root, "rewriters"):
        if path.suffix not in (".cpp", ".h"):
            continue
        checked += 1
        text = re.sub(r"//[^\n]*", "", (root / path).read_text())
        if path.parent.name == "unit":
            if MUTABLE.search(text):
                findings.append(f"{path}: something is mutable: rewriters/analysis/Analyses.h keeps what is computed")
            if path.name == "TranslationUnit.h":
                seen.update(REFERENCE.findall(text))
        if ACTS.search(text) and not {str(path.parent), str(path.with_suffix(""))} & ACTORS:
            findings.append(f"{path}: has Clang make instances: what needs them is judged before the plan (KernelUniformity.h)")
    findings += [f"TranslationUnit.h: '{name}' is not const" for name in sorted(seen - REFERENCES.keys())]
    findings += [f"TranslationUnit.h: '{name}' is gone, and its reason is here" for name in REFERENCES.keys() - seen]
    tree.finish(findings, checked)


main(pathlib.Path(sys.argv[1]))
