// What lanes of a test's kernels are to do, and what they compute, on the device.
#ifndef KPERF_TEST_GPU_CHOICES_H
#define KPERF_TEST_GPU_CHOICES_H

#include "check.h"

#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

/// A choice and a number for each thread; the device's memory is kept until the program ends.
template <typename Choice> class Choices {
public:
  explicit Choices(const std::vector<Choice> &choices) : result(choices.size()) {
    CHECK(cudaMalloc(&there, choices.size() * sizeof(Choice)));
    CHECK(cudaMalloc(&out, bytes()));
    CHECK(cudaMemcpy(there, choices.data(), choices.size() * sizeof(Choice), cudaMemcpyHostToDevice));
  }

  const Choice *choices() const { return there; }
  /// The numbers, all 0.
  float *cleared() {
    CHECK(cudaMemset(out, 0, bytes()));
    return out;
  }
  /// Waits for the kernel, and prints the sum of what it computed.
  void printSum() {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(result.data(), out, bytes(), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (const float each : result)
      sum += each;
    std::printf("sum %.17g\n", sum);
  }

private:
  std::size_t bytes() const { return result.size() * sizeof(float); }

  std::vector<float> result;
  Choice *there = nullptr;
  float *out = nullptr;
};

#endif
