#!/usr/bin/env python3
"""Reads lit's xunit report, names every skipped test with its reason, and ends with the one line that counts."""
import sys
import xml.etree.ElementTree as ElementTree

REASONS = {
    "gpu": "no NVIDIA GPU here",
    "nvcc": "nvcc is not on PATH",
    "ptxas": "ptxas is not on PATH",
    "hipcc": "hipcc is not on PATH",
    "protoc": "protobuf-compiler is not installed",
    "chromium": "chromium is not installed",
    "clang-22": "clang-22 is not installed",
    "kperf-rewrite": "built without Clang/LLVM 22",
    "release-build": "not built as it is given out",
}


LEFT_TO_LONG_TESTS = "Missing required feature(s): long"


def reason(message):
    """Turns lit's list of missing features into words."""
    head, _, features = message.partition("Missing required feature(s): ")
    if head or not features:
        return "skipped by the test itself" if message == "User interrupt" else message
    return "; ".join(REASONS.get(feature, "needs " + feature) for feature in features.split(", "))


def name(case):
    """The test's path, then its name: structure/help.py, or DecoderTests/Spans.Nest for a GoogleTest case."""
    _, _, folder = case.get("classname").partition(".")
    return f"{folder.removeprefix('_/')}{'.' if 'Tests/' in folder else '/'}{case.get('name')}"


def main(path):
    passed, failed, skipped, long = [], [], [], 0
    for case in ElementTree.parse(path).iter("testcase"):
        skip = case.find("skipped")
        if skip is not None:
            if skip.get("message") == LEFT_TO_LONG_TESTS:
                long += 1
            elif "not selected" not in skip.get("message"):
                skipped.append((name(case), reason(skip.get("message"))))
        elif case.find("failure") is not None:
            failed.append(name(case))
        else:
            passed.append(name(case))
    for test, why in sorted(skipped):
        print(f"skipped: {test} ({why})")
    if long:
        print(f"left out: {long} tests that build many programs; './dev long-tests' runs them")
    for test in sorted(failed):
        print(f"failed: {test}")
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped" + (f", {long} left out" if long else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
