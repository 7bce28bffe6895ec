"""Builds one example with and without its annotations, runs both, and fails unless their answers are the same.

Leaves trace.kperf and timeline.json in the current directory for what follows.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ANNOTATION = re.compile(r"KPERF_(SCOPE|BEGIN|END|MARK)\([^;]*\);|^[ \t]*#pragma kperf.*$", re.M)


def run(*command, **environment):
    """Runs a command, shows it, and gives back what it printed."""
    print("$", shlex.join(map(str, command)), flush=True)
    result = subprocess.run(list(map(str, command)), env={**os.environ, **environment}, capture_output=True, text=True)
    sys.stdout.write(result.stdout + result.stderr)
    if result.returncode != 0:
        sys.exit(f"exit code {result.returncode}")
    return result.stdout


def strip(source, target):
    """A copy of the examples as if nobody had annotated them."""
    shutil.copytree(source, target, dirs_exist_ok=True)
    removed = 0
    for path in pathlib.Path(target).rglob("*"):
        if path.suffix in {".cu", ".h", ".cuh"}:
            text, count = ANNOTATION.subn("", path.read_text())
            path.write_text(text)
            removed += count
    assert removed, "no annotation found to strip"


def answer(output):
    lines = [line for line in output.splitlines() if line.startswith("result: ")]
    assert len(lines) == 1 and " ok," in lines[0] and "checksum" in lines[0], f"no result line in:\n{output}"
    return lines[0]


def main(examples, name, *compiler):
    strip(examples, "plain")
    run("kperf-cc", *compiler, f"plain/{name}/{name}.cu", "-o", "plain.bin")
    run("kperf-cc", *compiler, f"{examples}/{name}/{name}.cu", "-o", "instrumented.bin")
    plain = answer(run("./plain.bin"))
    assert not list(pathlib.Path(".").glob("*.kperf")), "the program without annotations wrote a trace"
    off = answer(run("./instrumented.bin", KPERF="0"))
    assert not list(pathlib.Path(".").glob("*.kperf")), "KPERF=0 wrote a trace"
    recorded = answer(run("./instrumented.bin", KPERF_OUTPUT="trace.kperf"))
    assert plain == off == recorded, f"the answers differ:\n{plain}\n{off}\n{recorded}"
    run("kperf", "timeline", "trace.kperf", "-o", "timeline.json")
    with open("timeline.json") as file:
        events = json.load(file)["traceEvents"]
    assert any(event.get("ph") == "X" for event in events), "the timeline has no span"


main(*sys.argv[1:])
