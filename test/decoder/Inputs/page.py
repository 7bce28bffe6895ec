"""Says what a page is made of: page.py FILE."""
import base64
import html.parser
import json
import re
import sys


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.elements, self.data, self.open, self.text = [], {}, None, open(sys.argv[1]).read()
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        if tag not in self.elements:
            self.elements.append(tag)
        self.open = dict(attributes).get("id") if dict(attributes).get("type") == "application/json" else None

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, text):
        if self.open:
            self.data[self.open] = self.data.get(self.open, "") + text


page = Page()
print("elements:", *page.elements)
print("addresses:", sorted(set(re.findall(r"https?://[^\"'`\s<)]*", page.text))))
tables = json.loads(page.data["tables"])
print("tables:", [table["name"] for table in tables])
print(*(row[i] for row in tables[0]["rows"] for i, column in enumerate(tables[0]["columns"]) if column["name"] == "region"))
timeline = json.loads(page.data["timeline"])
print(f"timeline: {timeline['warpCount']} warps, {len(base64.b64decode(timeline['spans']['begin'])) // 4} spans")
