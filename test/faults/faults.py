"""Runs a program that dies in many ways on the host target: its words and its end are its own, and what was lost is stated.

  faults.py FOLDER     with `main` and `faults.so` in it

What a way prints and how it ends follows from Inputs/faults.cu alone: 2 blocks of 64 threads add 1 three times, that is 384.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

WARPS = 4  # of one launch of 2 blocks with 64 threads; each takes 3 turns


class Way:
    """What a way must show: warps in the trace, or None where there is to be no trace; texts that its words on stderr, `kperf info`, `kperf report`
    and each warp in the dump must have."""

    def __init__(self, word, out, code, warps, says="", info="complete +yes", each="", shell="", region="", **environment):
        self.word, self.out, self.code, self.warps, self.says = word, out, code, warps, says
        self.info, self.each, self.shell, self.region, self.environment = info, each, shell, region, environment


SOME = -1  # as many as there were, less what is said to be lost
CUT = "complete +no: it ends at byte"
ENDED = r"ended by signal \d+ \(.*\); trace.kperf has what was recorded until then"
ROOM = "recording stopped: .*{}.*set KPERF_OUTPUT to a place with room"
FOLDER = "recording stopped: .*{}.*set KPERF_OUTPUT to a file in a folder that exists"
WAYS = [
    Way("nothing", "sum 384\n", 0, WARPS),
    Way("nothing", "sum 384\n", 0, None, "", KPERF="0"),
    Way("nothing", "sum 384\n", 0, None, FOLDER.format("No such file or directory"), KPERF_OUTPUT="nowhere/trace.kperf"),
    Way("nothing", "sum 384\n", 0, None, FOLDER.format("Not a directory"), KPERF_OUTPUT="faults.so/trace.kperf"),
    Way("nothing", "sum 384\n", 0, None, "recording stopped: .*File name too long; set KPERF_OUTPUT to another name", KPERF_OUTPUT="n" * 300),
    Way("nothing", "sum 384\n", 0, None, ROOM.format("No space left on device"), KPERF_OUTPUT="/dev/full"),
    Way("nothing", "sum 384\n", 0, None, ROOM.format("File too large"), shell="ulimit -f 1; "),
    Way("nothing", "sum 384\n", 0, 0, "no 8192 MiB of device memory.*set KPERF_BUFFER_MB to less", "launches-unrecorded +0 +1", shell="ulimit -v 6000000; ",
        KPERF_BUFFER_MB="8192"),
    Way("many", "sum 256000\n", 0, None, ROOM.format("No space left on device"), shell="mount -t tmpfs -o size=16k none small; ", KPERF_OUTPUT="small/trace.kperf"),
    Way("reset", "sum 384\n", 0, WARPS),
    Way("kill", "sum 384\nsum 384\n", -signal.SIGKILL, WARPS, info=CUT),
    Way("interrupt", "sum 384\nsum 384\n", -signal.SIGINT, WARPS, info=CUT),
    Way("end-int", "sum 384\n", -signal.SIGINT, WARPS, ENDED, CUT),
    Way("end-int", "sum 384\n", -signal.SIGINT, WARPS, info=CUT, KPERF_QUIET="1"),
    Way("end-int", "sum 384\n", -signal.SIGINT, None, KPERF="0"),
    Way("end-int", "sum 384\n", -signal.SIGINT, None, FOLDER.format("No such file or directory"), KPERF_OUTPUT="nowhere/trace.kperf"),
    Way("end-term", "sum 384\n", -signal.SIGTERM, WARPS, ENDED, CUT),
    Way("end-hup", "sum 384\n", -signal.SIGHUP, WARPS, ENDED, CUT),
    Way("handled", "sum 384\nhandled 1\nhandled 2\n", 0, WARPS),
    Way("abort", "sum 384\n", -signal.SIGABRT, WARPS, ENDED, CUT),
    Way("wild", "", -signal.SIGSEGV, 1, ENDED, CUT, each="flags=reserved", region="before +1"),
    Way("overflow", "", -signal.SIGSEGV, 1, ENDED, CUT, each="flags=reserved", region="before +1"),
    Way("fork-abort", "sum 384\nchild 6\n", 0, WARPS),
    Way("hang", "sum 64\n", -signal.SIGALRM, 2, ENDED, CUT),
    Way("hang-for-long", "sum 64\n", -signal.SIGALRM, 2, "1 warp runs on 1 s after the last launch(?s:.*)" + ENDED, "complete +no(?s:.*)2 \\(1 unfinished\\)", KPERF_WATCHDOG="1"),
    Way("nothing", "sum 384\n", 0, WARPS, KPERF_WATCHDOG="1"),
    Way("fork", "sum 64\nchild 5\n", 0, 2, KPERF_WATCHDOG="1"),
    Way("trap", "sum 384\nstatus 1\n", 0, WARPS + 1, "is given up: thread 0 of block 0 executes __trap"),
    Way("fork", "sum 64\nchild 5\n", 0, 2),
    Way("exit-in-thread", "sum 64\n", 7, 1),
    Way("threads", "", 0, 16 * 8 * 2),
    Way("many", "sum 256000\n", 0, 320, each="produced=50 capacity=16 flags=finished,reserved", KPERF_RECORDS="16"),
    Way("many", "sum 256000\n", 0, 320, each="produced=50 capacity=16 flags=finished,reserved", KPERF_RECORDS="16", KPERF_KEEP="last"),
    Way("many", "sum 256000\n", 0, SOME, info="warps-without-buffer +0 +(\\d+)", KPERF_BUFFER_MB="1"),
]


def run(folder, way, libraries=("./faults.so",)):
    """(stdout, code, stderr) of the program; the trace is trace.kperf."""
    for trace in folder.glob("*trace.kperf*"):
        trace.unlink()
    environment = {**os.environ, "KPERF_HOST_CLOCK": "virtual", "KPERF_OUTPUT": "trace.kperf", **way.environment}
    command = f"{way.shell}exec ./main {' '.join(libraries)} {way.word}"
    shell = ["unshare", "-rm", "sh", "-c", command] if "mount" in way.shell else ["sh", "-c", command]
    done = subprocess.run(shell, cwd=folder, capture_output=True, text=True, env=environment, timeout=60)
    return done.stdout, done.returncode, done.stderr


def ask(folder, *words):
    return subprocess.run(["kperf", *words], cwd=folder, capture_output=True, text=True, timeout=60).stdout


def differences(folder, way):
    out, code, err = run(folder, way)
    if "mount" in way.shell and "unshare" in err + out or "mount:" in err:
        print(f"{way.word}: not tried, for this machine lets nobody mount: {err.strip()}")
        return
    if (out, code) != (way.out, way.code):
        yield f"prints {out!r} and ends with {code}, not {way.out!r} and {way.code}"
    words = [line for line in err.splitlines() if line.startswith("kperf: ") and "kperf: wrote" not in line]
    if not re.search(way.says, err) or len(words) > way.says.count("(?s:.*)") + 1 or (words and not way.says):
        yield f"says {err!r}, expected {way.says!r}"
    left = {path.name for path in folder.glob("**/*trace.kperf*")}
    if left != (set() if way.warps is None else {"trace.kperf"}):
        yield f"leaves {left}"
    elif left:
        yield from differencesOfTrace(folder, way)


def differencesOfTrace(folder, way):
    warps = [line for line in ask(folder, "dump", "trace.kperf").splitlines() if line.startswith("warp ") and "(calibration)" not in line]
    info = ask(folder, "info", "trace.kperf")
    said = re.search(way.info, info)
    if not said:
        return (yield f"kperf info does not say {way.info!r}: {info[:600]}")
    if len(warps) != (320 - int(said[1]) if way.warps == SOME else way.warps):
        yield f"has {len(warps)} warps in its trace"
    if not re.search(way.region, ask(folder, "report", "trace.kperf")):
        yield f"has a report without {way.region!r}"
    if not all(way.each in line for line in warps):
        yield f"has a warp without {way.each!r}"


def differencesOfSeveral(folder):
    """Two libraries in one process, one unloaded before the other is loaded; then two processes that write to one folder."""
    way = Way("nothing", "sum 384\nsum 384\n", 0, 2 * WARPS)
    out, code, _ = run(folder, way, ("./faults.so", "./faults2.so"))
    if (out, code) != (way.out, way.code):
        yield f"two libraries: {out!r}, {code}"
    yield from differencesOfTrace(folder, way)
    environment = {**os.environ, "KPERF_OUTPUT": "both/", "KPERF_QUIET": "1"}
    (folder / "both").mkdir()
    both = [subprocess.Popen(["./main", "./faults.so", "threads"], cwd=folder, env=environment) for _ in range(2)]
    if [process.wait(60) for process in both] != [0, 0]:
        yield "two processes: one of them fails"
    traces = [path.name for path in (folder / "both").iterdir()]
    if sorted(traces) != sorted(f"main.{process.pid}.kperf" for process in both):
        yield f"two processes: {traces}"
    for trace in traces:
        if not re.search("complete +yes", ask(folder, "info", f"both/{trace}")):
            yield f"two processes: {trace} is not complete"


def differencesOfInterrupted(folder):
    """Ended from outside: while it waits, in a kernel that never ends, and while it launches all the time, where locks are held at any moment."""
    environment = {**os.environ, "KPERF_OUTPUT": "trace.kperf"}
    for word, times in (("wait", 1), ("endless", 1), ("busy", 10)):
        for time_ in range(times):
            (folder / "trace.kperf").unlink(missing_ok=True)
            program = subprocess.Popen(["./main", "./faults.so", word], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if word == "busy":
                time.sleep(0.2 + 0.01 * time_)
            else:
                program.stdout.readline()
                time.sleep(0.2)
            program.send_signal(signal.SIGINT if time_ % 2 else signal.SIGTERM)
            out, err = program.communicate(timeout=30)
            if program.returncode not in (-signal.SIGINT, -signal.SIGTERM) or out or not re.search(ENDED, err):
                yield f"{word}: {program.returncode} {out!r} {err!r}"
            elif "(calibration)" not in (dump := ask(folder, "dump", "trace.kperf")) or not re.search("span .*turn|span 0x", dump):
                yield f"{word}: {dump[:600]}"


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it
    folder = pathlib.Path(sys.argv[1]).resolve()
    (folder / "small").mkdir(exist_ok=True)
    wrong = 0
    ways = [way for way in WAYS if "--without-address-limit" not in sys.argv or "ulimit -v" not in way.shell]
    for way in ways:
        for difference in differences(folder, way):
            wrong += 1
            print(f"{way.word} {way.shell}{way.environment}: {difference}")
    for difference in differencesOfSeveral(folder):
        wrong += 1
        print(difference)
    for difference in differencesOfInterrupted(folder):
        wrong += 1
        print(difference)
    print(f"{len(ways) + 5} ways to die, {wrong} findings")
    return wrong != 0


signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored, and by all programs that are started
sys.exit(main())
