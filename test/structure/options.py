# RUN: %python %s %kperf_src
"""What stands beside tool/options/Options.def agrees with it: the options with a value that CMake skips, and the options that each program's source names."""
import pathlib
import re
import sys

import tree

ROW = re.compile(r'^KPERF_OPTION\((\w+), "([\w-]+)", (\w+),', re.M)


def main(root):
    rows = ROW.findall((root / "tool/options/Options.def").read_text())
    with_value = {name for program, name, value in rows if program != "Rewrite" and value == "Needed"}
    cmake = (root / "cmake/KperfInstrument.cmake").read_text()
    skipped = set(re.search(r'MATCHES "\^--\(([\w|-]+)\)\$"', cmake)[1].split("|"))
    findings = [f"KperfInstrument.cmake: takes the value of --{name} for a launcher: add it to the pattern" for name in sorted(with_value - skipped)]
    findings += [f"KperfInstrument.cmake: --{name} is no option of kperf-cc with a value" for name in sorted(skipped - with_value)]
    passed = set(re.findall(r'"--([\w-]+)=?', cmake))
    findings += [f"KperfInstrument.cmake: passes --{name}, which kperf-cc lacks" for name in sorted(passed - {name for program, name, _ in rows if program != "Rewrite"})]
    described = set(re.findall(r'Described\("([\w-]+)"\)', (root / "tool/kperf-rewrite.cpp").read_text()))
    findings += [f"kperf-rewrite.cpp: no option for --{name}" for program, name, _ in rows if program != "Cc" and name not in described]
    tree.finish(findings, len(rows))


main(pathlib.Path(sys.argv[1]))
