// Kernels whose time the virtual clock knows, each with a defect, and under FIXED without it; the clean ones have none.
#include "case.h"
#include <cuda_awbarrier_primitives.h>
#ifndef KPERF_HOST_TARGET
#include <cuda_pipeline_primitives.h>
#endif

namespace {

using Barrier = __mbarrier_t;

__device__ void await(Barrier *barrier, bool parity) {
  while (!__mbarrier_try_wait_parity(barrier, parity, 1000)) {
  }
}

} // namespace

/// One block has most of the work.
__global__ void tailBlock(unsigned cycles, int heavy, int factor) {
  const unsigned all = cycles * (gridDim.x - 1 + factor);
  const unsigned mine = isFixed ? all / gridDim.x : blockIdx.x == static_cast<unsigned>(heavy) ? cycles * factor : cycles;
  KPERF_SCOPE("items");
  spend(mine);
}
void runTailBlock(Sizes sizes) {
  const int blocks = sizes.sms * sizes.between(2, 4);
  launchAlone(tailBlock, blocks, 64, sizes.between(2000, 5000), sizes.between(0, blocks - 1), sizes.between(8, 14));
}

/// One block more than fit at once.
__global__ void lastWave(unsigned cycles) {
  KPERF_SCOPE("tile");
  spend(cycles);
}
void runLastWave(Sizes sizes) {
  const unsigned cycles = static_cast<unsigned>(sizes.between(4000, 9000)), work = cycles * (sizes.sms + 1);
  const int fine = sizes.sms * sizes.between(3, 6); // the same work in as many smaller blocks as fill every wave
  if (isFixed)
    launchAlone(lastWave, fine, 64, work / fine);
  else
    launchAlone(lastWave, sizes.sms + 1, 64, cycles);
}

/// One warp has most of its block's work.
__global__ void slowWarp(unsigned cycles, unsigned slow, unsigned factor) {
  const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32;
  const unsigned all = cycles * (warps - 1 + factor);
  {
    KPERF_SCOPE("rows");
    spend(isFixed ? all / warps : warp == slow ? cycles * factor : cycles);
  }
  __syncthreads();
  {
    KPERF_SCOPE("write");
    spend(cycles / 4);
  }
}
void runSlowWarp(Sizes sizes) {
  const int warps = sizes.between(4, 8);
  launchAlone(slowWarp, sizes.sms * 4, warps * 32, sizes.between(1000, 3000), sizes.between(0, warps - 1), sizes.between(4, 8));
}

/// Another warp in each block is the slow one, and no region says where.
__global__ void slowWarpUnmarked(unsigned cycles, unsigned factor) {
  const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32;
  const unsigned all = cycles * (warps - 1 + factor);
  spend(isFixed ? all / warps : warp == blockIdx.x % warps ? cycles * factor : cycles);
}
void runSlowWarpUnmarked(Sizes sizes) {
  launchAlone(slowWarpUnmarked, sizes.sms * 4, sizes.between(4, 8) * 32, sizes.between(2000, 4000), sizes.between(4, 8));
}

/// The first warp adds up while the others wait.
__global__ void serialSection(unsigned cycles, int steps) {
  const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32;
  for (int step = 0; step < steps; ++step) {
    {
      KPERF_SCOPE("parts");
      spend(cycles);
    }
    __syncthreads();
    if (isFixed || warp == 0) {
      KPERF_SCOPE("sum");
      spend(isFixed ? cycles / warps : cycles);
    }
  }
}
void runSerialSection(Sizes sizes) {
  launchAlone(serialSection, sizes.sms * 2, sizes.between(4, 8) * 32, sizes.between(2000, 4000), sizes.between(6, 12));
}

/// The warps do their part one after the other, a barrier between them.
__global__ void serialChain(unsigned cycles) {
  const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32;
  for (unsigned turn = 0; turn < (isFixed ? 1 : warps); ++turn) {
    if (isFixed || warp == turn) {
      KPERF_SCOPE("turn");
      spend(cycles);
    }
    __syncthreads();
  }
}
void runSerialChain(Sizes sizes) { launchAlone(serialChain, sizes.sms * 2, sizes.between(4, 8) * 32, sizes.between(5000, 9000)); }

/// Now and then an entry takes far longer.
__global__ void rareEntries(unsigned cycles, int entries, int period, unsigned factor) {
  for (int i = 0; i < entries; ++i) {
    const unsigned mine = i % period == period - 1 ? cycles * factor : cycles;
    KPERF_SCOPE("lookup");
    spend(mine);
  }
}
void runRareEntries(Sizes sizes) {
  const unsigned cycles = static_cast<unsigned>(sizes.between(200, 400)), factor = static_cast<unsigned>(sizes.between(10, 20));
  launchAlone(rareEntries, sizes.sms * 2, 64, cycles, 200, sizes.between(12, 25), isFixed ? 1 : factor);
}

/// A barrier around every little step.
__global__ void barrierChain(unsigned cycles, int steps, int between) {
  for (int i = 0, since = 1; i < steps; ++i, ++since) {
    spend(cycles);
    if (since == between) {
      __syncthreads();
      since = 0;
    }
  }
}
void runBarrierChain(Sizes sizes) {
  const int cycles = sizes.between(16, 40), between = sizes.between(20, 40);
  launchAlone(barrierChain, sizes.sms * 2, 512, cycles, 240, isFixed ? between : 1);
}

/// A ring of slots between a producer warp and a consumer warp; each takes `cycles[2]` in turn for an item.
struct Ring {
  int slots, items;
  unsigned produce[2], consume[2];
};
__device__ void runRing(const Ring &ring, Barrier *full, Barrier *empty) {
  if (threadIdx.x < static_cast<unsigned>(ring.slots)) {
    __mbarrier_init(&full[threadIdx.x], 1);
    __mbarrier_init(&empty[threadIdx.x], 1);
  }
  __syncthreads();
  const bool isProducer = threadIdx.x < 32;
  for (int item = 0; item < ring.items; ++item) {
    const int slot = item % ring.slots;
    const bool parity = item / ring.slots % 2;
    if (isProducer) {
      await(&empty[slot], !parity);
      KPERF_SCOPE("produce");
      spend(ring.produce[item % 2]);
    } else {
      await(&full[slot], parity);
      KPERF_SCOPE("consume");
      spend(ring.consume[item % 2]);
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      __mbarrier_arrive(isProducer ? &full[slot] : &empty[slot]);
  }
}
__global__ void lateProducer(Ring ring) {
  __shared__ Barrier full[16], empty[16];
  runRing(ring, full, empty);
}
void runLateProducer(Sizes sizes) {
  const unsigned consume = static_cast<unsigned>(sizes.between(400, 800)), produce = consume * sizes.between(3, 5);
  const unsigned fixed = consume / 2;
  launchAlone(lateProducer, sizes.sms * 2, 64,
              Ring{4, sizes.between(40, 60), {isFixed ? fixed : produce, isFixed ? fixed : produce}, {consume, consume}});
}

/// One slot: producer and consumer take turns.
__global__ void shallowRing(Ring ring) {
  __shared__ Barrier full[16], empty[16];
  runRing(ring, full, empty);
}
void runShallowRing(Sizes sizes) {
  const unsigned each = static_cast<unsigned>(sizes.between(800, 1600));
  const int slots = sizes.between(4, 8), items = sizes.between(80, 120);
  launchAlone(shallowRing, sizes.sms * 2, 64, Ring{isFixed ? slots : 1, items, {each, each}, {each + 100, each + 100}});
}

/// The lanes of a warp go round a loop from once to many times.
__global__ void divergentLoop(unsigned cycles, int rounds) {
  const int lane = threadIdx.x % 32;
  const int mine = isFixed ? rounds / 2 : rounds * (lane + 1) / 32 / (lane % 8 == 7 ? 1 : 4);
  for (int i = 0; i < (isFixed ? rounds / 2 : mine); ++i) {
    KPERF_SCOPE("walk");
    spend(cycles);
  }
}
void runDivergentLoop(Sizes sizes) { launchAlone(divergentLoop, sizes.sms * 2, 64, sizes.between(300, 600), sizes.between(48, 64)); }

/// A few lanes do all the work of a warp.
__global__ void divergentBranch(unsigned cycles, unsigned lanes) {
  const unsigned lane = threadIdx.x % 32;
  if (isFixed || lane < lanes) {
    KPERF_SCOPE("items");
    spend(isFixed ? cycles * lanes / 32 : cycles);
  }
}
void runDivergentBranch(Sizes sizes) { launchAlone(divergentBranch, sizes.sms * 2, 128, sizes.between(8000, 16000), sizes.between(2, 8)); }

#ifndef KPERF_HOST_TARGET // whose copies take no time
/// A tile is copied when it is needed, and not while the one before it is worked on.
__global__ void exposedCopy(const float4 *in, int tiles, unsigned cycles) {
  __shared__ float4 stage[2][128];
  const float4 *mine = in + blockIdx.x * static_cast<unsigned>(tiles) * 128 + threadIdx.x;
  const auto copy = [&](int tile) {
    __pipeline_memcpy_async(&stage[tile % 2][threadIdx.x], mine + tile * 128, sizeof(float4));
    __pipeline_commit();
  };
  if (isFixed)
    copy(0);
  for (int tile = 0; tile < tiles; ++tile) {
    if (!isFixed)
      copy(tile);
    else
      copy(tile + 1);
    __pipeline_wait_prior(isFixed ? 1 : 0);
    __syncthreads();
    KPERF_SCOPE("use");
    spend(cycles);
    __syncthreads();
  }
}
void runExposedCopy(Sizes sizes) {
  const int tiles = sizes.between(20, 40), blocks = sizes.sms * 2;
  launchAlone(exposedCopy, blocks, 128, deviceArray<float4>(size_t(blocks) * 128 * (tiles + 1)), tiles, sizes.between(800, 1500));
}
#endif

/// Half a warp takes one way, half the other, each as long.
__global__ void twoWays(unsigned cycles) {
  const bool isLow = isFixed ? threadIdx.x / 32 % 2 == 0 : threadIdx.x % 2 == 0; // fixed, each warp takes one way
  if (isLow) {
    KPERF_SCOPE("low");
    spend(cycles);
  } else {
    KPERF_SCOPE("high");
    spend(cycles);
  }
}
void runTwoWays(Sizes sizes) { launchAlone(twoWays, sizes.sms * 2, 128, sizes.between(8000, 16000)); }

/// Two waves, and a block.
void runThirdWave(Sizes sizes) {
  const unsigned cycles = static_cast<unsigned>(sizes.between(20000, 30000)), work = cycles * (2 * sizes.sms + 1);
  const int fine = sizes.sms * sizes.between(3, 4);
  if (isFixed)
    launchAlone(lastWave, fine, 64, work / fine);
  else
    launchAlone(lastWave, 2 * sizes.sms + 1, 64, cycles);
}

/// One warp has most of the work in the second of two regions.
__global__ void slowSecond(unsigned cycles, unsigned slow, unsigned factor) {
  const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32;
  {
    KPERF_SCOPE("read");
    spend(cycles);
  }
  __syncthreads();
  {
    KPERF_SCOPE("sort");
    spend(isFixed ? cycles * (warps - 1 + factor) / warps : warp == slow ? cycles * factor : cycles);
  }
}
void runSlowSecond(Sizes sizes) {
  const int warps = sizes.between(4, 8), slow = sizes.between(0, warps - 1), cycles = sizes.between(1000, 3000),
            factor = sizes.between(4, 8);
  launchAlone(slowSecond, sizes.sms * 4, warps * 32, cycles, slow, factor);
}

/// Clean: regions in regions.
__global__ void cleanNested(unsigned cycles, int steps) {
  for (int step = 0; step < steps; ++step) {
    KPERF_SCOPE("step");
    spend(cycles);
    for (int part = 0; part < 3; ++part) {
      KPERF_SCOPE("part");
      spend(cycles / 2);
    }
  }
}
void runCleanNested(Sizes sizes) { launchAlone(cleanNested, sizes.sms * 2, 128, sizes.between(1000, 2000), sizes.between(10, 20)); }

/// Clean: warps of two roles that do not wait for each other, each as long.
__global__ void cleanRoles(unsigned cycles) {
  if (threadIdx.x / 32 % 2 == 0) {
    KPERF_SCOPE("filter");
    spend(cycles);
  } else {
    KPERF_SCOPE("collect");
    spend(cycles + 20);
  }
}
void runCleanRoles(Sizes sizes) { launchAlone(cleanRoles, sizes.sms * 3, 128, sizes.between(8000, 16000)); }

/// Clean: a ring deep enough, both sides alike.
__global__ void cleanRing(Ring ring) {
  __shared__ Barrier full[16], empty[16];
  runRing(ring, full, empty);
}
void runCleanRing(Sizes sizes) {
  const unsigned each = static_cast<unsigned>(sizes.between(800, 1600));
  launchAlone(cleanRing, sizes.sms * 2, 64, Ring{sizes.between(4, 8), sizes.between(40, 60), {each * 3 / 4, each * 3 / 4}, {each, each}});
}

/// Clean: tiles with two barriers each, all warps alike.
__global__ void cleanTiles(unsigned cycles, int tiles) {
  for (int tile = 0; tile < tiles; ++tile) {
    {
      KPERF_SCOPE("load");
      spend(cycles / 4);
    }
    __syncthreads();
    {
      KPERF_SCOPE("multiply");
      spend(cycles);
    }
    __syncthreads();
  }
}
void runCleanTiles(Sizes sizes) {
  launchAlone(cleanTiles, sizes.sms * sizes.between(2, 4), 256, sizes.between(2000, 4000), sizes.between(8, 16));
}

/// Clean: entries whose lengths vary a little.
__global__ void cleanEntries(unsigned cycles, int entries) {
  for (int i = 0; i < entries; ++i) {
    KPERF_SCOPE("lookup");
    spend(cycles + cycles * (i % 7) / 20);
  }
}
void runCleanEntries(Sizes sizes) { launchAlone(cleanEntries, sizes.sms * 3, 128, sizes.between(300, 500), sizes.between(150, 250)); }

/// Clean: nothing but a kernel whose blocks are alike.
__global__ void cleanBlocks(unsigned cycles) { spend(cycles); }
void runCleanBlocks(Sizes sizes) { launchAlone(cleanBlocks, sizes.sms * sizes.between(2, 6), 128, sizes.between(4000, 8000)); }

int main(int argc, char **argv) {
  const Case cases[] = {{"tail-block", runTailBlock},
                        {"last-wave", runLastWave},
                        {"slow-warp", runSlowWarp},
                        {"unmarked:slow-warp", runSlowWarpUnmarked},
                        {"serial:one-warp-section", runSerialSection},
                        {"chain:one-warp-section", runSerialChain},
                        {"rare-slow-entries", runRareEntries},
                        {"barriers", runBarrierChain},
                        {"late-producer", runLateProducer},
                        {"shallow-ring", runShallowRing},
                        {"loop:divergence", runDivergentLoop},
                        {"branch:divergence", runDivergentBranch},
#ifndef KPERF_HOST_TARGET
                        {"exposed-copy", runExposedCopy},
#endif
                        {"two-ways:divergence", runTwoWays},
                        {"third-wave:last-wave", runThirdWave},
                        {"second:slow-warp", runSlowSecond},
                        {"nested:clean", runCleanNested},
                        {"roles:clean", runCleanRoles},
                        {"ring:clean", runCleanRing},
                        {"tiles:clean", runCleanTiles},
                        {"entries:clean", runCleanEntries},
                        {"blocks:clean", runCleanBlocks}};
  return runCase(argc, argv, cases, sizeof cases / sizeof *cases);
}
