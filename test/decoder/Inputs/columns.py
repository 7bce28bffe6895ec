"""Compares docs/reference/columns.md with the columns of JSON tables: columns.py DOCS COMMAND…, one command a word list split at '+'."""
import json
import re
import subprocess
import sys

documented, sections = {}, re.split(r"^## ", open(sys.argv[1]).read(), flags=re.M)[1:]
for section in sections:
    title, _, body = section.partition("\n")
    name, command = re.match(r"`([^`]+)`: kperf (\w+)", title).groups()
    keys = documented.setdefault(f"{command}:{name}", set())
    keys.update(key for line in body.splitlines() if line.startswith("| `") for key in re.findall(r"`([^`]+)`", line.split("|")[1]))
printed = {}
for command in sys.argv[2:]:
    words = command.split("+")
    output = subprocess.run([*words, "--format=json"], capture_output=True, text=True, check=True).stdout
    for table in json.loads(output)["tables"]:
        printed.setdefault(f"{words[1]}:{table['name']}", set()).update(column["key"] for column in table["columns"])
failed = False
for name in sorted(printed.keys() | {name for name in documented if not name.startswith("selftest:")}):  # that one needs a GPU, or a minute
    found, expected = printed.get(name, set()), documented.get(name, set())
    if found != expected:
        failed = True
        print(f"{name}: printed {sorted(found - expected)}, documented {sorted(expected - found)}")
print("failed" if failed else f"{len(printed)} tables are as documented")
sys.exit(failed)
