"""Runs the pipeline example on random schedules; its trace has to say of each what the model says."""
import json
import os
import random
import subprocess
import sys

import pipeline_model


def say(program, cycles, slots, tiles):
    words = [f"--cycles{stage}={each}" for stage, each in enumerate(cycles)]
    environment = {**os.environ, "KPERF_OUTPUT": "trace.kperf"}
    subprocess.run([program, f"--stages={len(cycles)}", f"--slots={slots}", f"--tiles={tiles}", "--blocks=1", *words],
                   check=True, env=environment, stdout=subprocess.DEVNULL)
    output = subprocess.run(["kperf", "overlap", "trace.kperf", "--block=0", "--format=json"], check=True, capture_output=True)
    return {table["name"]: table["rows"] for table in json.loads(output.stdout)["tables"]}


def main(program):
    numbers = random.Random(20261121)
    for _ in range(10):
        stages, slots, tiles = numbers.randint(2, 6), numbers.randint(1, 6), numbers.randint(3, 24)
        cycles = [numbers.randint(2, 5000) for _ in range(stages)]
        case = f"cycles {cycles}, {slots} slots, {tiles} tiles"
        tables = say(program, cycles, slots, tiles)
        warps = pipeline_model.simulate(cycles, slots, tiles)
        duration = max(warp.end for warp in warps) - min(warp.begin for warp in warps)
        found = {}
        for row in tables["path"]:
            key = row["segment"], row["warp"]
            found[key] = found.get(key, 0) + row["time_cycles"]
        expected = pipeline_model.critical_path(warps)
        assert sum(found.values()) == duration == sum(expected.values()), f"{case}: the path is not as long as the block"
        assert found == expected, f"{case}:\n{sorted(found.items())}\nexpected\n{sorted(expected.items())}"
        for row in tables["waits"]:
            assert row["not-known"] == 0, f"{case}: {row}"
        # The stage that the path is in most is the one that the schedule is slowest for.
        most = max((each for each in expected if each[0] in ("load", "multiply", "store")), key=expected.get)
        if tiles > 3 * stages and slots > 1:
            assert cycles[most[1]] == max(cycles), f"{case}: {most} is no bottleneck"
        print(f"ok: {case}: {most[0]} of warp {most[1]}, {100 * expected[most] / duration:.1f} %")


main(sys.argv[1])
