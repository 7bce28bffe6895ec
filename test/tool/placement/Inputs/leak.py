"""leak.py LISTING WHAT before|behind LINE: moves the first instruction with that text across the first clock read that is on that line of the
source, as a compiler would that puts it elsewhere: its places go with it.
leak.py LISTING drop LINE: leaves the clock read out.    leak.py LISTING skip LINE: jumps over it on one path."""
import re
import sys

path, *what = sys.argv[1:]
items, places, isOpen = [], [], False  # (text, places)
for text in open(path).read().splitlines():
    if text.startswith("\t//##"):
        places = (places if isOpen else []) + [text]
        isOpen = True
    else:
        items.append((text, [] if text.startswith((".", "//")) else places))
        isOpen = False


def clock(line):
    return next(i for i, (text, at) in enumerate(items) if "CS2R.32" in text and at[-1].endswith(f"line {line}"))


if what[0] == "drop":
    del items[clock(what[1])]
elif what[0] == "skip":
    at = clock(what[1])
    items.insert(at + 1, (".L_x_900:", []))
    items.insert(at, ("        /*0000*/              @P6 BRA `(.L_x_900) ;", items[at][1]))
else:
    moved = items.pop(next(i for i, (text, _) in enumerate(items) if re.search(rf"\*/\s+{what[0]}\b", text)))
    items.insert(clock(what[2]) + (what[1] == "behind"), moved)
for text, at in items:
    print("\n".join([*at, text]))
