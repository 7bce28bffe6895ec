"""Holds docs/probe.md against what is made of its sources: usage: documented.py PROBE.md text|ptx, where the tools are on PATH.

The page has, twice, a source, what it becomes, and one region of that in PTX. A line of theirs stands in what is made, in that
order;"…" is what the page leaves out, and registers have any numbers.
"""
import pathlib
import re
import subprocess
import sys

KERNEL = """__global__ void kernel(float *data, int tiles) {
  __shared__ float stage[32];
  Mainloop().run(data, tiles, stage);
}
"""
MADE = {
    "text": ["kperf-rewrite"],
    "ptx": ["kperf-cc", "nvcc", "-std=c++17", "-arch=sm_90", "-ptx"],
}


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page, flags=re.S | re.M)


def pattern(line):
    """What a line of the page may be in full."""
    code = re.sub(r"\s*//.*", "", line).strip()
    text = ".*?".join(re.escape(part) for part in code.split("…"))
    text = re.sub(r"(?:\\[ \t])+", r"\\s+", text)
    return re.sub(r"%(r|rd|f|p)\d+", r"%\1\\d+", text)


def missing(block, made):
    """The first line of a block that does not follow the one before in what was made; None where all do."""
    at = found.end() if (found := re.search(r"\.entry \w*(scale|kernel)", made)) else 0
    for line in filter(pattern, block.splitlines()):
        match = re.compile(pattern(line), re.S).search(made, at)
        if not match:
            return line
        at = match.end()
    return None


def main(path, kind):
    page = pathlib.Path(path).read_text()
    sources, texts = blocks(page, "cuda")[::2], blocks(page, "cuda")[1::2]
    expected = texts if kind == "text" else blocks(page, "ptx")
    assert len(sources) == len(expected) == 2
    for source, block in zip(sources, expected):
        name = "kernel" if "__global__" not in source else "scale"
        file = pathlib.Path(name + ".cu")
        file.write_text("#include <kperf/annotate.h>\n\n" + source + (KERNEL if name == "kernel" else ""))
        output = pathlib.Path(f"{name}.{kind}")
        subprocess.run([*MADE[kind], file, "-o", output], check=True)
        if line := missing(block, output.read_text()):
            sys.exit(f"{path}: {output} has no such line behind those before it:\n{line}")


main(*sys.argv[1:])
