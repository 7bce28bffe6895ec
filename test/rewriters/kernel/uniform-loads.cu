// What a warp loads from one address is the same in all of its lanes, so a branch that goes by it does not part them; a lane's own memory,
// and what a lambda or a pointer may have changed there, may differ.
// RUN: kperf-rewrite %s -o - | FileCheck %s
#include <kperf/annotate.h>

__device__ int table[4];
struct Parameters {
  const int *lengths;
  int first;
};
struct Pair {
  int values[2];
  __device__ int *data() { return values; }
};
struct Box {
  int value;
  __device__ int &get() { return value; }
};

__global__ void same(const int *lengths, const Parameters parameters, int *out) {
  __shared__ int stage[4];
  if (threadIdx.x == 0)
    stage[0] = lengths[1];
  // CHECK: ConvergentScope {{.*}}"element"
  if (lengths[blockIdx.x] > 1) { KPERF_SCOPE("element"); out[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"pointee"
  const int *mine = lengths + blockIdx.x * 4;
  for (int i = 0; i < *mine; ++i) { KPERF_SCOPE("pointee"); out[1] = i; }
  // CHECK: ConvergentScope {{.*}}"parameter"
  const Parameters &p = parameters;
  if (p.lengths ? p.lengths[p.first] : p.first) { KPERF_SCOPE("parameter"); out[2] = 1; }
  // CHECK: ConvergentScope {{.*}}"shared"
  if (stage[blockIdx.x % 4]) { KPERF_SCOPE("shared"); out[3] = 1; }
  // CHECK: ConvergentScope {{.*}}"global"
  if (table[2]) { KPERF_SCOPE("global"); out[4] = 1; }
  // CHECK: ConvergentScope {{.*}}"array"
  int counts[2] = {lengths[0], 1};
  if (counts[1]) { KPERF_SCOPE("array"); out[5] = 1; }
}

__global__ void differ(const int *lengths, int **lists, int *out) {
  const int lane = threadIdx.x % 32;
  // CHECK: DivergentScope {{.*}}"element of a lane"
  if (lengths[lane]) { KPERF_SCOPE("element of a lane"); out[0] = 1; }
  // CHECK: DivergentScope {{.*}}"own array"
  int own[2] = {0, 0};
  own[1] = lane;
  if (own[0]) { KPERF_SCOPE("own array"); out[1] = 1; }
  // CHECK: DivergentScope {{.*}}"by a pointer"
  int local[2] = {0, 0};
  int *pointer = local;
  pointer[0] = lane;
  if (local[0]) { KPERF_SCOPE("by a pointer"); out[2] = 1; }
  // CHECK: DivergentScope {{.*}}"through the pointer"
  if (pointer[0]) { KPERF_SCOPE("through the pointer"); out[3] = 1; }
  // CHECK: DivergentScope {{.*}}"assigned later"
  const int *either = lengths;
  for (int i = 0; i < 2; ++i) {
    if (*either) { KPERF_SCOPE("assigned later"); out[4] = 1; }
    either = local;
  }
  // CHECK: DivergentScope {{.*}}"by a reference"
  int number = 0;
  int &alias = number;
  alias = lane;
  if (number) { KPERF_SCOPE("by a reference"); out[5] = 1; }
  // CHECK: DivergentScope {{.*}}"by a lambda"
  int captured = 0;
  auto change = [&] { captured = threadIdx.x; };
  change();
  if (captured) { KPERF_SCOPE("by a lambda"); out[6] = 1; }
  // CHECK: DivergentScope {{.*}}"member array"
  Pair pair{};
  int *inside = pair.values;
  inside[1] = lane;
  if (pair.values[1]) { KPERF_SCOPE("member array"); out[7] = 1; }
  // CHECK: DivergentScope {{.*}}"list of a lane"
  if (lists[lane][0]) { KPERF_SCOPE("list of a lane"); out[8] = 1; }
}

__device__ int laneByDefault(int lane = threadIdx.x) { return lane; }
__device__ int laneWithin() { return laneByDefault(); }

__global__ void byDefault(int *out) {
  // CHECK: DivergentScope {{.*}}"default argument"
  if (laneByDefault()) { KPERF_SCOPE("default argument"); out[0] = 1; }
  // CHECK: DivergentScope {{.*}}"default argument within"
  if (laneWithin()) { KPERF_SCOPE("default argument within"); out[1] = 1; }
}

__global__ void given(int *out) {
  const int lane = threadIdx.x % 32;
  // CHECK: DivergentScope {{.*}}"from a function"
  Pair fresh{0, 0};
  int *next = fresh.data() + 1;
  next[0] = lane;
  if (next[0]) { KPERF_SCOPE("from a function"); out[9] = 1; }
  // CHECK: DivergentScope {{.*}}"by a distance"
  int *returned = fresh.data();
  if (*(1 + returned)) { KPERF_SCOPE("by a distance"); out[10] = 1; }
  // CHECK: DivergentScope {{.*}}"through what a function gave"
  Box box{0};
  box.get() = lane;
  if (box.value) { KPERF_SCOPE("through what a function gave"); out[11] = 1; }
  // CHECK: DivergentScope {{.*}}"bound to what a function gave"
  Box other{0};
  int &given = other.get();
  given = lane;
  if (other.get()) { KPERF_SCOPE("bound to what a function gave"); out[12] = 1; }
}

template <class T> __global__ void dependent(const T *lengths, T *out) {
  // CHECK: ConvergentScope {{.*}}"element in a template"
  if (lengths[blockIdx.x] > T(1)) { KPERF_SCOPE("element in a template"); out[0] = 1; }
  // CHECK: DivergentScope {{.*}}"array in a template"
  T own[2];
  T *pointer = own;
  pointer[0] = threadIdx.x;
  if (own[0]) { KPERF_SCOPE("array in a template"); out[1] = 1; }
}
