"""The files of the repository as the structure tests see them, and how a test ends."""
import pathlib
import subprocess
import sys

SOURCE_SUFFIXES = {".cpp", ".h", ".cu", ".cuh", ".hip", ".def", ".py", ".sh"}


def files(root):
    """Yields every file that is or could be committed, as a path relative to the root, in order."""
    root = pathlib.Path(root)
    listing = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
    )
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split("\0") if name]
    else:  # an unpacked release, without git
        names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
        names = [name for name in names if not name.startswith(("build", ".git/"))]
    return [pathlib.Path(name) for name in sorted(names) if (root / name).is_file()]


def sources(root, *folders):
    """Yields the source files, of the given top folders only if any are given."""
    for path in files(root):
        if path.suffix in SOURCE_SUFFIXES and (not folders or path.parts[0] in folders):
            yield path


def finish(findings, checked):
    """Prints the findings and exits: 1 when there are any, or when nothing was looked at."""
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings in {checked} checked")
    sys.exit(1 if findings or not checked else 0)
