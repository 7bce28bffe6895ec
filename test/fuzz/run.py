#!/usr/bin/env python3
"""Runs the fuzzers of a bundle (bundle.sh) beside each other, and says at the end how often each was run and what broke it.

  run.py SECONDS [CORES]     exit code 1 when an input broke one; it is kept in found/

Cores are shared by how slow a fuzzer is, for one execution of the slow ones runs a thousand times the code of one of the fast ones:
the total says little, the row of each fuzzer what it has had.
"""
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SHARES = {"TraceFuzzer": 4, "TextFuzzer": 3, "CommandFuzzer": 2, "SourceFuzzer": 2, "SelectionFuzzer": 1, "BudgetFuzzer": 1,
          "AssemblyFuzzer": 1, "AnnotationFuzzer": 1}
# As in ./dev fuzz, which says why.
OPTIONS = ["-entropic=0", "-timeout=30", "-max_len=4096", "-malloc_limit_mb=20", "-rss_limit_mb=1024", "-print_final_stats=1", "-verbosity=0"]
KEPT_LINES = 12  # of what a fuzzer that broke said


def instances(cores):
    """How many of each: at least one, and shares of the rest."""
    total = sum(SHARES.values())
    return {name: max(1, cores * share // total) for name, share in SHARES.items()}


def start(name, number, seconds):
    corpus, found = HERE / "corpus" / name, HERE / "found"
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(exist_ok=True)
    log = open(HERE / "found" / f"{name}.{number}.log", "w+", errors="replace")
    command = [HERE / name, f"-max_total_time={seconds}", f"-seed={int(time.time()) % 100000 * 100 + number}", *OPTIONS,
               f"-artifact_prefix={found}/{name}-", corpus, HERE / "seeds" / name]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(HERE / "lib")}
    return name, subprocess.Popen([str(word) for word in command], stdout=log, stderr=log, env=environment), log


def main():
    words = sys.argv[1:]
    if not 1 <= len(words) <= 2 or not all(word.isdigit() for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    seconds, cores = int(words[0]), int(words[1]) if len(words) > 1 else len(os.sched_getaffinity(0))
    counts = instances(cores)
    running = [start(name, number, seconds) for name, count in counts.items() for number in range(count)]
    executed, broken = dict.fromkeys(SHARES, 0), dict.fromkeys(SHARES, 0)
    for name, process, log in running:
        code = process.wait()
        log.seek(0)
        text = log.read()
        stats = re.search(r"number_of_executed_units: (\d+)", text)
        executed[name] += int(stats[1]) if stats else 0
        if code != 0 or not stats:
            broken[name] += 1
            said = [line for line in text.splitlines() if not line.startswith(("INFO:", "stat::"))]
            print(f"FAIL {name} ends with {code}:", *said[:KEPT_LINES], sep="\n     ", flush=True)
    print(f"{'fuzzer':<18}{'processes':>10}{'executions':>14}{'a second':>10}{'broken':>8}")
    for name, count in counts.items():
        print(f"{name:<18}{count:>10}{executed[name]:>14}{executed[name] / max(seconds, 1):>10.0f}{broken[name]:>8}")
    print(f"{'all':<18}{sum(counts.values()):>10}{sum(executed.values()):>14}{sum(executed.values()) / max(seconds, 1):>10.0f}{sum(broken.values()):>8}")
    return any(broken.values())


if __name__ == "__main__":
    sys.exit(main())
