"""coverage.py BUILD: how many branches of the decoder and of the rewriters the tests took that ran in a build that counts them.

One line for each file below the bar of its folder, lowest first, then one for each folder; exit code 1 where a folder is below. `--lines FILE` shows
the branches of a file that were never taken."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

BARS = {"decoder": 90, "rewriters": 85}  # percent of the branches
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = ("bin/*", "test/unit/*Tests")


def llvm(tool):
    """The tool beside lit, which is of the LLVM that the build is of."""
    return lambda build, *words: subprocess.run([str(tools(build) / tool), *words], check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout


def tools(build):
    return pathlib.Path(re.search(r"^KPERF_LIT:FILEPATH=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)[1]).parent


def exported(build, *words):
    profiles = [str(path) for path in (build / "profiles").glob("*.profraw")]
    if not profiles:
        sys.exit(f"coverage: no profiles in {build / 'profiles'}: run ./dev coverage")
    llvm("llvm-profdata")(build, "merge", "-sparse", "--failure-mode=all", *profiles, "-o", str(build / "profile"))
    programs = sorted(str(path) for pattern in PROGRAMS for path in build.glob(pattern))
    objects = [word for program in programs[1:] for word in ("-object", program)]
    # The compiler was told that sources stand in ".": there they are, from here on.
    return llvm("llvm-cov")(build, *words[:1], f"-instr-profile={build / 'profile'}", f"-compilation-dir={ROOT}", programs[0], *objects, *words[1:])


def missing(text):
    """The lines of llvm-cov's listing with a branch that one way was never taken: (line, its code, what was not seen)."""
    code, out = {}, []
    for line in text.splitlines():
        if source := re.match(r"\s*(\d+)\|\s*[\d.kMG]*\|(.*)", line):
            code[int(source[1])] = source[2].strip()
        branch = re.match(r"\s*\|\s*Branch \((\d+):(\d+)\): \[True: ([\d.kMG]+), False: ([\d.kMG]+)\]", line)
        if branch and "0" in (branch[3], branch[4]):
            out.append((int(branch[1]), code.get(int(branch[1]), ""), f"{branch[2]}: never {'true' if branch[3] == '0' else 'false'}" if branch[3] != branch[4] else f"{branch[2]}: never reached"))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--lines", metavar="FILE", help="shows the branches of this file that were not taken")
    options = parser.parse_args()
    build = options.build.resolve()
    if options.lines:
        for number, code, what in missing(exported(build, "show", "--show-branches=count", str(ROOT / options.lines))):
            print(f"{options.lines}:{number}: {what:24} {code}")
        return
    files = json.loads(exported(build, "export", "--summary-only", "--skip-functions"))["data"][0]["files"]
    files = {pathlib.Path(os.path.normpath(file["filename"])): file["summary"]["branches"] for file in files}
    files = {path.relative_to(ROOT): branches for path, branches in files.items() if path.is_relative_to(ROOT)}
    isBelow = False
    for folder, bar in BARS.items():
        mine = {path: branches for path, branches in files.items() if path.parts[0] == folder and branches["count"]}
        for path, branches in sorted(mine.items(), key=lambda each: each[1]["percent"]):
            if branches["percent"] < bar:
                print(f"{branches['percent']:5.1f} %  {branches['covered']:5} of {branches['count']:5}  {path}")
        taken, all = (sum(branches[key] for branches in mine.values()) for key in ("covered", "count"))
        isBelow |= 100 * taken < bar * all
        print(f"{folder}: {100 * taken / max(1, all):.1f} % of {all} branches taken, at least {bar} % are asked for")
    sys.exit(isBelow)


if __name__ == "__main__":
    main()
