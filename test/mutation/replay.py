"""What the text tests had kperf do, so that it can be done again by another kperf, without the tests.

A text test takes a second, and kperf hundredths of it. Where another kperf says and writes the same as the right one in all that a test had it do,
the test can't tell them apart and need not run."""
import concurrent.futures
import dataclasses
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import threading

MAX_SECONDS = 10  # of a processor, in one run of kperf
MAX_BYTES = 8 << 30  # of addresses
AT_ONCE = 64  # runs, before those that ran are looked at
MAX_INPUT = 1 << 20  # bytes of a text that are kept, to be given again
# Stands for kperf while the tests run, and notes each run in a folder of its own: where, with what, from what input.
RECORDER = """#!/bin/bash
run=$(mktemp -d -p {runs})
env -0 >"$run/environment"
printf '%s\\0' "$PWD" "$@" >"$run/words"
if [[ -t 0 || -t 1 || -t 2 ]]; then touch "$run/terminal"; fi
if [[ ${{1-}} == pack && ${{2-}} == - ]]; then
  if [[ -c /dev/stdin ]]; then
    touch "$run/terminal"
    exec {kperf} "$@"
  fi
  head -c {bytes} >"$run/input"
  if (($(stat -c %s "$run/input") < {bytes})); then
    exec <"$run/input"
  else # perhaps without an end
    touch "$run/terminal"
    exec < <(cat "$run/input" -)
  fi
fi
exec {kperf} "$@"
"""


# Not by preexec_fn, which may not return where there are threads.
LIMITED = ["prlimit", f"--cpu={MAX_SECONDS}", f"--as={MAX_BYTES}", "--"]


def contents(path):
    """A hash of what stands there; None for nothing."""
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path] if path.is_file() else []
    return hashlib.sha256(b"".join(str(each.relative_to(path)).encode() + b"\0" + each.read_bytes() for each in files)).digest() if files else None


@dataclasses.dataclass
class Run:
    """One run of kperf by a test, as the folders and files are that the test left."""
    test: str  # decoder/view/report.test, or the folder, where that is all that is known
    folder: str
    words: list
    environment: dict
    input: pathlib.Path | None
    answer: tuple | None = None  # of the right kperf

    def again(self, kperf, out):
        """(exit code, stdout, stderr, what it wrote) of `kperf`, with `out` in place of the file or folder that it writes."""
        words = list(self.words)
        for i, word in enumerate(words[:-1]):
            if word in ("-o", "--sqlite") and words[i + 1] != "-":
                words[i + 1] = str(out)
        if os.path.lexists(out):
            subprocess.run(["rm", "-rf", str(out)], check=True)
        with open(self.input or os.devnull, "rb") as source:
            try:
                process = subprocess.run([*LIMITED, str(kperf), *words], stdin=source, capture_output=True, cwd=self.folder, env=self.environment,
                                         timeout=10 * MAX_SECONDS)
            except subprocess.TimeoutExpired:
                return None
        return process.returncode, process.stdout, process.stderr, contents(out)


def read(folder, tests):
    """The run that was noted in `folder`; `tests` is where the tests ran."""
    where, *words = (folder / "words").read_bytes().decode(errors="surrogateescape").split("\0")[:-1]
    environment = dict(line.split("=", 1) for line in (folder / "environment").read_bytes().decode(errors="surrogateescape").split("\0") if "=" in line)
    ran = re.search(rf"{re.escape(str(tests))}/(\S+?)/Output/([^/\s]+)\.tmp", " ".join([where, *words]))
    room = re.match(rf"{re.escape(str(tests))}/([^ ]+)", where)
    test = f"{ran[1]}/{ran[2]}" if ran else room[1] if room else ""
    return Run(test, where, words, environment, folder / "input" if (folder / "input").exists() else None)


def isEnded(answer):
    """Whether a limit ended the run: by time, or by a signal."""
    return answer is None or answer[0] < 0


class Replay:
    """All runs of a list of tests, with the answers of the right kperf."""

    def __init__(self, out, kperf):
        self.out, self.kperf, self.tests, self.runs = out, kperf, out / "recorded", []
        # Tests of which some runs can't be done again: on a terminal, with another answer each time, or where the test's own limits end them.
        self.unclear = set()
        (out / "recorder").mkdir(exist_ok=True)
        (out / "runs").mkdir(exist_ok=True)
        recorder = out / "recorder" / "kperf"
        recorder.write_text(RECORDER.format(runs=shlex.quote(str(out / "runs")), kperf=shlex.quote(str(kperf)), bytes=MAX_INPUT))
        recorder.chmod(0o755)

    def learn(self):
        """Once the tests have run with recorder/ before all else on PATH, in `tests`."""
        for folder in (self.out / "runs").iterdir():
            run = read(folder, self.tests)
            answers = [] if (folder / "terminal").exists() or not os.path.isdir(run.folder) else [self.again(run, self.kperf) for _ in range(2)]
            if not answers or answers[0] != answers[1] or isEnded(answers[0]):
                self.unclear.add(run.test)
            else:
                run.answer = answers[0]
                self.runs.append(run)

    def again(self, run, kperf):
        return run.again(kperf, self.out / f"written-{threading.get_ident()}")

    def differing(self, kperf, room):
        """The tests in which `kperf` says or writes something else, those of the folder `room` first."""
        found, inOrder = set(), sorted(self.runs, key=lambda run: not run.test.startswith(room))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for first in range(0, len(inOrder), AT_ONCE):
                runs = inOrder[first:first + AT_ONCE]
                for run, answer in zip(runs, pool.map(lambda run: self.again(run, kperf), runs)):
                    if run.test not in found and answer != run.answer:
                        found.add(run.test)
                        yield run.test
