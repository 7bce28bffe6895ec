"""Compares a trace of truth.cu with what its kernels do on paper: usage: truth.py KPERF TRACE."""
import re
import subprocess
import sys

kperf, trace = sys.argv[1:]
sites, counters = {}, {}
for line in subprocess.run([kperf, "dump", trace], check=True, capture_output=True, text=True).stdout.splitlines():
    if found := re.match(r'site (0x\w+) (\w+) "((?:[^"\\]|\\.)*)".* function="([^"]*)"', line):
        sites[found[1]] = (found[4], found[3], found[2])
    elif line.startswith("counters "):
        words = line.split()
        row = counters.setdefault(words[1], {})
        for word in words[2:]:
            name, value = word.split("=")
            row[name] = row.get(name, 0) + int(value)

expected = {}


def expect(function, expression, kind, **counts):
    expected[function, expression, kind] = {name.replace("_", "-"): value for name, value in counts.items() if value}


def unit(function, expression, kind, warps, size=4, **more):
    """Whole warps, each on neighbouring elements from an address that is a multiple of 128."""
    sectors, lines = warps * size, warps * max(1, size // 4)
    counts = dict(accesses=warps, lanes=32 * warps, bytes=32 * size * warps, distinct_bytes=32 * size * warps, sectors=sectors,
                  min_sectors=sectors, lines=lines, min_lines=lines, unit=warps, serial_lanes=warps)
    expect(function, expression, kind, **{**counts, **more})


def strided(function, expression, stride, sectors, lines, **more):
    """4 warps of floats that are `stride` bytes apart; sectors and lines of one warp."""
    unit(function, expression, "load", 4, sectors=4 * sectors, lines=4 * lines, unit=0, strided=4, stride_bytes=4 * stride, **more)


def shared(function, expression, kind, accesses, wavefronts, least, size=4, lanes=None, serial=None, stride=0):
    lanes = lanes or 32 * accesses
    expect(function, expression, kind, shared_accesses=accesses, shared_lanes=lanes, shared_bytes=lanes * size,
           wavefronts=wavefronts, min_wavefronts=least, shared_serial_lanes=serial or accesses,
           shared_strided=accesses if stride else 0, shared_stride_bytes=accesses * stride)


for name in ("stride1 stride2 stride4 stride8 stride16 stride32 stride33 backwards misaligned broadcast readOnly called "
             "arrayOfStructures structureOfArrays").split():
    unit(name, "out[i]", "store", 4)
unit("stride1", "in[i]", "load", 4)
strided("stride2", "in[i * 2]", 8, sectors=8, lines=2)
strided("stride4", "in[i * 4]", 16, sectors=16, lines=4)
strided("stride8", "in[i * 8]", 32, sectors=32, lines=8)
strided("stride16", "in[i * 16]", 64, sectors=32, lines=16)
strided("stride32", "in[i * 32]", 128, sectors=32, lines=32)
strided("stride33", "in[i * 33]", 132, sectors=32, lines=32)
strided("backwards", "in[127 - i]", 4, sectors=4, lines=1)
unit("misaligned", "in[i + 1]", "load", 4, sectors=20, lines=8, misaligned=4)
unit("broadcast", "in[blockIdx.x]", "load", 4, distinct_bytes=16, sectors=4, min_sectors=4, lines=4, min_lines=4, unit=0,
     broadcast=4, serial_lanes=128)
unit("readOnly", "in + i", "load", 4)
strided("second", "pointer[1]", 8, sectors=8, lines=2)
unit("structureOfArrays", "y[i]", "load", 4)
strided("arrayOfStructures", "in[i].y", 16, sectors=16, lines=4)
for side, kind in (("in", "load"), ("out", "store")):
    unit("vector2", side + "[i]", kind, 4, size=8)
    unit("vector4", side + "[i]", kind, 4, size=16)
    # three instructions of 4 bytes, 12 bytes apart: 384 bytes are 12 sectors and 3 lines, each time
    expect("triples", side + "[i]", kind, accesses=12, lanes=384, bytes=1536, distinct_bytes=1536, sectors=144, min_sectors=48,
           lines=36, min_lines=12, strided=12, stride_bytes=144, serial_lanes=12)
    # 32 bytes from a multiple of 32; four warps share a line
    unit("bytes", side + "[i]", kind, 4, size=1)
    unit("generic", side + "[i]", kind, 4)
    # blocks begin at bytes 0 and 160: lines 0, 1 and 1+2, 2
    expect("partial", side + "[i]", kind, accesses=4, lanes=80, bytes=320, distinct_bytes=320, sectors=10, min_sectors=10,
           lines=5, min_lines=4, unit=4, serial_lanes=4)
    # four rows of 32 bytes, 256 apart
    expect("plane", side + "[i]", kind, accesses=2, lanes=64, bytes=256, distinct_bytes=256, sectors=8, min_sectors=8, lines=8,
           min_lines=2, irregular=2, serial_lanes=2)
    # eight rows of 16 bytes, 64 apart in each of two planes
    expect("cube", side + "[i]", kind, accesses=2, lanes=64, bytes=256, distinct_bytes=256, sectors=16, min_sectors=8, lines=8,
           min_lines=2, irregular=2, serial_lanes=2)
    expect("evenLanes", side + "[i]", kind, accesses=2, lanes=32, bytes=128, distinct_bytes=128, sectors=8, min_sectors=4,
           lines=2, min_lines=2, strided=2, stride_bytes=16, serial_lanes=2)
unit("update", "data[i]", "update", 4)
for side in ("first", "other"):
    expect("halves", side + "[i]", "load", accesses=2, lanes=32, bytes=128, distinct_bytes=128, sectors=4, min_sectors=4,
           lines=2, min_lines=2, unit=2, serial_lanes=2)
unit("halves", "out[i]", "store", 2)
# pass k of a warp: lanes k to 31, floats k to 31 of row k; two warps do the same
lanes = [range(k, 32) for k in range(32)]
sectors = sum(4 - k // 8 for k in range(32))
least = sum((32 - k + 7) // 8 for k in range(32))
expect("triangle", "in[k * 32 + i]", "load", accesses=64, lanes=2 * 528, bytes=8 * 528, distinct_bytes=8 * 528,
       sectors=2 * sectors, min_sectors=2 * least, lines=64, min_lines=64, unit=64, serial_lanes=64,
       misaligned=2 * sum(k % 8 != 0 and 4 - k // 8 > (32 - k + 7) // 8 for k in range(32)))
unit("triangle", "out[i]", "store", 2)

unit("patterns", "in[i]", "load", 2)
unit("patterns", "out[threadIdx.x]", "store", 2)
for first in ("", " + 32", " + 64", " + 96"):
    shared("patterns", f"tile[i{first}]", "store", 2, 2, 2)
# 6 times each: floats k, k + s, ... of a warp, for strides s of 0 to 3 and k below 32
each = [(s, {s * i + k for i in range(32)}) for s in range(4) for k in range(32)]
least = [(len(floats) + 7) // 8 for s, floats in each]
sectors = [len({f // 8 for f in floats}) for s, floats in each]
expect("patterns", "in[at]", "load", accesses=6 * 128, lanes=6 * 128 * 32, bytes=6 * 128 * 128,
       distinct_bytes=6 * sum(4 * len(floats) for s, floats in each), sectors=6 * sum(sectors), min_sectors=6 * sum(least),
       lines=6 * sum(len({f // 32 for f in floats}) for s, floats in each),
       min_lines=6 * sum((len(floats) + 31) // 32 for s, floats in each), broadcast=6 * 32, unit=6 * 32, strided=6 * 64,
       stride_bytes=6 * 32 * (8 + 12), serial_lanes=6 * sum(32 if s == 0 else 1 for s, floats in each),
       misaligned=6 * sum(min(floats) % 8 != 0 and n > m for (s, floats), n, m in zip(each, sectors, least) if s == 1))
ways = [max(sum(f % 32 == bank for f in floats) for bank in range(32)) for s, floats in each]
expect("patterns", "tile[at]", "load", shared_accesses=6 * 128, shared_lanes=6 * 128 * 32, shared_bytes=6 * 128 * 128,
       wavefronts=6 * sum(ways), min_wavefronts=6 * 128, shared_strided=6 * 64, shared_stride_bytes=6 * 32 * (8 + 12),
       shared_serial_lanes=6 * sum(32 if s == 0 else 1 for s, floats in each))

seed, indices = 12345, []
for _ in range(64):
    seed = (seed * 1664525 + 1013904223) % 2**32
    indices.append(seed >> 20)
warps = [indices[:32], indices[32:]]
unit("gather", "index[i]", "load", 2)
unit("gather", "out[i]", "store", 2)
different = [set(warp) for warp in warps]
expect("gather", "in[index[i]]", "load", accesses=2, lanes=64, bytes=256, distinct_bytes=4 * sum(map(len, different)),
       sectors=sum(len({i // 8 for i in warp}) for warp in warps), min_sectors=sum((len(d) + 7) // 8 for d in different),
       lines=sum(len({i // 32 for i in warp}) for warp in warps), min_lines=2, irregular=2,
       serial_lanes=sum(max(map(warp.count, warp)) for warp in warps))
bins = [[i % 8 for i in warp] for warp in warps]
most = sum(max(map(warp.count, warp)) for warp in bins)
unit("histogram", "index[threadIdx.x]", "load", 2)
expect("histogram", "&bins[index[threadIdx.x] % 8]", "atomic", accesses=2, lanes=64, bytes=256,
       distinct_bytes=4 * sum(len(set(b)) for b in bins), sectors=most, min_sectors=sum(max(4, *map(b.count, b)) for b in bins), lines=2, min_lines=2, irregular=2,
       serial_lanes=most)
unit("sharedHistogram", "index[threadIdx.x]", "load", 2)
shared("sharedHistogram", "local[threadIdx.x]", "store", 1, 1, 1, lanes=8)
shared("sharedHistogram", "&local[index[threadIdx.x] % 8]", "atomic", 2, most, most, serial=most)
shared("sharedHistogram", "local[threadIdx.x]", "load", 1, 1, 1, lanes=8)
expect("sharedHistogram", "bins[threadIdx.x]", "update", accesses=1, lanes=8, bytes=32, distinct_bytes=32, sectors=1,
       min_sectors=1, lines=1, min_lines=1, unit=1, serial_lanes=1)

for name, ways, pitch in (("transposeTiled", 32, 128), ("transposePadded", 1, 132)):
    unit(name, "in[row * 32 + threadIdx.x]", "load", 32)
    unit(name, "out[row * 32 + threadIdx.x]", "store", 32)
    shared(name, "tile[row][threadIdx.x]", "store", 32, 32, 32)
    shared(name, "tile[threadIdx.x][row]", "load", 32, 32 * ways, 32, stride=pitch)
unit("transposeNaive", "in[row * 32 + threadIdx.x]", "load", 32)
unit("transposeNaive", "out[threadIdx.x * 32 + row]", "store", 32, sectors=1024, lines=1024, unit=0, strided=32,
     stride_bytes=32 * 128)

unit("banks", "in[i]", "load", 1)
unit("banks", "out[i]", "store", 1)
shared("banks", "dynamic[i]", "store", 1, 4, 4, size=16)
shared("banks", "words[i * 2]", "load", 1, 2, 1, stride=8)
shared("banks", "words[i * 4]", "load", 1, 4, 1, stride=16)
shared("banks", "words[i % 2]", "load", 1, 1, 1, serial=16)
shared("banks", "words[(i * 3) % 128]", "load", 1, 1, 1, stride=12)
shared("banks", "pairs[i]", "load", 1, 2, 2, size=8)
# pairs 0, 16, 32, 48 of the same two banks, each asked for by four lanes of a half warp
shared("banks", "pairs[(i * 16) % 64]", "load", 1, 8, 2, size=8, serial=8)
shared("banks", "dynamic[31 - i]", "load", 1, 4, 4, size=16, stride=16)

wrong = 0
for site, key in sites.items():
    found, wanted = counters.get(site, {}), expected.pop(key, None)
    if found != wanted:
        wrong += 1
        names = sorted({*found, *(wanted or {})})
        print(*key, *(f"{n}: {found.get(n, 0)}, expected {(wanted or {}).get(n, 0)};" for n in names
                      if found.get(n, 0) != (wanted or {}).get(n, 0)))
for key in expected:
    wrong += 1
    print(*key, "is not in the trace")
print(f"{len(sites)} sites, {wrong} wrong")
sys.exit(wrong > 0)
