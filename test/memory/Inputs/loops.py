"""Compares a trace of loops.cu with what its kernels noted: usage: loops.py KPERF TRACE < what it printed."""
import collections
import re
import subprocess
import sys

SITE = re.compile(r'site (0x\w+) \w+ ".*\bnoted<([^>,]+).* function="')


def counted(kperf, trace):
    """{what is noted: {counter: value}}."""
    lines = subprocess.run([kperf, "dump", trace], check=True, capture_output=True, text=True).stdout.splitlines()
    names = {found[1]: found[2] for found in map(SITE.match, lines) if found}
    sums = collections.defaultdict(collections.Counter)
    for line in lines:
        if line.startswith("counters ") and line.split()[1] in names:
            sums[names[line.split()[1]]].update({name: int(value) for name, value in (word.split("=") for word in line.split()[2:]) if value.isdigit()})
    return sums


due = collections.defaultdict(collections.Counter)
for number, words in re.findall(r"^expect (\d+) (.*)", sys.stdin.read(), re.M):
    name = "sizeof(T)" if int(number) < 20 else number  # instances of a template are one access
    due[name].update({name: int(value) for name, value in (word.split("=") for word in words.split())})
found, wrong = counted(*sys.argv[1:]), 0
for name in due.keys() | found.keys():
    apart = {counter: (found[name][counter], due[name][counter]) for counter in due[name].keys() | found[name].keys()
             if found[name][counter] != due[name][counter]}
    if apart:
        wrong += 1
        print(f"noted<{name}>: counted and noted:", apart)
print(f"{len(due)} accesses, {wrong} wrong")
sys.exit(wrong > 0 or len(due) < 21)
