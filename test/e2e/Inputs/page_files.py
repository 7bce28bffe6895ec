"""page_files.py PAGE FOLDER: writes the files that a Markdown page shows, each behind <!-- file: NAME -->, into FOLDER."""
import pathlib
import re
import sys

page, folder = map(pathlib.Path, sys.argv[1:])
shown = re.findall(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", page.read_text(), re.S | re.M)
assert shown, f"{page}: shows no file"
for name, text in shown:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
