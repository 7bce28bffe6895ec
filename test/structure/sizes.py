# RUN: %python %s %kperf_src
"""A file over 400 lines or a function over 50 is in sizes.txt with its reason, and nothing else is."""
import pathlib
import re
import sys

import tree

FILE_LINES = 400
FUNCTION_LINES = 50
COMMENT_OR_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S
)
NOT_A_FUNCTION = re.compile(r"\b(namespace|class|struct|union|enum|extern|concept)\b|=\s*$|\breturn\s*$")


def blank(match):
    """Keeps the lines of what is cut out."""
    return " " + "\n" * match.group().count("\n")


def functions(text):
    """Yields (name, first line, last line) of the outermost function bodies."""
    text = COMMENT_OR_LITERAL.sub(blank, text)
    text = re.sub(r"^[ \t]*#.*(?:\\\n.*)*", blank, text, flags=re.M)
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


def oversized(root):
    """Yields (key, what) for everything over the limits."""
    for path in tree.sources(root):
        text = (root / path).read_text()
        lines = text.count("\n")
        if lines > FILE_LINES:
            yield str(path), f"{path}: {lines} lines"
        if path.suffix in {".cpp", ".h", ".cu", ".cuh"}:
            for name, first, last in functions(text):
                if last - first + 1 > FUNCTION_LINES:
                    yield f"{path}:{name}", f"{path}:{first}: {name} has {last - first + 1} lines"


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
    tree.finish(findings, len(list(tree.sources(root))))


main(sys.argv[1])
