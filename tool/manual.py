#!/usr/bin/env python3
"""Writes a manual page from what a program prints for --help, its subcommands included."""
import argparse
import os
import re
import subprocess
import tempfile

SUBCOMMAND = re.compile(r"^  ([a-z][a-z-]*)  +\S")
OPTION = re.compile(r"^ {1,8}(-\S.*?)(?:(?: +- +|  +)(\S.*))?$")


def help_of(*command):
    result = subprocess.run([*command, "--help"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "80"})
    if result.returncode != 0 or not result.stdout:
        raise SystemExit(f"manual.py: {' '.join(command)} --help failed: {result.stderr.strip()}")
    return result.stdout


def escape(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text.startswith((".", "'")) else text


def split_summary(text):
    """The sentence that says what the program or the command is for, and the rest."""
    lines = text.rstrip().splitlines()
    is_summary = [bool(line.strip()) and not line.lower().startswith("usage:") and not SUBCOMMAND.match(line) for line in lines]
    first = is_summary.index(True)
    end = (is_summary + [False]).index(False, first)
    summary, usage, words = " ".join(lines[first:end]).removeprefix("OVERVIEW: ").partition(" Usage: ")
    return summary.rstrip("."), lines[:first] + ([(usage + words).strip()] if usage else []) + lines[end:]


def body(lines):
    """Troff of a help text: options become tagged paragraphs, everything else keeps its lines."""
    out, filled = [".nf"], False
    for line in lines:
        match = OPTION.match(line)
        if match:
            out += [".fi", ".TP", r"\fB" + escape(match[1].strip()) + r"\fR"]
            out += [escape(match[2])] if match[2] else []
            filled = True
        elif filled and line.startswith(" " * 8) and line.strip():
            out.append(escape(line.strip()))
        else:
            out += [".PP", ".nf"] if filled else []
            out.append(escape(line))
            filled = False
    return "\n".join(out + [".fi"])


def plain(text):
    """Markdown of one line as troff."""
    return escape(re.sub(r"`|\*", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)))


def environment(name, text):
    """What the page about the environment says: variables of instrumented programs, and the program's exit codes."""
    codes = next(row for row in re.findall(r"^\| `(.*?)` \| (.*?) \| (.*?) \| (.*?) \|$", text, re.M) if row[0] == name)
    parts = [".SH EXIT STATUS"]
    for code, meaning in enumerate(codes[1:]):
        parts += [".TP", str(code), plain(meaning)] if meaning != "–" else []
    parts += [".SH ENVIRONMENT", "Read by instrumented programs when they start, unless another program is named."]
    for variable, default, meaning in re.findall(r"^\| `(KPERF\w*)` \| (.*?) \| (.*) \|$", text, re.M):
        parts += [".TP", rf"\fB{escape(variable)}\fR (default: {plain(default)})", plain(meaning)]
    return parts


def page(program, version, pages):
    name = os.path.basename(program)
    text = help_of(program)
    summary, lines = split_summary(text)
    parts = [
        f'.TH {name.upper()} 1 "" "kperf {version}" "User Commands"',
        ".SH NAME",
        f"{escape(name)} \\- {escape(summary[:1].lower() + summary[1:])}",
        ".SH DESCRIPTION",
        body(lines),
    ]
    if name == "kperf":
        for command in [match[1] for match in map(SUBCOMMAND.match, text.splitlines()) if match]:
            summary, lines = split_summary(help_of(program, command))
            parts += [f".SH {command.upper()}", escape(summary), ".PP", body(lines)]
    parts += environment(name, pages)
    others = sorted({"kperf", "kperf-cc", "kperf-rewrite"} - {name})
    parts += [".SH SEE ALSO", ", ".join(rf"\fB{escape(other)}\fR(1)" for other in others)]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--version", required=True)
    parser.add_argument("--environment", required=True, help="docs/reference/environment.md")
    parser.add_argument("-o", dest="output", required=True)
    arguments = parser.parse_args()
    with open(arguments.environment, encoding="utf-8") as file:
        pages = file.read()
    text = page(arguments.program, arguments.version, pages)
    folder = os.path.dirname(arguments.output)
    os.makedirs(folder, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, arguments.output)


main()
