// Every atomic operation: what it returns, what it leaves, and that none is lost between operating system threads.
#include "Launching.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using kperf::host::launch;
using kperf::test::DeviceArray;

namespace {

template <typename T> __global__ void count(T *sum, T each, int rounds) {
  for (int i = 0; i < rounds; ++i)
    atomicAdd(sum, each);
}

template <typename T> void expectNothingLost(T each) {
  DeviceArray<T> sum(1, T(0));
  launch(count<T>, 64, 32)(sum, each, 1000);
  EXPECT_EQ(sum.toHost()[0], T(64 * 32 * 1000) * each);
}

TEST(Atomics, AdditionsFromAllThreadsCount) {
  expectNothingLost<int>(-1);
  expectNothingLost<unsigned>(3);
  expectNothingLost<unsigned long long>(1ull << 40);
  expectNothingLost<float>(0.25f);
  expectNothingLost<double>(0.5);
}

__global__ void single(int *values, unsigned *words, unsigned long long *wide, float *reals, long long *longs, unsigned short *shorts,
                       int *before) {
  int n = 0;
  before[n++] = atomicAdd(&values[0], 5);                            // 10 -> 15
  before[n++] = atomicSub(&values[0], 3);                            // 15 -> 12
  before[n++] = atomicMin(&values[0], -4);                           // 12 -> -4
  before[n++] = atomicMax(&values[0], 9);                            // -4 -> 9
  before[n++] = atomicExch(&values[0], 6);                           // 9 -> 6
  before[n++] = atomicCAS(&values[0], 6, 7);                         // 6 -> 7
  before[n++] = atomicCAS(&values[0], 6, 8);                         // stays 7
  before[n++] = atomicAnd(&values[0], 5);                            // 7 -> 5
  before[n++] = atomicOr(&values[0], 8);                             // 5 -> 13
  before[n++] = atomicXor(&values[0], 1);                            // 13 -> 12
  before[n++] = static_cast<int>(atomicInc(&words[0], 2));           // 2 -> 0
  before[n++] = static_cast<int>(atomicInc(&words[0], 2));           // 0 -> 1
  before[n++] = static_cast<int>(atomicDec(&words[0], 9));           // 1 -> 0
  before[n++] = static_cast<int>(atomicDec(&words[0], 9));           // 0 -> 9
  before[n++] = static_cast<int>(atomicMax(&words[0], 0xffffffffu)); // 9
  before[n++] = static_cast<int>(atomicMin(&wide[0], 3ull));         // 8 -> 3
  before[n++] = static_cast<int>(atomicCAS(&wide[0], 3ull, 1ull << 50));
  before[n++] = static_cast<int>(atomicExch(&reals[0], 2.5f)); // 1
  before[n++] = static_cast<int>(atomicMin(&longs[0], -7ll));  // 5
  before[n++] = static_cast<int>(atomicCAS(&shorts[0], static_cast<unsigned short>(4), static_cast<unsigned short>(65535)));
  before[n++] = atomicAdd_block(&values[0], 1);  // 12 -> 13
  before[n++] = atomicAdd_system(&values[0], 1); // 13 -> 14
}

TEST(Atomics, EachReturnsWhatWasThere) {
  DeviceArray<int> values(1, 10), before(22, -99);
  DeviceArray<unsigned> words(1, 2);
  DeviceArray<unsigned long long> wide(1, 8);
  DeviceArray<float> reals(1, 1.0f);
  DeviceArray<long long> longs(1, 5);
  DeviceArray<unsigned short> shorts(2, 4);
  launch(single, 1, 1)(values, words, wide, reals, longs, shorts, before);
  EXPECT_EQ(before.toHost(), (std::vector<int>{10, 15, 12, -4, 9, 6, 7, 7, 5, 13, 2, 0, 1, 0, 9, 8, 3, 1, 5, 4, 12, 13}));
  EXPECT_EQ(values.toHost()[0], 14);
  EXPECT_EQ(words.toHost()[0], 0xffffffffu);
  EXPECT_EQ(wide.toHost()[0], 1ull << 50);
  EXPECT_EQ(reals.toHost()[0], 2.5f);
  EXPECT_EQ(longs.toHost()[0], -7);
  EXPECT_EQ(shorts.toHost(), (std::vector<unsigned short>{65535, 4})) << "the neighbour stays";
}

template <typename T, typename T2> __global__ void addPairs(T2 *pairs, T *one, float4 *vector) {
  atomicAdd(pairs, T2(T(1.0f), T(-2.0f)));
  atomicAdd(one, T(0.5f));
  atomicAdd(vector, make_float4(1, 2, 3, 4));
}

template <typename T, typename T2> void expectPairSums() {
  DeviceArray<T2> pairs(1, T2(T(0.0f), T(0.0f)));
  DeviceArray<T> one(1, T(0.0f));
  DeviceArray<float4> vector(1, make_float4(0, 0, 0, 0));
  launch(addPairs<T, T2>, 4, 32)(pairs, one, vector);
  EXPECT_EQ(static_cast<float>(pairs.toHost()[0].x), 128.0f);
  EXPECT_EQ(static_cast<float>(pairs.toHost()[0].y), -256.0f);
  EXPECT_EQ(static_cast<float>(one.toHost()[0]), 64.0f);
  EXPECT_EQ(vector.toHost()[0].w, 512.0f);
}

TEST(Atomics, HalvesPairsAndVectors) {
  expectPairSums<__half, __half2>();
  expectPairSums<__nv_bfloat16, __nv_bfloat162>();
}

__global__ void scoped(float *values, unsigned *words, int *before) {
  int n = 0;
  const float *readOnly = &values[0];
  before[n++] = __nv_atomic_load_n(readOnly, __NV_ATOMIC_RELAXED) == 1.5f;
  before[n++] = __nv_atomic_fetch_add(&values[0], 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK) == 1.5f; // -> 3.5
  before[n++] = static_cast<int>(__nv_atomic_fetch_max(&words[0], 9, __NV_ATOMIC_ACQ_REL));                 // 4 -> 9
  before[n++] = static_cast<int>(__nv_atomic_exchange_n(&words[0], 6u, __NV_ATOMIC_SEQ_CST));               // 9 -> 6
  unsigned expected = 5;
  before[n++] = __nv_atomic_compare_exchange_n(&words[0], &expected, 7, false, __NV_ATOMIC_RELEASE, __NV_ATOMIC_RELAXED);
  before[n++] = static_cast<int>(expected); // what was found
  before[n++] = __nv_atomic_compare_exchange_n(&words[0], &expected, 7, true, __NV_ATOMIC_RELEASE, __NV_ATOMIC_RELAXED);
  __nv_atomic_store_n(&words[1], 3, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

TEST(Atomics, OrdersAndScopesMayBeGiven) {
  DeviceArray<float> values(1, 1.5f);
  DeviceArray<unsigned> words(2, 4u);
  DeviceArray<int> before(7, -1);
  launch(scoped, 1, 1)(values, words, before);
  EXPECT_EQ(before.toHost(), (std::vector<int>{1, 1, 4, 9, 0, 6, 1}));
  EXPECT_EQ(values.toHost()[0], 3.5f);
  EXPECT_EQ(words.toHost(), (std::vector<unsigned>{7, 3}));
}

} // namespace
