"""cubin.py TABLE LISTING: a file that has the shape of a cubin with kperf's table of regions, and a listing for the nvdisasm of these tests."""
import pathlib
import struct
import sys

CUDA, PROGBITS, SYMTAB, STRTAB = 190, 1, 2, 3
NAMES = b"\0kperf_table_regions\0"


def section(kind, offset, size, link=0, entry=0):
    return struct.pack("<IIQQQQIIQQ", 0, kind, 0, 0, offset, size, link, 0, 1, entry)


def cubin(table):
    parts = [table + b"\0", struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0) + struct.pack("<IBBHQQ", 1, 1, 0, 1, 0, len(table) + 1), NAMES]
    offsets = [64]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    sections = bytes(64) + section(PROGBITS, offsets[0], len(parts[0])) + section(SYMTAB, offsets[1], len(parts[1]), 3, 24)
    sections += section(STRTAB, offsets[2], len(parts[2]))
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, CUDA, 1, 0, 0, offsets[3], 0, 64, 0, 0, 64, 4, 0)
    return header + b"".join(parts) + sections


def main(table, listing):
    rows = ", ".join(pathlib.Path(table).read_text().split("\n")).strip(", ")
    sys.stdout.buffer.write(cubin(rows.encode()) + b"\nLISTING\n" + pathlib.Path(listing).read_bytes())


main(*sys.argv[1:])
