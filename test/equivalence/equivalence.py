"""Random annotated kernels: what they store and record is what a model of them predicts.

Each batch is one translation unit with a header; every second one is spelled as HIP. It is rewritten as a project by one and by two workers, which must give
the same text, with nothing taken out; without its annotations it must come out as it is. Built for the host target and
run, it must print what the model computes; its trace must hold the records that the model predicts, the report count them,
and a warp with room for few keep the first or the last of them. A program that fails is made smaller as long as it fails,
and printed.
"""
import argparse
import pathlib
import sys
import time

from batch import Batch
from grow import Grower
from part import PartedGrower
from prediction import Launch, TooLong
from reduction import reduce

OPTIONS = [[], ["--probes=region,memory"], ["--aggregate=*"], ["--aggregate=*", "--histogram"], ["--auto=kernels,functions,loops,barriers", "--auto-guard=0"]]


def grown(number, seed, mode=None, grids=1):
    """The first program from this seed on that is short enough, with its launches; of that mode, and with so many times the blocks."""
    for attempt in range(100):
        grower = PartedGrower if mode == "parted" or (not mode and number % 4 == 3) else Grower
        program = grower(number, f"{seed}.{attempt}").grow()
        program.grid *= grids
        try:
            program.argument = number % 7 + 1
            return program, [Launch(program, instance, program.argument) for instance in program.instances]
        except TooLong:
            pass
    raise RuntimeError(f"no program of seed {seed} is short")


def report(failures, arguments):
    """Makes the smallest program that fails smaller, and prints it."""
    for other, reason in failures[:20]:
        print(f"{other.name} ({other.mode}, seed {other.seed}, {other.size()} statements): {reason}")
    program, why = min(failures, key=lambda failure: failure[0].size())
    program, why = reduce(program, why, arguments)
    print(f"the smallest that was found: {why}\n" + "\n".join(program.cxx()))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True, type=pathlib.Path, help="a folder, made if it is not there")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--batch", type=int, default=200, help="programs in one translation unit")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no batch begins after these")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modes", action="store_true", help="batches in each way of recording, and each also built without kperf")
    parser.add_argument("--nvcc", action="store_true", help="ask nvcc whether it can read what was rewritten, and no more")
    return parser.parse_args()


def main():
    arguments, start, records = parse(), time.monotonic(), 0
    arguments.work.mkdir(parents=True, exist_ok=True)
    last = arguments.first + arguments.programs
    for first in range(arguments.first, last, arguments.batch):
        if time.monotonic() - start > arguments.seconds:
            break
        arguments.options = OPTIONS[first // arguments.batch % len(OPTIONS)] if arguments.modes else []
        arguments.hip = first // arguments.batch % 2 == 1 and not arguments.nvcc
        numbers = range(first, min(first + arguments.batch, last))
        grownUp = [grown(number, f"{arguments.seed}.{number}") for number in numbers]
        batch = Batch(arguments.work, [launch for _, launches in grownUp for launch in launches], arguments)
        if failures := batch.failures():
            print(f"seed {arguments.seed}, programs {first} to {numbers[-1]}, options {arguments.options}, {'HIP' if arguments.hip else 'CUDA'}")
            report(failures, arguments)
            return 1
        records += batch.records
        print(f"seed {arguments.seed}: {numbers[-1] + 1 - arguments.first} programs, {records} records as predicted", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
