// Kernels whose accesses move more than they need, and under FIXED do not; the clean ones never do. What that costs in time a GPU tells.
#include "case.h"

namespace {

__device__ unsigned threadNumber() { return blockIdx.x * blockDim.x + threadIdx.x; }

constexpr int kThreads = 128;

/// Runs a kernel over `in` and `out`, of as many elements as `count` threads need `spread` apart.
void launch(void (*kernel)(float *, const float *, int), Sizes &sizes, int spread, int argument) {
  const int blocks = sizes.sms * sizes.blocksOfAnSm;
  const size_t count = size_t(blocks) * kThreads * spread + 64;
  kernel<<<blocks, kThreads>>>(deviceArray<float>(count), deviceArray<float>(count), argument);
}

} // namespace

__global__ void strided(float *out, const float *in, int stride) {
  const unsigned i = threadNumber();
  out[i] = in[i * (isFixed ? 1 : stride)];
}
void runStrided(Sizes sizes) {
  const int stride = sizes.between(2, 16);
  launch(strided, sizes, stride, stride);
}

/// A store whose neighbouring lanes go to different rows.
__global__ void rowStore(float *out, const float *in, int pitch) {
  const unsigned i = threadNumber();
  out[isFixed ? i : i * pitch] = in[i];
}
void runRowStore(Sizes sizes) {
  const int pitch = 8 * sizes.between(2, 6);
  launch(rowStore, sizes, pitch, pitch);
}

/// Rows that begin off a 32-byte boundary, read once more than written.
__global__ void misaligned(float *out, const float *in, int shift) {
  const unsigned i = threadNumber(), from = i + (isFixed ? 0 : shift);
  out[i] = in[from] + in[from + gridDim.x * blockDim.x] + in[from + 2 * gridDim.x * blockDim.x];
}
void runMisaligned(Sizes sizes) { launch(misaligned, sizes, 4, sizes.between(1, 7)); }

/// Lanes read in no order.
__global__ void gathered(float *out, const float *in, int spread) {
  const unsigned i = threadNumber(), count = gridDim.x * blockDim.x;
  out[i] = in[isFixed ? i : (i * 2654435761u >> 7) % (count * spread)];
}
void runGathered(Sizes sizes) {
  const int spread = sizes.between(4, 16);
  launch(gathered, sizes, spread, spread);
}

struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
};
/// One member of an array of structures.
__global__ void member(float *out, const float *in, int) {
  const unsigned i = threadNumber();
  out[i] = isFixed ? in[i] : reinterpret_cast<const Particle *>(in)[i].mass;
}
void runMember(Sizes sizes) { launch(member, sizes, 8, 0); }

/// The columns of a row-major matrix.
__global__ void column(float *out, const float *in, int pitch) {
  const unsigned i = threadNumber();
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += in[isFixed ? k * gridDim.x * blockDim.x + i : i * pitch + k * 8];
  out[i] = sum;
}
void runColumn(Sizes sizes) {
  const int pitch = 64 + 8 * sizes.between(0, 4);
  launch(column, sizes, pitch + 8, pitch);
}

/// Shared memory read `words` words apart, round after round.
__global__ void banks(float *out, const float *in, int words) {
  __shared__ float tile[kThreads * 32];
  for (unsigned i = threadIdx.x; i < kThreads * 32; i += kThreads)
    tile[i] = in[threadNumber()];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += tile[(threadIdx.x * (isFixed ? 1 : words) + k) % (kThreads * 32)];
  out[threadNumber()] = sum;
}
template <int ways> void runBanks(Sizes sizes) { launch(banks, sizes, 1, ways); }

/// All threads add to one counter.
__global__ void hotCounter(float *out, const float *in, int) {
  const unsigned i = threadNumber();
  float mine = in[i];
  if (isFixed) {
    for (int step = 16; step > 0; step /= 2)
      mine += __shfl_down_sync(~0u, mine, step);
    if (threadIdx.x % 32 == 0)
      atomicAdd(out, mine);
  } else {
    atomicAdd(out, mine);
  }
}
void runHotCounter(Sizes sizes) { launch(hotCounter, sizes, 1, 0); }

/// A weighted histogram in shared memory whose values are nearly all one. An addition of 1 would be one turn for an address: no defect.
__global__ void hotBin(float *out, const float *in, int bins) {
  __shared__ int count[256];
  count[threadIdx.x] = count[threadIdx.x + kThreads] = 0;
  __syncthreads();
  for (int k = 0; k < 64; ++k)
    atomicAdd(&count[isFixed ? threadIdx.x : (static_cast<unsigned>(in[threadNumber()]) + (threadIdx.x % 32 == 0)) % bins], bins);
  __syncthreads();
  out[threadNumber()] = static_cast<float>(count[threadIdx.x]);
}
void runHotBin(Sizes sizes) { launch(hotBin, sizes, 1, sizes.between(2, 64)); }

/// A thread has eight elements that follow each other.
__global__ void chunk(float *out, const float *in, int) {
  const unsigned i = threadNumber(), count = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned k = 0; k < 8; ++k)
    sum += in[isFixed ? k * count + i : i * 8 + k];
  out[i] = sum;
}
void runChunk(Sizes sizes) { launch(chunk, sizes, 8, 0); }

/// One member of an array of structures, written.
__global__ void memberStore(float *out, const float *in, int) {
  const unsigned i = threadNumber();
  if (isFixed)
    out[i] = in[i];
  else
    reinterpret_cast<Particle *>(out)[i].charge = in[i];
}
void runMemberStore(Sizes sizes) { launch(memberStore, sizes, 8, 0); }

/// Wide elements, strided.
__global__ void wideStride(float *out, const float *in, int stride) {
  const unsigned i = threadNumber();
  reinterpret_cast<double *>(out)[i] = reinterpret_cast<const double *>(in)[i * (isFixed ? 1 : stride)];
}
void runWideStride(Sizes sizes) {
  const int stride = sizes.between(3, 8);
  launch(wideStride, sizes, 2 * stride, stride);
}

/// A transposition without a tile: its stores go down a column.
__global__ void naiveTranspose(float *out, const float *in, int tiles) {
  const unsigned lane = threadIdx.x % 32, row = threadIdx.x / 32, pitch = static_cast<unsigned>(tiles) * 32;
  const unsigned x = blockIdx.x % tiles * 32, y = blockIdx.x / tiles * 32;
  for (unsigned i = row; i < 32; i += kThreads / 32)
    out[isFixed ? (y + i) * pitch + x + lane : (x + lane) * pitch + y + i] = in[(y + i) * pitch + x + lane];
}
void runNaiveTranspose(Sizes sizes) {
  const int tiles = sizes.sms * sizes.between(1, 2);
  const size_t count = size_t(tiles) * tiles * 32 * 32;
  naiveTranspose<<<tiles * tiles, kThreads>>>(deviceArray<float>(count), deviceArray<float>(count), tiles);
}

/// A tile whose columns are in one bank, read by columns many times.
__global__ void columnTile(float *out, const float *in, int rounds) {
  __shared__ float tile[32][isFixed ? 33 : 32];
  const unsigned lane = threadIdx.x % 32, row = threadIdx.x / 32;
  for (unsigned i = row; i < 32; i += kThreads / 32)
    tile[i][lane] = in[threadNumber()];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < rounds; ++k)
    sum += tile[lane][(row + k) % 32];
  out[threadNumber()] = sum;
}
void runColumnTile(Sizes sizes) { launch(columnTile, sizes, 1, sizes.between(48, 96)); }

/// Shared memory written 8 words apart.
__global__ void bankStore(float *out, const float *in, int words) {
  __shared__ float tile[kThreads * 8];
  const float mine = in[threadNumber()];
  for (unsigned k = 0; k < 64; ++k)
    tile[(threadIdx.x * (isFixed ? 1 : words) + k) % (kThreads * 8)] = mine + k;
  __syncthreads();
  out[threadNumber()] = tile[threadIdx.x];
}
void runBankStore(Sizes sizes) { launch(bankStore, sizes, 1, 8); }

/// The largest of all, kept by each thread on its own.
__global__ void hotMaximum(float *out, const float *in, int) {
  int mine = static_cast<int>(in[threadNumber()]) + static_cast<int>(threadNumber() % 1000);
  if (isFixed) {
    for (int step = 16; step > 0; step /= 2)
      mine = max(mine, __shfl_down_sync(~0u, mine, step));
    if (threadIdx.x % 32 == 0)
      atomicMax(reinterpret_cast<int *>(out), mine);
  } else {
    atomicMax(reinterpret_cast<int *>(out), mine);
  }
}
void runHotMaximum(Sizes sizes) { launch(hotMaximum, sizes, 1, 0); }

/// Three lanes of a warp copy what all of them could.
__global__ void fewLanes(float *out, const float *in, int vectors) {
  const unsigned warp = threadNumber() / 32, lane = threadIdx.x % 32;
  const unsigned begin = warp * static_cast<unsigned>(vectors) * 3, end = begin + static_cast<unsigned>(vectors) * 3;
  if (isFixed)
    for (unsigned i = begin + lane; i < end; i += 32)
      out[i] = in[i];
  else if (lane < 3)
    for (unsigned i = begin + lane; i < end; i += 3)
      out[i] = in[i];
}
void runFewLanes(Sizes sizes) { launch(fewLanes, sizes, 6, 32 * sizes.between(1, 2)); }

/// Every second warp strides; one statement reads for both.
__global__ void mixed(float *out, const float *in, int stride) {
  const unsigned i = threadNumber(), isOdd = i / 32 % 2;
  float mine;
  if (isFixed) {
    if (isOdd)
      mine = in[gridDim.x * blockDim.x + i];
    else
      mine = in[i];
  } else {
    mine = in[isOdd ? i * stride : i];
  }
  out[i] = mine;
}
void runMixed(Sizes sizes) {
  const int stride = sizes.between(4, 16);
  launch(mixed, sizes, stride, stride);
}

/// The same when its remedy was followed: each warp has a statement of its own, of which one is left to mend.
__global__ void mixedApart(float *out, const float *in, int stride) {
  const unsigned i = threadNumber();
  float mine;
  if (i / 32 % 2)
    mine = in[isFixed ? gridDim.x * blockDim.x + i : i * stride];
  else
    mine = in[i];
  out[i] = mine;
}
void runMixedApart(Sizes sizes) {
  const int stride = sizes.between(4, 16);
  launch(mixedApart, sizes, stride, stride);
}

/// Rows that are a little longer than a warp, which the lanes walk one after the other: of 32 where that is mended.
__global__ void split(float *out, const float *in, int length) {
  const unsigned i = threadNumber(), width = isFixed ? 32 : length;
  out[i] = in[i / width * 64 + i % width];
}
void runSplit(Sizes sizes) { launch(split, sizes, 2, sizes.between(33, 38)); }

/// Clean: each element once.
__global__ void cleanCopy(float *out, const float *in, int) { out[threadNumber()] = in[threadNumber()]; }
void runCleanCopy(Sizes sizes) { launch(cleanCopy, sizes, 1, 0); }

/// Clean: four elements a thread.
__global__ void cleanWide(float *out, const float *in, int) {
  reinterpret_cast<float4 *>(out)[threadNumber()] = reinterpret_cast<const float4 *>(in)[threadNumber()];
}
void runCleanWide(Sizes sizes) { launch(cleanWide, sizes, 4, 0); }

/// Clean: a transposition by tiles whose rows are one word longer.
__global__ void cleanTranspose(float *out, const float *in, int tiles) {
  __shared__ float tile[32][33];
  const unsigned lane = threadIdx.x % 32, row = threadIdx.x / 32, pitch = static_cast<unsigned>(tiles) * 32;
  const unsigned x = blockIdx.x % tiles * 32, y = blockIdx.x / tiles * 32;
  for (unsigned i = row; i < 32; i += kThreads / 32)
    tile[i][lane] = in[(y + i) * pitch + x + lane];
  __syncthreads();
  for (unsigned i = row; i < 32; i += kThreads / 32)
    out[(x + i) * pitch + y + lane] = tile[lane][i];
}
void runCleanTranspose(Sizes sizes) {
  const int tiles = sizes.sms * sizes.between(1, 2);
  const size_t count = size_t(tiles) * tiles * 32 * 32;
  cleanTranspose<<<tiles * tiles, kThreads>>>(deviceArray<float>(count), deviceArray<float>(count), tiles);
}

/// Clean: a sum by shuffles, one atomic a block.
__global__ void cleanReduce(float *out, const float *in, int rounds) {
  __shared__ float part[kThreads / 32];
  float mine = 0;
  for (int k = 0; k < rounds; ++k)
    mine += in[k * gridDim.x * blockDim.x + threadNumber()];
  for (int step = 16; step > 0; step /= 2)
    mine += __shfl_down_sync(~0u, mine, step);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(out, part[0] + part[1] + part[2] + part[3]);
}
void runCleanReduce(Sizes sizes) {
  const int rounds = sizes.between(8, 16);
  launch(cleanReduce, sizes, rounds, rounds);
}

/// Clean: a x + y, a grid's stride apart.
__global__ void cleanSaxpy(float *out, const float *in, int rounds) {
  for (int k = 0; k < rounds; ++k) {
    const unsigned i = k * gridDim.x * blockDim.x + threadNumber();
    out[i] = 2 * in[i] + out[i];
  }
}
void runCleanSaxpy(Sizes sizes) {
  const int rounds = sizes.between(2, 4);
  launch(cleanSaxpy, sizes, rounds, rounds);
}

#ifndef KPERF_HOST_TARGET // whose accesses take no time: that these cost nothing, and barriers beside them little, only a GPU tells
/// Clean: three neighbours, of which two lie off a sector's edge.
__global__ void cleanStencil(float *out, const float *in, int) {
  const unsigned i = threadNumber();
  out[i] = in[i] + in[i + 1] + in[i + 2];
}
void runCleanStencil(Sizes sizes) { launch(cleanStencil, sizes, 1, 0); }

/// Clean: a product of matrices by tiles.
__global__ void cleanMatmul(float *out, const float *in, int tiles) {
  __shared__ float a[16][16], b[16][16];
  const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16, pitch = static_cast<unsigned>(tiles) * 16;
  const unsigned row = blockIdx.x / tiles * 16, column = blockIdx.x % tiles * 16;
  float sum[2] = {};
  for (int tile = 0; tile < tiles; ++tile) {
    for (unsigned half = 0; half < 2; ++half) {
      a[y + 8 * half][x] = in[(row + y + 8 * half) * pitch + tile * 16 + x];
      b[y + 8 * half][x] = in[(tile * 16 + y + 8 * half) * pitch + column + x];
    }
    __syncthreads();
    for (unsigned k = 0; k < 16; ++k)
      for (unsigned half = 0; half < 2; ++half)
        sum[half] += a[y + 8 * half][k] * b[k][x];
    __syncthreads();
  }
  for (unsigned half = 0; half < 2; ++half)
    out[(row + y + 8 * half) * pitch + column + x] = sum[half];
}
void runCleanMatmul(Sizes sizes) {
  const int tiles = sizes.between(100, 140);
  const size_t count = size_t(tiles) * tiles * 16 * 16;
  cleanMatmul<<<tiles * tiles, kThreads>>>(deviceArray<float>(count), deviceArray<float>(count), tiles);
}
#endif

int main(int argc, char **argv) {
  const Case cases[] = {{"strided-access", runStrided},
                        {"row-store:strided-access", runRowStore},
                        {"misaligned-access", runMisaligned},
                        {"gathered:irregular-access", runGathered},
                        {"member:strided-access", runMember},
                        {"column:strided-access", runColumn},
                        {"2-ways:bank-conflict", runBanks<2>},
                        {"4-ways:bank-conflict", runBanks<4>},
                        {"8-ways:bank-conflict", runBanks<8>},
                        {"16-ways:bank-conflict", runBanks<16>},
                        {"32-ways:bank-conflict", runBanks<32>},
                        {"counter:same-address", runHotCounter},
                        {"bin:same-address", runHotBin},
                        {"chunk:strided-access", runChunk},
                        {"member-store:strided-access", runMemberStore},
                        {"wide-stride:strided-access", runWideStride},
                        {"naive-transpose:strided-access", runNaiveTranspose},
                        {"column-tile:bank-conflict", runColumnTile},
                        {"store:bank-conflict", runBankStore},
                        {"maximum:same-address", runHotMaximum},
                        {"few-lanes:partial-warp", runFewLanes},
                        {"mixed-access", runMixed},
                        {"mixed-apart:strided-access", runMixedApart},
                        {"split-access", runSplit},
                        {"saxpy:clean", runCleanSaxpy},
#ifndef KPERF_HOST_TARGET
                        {"stencil:clean", runCleanStencil},
                        {"matmul:clean", runCleanMatmul},
#endif
                        {"copy:clean", runCleanCopy},
                        {"wide:clean", runCleanWide},
                        {"transpose:clean", runCleanTranspose},
                        {"reduce:clean", runCleanReduce}};
  return runCase(argc, argv, cases, sizeof cases / sizeof *cases);
}
