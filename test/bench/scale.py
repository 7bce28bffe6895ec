#!/usr/bin/env python3
"""Measures how fast kperf reads and how much memory it takes: scale.py BUILD FOLDER [-o FILE].

Writes generated traces of 10^6 and 10^8 records (1.6 GB) into FOLDER, with the warps that say what probes cost, runs each command
several times, and prints the processor time of the fastest run (user + system, one core) and the greatest resident memory as
JSON, with the machine's load when it began.
"""
import argparse
import json
import os
import platform
import re
import subprocess
import time


def run(command):
    """Processor seconds and resident KiB of one run."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)}: status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("-o", dest="output")
    arguments = parser.parse_args()
    kperf = os.path.join(arguments.build, "bin/kperf")
    generate = os.path.join(arguments.build, "test/unit/generateTrace")
    commands = {
        "report": [kperf, "report", "TRACE", "-o", "/dev/null"],
        "timeline perfetto": [kperf, "timeline", "TRACE", "--limit", "0", "--format=perfetto", "-o", "/dev/null"],
        "timeline json": [kperf, "timeline", "TRACE", "--limit", "0", "--format=json", "-o", "/dev/null"],
        "overlap": [kperf, "overlap", "TRACE", "-o", "/dev/null"],
        "reduce": [kperf, "reduce", "TRACE", "-o", os.path.join(arguments.folder, "scale-reduced.kperf")],
        "report html": [kperf, "report", "TRACE", "--format=html", "-o", "/dev/null"],
    }
    rows, load = [], [round(value, 1) for value in os.getloadavg()]
    for millions, repeats in ((1, 5), (100, 2)):
        for shape in ("plain", "mixed", "waits"):
            trace = os.path.join(arguments.folder, f"scale-{millions}-{shape}.kperf")
            if millions == 100 and shape != "plain":
                continue
            made = subprocess.run([generate, str(millions), trace] + ([shape] if shape != "plain" else []), capture_output=True,
                                  text=True, check=True).stdout
            records = int(re.match(r"\d+", made)[0])
            for name, command in commands.items():
                if millions == 100 and name in ("timeline json", "report html"):
                    continue
                runs = [run([trace if word == "TRACE" else word for word in command]) for _ in range(repeats)]
                seconds = min(seconds for seconds, _ in runs)
                rows.append({"command": name, "trace": shape, "records": records, "cpu_s": round(seconds, 3),
                             "records_per_s": round(records / seconds), "resident_kib": max(kib for _, kib in runs)})
                print(rows[-1], flush=True)
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    result = {"command": "test/bench/scale.py build FOLDER", "date": time.strftime("%Y-%m-%d"), "processor": model,
              "load": load, "rows": rows}
    text = json.dumps(result, indent=1) + "\n"
    if arguments.output:
        with open(arguments.output, "w") as file:
            file.write(text)


main()
