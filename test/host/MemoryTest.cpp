// The memory API: what is copied, and what CUDA refuses.
#include "Launching.h"

#include <numeric>

using kperf::test::DeviceArray;

namespace {

__constant__ float coefficients[4];
__device__ int counters[3] = {7, 8, 9};

class Memory : public testing::Test {
protected:
  void TearDown() override { cudaGetLastError(); }
};

TEST_F(Memory, AllocationsAreAlignedAndFreedOnce) {
  void *address = nullptr;
  ASSERT_EQ(cudaMalloc(&address, 100), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(address) % 256, 0u);
  EXPECT_EQ(cudaFree(address), cudaSuccess);
  EXPECT_EQ(cudaFree(address), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&address, std::size_t{1} << 60), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  int *pinned = nullptr, *managed = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 16), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 16), cudaSuccess);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(managed), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

TEST_F(Memory, CopiesCheckTheirDirection) {
  DeviceArray<int> device(8), other(8);
  std::vector<int> host(8);
  const auto copy = [](void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) { return cudaMemcpy(to, from, bytes, kind); };
  EXPECT_EQ(copy(device, host.data(), 32, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(copy(host.data(), device, 32, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(copy(other, device, 32, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(copy(host.data(), device, 32, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(copy(host.data(), device, 32, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(device, host.data(), 32, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(copy(device, host.data(), 32, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(device + 1, host.data(), 32, cudaMemcpyHostToDevice), cudaErrorInvalidValue) << "past the end";
  EXPECT_EQ(copy(nullptr, host.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(device, host.data(), 4, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(copy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(Memory, RowsAndSets) {
  constexpr std::size_t kWidth = 3 * sizeof(int);
  int *matrix = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&matrix, &pitch, kWidth, 4), cudaSuccess);
  EXPECT_EQ(pitch % 512, 0u);
  std::vector<int> in(12), out(12, -1);
  std::iota(in.begin(), in.end(), 0);
  EXPECT_EQ(cudaMemcpy2D(matrix, pitch, in.data(), kWidth, kWidth, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset2D(reinterpret_cast<char *>(matrix) + pitch, pitch, 0, kWidth, 2), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(out.data(), kWidth, matrix, pitch, kWidth, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out, (std::vector<int>{0, 1, 2, 0, 0, 0, 0, 0, 0, 9, 10, 11}));
  EXPECT_EQ(cudaMemcpy2D(matrix, pitch, in.data(), kWidth - 1, kWidth, 4, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset(in.data(), 0, 4), cudaErrorInvalidValue) << "not the device's memory";
  cudaFree(matrix);
}

__global__ void useSymbols(float *out) {
  out[0] = coefficients[3] * static_cast<float>(counters[1]);
  counters[2] = 100;
}

TEST_F(Memory, Symbols) {
  const float values[] = {1, 2, 3, 4};
  ASSERT_EQ(cudaMemcpyToSymbol(coefficients, values, sizeof(values)), cudaSuccess);
  const int five = 5;
  ASSERT_EQ(cudaMemcpyToSymbol(counters, &five, sizeof(int), sizeof(int)), cudaSuccess);
  DeviceArray<float> out(1);
  kperf::host::launch(useSymbols, 1, 1)(out);
  EXPECT_EQ(out.toHost()[0], 20.0f);
  int back[3] = {};
  ASSERT_EQ(cudaMemcpyFromSymbol(back, counters, sizeof(back)), cudaSuccess);
  EXPECT_EQ(std::vector<int>(back, back + 3), (std::vector<int>{7, 5, 100}));
  EXPECT_EQ(cudaMemcpyToSymbol(counters, values, 16), cudaErrorInvalidValue) << "too long";
  EXPECT_EQ(cudaMemcpyToSymbol(counters, values, 4, 12), cudaErrorInvalidValue) << "too far";
  void *address = nullptr;
  std::size_t bytes = 0;
  EXPECT_EQ(cudaGetSymbolAddress(&address, counters), cudaSuccess);
  EXPECT_EQ(cudaGetSymbolSize(&bytes, counters), cudaSuccess);
  EXPECT_EQ(address, counters);
  EXPECT_EQ(bytes, 12u);
  EXPECT_EQ(cudaMemset(address, 0, bytes), cudaSuccess);
  EXPECT_EQ(counters[0], 0);
}

TEST_F(Memory, PointersAreWhatTheyAre) {
  DeviceArray<int> device(8);
  int onStack = 0;
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, device + 3), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, &onStack), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaHostRegister(&onStack, sizeof(onStack), 0), cudaSuccess);
  int *mapped = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&mapped, &onStack, 0), cudaSuccess);
  EXPECT_EQ(mapped, &onStack);
  EXPECT_EQ(cudaHostUnregister(&onStack), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(&onStack), cudaErrorHostMemoryNotRegistered);
}

TEST_F(Memory, DeviceDescribesItself) {
  int count = 0, device = -1, value = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_GT(properties.multiProcessorCount, 0);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, properties.multiProcessorCount);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, 0), cudaSuccess);
  EXPECT_EQ(value, cudaComputeModeDefault);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0), cudaSuccess);
  EXPECT_EQ(value, 32);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture2DWidth, 0), cudaSuccess);
  EXPECT_EQ(value, 0); // it has no textures
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, useSymbols), cudaSuccess);
  EXPECT_EQ(attributes.ptxVersion, 10 * properties.major + properties.minor);
  EXPECT_EQ(attributes.binaryVersion, attributes.ptxVersion);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0), cudaSuccess);
  EXPECT_EQ(value, properties.major);
  int minGrid = 0, block = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, useSymbols), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(minGrid, 2 * properties.multiProcessorCount);
}

} // namespace
