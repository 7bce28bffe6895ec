// --probes=sync: an arrival and the copies that it expects, started directly behind it on the same barrier, are one record, in front of the
// first; so are several copies. What comes between, another barrier, or what may change which barrier is meant, ends that.
// RUN: split-file %s %t && kperf-rewrite --probes=sync %t/in.cu -o - | FileCheck %t/in.cu
// RUN: kperf-rewrite --probes=sync %t/in.cu -o - | grep -oE '8u, "(arrive|expect|copy).*", "(together|apart)".* [0-9]+u}' | sed -E 's/8u, "(.*)", "(together|apart)".* ([0-9]+)u\}/\2 \1 \3/' | FileCheck %t/rows.txt

//--- in.cu
__device__ void expect(unsigned long long *bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(bar)), "r"(bytes) : "memory");
}
__device__ void copy(void *to, const void *map, unsigned long long *bar, int at) {
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(map), "r"(at), "r"((unsigned)__cvta_generic_to_shared(bar)) : "memory");
}
__device__ int next();
struct Slot { int index; __device__ void advance(); };

template <int Width> __global__ void together(const void *map, int n) {
  __shared__ unsigned long long full[4], one;
  __shared__ char tiles[4][1024];
  Slot slot{};
  if (threadIdx.x == 0)
    for (int i = 0; i < n; ++i, slot.advance()) {
      // CHECK: {{^}}      { kperf_kernel.firstSignal(::kperf::barrierAt(&full[slot.index]), 0x{{[0-9a-f]+}}u); expect(&full[slot.index], 1024 * Width); }
      expect(&full[slot.index], 1024 * Width);
      // CHECK: {{^}}      copy(tiles[0], map, &full[slot.index], i * Width);
      copy(tiles[0], map, &full[slot.index], i * Width);
      // CHECK: {{^}}      if (Width == 1)
      if (Width == 1)
        // CHECK: {{^}}        copy(tiles[1], map, &full[slot.index], i);
        copy(tiles[1], map, &full[slot.index], i);
      // CHECK: {{^}}      else {
      else {
        // CHECK: {{^}}        copy(tiles[2], map, &full[slot.index], i);
        copy(tiles[2], map, &full[slot.index], i);
        // CHECK: {{^}}        copy(tiles[3], map, &full[slot.index], i + 1);
        copy(tiles[3], map, &full[slot.index], i + 1);
      }
      // An arrival is counted, each.
      // CHECK: {{^}}      { kperf_kernel.firstSignal(::kperf::barrierAt(&full[slot.index]), 0x{{[0-9a-f]+}}u); expect(&full[slot.index], 0); }
      expect(&full[slot.index], 0);
    }
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&one), 0x{{[0-9a-f]+}}u); copy(tiles[0], map, &one, n); }
  copy(tiles[0], map, &one, n);
  // CHECK: {{^}}  copy(tiles[1], map, &one, n + 1);
  copy(tiles[1], map, &one, n + 1);
  // CHECK: {{^}}  if (n > 2)
  if (n > 2)
    // CHECK: {{^}}    copy(tiles[2], map, &one, n + 2);
    copy(tiles[2], map, &one, n + 2);
  // CHECK: {{^}}  if (kperf_kernel.signalIf(::kperf::barrierAt(&full[0]), 0x{{[0-9a-f]+}}u, static_cast<bool>(threadIdx.x % 32 < 2))) {
  if (threadIdx.x % 32 < 2) {
    // CHECK: {{^}}    expect(&full[0], 64);
    expect(&full[0], 64);
    // CHECK: {{^}}    copy(tiles[threadIdx.x], map, &full[0], n);
    copy(tiles[threadIdx.x], map, &full[0], n);
  }
}

__global__ void apart(const void *map, int n) {
  __shared__ unsigned long long full[4], other;
  __shared__ char tile[1024];
  int i = n % 4;
  unsigned long long *bar = full;
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}expect(&full[i], 1024); }
  expect(&full[i], 1024);
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}copy(tile, map, &other, n); }
  copy(tile, map, &other, n);
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}copy(tile, map, &full[i], n); }
  copy(tile, map, &full[i], n);
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}copy(tile, map, &full[i], next());
  copy(tile, map, &full[i], next());
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}copy(tile, map, &full[i], n); }
  copy(tile, map, &full[i], n);
  ++i;
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}copy(tile, map, &full[i], i++); }
  copy(tile, map, &full[i], i++);
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}copy(tile, map, &full[i], n); }
  copy(tile, map, &full[i], n);
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}copy(&bar, map, bar, n); }
  copy(&bar, map, bar, n);
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}copy(tile, map, bar, n); }
  copy(tile, map, bar, n);
  // Whether anything is started behind the arrival is not known.
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}expect(&other, 1024); }
  expect(&other, 1024);
  if (n > 3)
    // CHECK: {{^}}    { kperf_kernel.signal({{.*}}copy(tile, map, &other, n); }
    copy(tile, map, &other, n);
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}expect(&other, 2048); }
  expect(&other, 2048);
#ifndef ELSEWHERE
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}copy(tile, map, &other, 0); }
  copy(tile, map, &other, 0);
#endif
  // What is started in front of an arrival is.
  // CHECK: {{^}}  { kperf_kernel.signal({{.*}}expect(&other, 4096); }
  expect(&other, 4096);
}
void launch(const void *map) { together<2><<<1, 64>>>(map, 1); }


//--- rows.txt
The row is that of the first copy. The last number is the operation (3 arrive, 4 issue, 6 both) and 5 << 8, a barrier in shared memory.
CHECK:      together copy(&full[slot.index]) 1286
CHECK-NEXT: together expect(&full[slot.index]) 1283
CHECK-NEXT: together copy(&one) 1284
CHECK-NEXT: together copy(&full[0]) 1286
CHECK-NEXT: apart expect(&full[i]) 1283
