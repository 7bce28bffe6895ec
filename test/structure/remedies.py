# RUN: %python %s %kperf_src
# REQUIRES: kperf-rewrite
"""What a message tells the user to do can be done: options, commands and variables that texts of the sources name are there."""
import pathlib
import re
import subprocess
import sys

import tree

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SOURCE_MACROS = {"KPERF_REWRITER_PLUGIN", "KPERF_REWRITING"}
OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z0-9-]+)")
VARIABLE = re.compile(r"\bKPERF_[A-Z_]+\b")
COMMAND = re.compile(r"\bkperf ([a-z]+)\b")
# Options of other programs, which kperf-cc reads or gives on.
FOREIGN = {"rewriters/command", "tool/cc", "tool/batch", "rewriters/parse", "rewriters/Toolkit.cpp", "runtime/selftest"}
# What else stands behind the name: "#pragma kperf region", "a newer kperf may …".
WORDS_BEHIND_KPERF = set("region options does file trace cannot at knows may instrumented here was again takes explains that reads".split())


def literals(text):
    text = re.sub(r"(?m)^\s*(//|///).*$|^\s*#\s*include.*$", "", text)
    # neighbouring literals are one text
    for run in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
        yield "".join(LITERAL.findall(run[0]))


def known(root):
    texts = []
    for program in ("kperf", "kperf-cc", "kperf-rewrite"):
        texts.append(subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout)
    commands = set(re.findall(r"^  ([a-z]+)  +\w", texts[0], re.M))
    texts += [subprocess.run(["kperf", command, "--help"], capture_output=True, text=True, check=True).stdout for command in sorted(commands)]
    pages = "".join(path.read_text() for path in [root / "README.md", *(root / "docs").rglob("*.md")])
    macros = "".join(path.read_text(errors="replace") for path in (root / "runtime/include").rglob("*.h"))
    return set(OPTION.findall("\n".join(texts))), commands, set(VARIABLE.findall(pages)) | set(re.findall(r"#\s*(?:define|if\w*\s.*)\s(KPERF_[A-Z_]+)", macros))


def main(root):
    options, commands, variables = known(root)
    findings, checked = [], 0
    for path in tree.files(root):
        name = str(path)
        if path.suffix not in (".cpp", ".h") or path.parts[0] not in ("decoder", "tool", "runtime", "rewriters", "posix") or "include" in path.parts:
            continue
        for text in literals((root / path).read_text(errors="replace")):
            if " " not in text:
                continue
            found = [(word, commands | WORDS_BEHIND_KPERF, "a command of kperf") for word in COMMAND.findall(text)]
            found += [(word, variables, "a variable that a page describes") for word in VARIABLE.findall(text) if word not in SOURCE_MACROS]
            if not any(name.startswith(folder) for folder in FOREIGN):
                found += [(word, options, "an option in a --help") for word in OPTION.findall(text)]
            checked += len(found)
            findings += [f"{name}: '{word}' is not {what}: {text[:90]}" for word, names, what in found if word not in names]
    tree.finish(findings, checked)


main(pathlib.Path(sys.argv[1]))
