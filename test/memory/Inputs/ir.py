"""A second opinion on what accesses memory: in Clang's IR of a source, every load, store and atomic that is left once automatic
variables are in registers stands on a line for which kperf has a site, counted or listed: one that reads for a load, one that writes for
a store. Of code that was inlined, the line of a call does too.

usage: ir.py CLANG INCLUDE SOURCE…
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

clang, include, *sources = sys.argv[1:]
FLAGS = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90a", "-fgpu-rdc", "-Wno-unknown-cuda-version", "-w", "-std=gnu++17", "-O1", "-g",
         "-I", include, "-include", "kperf/clang/nvcc.h", "-S", "-emit-llvm"]
LOAD, STORE = 0, 1  # kinds of sites (kperf/format.h)
ADDRESS_OF_LOCAL = re.compile(r"\s+(%[\w.]+) = (alloca|getelementptr|addrspacecast|select|phi)\b(.*)")
ACCESS = re.compile(r"\s+(?:tail )?(?:%[\w.]+ = )?(load|store|atomicrmw|cmpxchg)\b.*?ptr(?: addrspace\(\d+\))? ([%@][\w.$]+|getelementptr[^!]*|addrspacecast[^!]*)")


def toolkit():
    """The folder of the nvcc on PATH."""
    said = subprocess.run(["nvcc", "--dryrun", "-x", "cu", "-"], input="", capture_output=True, text=True).stderr
    return pathlib.Path(re.search(r"^#\$ TOP=(.*)$", said, re.M)[1]).resolve()


def parse_headers(folder):
    """The options by which Clang has the toolkit's headers, which take it longer than most of the sources do, parsed once for all of them."""
    options = [*FLAGS, f"--cuda-path={toolkit()}", "-isystem", toolkit() / "include/cccl"]
    headers = pathlib.Path(folder, "headers.h")
    headers.touch()
    subprocess.run([clang, *options, "-Xclang", "-emit-pch", "-o", f"{headers}.pch", headers], check=True)
    return [*options, "-Xclang", "-include-pch", "-Xclang", f"{headers}.pch"]


def lines_with_sites(source):
    """Which (file, line) have sites that read (load) and that write (store), in the source and in headers of its project. What is listed,
    an update and an atomic may do either."""
    with tempfile.TemporaryDirectory() as folder:
        rewritten = subprocess.run(["kperf-rewrite", "--probes=memory", pathlib.Path(source).resolve(), "-o", "-", "--", "-std=c++17", "-I", include,
                                    "-gencode", "arch=compute_90a,code=sm_90a"], check=True, capture_output=True, text=True, cwd=folder).stdout
    string = r'"(?:[^"\\]|\\.)*"'
    rows = re.finditer(rf'\{{0x[0-9a-f]+u, (\d)u, 0x[0-9a-f]+u, \d+u, {string}, "([^"]*)", {string}, {string}, {string}, (\d+)u', rewritten)
    reading, writing = set(), set()
    for row in rows:
        at = pathlib.Path(row[2]).name, int(row[3])
        if int(row[1]) != STORE:
            reading.add(at)
        if int(row[1]) != LOAD:
            writing.add(at)
    return reading, writing


class Locations:
    """Debug information: which line of which file an instruction comes from, whatever it was inlined into."""

    def __init__(self, ir):
        self.nodes = dict(re.findall(r"^(!\d+) = (?:distinct )?(.*)$", ir, re.M))

    def file(self, scope):
        while True:
            node = self.nodes[scope]
            if node.startswith("!DIFile"):
                return re.search(r'filename: "([^"]*)"', node)[1]
            scope = (re.search(r"file: (!\d+)", node) or re.search(r"scope: (!\d+)", node))[1]

    def of(self, instruction):
        """(file, line) of the instruction, then of each call that it was inlined into."""
        name = re.search(r"!dbg (!\d+)", instruction)[1]
        while name:
            node = self.nodes[name]
            line = re.search(r"line: (\d+)", node)
            yield self.file(re.search(r"scope: (!\d+)", node)[1]), int(line[1]) if line else 0
            caller = re.search(r"inlinedAt: (!\d+)", node)
            name = caller and caller[1]


def accesses(ir):
    """Yields the instructions of functions that access memory, but for automatic variables and parameters in memory."""
    for function in re.split(r"^define ", ir, flags=re.M)[1:]:
        head, *body = function.split("\n}\n")[0].split("\n")
        local = set(re.findall(r"byval\([^)]*\)[^,]*? (%[\w.]+)", head))
        for line in body:
            if found := ADDRESS_OF_LOCAL.match(line):
                if found[2] == "alloca" or local.intersection(re.findall(r"%[\w.]+", found[3])):
                    local.add(found[1])
        for line in body:
            found = ACCESS.match(line)
            if found and found[2] not in local and "!dbg" in line:
                yield found[1], line


findings = 0
headers = tempfile.TemporaryDirectory()
options = parse_headers(headers.name)
for source in sources:
    found = subprocess.run([clang, *options, "-o", "-", source], check=True, capture_output=True, text=True).stdout
    locations, (reading, writing), missing = Locations(found), lines_with_sites(source), collections.Counter()
    total = 0
    for kind, instruction in accesses(found):
        lines = [(pathlib.Path(file).name, line) for file, line in locations.of(instruction) if line]
        if any(file == pathlib.Path(source).name for file, line in lines):  # else of several lines, or of a header that no line here includes code of
            total += 1
            sites = reading if kind == "load" else writing
            missing[lines[0], kind] += not sites.intersection(lines)
    for (file, line), kind in sorted(+missing):
        findings += 1
        text = pathlib.Path(source).read_text().splitlines()[line - 1].strip() if file == pathlib.Path(source).name else ""
        print(f"{file}:{line}: a {kind} without a site in {source}: {text}")
    print(f"{pathlib.Path(source).name}: {total} accesses of the IR, {len(reading | writing)} lines with sites")
    findings += total == 0
sys.exit(findings > 0)
