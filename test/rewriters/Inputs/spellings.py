"""Rewrites the sources of tests once as CUDA and once in HIP's spelling, and compares: usage: spellings.py TARGET FOLDER TEST…

A TEST may be a shell pattern; tests of errors are left out. TARGET is that of the HIP sources; under `host` it is the CUDA ones' too.
"""
import pathlib
import re
import subprocess
import sys

SOURCE = re.compile(r"^//--- (\S+\.cu)\n(.*?)(?=^//--- |\Z)", re.S | re.M)
ID = re.compile(r"0x1?[0-9a-f]{6}u")  # a hash of the source's text too
HEADERS = {"<cuda_runtime.h>": "<hip/hip_runtime.h>", "<cooperative_groups.h>": "<hip/hip_cooperative_groups.h>"}


def in_hip(text):
    for cuda, hip in HEADERS.items():
        text = text.replace(cuda, hip)
    return re.sub(r"\bcuda(?=[A-Z])", "hip", text)


def rewrite(sources, folder, *options):
    """The rewritten texts by name."""
    for directory in (folder, f"{folder}.out"):
        pathlib.Path(directory).mkdir()
    for name, text in sources.items():
        pathlib.Path(folder, name).write_text(text)
    subprocess.run(["kperf-rewrite", "--probes=region,memory,sync", "--auto=barriers,loops", *sources, "-o", f"../{folder}.out", *options],
                   check=True, cwd=folder)
    return {name: pathlib.Path(f"{folder}.out", name.replace(".cu", ".kperf.cu")).read_text() for name in sources}


target, folder, *patterns = sys.argv[1:]
sources = {}
for pattern in patterns:
    for test in sorted(pathlib.Path(folder).rglob(pattern + ".cu")):
        if not test.stem.endswith("-errors"):
            sources |= {f"{test.stem}-{name}": text for name, text in SOURCE.findall(test.read_text()) if "/" not in name}
cuda = rewrite(sources, "cuda", "--cuda-path=none", *(["--target=host"] if target == "host" else []))
hip = rewrite({name: in_hip(text) for name, text in sources.items()}, "hip", f"--target={target}",
              "--", "-x", "hip", "-include", "hip/hip_runtime.h")


def alike(name):
    if in_hip(sources[name]) == sources[name]:
        return cuda[name] == hip[name]
    return ID.sub("id", in_hip(cuda[name])) == ID.sub("id", hip[name])


different = [name for name in sources if not alike(name)]
probed = sum("::kperf::" in text for text in hip.values())
print(f"{len(sources)} sources, {probed} with probes")
if different or probed < len(patterns):
    sys.exit(f"these differ: {different}")
