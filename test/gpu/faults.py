#!/usr/bin/env python3
"""Lets faults.cu die in many ways, with and without kperf: its words and its end are the same, nothing hangs, and what was lost is
stated. Runs beside run.py; exit code 1 when something is not so.
"""
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
AT_ONCE = 6         # programs that share the GPU
MAX_SECONDS = 30    # of one program, else it hangs
MAX_DELAY = 6       # seconds that a program may end later with kperf than without: start, copy, and a watchdog of 1 s
WARPS = 4           # of one launch of 2 blocks with 64 threads
MANY = 320          # of 40 blocks with 256 threads; each produces 50 records
CUT = "complete +no: it ends at byte"


class Way:
    """`warps` in the trace (None: there is none; SOME: as many as are not counted as lost), texts that stderr, `kperf info` and each warp of
    the dump must have. Where `is_alone`, nothing else runs on the GPU."""

    def __init__(self, word, warps, says="", info="complete +yes", each="", is_alone=False, build="probed", **environment):
        self.word, self.warps, self.says, self.info, self.each = word, warps, says, info, each
        self.is_alone, self.build, self.environment = is_alone, build, environment

    def __str__(self):
        return " ".join([self.word, *(f"{name}={value}" for name, value in self.environment.items())])


SOME = -1
LOST = r"warps-without-buffer +0 +(\d+)"
ROOM = "recording stopped: .*{}.*set KPERF_OUTPUT to a place with room"
FOLDER = "recording stopped: .*{}.*set KPERF_OUTPUT to a file in a folder that exists"
NOT_READ = r"unreadable +0 +\d+ +the recording" # could not be copied back, and why: a narrow table leaves out the middle
WAYS = [
    Way("nothing", WARPS),
    Way("nothing", None, KPERF="0"),
    Way("nothing", WARPS, KPERF_WATCHDOG="1"),
    Way("nothing", None, FOLDER.format("No such file or directory"), KPERF_OUTPUT="nowhere/trace.kperf"),
    Way("nothing", None, ROOM.format("No space left on device"), KPERF_OUTPUT="/dev/full"),
    Way("many", MANY),
    Way("many", MANY, each="produced=50 capacity=16", KPERF_RECORDS="16"),
    Way("many", MANY, each="produced=50 capacity=16", KPERF_RECORDS="16", KPERF_KEEP="last"),
    Way("many", MANY, each="skipped=10", build="switched", KPERF_RECORDS="16", KPERF_SKIP="10"),
    Way("many", SOME, info=LOST, KPERF_BUFFER_MB="1"),
    Way("many", SOME, info=LOST, KPERF_BUFFER_MB="1", KPERF_KEEP="last"),
    Way("kill", WARPS, info=CUT),
    Way("interrupt", WARPS, info=CUT),
    Way("trap", 0, info=NOT_READ),
    Way("assert", 0, info=NOT_READ),
    Way("out-of-bounds", 0, info=NOT_READ),
    Way("hang", 3, "2 warps run on 1 s after the last launch", CUT, KPERF_WATCHDOG="1"),
    Way("hang-at-exit", 3, "kernels still run 1 s after the program's end", KPERF_WATCHDOG="1"),
    Way("fork", 2),
    Way("exit-in-thread", 1),
    Way("reset", WARPS),
    Way("threads", 16 * 8 * 2),
    Way("no-memory", 0, r"no 4096 MiB of device memory.*set KPERF_BUFFER_MB to less", r"launches-unrecorded +0 +1", is_alone=True,
        KPERF_BUFFER_MB="4096"),
    Way("no-memory", WARPS, is_alone=True),
]


def run(command, folder, **environment):
    """(stdout, exit code or minus a signal, stderr, seconds)"""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(HERE), "KPERF_OUTPUT": "trace.kperf", **environment}
    begin = time.monotonic()
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True, timeout=MAX_SECONDS)
    except subprocess.TimeoutExpired:
        return "", "none: it hangs", "", MAX_SECONDS
    return done.stdout, done.returncode, done.stderr, time.monotonic() - begin


def own_words(stderr):
    """What the program itself, or a device's assert, says there."""
    return [line for line in stderr.splitlines() if not line.startswith("kperf: ")]


def differences(way):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plain_out, plain_code, plain_err, plain_time = run([HERE / "faults.plain", way.word], folder)
        out, code, err, seconds = run([HERE / f"faults.{way.build}", way.word], folder, **way.environment)
        if (out, code) != (plain_out, plain_code) or own_words(err) != own_words(plain_err):
            yield f"prints {out!r} {own_words(err)} and ends with {code}, without kperf {plain_out!r} {own_words(plain_err)} and {plain_code}"
        if seconds > plain_time + MAX_DELAY:
            yield f"takes {seconds:.1f} s, without kperf {plain_time:.1f} s"
        said = [line for line in err.splitlines() if line.startswith("kperf: ") and "kperf: wrote" not in line]
        if not re.search(way.says, err) or len(said) > 1 or (said and not way.says):
            yield f"says {said}, expected {way.says!r}"
        left = sorted(path.name for path in folder.glob("*trace.kperf*"))
        if left != ([] if way.warps is None else ["trace.kperf"]):
            yield f"leaves {left}"
        elif left:
            yield from differences_of_trace(folder, way)


def differences_of_trace(folder, way):
    ask = lambda word: run([HERE / "kperf", word, "trace.kperf"], folder)[0]
    warps = [line for line in ask("dump").splitlines() if line.startswith("warp ") and "(calibration)" not in line]
    info = ask("info")
    said = re.search(way.info, info)
    if not said:
        return (yield f"kperf info does not say {way.info!r}: {info[:1500]}")
    expected = MANY - int(said[1]) if way.warps == SOME else way.warps
    if len(warps) != expected:
        yield f"has {len(warps)} warps in its trace, expected {expected}"
    if way.warps == SOME and expected == MANY:
        yield "lost no warp"
    if not all(way.each in line for line in warps):
        yield f"has a warp without {way.each!r}: {warps[:2]}"


def differences_of_two():
    """Two processes that write to one folder at the same time."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LD_LIBRARY_PATH": str(HERE), "KPERF_OUTPUT": folder + "/", "KPERF_QUIET": "1"}
        both = [subprocess.Popen([HERE / "faults.probed", "threads"], env=environment) for _ in range(2)]
        if [process.wait(MAX_SECONDS) for process in both] != [0, 0]:
            yield "one of them fails"
        traces = sorted(path.name for path in pathlib.Path(folder).iterdir())
        if traces != sorted(f"faults.probed.{process.pid}.kperf" for process in both):
            yield f"leaves {traces}"
        for trace in traces:
            if not re.search("complete +yes", run([HERE / "kperf", "info", trace], folder)[0]):
                yield f"{trace} is not complete"


def checks():
    """(what, whether it is so) for each way."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda way: list(differences(way)), [way for way in WAYS if not way.is_alone]))
    found += [list(differences(way)) for way in WAYS if way.is_alone]
    ways = [way for way in WAYS if not way.is_alone] + [way for way in WAYS if way.is_alone]
    for way, wrong in [*zip(ways, found), ("two processes", list(differences_of_two()))]:
        yield f"faults: {way}" + "".join(f"\n       {each}" for each in wrong), not wrong


if __name__ == "__main__":
    begin, failures = time.monotonic(), 0
    for what, is_so in checks():
        print(f"{'ok  ' if is_so else 'FAIL'} {what}", flush=True)
        failures += not is_so
    print(f"{len(WAYS) + 1} ways to die, {failures} findings, {time.monotonic() - begin:.0f} s")
    sys.exit(failures != 0)
