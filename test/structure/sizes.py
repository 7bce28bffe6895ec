# RUN: %python %s %kperf_src
"""A component over 600 lines, a function over 50 or a class over 20 variables is in sizes.txt with its reason, and nothing else is.
Half of all functions have 6 lines at most.

A component is what a reader reads together: a header and its source. Where there is no such pair it is the file, of 400 lines."""
import pathlib
import re
import statistics
import sys

import tree

COMPONENT_LINES = 600  # header and source together
FILE_LINES = 400  # a file that is no part of a pair
FUNCTION_LINES = 50
MEDIAN_FUNCTION_LINES = 6
CLASS_VARIABLES = 20  # non-static ones that a class declares
COMMENT_OR_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S
)
NOT_A_FUNCTION = re.compile(r"\b(namespace|class|struct|union|enum|concept)\b|=\s*$|\breturn\s*$")

CLASS = re.compile(r"\b(?:class|struct)\s+(?:alignas\([^)]*\)\s*)?(\w+)[^;{}()]*$")
NOT_A_VARIABLE = re.compile(r"^\s*(using|friend|typedef|static|static_assert|enum|struct|class|union|template|operator)\b")


def blank(match):
    """Keeps the lines of what is cut out."""
    return " " + "\n" * match.group().count("\n")


def code(text):
    """The text without comments, literals and directives, line by line."""
    return re.sub(r"^[ \t]*#(?:.*\\\n)*.*", blank, COMMENT_OR_LITERAL.sub(blank, text), flags=re.M)


def functions(text):
    """Yields (name, first line, last line) of the outermost function bodies."""
    text = code(text)
    scopes, head_start = [], 0  # a scope is None, or (name, line) for a function's body
    for match in re.finditer(r"[{};]", text):
        token, head = match.group(), text[head_start : match.start()]
        line = text.count("\n", 0, match.start()) + 1
        if token == "{":
            inside = any(scope is not None for scope in scopes)
            is_body = not inside and ")" in head and not NOT_A_FUNCTION.search(head.split("(")[0])
            names = [name for name in re.findall(r"[\w:~]+(?=\s*\()", head) if not name.startswith("__")]
            scopes.append((names[0] if names else "?", line) if is_body else None)
        elif token == "}" and scopes:
            scope = scopes.pop()
            if scope:
                yield scope[0], scope[1], line
        head_start = match.end()


def classes(text):
    """Yields (name, line, variables) of classes and structs."""
    text = code(text)
    scopes, head_start = [], 0  # [name or None, line, variables, head]
    for match in re.finditer(r"[{};]", text):
        token, head = match.group(), text[head_start : match.start()]
        isolated = re.sub(r"\b(public|private|protected)\s*:(?!:)", "", head)
        declared = re.sub(r"<[^<>]*(<[^<>]*>)?[^<>]*>", "", isolated)
        is_variable = bool(declared.strip()) and "(" not in declared.split("=")[0] and not NOT_A_VARIABLE.match(declared)
        if token == "{":
            named = None if re.search(r"\benum\b", isolated) else CLASS.search(isolated)
            line = text.count("\n", 0, match.start()) + 1
            scopes.append([named[1] if named else None, line, 0, isolated if is_variable else ""])
        elif token == "}" and scopes:
            name, line, variables, opened = scopes.pop()
            if name:
                yield name, line, variables
            elif not name and opened and scopes:
                scopes[-1][2] += 1  # an initialiser's braces
        elif token == ";" and scopes and is_variable:
            scopes[-1][2] += 1 + re.sub(r"\([^()]*\)", "", declared).count(",")
        head_start = match.end()


def oversized_components(root):
    """Yields (key, what) for every file, or header and source, over the limit."""
    lines = {}
    for path in tree.sources(root):
        lines.setdefault(path.with_suffix("") if path.suffix in {".cpp", ".h"} else path, {})[path] = (root / path).read_text().count("\n")
    for component, files in lines.items():
        total, limit = sum(files.values()), COMPONENT_LINES if len(files) > 1 else FILE_LINES
        if total > limit:
            key = str(component if len(files) > 1 else next(iter(files)))
            yield key, f"{key}: {total} lines, more than {limit}"


def oversized(root):
    """Yields (key, what) for everything over the limits."""
    yield from oversized_components(root)
    for path in tree.sources(root):
        text = (root / path).read_text()
        if path.suffix in {".cpp", ".h"}:
            for name, line, variables in classes(text):
                if variables > CLASS_VARIABLES:
                    yield f"{path}:{name}", f"{path}:{line}: {name} has {variables} variables"
        if path.suffix in {".cpp", ".h", ".cu", ".cuh", ".js"}:
            for name, first, last in functions(text):
                if last - first + 1 > FUNCTION_LINES:
                    yield f"{path}:{name}", f"{path}:{first}: {name} has {last - first + 1} lines"


def median_function(root):
    """Lines of the function in the middle, shortest first."""
    paths = [path for path in tree.sources(root) if path.suffix in {".cpp", ".h"}]
    return statistics.median(last - first + 1 for path in paths for _, first, last in functions((root / path).read_text()))


def main(root):
    root = pathlib.Path(root)
    allowed = {}
    for line in (root / "test/structure/sizes.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            key, _, why = line.partition(" ")
            allowed[key] = why.strip()
    found = dict(oversized(root))
    findings = [f"{what}; split it, or give the reason in test/structure/sizes.txt" for key, what in found.items() if key not in allowed]
    findings += [f"sizes.txt: {key} is no longer over the limit" for key in allowed if key not in found]
    findings += [f"sizes.txt: {key} has no reason" for key, why in allowed.items() if not why]
    median = median_function(root)
    if median > MEDIAN_FUNCTION_LINES:
        findings.append(f"half of all functions have {median} lines or more, not {MEDIAN_FUNCTION_LINES}")
    tree.finish(findings, len(list(tree.sources(root))))


main(sys.argv[1])
