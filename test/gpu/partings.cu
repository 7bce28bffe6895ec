// Lanes that leave a kernel, or go into a branch or a loop and come back, as host arrays say, chosen at random: each region of those that go on
// is recorded once for all of them, whichever they are.
//
// Prints for each region how many records there are, and how many lanes they say in all; partings.py compares.
#include "choices.h"

#include <kperf/annotate.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr int kBlocks = 200, kThreads = 80, kLanes = 32; // two whole warps and half a one
constexpr int kPasses = 6;

/// Of one thread.
struct Choice {
  int leaves; ///< at once, behind the first region, at which pass, or never
  int length; ///< of its loop
  int enters; ///< the branch
};

__global__ void departs(const Choice *choices, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Choice choice = choices[i];
  if (choice.leaves == 0)
    return;
  { KPERF_SCOPE("behind a departure"); out[i] += 1; }
  if (choice.leaves == 1) {
    out[i] *= 3;
    return;
  }
  for (int pass = 2; pass < kPasses; ++pass) {
    KPERF_SCOPE("of those who stay");
    out[i] = out[i] * 2 + pass;
  }
}

__global__ void departsInLoop(const Choice *choices, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int leaves = choices[i].leaves;
  for (int pass = 0; pass < kPasses; ++pass) {
    if (leaves == pass)
      return;
    KPERF_BEGIN("until it leaves");
    out[i] = out[i] * 2 + pass;
    KPERF_END("until it leaves");
  }
  { KPERF_SCOPE("never left"); out[i] += 5; }
}

__global__ void guarded(const Choice *choices, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  if (choices[i].enters) {
    KPERF_SCOPE("in the branch");
    for (int pass = 0; pass < kPasses; ++pass) {
      KPERF_SCOPE("pass in the branch");
      out[i] += pass;
    }
    atomicAdd(&sum, 1.0f);
  }
  __syncthreads();
  { KPERF_SCOPE("behind the branch"); out[i] += sum; }
}

__global__ void loops(const Choice *choices, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int length = choices[i].length;
  for (int round = 0; round < 2; ++round) {
    for (int pass = 0; pass < length; ++pass) {
      KPERF_SCOPE("pass of some");
      for (int inner = 0; inner < 2; ++inner) {
        KPERF_SCOPE("inner");
        out[i] = out[i] * 1.5f + inner;
      }
    }
    KPERF_SCOPE("behind the loop");
    out[i] += 1;
  }
}

__global__ void together(const Choice *choices, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Choice choice = choices[i];
  if (choice.leaves == 0)
    return;
  if (choice.enters) {
    for (int pass = 0; pass < choice.length; ++pass) {
      KPERF_SCOPE("of few");
      out[i] += pass;
      if (threadIdx.x % 2) {
        KPERF_SCOPE("of odd ones");
        out[i] *= 2;
      }
    }
  }
  { KPERF_SCOPE("of more"); out[i] += 1; }
}

/// Of some warps all lanes do the same; of others the first one leaves, or is the last that stays.
std::vector<Choice> choose() {
  std::srand(20261130);
  std::vector<Choice> choices(kBlocks * kThreads);
  for (int block = 0; block < kBlocks; ++block)
    for (int thread = 0; thread < kThreads; ++thread) {
      const int kind = (block + thread / kLanes) % 5, lane = thread % kLanes;
      int leaves = std::rand() % (kPasses + 3), length = std::rand() % 8, enters = std::rand() % 2;
      if (kind == 1)
        leaves = block % 3, length = 3, enters = block % 2;
      if (kind == 2 && lane == 0)
        leaves = 0, length = 0, enters = 0;
      if (kind == 3 && lane != 0)
        leaves = lane % 2, length = 1, enters = 0;
      choices[block * kThreads + thread] = {leaves, length, enters};
    }
  return choices;
}

/// What is to be recorded of a region to which a lane comes so many times.
void expect(const char *region, const std::vector<Choice> &choices, int (*times)(const Choice &, int thread)) {
  long records = 0, lanes = 0;
  for (int block = 0; block < kBlocks; ++block)
    for (int first = 0; first < kThreads; first += kLanes) {
      int most = 0;
      for (int thread = first; thread < first + kLanes && thread < kThreads; ++thread) {
        const int own = times(choices[block * kThreads + thread], thread);
        most = own > most ? own : most;
        lanes += own;
      }
      records += most;
    }
  std::printf("expect %ld records, %ld lanes: %s\n", records, lanes, region);
}

void expectAll(const std::vector<Choice> &choices) {
  using C = const Choice &;
  expect("behind a departure", choices, [](C c, int) { return int(c.leaves != 0); });
  expect("of those who stay", choices, [](C c, int) { return c.leaves > 1 ? kPasses - 2 : 0; });
  expect("until it leaves", choices, [](C c, int) { return c.leaves < kPasses ? c.leaves : kPasses; });
  expect("never left", choices, [](C c, int) { return int(c.leaves >= kPasses); });
  expect("in the branch", choices, [](C c, int) { return c.enters; });
  expect("pass in the branch", choices, [](C c, int) { return c.enters * kPasses; });
  expect("behind the branch", choices, [](C, int) { return 1; });
  expect("pass of some", choices, [](C c, int) { return 2 * c.length; });
  expect("inner", choices, [](C c, int) { return 4 * c.length; });
  expect("behind the loop", choices, [](C, int) { return 2; });
  expect("of few", choices, [](C c, int) { return c.leaves && c.enters ? c.length : 0; });
  expect("of odd ones", choices, [](C c, int thread) { return c.leaves && c.enters && thread % 2 ? c.length : 0; });
  expect("of more", choices, [](C c, int) { return int(c.leaves != 0); });
}

} // namespace

int main() {
  const std::vector<Choice> choices = choose();
  expectAll(choices);
  Choices<Choice> data(choices);
  for (const auto kernel : {departs, departsInLoop, guarded, loops, together}) {
    kernel<<<kBlocks, kThreads>>>(data.choices(), data.cleared());
    data.printSum();
  }
}
