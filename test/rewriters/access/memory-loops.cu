// Which loop's variable an access is given: the innermost one that counts, unless its name may mean something else there, its branch
// is another one, or the access itself changes it.
// RUN: kperf-rewrite --probes=memory %s -o - -- --gpu-architecture=sm_90 | FileCheck %s
// RUN: kperf-rewrite --probes=memory --target=host %s -o - | FileCheck %s --check-prefix=HOST
struct Pair {
  int *first;
  int m;
};
enum Step { kFirst, kSecond };
__global__ void kernel(int *out, const int *p, int n, Pair pair) {
  for (int m = 0; m < n; ++m) {
    auto [x, m] = pair;
    out[m] = x[0];
  }
  for (int i = 0; i < n;)
    out[i++] = p[i];
  for (int u, x = 0; x < n; ++x)
    out[x] = 1;
#if __CUDA_ARCH__ >= 800
  for (int v = 0; v < n; ++v)
#else
  for (int w = 0; w < n; ++w)
#endif
  {
    out[3] += p[4];
  }
  for (Step e = kFirst; e < kSecond; e = Step(e + 1))
    out[e] = 2;
  for (long long j = 0; j < n; j += 2) {
    int times = p[j];
    for (int i = 0; i < times; ++i)
      out[i] += p[j + i];
    auto store = [&](int at) { out[at] = 1; };
    store(1);
    while (--times)
      out[j] = times;
  }
}
// CHECK: ::kperf::store({kperf_sample, 0x{{[0-9a-f]+}}u}, out[m]) = ::kperf::load({kperf_sample, 0x{{[0-9a-f]+}}u}, x[0]);
// CHECK: ::kperf::store({kperf_sample, 0x{{[0-9a-f]+}}u}, out[i++]) = ::kperf::load({kperf_sample, 0x{{[0-9a-f]+}}u, int(i)}, p[i]);
// CHECK: ::kperf::store({kperf_sample, 0x{{[0-9a-f]+}}u}, out[x]) = 1;
// CHECK: ::kperf::update(0x{{[0-9a-f]+}}u, out[3]) += ::kperf::load(0x{{[0-9a-f]+}}u, p[4]);
// CHECK: ::kperf::store({kperf_sample, 0x{{[0-9a-f]+}}u, int(e)}, out[e]) = 2;
// CHECK: int times = ::kperf::load({0x{{[0-9a-f]+}}u, int(j)}, p[j]);
// CHECK: ::kperf::update({kperf_sample, 0x{{[0-9a-f]+}}u, int(i)}, out[i]) += ::kperf::load({kperf_sample, 0x{{[0-9a-f]+}}u, int(i)}, p[j + i]);
// CHECK: auto store = [&](int at) { ::kperf::store(0x{{[0-9a-f]+}}u, out[at]) = 1; };
// CHECK: ::kperf::store({kperf_sample, 0x{{[0-9a-f]+}}u, int(j)}, out[j]) = times;
// HOST: ::kperf::store(0x{{[0-9a-f]+}}u, out[i++]) = ::kperf::load({0x{{[0-9a-f]+}}u, int(i)}, p[i]);
