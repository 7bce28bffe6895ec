#!/usr/bin/env python3
"""Writes a manual page from what a program prints for --help, its subcommands included."""
import argparse
import os
import re
import subprocess
import tempfile

SUBCOMMAND = re.compile(r"^  ([a-z][a-z-]*)  +\S")
OPTION = re.compile(r"^ {1,8}(-\S.*?)(?:  +(\S.*))?$")


def help_of(*command):
    result = subprocess.run([*command, "--help"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "80"})
    if result.returncode != 0 or not result.stdout:
        raise SystemExit(f"manual.py: {' '.join(command)} --help failed: {result.stderr.strip()}")
    return result.stdout


def escape(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text.startswith((".", "'")) else text


def body(text):
    """Troff of one help text: options become tagged paragraphs, everything else keeps its lines."""
    out, filled = [".nf"], False
    for line in text.rstrip().splitlines():
        match = OPTION.match(line)
        if match:
            out += [".fi", ".TP", r"\fB" + escape(match[1].strip()) + r"\fR"]
            out += [escape(match[2].removeprefix("- "))] if match[2] else []
            filled = True
        elif filled and line.startswith(" " * 8) and line.strip():
            out.append(escape(line.strip()))
        else:
            out += [".PP", ".nf"] if filled else []
            out.append(escape(line))
            filled = False
    return "\n".join(out + [".fi"])


def page(program, version):
    name = os.path.basename(program)
    text = help_of(program)
    lines = [re.sub(r"^OVERVIEW: ", "", line) for line in text.splitlines()]
    first = next(line for line in lines if line.strip() and not re.match(r"usage:", line, re.I))
    parts = [
        f'.TH {name.upper()} 1 "" "kperf {version}" "User Commands"',
        ".SH NAME",
        f"{escape(name)} \\- {escape(first.strip())}",
        ".SH DESCRIPTION",
        body(text),
    ]
    if name == "kperf":
        for command in [match[1] for match in map(SUBCOMMAND.match, text.splitlines()) if match]:
            parts += [f".SH {command.upper()}", body(help_of(program, command))]
    others = sorted({"kperf", "kperf-cc", "kperf-rewrite"} - {name})
    parts += [".SH SEE ALSO", ", ".join(rf"\fB{escape(other)}\fR(1)" for other in others)]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--version", required=True)
    parser.add_argument("-o", dest="output", required=True)
    arguments = parser.parse_args()
    text = page(arguments.program, arguments.version)
    folder = os.path.dirname(arguments.output)
    os.makedirs(folder, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, arguments.output)


main()
