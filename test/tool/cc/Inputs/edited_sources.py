"""Builds randomly edited sources with the profile of the first one: edited_sources.py [COUNT [FIRST]], in an empty folder.

No build may break, no number may be another one than the source says, and what an edit did not touch keeps its decision. The sources are
made of the seed FIRST + i.
"""
import csv
import io
import os
import random
import subprocess
import sys

FUNCTIONS = ("helper", "first", "second")  # a __device__ function, which first calls, and two kernels
ENVIRONMENT = {**os.environ, "KPERF_HOST_CLOCK": "virtual", "KPERF_OUTPUT": "trace.kperf", "KPERF_QUIET": "1"}


def regions():
    """Name, function, form, entries and cycles of the program that was profiled."""
    out = []
    for function in FUNCTIONS:
        for i, (entries, cycles) in enumerate([(2, 4000), (40, 2), (30, 60), (25, 3), (20, 120), (60, 1)]):
            form = ("scope", "range", "pragma")[(i + FUNCTIONS.index(function)) % 3]
            out.append({"name": f"{function} {i}", "function": function, "form": form, "entries": entries, "cycles": cycles, "is_new": False})
    return out


def text_of(region):
    work = f"kperf::host::work({region['cycles']});"
    body = {"scope": f"  {{ KPERF_SCOPE(\"{region['name']}\"); {work} }}",
            "range": f"  KPERF_BEGIN(\"{region['name']}\"); {work} KPERF_END(\"{region['name']}\");",
            "pragma": f"  #pragma kperf region(\"{region['name']}\")\n  {{ {work} }}"}[region["form"]]
    return f"  for (int i = 0; i < {region['entries']}; ++i) {{\n{body}\n  }}\n"


def source(program, noise):
    """The program's text; `noise`: lines and statements between its regions."""
    text = "#include <kperf/annotate.h>\n" + noise()
    for function in FUNCTIONS:
        text += f"__device__ void {function}() {{\n" if function == "helper" else f"__global__ void {function}() {{\n"
        text += "".join(noise() + text_of(each) for each in program if each["function"] == function)
        text += "  helper();\n}\n" if function == "first" else "}\n"
    return text + "int main() {\n  first<<<1, 32>>>();\n  second<<<1, 32>>>();\n  return cudaDeviceSynchronize() != cudaSuccess;\n}\n"


def edit(program, draw):
    for _ in range(draw.randint(1, 4)):
        kind, i = draw.choice(("rename", "remove", "add", "swap", "none")), draw.randrange(len(program))
        if kind == "rename":
            program[i].update(name=f"renamed {draw.randrange(10**6)}", is_new=True)
        elif kind == "remove" and len(program) > 6:
            del program[i]
        elif kind == "add":
            new = {**program[i], "name": f"new {draw.randrange(10**6)}", "is_new": True}
            program.insert(draw.randrange(len(program)), new)
        elif kind == "swap":
            j = draw.randrange(len(program))
            program[i], program[j] = program[j], program[i]


def noise_of(draw):
    choices = ("", "", "\n\n", "  // a comment with KPERF_SCOPE(\"x\") in it\n", "/* of\n   two lines */\n", "#define UNUSED 1\n#undef UNUSED\n")
    return lambda: draw.choice(choices)


def run(*command):
    result = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stdout}{result.stderr}\n{open('k.cu').read()}")
    return result


def build(program, noise, *options):
    """What became of each region: how many entries the report has; and what kperf-cc said."""
    with open("k.cu", "w") as file:
        file.write(source(program, noise))
    said = run("kperf-cc", *options, "host", "-O0", "k.cu", "-o", "program").stderr
    run("./program")
    table = csv.DictReader(io.StringIO(run("kperf", "report", "trace.kperf", "--format=csv").stdout))
    return {row["region"]: int(row["count"]) for row in table if row["count"]}, said


def check(program, counts):
    for region in program:
        found = counts.get(region["name"], 0)
        if found not in (0, region["entries"]) or (region["is_new"] and found == 0):
            sys.exit(f"{region['name']}: {found} entries, the source has {region['entries']}\n{open('k.cu').read()}")


def main(count=8, first=1):
    profiled = regions()
    check(profiled, build(profiled, lambda: "")[0])
    os.rename("trace.kperf", "first.kperf")
    options = ("--profile=first.kperf", "--overhead-budget=2%")
    decided, _ = build(profiled, lambda: "", *options)
    left_out = {each["name"] for each in profiled} - decided.keys()
    if not left_out or len(left_out) == len(profiled):
        sys.exit(f"the profile leaves out {len(left_out)} of {len(profiled)} regions: nothing is tested")
    kept, untouched = 0, 0
    for seed in range(first, first + count):
        draw = random.Random(seed)
        program = [dict(each) for each in profiled]
        edit(program, draw)
        counts, said = build(program, noise_of(draw), *options)
        check(program, counts)
        same = [each for each in program if not each["is_new"]]
        if f"the profile has {len(same)} of {len(program)} regions" not in said:
            sys.exit(f"seed {seed}: {len(same)} of {len(program)} regions are the profile's; kperf-cc said {said}")
        untouched += len(same)
        kept += sum((each["name"] in counts) == (each["name"] not in left_out) for each in same)
    if kept < 0.8 * untouched:
        sys.exit(f"{kept} of {untouched} untouched regions keep their decision")
    print(f"{count} edited sources: {kept} of {untouched} untouched regions keep their decision, {len(left_out)} of {len(profiled)} are left out")


main(*map(int, sys.argv[1:]))
