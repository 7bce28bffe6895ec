"""Compiles a CUDA source to machine code plain and with probes, and compares what ptxas gives its kernels.

usage: registers.py MOST SOURCE FLAG… {-- [OPTION of kperf-cc]…}…, a build with probes for each --;
fails where a kernel has more than MOST registers more, or spills more.
"""
import re
import subprocess
import sys


def kernels(command):
    """{kernel: (registers, spilled bytes)} of the program's own kernels, without what differs between two builds of a name."""
    said = subprocess.run([*command, "-Xptxas", "-v", "-cubin", "-o", "kernels.cubin"], check=True, capture_output=True, text=True)
    found = {}
    for entry in re.split(r"Compiling entry function '", said.stderr + said.stdout)[1:]:
        name = re.sub(r"_GLOBAL__N__[0-9a-f]{8}", "", entry.split("'")[0])
        if "5kperf6detail" not in name and not name.startswith("kperf_"):
            found[name] = (int(re.search(r"Used (\d+) registers", entry)[1]),
                           sum(int(bytes) for bytes in re.findall(r"(\d+) bytes spill", entry)))
    return found


most, source, *rest = sys.argv[1:]
start = rest.index("--")
flags, builds = rest[:start], [[]]
for word in rest[start + 1:]:
    if word == "--":
        builds.append([])
    else:
        builds[-1].append(word)
plain = kernels(["nvcc", *flags, source])
failed = False
for options in builds:
    probed = kernels(["kperf-cc", "--strict", *options, "nvcc", *flags, source])
    assert plain and plain.keys() == probed.keys(), (plain.keys(), probed.keys())
    for name, (registers, spilled) in probed.items():
        more = registers - plain[name][0]
        print(f"{name}: registers {plain[name][0]} -> {registers}, spilled bytes {plain[name][1]} -> {spilled}")
        failed |= more > int(most) or spilled > plain[name][1]
sys.exit(1 if failed else 0)
