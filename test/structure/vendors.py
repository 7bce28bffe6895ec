# RUN: %python %s %kperf_src
"""What CUDA and HIP share is gpu/: whatever it takes of a vendor, both declare, each in its file of the same name. How accesses are counted and
launches are noticed is in memory/ and launch/ of each: both define the templates that gpu/memory declares, with the functions that it calls, and
both hook the same functions of their runtime."""
import pathlib
import re
import sys

import tree

HEADERS = pathlib.Path("runtime/include/kperf")
VENDORS = ("cuda", "hip")
SHARED = ("gpu",)
# file or folder: why one vendor only has it
OWN = {"cuda/SharedBuffer.h": "the buffer in shared memory is for NVIDIA GPUs; hip/Vendor.h refuses KPERF_SHARED_BUFFER",
       "cuda/record": "functions' streams and frames are in PTX; hip/ records through shared memory"}
# function of one vendor's runtime, without the vendor's prefix: why the other's has no hook for it
OWN_HOOKS = {
    "LaunchKernelExC": "launches with attributes, which the HIP that hip/ is tested with does not have",
    "LaunchHandle": "what code of CUDA 13 launches by",
    "LaunchKernel_spt": "HIP's name where each thread has a stream of its own; CUDA's hooks get another symbol then",
}
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


def templates(folder, part):
    """The class templates that gpu/PART declares and leaves to the vendors, each with the functions that gpu/ calls of it."""
    text = COMMENT.sub("", "".join(path.read_text() for path in sorted((folder / "gpu" / part).glob("*.h"))))
    for name in re.findall(r"^template <[^>]*> struct (\w+);", text, re.M):
        if not re.search(rf"^template <[^>]*> struct {name} \{{", text, re.M):
            yield name, set(re.findall(rf"\b{name}<[^>]*>::(?:template )?(\w+)", text))


def defined(text, name):
    """The member functions of a class template; None where it is not defined."""
    body = re.search(rf"^template <[^>]*> struct {name} \{{\n(.*?)^\}};", text, re.M | re.S)
    return body and set(re.findall(r"^  (?:static|__device__)[^;{=]*?\b(\w+)\((?!\()", body[1], re.M))


def check_counting(folder):
    for name, called in templates(folder, "memory"):
        for vendor in VENDORS:
            text = COMMENT.sub("", "".join(path.read_text() for path in sorted((folder / vendor / "memory").glob("*.h"))))
            functions = defined(text, name)
            if functions is None:
                yield f"{HEADERS}/{vendor}/memory: gpu/memory declares {name}, which is not defined"
            else:
                yield from (f"{HEADERS}/{vendor}/memory: gpu/memory calls {name}::{function}, which is not there" for function in sorted(called - functions))


def hooked(folder, vendor):
    """The functions of the vendor's runtime that its launch/ defines itself, without the vendor's prefix."""
    text = COMMENT.sub("", "".join(path.read_text() for path in sorted((folder / vendor / "launch").glob("*.h"))))
    return {name for found in re.findall(r"^KPERF_HIDDEN \w+ (\w+)\([^;{]*\{|^KPERF_HOOK\((\w+)\)", text, re.M)
            for name in [re.sub(rf"^{vendor}", "", next(filter(None, found)))]}


def in_camel_case(hook):
    """kperf_hook_graph_launch is GraphLaunch."""
    own = hook.removeprefix("kperf_hook_")
    return hook if own == hook else "".join(word.capitalize() for word in own.split("_"))


def check_hooks(folder):
    hooks = {vendor: {in_camel_case(name) for name in hooked(folder, vendor)} for vendor in VENDORS}
    for vendor, other in (VENDORS, VENDORS[::-1]):
        if len(hooks[vendor]) < 3:
            yield f"{HEADERS}/{vendor}/launch: only {len(hooks[vendor])} hooks found"
        yield from (f"{HEADERS}/{other}/launch: {vendor}/launch hooks {name}, which it does not"
                    for name in sorted(hooks[vendor] - hooks[other] - OWN_HOOKS.keys()))
    alone = hooks["cuda"] ^ hooks["hip"]
    yield from (f"vendors.py: {name} is not hooked by one vendor alone, and a reason is here" for name in sorted(OWN_HOOKS.keys() - alone))


def check_folders(folder):
    for vendor, other in (VENDORS, VENDORS[::-1]):
        yield from (f"{HEADERS}/{path.relative_to(folder)}: {other}/ has no folder of this name" for path in sorted((folder / vendor).iterdir())
                    if path.is_dir() and not (folder / other / path.name).is_dir() and f"{vendor}/{path.name}" not in OWN)


def main(root):
    folder = pathlib.Path(root) / HEADERS
    used = {word for part in SHARED for path in (folder / part).rglob("*.h") for word in re.findall(r"\w+", COMMENT.sub("", path.read_text()))}
    findings, checked = [*check_folders(folder), *check_counting(folder), *check_hooks(folder)], 0
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
