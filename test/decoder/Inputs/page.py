"""Reads a page of kperf, and says what it is made of: page.py FILE."""
import array
import base64
import html.parser
import json
import re
import sys


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.elements, self.parts, self.open = [], {}, None
        with open(path) as file:
            self.text = file.read()
        self.feed(self.text)
        self.data = {name: json.loads("".join(parts)) for name, parts in self.parts.items()}

    def handle_starttag(self, tag, attributes):
        if tag not in self.elements:
            self.elements.append(tag)
        self.open = dict(attributes).get("id") if dict(attributes).get("type") == "application/json" else None

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, text):
        if self.open:
            self.parts.setdefault(self.open, []).append(text)


class Timeline:
    """The columns of a page's timeline: numbers by warp, by track (spans of one warp and depth) and by span."""

    TYPES = {"warps": {"begin": "d", "end": "d", "device": "H", "sm": "H", "kernel": "H", "block": "I", "index": "H", "grid": "d", "track": "I"},
             "tracks": {"depth": "B", "first": "I"}, "spans": {"begin": "I", "length": "I", "region": "H"},
             "releases": {"to": "I", "toAt": "I", "from": "I", "fromAt": "I", "wait": "H", "by": "H"}}
    CROSSING, MARK = 100, 255  # depths: from here on spans cross others; a mark

    def __init__(self, data):
        self.data, self.unit, self.regions = data, data["unitNs"], data["regions"]
        for group, columns in self.TYPES.items():
            read = {name: array.array(kind, base64.b64decode(data[group][name])) for name, kind in columns.items()}
            setattr(self, group, read)
        self.count = len(self.spans["begin"])

    def spansOf(self, warp):
        """(region's name, depth, begin in ns, length in ns) of each span and mark."""
        for track in range(self.warps["track"][warp], self.warps["track"][warp + 1]):
            for i in range(self.tracks["first"][track], self.tracks["first"][track + 1]):
                yield (self.regions[self.spans["region"][i]], self.tracks["depth"][track],
                       self.warps["begin"][warp] + self.spans["begin"][i] * self.unit, self.spans["length"][i] * self.unit)

    def warpTime(self):
        """ns that warps were on SMs, by the averages that the occupancy is drawn from."""
        return sum(sum(array.array("H", base64.b64decode(entry["values"]))) / entry["scale"] * entry["stepNs"]
                   for entry in self.data["occupancy"])

    def sums(self):
        """Count and ns of the spans of each region, by kernel and region; time of a region in itself counts once."""
        out = {}
        for warp in range(len(self.warps["begin"])):
            kernel, around = self.data["kernels"][self.warps["kernel"][warp]], [None] * self.CROSSING
            for name, depth, _, length in sorted(self.spansOf(warp), key=lambda span: (span[2], span[1])):
                if depth == self.MARK:
                    continue
                count, total = out.get((kernel, name), (0, 0))
                isInside = depth < self.CROSSING and name in around[:depth]
                out[kernel, name] = (count + 1, total + (0 if isInside else length))
                if depth < self.CROSSING:
                    around[depth] = name
        return out


VIEWS = ("report", "distribution", "overlap", "memory", "annotate")  # of a page


def differences(page, views):
    """What a page with all spans and its views in JSON do not agree about; empty when they do."""
    out = []
    tables = [table for view in views for table in view["tables"] if table["rows"]]
    for table in tables:
        keys = [column["key"] for column in table["columns"]]
        shown = next((entry for entry in page.data["tables"] if entry["name"] == table["name"]), {"rows": None})
        if shown["rows"] != [[row.get(key) for key in keys] for row in table["rows"]]:
            out.append(f"table {table['name']}")
    shown = {table["name"] for table in page.data["tables"] if table["rows"]} - {"explanation", "run"}  # no view has these
    if {table["name"] for table in tables} != shown:
        out.append("the page has other tables")
    timeline = Timeline(page.data["timeline"])
    lived, shown = sum(timeline.warps["end"]) - sum(timeline.warps["begin"]), timeline.warpTime()
    if abs(lived - shown) > 0.01 * lived:
        out.append(f"warps on each SM: {shown:.0f} ns of {lived:.0f}")
    sums = timeline.sums()
    for row in next(table for table in tables if table["name"] == "regions")["rows"]:
        if row["kind"] in ("mark", "signal") or row["count"] is None:
            continue
        count, total = sums.pop((row["kernel"], row["region"]), (0, 0))
        if count != row["count"] or abs(total - row["total_ns"]) > count:  # both ends of a span are rounded to a ns
            out.append(f"{row['region']}: {count} spans of {total:.0f} ns, and {row['count']} of {row['total_ns']:.0f} in the report")
    return out + [f"{name}: not in the report" for _, name in sums]


def main():
    page = Page(sys.argv[1])
    print("elements:", *page.elements)
    print("addresses:", sorted(set(re.findall(r"https?://[^\"'`\s<)]*", page.text))))
    tables = page.data["tables"]
    print("tables:", [table["name"] for table in tables])
    regions = next(table for table in tables if table["name"] == "regions")
    print(*(row[i] for row in regions["rows"] for i, column in enumerate(regions["columns"]) if column["name"] == "region"))
    timeline = Timeline(page.data["timeline"])
    print(f"timeline: {len(timeline.warps['begin'])} warps, {timeline.count} spans")


if __name__ == "__main__":
    main()
