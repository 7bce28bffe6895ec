"""A batch of programs on its way through kperf's tools."""
import json
import os
import re
import subprocess

from comparison import compareKept, compareReport, compareTrace, readWarps
from source import expectedOutput, files, inHip

ANNOTATION = re.compile(r'KPERF_\w+\((?:"[^"]*")(?:, [^;]*)?\);?|#pragma kperf.*|#define M\d+_\d+\(\w+\) KPERF_MARK.*')


class Failure(Exception):
    """Of a batch as a whole; the text says which step."""


class Batch:
    def __init__(self, folder, launches, options):
        self.folder, self.launches, self.options = folder, launches, options
        self.programs = list({launch.program.number: launch.program for launch in launches}.values())
        self.records = 0
        self.suffix = ".hip" if options.hip else ".cu"
        self.main = "all" + self.suffix

    def failures(self):
        """(program, what differs) of those that fail; where a step fails for all of them, of one that makes it fail."""
        try:
            self.write()
            if self.options.nvcc:
                self.run("kperf-cc", "nvcc", "-arch=sm_90", "-w", "-cubin", "-fdevice-syntax-only", "all.cu", "-o", "all.cubin")
                return []
            self.rewrite()
            self.compile()
            return list(self.compare())
        except (Failure, ValueError) as caught:
            failure = caught
            if len(self.programs) == 1:
                return [(self.programs[0], str(failure))]
        middle = self.programs[len(self.programs) // 2].number
        for isInHalf in (lambda number: number < middle, lambda number: number >= middle):
            half = Batch(self.folder, [launch for launch in self.launches if isInHalf(launch.program.number)], self.options)
            if found := half.failures():
                return found
        return [(program, str(failure)) for program in self.programs]

    def run(self, *command, **environment):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env={**os.environ, **environment}, timeout=300)
        if done.returncode != 0:
            raise Failure(f"{' '.join(command[:4])} ends with {done.returncode}: {(done.stderr or done.stdout)[:2000]}")
        return done.stdout

    def write(self):
        self.files = files(self.programs, self.launches)
        if self.options.hip:
            self.files = dict(inHip(name, lines) for name, lines in self.files.items())
        for name, lines in self.files.items():
            (self.folder / name).write_text("\n".join(lines) + "\n")
        compiler = "hipcc" if self.options.hip else "nvcc"
        entries = [{"directory": str(self.folder), "file": name, "command": f"{compiler} -c {name} -o {name}.o"}
                   for name in self.files if name.endswith(self.suffix)]
        (self.folder / "compile_commands.json").write_text(json.dumps(entries))

    def rewrite(self):
        texts = []
        for jobs in ("1", "2"):  # into the same folder, for includes of rewritten headers name it
            self.run("rm", "-rf", "rewritten")
            self.run("kperf-rewrite", "-p", ".", "-j", jobs, "--target=host", "-o", "rewritten")
            root = self.folder / "rewritten/overlay"
            texts.append({str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()})
        if texts[0] != texts[1] or not texts[0]:
            raise Failure("one worker and two write different texts")
        for name, text in texts[0].items():
            if name.endswith(self.main):
                self.checkInsertions(self.files[self.main], text.split(f'#line 1 "{self.main}"\n')[1].splitlines())
        bare = "\n".join(ANNOTATION.sub("", line) for line in self.files[self.main]).replace('#include "functions.h"', "") + "\n"
        if "KPERF" in bare:
            raise Failure("an annotation is left in what should have none")
        (self.folder / f"bare{self.suffix}").write_text(bare)
        if self.run("kperf-rewrite", f"bare{self.suffix}", "-o", "-") != bare:
            raise Failure("text without annotations does not come out as it is")

    @staticmethod
    def checkInsertions(before, after):
        """Line by line, what was there is there still, in its order."""
        for number, (line, rewritten) in enumerate(zip(before, after), 1):
            rest = iter(rewritten)
            if not line.startswith(("#include", "  clear();")) and not all(letter in rest for letter in line):
                raise Failure(f"line {number} lost something: {line!r} became {rewritten!r}")

    def compile(self):
        self.run("kperf-cc", *self.options.options, "host", "-O0", "-w", self.main, "-o", "all")
        self.printed, self.dump = self.record(KPERF_RECORDS="4096")
        if self.options.modes:
            self.run("kperf-cc", "--no-instrument", "host", "-O0", "-w", self.main, "-o", "plain")
            if self.run("./plain") != self.printed:
                raise Failure("the program prints something else without kperf")

    def record(self, **environment):
        environment |= {"KPERF_HOST_CLOCK": "virtual", "KPERF_OUTPUT": "all.kperf", "KPERF_QUIET": "1", "KPERF_BUFFER_MB": "512"}
        (self.folder / "all.kperf").unlink(missing_ok=True)
        printed = self.run("./all", **environment)
        return printed, self.run("kperf", "dump", "all.kperf") if (self.folder / "all.kperf").exists() else ""

    def compare(self):
        wrong = {line.split()[0] for line in set(self.printed.splitlines()) ^ set(expectedOutput(self.launches).splitlines())}
        for launch in self.launches:
            if launch.name() in wrong:
                yield launch.program, f"{launch.name()} stores something else than its model"
        self.records = sum(len(warp.records) for warp in readWarps(self.dump))
        yield from compareTrace(self.dump, self.launches)
        programs = {program.name: program for program in self.programs}
        table = self.run("kperf", "report", "--format=csv", "all.kperf") if self.dump else ""
        for name, difference in compareReport(self.dump, table):
            yield programs[name], difference
        if any(option.startswith("--auto") for option in self.options.options):  # those regions are no part of the model
            return
        for keep in ("first", "last"):
            printed, kept = self.record(KPERF_RECORDS="8", KPERF_KEEP=keep)
            for name, difference in compareKept(self.dump, kept, keep == "last"):
                yield programs[name], difference
            if printed != self.printed:
                raise Failure(f"with few records, of which the {keep} are kept, the program prints something else")
