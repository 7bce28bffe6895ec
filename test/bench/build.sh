#!/usr/bin/env bash
# Builds the GPU benchmarks, each as it is and with kperf's probes, into a folder that runs on any machine with a GPU:
# FOLDER/run.py is the rest. Needs nvcc and a build of kperf (./dev build); no GPU.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

if (($# < 1)); then
  echo "usage: test/bench/build.sh FOLDER [NAME...]   (ARCH=80 builds for another GPU than sm_90a)" >&2
  exit 2
fi
out=$1
shift
names=("$@")
((${#names[@]})) || names=(chain64 entry known_length vector_add sgemm attention gemv_decode gemm_hopper copy barrier_clock)
arch=${ARCH:-90a}
flags=(-std=c++17 -O3 -lineinfo "-I$root/runtime/include" -gencode "arch=compute_$arch,code=sm_$arch")
kperf=${KPERF_BUILD:-$root/build}/bin
mkdir -p "$out"
cp "$here/run.py" "$kperf/kperf" "$out/"
ldd "$kperf/kperf" | awk '/lib(fmt|yaml-cpp|sqlite3)/ { print $3 }' | xargs -r -I{} cp {} "$out/"

for name in "${names[@]}"; do
  source=$here/$name.cu
  [[ -f $source ]] || source=$root/examples/$name/$name.cu
  if [[ $name == barrier_clock ]]; then
    nvcc "${flags[@]}" "$source" -o "$out/$name"
    continue
  fi
  plain=()
  [[ $name == known_length ]] && plain=(-DOWN_CLOCKS)
  nvcc "${flags[@]}" "${plain[@]}" "$source" -o "$out/$name.plain"
  "$kperf/kperf-cc" nvcc "${flags[@]}" "$source" -o "$out/$name.trace"
  case $name in # its buffer in shared memory: what leaves as many blocks resident
    attention) shared=8 ;;
    chain64 | known_length | gemm_hopper) shared=16 ;;
    *) shared= ;;
  esac
  [[ -z $shared ]] || "$kperf/kperf-cc" nvcc "${flags[@]}" "-DKPERF_SHARED_BUFFER=$shared" "$source" -o "$out/$name.shared"
  [[ $name != known_length ]] || "$kperf/kperf-cc" nvcc "${flags[@]}" "${plain[@]}" "$source" -o "$out/$name.both"
  if [[ $name == copy ]]; then
    "$kperf/kperf-cc" --probes=memory --exact nvcc "${flags[@]}" "$source" -o "$out/$name.memory"
    "$kperf/kperf-cc" --probes=memory --sample=32 nvcc "${flags[@]}" "$source" -o "$out/$name.memory32"
    "$kperf/kperf-cc" --probes=memory --sample=32 nvcc "${flags[@]}" -maxrregcount=32 "$source" -o "$out/$name.memory32r32"
  elif [[ $name != entry && $name != known_length ]]; then
    "$kperf/kperf-cc" '--aggregate=*' nvcc "${flags[@]}" "$source" -o "$out/$name.aggregate"
  fi
  if [[ $name == attention || $name == gemm_hopper ]]; then
    "$kperf/kperf-cc" --probes=sync nvcc "${flags[@]}" "$source" -o "$out/$name.sync"
    "$kperf/kperf-cc" --sample=16 nvcc "${flags[@]}" "$source" -o "$out/$name.sample"
  fi
  if [[ $name == attention ]]; then # four other regions a tile: the load's two halves, QK, and softmax with PV, whose code ptxas mixes
    perl -0pe 's/\}\s*\{\s*KPERF_SCOPE\("PV"\);// && s/"load K\/V"/"wait for K\/V"/ && s/(__syncthreads\(\);)(\s*if \(i \+ 1)/$1\n    }\n    {\n      KPERF_SCOPE("copy K\/V");$2/ or die' \
      "$source" >"$out/$name.other.cu"
    [[ $(grep -c KPERF_SCOPE "$out/$name.other.cu") == 5 ]] || { echo "attention.cu has other regions than this expects" >&2; exit 1; }
    for mode in '' '--aggregate=*' --sample=16; do
      suffix=${mode#--} && suffix=${suffix%%=*}
      "$kperf/kperf-cc" ${mode:+"$mode"} nvcc "${flags[@]}" "-I${source%/*}" "$out/$name.other.cu" -o "$out/$name.other$suffix"
    done
  fi
  if [[ $name == chain64 ]]; then
    nvcc "${flags[@]}" -DMACRO_PROFILER "$source" -o "$out/$name.macro"
    "$kperf/kperf-cc" '--aggregate=*' --extremes nvcc "${flags[@]}" "$source" -o "$out/$name.extremes"
    "$kperf/kperf-cc" '--aggregate=*' --histogram nvcc "${flags[@]}" "$source" -o "$out/$name.histogram"
  fi
  echo "built $name"
done
nvcc --version | sed -n 's/.*release.*V\([0-9.]*\).*/\1/p' >"$out/toolkit.txt"
