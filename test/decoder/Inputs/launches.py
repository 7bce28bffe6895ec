"""Prints the text of a trace of several launches: launches.py LAUNCHES REGION=MEAN:SPREAD… [key=value…].

Keys: seed, line (where the first region stands), kernel, build, function. Times are in cycles, which are ns on the host.
"""
import random
import sys


def trace(launches, *arguments):
    """The text, of the program's arguments."""
    regions, keys = {}, {"seed": "1", "line": "10", "kernel": "k", "build": "0x1", "function": "f"}
    for argument in arguments:
        name, _, value = argument.partition("=")
        if ":" in value:
            regions[name] = tuple(map(float, value.split(":")))
        else:
            keys[name] = value
    draw = random.Random(int(keys["seed"]))
    lines = [f"kperf 1.0 target=host build={keys['build']}", f"region 0xa0 kernel \"{keys['kernel']}\" file=\"k.cu\" line=1"]
    for i, name in enumerate(regions):
        lines.append(f"region {0xb0 + i:#x} scope \"{name}\" function=\"{keys['function']}\" file=\"k.cu\" line={int(keys['line']) + i}")
    lines.append("warps")
    now = 1000
    for launch in range(1, int(launches) + 1):
        spans, at = [], now + 10
        for name, (mean, spread) in regions.items():
            length = max(0, round(draw.gauss(mean, spread)))
            spans.append(f"  span \"{name}\" {at}..{at + length}")
            at += length + 10
        lines += [f"warp 0.0 gridId={launch} ns={now}..{at} cycles={now}..{at}", *spans]
        now = at + 1000
    return "\n".join(lines)


if __name__ == "__main__":
    print(trace(*sys.argv[1:]))
