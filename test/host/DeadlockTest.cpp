// What can never go on is reported and given up, and the device says so until it is reset.
#include "Launching.h"

#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>

using kperf::host::launch;
using kperf::test::DeviceArray;

namespace {

/// What a failing launch says on stderr.
template <typename Launch> std::string reportOf(Launch launchIt) {
  testing::internal::CaptureStderr();
  launchIt();
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(kperf::test::takeError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the reset cleared it";
  return text;
}

void expectIn(const std::string &text, std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

__global__ void waitInTwoPlaces() {
  if (threadIdx.x < 8)
    __syncthreads();
  else
    __syncwarp();
}

TEST(Deadlock, BarrierAndWarpWaitForEachOther) {
  const std::string text = reportOf([] { launch(waitInTwoPlaces, dim3(2, 3), 32)(); });
  expectIn(text, {"kperf: the kernel launched at ", "DeadlockTest.cpp:", "is given up: block (",
                  "threads (0,0,0) to (7,0,0) are at __syncthreads in waitInTwoPlaces",
                  "threads (8,0,0) to (31,0,0) are at __syncwarp with mask 0xffffffff in waitInTwoPlaces"});
}

__global__ void shuffleWithABusyLane() {
  if (threadIdx.x == 5)
    __syncthreads();
  __shfl_sync(0xffffffff, 1, 0);
}

TEST(Deadlock, ShuffleWaitsForALaneAtABarrier) {
  const std::string text = reportOf([] { launch(shuffleWithABusyLane, 1, 64)(); });
  expectIn(text, {"block (0,0,0) is in a deadlock", "thread (5,0,0) is at __syncthreads",
                  "threads (0,0,0) to (4,0,0) are at __shfl_sync with mask 0xffffffff", "32 threads have left the kernel"});
}

__global__ void waitForAnArrivalThatNobodyMakes() {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0)
    __mbarrier_init(&barrier, 33);
  __syncthreads();
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_try_wait(&barrier, token, 1000)) {
  }
}

TEST(Deadlock, ABarrierObjectThatNeverCompletes) {
  const std::string text = reportOf([] { launch(waitForAnArrivalThatNobodyMakes, 1, 32)(); });
  expectIn(text, {"block (0,0,0) is in a deadlock", "threads (0,0,0) to (31,0,0) are at __mbarrier_try_wait"});
}

__global__ void differentOperations() {
  if (threadIdx.x % 2)
    __ballot_sync(0xffffffff, 1);
  else
    __shfl_xor_sync(0xffffffff, 1, 1);
}

TEST(Deadlock, LanesOfOneMaskAtDifferentOperations) {
  const std::string text = reportOf([] { launch(differentOperations, 1, 32)(); });
  expectIn(text, {"thread (0,0,0) is at __shfl_xor_sync", "thread (1,0,0) is at __ballot_sync", "and 16 more"});
}

__global__ void leaveItselfOut() { __syncwarp(2); }

TEST(Deadlock, MaskWithoutTheCallingLane) {
  expectIn(reportOf([] { launch(leaveItselfOut, 1, 32)(); }), {"mask 0x00000002, which leaves lane 0 out,"});
}

__global__ void syncGrid(int skip) {
  if (static_cast<int>(blockIdx.x) != skip)
    cooperative_groups::this_grid().sync();
}

TEST(Deadlock, GridWaitsForABlockThatHasLeft) {
  const std::string text = reportOf([] {
    int skip = 1;
    void *arguments[] = {&skip};
    cudaLaunchCooperativeKernel(syncGrid, dim3(3), dim3(2), arguments);
  });
  expectIn(text, {"a sync of the grid waits for blocks that have left the kernel"});
  expectIn(reportOf([] { launch(syncGrid, 1, 1)(7); }), {"cudaLaunchCooperativeKernel"});
}

__global__ void trap(int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 3)
    __trap();
  __syncthreads();
  *out = 1;
}

TEST(Deadlock, TrapsGiveTheLaunchUp) {
  int *out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  *out = 0;
  expectIn(reportOf([&] { launch(trap, 1, 32)(out); }), {"thread 3 of block 0 executes __trap in trap"});
  EXPECT_EQ(*out, 0);
  cudaFree(out);
}

__global__ void inner() {}
__global__ void outer() { launch(inner, 1, 1)(); }

TEST(Deadlock, KernelsDoNotLaunchKernels) {
  expectIn(reportOf([] { launch(outer, 1, 1)(); }), {"not supported on kperf's host target"});
}

__global__ void touch(int *out) { out[threadIdx.x] = 1; }

TEST(Deadlock, EverythingWorksAgainAfterTheReset) {
  for (int round = 0; round < 3; ++round) {
    testing::internal::CaptureStderr();
    launch(waitInTwoPlaces, 4, 64)();
    testing::internal::GetCapturedStderr();
    int value = 0, *memory = nullptr;
    EXPECT_EQ(cudaMemcpy(&value, &value, 4, cudaMemcpyHostToHost), cudaErrorLaunchFailure);
    cudaGetLastError();
    EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorLaunchFailure) << "it is sticky";
    cudaDeviceReset();
    DeviceArray<int> out(64);
    launch(touch, 1, 64)(out);
    EXPECT_EQ(out.toHost(), std::vector<int>(64, 1));
  }
}

} // namespace
