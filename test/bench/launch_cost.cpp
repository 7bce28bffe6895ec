// What kperf run adds to a launch: nanoseconds of host time that cuLaunchKernel takes for an empty kernel.
//   launch_cost [CUBIN]: a module with kperf's tables, which is loaded beside it, and whose kernel `scale` is launched too
#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

const char *const kEmpty = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry empty() { ret; }\n";

void check(CUresult status) {
  if (status != CUDA_SUCCESS) {
    std::fprintf(stderr, "launch_cost: error %d\n", status);
    std::exit(2);
  }
}

/// The median of 20 batches of 500 launches, in ns a launch.
double nsOf(CUfunction kernel, void **arguments) {
  std::vector<double> batches;
  for (int batch = 0; batch < 20; ++batch) {
    check(cuCtxSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    for (int launch = 0; launch < 500; ++launch)
      check(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    batches.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / 500);
  }
  std::nth_element(batches.begin(), batches.begin() + 10, batches.end());
  return batches[10];
}

} // namespace

int main(int argc, char **argv) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(cuDevicePrimaryCtxRetain(&context, device));
  check(cuCtxSetCurrent(context));
  check(cuModuleLoadData(&module, kEmpty));
  check(cuModuleGetFunction(&kernel, module, "empty"));
  std::printf("empty kernel: %.0f ns a launch\n", nsOf(kernel, nullptr));
  if (argc < 2)
    return 0;
  std::ifstream in(argv[1], std::ios::binary);
  const std::string image((std::istreambuf_iterator<char>(in)), {});
  check(cuModuleLoadData(&module, image.data()));
  std::printf("empty kernel, with another module that is recorded: %.0f ns a launch\n", nsOf(kernel, nullptr));
  check(cuModuleGetFunction(&kernel, module, "scale"));
  CUdeviceptr none = 0;
  int count = 0;
  void *arguments[] = {&none, &count};
  std::printf("a kernel that is recorded: %.0f ns a launch\n", nsOf(kernel, arguments));
}
