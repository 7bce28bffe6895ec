"""Makes a folder of links to ROCm's device libraries in which newer GPUs have those of older ones: usage: … FOLDER."""
import os
import pathlib
import sys

PLACES = ("/opt/rocm/amdgcn/bitcode", "/usr/amdgcn/bitcode", "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")
STAND_INS = {"942": "940", "1100": "1030"}

target = pathlib.Path(sys.argv[1])
target.mkdir(parents=True)
source = next(pathlib.Path(place) for place in PLACES if os.path.exists(os.path.join(place, "ockl.bc")))
for library in source.iterdir():
    (target / library.name).symlink_to(library)
for newer, older in STAND_INS.items():
    link = target / f"oclc_isa_version_{newer}.bc"
    if not link.exists():
        link.symlink_to(source / f"oclc_isa_version_{older}.bc")
