"""Rewrites the sources of tests once as CUDA and once as HIP, and compares: usage: spellings.py FOLDER TEST…"""
import pathlib
import re
import subprocess
import sys

SOURCE = re.compile(r"^//--- (\S+\.cu)\n(.*?)(?=^//--- |\Z)", re.S | re.M)


def rewrite(names, folder, *options):
    """The rewritten texts by name, and how many of them have probes."""
    pathlib.Path(folder).mkdir()
    subprocess.run(["kperf-rewrite", "--auto=barriers,loops", *names, "-o", folder, *options], check=True)
    texts = {name: pathlib.Path(folder, name.replace(".cu", ".kperf.cu")).read_text() for name in names}
    return texts, sum("::kperf::Kernel" in text for text in texts.values())


folder, *tests = sys.argv[1:]
names = []
for test in tests:
    for name, text in SOURCE.findall(pathlib.Path(folder, test + ".cu").read_text()):
        names.append(f"{test}-{name}")
        pathlib.Path(names[-1]).write_text(text)
cuda, probed = rewrite(names, "cuda", "--cuda-path=none")
hip, _ = rewrite(names, "hip", "--target=hip", "--", "-x", "hip", "-include", "hip/hip_runtime.h")
different = [name for name in names if cuda[name] != hip[name]]
if different or probed < len(tests):
    sys.exit(f"{len(names)} sources, {probed} with probes, these differ: {different}")
