#!/usr/bin/env python3
"""What memory probes cost: kernels of the examples and of HeCBench, each as it is and in three builds with probes.

    memory.py build FOLDER [HECBENCH/src [NAME...]]    needs nvcc and a build of kperf; no GPU. Says how long each build took
    FOLDER/memory.py run FOLDER [NAME...]              on a machine with a GPU: a table, and FOLDER/memory.json
    FOLDER/memory.py agree FOLDER [NAME...]            the same: how many sites' sampled counts hold what all accesses add up to, all launches
                                                       recorded; kernels whose accesses depend on time differ from run to run

Times are of kernels alone, by the events that KPERF_LAUNCH_TIMES puts around launches, with all kernels loaded before (else a kernel's first
launch, with probes and without, holds half a millisecond of loading); those of the plain program by a build that records
launches and nothing else. JOBS programs are built at a time (1 unless set): only one at a time tells how long a build takes. Of a build of which few launches are recorded the sum of all launches tells, not the median."""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILDS = {"plain": ["--probes=launches"], "exact": ["--probes=memory", "--exact"], "default": ["--probes=memory"],
          "one-block-in-32": ["--probes=memory", "--sample=32"]}
JOBS = int(os.environ.get("JOBS", "1"))
FLAGS = ["-std=c++17", "-O3", f"-arch=sm_{os.environ.get('ARCH', '90a')}"]

# Of kperf: name, arguments.
OWN = {"copy": "--repeat 20", "copy-resident": "--resident --repeat 20", "sgemm": "--repeat 20", "attention": "--repeat 20", "gemv_decode": "--repeat 20"}
# Of HeCBench, revision f27000a51: name, and arguments that keep a run short. The last 20: one in 14 of its folders in alphabetical order,
# from the third on, without those that need other libraries or files.
HECBENCH = {"nlll": "2048 1000 20", "morphology": "32 32 2048 2048 20", "contract": "64 5", "chemv": "", "fhd": "100000 65536 0",
            "adam": "10000 200 20", "aobench": "20", "bh": "20000 20", "bspline-vgh": "", "channelShuffle": "2 64 64 20", "cross": "1000000 20",
            "f8cast": "16777216 20", "fpdc": "255 8 20 2", "grrt": "", "histogram": "--i=20", "intrinsics-simd": "1000000 20",
            "matern": "100 20", "merge": "100000 20", "minmax": "100000 20", "nonzero": "1024 1024 20", "quantAQLM": "", "resize": "480 270 64 64 64 20",
            "scatter": "1000000 20", "silu": "32 32 64 64 20", "sortKV": "1000000 20", "attention-paged": "8 32 128 1024 128 20"}


def sources(name, hecbench):
    """The command's own words for a program: its folder, its sources, and options."""
    if name in OWN:
        base = name.split("-")[0]
        file = HERE / f"{base}.cu"
        return HERE, [str(file if file.exists() else ROOT / "examples" / base / f"{base}.cu"), f"-I{ROOT}/runtime/include"]
    folder = pathlib.Path(hecbench) / f"{name}-cuda"
    return folder, [path.name for path in sorted(folder.glob("*.cu"))] + ["-Xcompiler", "-fopenmp"]


def build_one(folder, hecbench, kperf, name, kind):
    """(program, seconds): None where it is there already."""
    directory, words = sources(name, hecbench)
    program = folder / f"{name}.{kind}"
    if program.exists():
        return program.name, None
    command = ["nvcc", *FLAGS, *words, "-o", str(program)]
    began = time.monotonic()
    done = subprocess.run(command if kind == "nvcc" else [str(kperf / "kperf-cc"), *BUILDS[kind], *command], cwd=directory, capture_output=True, text=True)
    taken = round(time.monotonic() - began, 2)
    print(f"{program.name}: {taken} s" + ("" if done.returncode == 0 else " " + done.stderr[-300:]), flush=True)
    if kind == "nvcc":
        program.unlink(missing_ok=True)
    return program.name, taken


def build(folder, hecbench, names):
    folder.mkdir(parents=True, exist_ok=True)
    kperf = pathlib.Path(os.environ.get("KPERF_BUILD", ROOT / "build")) / "bin"
    shutil.copy(__file__, folder)
    shutil.copy(kperf / "kperf", folder)
    for line in subprocess.run(["ldd", kperf / "kperf"], capture_output=True, text=True).stdout.splitlines():
        if any(f"lib{library}" in line for library in ("fmt", "yaml-cpp", "sqlite3")):
            shutil.copy(line.split()[2], folder)
    wanted = [(name, kind) for name in names or [*OWN, *(HECBENCH if hecbench else ())] for kind in ("nvcc", *BUILDS)]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        seconds = dict(pool.map(lambda program: build_one(folder.resolve(), hecbench, kperf, *program), wanted))
    seconds = {program: taken for program, taken in seconds.items() if taken is not None}
    known = json.loads((folder / "build.json").read_text()) if (folder / "build.json").exists() else {}
    (folder / "build.json").write_text(json.dumps({**known, "jobs": JOBS, **seconds}, indent=1))


def timed(folder, program, arguments):
    """{kernel: (launches, ms in all)} of one run; {} where the program fails."""
    trace = folder / "memory.kperf"
    trace.unlink(missing_ok=True)
    environment = dict(os.environ, KPERF_OUTPUT=str(trace), KPERF_QUIET="1", KPERF_LAUNCH_TIMES="1", CUDA_MODULE_LOADING="EAGER",
                       LD_LIBRARY_PATH=f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}")
    try:
        done = subprocess.run([str(program), *arguments.split()], cwd=folder, env=environment, capture_output=True, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return {}, "over 20 s"
    text = subprocess.run([str(folder / "kperf"), "dump", str(trace)], env=environment, capture_output=True, text=True).stdout
    kernels = {}
    for line in text.splitlines():
        if line.startswith("needs "):
            fields = dict(word.split("=", 1) for word in line.rsplit('"', 1)[1].split() if "=" in word)
            key = line.split('"')[1]
            count, total = kernels.get(key, (0, 0.0))
            kernels[key] = (count + int(fields.get("launches", 0)), total + float(fields.get("total", 0)) * 1e-6)
    return kernels, "" if done.returncode == 0 else f"exit code {done.returncode}"


def ratios(folder, name, arguments):
    row, base = {"name": name}, None
    for kind in BUILDS:
        if not (folder / f"{name}.{kind}").exists():
            row[kind] = "not built"
            continue
        kernels, fault = timed(folder, folder / f"{name}.{kind}", arguments)
        total = sum(ms for count, ms in kernels.values())
        if kind == "plain":
            base = total
            row["plain_ms"] = round(total, 4)
        row[kind] = fault or (round(total / base, 2) if base else "no times")
    return row


def sites(folder, program, arguments):
    """{(memory, place, expression, kind): (count, error in percent or None)} of one run that records all launches; None where it fails."""
    trace = folder / "agree.kperf"
    trace.unlink(missing_ok=True)
    environment = dict(os.environ, KPERF_OUTPUT=str(trace), KPERF_QUIET="1", KPERF_SAMPLE_LAUNCHES="1",
                       LD_LIBRARY_PATH=f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}")
    try:
        subprocess.run([str(program), *arguments.split()], cwd=folder, env=environment, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    told = subprocess.run([str(folder / "kperf"), "memory", "--format=json", str(trace)], env=environment, capture_output=True, text=True)
    found = {}
    for table in json.loads(told.stdout)["tables"] if told.returncode == 0 else []:
        count = {"global-memory": "sectors", "shared-memory": "wavefronts"}.get(table["name"])
        for row in table["rows"] if count else []:
            key = (table["name"], row["function"], row["source"], row["access"], row["kind"])
            found.setdefault(key, []).append((row[count], row.get(f"{count}-error_percent", 0)))
    return {key: rows[0] for key, rows in found.items() if len(rows) == 1}


def agree(folder, names):
    total = {"inside": 0, "outside": 0, "exact": 0, "exact but different": 0, "without an interval": 0}
    for name, arguments in {**OWN, **HECBENCH}.items():
        if (names and name not in names) or not (folder / f"{name}.exact").exists():
            continue
        truth, estimates = (sites(folder, folder / f"{name}.{kind}", arguments) for kind in ("exact", "default"))
        if not truth or estimates is None:
            print(f"{name}: not run to its end in 60 s", flush=True)
            continue
        counted = dict.fromkeys(total, 0)
        for key, (value, _) in truth.items():
            estimate, error = estimates.get(key, (0, None))
            if error is None:
                counted["without an interval"] += 1
            elif error == 0:
                counted["exact" if estimate == value else "exact but different"] += 1
            else:
                is_inside = abs(estimate - value) <= estimate * error / 100
                counted["inside" if is_inside else "outside"] += 1
                if not is_inside:
                    print(f"  {name}: {' '.join(map(str, key))}: {value}, estimated {estimate} ± {error:.1f} %", flush=True)
        print(f"{name}: " + ", ".join(f"{count} {word}" for word, count in counted.items()), flush=True)
        total = {word: total[word] + counted[word] for word in total}
    print("all: " + ", ".join(f"{count} {word}" for word, count in total.items()))


def run(folder, names):
    rows = []
    for name, arguments in {**OWN, **HECBENCH}.items():
        if (names and name not in names) or not (folder / f"{name}.plain").exists():
            continue
        rows.append(ratios(folder, name, arguments))
        print("  ".join(str(rows[-1].get(key, "")).ljust(16) for key in ("name", "plain_ms", *list(BUILDS)[1:])), flush=True)
    device = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True).stdout.strip()
    built = json.loads((folder / "build.json").read_text()) if (folder / "build.json").exists() else {}
    (folder / "memory.json").write_text(json.dumps({"device": device, "kernels": rows, "build_seconds": built}, indent=1))


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run", "agree"):
        sys.exit(__doc__)
    target = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "build":
        build(target, sys.argv[3] if len(sys.argv) > 3 else None, sys.argv[4:])
    else:
        {"run": run, "agree": agree}[sys.argv[1]](target.resolve(), sys.argv[3:])
