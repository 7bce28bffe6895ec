"""Each exchange of one clock with itself holds the truth: usage: exchange.py FILE…"""
import re
import sys

LINE = re.compile(r"clocks leader=([0-9a-f]{32}) host=([0-9a-f]{32}) ns=(\d+)\.\.(\d+) leader-ns=(\d+)\n")
for name in sys.argv[1:]:
    lines = open(name).readlines()
    assert len(lines) == 2, lines
    for line in lines:
        leader, host, begin, end, read = LINE.fullmatch(line).groups()
        assert leader == host, line
        assert int(begin) <= int(read) <= int(end), line
        assert int(end) - int(begin) < 10_000_000, line
