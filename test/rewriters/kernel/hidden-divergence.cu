// What parts a warp though the text hides it: each region here is one that some lanes of a warp come to without the others.
// RUN: kperf-rewrite %s -o - | FileCheck %s
// CHECK-NOT: {{Convergent|First}}Scope
#include <kperf/annotate.h>

struct Pair { int x, y; };
struct Box {
  int value;
  __device__ int max() const { return value; }
};
struct Setter { __device__ Setter(int &place) { place = threadIdx.x; } };
struct Lane { int index = threadIdx.x; };
__device__ int row() { return threadIdx.y; }

__global__ void places(const int *in, int *out) {
  int own[4] = {};
  own[in[threadIdx.x] & 3]++;
  if (own[0]) { KPERF_SCOPE("element of the lane"); out[0] = 1; }
  float v[4] = {};
  reinterpret_cast<float4 &>(v[0]) = reinterpret_cast<const float4 *>(in)[threadIdx.x];
  if (v[1] > 0) { KPERF_SCOPE("behind a cast"); out[0] = 1; }
  int a = 0, b = 0, c = 0, d = 0;
  (in[0] ? a : b) = threadIdx.x;
  if (b) { KPERF_SCOPE("one of two"); out[0] = 1; }
  int &name = in[0] ? c : d;
  name = threadIdx.x;
  if (c) { KPERF_SCOPE("by another name"); out[0] = 1; }
  Pair pair{0, 0};
  auto &[first, second] = pair;
  first = threadIdx.x;
  if (pair.x) { KPERF_SCOPE("structured binding"); out[0] = 1; }
  int kept = 0;
  Setter setter(kept);
  if (kept) { KPERF_SCOPE("kept by a constructor"); out[0] = 1; }
}

__global__ void expressions(const int *in, int *out) {
  bool found = false;
  int count = 0, times = 0;
  bool both = in[threadIdx.x] > 3 && (found = true);
  if (found) { KPERF_SCOPE("below and"); out[0] = 1; }
  out[threadIdx.x] = in[threadIdx.x] > 0 ? count++ : 0;
  if (count) { KPERF_SCOPE("below a choice"); out[0] = both; }
  auto step = [&, at = (times = threadIdx.x)] { return at; };
  if (times + 0 * step()) { KPERF_SCOPE("in a capture"); out[0] = 1; }
  if (__shfl_sync(~0u, in[threadIdx.x], 0, 8)) { KPERF_SCOPE("shuffle in parts"); out[0] = 1; }
  const unsigned mask = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
  if (__any_sync(mask, in[0])) { KPERF_SCOPE("vote of some"); out[0] = 1; }
  const Box box{in[threadIdx.x]};
  if (box.max()) { KPERF_SCOPE("a member called max"); out[0] = 1; }
  const float half = (float)threadIdx.x / 32;
  if (half > 0.5f) { KPERF_SCOPE("no warp's index"); out[0] = 1; }
  if (Lane().index) { KPERF_SCOPE("made of a lane"); out[0] = 1; }
}

struct Writer {
  template <typename T> __device__ void operator()(T &value) const { value = threadIdx.x; }
};
struct Holder {
  Lane lane;
  int length;
  __device__ Holder(int length) : length(length) {}
};

__global__ void objects(int *out) {
  int value = 0;
  const Writer writer;
  writer(value);
  if (value) { KPERF_SCOPE("by an object that is called"); out[0] = 1; }
  Holder holder(3);
  if (holder.lane.index) { KPERF_SCOPE("a member made of a lane"); out[0] = 1; }
}

__global__ void leave(int n, int *out) {
  int x = 0;
  switch (n) {
  case 1:
    if (threadIdx.x < 5)
      break;
    { KPERF_SCOPE("left a switch"); x = 2; }
  }
}

__global__ void rows(int *out) {
  if (threadIdx.x < 32) { KPERF_SCOPE("rows read elsewhere"); out[row()] = 1; }
}

template <typename T> __global__ void dependent(const T *in, int *out) {
  T own[2];
  own[0] = in[threadIdx.x];
  if (own[0] > 0) { KPERF_SCOPE("a dependent array"); out[0] = 1; }
}

template <typename T> struct LaneOf {
  T index = threadIdx.x;
};
template <typename T> struct Keeper {
  T kept;
  __device__ Keeper(T place) : kept(place) { kept = threadIdx.x; }
};
template <typename T> struct Placed {
  using Place = T &;
};
template <typename T> struct NamedKeeper {
  __device__ NamedKeeper(typename Placed<T>::Place place) { place = threadIdx.x; }
};
template <typename T> __global__ void dependentObjects(int *out) {
  LaneOf<T> lane;
  if (lane.index) { KPERF_SCOPE("a dependent member made of a lane"); out[0] = 1; }
  int value = 0;
  Keeper<T> keeper(value);
  if (value) { KPERF_SCOPE("kept by what may be a reference"); out[0] = 1; }
  int other = 0;
  NamedKeeper<T> named(other);
  if (other) { KPERF_SCOPE("kept by a member type that may be one"); out[0] = 1; }
}

template <typename... T> __global__ void pack(int *out, T... all) {
  if (__shfl_sync(0xffffffffu, all...)) { KPERF_SCOPE("shuffle of a pack"); out[0] = 1; }
}

__global__ void itself(int *out) {
  int &self = self;
  const int n = n;
  if (self + n / 32 > 3) { KPERF_SCOPE("itself"); out[0] = 1; }
}
// CHECK: KPERF_REGIONS
