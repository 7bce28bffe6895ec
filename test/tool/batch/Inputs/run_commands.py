"""Runs every command of a compilation database, as a build would."""
import json
import subprocess
import sys

for entry in json.load(open(sys.argv[1])):
    run = subprocess.run(entry["arguments"], cwd=entry["directory"])
    if run.returncode != 0:
        sys.exit(f"exit code {run.returncode} of {entry['arguments']}")
