// Streams and events.
#include "Launching.h"

using kperf::host::launch;
using kperf::test::DeviceArray;

namespace {

__global__ void increment(int *value) { ++*value; }

TEST(Streams, WorkInThemIsDone) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  DeviceArray<int> value(1);
  for (int i = 0; i < 3; ++i)
    launch(increment, 1, 1, 0, stream)(value);
  int result = 0;
  EXPECT_EQ(cudaMemcpyAsync(&result, value, sizeof(int), cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(result, 3);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  int calls = 0;
  EXPECT_EQ(cudaLaunchHostFunc(stream, [](void *data) { ++*static_cast<int *>(data); }, &calls), cudaSuccess);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Streams, HandlesThatMeanNothingAreRefused) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  DeviceArray<int> value(1);
  cudaGetLastError();
  launch(increment, 1, 1, 0, stream)(value);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(value.toHost()[0], 0);
  launch(increment, 1, 1, 0, cudaStreamPerThread)(value);
  launch(increment, 1, 1, 0, cudaStreamLegacy)(value);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(value.toHost()[0], 2);
}

__global__ void sleepFor(unsigned ns) { __nanosleep(ns); }

TEST(Streams, EventsMeasureTime) {
  cudaEvent_t start = nullptr, stop = nullptr;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle) << "not recorded";
  cudaEventRecord(start);
  launch(sleepFor, 1, 1)(2000000);
  cudaEventRecord(stop);
  EXPECT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaSuccess);
  EXPECT_GE(ms, 2.0f);
  EXPECT_LT(ms, 2000.0f);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  EXPECT_EQ(cudaEventDestroy(stop), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

__global__ void readClocks(long long *out) {
  out[0] = clock64();
  out[1] = static_cast<long long>(__globaltimer());
  __nanosleep(1000);
  out[2] = clock64();
  out[3] = clock();
}

TEST(Streams, ClocksGoForward) {
  DeviceArray<long long> out(4);
  launch(readClocks, 1, 1)(out);
  const std::vector<long long> values = out.toHost();
  EXPECT_LE(values[0], values[1]);
  EXPECT_GE(values[2], values[1] + 1000);
  EXPECT_GE(values[3], values[2]);
  EXPECT_LT(clock(), 3600 * CLOCKS_PER_SEC) << "outside of kernels it is the C library's";
}

} // namespace
