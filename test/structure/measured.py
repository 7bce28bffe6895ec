# RUN: rm -rf %t && mkdir %t && %python %s %S %t
"""sizes.py and rooms.py find what is one over each limit, and nothing that is at it."""
import pathlib
import subprocess
import sys


def lines(count):
    return "int f() {\n" + "  g();\n" * (count - 2) + "}\n"


def members(count):
    """A class with a private part; initialisers and template arguments have commas and braces of their own."""
    return "class C {\npublic:\n  C() = default;\n\nprivate:\n  std::map<int, int> a{{1, 2}}, b = {};\n  static int none;\n" + "".join(
        f"  int v{number} = 0;\n" for number in range(count - 2)) + "};\n"


def said(check, root):
    done = subprocess.run([sys.executable, "-B", check, root], capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()[:-1]


def main(checks, out):
    checks, out = pathlib.Path(checks), pathlib.Path(out)
    trees = {  # of each, the files and what is to be said of them
        "at": ({"Function.cpp": lines(50), "Class.h": members(20), "Alone.cpp": "int a;\n" * 400, "Pair.h": "int a;\n" * 300,
                "Pair.cpp": "int a;\n" * 300, **{f"Short{number}.cpp": lines(6) for number in range(40)}}, []),
        "over": ({"Function.cpp": lines(51), "Class.h": members(21), "Alone.cpp": "int a;\n" * 401, "Pair.h": "int a;\n" * 300,
                  "Pair.cpp": "int a;\n" * 301, **{f"Short{number}.cpp": lines(7) for number in range(41)}},
                 ["Alone.cpp: 401 lines", "Pair: 601 lines", "C has 21 variables", "f has 51 lines", "half of all functions have 7", "46 files"]),
    }
    for name, (files, expected) in trees.items():
        folder = out / name / "decoder" / "room"
        folder.mkdir(parents=True)
        (out / name / "test" / "structure").mkdir(parents=True)
        (out / name / "test" / "structure" / "sizes.txt").write_text("")
        for file, text in files.items():
            (folder / file).write_text(text)
        subprocess.run(["git", "init", "-q", out / name], check=True)
        found = said(checks / "sizes.py", out / name) + said(checks / "rooms.py", out / name)
        missing = [text for text in expected if not any(text in line for line in found)]
        assert not missing and len(found) == len(expected), f"{name}: {missing} missing of {found}"


main(*sys.argv[1:])
