// Programs for several GPUs turn peer access on and off: both names are known, for the CPU and with nvcc.
// RUN: kperf-rewrite --strict --target=host %s -o %t.host.hip
// RUN: kperf-rewrite --strict --target=cuda --cuda-path=none %s -o %t.cu
#include <hip/hip_runtime.h>
#include <kperf/annotate.h>
__global__ void kernel(float *p) {
  KPERF_SCOPE("kernel");
  p[threadIdx.x] = 1;
}
bool turn(bool on) {
  return (on ? hipDeviceEnablePeerAccess(1, 0) : hipDeviceDisablePeerAccess(1)) == hipErrorPeerAccessNotEnabled;
}
