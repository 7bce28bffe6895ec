"""mutate.py [N [SEED [PLACE…]]]: puts N small faults into the decoder, one at a time, and says which of them its tests notice.

A fault is one line of mutants.py, drawn from decoder/**.cpp, or from those that begin with a PLACE: decoder/span, decoder/text/Pack.cpp:223. Its file
is compiled from a copy and linked ahead of the library that has the right one, into a kperf and unit tests of their own: neither the source nor the
build is touched. Then the decoder's tests run, those of the same room first, and stop at the first that fails; of the text tests those in which this
kperf says or writes something else (replay.py), for the others can't tell. What does not compile is drawn again, as is what compiles to the same
code: it is no fault.
Survivors are named; exit code 1 where fewer than 80 % are killed."""
import argparse
import itertools
import json
import os
import pathlib
import random
import re
import resource
import shlex
import subprocess
import sys
import time

import mutants
import replay

MIN_KILLED = 80  # percent
MAX_SECONDS = 120  # of a processor, in each process of a test
MAX_BYTES = 8 << 30  # of addresses
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# They look at the wall clock or take long, for a busy machine is no fault; or start a browser, which needs more addresses than are given.
BROWSED = [path.name for path in (ROOT / "test/decoder").rglob("*.test") if re.search(r"^REQUIRES:.*chromium", path.read_text(), re.MULTILINE)]
LEFT_OUT = "|".join(["selftest", "perturb-search", *map(re.escape, BROWSED)])
# Three quarters of the time, and about the rooms `totals` and `memory` only.
SLOW = "SampledAccesses.*:SampledExecutions.*:SampledBlocks.*:Locality.SaysHowFarItIsOff*"


def run(words, **options):
    """Its exit code and what it said. A fault may loop or grow for ever: each process gets so much time of a processor, however busy the machine is,
    and so much memory."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))

    process = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=limit, **options)
    return process.returncode, process.stdout


UNIT_TESTS = ("decoderValueTests", "decoderTests")


class Build:
    """The programs of a build with one object of the decoder replaced."""

    def __init__(self, build, out):
        self.build, self.out = build, out
        (out / "bin").mkdir(parents=True, exist_ok=True)
        entries = json.loads((build / "compile_commands.json").read_text())
        self.compile = {entry["file"]: shlex.split(entry["command"]) for entry in entries}
        self.programs = {name: out / "bin" / name for name in ("kperf", *UNIT_TESTS)}
        self.links = {name: self.linkOf(name) for name in self.programs}

    def linkOf(self, target):
        lines = subprocess.run(["ninja", "-t", "commands", target], cwd=self.build, capture_output=True, text=True, check=True).stdout.splitlines()
        return shlex.split(lines[-1].removeprefix(": && ").removesuffix(" && :"))

    def object(self, source):
        words = self.compile[str(source)]
        return self.build / words[words.index("-o") + 1]

    def make(self, source, text):
        """Compiles and links; "refused", "same code" or "made"."""
        copy = self.out / "source" / source.name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(text)
        words = list(self.compile[str(source)])
        words[words.index("-o") + 1], words[words.index("-c") + 1] = str(self.out / "fault.o"), str(copy)
        code, _ = run([*words, "-w"], cwd=self.build)
        if code != 0:
            return "refused"
        if (self.out / "fault.o").read_bytes() == self.object(source).read_bytes():
            return "same code"
        for name, program in self.programs.items():
            words = list(self.links[name])
            words[words.index("-o") + 1] = str(program)
            words.insert(words.index("lib/libkperf_decoder.a"), str(self.out / "fault.o"))
            code, said = run(words, cwd=self.build)
            assert code == 0, said
        return "made"


class Tests:
    """The decoder's tests, in the order in which they are likely to notice something."""

    def __init__(self, build, out):
        self.build, self.out = build, out
        self.lit = re.search(r"^KPERF_LIT:FILEPATH=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)[1]
        self.replay = replay.Replay(out, build / "bin/kperf")

    def unit(self, chosen):
        environment = {**os.environ, "GTEST_FAIL_FAST": "1", "GTEST_BRIEF": "1", "GTEST_FILTER": chosen}
        for program in UNIT_TESTS:
            code, said = run([str(self.out / "bin" / program)], env=environment, cwd=self.out)
            failed = re.search(r"^\[  FAILED  \] (\S+)", said, re.MULTILINE)
            if code != 0:
                return failed[1] if failed else f"{program}: {said.strip()[-60:] or code}"
        return None

    def text(self, programs, out, *chosen):
        parameters = ["--param", f"programs={self.out / programs}", "--param", f"out={self.out / out}"]
        code, said = run([self.lit, "-q", "-j", str(os.cpu_count()), "--max-failures=1", "--filter-out", LEFT_OUT, *parameters, *chosen])
        failed = re.search(r"^(?:FAIL|TIMEOUT): kperf :: (\S+)", said, re.MULTILINE)
        return None if code == 0 else failed[1] if failed else said.strip()[-200:] or f"lit: {code}"

    def model(self):
        environment = {**os.environ, "PATH": f"{self.out / 'bin'}:{os.environ['PATH']}"}
        code, _ = run([sys.executable, "-B", str(ROOT / "test/model/model.py"), "8"], env=environment, cwd=self.out)
        return None if code == 0 else "model/model.test"

    def learn(self):
        """Runs the text tests with the right kperf, and keeps what they had it do; a test that fails, or None."""
        failed = self.text("recorder", self.replay.tests, self.build / "test/decoder")
        self.replay.learn()
        return failed

    def differing(self, room):
        """The first that fails of the text tests that may tell the mutated kperf from the right one, or None."""
        for test in itertools.chain(self.replay.differing(self.out / "bin/kperf", f"decoder/{room}/"), sorted(self.replay.unclear)):
            if name := self.text("bin", "test", self.build / "test" / test):
                return name
        return None

    def killer(self, room):
        """The first test that fails, or None: those of the room, then the others."""
        tests = "".join(path.read_text() for path in (ROOT / "test/decoder" / room).glob("*.cpp"))
        suites = ":".join(sorted(f"{suite}.*" for suite in set(re.findall(r"^TEST\w*\((\w+),", tests, re.MULTILINE))))
        slow = [lambda: self.unit(SLOW)] if room in ("totals", "memory") else []
        steps = [lambda: self.unit(f"{suites}-{SLOW}") if suites else None, lambda: self.differing(room), lambda: self.unit(f"*-{suites}:{SLOW}"),
                 self.model, *slow]
        return next((name for step in steps if (name := step())), None)


def drawn(texts, seed, places):
    """Every fault of every file, in an order that the seed says, of which those at the places are left; all where there are none."""
    everything = [(source, mutant) for source, text in texts.items() for mutant in mutants.mutants(source.relative_to(ROOT), text)]
    random.Random(seed).shuffle(everything)
    return [(source, mutant) for source, mutant in everything if str(mutant).startswith(tuple(places or [""]))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=40)
    parser.add_argument("seed", type=int, nargs="?", default=int(time.time()))
    parser.add_argument("places", nargs="*", metavar="PLACE", help="what the faults' places begin with: decoder/span, decoder/text/Pack.cpp:223")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-mutate")
    options = parser.parse_args()
    build, tests = Build(options.build.resolve(), options.work.resolve()), Tests(options.build.resolve(), options.work.resolve())
    texts = {source: source.read_text() for source in sorted((ROOT / "decoder").rglob("*.cpp"))}
    faults = drawn(texts, options.seed, options.places)
    if not faults:
        sys.exit(f"mutate: no fault is at {' or '.join(options.places)}: found none, expected the beginning of a path such as decoder/span")
    first = faults[0][0]
    made = build.make(first, texts[first] + "\nnamespace kperf { int unfaulted; }\n")
    if name := made != "made" and "the build" or tests.learn() or tests.killer(""):
        sys.exit(f"mutate: {name} fails without a fault")
    print(f"mutate: {options.count} faults{' in ' * bool(options.places)}{' '.join(options.places)}, seed {options.seed}", flush=True)
    killed = survived = 0
    for source, mutant in faults:
        if killed + survived == options.count:
            break
        if build.make(source, mutant.apply(texts[source])) != "made":
            continue
        name = tests.killer(source.parent.name)
        killed, survived = killed + bool(name), survived + (not name)
        print(f"{'killed  ' if name else 'SURVIVED'} {mutant}{f'  ({name})' if name else ''}", flush=True)
        if not name:
            print(f"         {texts[source].splitlines()[mutant.line - 1].strip()}", flush=True)
    tried = killed + survived
    print(f"{killed} of {tried} killed, {100 * killed / max(1, tried):.0f} %")
    sys.exit(0 if tried and 100 * killed >= MIN_KILLED * tried else 1)


if __name__ == "__main__":
    main()
