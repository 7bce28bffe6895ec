// A program that compiles its kernel while it runs: by NVRTC, with a header that is in memory only, as CuPy and its like do.
#include <cuda.h>
#include <nvrtc.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

const char *const kSource = R"(
#include <kperf/annotate.h>
#include "halves.h"

template <typename T> __global__ void scale(const T *in, T *out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    KPERF_SCOPE("element");
    out[i] = half(in[i]);
  }
}
)";

const char *const kHeader = R"(
template <typename T> __device__ T half(T value) {
  KPERF_SCOPE("half");
  for (int i = 0; i < 16; ++i)
    value = value * T(1.5) - value;
  return value;
}
)";

[[noreturn]] void fail(const char *what, const char *why) {
  std::fprintf(stderr, "nvrtc: %s: %s\n", what, why);
  std::exit(2);
}

void check(nvrtcResult status, const char *what) {
  if (status != NVRTC_SUCCESS)
    fail(what, nvrtcGetErrorString(status));
}

void check(CUresult status, const char *what) {
  const char *text = nullptr;
  if (status != CUDA_SUCCESS)
    fail(what, cuGetErrorString(status, &text) == CUDA_SUCCESS ? text : "an unknown error");
}

struct Cubin {
  std::string image, kernel; ///< the kernel's mangled name
};

Cubin compile(const std::string &architecture, const std::string &include) {
  const char *const headers[] = {kHeader}, *const names[] = {"halves.h"};
  const std::string arch = "-arch=sm_" + architecture, folder = "-I" + include;
  std::vector<const char *> options = {arch.c_str(), "-lineinfo"};
  if (!include.empty())
    options.push_back(folder.c_str());
  nvrtcProgram program;
  check(nvrtcCreateProgram(&program, kSource, "scale.cu", 1, headers, names), "nvrtcCreateProgram");
  check(nvrtcAddNameExpression(program, "scale<float>"), "nvrtcAddNameExpression");
  const nvrtcResult status = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  std::size_t bytes = 0;
  check(nvrtcGetProgramLogSize(program, &bytes), "nvrtcGetProgramLogSize");
  std::string log(bytes, '\0');
  check(nvrtcGetProgramLog(program, log.data()), "nvrtcGetProgramLog");
  if (status != NVRTC_SUCCESS)
    fail(nvrtcGetErrorString(status), log.c_str());
  Cubin cubin;
  check(nvrtcGetCUBINSize(program, &bytes), "nvrtcGetCUBINSize");
  cubin.image.resize(bytes);
  check(nvrtcGetCUBIN(program, cubin.image.data()), "nvrtcGetCUBIN");
  const char *lowered = nullptr;
  check(nvrtcGetLoweredName(program, "scale<float>", &lowered), "nvrtcGetLoweredName");
  cubin.kernel = lowered;
  check(nvrtcDestroyProgram(&program), "nvrtcDestroyProgram");
  return cubin;
}

/// Elements that are not what the kernel is to make of them.
int countWrong(const std::vector<float> &in, const std::vector<float> &out) {
  int wrong = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    wrong += std::fabs(out[i] - in[i] / 65536) > 1e-6f * std::fabs(in[i]);
  return wrong;
}

} // namespace

int main(int argc, char **argv) {
  const std::string architecture = argc > 1 ? argv[1] : "90", include = argc > 2 ? argv[2] : "";
  const int launches = argc > 3 ? std::atoi(argv[3]) : 10;
  const Cubin cubin = compile(architecture, include);

  CUdevice device;
  CUcontext context;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");

  std::vector<float> in(1 << 20), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i % 1000);
  const std::size_t bytes = in.size() * sizeof(float);
  CUdeviceptr deviceIn, deviceOut;
  check(cuMemAlloc(&deviceIn, bytes), "cuMemAlloc");
  check(cuMemAlloc(&deviceOut, bytes), "cuMemAlloc");
  check(cuMemcpyHtoD(deviceIn, in.data(), bytes), "cuMemcpyHtoD");

  int wrong = 0;
  for (int round = 0; round < 2; ++round) { // loaded, unloaded and loaded again
    CUmodule module;
    CUfunction kernel;
    check(cuModuleLoadData(&module, cubin.image.data()), "cuModuleLoadData");
    check(cuModuleGetFunction(&kernel, module, cubin.kernel.c_str()), "cuModuleGetFunction");
    int count = static_cast<int>(in.size());
    void *arguments[] = {&deviceIn, &deviceOut, &count};
    for (int launch = 0; launch < launches; ++launch)
      check(cuLaunchKernel(kernel, 264, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr), "cuLaunchKernel");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    check(cuMemcpyDtoH(out.data(), deviceOut, bytes), "cuMemcpyDtoH");
    wrong += countWrong(in, out);
    check(cuModuleUnload(module), "cuModuleUnload");
  }
  std::printf("result: %s, %d launches, %d elements wrong\n", wrong == 0 ? "ok" : "wrong", 2 * launches, wrong);
  return wrong == 0 ? 0 : 1;
}
