# RUN: %python %s %kperf_src kperf kperf-cc kperf-rewrite
# REQUIRES: kperf-rewrite
"""docs/reference/options.md lists what --help of every program and command lists, no more and no less. What kperf-rewrite's source names stands
in tool/options/Options.def, all of it (kperf-cc's does not compile without), and no two commands of kperf describe the same option."""
import pathlib
import re
import subprocess
import sys

import tree

ROW = re.compile(r'^KPERF_OPTION\((\w+), "([\w-]+)", (\w+),', re.M)
DOCUMENTED = re.compile(r"^\| `(--?[a-z][\w-]*)[^`]*` \| ([^|]+) \| [^|\s]", re.M)
LISTED = re.compile(r"^  (?:-\w,)?(--?[a-z][\w-]*)(?=$|[ =\[])", re.M)  # "-o,--output FILE" is --output; examples are indented more
DESCRIBED = re.compile(r'arguments\.(?:add|flag)\("([^"]+)", [^,;]+, "([^"]+)"')


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True).stdout


def check_page(root, kperf, *builders):
    """What builds programs has one table, the commands of kperf another."""
    text = (root / "docs/reference/options.md").read_text()
    of_builders, of_kperf = (text[text.index(f"## Every option of {name}"):] for name in ("kperf-cc", "kperf\n"))
    commands = re.findall(r"^  ([a-z][a-z-]*)  +\S", help_of(kperf), re.M)
    for table, every, callers in (
        (of_builders[: of_builders.index(of_kperf)], "both", {name: (name,) for name in builders}),
        (of_kperf, "every command", {name: (kperf, name) for name in commands}),
    ):
        documented = {name: set() for name in callers}
        for option, of in DOCUMENTED.findall(table):
            for name in callers if of == every else of.split(", "):
                documented.setdefault(name, set()).add(option)
        for name, call in callers.items():
            listed = set(LISTED.findall(help_of(*call)))
            yield from (f"docs/reference/options.md: no row says that {' '.join(call)} has {option}" for option in sorted(listed - documented[name]))
            yield from (f"docs/reference/options.md: {' '.join(call)} has no {option}" for option in sorted(documented[name] - listed))
        yield from (f"docs/reference/options.md: there is no {name}" for name in documented.keys() - callers.keys())


def check_commands(root):
    described = {}
    for path in sorted((root / "tool/commands").glob("*.cpp")):
        for option in DESCRIBED.findall(path.read_text()):
            described.setdefault(option, []).append(path.name)
    if len(described) < 30:
        yield f"tool/commands: only {len(described)} options found"
    for (name, text), paths in described.items():
        if len(paths) > 1:
            yield f"{', '.join(paths)}: {name} '{text}' is described more than once: tool/commands/SharedOptions.h"


def main(root, *programs):
    rows = ROW.findall((root / "tool/options/Options.def").read_text())
    described = set(re.findall(r'Described\("([\w-]+)"\)', (root / "tool/kperf-rewrite.cpp").read_text()))
    findings = [f"kperf-rewrite.cpp: no option for --{name}" for program, name, _ in rows if program != "Cc" and name not in described]
    findings += [*check_page(root, *programs), *check_commands(root)]
    tree.finish(findings, len(rows))


main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
