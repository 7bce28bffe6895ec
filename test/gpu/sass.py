#!/usr/bin/env python3
"""sass.py NAME.rewritten NAME.cubin NAME.plain.cubin: whether the probes of a program stand in its machine code as they should.

NAME.rewritten is what kperf-rewrite made of the source, for its table of regions; both cubins are compiled with -lineinfo, so that
nvdisasm says of each instruction which lines it comes from. Checked for each kernel: each region has clock reads where it begins
and where it ends, each a CS2R and not an S2UR; no instruction of a probe asks a special register for the thread or its lane within
a loop; nothing goes to local memory that does not without probes. Printed for each region: the probe's own instructions, and
how many of the region's ended up outside of its clock reads.
"""
import collections
import pathlib
import re
import subprocess
import sys

INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;")
PLACE = re.compile(r'//## File "([^"]*)", line (\d+)')
LABEL = re.compile(r"^(\.L_x_\d+):")
ROW = re.compile(r'\{(0x[0-9a-f]{6})u, (\d+)u, "((?:[^"\\]|\\.)*)", "(?:[^"\\]|\\.)*", "((?:[^"\\]|\\.)*)", "(?:[^"\\]|\\.)*", (\d+)u, \d+u, (\d+)u')
SPANS = {1: "scope", 4: "pragma", 5: "automatic", 7: "wait"}  # kperf::format::RegionKind
LANE_REGISTERS = re.compile(r"\bS2U?R\b.*SR_(TID|LANEID|LTMASK|EQMASK|NTID)")

Instruction = collections.namedtuple("Instruction", "text places isSaid")  # places: (file, line), innermost first; isSaid: since the last label
NEXT = re.compile(r"(kperf_scopes_\w+)\.next\((0x[0-9a-f]{6})u\)")
Region = collections.namedtuple("Region", "kind name file line end stop")  # stop: the line that its last clock read is on


def regions_of(rewritten):
    stops, last = {}, {}  # of regions that follow each other, each is left where the next is entered
    for number, text in enumerate(rewritten.splitlines(), 1):
        for run, region in NEXT.findall(text):
            stops[last.get(run)] = number
            last[run] = region
    rows = [Region(int(kind), name, pathlib.Path(file).name, int(line), int(end), stops.get(region, int(end)))
            for region, kind, name, file, line, end in ROW.findall(rewritten)]
    return [row for row in rows if row.kind in SPANS]


def kernels_of(cubin):
    """{mangled name: ([Instruction], {label: index})} of a cubin's functions but the runtime's own."""
    text = subprocess.run(["nvdisasm", "-gi", "-c", cubin], capture_output=True, text=True, check=True).stdout
    kernels = {}
    for section in text.split("//--------------------- .text.")[1:]:
        name = section.split()[0]
        if "calibrationKernel" in name:
            continue
        rows, labels, places, closed, said = [], {}, [], True, True
        for line in section.splitlines():
            if place := PLACE.search(line):
                places = [] if closed else places
                places.append((place[1], int(place[2])))
                closed, said = False, True
            elif label := LABEL.match(line):
                labels[label[1]] = len(rows)
                said = False
            elif instruction := INSTRUCTION.match(line):
                rows.append(Instruction(instruction[1], tuple(places), said))
                closed = True
        kernels[name] = rows, labels
    return kernels


def is_probe(instruction):
    return any("/kperf/" in file for file, _ in instruction.places)


def line_in(instruction, file):
    """The line of that file that the instruction comes from, seen from outside; None when it has none."""
    lines = [line for place, line in instruction.places if pathlib.Path(place).name == file]
    return lines[-1] if lines else None


def with_shared_reads(rows, regions):
    """The rows, with the line of each clock read that begins a block and has none of its own: ptxas forgot it. Where the read before is at the
    beginning of a region that another one follows, it is the one between the two. The second of two reads with nothing but a probe's instructions in between, which nvdisasm
    gives the line of the first, at the end of a region, begins the region behind it."""
    out, before = list(rows), None
    for index, row in enumerate(rows):
        if "CS2R.32" not in row.text:
            continue
        if before is not None and not row.isSaid:
            for region in regions:
                if region.stop != region.end and line_in(out[before], region.file) == region.line:
                    out[index] = row._replace(places=(*row.places[:-1], (row.places[-1][0], region.stop)))
        isNext = before is not None and all(is_probe(rows[between]) for between in range(before + 1, index))
        if isNext and row.places == rows[before].places:
            for region in regions:
                behind = [other.line for other in regions if other.file == region.file and other.line > region.end]
                if behind and line_in(row, region.file) == region.stop:
                    out[index] = row._replace(places=(*row.places[:-1], (row.places[-1][0], min(behind))))
        before = index
    return out


def local_accesses(rows):
    return sum(bool(re.search(r"\b(LDL|STL)\b", row.text)) for row in rows)


def successors(rows, labels):
    """Where control may go behind each instruction. Lanes that diverged meet where the BSSY of their barrier says."""
    meeting = {match[1]: labels.get(match[2]) for row in rows if (match := re.search(r"\bBSSY (B\d+), `\((\.L_x_\d+)\)", row.text))}
    out = []
    for index, row in enumerate(rows):
        branch = re.search(r"\bBRA\b.*`\((\.L_x_\d+)\)", row.text)
        sync = re.search(r"\bBSYNC (B\d+)", row.text)
        targets = [labels.get(branch[1])] if branch else [meeting.get(sync[1])] if sync else []
        ends = re.match(r"(BRA(?!\.DIV)|EXIT|RET)\b", row.text) and not re.match(r"BRA\b.*(UP|P)\d,", row.text)
        out.append([target for target in targets + ([] if ends else [index + 1]) if target is not None and target < len(rows)])
    return out


def reached(starts, after):
    """The starts, and all that they lead to."""
    out, work = set(), list(starts)
    while work:
        index = work.pop()
        if index not in out:
            out.add(index)
            work += after[index]
    return out


def in_loops(rows, labels, after):
    """Indices of the instructions of the kernel's loops, as far as regions are entered there. Without blocks with an atomic operation:
    there lanes record that diverged from lane 0."""
    before = [[] for _ in rows]
    for index, targets in enumerate(after):
        for target in targets:
            before[target].append(index)
    inside = set()
    for index, row in enumerate(rows):
        if "CS2R.32" in row.text and index not in inside:
            ahead = reached(after[index], after)
            if index in ahead:
                inside |= ahead & reached([index], before)
    heads = sorted({0, len(rows), *labels.values(), *(index + 1 for index, row in enumerate(rows) if "BRA" in row.text)})
    for first, last in zip(heads, heads[1:]):
        if any("ATOMG" in rows[index].text for index in range(first, last)):
            inside -= set(range(first, last))
    return inside


def edges_of(rows, region):
    """What each instruction is to a region: a clock read at its beginning, one at its end, or None. What ends with the kernel, nvcc puts
    on the line of the last statement, where the kernel's own last clock read (of 64 bits) is too."""
    leaving = {line_in(row, region.file) for row in rows if re.search(r"\bCS2R R\d+, SR_CLOCK", row.text)}
    out = []
    for row in rows:
        line = line_in(row, region.file) if is_probe(row) and "CS2R.32" in row.text else None
        ends = line == region.stop or (line in leaving and line is not None and region.line < line < region.end)
        out.append("begin" if line == region.line else "end" if ends and line is not None else None)
    return out


def measure(rows, after, region):
    """(clock reads at the beginning, at the end, instructions of probes at the edges, of the region itself, of those outside)."""
    edges = edges_of(rows, region)
    # what control comes to behind a clock read at the beginning, up to those at the end
    stopped = [[] if what == "end" else targets for what, targets in zip(edges, after)]
    inside = reached([target for what, targets in zip(edges, after) if what == "begin" for target in targets], stopped)
    lines = [(index, row, line_in(row, region.file)) for index, row in enumerate(rows)]
    probes = sum(is_probe(row) and line in (region.line, region.end) for _, row, line in lines)
    own = [index for index, row, line in lines if line and region.line < line < region.end and not is_probe(row) and row.text != "NOP"]
    return edges.count("begin"), edges.count("end"), probes, len(own), sum(index not in inside for index in own)


def check(name, rows, labels, plain, regions):
    """Yields (what, whether it holds); None: a figure only."""
    rows = with_shared_reads(rows, regions)
    clocks = [row.text for row in rows if "SR_CLOCK" in row.text]
    yield f"{name}: {len(clocks)} clock reads, all CS2R", clocks and all(re.search(r"\bCS2R\b", text) for text in clocks)
    after = successors(rows, labels)
    asked = [rows[index].text for index in sorted(in_loops(rows, labels, after)) if is_probe(rows[index]) and LANE_REGISTERS.search(rows[index].text)]
    yield f"{name}: probes ask for no lane in loops {asked[:3] or ''}", not asked
    if plain is not None:
        here, there = local_accesses(rows), local_accesses(plain)
        yield f"{name}: {here} accesses of local memory, {there} without probes", here <= there
    for region in regions:
        begins, ends, probes, own, outside = measure(rows, after, region)
        if not begins and not ends and not own:
            continue  # of another kernel, or function
        yield f"{name}: {region.name}: {begins} clock reads at its beginning, {ends} at its end", begins > 0 and ends > 0
        yield f"{name}: {region.name}: {probes} instructions of probes, {outside} of its own {own} outside of its clock reads", None


def checks(rewritten, cubin, plain_cubin):
    regions = regions_of(pathlib.Path(rewritten).read_text())
    plain = kernels_of(plain_cubin)
    found = 0
    for name, (rows, labels) in kernels_of(cubin).items():
        if any("SR_CLOCK" in row.text for row in rows):
            found += 1
            yield from check(name[:40], rows, labels, plain.get(name, (None,))[0], regions)
    yield f"{pathlib.Path(cubin).name}: {found} kernels with probes", found > 0


def main(*files):
    failed = 0
    for what, holds in checks(*files):
        print({True: "ok   ", False: "FAIL ", None: "     "}[holds] + what)
        failed += holds is False
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
