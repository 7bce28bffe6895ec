#!/usr/bin/env bash
# Packs the fuzzers that ./dev fuzz built, with their seeds and what they link, for any x86-64 machine with glibc 2.36 and Python 3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if (($# != 1)); then
  echo "usage: test/fuzz/bundle.sh FILE.tar.xz   (after ./dev fuzz 1)" >&2
  exit 2
fi
fuzzers=(TraceFuzzer TextFuzzer BudgetFuzzer SelectionFuzzer CommandFuzzer AssemblyFuzzer AnnotationFuzzer SourceFuzzer)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle=$work/fuzz
mkdir -p "$bundle/lib" "$bundle/seeds"
for fuzzer in "${fuzzers[@]}"; do
  strip -g "build-fuzz/fuzz/$fuzzer" -o "$bundle/$fuzzer"
  mkdir -p "$bundle/seeds/$fuzzer"
  for folder in "build-fuzz/seeds/$fuzzer" "build-fuzz/corpus/$fuzzer"; do
    [[ ! -d $folder ]] || cp -r "$folder/." "$bundle/seeds/$fuzzer"
  done
  ldd "build-fuzz/fuzz/$fuzzer" | awk '/lib(fmt|yaml-cpp|protobuf|z)[-.]/ { print $3 }' | xargs -r -I{} cp {} "$bundle/lib/"
done
cp test/fuzz/run.py "$bundle/"
tar -C "$work" -cf - fuzz | xz -T0 -6 >"$1"
echo "$1: $(stat -c %s "$1") bytes; tar -xf it, then fuzz/run.py SECONDS"
