"""Builds the suite's kernels twice, with their defects and fixed, and holds what `kperf explain` says of them against what is true.

A case is named 'name:rule'. With the defect the first finding is of that rule; fixed, and where the rule is 'clean', no finding's gain is
likely to be over 5 %; where both versions were timed, the measured gain lies in the predicted interval. Prints a line for each case."""
import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TRAFFIC = ("kernel-sectors", "kernel-shared-passes", "kernel-atomic-turns")  # a gain of time that the host target does not know
UNKNOWN = "not-known"  # a gain that nobody predicts


def build(arguments, source, program):
    """A program for each of arguments.probes, named by its number: `program`-defect.0, …, built at the same time."""
    include, building = "-I" + str(HERE / "Inputs"), []
    for version in ("defect", "fixed"):
        for number, probes in enumerate(arguments.probes):
            command = ["kperf-cc", *probes.split(), *arguments.compiler.split(), include, str(HERE / "Inputs" / source)]
            command += ["-o", f"{program}-{version}.{number}"] + (["-DFIXED"] if version == "fixed" else [])
            building.append(subprocess.Popen(command))
    if any([process.wait() for process in building]):
        sys.exit(f"{source} can't be built")


def run(arguments, program, case, seed):
    """What `kperf explain` says of a trace of each of the programs."""
    traces = [f"{program}.{number}.kperf" for number in range(len(arguments.probes))]
    for number, trace in enumerate(traces):
        environment = {**os.environ, "KPERF_HOST_CLOCK": "virtual", "KPERF_HOST_SMS": "4", "KPERF_QUIET": "1", "KPERF_OUTPUT": trace}
        subprocess.run([f"./{program}.{number}", case, str(seed)], check=True, env=environment)
    text = subprocess.run(["kperf", "explain", "--format=json", *traces], check=True, capture_output=True, text=True).stdout
    if len(text.encode()) > 4096:
        sys.exit(f"{case}: {len(text.encode())} bytes of JSON, expected 4096 at most")
    screen = subprocess.run(["kperf", "explain", *traces], check=True, capture_output=True, text=True).stdout.splitlines()
    if len(screen) > 40 or max(map(len, screen)) > 80:
        sys.exit(f"{case}: {len(screen)} lines of up to {max(map(len, screen))} columns, expected 40 of 80")
    return {**json.loads(text), "reasons": [line.strip() for line in screen if line.startswith("  withheld: ")]}


def findings(explanation):
    return [finding for kernel in explanation["kernels"] for finding in kernel["findings"]]


def likely(finding):
    gain = finding["gain_percent"]
    if gain["of"] == UNKNOWN:
        return 100  # it would be wrong to say it at all
    return gain["most"] / 2 if gain["likely"] is None else gain["likely"]


def duration(explanation):
    return sum(kernel["duration_ns"] for kernel in explanation["kernels"])


def gained(defect, fixed):
    return 100 * (1 - duration(fixed) / duration(defect)) if duration(defect) else 0


def judge(rule, defect, fixed, tolerance):
    """What is wrong with what was said of a case, and a word about what is right."""
    wrong, said = [], findings(defect)
    over = [f"{finding['rule']} {likely(finding):.0f} %" for finding in findings(fixed) if likely(finding) > 5]
    if over:
        wrong.append("fixed, it still says " + ", ".join(over))
    if rule == "clean":
        return wrong, f"nothing stands out; the same code again took {-gained(defect, fixed):+.1f} %"
    if not said:
        return wrong + [f"nothing was found, gained {gained(defect, fixed):.1f} %", *defect["reasons"]], ""
    if said[0]["rule"] != rule:
        return wrong + [f"the first finding is {said[0]['rule']}"], ""
    gain = said[0]["gain_percent"]
    measured = gained(defect, fixed)
    if gain["of"] == UNKNOWN:
        return wrong, f"what it costs is not known, gained {measured:.0f} %"
    if gain["of"] not in TRAFFIC and not gain["least"] - tolerance <= measured <= gain["most"] + tolerance:
        wrong.append(f"gained {measured:.1f} %, predicted {gain['least']:.1f} to {gain['most']:.1f} %")
    return wrong, f"gain {measured:.0f} % of {gain['least']:.0f} to {gain['most']:.0f} %" if gain["of"] not in TRAFFIC else f"traffic, up to {gain['most']:.0f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="host -O1", help="what stands behind kperf-cc")
    parser.add_argument("--probes", action="append", help="a build of each version; its traces are explained together")
    parser.add_argument("--seeds", default=[1], type=int, nargs="*")
    parser.add_argument("--source", default=["timed.cu", "launches.cu", "memory.cu"], nargs="*")
    parser.add_argument("--tolerance", default=0.5, type=float, help="percentage points by which a measured gain may lie outside its interval")
    parser.add_argument("--least", default=100, type=float, help="percent of the cases that must be right")
    arguments = parser.parse_args()
    arguments.probes = arguments.probes or ["--probes=region,sync,memory --auto=kernels"]
    right = count = 0
    for source in arguments.source:
        stem = source.removesuffix(".cu")
        build(arguments, source, stem)
        names = subprocess.run([f"./{stem}-defect.0"], check=True, capture_output=True, text=True).stdout.split()
        for name in names:
            for seed in arguments.seeds:
                rule = name.split(":")[-1]
                wrong, said = judge(rule, *(run(arguments, f"{stem}-{version}", name, seed) for version in ("defect", "fixed")), arguments.tolerance)
                count += 1
                right += not wrong
                print(f"{'wrong' if wrong else 'right'} {name} (seed {seed}): {'; '.join(wrong) if wrong else said}", flush=True)
    print(f"{right} of {count} are right")
    return 0 if count and 100 * right >= arguments.least * count else 1


if __name__ == "__main__":
    sys.exit(main())
