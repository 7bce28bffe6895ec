# RUN: %python %s %kperf_src
"""What of the system exists once: the start of a program, the temporary folder, the file that appears when it is whole. They are in posix/."""
import pathlib
import re
import sys

import tree

FOLDERS = ("decoder", "rewriters", "runtime", "tool")
ONCE = {
    "posix/Child.h": r"\bposix_spawnp?\s*\(|\bExecute(No|And)Wait\s*\(|\bexec(l|le|lp|v|ve|vp|vpe)\s*\(",
    "posix/TemporaryFolder.h": r"\"TMPDIR\"|\bmkdtemp\s*\(|\bcreateUniqueDirectory\s*\(|\btemp_directory_path\s*\(",
    "posix/AtomicFile.h": r"\bO_EXCL\b|\bmko?stemps?\s*\(|\brename\s*\(|\bwriteToOutput\s*\(|\bcreateUniqueFile\s*\(|\bTempFile\b"
                          r"|\bcopy_file\s*\(|\b(std::)?ofstream\b|\braw_fd_ostream\s+\w+\(",
}
# file: what it is about, and why it is another thing
OTHERS = {
    ("tool/process/Spawn.cpp", "posix/Child.h"): "becomes another program, and starts none",
    ("tool/process/CrashFallback.cpp", "posix/Child.h"): "becomes another program in a handler, where no string may be made",
    ("tool/cc/StandardInput.cpp", "posix/AtomicFile.h"): "keeps standard input in memory, under no name",
    ("tool/plain/PlainCopies.cpp", "posix/AtomicFile.h"): "adds a line to a list that steps of nvcc's add to meanwhile",
    ("tool/plain/DeviceStep.cpp", "posix/AtomicFile.h"): "gives a file that one of nvcc's own steps wrote another name",
    ("tool/plain/Assembly.cpp", "posix/AtomicFile.h"): "gives files that nvcc's own steps wrote another name",
}


def main(root):
    checked, findings, seen = 0, [], set()
    for path in tree.sources(root, *FOLDERS):
        if path.suffix not in (".cpp", ".h"):
            continue
        checked += 1
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            for home, pattern in ONCE.items():
                if re.search(pattern, line.split("//")[0]):
                    seen.add((str(path), home))
                    if (str(path), home) not in OTHERS:
                        findings.append(f"{path}:{number}: this is what {home} is for: {line.strip()}")
    findings += [f"{path}: nothing of {home}'s is there any more, and a reason is" for path, home in OTHERS if (path, home) not in seen]
    for home, pattern in ONCE.items():
        if not re.search(pattern, (root / home).with_suffix(".cpp").read_text()):
            findings.append(f"{home}: does not do what others may not")
    tree.finish(findings, checked)


main(pathlib.Path(sys.argv[1]))
