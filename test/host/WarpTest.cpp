// Shuffles, votes, matches, reductions and __activemask, against what CUDA's manual says of them.
#include "Launching.h"

using kperf::host::launch;
using kperf::test::DeviceArray;

namespace {

enum Shuffle { kIndexed, kUp, kDown, kXor };

__global__ void shuffle(int *out, int kind, int parameter, int width) {
  const int value = static_cast<int>(threadIdx.x) + 100;
  int result = 0;
  switch (kind) {
  case kIndexed:
    result = __shfl_sync(0xffffffff, value, parameter, width);
    break;
  case kUp:
    result = __shfl_up_sync(0xffffffff, value, static_cast<unsigned>(parameter), width);
    break;
  case kDown:
    result = __shfl_down_sync(0xffffffff, value, static_cast<unsigned>(parameter), width);
    break;
  default:
    result = __shfl_xor_sync(0xffffffff, value, parameter, width);
  }
  out[threadIdx.x] = result - 100;
}

/// The manual's rules, lane by lane.
int expectedSource(int kind, int lane, int parameter, int width) {
  const int first = lane / width * width, place = lane % width;
  switch (kind) {
  case kIndexed:
    return first + (parameter % width + width) % width;
  case kUp:
    return place - parameter < 0 ? lane : lane - parameter;
  case kDown:
    return place + parameter >= width ? lane : lane + parameter;
  default:
    return (lane ^ parameter) >= first + width ? lane : lane ^ parameter; // earlier segments can be read
  }
}

TEST(Warp, ShufflesFollowTheManual) {
  DeviceArray<int> out(64);
  for (int kind = kIndexed; kind <= kXor; ++kind)
    for (int width = 1; width <= 32; width *= 2)
      for (int parameter = 0; parameter < 32; parameter += 1 + parameter / 4) {
        launch(shuffle, 1, 64)(out, kind, parameter, width);
        const std::vector<int> values = out.toHost();
        for (int t = 0; t < 64; ++t)
          ASSERT_EQ(values[static_cast<std::size_t>(t)], t / 32 * 32 + expectedSource(kind, t % 32, parameter, width))
              << "kind " << kind << " thread " << t << " parameter " << parameter << " width " << width;
      }
}

template <typename T> __global__ void rotate(T *out) {
  const T value = static_cast<T>(threadIdx.x * 1.25);
  out[threadIdx.x] = __shfl_sync(0xffffffff, value, static_cast<int>(threadIdx.x) + 1);
}

template <typename T> void expectRotation() {
  DeviceArray<T> out(32);
  launch(rotate<T>, 1, 32)(out);
  for (unsigned i = 0; i < 32; ++i)
    ASSERT_EQ(out.toHost()[i], static_cast<T>((i + 1) % 32 * 1.25));
}

TEST(Warp, ShufflesTakeEveryArithmeticType) {
  expectRotation<int>();
  expectRotation<unsigned>();
  expectRotation<short>();
  expectRotation<long>();
  expectRotation<unsigned long long>();
  expectRotation<float>();
  expectRotation<double>();
}

__global__ void sumHalves(int *out) {
  int value = static_cast<int>(threadIdx.x);
  const unsigned mask = threadIdx.x < 16 ? 0x0000ffff : 0xffff0000;
  for (int d = 8; d > 0; d /= 2)
    value += __shfl_xor_sync(mask, value, d);
  if (threadIdx.x >= 16) // the halves do different numbers of operations
    value += __shfl_xor_sync(mask, value, 1);
  out[threadIdx.x] = value;
}

TEST(Warp, GroupsOfLanesMeetIndependently) {
  DeviceArray<int> out(32);
  launch(sumHalves, 3, 32)(out);
  const std::vector<int> values = out.toHost();
  for (std::size_t i = 0; i < 32; ++i)
    ASSERT_EQ(values[i], i < 16 ? 120 : 2 * 376);
}

__global__ void partialWarp(unsigned *out) {
  if (threadIdx.x % 5 == 4)
    return; // lanes that have left, and lanes that never were, are not waited for
  const unsigned votes = __ballot_sync(0xffffffff, threadIdx.x % 2);
  const unsigned again = __ballot_sync(0xffffffff, threadIdx.x % 2); // when all of them have long left
  out[threadIdx.x] = votes == again ? votes : 0;
}

TEST(Warp, LanesThatHaveLeftAreNotWaitedFor) {
  DeviceArray<unsigned> out(20);
  launch(partialWarp, 1, 20)(out);
  unsigned expected = 0;
  for (unsigned i = 0; i < 20; ++i)
    expected |= i % 5 != 4 && i % 2 ? 1u << i : 0;
  for (unsigned i = 0; i < 20; ++i)
    ASSERT_EQ(out.toHost()[i], i % 5 == 4 ? 0 : expected);
}

__global__ void vote(unsigned *out) {
  const unsigned lane = threadIdx.x;
  unsigned bits = 0;
  bits |= __any_sync(0xffffffff, lane == 7) ? 1u : 0;
  bits |= __any_sync(0xffffffff, lane == 40) ? 2u : 0;
  bits |= __all_sync(0xffffffff, lane < 32) ? 4u : 0;
  bits |= __all_sync(0xffffffff, lane != 31) ? 8u : 0;
  bits |= __match_any_sync(0xffffffff, static_cast<int>(lane % 3)) == (0x49249249u << lane % 3) ? 16u : 0;
  int isSame = -1;
  bits |= __match_all_sync(0xffffffff, 3.5, &isSame) == 0xffffffff && isSame == 1 ? 32u : 0;
  bits |= __match_all_sync(0xffffffff, lane, &isSame) == 0 && isSame == 0 ? 64u : 0;
  bits |= __uni_sync(0xffffffff, 1) ? 128u : 0;
  out[lane] = bits;
}

TEST(Warp, VotesAndMatches) {
  DeviceArray<unsigned> out(32);
  launch(vote, 1, 32)(out);
  EXPECT_EQ(out.toHost(), std::vector<unsigned>(32, 1 | 4 | 16 | 32 | 64 | 128));
}

__global__ void reduceLanes(int *out) {
  const int lane = static_cast<int>(threadIdx.x);
  const unsigned mask = lane % 2 ? 0xaaaaaaaa : 0x55555555;
  int *mine = out + lane * 6;
  mine[0] = __reduce_add_sync(mask, lane - 5);
  mine[1] = __reduce_min_sync(mask, lane - 5);
  mine[2] = __reduce_max_sync(mask, -lane);
  mine[3] = static_cast<int>(__reduce_and_sync(mask, static_cast<unsigned>(lane) | 64u));
  mine[4] = static_cast<int>(__reduce_or_sync(mask, static_cast<unsigned>(lane)));
  mine[5] = static_cast<int>(__reduce_xor_sync(mask, 1u << lane));
}

TEST(Warp, Reductions) {
  DeviceArray<int> out(32 * 6);
  launch(reduceLanes, 1, 32)(out);
  const std::vector<int> values = out.toHost();
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const int odd = lane % 2 ? 1 : 0;
    const std::vector<int> mine(values.begin() + static_cast<long>(lane) * 6, values.begin() + static_cast<long>(lane) * 6 + 6);
    EXPECT_EQ(mine,
              (std::vector<int>{160 + 16 * odd, odd - 5, -odd, 64 + odd, 30 + odd, static_cast<int>(odd ? 0xaaaaaaaau : 0x55555555u)}));
  }
}

__attribute__((noinline)) __device__ unsigned whoIsHere() { return __activemask(); }

__global__ void converge(unsigned *out) {
  out[threadIdx.x] = __activemask();
  unsigned mask = 0;
  if (threadIdx.x % 4 == 1) {
    mask = whoIsHere();
    mask ^= 0;
  } else if (threadIdx.x % 4 == 2) {
    mask = ~whoIsHere();
  }
  out[32 + threadIdx.x] = mask;
}

TEST(Warp, ActiveMaskHoldsTheLanesThatCameTheSameWay) {
  DeviceArray<unsigned> out(64);
  launch(converge, 1, 32)(out);
  const std::vector<unsigned> values = out.toHost();
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(values[i], 0xffffffff);
    EXPECT_EQ(values[32 + i], i % 4 == 1 ? 0x22222222u : i % 4 == 2 ? ~0x44444444u : 0);
  }
}

__global__ void activeUnderLock(int *lock, unsigned *out) {
  for (bool done = false; !done;)
    if (atomicCAS(lock, 0, 1) == 0) {
      out[threadIdx.x] = __activemask(); // others spin for the lock: they must not be waited for
      atomicExch(lock, 0);
      done = true;
    }
}

TEST(Warp, ActiveMaskDoesNotWaitForLanesThatSpin) {
  DeviceArray<int> lock(1);
  DeviceArray<unsigned> out(32);
  launch(activeUnderLock, 1, 32)(lock, out);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out.toHost()[i], 1u << i);
}

} // namespace
