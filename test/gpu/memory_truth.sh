#!/bin/sh
# Runs the checks of test/memory/truth.test on a GPU. On the machine that builds:
#   kperf-cc --no-instrument nvcc -O3 -gencode arch=compute_90a,code=sm_90a test/memory/Inputs/truth.cu -o plain
#   kperf-cc --probes=memory nvcc -O3 -gencode arch=compute_90a,code=sm_90a test/memory/Inputs/truth.cu -o counted
# and on the one with the GPU:
#   test/gpu/memory_truth.sh KPERF PLAIN COUNTED
# where KPERF is build/bin/kperf. Prints what differs; exit code 0 when nothing does.
set -eu
kperf=$1 plain=$2 counted=$3
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$plain" > "$folder/plain.txt"
KPERF_QUIET=1 KPERF_OUTPUT="$folder/trace.kperf" "$counted" > "$folder/counted.txt"
cat "$folder/counted.txt"
diff "$folder/plain.txt" "$folder/counted.txt"
python3 "$here/../memory/Inputs/truth.py" "$kperf" "$folder/trace.kperf"
