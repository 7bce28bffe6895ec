// A library's kernel that calls an annotated function: it has no probes of its own and finds no state.
#include <kperf/annotate.h>

#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>

struct Functor {
  __device__ void operator()(int &value) const {
    KPERF_SCOPE("functor");
    for (int i = 0; i < 10; ++i)
      value = value * 3 + 1;
  }
};

__global__ void own(int *values) {
  KPERF_SCOPE("own");
  values[threadIdx.x] += 1;
}

int main() {
  thrust::device_vector<int> values(100000, 1);
  thrust::for_each(thrust::device, values.begin(), values.end(), Functor());
  own<<<1, 64>>>(thrust::raw_pointer_cast(values.data())); // leaves its state in shared memory
  thrust::for_each(thrust::device, values.begin(), values.end(), Functor());
  const int first = values[0], last = values[99999];
  std::printf("checksum 0x%08x\n", static_cast<unsigned>(first * 31 + last));
}
