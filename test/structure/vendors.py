# RUN: %python %s %kperf_src
"""What CUDA and HIP share is gpu/: whatever it takes of a vendor, both declare, each in its file of the same name."""
import pathlib
import re
import sys

import tree

HEADERS = pathlib.Path("runtime/include/kperf")
VENDORS = ("cuda", "hip")
SHARED = ("gpu",)
# file: why one vendor only has it
OWN = {"cuda/SharedBuffer.h": "the buffer in shared memory is for NVIDIA GPUs; hip/Vendor.h refuses KPERF_SHARED_BUFFER"}
COMMENT = re.compile(r"//[^\n]*")
DECLARED = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?!\w)"  # a macro
    r"|^[ \t]*(?:using|class|struct)[ \t]+(\w+)[ \t]*(?:=|\{)"
    r"|^(?:constexpr)[^=;(]*?(\w+) ="
    r"|^(?:template <[^>]*> )?(?:__device__|inline|static|__attribute__)[^;{=]*?(\w+)\((?!\()",
    re.M)


def declared(path):
    """The names that a header declares for others, but its include guard."""
    text = COMMENT.sub("", path.read_text())
    names = {next(filter(None, found)) for found in DECLARED.findall(text)}
    undefined = set(re.findall(r"^#\s*undef\s+(\w+)", text, re.M))
    return {name for name in names if not name.endswith("_H")} - undefined


def main(root):
    folder = pathlib.Path(root) / HEADERS
    used = {word for part in SHARED for path in (folder / part).rglob("*.h") for word in re.findall(r"\w+", COMMENT.sub("", path.read_text()))}
    findings, checked = [], 0
    for vendor, other in (VENDORS, VENDORS[::-1]):
        for path in sorted((folder / vendor).glob("*.h")):
            if f"{vendor}/{path.name}" in OWN:
                continue
            counterpart = folder / other / path.name
            if not counterpart.exists():
                findings.append(f"{HEADERS}/{vendor}/{path.name}: {other}/ has no file of this name")
                continue
            shared = declared(path) & used
            checked += len(shared)
            findings += [f"{HEADERS}/{vendor}/{path.name}: gpu/ uses {name}, which {other}/{path.name} does not declare"
                         for name in sorted(shared - declared(counterpart))]
    findings += [f"{HEADERS}/{name}: is no longer there, and a reason is" for name in OWN if not (folder / name).exists()]
    tree.finish(findings, checked)


main(sys.argv[1])
