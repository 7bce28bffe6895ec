"""What scripts that run programs with probes on a GPU share; build.sh puts it beside them."""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TRACE = HERE / f"{pathlib.Path(sys.argv[0]).stem}.kperf"
failures = []


def expect(condition, what):
    print(f"{'ok  ' if condition else 'FAIL'} {what}", flush=True)
    if not condition:
        failures.append(what)


def run(command, **environment):
    """The process, ended; its trace is TRACE."""
    environment = {**os.environ, "KPERF_OUTPUT": str(TRACE), "KPERF_QUIET": "1", "LD_LIBRARY_PATH": str(HERE),
                   **{name: str(value) for name, value in environment.items()}}
    return subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True, timeout=600)


def sanitize(program, policies=({},)):
    """compute-sanitizer finds nothing in the program, under each of these settings of its environment."""
    if not shutil.which("compute-sanitizer"):
        print("skip compute-sanitizer is not on PATH")
        return
    for tool in ("memcheck", "racecheck", "synccheck"):
        for policy in policies:
            # Below errors, racecheck warns of lanes that read what another lane of their warp wrote after it was published.
            # Errors that a program asks the API for are its own.
            found = run(["compute-sanitizer", "--tool", tool, "--print-level", "error", "--error-exitcode", "9",
                         *(["--report-api-errors", "no"] if tool == "memcheck" else []), HERE / program], **policy)
            expect(found.returncode == 0, f"{program}: {tool} finds nothing with {policy or 'probes'}")
            if found.returncode != 0:
                print("\n".join(found.stdout.splitlines()[:20]))
