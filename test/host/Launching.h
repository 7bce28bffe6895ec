// What the host target's tests share: device memory that frees itself, and a launch that must succeed.
#ifndef KPERF_TEST_HOST_LAUNCHING_H
#define KPERF_TEST_HOST_LAUNCHING_H

#include <cuda_runtime.h>

#include <gtest/gtest.h>
#include <vector>

namespace kperf::test {

template <typename T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t count, T value = T()) : count(count) {
    cudaMalloc(&data, count * sizeof(T));
    const std::vector<T> initial(count, value);
    cudaMemcpy(data, initial.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~DeviceArray() { cudaFree(data); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  operator T *() const { return data; }
  std::vector<T> toHost() const {
    std::vector<T> result(count);
    cudaMemcpy(result.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }

private:
  T *data = nullptr;
  std::size_t count;
};

/// The device's error, cleared for the next test.
inline cudaError_t takeError() {
  const cudaError_t error = cudaDeviceSynchronize();
  cudaDeviceReset();
  return error;
}

} // namespace kperf::test

#endif
