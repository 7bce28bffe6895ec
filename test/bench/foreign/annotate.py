"""Puts KPERF_BEGIN and KPERF_END into a source, at lines that short quotations of it name."""
import re


class NotFound(Exception):
    """A quotation that the source does not contain where it is looked for."""


def lines_of_function(lines, function):
    """First and last index of the definition whose first line matches the expression `function`: to its closing brace."""
    for first, line in enumerate(lines):
        if not re.search(function, line):
            continue
        depth, opened = 0, False
        for last in range(first, len(lines)):
            code = lines[last].split("//")[0]
            if not opened and code.rstrip().endswith(";") and "{" not in code and "(" not in code.split(")")[-1]:
                break  # a declaration
            depth += code.count("{") - code.count("}")
            opened = opened or "{" in code
            if opened and depth <= 0:
                return first, last
    raise NotFound(f"no definition matches '{function}'")


def find(lines, quotation, first, last):
    """The index of the first line from `first` to `last` that contains `quotation`."""
    for index in range(first, last + 1):
        if quotation in lines[index]:
            return index
    raise NotFound(f"no line from {first + 1} to {last + 1} contains '{quotation}'")


def end_of_statement(lines, first):
    """The index of the line, and the column in it, behind the statement that begins at line `first`."""
    depth = 0
    for index in range(first, len(lines)):
        code = lines[index].split("//")[0]
        if code.lstrip().startswith("#"):
            continue
        for column, letter in enumerate(code):
            depth += (letter in "([{") - (letter in ")]}")
            if depth == 0 and letter in ";}":
                rest = code[column + 1:].strip() or (lines[index + 1].strip() if index + 1 < len(lines) else "")
                if rest.startswith("else") or letter == "}" and rest.startswith((";", ",", "(")):
                    continue
                return index, column + 1
    raise NotFound(f"the statement at line {first + 1} has no end")


def above_pragmas(lines, index):
    """The index of the first of the unroll pragmas that belong to the statement at line `index`, or `index`."""
    above = index - 1
    while above > 0 and not lines[above].strip():
        above -= 1
    if lines[above].lstrip().startswith(("#pragma unroll", "#pragma nounroll", "CUTLASS_PRAGMA", "CUTE_UNROLL")):
        return above_pragmas(lines, above)
    return index


def annotated(text, function, regions):
    """`text` with `regions` in the definition that `function` matches. A region is (name, quotation of its first line) and lasts
    to the end of the statement there, or (name, first, last) and lasts to the end of the line that contains `last`, or of the block
    that this line opens. Regions
    stand in the order in which they begin; each is looked for behind the first line of the one before. One whose name is None is a
    place behind which the next is looked for."""
    lines = text.split("\n")
    first, last = lines_of_function(lines, function)
    edits = []  # (line, column, text)
    for name, start, *end in regions:
        begin = find(lines, start, first, last)
        if not name:
            first = begin + 1
            continue
        if end:
            stop = find(lines, end[0], begin, last)
            column = len(lines[stop].split("//")[0].rstrip())
            if lines[stop][:column].endswith("{"):
                stop, column = end_of_statement(lines, stop)
        else:
            stop, column = end_of_statement(lines, begin)
        first = begin + 1
        begin = above_pragmas(lines, begin)
        indent = len(lines[begin]) - len(lines[begin].lstrip())
        if lines[begin].lstrip().startswith("#"):
            edits.append((begin - 1, len(lines[begin - 1].split("//")[0].rstrip()), f' KPERF_BEGIN("{name}");'))
        else:
            edits.append((begin, indent, f'KPERF_BEGIN("{name}"); '))
        edits.append((stop, column, f' KPERF_END("{name}");'))
    for line, column, inserted in sorted(edits, key=lambda edit: (*edit[:2], "KPERF_BEGIN" in edit[2]), reverse=True):
        lines[line] = lines[line][:column] + inserted + lines[line][column:]
    return "\n".join(lines)


def with_header(text):
    """`text` with the header of the annotations before everything."""
    return "#include <kperf/annotate.h>\n" + text
