"""Compares docs/columns.md with the columns of JSON tables: columns.py DOCS COMMAND…, one command a word list split at '+'."""
import json
import re
import subprocess
import sys

documented, sections = {}, re.split(r"^## ", open(sys.argv[1]).read(), flags=re.M)[1:]
for section in sections:
    title, _, body = section.partition("\n")
    rows = [line for line in body.splitlines() if line.startswith("| `")]
    if title.startswith("`"):  # one table, a key or several in each row
        name = title.split("`")[1]
        documented.setdefault(name, set()).update(key for row in rows for key in re.findall(r"`([^`]+)`", row.split("|")[1]))
    else:  # a table in each row
        for row in rows:
            keys = re.findall(r"`([^`]+)`", row.split("|")[2])
            documented.setdefault(f"{title.split()[-1]}:{row.split('`')[1]}", set()).update(keys)
failed, seen = False, set()
for command in sys.argv[2:]:
    words = command.split("+")
    output = subprocess.run([*words, "--format=json"], capture_output=True, text=True, check=True).stdout
    for table in json.loads(output)["tables"]:
        name = table["name"] if table["name"] in documented and words[1] != "info" else f"{words[1]}:{table['name']}"
        keys = {column["key"] for column in table["columns"]}
        seen.add(name)
        if keys != documented.get(name, set()):
            failed = True
            print(f"{name}: printed {sorted(keys - documented.get(name, set()))}, documented {sorted(documented.get(name, set()) - keys)}")
for name in sorted(set(documented) - seen):
    failed = True
    print(f"{name}: documented, and no command here prints it")
print("failed" if failed else f"{len(seen)} tables are as documented")
sys.exit(failed)
