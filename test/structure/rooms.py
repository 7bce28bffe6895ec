# RUN: %python %s %kperf_src
"""The rooms of the house: which folder includes which, bottom first, and how large a folder or a knot of files may be."""
import os
import pathlib
import re
import sys

import tree

# room: the rooms that it includes, each of which stands above its own row, so that no two reach each other.
# kperf is runtime/include/kperf; the headers of the trace format are at its top for those who include them, and below all of it.
ROOMS = {
    "kperf/abi": "",
    "kperf/format": "",
    "kperf/hip_on_cuda/hip": "",
    "kperf/host/engine": "",
    "kperf/cuda": "kperf/abi kperf/format",
    "kperf/hip": "kperf/abi kperf/format",
    "kperf/host/api": "kperf/abi kperf/format kperf/host/engine",
    "kperf/host/language": "kperf/host/engine",
    "kperf/rules": "kperf/format",
    "kperf/clang": "kperf/rules",
    "kperf/gpu/vendor": "kperf/abi kperf/cuda kperf/hip",
    "kperf/host/toolkit": "kperf/host/engine kperf/host/api kperf/host/language",
    "kperf/gpu/record": "kperf/abi kperf/format kperf/rules kperf/gpu/vendor",
    "kperf/host/probe": "kperf/abi kperf/format kperf/host/engine kperf/rules kperf/host/toolkit",
    "kperf/host/toolkit/cooperative_groups": "kperf/host/toolkit",
    "kperf/gpu/launch": "kperf/abi kperf/format kperf/gpu/vendor kperf/gpu/record",
    "kperf/cuda/launch": "kperf/gpu/vendor kperf/gpu/launch",
    "kperf/hip/launch": "kperf/gpu/launch",
    "kperf/cuda/record": "kperf/abi kperf/format kperf/rules kperf/gpu/vendor kperf/gpu/record",
    "kperf/gpu/memory": "kperf/abi kperf/format kperf/rules kperf/gpu/vendor kperf/gpu/record",
    "kperf/cuda/memory": "kperf/abi kperf/rules kperf/gpu/memory",
    "kperf/hip/memory": "kperf/rules kperf/gpu/memory",
    "kperf": "kperf/abi kperf/gpu/record kperf/host/probe kperf/gpu/launch kperf/gpu/memory kperf/cuda/launch kperf/cuda/memory kperf/cuda/record kperf/hip/launch kperf/hip/memory",
    "amd_sqtt_marker": "kperf",
    "posix": "",
    "runtime/host_target": "kperf/host/language kperf/host/probe",
    "runtime/settings": "kperf/rules",
    "runtime/file": "kperf/abi kperf/format kperf/rules posix runtime/settings",
    "runtime/device": "kperf/abi kperf/format kperf/rules runtime/settings runtime/file",
    "runtime/nvtx": "kperf/abi kperf/format runtime/file",
    "runtime/recorder": "kperf/abi kperf/format kperf/rules posix runtime/settings runtime/file runtime/device runtime/nvtx",
    "runtime/driver": "kperf/abi kperf/format runtime/settings",
    "runtime/preload": "kperf/abi kperf/format posix runtime/settings runtime/driver",
    "decoder/io": "kperf/format posix",
    "decoder/table": "decoder/io",
    "decoder/trace": "kperf/format decoder/io",
    "decoder/print": "decoder/io decoder/table",
    "decoder/span": "kperf/format decoder/io decoder/trace",
    "decoder/text": "kperf/format decoder/io decoder/trace",
    "decoder/totals": "kperf/format kperf/rules decoder/io decoder/trace decoder/span",
    "decoder/memory": "kperf/format decoder/io decoder/table decoder/trace decoder/span decoder/totals",
    "decoder/sync": "decoder/table decoder/trace decoder/span decoder/totals",
    "decoder/transform": "decoder/io decoder/trace decoder/span decoder/totals",
    "decoder/timeline": "decoder/io decoder/table decoder/trace decoder/print decoder/span decoder/totals decoder/sync",
    "decoder/view": "decoder/io decoder/table decoder/trace decoder/memory decoder/print decoder/span decoder/totals decoder/sync decoder/timeline",
    "decoder/compare": "decoder/io decoder/table decoder/trace decoder/memory decoder/print decoder/span decoder/totals decoder/view",
    "decoder/plan": "decoder/table decoder/trace decoder/span decoder/totals",
    "decoder/explain": "decoder/io decoder/table decoder/trace decoder/memory decoder/span decoder/totals decoder/sync decoder/view",
    "rewriters/command": "",
    "rewriters/source": "posix",
    "rewriters/analysis": "kperf/format",
    "rewriters/parse": "posix rewriters/command rewriters/source",
    "rewriters/pattern": "rewriters/source",
    "rewriters/plan": "kperf/rules kperf/format",
    "rewriters/machine": "kperf/format rewriters/plan",
    "rewriters/access": "kperf/format rewriters/analysis",
    "rewriters/unit": "rewriters/source rewriters/analysis rewriters/parse rewriters/pattern rewriters/plan",
    "rewriters/construct": "kperf/format rewriters/analysis rewriters/unit",
    "rewriters/kernel": "kperf/format kperf/rules rewriters/analysis rewriters/plan rewriters/unit rewriters/construct",
    "rewriters/select": "rewriters/analysis rewriters/pattern rewriters/plan rewriters/unit rewriters/construct",
    "rewriters/region": "rewriters/analysis rewriters/unit rewriters/kernel",
    "rewriters/sync": "rewriters/unit rewriters/construct rewriters/select",
    "rewriters/rewriter": "rewriters/analysis rewriters/source rewriters/plan rewriters/access rewriters/unit rewriters/kernel rewriters/region rewriters/sync",
    "rewriters": "rewriters/machine rewriters/command rewriters/source rewriters/parse rewriters/pattern rewriters/plan rewriters/unit rewriters/construct rewriters/kernel rewriters/select rewriters/rewriter",
    "tool/options": "",
    "tool/process": "decoder/io posix",
    "tool/plain": "kperf/format runtime/file tool/process",
    "tool/jit": "decoder/io",
    "tool/placement": "kperf/abi kperf/format decoder/io decoder/table decoder/trace decoder/span runtime/driver runtime/file tool/process",
    "tool/machine": "posix rewriters/command rewriters/machine tool/process",
    "tool/profile": "decoder/io decoder/plan decoder/trace rewriters/pattern",
    "tool/cc": "decoder/span posix tool/profile tool/machine rewriters/command rewriters/source rewriters/pattern rewriters/plan rewriters tool/options tool/process tool/plain",
    "tool/output": "rewriters tool/cc",
    "tool/builds": "decoder/io decoder/trace decoder/transform decoder/compare decoder/plan tool/process",
    "tool/clocks": "kperf/abi posix decoder/io decoder/timeline tool/process",
    "tool/lsp": "decoder/io decoder/table decoder/trace decoder/explain decoder/view",
    "tool/commands": "posix tool/builds tool/clocks tool/lsp decoder/io decoder/table decoder/trace decoder/print decoder/text decoder/transform decoder/timeline decoder/view decoder/compare decoder/plan decoder/explain tool/jit tool/placement tool/process",
    "tool/batch": "rewriters/command rewriters/source rewriters tool/process tool/cc",
    "tool": "decoder/io rewriters/command rewriters/rewriter rewriters tool/options tool/output tool/process tool/plain tool/cc tool/builds tool/commands tool/batch",
}
LARGEST_FOLDER = 45  # files
LARGEST_KNOT = 3  # files (header and source together) that include each other in a circle
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def room(path):
    folder = str(path.parent).replace("runtime/include/", "")
    return "kperf/format" if folder == "kperf" and path.name.startswith("format") else folder


def includes(root, path, known):
    """The repository's files that a file includes."""
    for line in (root / path).read_text().splitlines():
        match = INCLUDE.match(line)
        if match:
            for base in (path.parent, pathlib.Path("."), pathlib.Path("runtime/include")):
                target = pathlib.Path(os.path.normpath(base / match[1]))
                if target in known:
                    yield target
                    break


def knots(graph):
    """Sets of nodes that reach each other."""
    def reached(start):
        seen, waiting = set(), [start]
        while waiting:
            for node in graph.get(waiting.pop(), ()):
                if node not in seen:
                    seen.add(node)
                    waiting.append(node)
        return seen

    reach = {node: reached(node) for node in graph}
    return {frozenset(other for other in reach[node] if node in reach.get(other, ())) for node in graph if node in reach[node]}


def check_rooms(edges):
    order = list(ROOMS)
    for own, allowed in ROOMS.items():
        for other in allowed.split():
            if order.index(other) >= order.index(own):
                yield f"table: {other} stands below {own}, which includes it"
    for path, target in edges:
        own, other = room(path), room(target)
        if own not in ROOMS:
            yield f"{path}: {own} has no row in the table"
        elif other != own and other not in ROOMS[own].split():
            yield f"{path}: {own} may not include {target}"


def main(root):
    paths = [path for path in tree.files(root) if path.suffix in {".h", ".cpp", ".def", ".hpp"}
             and path.parts[0] in {"decoder", "posix", "rewriters", "runtime", "tool"}]
    known = set(paths)
    edges = [(path, target) for path in paths for target in includes(root, path, known)]
    findings = list(check_rooms(edges))
    graph = {}
    for path, target in edges:
        if path.with_suffix("") != target.with_suffix(""):
            graph.setdefault(path.with_suffix(""), set()).add(target.with_suffix(""))
    findings += [f"{len(knot)} files include each other: {', '.join(sorted(map(str, knot)))}"
                 for knot in knots(graph) if len(knot) > LARGEST_KNOT]
    sizes = {}
    for path in tree.files(root):
        sizes[path.parent] = sizes.get(path.parent, 0) + 1
    findings += [f"{folder}: {count} files, more than {LARGEST_FOLDER}" for folder, count in sizes.items() if count > LARGEST_FOLDER]
    tree.finish(findings, len(edges))


main(pathlib.Path(sys.argv[1]))
