"""Runs kperf-rewrite on what does not end and on what nests deeply, and prints how it ended and its first line."""
import os
import pathlib
import subprocess

DEEP = 1000000

os.mkfifo("fifo.cu")
pathlib.Path("large.yaml").write_text("#" * 2000000)
for name, text in (("arrays", "[" * DEEP), ("objects", '{"a":' * DEEP)):
    pathlib.Path(name).mkdir()
    pathlib.Path(name, "compile_commands.json").write_text(text)
pathlib.Path("brackets.yaml").write_text("auto: " + "[" * DEEP)
pathlib.Path("lines.yaml").write_text("# an odd \"\nauto:\n" + " [\n" * 200000)
pathlib.Path("dashes.yaml").write_text("- " * (DEEP // 2))
pathlib.Path("keys.yaml").write_text("? " * (DEEP // 2))
pathlib.Path("stairs.yaml").write_text("".join(" " * depth + "a:\n" for depth in range(1400)))
for words in ("fifo.cu -o out.cu", "/dev/zero -o out.cu", "--select=/dev/zero k.cu -o out.cu", "--select=fifo.cu k.cu -o out.cu",
              "--select=large.yaml k.cu -o out.cu", "-p pipe -o out", "-p arrays -o out", "-p objects -o out", "--select=brackets.yaml k.cu -o out.cu",
              "--select=lines.yaml k.cu -o out.cu", "--select=dashes.yaml k.cu -o out.cu", "--select=keys.yaml k.cu -o out.cu",
              "--select=stairs.yaml k.cu -o out.cu"):
    command = "ulimit -v 3000000; exec kperf-rewrite --target=host " + words
    try:
        end = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60)
        print(f"{words}: {end.returncode} {(end.stderr.splitlines() or [''])[0]}")
    except subprocess.TimeoutExpired:
        print(f"{words}: late")
