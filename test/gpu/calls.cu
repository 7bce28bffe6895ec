// Functions that lanes of a warp enter and leave one after another, again while others are still inside, and come together in, as host arrays say,
// chosen at random: what each lane comes to is in a record that names it, or is counted as another lane's that left none.
//
// Prints for each region of the kernel that is named on the command line how often lanes come to it; calls.py compares.
#include "choices.h"

#include <kperf/annotate.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr int kBlocks = 100, kThreads = 80, kLanes = 32; // two whole warps and half a one
constexpr int kPasses = 6, kRounds = 5;

/// Of one thread.
struct Choice {
  int rounds; ///< calls that it makes
  int leaves; ///< at which pass it returns
  int length; ///< of a loop
  int enters; ///< a branch
  int waits;  ///< cycles
};

__device__ void spend(int cycles) {
  const auto start = static_cast<unsigned>(clock());
  while (static_cast<int>(static_cast<unsigned>(clock()) - start) < cycles)
    ;
}

/// By all lanes of a warp, wherever they come from: what one gives the other.
__device__ float exchanged(int value) { return __shfl_xor_sync(0xffffffffu, static_cast<float>(value), 1); }

/// Left at different passes: of a round that is odd, after a wait.
__device__ __noinline__ int early(Choice choice, int round, float *out) {
  for (int pass = 0; pass < kPasses; ++pass) {
    KPERF_SCOPE("until it leaves");
    *out = *out * 1.5f + pass;
    if (pass == choice.leaves) {
      if (round & 1)
        spend(choice.waits);
      return pass;
    }
  }
  return kPasses;
}

/// The same with two regions, of which both are passed or none.
__device__ __noinline__ void frames(Choice choice, float *out) {
  for (int pass = 0; pass < choice.length; ++pass) {
    { KPERF_SCOPE("first of two"); *out = *out * 1.5f + pass; }
    { KPERF_SCOPE("second of two"); *out = *out * 0.5f + pass; }
  }
  spend(choice.waits);
}

/// Where lanes of two calls come together.
__device__ __noinline__ void meet(Choice choice, int way, float *out) {
  for (int pass = 0; pass < choice.length; ++pass) {
    KPERF_SCOPE("before they meet");
    *out += pass * way;
  }
  spend(choice.waits);
  for (int pass = 0; pass < 2; ++pass) {
    KPERF_SCOPE("meeting");
    *out += pass * way + exchanged(pass);
  }
  for (int pass = 0; pass < 3; ++pass) {
    KPERF_SCOPE("met");
    *out = *out * 1.5f + pass;
  }
}

/// The same with ranges that are one piece with another, where they begin apart.
__device__ __noinline__ void meetInFrame(Choice choice, int way, float *out) {
  for (int pass = 0; pass < 3; ++pass) {
    KPERF_BEGIN("to the meeting");
    spend(pass == 0 ? choice.waits : 0);
    *out += pass * way + exchanged(pass);
    KPERF_END("to the meeting");
    KPERF_BEGIN("behind it");
    *out = *out * 1.5f + pass;
    KPERF_END("behind it");
  }
}

/// Calls of which the compiler can't make one.
__device__ __noinline__ void meetFirst(Choice choice, float *out) { meet(choice, 1, out); }
__device__ __noinline__ void meetLast(Choice choice, float *out) {
  spend(300);
  meet(choice, 2, out);
}
__device__ __noinline__ void meetInFrameFirst(Choice choice, float *out) { meetInFrame(choice, 1, out); }
__device__ __noinline__ void meetInFrameLast(Choice choice, float *out) {
  spend(300);
  meetInFrame(choice, 2, out);
}

/// Of which each call is inside of another one of the same function.
__device__ __noinline__ int nested(Choice choice, int depth, float *out) {
  for (int pass = 0; pass < 2; ++pass) {
    KPERF_SCOPE("pass of one inside");
    *out = *out * 1.25f + depth;
    if (pass == 0 && depth < choice.length % 3)
      nested(choice, depth + 1, out);
  }
  return depth;
}

using Work = void (*)(const Choice *, float *);

__global__ void again(const Choice *choices, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Choice choice = choices[i];
  for (int round = 0; round < choice.rounds; ++round)
    out[i] += early(choice, round, out + i);
}

__global__ void someThenAll(const Choice *choices, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Choice choice = choices[i];
  for (int round = 0; round < kRounds; ++round) {
    if (choice.enters)
      out[i] += early(choice, round, out + i);
    out[i] += early(choice, 0, out + i);
    frames(choice, out + i);
  }
}

__global__ void apart(const Choice *choices, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Choice choice = choices[i];
  for (int round = 0; round < kRounds; ++round) {
    if (choice.enters)
      meetFirst(choice, out + i);
    else
      meetLast(choice, out + i);
    if ((threadIdx.x + round) % 3)
      meetInFrameFirst(choice, out + i);
    else
      meetInFrameLast(choice, out + i);
  }
}

__global__ void inside(const Choice *choices, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Choice choice = choices[i];
  for (int round = 0; round < choice.rounds; ++round)
    out[i] += nested(choice, 0, out + i);
}

/// Of some warps all lanes do the same; of others the first one does something else.
std::vector<Choice> choose() {
  std::srand(20261130);
  std::vector<Choice> choices(kBlocks * kThreads);
  for (int block = 0; block < kBlocks; ++block)
    for (int thread = 0; thread < kThreads; ++thread) {
      const int kind = (block + thread / kLanes) % 5, lane = thread % kLanes;
      Choice choice{std::rand() % (kRounds + 1), std::rand() % (kPasses + 2), std::rand() % 5, std::rand() % 2, std::rand() % 4 * 400};
      if (kind == 1)
        choice = {block % kRounds, block % kPasses, block % 4, block % 2, 0};
      if (kind == 2 && lane != 0)
        choice = {kRounds, kPasses + 1, 4, 1, 2000};
      if (kind == 3 && lane == 0)
        choice = {kRounds, 0, 1, 0, 2000};
      choices[block * kThreads + thread] = choice;
    }
  return choices;
}

int passesOf(const Choice &c) { return c.leaves < kPasses ? c.leaves + 1 : kPasses; }
int nestedOf(const Choice &c) { return 2 * (c.length % 3 + 1); }

/// How often a lane comes to a region.
struct Region {
  const char *kernel, *name;
  bool isPiece; ///< and to what the region is a piece of
  int (*times)(const Choice &);
};
const Region kRegions[] = {
    {"again", "until it leaves", true, [](const Choice &c) { return c.rounds * passesOf(c); }},
    {"someThenAll", "until it leaves", true, [](const Choice &c) { return kRounds * (1 + c.enters) * passesOf(c); }},
    {"someThenAll", "first of two", true, [](const Choice &c) { return kRounds * c.length; }},
    {"someThenAll", "second of two", false, [](const Choice &c) { return kRounds * c.length; }},
    {"apart", "before they meet", true, [](const Choice &c) { return kRounds * c.length; }},
    {"apart", "meeting", true, [](const Choice &) { return kRounds * 2; }},
    {"apart", "met", true, [](const Choice &) { return kRounds * 3; }},
    {"apart", "to the meeting", true, [](const Choice &) { return kRounds * 3; }},
    {"apart", "behind it", false, [](const Choice &) { return kRounds * 3; }},
    {"inside", "pass of one inside", true, [](const Choice &c) { return c.rounds * nestedOf(c); }},
};

void expect(const char *kernel, const std::vector<Choice> &choices) {
  for (const Region &region : kRegions) {
    if (std::strcmp(region.kernel, kernel) != 0)
      continue;
    long lanes = 0;
    for (const Choice &each : choices)
      lanes += region.times(each);
    std::printf("expect %ld lanes, %s: %s\n", lanes, region.isPiece ? "a piece" : "in the same piece", region.name);
  }
}

} // namespace

int main(int count, char **words) {
  const std::pair<const char *, Work> kernels[] = {{"again", again}, {"someThenAll", someThenAll}, {"apart", apart}, {"inside", inside}};
  const std::vector<Choice> choices = choose();
  Choices<Choice> data(choices);
  for (const auto &[name, kernel] : kernels) {
    if (count > 1 && std::strcmp(words[1], name) != 0)
      continue;
    expect(name, choices);
    kernel<<<kBlocks, kThreads>>>(data.choices(), data.cleared());
    data.printSum();
  }
}
