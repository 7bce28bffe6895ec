#!/usr/bin/env python3
"""Measures what probes cost in kernels of public projects, which nobody here wrote.

  foreign.py list                                        the kernels and their regions
  foreign.py fetch SOURCES                               fetch the projects into SOURCES
  foreign.py annotate FOLDER --sources SOURCES           write the annotated copies alone
  foreign.py build FOLDER --sources SOURCES [--jobs N]   build every kernel in every variant (needs nvcc and kperf-cc, no GPU)
  FOLDER/foreign.py run FOLDER [--out JSON]              measure (needs a GPU and Python, nothing else)

Each with --set held-out: the kernels that nothing was tuned on, in more builds; without, those that kperf was tuned on.
FOLDER has what `run` needs; FOLDER.build, which stays behind, the copies of the sources and the programs.
"""
import argparse
import concurrent.futures
import hashlib
import json
import lzma
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time

import held_out
import kernels as tuned
from annotate import NotFound, annotated, with_header

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = {"tuned": tuned.KERNELS, "held-out": held_out.KERNELS}
PROJECTS = tuned.PROJECTS | held_out.PROJECTS
AUTO = "--auto=kernels,loops"
# kperf-cc's options, or None for the compiler alone.
VARIANTS = {"plain": None, "trace": [], "sums": ["--aggregate=*"], "sample": ["--sample=16"], "waits": ["--probes=region,sync"],
            "auto": [AUTO], "auto-sums": [AUTO, "--aggregate=*"], "memory": ["--probes=memory"]}
UNANNOTATED = ("auto", "auto-sums", "memory")  # variants of the sources as they are
SELECTION = "headers.yaml"  # beside the sources: the headers that --auto looks into
# What can be run: the variant and what its environment adds.
COLUMNS = {"plain": ("plain", {}), "trace": ("trace", {}), "sums": ("sums", {}), "1 in 16": ("sample", {}),
           "launches": ("trace", {"KPERF_SAMPLE_LAUNCHES": "16"}), "KPERF=0": ("trace", {"KPERF": "0"}), "waits": ("waits", {}),
           "auto": ("auto", {}), "auto sums": ("auto-sums", {}), "memory": ("memory", {})}
# What is run of a set, column by column.
COLUMNS_OF = {"tuned": ["plain", "trace", "sums", "1 in 16", "launches", "KPERF=0"],
              "held-out": ["plain", "trace", "sums", "waits", "auto", "auto sums", "memory"]}
# What a source defines and the driver does not call may name what is not linked.
DROP_UNUSED = ["-Xcompiler", "-ffunction-sections", "-Xlinker", "--gc-sections"]
BUILT = re.compile(r": built in ([\d.]+) s$")
LONG_NAME = re.compile(r"(?<='[^']{60})[^']+(?=')")
RECORDING = {"KPERF_KEEP": "last", "KPERF_RECORDS": "512", "KPERF_QUIET": "1"}


def chosen(options):
    kernels = KERNELS[options.set]
    unknown = [name for name in options.only or () if not any(name in kernel.name for kernel in kernels)]
    if unknown:
        sys.exit(f"no kernel of the set '{options.set}' has '{unknown[0]}' in its name; 'foreign.py list --set {options.set}' shows them")
    return [kernel for kernel in kernels if not options.only or any(name in kernel.name for name in options.only)]


def list_kernels(options):
    for kernel in chosen(options):
        names = [name for place in kernel.places for name in place.names()]
        print(f"{kernel.name}: {PROJECTS[kernel.project].commit[:10]} {'; '.join(names)}")


def fetch(options):
    for name in sorted({name for kernel in chosen(options) for name in kernel.projects}):
        project, folder = PROJECTS[name], options.folder / name
        if folder.exists():
            print(f"{name}: is there")
            continue
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        subprocess.run(["git", "-C", str(folder), "fetch", "-q", "--depth=1", project.url, project.commit], check=True)
        subprocess.run(["git", "-C", str(folder), "checkout", "-q", "FETCH_HEAD"], check=True)


def present(kernels, sources):
    """Those of the kernels whose projects were fetched; says which are left out."""
    for kernel in kernels:
        missing = [name for name in sorted(kernel.projects) if not (sources / name).is_dir()]
        if missing:
            fetch_command = f"foreign.py fetch {sources}" + ("" if missing[0] in tuned.PROJECTS else " --set held-out")
            print(f"{kernel.name}: skipped: '{sources / missing[0]}' is missing; '{fetch_command}' fetches it")
        else:
            yield kernel


def is_annotated(variant):
    return variant not in UNANNOTATED


def unit_text(kernel, text):
    """What is compiled of the kernel's unit: up to where it ends, with the driver behind it."""
    head, found, _ = text.partition(kernel.end) if kernel.end else (text, True, "")
    if not found:
        raise NotFound(f"{kernel.unit}: no line contains '{kernel.end}'")
    return head + f'\n#include "{kernel.driver}"\n'


def annotate(kernel, sources, build, with_regions=True):
    """Writes copies of the kernel's sources, with regions or as they are, into a folder of its own, and returns that."""
    project = sources / kernel.project
    copies = build / ("sources" if with_regions else "sources-as-they-are") / kernel.stem
    texts = {path.relative_to(project): path.read_bytes() for glob in kernel.copy for path in project.glob(glob) if path.is_file()}
    placed = {}
    for place in kernel.places:
        path = pathlib.Path(place.file)
        before = placed.get(path) or (project / path).read_text(errors="surrogateescape")
        try:
            placed[path] = annotated(before, place.function, place.regions) if with_regions else before
        except NotFound as error:
            raise NotFound(f"{place.file}: {error}") from None
    if kernel.unit:
        placed[pathlib.Path(kernel.unit)] = unit_text(kernel, placed[pathlib.Path(kernel.unit)])
    texts |= {path: (with_header(text) if with_regions else text).encode(errors="surrogateescape") for path, text in placed.items()}
    texts |= {pathlib.Path(header): f'#include "stubs/{stub}"\n'.encode() for header, stub in kernel.stubs}
    texts |= {pathlib.Path(SELECTION): f"headers: {json.dumps(kernel.headers)}\n".encode()} if kernel.headers else {}
    for path, text in texts.items():
        target = copies / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != text:
            target.write_bytes(text)
    return copies


def command(kernel, variant, sources, copies, options, output):
    project = sources / kernel.project
    prefix = [] if VARIANTS[variant] is None else [str(options.kperf_cc), *VARIANTS[variant]]
    if AUTO in prefix and kernel.headers:
        prefix.insert(1, f"--select={copies / SELECTION}")
    unit = ["-Dmain=project_main", str(copies / kernel.unit)] if kernel.unit else [str(HERE / "drivers" / kernel.driver)]
    folders = [copies, *(copies / folder for folder in kernel.include), project, *(project / folder for folder in kernel.include),
               *(sources / folder for folder in kernel.others), HERE / "drivers", HERE / "drivers" / "stubs", options.include]
    return [*prefix, "nvcc", f"-std={kernel.standard}", "-O3", "-DNDEBUG", "-gencode", "arch=compute_90a,code=sm_90a",
            "-diag-suppress=177,550", *DROP_UNUSED, *kernel.flags, *(f"-I{folder}" for folder in folders), *unit, "-o", str(output), *kernel.libraries]


def key(words, copies, driver, options):
    """What the result of a command depends on, as a number."""
    hashed = hashlib.sha256("\0".join(words).encode())
    copied = sorted(path for path in copies.rglob("*") if path.is_file())
    for path in [*copied, driver, *sorted((HERE / "drivers").rglob("*.h"))]:
        hashed.update(path.read_bytes())
    if words[0] != "nvcc":
        hashed.update(str(options.kperf_cc.stat().st_mtime_ns).encode())
    return hashed.hexdigest()


def compile_one(kernel, variant, options, copies):
    """Builds one program, unless it is built already, and writes beside it what is to be said of it."""
    output = options.build / "programs" / f"{kernel.stem}.{variant}"
    words = command(kernel, variant, options.sources, copies, options, output)
    state, mark = options.build / "said" / output.name, key(words, copies, HERE / "drivers" / kernel.driver, options)
    if output.exists() and state.exists() and state.read_text().startswith(mark):
        return f"{output.name}: is built"
    output.unlink(missing_ok=True)
    began = time.monotonic()
    unfinished = output.with_name(output.name + ".part")
    finished = subprocess.run([str(unfinished) if word == str(output) else word for word in words], capture_output=True, text=True, cwd=copies)
    failed = finished.returncode != 0
    text = f"{output.name}: {'FAILED' if failed else 'built'} in {time.monotonic() - began:.1f} s"
    state.write_text(f"{mark}\n{text}\n{finished.stdout}{finished.stderr}" + (f"command: {' '.join(words)}\n" if failed else ""))
    if not failed:
        subprocess.run(["strip", str(unfinished)], check=True)
        unfinished.replace(output)
    return text


def pack(options):
    """Puts the programs, which are much alike, into one small file."""
    programs = sorted(path for path in (options.build / "programs").iterdir() if path.suffix != ".part")
    filters = [{"id": 0x21, "preset": 3, "dict_size": 1 << 27}]  # LZMA2
    unfinished = options.folder / f"programs.{os.getpid()}.part"
    with lzma.open(unfinished, "wb", filters=filters) as packed, tarfile.open(fileobj=packed, mode="w|") as archive:
        for path in programs:
            archive.add(path, path.name)
    unfinished.replace(options.folder / "programs.tar.xz")
    for name in ("foreign.py", "annotate.py", "kernel.py", "kernels.py", "held_out.py"):
        shutil.copy(HERE / name, options.folder)
    toolkit = subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout
    said = [(path.name, line) for path in sorted((options.build / "said").iterdir()) for line in path.read_text().splitlines()]
    seconds = {name: float(match[1]) for name, line in said if (match := BUILT.search(line)) and line.startswith(name)}
    (options.folder / "seconds.json").write_text(json.dumps(seconds, indent=1) + "\n")
    warnings = [f"{name}: {LONG_NAME.sub('…', line, count=1)}" for name, line in said if re.match("(kperf-cc: )?warning: ['k]", line)]
    (options.folder / "warnings.txt").write_text("".join(f"{line}\n" for line in warnings))
    (options.folder / "toolkit.txt").write_text(toolkit.split("release ")[-1].split(",")[0] + "\n")
    return len(programs)


def build(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in ("programs", "said"):
        (options.build / name).mkdir(parents=True, exist_ok=True)
    missing, futures = [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for kernel in present({kernel.stem: kernel for kernel in chosen(options)}.values(), options.sources):
            try:
                copies = {choice: annotate(kernel, options.sources, options.build, choice) for choice in set(map(is_annotated, options.variants))}
            except (NotFound, OSError) as error:
                missing.append(f"{kernel.name}: FAILED: {error}\n")
                print(missing[-1], end="")
                continue
            futures += [pool.submit(compile_one, kernel, variant, options, copies[is_annotated(variant)]) for variant in options.variants]
        for future in futures:
            print(future.result(), flush=True)
    log = "".join(missing + [path.read_text().split("\n", 1)[1] for path in sorted((options.build / "said").iterdir())])
    (options.folder / "build.log").write_text(log)
    print(f"{pack(options)} programs packed; {log.count('FAILED')} failures: {options.folder / 'build.log'}")
    return 1 if "FAILED" in log else 0


def run_once(program, arguments, trace, more):
    """The program's median and mean (ms), checksum and bytes of trace, or None and why not."""
    environment = {**RECORDING, **os.environ, "KPERF_OUTPUT": str(trace), **more}
    try:
        finished = subprocess.run([str(program), *arguments], env=environment, capture_output=True, text=True, timeout=60)
        size = trace.stat().st_size if trace.exists() else 0
    except subprocess.TimeoutExpired:
        return None, "no end after 60 s"
    finally:
        trace.unlink(missing_ok=True)
    words = finished.stdout.split()
    if finished.returncode != 0 or len(words) != 3:
        return None, f"exit code {finished.returncode}: {(finished.stdout + finished.stderr).strip()[-300:]}"
    return (float(words[0]), float(words[1]), words[2], size), finished.stderr.strip()


def turns(columns, rounds):
    """The columns forth and back; those without probes are the last as well as the first, and so say how far two runs are apart."""
    for index in range(rounds):
        yield from columns if index % 2 == 0 else reversed(columns)
    if rounds % 2:
        yield columns[0]


def measure(kernel, programs, options, trace):
    """A row: for each column its times, in turns, and whether all results are equal. What fails once is not run again."""
    columns = [name for name in options.columns if (programs / f"{kernel.stem}.{COLUMNS[name][0]}").exists()]
    seen, said, failed = {name: [] for name in columns}, [], set()
    for name in turns(columns, options.rounds):
        if name in failed:
            continue
        variant, more = COLUMNS[name]
        result, text = run_once(programs / f"{kernel.stem}.{variant}", kernel.arguments, trace, more)
        if text and (message := f"{kernel.name}, {name}: {text}") not in said:
            said.append(message)
        if result:
            seen[name].append(result)
        else:
            failed.add(name)
    said += [f"{kernel.name}, {name}: wrote no trace: nothing is recorded" for name, results in seen.items()
             if results and name not in ("plain", "KPERF=0") and not any(result[3] for result in results)]
    sums = {result[2] for results in seen.values() for result in results}
    medians = {name: statistics.median(result[0] for result in results) for name, results in seen.items() if results}
    means = {name: statistics.median(result[1] for result in results) for name, results in seen.items() if results}
    return {"kernel": kernel.name, "commit": PROJECTS[kernel.project].commit, "regions": sum(len(place.names()) for place in kernel.places),
            "ms": medians, "mean_ms": means, "equal": len(sums) == 1 and not failed and all(seen.values()), "said": said, "checksums": sorted(sums),
            "trace_bytes": {name: max(result[3] for result in results) for name, results in seen.items() if results},
            "runs": {name: [result[:2] for result in results] for name, results in seen.items()}}


def percent(row, name, values="ms"):
    times = row[values]
    return 100 * (times[name] / times["plain"] - 1) if name in times and times.get("plain") else None


def table(rows, columns):
    names = [name for name in columns if name != "plain"]
    widths, room = [max(len(name) + 1, 7) for name in names], max([26, *(len(row["kernel"]) for row in rows)])

    def line(label, plain, cells, equal):
        return f"{label:<{room}}{plain:>8}" + "".join(f"{cell:>{width}}" for width, cell in zip(widths, cells)) + f"{equal:>4}"

    text = lambda figure: "-" if figure is None else f"{figure:+.1f}"
    print(line("kernel", "plain", names, "eq"))
    print(line("", "ms", ["%"] * len(names), ""))
    for row in rows:
        plain = f"{row['ms']['plain']:.4f}" if "plain" in row["ms"] else "-"
        print(line(row["kernel"], plain, [text(percent(row, name)) for name in names], "yes" if row["equal"] else "NO"))
    for label, function in (("median", statistics.median), ("mean", statistics.mean), ("worst", max)) if names else ():
        columns = [[figure for row in rows if (figure := percent(row, name)) is not None] for name in names]
        print(line(label, "", [text(function(column) if column else None) for column in columns], ""))
    shares = [figure for row in rows if (figure := percent(row, "launches", "mean_ms")) is not None]
    if shares:
        print(f"launches: the median launch has no probes; the mean launch {statistics.median(shares):+.1f} % (median), {max(shares):+.1f} % (worst)")


def spread(row):
    """By how many percent the slowest run without probes took longer than the fastest."""
    times = [run[0] for run in row["runs"].get("plain", ())]
    return 100 * (max(times) / min(times) - 1) if times and min(times) else 0


def device():
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0].split(", ")
    except (OSError, subprocess.CalledProcessError, IndexError):
        sys.exit("nvidia-smi names no GPU; 'run' needs one")


def run(options):
    gpu, driver = device()
    began = time.monotonic()
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
        programs = pathlib.Path(scratch)
        with tarfile.open(options.folder / "programs.tar.xz") as archive:
            archive.extractall(programs, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(programs)
        kernels = [kernel for kernel in chosen(options) if (programs / f"{kernel.stem}.plain").exists()]
        rows = []
        for kernel in kernels:
            rows.append(measure(kernel, programs, options, programs / "foreign.kperf"))
            print(f"{kernel.name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    toolkit = (options.folder / "toolkit.txt").read_text().strip()
    if options.out:
        seconds = json.loads((options.folder / "seconds.json").read_text())
        for kernel, row in zip(kernels, rows):
            row["build_s"] = {variant: seconds[name] for variant in VARIANTS if (name := f"{kernel.stem}.{variant}") in seconds}
        figures = {"device": gpu, "driver": driver, "toolkit": toolkit, "set": options.set, "rounds": options.rounds, "rows": rows}
        options.out.write_text(json.dumps(figures, indent=1) + "\n")
    print(f"{gpu}, driver {driver}, nvcc {toolkit}, {len(rows)} kernels of {len({row['kernel'].split('/')[0] for row in rows})} projects")
    table(rows, options.columns)
    if rows:
        print(f"plain: the slowest of its runs +{statistics.median(map(spread, rows)):.1f} % (median), +{max(map(spread, rows)):.1f} % (worst) over the fastest")
    for row in rows:
        print(*row["said"], sep="\n", end="\n" if row["said"] else "")
    print((options.folder / "warnings.txt").read_text(), end="")
    return 0 if all(row["equal"] for row in rows) else 1


def find_kperf(options):
    """Sets where kperf-cc and its headers are: an installed kperf, or the build and the headers of this tree."""
    root = HERE.parents[2]
    prefix = (options.kperf or pathlib.Path(os.environ.get("KPERF_BUILD", root / "build"))).resolve()
    options.kperf_cc, options.include = prefix / "bin" / "kperf-cc", prefix / "include" if options.kperf else root / "runtime" / "include"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["list", "fetch", "annotate", "build", "run"])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--sources", type=pathlib.Path, help="where the projects are, each in a folder of its name")
    parser.add_argument("--kperf", type=pathlib.Path, help="where kperf is installed (default: the build of this tree)")
    parser.add_argument("--set", choices=list(KERNELS), default="tuned", help="which kernels (default: tuned)")
    parser.add_argument("--only", nargs="*", help="kernels that have one of these in their names")
    parser.add_argument("--variants", nargs="*", choices=list(VARIANTS), help="what is built (default: what the set's columns need)")
    parser.add_argument("--columns", nargs="*", choices=list(COLUMNS), help="what is run (default: the set's)")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time (default 2)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program (default 3)")
    parser.add_argument("--out", type=pathlib.Path, help="where the figures go, as JSON")
    options = parser.parse_args()
    options.columns = ["plain", *(name for name in options.columns or COLUMNS_OF[options.set] if name != "plain")]
    options.variants = options.variants or list(dict.fromkeys(COLUMNS[name][0] for name in options.columns))
    if options.command == "list":
        return list_kernels(options)
    if not options.folder:
        parser.error(f"'{options.command}' needs a FOLDER")
    options.folder = options.folder.resolve()
    if options.command in ("annotate", "build"):
        if not options.sources:
            parser.error(f"'{options.command}' needs --sources")
        options.sources = options.sources.resolve()
        options.build = options.folder.with_name(options.folder.name + ".build")
        find_kperf(options)
    if options.command == "annotate":
        for kernel in present(chosen(options), options.sources):
            print(f"{kernel.name}: {annotate(kernel, options.sources, options.folder)}")
        return 0
    return {"fetch": fetch, "build": build, "run": run}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
