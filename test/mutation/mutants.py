"""mutants.py FILE…: every small fault that mutate.py may put into a source file, one a line, as FILE:LINE:COLUMN: found → instead.

Operators are those that clang-format sets between spaces, so that no pointer, reference or template's bracket is taken for one; comments, strings
and what the preprocessor reads are left alone, and so are asserts, types and templates."""
import dataclasses
import pathlib
import re
import sys

OPERATORS = {"<": ["<="], ">": [">="], "<=": ["<"], ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["/"],
             "/": ["*"], "%": ["*"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "|=": ["&="], "&=": ["|="], "<<": [">>"], ">>": ["<<"]}
# What is no code, then what a fault is made of.
TOKENS = re.compile(r"""
    (?P<skipped> //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n\\]|\\.|\\\n)* | R"\((?:.|\n)*?\)" | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)+' | \boperator\S+
               | ^[ \t]*(?:assert|static_assert|using|template)\b[^;{]* )
  | (?<=[ ])(?P<operator> <<=? | >>=? | <= | >= | == | != | && | \|\| | [-+*/|&]=? | < | > | % )(?=[ \n])
  | (?P<step> \+\+ | -- )(?=\w)
  | (?<![\w.])(?P<number> \d+ )(?![\w.'])
  | \b(?P<word> true | false | min | max | continue )\b
  | (?<=\bif[ ]\()(?P<condition> !? ) (?=[\w*!])
""", re.VERBOSE | re.MULTILINE | re.DOTALL)
WORDS = {"true": "false", "false": "true", "min": "max", "max": "min", "continue": "break"}


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str
    at: int  # where in the text
    found: str
    instead: str
    line: int
    column: int

    def apply(self, text):
        return text[:self.at] + self.instead + text[self.at + len(self.found):]

    def __str__(self):
        return f"{self.path}:{self.line}:{self.column}: {self.found or '(nothing)'} → {self.instead or '(nothing)'}"


def replacements(match):
    kind, found = match.lastgroup, match.group()
    if kind == "operator":
        return OPERATORS.get(found, [])
    if kind == "step":
        return ["--" if found == "++" else "++"]
    if kind == "number":
        return [str(int(found) + 1)]
    if kind == "word":
        return [WORDS[found]]
    return ["" if found else "!"] if kind == "condition" else []


def mutants(path, text):
    """All of one file, in the order of their places."""
    for match in TOKENS.finditer(text):
        for instead in replacements(match):
            line = text.count("\n", 0, match.start()) + 1
            yield Mutant(str(path), match.start(), match.group(), instead, line, match.start() - text.rfind("\n", 0, match.start()))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for mutant in mutants(name, pathlib.Path(name).read_text()):
            print(mutant)
