// Accesses to memory become calls that give back what they are given; automatic variables stay as they are.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
struct Particle { float x, y; };
__constant__ float table[16];
__device__ int counter;
__global__ void kernel(float *a, float4 *v, Particle *p, int *hist, int **pp, const int *__restrict__ index) {
  __shared__ float tile[32][33];
  float local[4] = {1, 2, 3, 4};
  int t = threadIdx.x;
  tile[t / 32][t % 32] = a[t];
  a[index[t]] += tile[t % 32][t / 32] * table[t & 15];
  v[t] = v[t + 1];
  v[t].x = local[t & 3];
  p[t].x = p->y;
  atomicAdd(&hist[index[t] & 7], 1);
  *pp[0] = 1;
  int w = __ldg(index + t);
  counter = w;
  float *q = a + t;
  *q++ = 2;
  ++hist[2], local[1]++;
  float *address = &a[3];
  float value = t?a[1]:a[2];
  auto twice = [=](int k) { return a[k] * 2; };
  a[5] = twice(3) + sizeof(a[6]) + (*(const volatile float *)a);
}
//--- check.txt
CHECK:      float local[4] = {1, 2, 3, 4};
CHECK-NEXT: {{^}}  int t = threadIdx.x;
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, tile[t / 32][t % 32]) = ::kperf::load(0x{{[0-9a-f]+}}u, a[t]);
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, a[::kperf::load(0x{{[0-9a-f]+}}u, index[t])]) += ::kperf::load(0x{{[0-9a-f]+}}u, tile[t % 32][t / 32]) * ::kperf::loadConstant(0x{{[0-9a-f]+}}u, table[t & 15]);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, v[t]) = ::kperf::load(0x{{[0-9a-f]+}}u, v[t + 1]);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, v[t].x) = local[t & 3];
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, p[t].x) = ::kperf::load(0x{{[0-9a-f]+}}u, p->y);
CHECK-NEXT: {{^}}  atomicAdd(::kperf::atomicAt(0x{{[0-9a-f]+}}u, &hist[::kperf::load(0x{{[0-9a-f]+}}u, index[t]) & 7]), 1);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, * ::kperf::load(0x{{[0-9a-f]+}}u, pp[0])) = 1;
CHECK-NEXT: {{^}}  int w = __ldg(::kperf::loadAt(0x{{[0-9a-f]+}}u, index + t));
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, counter) = w;
CHECK-NEXT: {{^}}  float *q = a + t;
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, *q++) = 2;
CHECK-NEXT: {{^}}  ++ ::kperf::update(0x{{[0-9a-f]+}}u, hist[2]), local[1]++;
CHECK-NEXT: {{^}}  float *address = &a[3];
CHECK-NEXT: {{^}}  float value = t? ::kperf::load(0x{{[0-9a-f]+}}u, a[1]): ::kperf::load(0x{{[0-9a-f]+}}u, a[2]);
CHECK-NEXT: {{^}}  auto twice = [=](int k) { return ::kperf::load(0x{{[0-9a-f]+}}u, a[k]) * 2; };
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, a[5]) = twice(3) + sizeof(a[6]) + (::kperf::load(0x{{[0-9a-f]+}}u, *(const volatile float *)a));
CHECK-NEXT: {{^}}}
CHECK-NEXT: {{^}}KPERF_SITES({0x{{[0-9a-f]+}}u, 1u, 0x000000u, 4u, "kernel", "{{.*}}in.cu", "  tile[t / 32][t % 32] = a[t];", "tile[t / 32][t % 32]", "", 8u, 3u, 20u},
CHECK:      KPERF_NO_REGIONS
