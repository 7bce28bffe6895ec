# RUN: %python %s %kperf_src
"""Every row of a .def table has its file and a test, and every such file has its row."""
import pathlib
import re
import sys

import tree

# table: (macro, files of the rows, folder of their tests)
TABLES = {
    "rewriters/rewriter/Rewriters.def": ("KPERF_REWRITER", "rewriters/rewriter/{}Rewriter.cpp", "test/rewriters"),
    "decoder/view/Views.def": ("KPERF_VIEW", "decoder/view/{}View.cpp", "test/decoder"),
    "decoder/print/Printers.def": ("KPERF_PRINTER", "decoder/print/{}Printer.cpp", "test/decoder"),
    "tool/commands/Commands.def": ("KPERF_COMMAND", "tool/commands/{}Command.cpp", "test"),
}
NOT_ROWS = {
    "tool/commands/ViewCommand.cpp",  # behind all rows of Views.def
    "rewriters/rewriter/CallRewriter.cpp",  # what every kernel gets, whatever --probes says
    "rewriters/rewriter/DynamicSharedRewriter.cpp",
    "rewriters/rewriter/InlinePtxRewriter.cpp",
    "rewriters/rewriter/IterationRewriter.cpp",
    "rewriters/rewriter/LaunchRewriter.cpp",
    "rewriters/rewriter/SharedAlignmentRewriter.cpp",
}


def check(root, table, macro, pattern, tests):
    rows = re.findall(rf'^{macro}\("?([\w-]+)', (root / table).read_text(), re.M)
    expected = {pattern.format("".join(word.title() for word in row.split("-"))): row for row in rows}
    folder, suffix = pathlib.Path(pattern).parent, pathlib.Path(pattern).name.format("")
    found = {str(folder / path.name) for path in (root / folder).glob("?*" + suffix)} - NOT_ROWS
    names = {path.name.lower() for path in (root / tests).rglob("*")}
    for path, row in expected.items():
        if path not in found:
            yield f"{table}: '{row}' has no {path}"
        if not any(name.startswith(row.replace("-", "_")) or name.startswith(row) for name in names):
            yield f"{table}: '{row}' has no test {tests}/{row}*"
    for path in sorted(found - set(expected)):
        yield f"{path}: no row in {table}"


def main(root):
    findings = [finding for table, row in TABLES.items() for finding in check(root, table, *row)]
    tree.finish(findings, len(TABLES))


main(pathlib.Path(sys.argv[1]))
