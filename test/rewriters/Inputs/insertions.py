"""Says whether a rewritten file holds the lines of the original, in order and with insertions only."""
import sys


def is_subsequence(short, long):
    rest = iter(long)
    return all(byte in rest for byte in short)


def main(before_path, after_path):
    before = open(before_path, "rb").read().split(b"\n")
    after = open(after_path, "rb").read().split(b"\n")
    if before[-1] == b"":
        before.pop()
    if after[-1] == b"":
        after.pop()
    changed = 0
    for number, (old, new) in enumerate(zip(before, after), 1):
        if number == len(before):
            new = new.rstrip(b"\r") if not old.endswith(b"\r") else new
        if not is_subsequence(old, new):
            print(f"line {number} lost something: {old!r} became {new!r}")
            return 1
        changed += old != new
    print(f"{len(before)} lines kept, {changed} with insertions, {len(after) - len(before)} added behind the last")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
