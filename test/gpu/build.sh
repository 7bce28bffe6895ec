#!/usr/bin/env bash
# Builds the GPU tests into a folder that runs on any machine with a GPU: FOLDER/run.py, faults.py, sanitize.py, soak.py, budget.py,
# machine.py, partings.py, calls.py and lanes.py are the rest. Needs nvcc and a build of kperf (./dev build); no GPU.
set -efuo pipefail # f: an option like --aggregate=* stands for no file
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
if (($# == 0)); then
  echo "usage: test/gpu/build.sh FOLDER [SCRIPT…]   for run, faults, sanitize, soak, budget, machine, partings, calls, lanes, or all (ARCH=80: for another GPU than sm_90a)" >&2
  exit 2
fi
out=$1
arch=${ARCH:-90a}
kperf=${KPERF_BUILD:-$root/build}/bin
flags=(-std=c++17 -O3 "-I$root/runtime/include" -gencode "arch=compute_$arch,code=sm_$arch")
mkdir -p "$out"
shift

# start COMMAND…: runs it beside the others, as many as there are cores. finish: waits for them; stops where one failed.
cores=$(nproc)
failed=$(mktemp)
trap 'rm -f "$failed"' EXIT
start() {
  while (($(jobs -pr | wc -l) >= cores)); do wait -n || true; done
  { "$@" || echo "failed: $*" >>"$failed"; } &
}
finish() {
  wait
  cat "$failed" >&2
  [[ ! -s $failed ]]
}
scripts=" ${*:-run faults sanitize soak budget machine partings calls lanes} "
cp "$kperf/kperf" "$here/checks.py" "$out/"
ldd "$kperf/kperf" | awk '/lib(fmt|yaml-cpp|sqlite3|protobuf)/ { print $3 }' | xargs -r -I{} cp {} "$out/"

if [[ $scripts == *" faults "* ]]; then
  cp "$here/faults.py" "$out/"
  start nvcc "${flags[@]}" "$here/faults.cu" -o "$out/faults.plain"
  start "$kperf/kperf-cc" nvcc "${flags[@]}" "$here/faults.cu" -o "$out/faults.probed"
  start "$kperf/kperf-cc" nvcc -DKPERF_SWITCHABLE "${flags[@]}" "$here/faults.cu" -o "$out/faults.switched"
fi

if [[ $scripts == *" soak "* ]]; then
  cp "$here/soak.py" "$out/"
  start "$kperf/kperf-cc" '--aggregate=*' nvcc "${flags[@]}" "$here/soak.cu" -o "$out/soak.sums"
  start "$kperf/kperf-cc" nvcc "${flags[@]}" "$here/soak.cu" -o "$out/soak.trace"
fi

if [[ $scripts == *" budget "* ]]; then
  cp "$here/budget.py" "$out/"
  start nvcc "${flags[@]}" "$here/budget.cu" -o "$out/budget.plain"
  start "$kperf/kperf-cc" '--aggregate=*' --histogram nvcc "${flags[@]}" "$here/budget.cu" -o "$out/budget.probed"
fi

if [[ $scripts == *" sanitize "* ]]; then
  cp "$here/sanitize.py" "$out/"
  mkdir -p "$out/sanitize"
  for name in vector_add sgemm attention gemv_decode gemm_hopper attention_hopper pipeline; do
    source=$root/examples/$name/$name.cu
    start nvcc "${flags[@]}" "$source" -o "$out/sanitize/$name.plain"
    while read -r build options; do
      # shellcheck disable=SC2086
      start "$kperf/kperf-cc" $options nvcc "${flags[@]}" "$source" -o "$out/sanitize/$name.$build"
    done <<<"trace
sums --aggregate=*
extremes --aggregate=* --extremes
lengths --aggregate=* --histogram
sample --sample=2
memory --probes=region,memory
sync --probes=region,sync"
    start "$kperf/kperf-cc" --probes=region,sync nvcc -DKPERF_SHARED_BUFFER=4 "${flags[@]}" "$source" -o "$out/sanitize/$name.shared"
  done
fi

if [[ $scripts == *" machine "* ]]; then
  cp "$here/machine.py" "$out/"
  start nvcc "${flags[@]}" "$here/machine.cu" -o "$out/machine.plain"
  start "$kperf/kperf-cc" --strict --probes=memory --exact nvcc "${flags[@]}" "$here/machine.cu" -o "$out/machine.memory"
fi

if [[ $scripts == *" partings "* ]]; then
  cp "$here/partings.py" "$out/"
  start nvcc "${flags[@]}" "$here/partings.cu" -o "$out/partings.plain"
  start "$kperf/kperf-cc" nvcc "${flags[@]}" "$here/partings.cu" -o "$out/partings.trace"
  start "$kperf/kperf-cc" nvcc -DKPERF_SWITCHABLE "${flags[@]}" "$here/partings.cu" -o "$out/partings.switched"
  start "$kperf/kperf-cc" --auto=kernels,loops --auto-guard=0 nvcc "${flags[@]}" "$here/partings.cu" -o "$out/partings.loops"
  start "$kperf/kperf-cc" --sample=2 nvcc "${flags[@]}" "$here/partings.cu" -o "$out/partings.sample"
fi

if [[ $scripts == *" calls "* ]]; then
  cp "$here/calls.py" "$out/"
  start nvcc "${flags[@]}" "$here/calls.cu" -o "$out/calls.plain"
  start "$kperf/kperf-cc" nvcc "${flags[@]}" "$here/calls.cu" -o "$out/calls.trace"
  start "$kperf/kperf-cc" nvcc -DKPERF_SWITCHABLE "${flags[@]}" "$here/calls.cu" -o "$out/calls.switched"
fi

if [[ $scripts == *" lanes "* ]]; then
  mkdir -p "$out/equivalence"
  cp "$here/lanes.py" "$out/"
  set +f
  cp "$root"/test/equivalence/*.py "$out/equivalence/"
  set -f
  start env "PATH=$kperf:$PATH" python3 -B "$here/lanes.py" "$out/lanes" --build --arch "$arch"
fi

if [[ $scripts != *" run "* ]]; then
  finish
  exit
fi
cp "$here/run.py" "$here/memory.py" "$here/settings.py" "$here/sass.py" "$here/parts.cu" "$here/streams.cu" "$here/kernel_streams.cu" "$here/rows.cu" "$root/test/memory/Inputs/truth.py" "$root/test/memory/Inputs/loops.py" \
  "$root/test/memory/Inputs/reuse.py" "$out/"
for name in parts foreign launches plain streams kernel_streams; do
  start nvcc "${flags[@]}" "$here/$name.cu" -o "$out/$name.plain"
  start "$kperf/kperf-cc" nvcc "${flags[@]}" "$here/$name.cu" -o "$out/$name.trace"
done
start nvcc -std=c++17 -O3 "-I$root/runtime/include" -gencode arch=compute_90a,code=sm_90a "$here/rows.cu" -o "$out/rows.plain" # setmaxnreg is of sm_90a alone
start "$kperf/kperf-cc" --probes=region,sync nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a "$here/rows.cu" -o "$out/rows.trace"
start "$kperf/kperf-cc" nvcc -DKPERF_SWITCHABLE "${flags[@]}" "$here/parts.cu" -o "$out/parts.switched"
start "$kperf/kperf-cc" nvcc -DKPERF_SHARED_BUFFER=16 "${flags[@]}" "$here/parts.cu" -o "$out/parts.shared"
start nvcc "${flags[@]}" "$here/room.cu" -o "$out/room.plain"
start "$kperf/kperf-cc" nvcc -DKPERF_SHARED_BUFFER=16 "${flags[@]}" "$here/room.cu" -o "$out/room.shared"
start "$kperf/kperf-cc" nvcc -DKPERF_SHARED_BUFFER=16 -DKPERF_SWITCHABLE "${flags[@]}" "$here/parts.cu" -o "$out/parts.sharedswitched"
start "$kperf/kperf-cc" '--aggregate=*' nvcc "${flags[@]}" "$here/parts.cu" -o "$out/parts.sums"
start "$kperf/kperf-cc" '--aggregate=*' --extremes nvcc "${flags[@]}" "$here/parts.cu" -o "$out/parts.extremes"
start "$kperf/kperf-cc" '--aggregate=*' --histogram nvcc "${flags[@]}" "$here/parts.cu" -o "$out/parts.lengths"
start "$kperf/kperf-cc" '--aggregate=*' --extremes --histogram nvcc "${flags[@]}" "$here/parts.cu" -o "$out/parts.both"

# The same in HIP's spelling, over CUDA, and each example in both.
start "$kperf/kperf-cc" --no-instrument nvcc "${flags[@]}" "$here/hip.hip" -o "$out/hip.plain"
start "$kperf/kperf-cc" nvcc "${flags[@]}" "$here/hip.hip" -o "$out/hip.trace"
for name in vector_add sgemm attention gemv_decode; do
  start "$kperf/kperf-cc" nvcc "${flags[@]}" "$root/examples/$name/$name.cu" -o "$out/$name.cuda"
  start env HIP_PLATFORM=nvidia "$kperf/kperf-cc" nvcc "${flags[@]}" "$root/examples/$name/$name.cu" -o "$out/$name.hip"
done

for name in sgemm attention; do
  start "$kperf/kperf-cc" --probes=launches nvcc "${flags[@]}" "$root/examples/$name/$name.cu" -o "$out/$name.clean"
done
while read -r build options; do
  # shellcheck disable=SC2086
  start "$kperf/kperf-cc" $options nvcc "${flags[@]}" "$root/examples/sgemm/sgemm.cu" -o "$out/sgemm.$build"
done <<<"histogram --aggregate=* --histogram
sums --aggregate=*
sample --sample"

# Machine code to look at, beside the table of its regions.
for name in vector_add sgemm attention gemv_decode gemm_hopper attention_hopper; do
  source=$root/examples/$name/$name.cu
  start "$kperf/kperf-rewrite" "$source" -o "$out/$name.rewritten" -- "${flags[@]}"
  start nvcc "${flags[@]}" -lineinfo -cubin "$source" -o "$out/$name.plain.cubin"
  start "$kperf/kperf-cc" nvcc "${flags[@]}" -lineinfo -cubin "$source" -o "$out/$name.cubin"
done

# What the hardware's counters and a known schedule are compared with.
for name in truth loops sgemm attention gemv_decode; do
  source=$root/examples/$name/$name.cu
  [[ $name == truth || $name == loops ]] && source=$root/test/memory/Inputs/$name.cu
  start nvcc "${flags[@]}" "$source" -o "$out/$name.plain"
  start "$kperf/kperf-cc" --probes=memory --exact nvcc "${flags[@]}" "$source" -o "$out/$name.memory"
done
start "$kperf/kperf-cc" --probes=memory --exact nvcc "${flags[@]}" "$root/test/memory/Inputs/reuse.cu" -o "$out/reuse.memory"
source=$root/examples/pipeline/pipeline.cu
start nvcc "${flags[@]}" "$source" -o "$out/pipeline.plain"
start "$kperf/kperf-cc" --probes=region,sync nvcc "${flags[@]}" "$source" -o "$out/pipeline.sync"
if ((${arch%%[a-z]*} >= 90)); then # clusters, bulk copies
  start nvcc "${flags[@]}" "$here/bulk.cu" -o "$out/bulk.plain"
  start "$kperf/kperf-cc" --strict --probes=memory --exact nvcc "${flags[@]}" "$here/bulk.cu" -o "$out/bulk.memory"
  start nvcc "${flags[@]}" -diag-suppress 20054 "$here/pipes.cu" -o "$out/pipes.plain"
  start "$kperf/kperf-cc" --probes=region,sync nvcc "${flags[@]}" -diag-suppress 20054 "$here/pipes.cu" -o "$out/pipes.sync"
fi

finish

# What kperf takes for granted of a device.
"$kperf/kperf" selftest "--build=$out/selftest" nvcc "${flags[@]}"
