// Which lanes of a warp are in a region: all of them, its first one, or any.
// RUN: kperf-rewrite --cuda-path=none %s -o - -- -std=c++17 | FileCheck %s
#include <cooperative_groups.h>
#include <kperf/annotate.h>

namespace cg = cooperative_groups;

// A warp's number, and questions that all lanes of a warp answer alike, in each spelling.
__global__ void warps(float *p) {
  const unsigned thread = threadIdx.x;
  // CHECK: ConvergentScope {{.*}}"shifted"
  if (thread >> 5) { KPERF_SCOPE("shifted"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"two warps"
  if (thread >> 6 == 1) { KPERF_SCOPE("two warps"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"from a warp on"
  if (thread >= 64) { KPERF_SCOPE("from a warp on"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"up to a warp's last lane"
  if (thread <= 31) { KPERF_SCOPE("up to a warp's last lane"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"behind a warp's last lane"
  if (thread > 63) { KPERF_SCOPE("behind a warp's last lane"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"of a wider type"
  if ((unsigned long long)thread / 32 == 1) { KPERF_SCOPE("of a wider type"); p[0] = 1; }
  constexpr int lanes = 32;
  // CHECK: ConvergentScope {{.*}}"by a constant"
  if (static_cast<int>(threadIdx.x) / lanes == 1) { KPERF_SCOPE("by a constant"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"odd lanes"
  if (threadIdx.x & 1) { KPERF_SCOPE("odd lanes"); p[0] = 1; }
}

// What looks like them and cuts a warp, or forgets a part of the index.
__global__ void cut(float *p) {
  const unsigned thread = threadIdx.x;
  // CHECK: DivergentScope {{.*}}"half a warp"
  if (thread >> 4) { KPERF_SCOPE("half a warp"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"from its middle on"
  if (thread >= 48) { KPERF_SCOPE("from its middle on"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"and the next one's first lane"
  if (thread <= 32) { KPERF_SCOPE("and the next one's first lane"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"without the next one's first lane"
  if (thread > 32) { KPERF_SCOPE("without the next one's first lane"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"of a narrow type"
  if ((unsigned char)thread / 32 == 1) { KPERF_SCOPE("of a narrow type"); p[0] = 1; }
  const short narrow = threadIdx.x;
  // CHECK: DivergentScope {{.*}}"kept in a narrow type"
  if (narrow / 32 == 1) { KPERF_SCOPE("kept in a narrow type"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"another index"
  if (threadIdx.y / 32 == 1) { KPERF_SCOPE("another index"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"a multiple"
  if (thread * 32) { KPERF_SCOPE("a multiple"); p[0] = 1; }
}

// The first lane, and more or others than it.
__global__ void first(float *p) {
  const int lane = threadIdx.x % 32;
  // CHECK: FirstScope {{.*}}"turned round"
  if (0 == lane) { KPERF_SCOPE("turned round"); p[0] = 1; }
  // CHECK: FirstScope {{.*}}"no low bits"
  if (!(threadIdx.x & 31)) { KPERF_SCOPE("no low bits"); p[0] = 1; }
  const bool isFirst = lane == 0;
  // CHECK: FirstScope {{.*}}"and something else"
  if (isFirst && p[0] > 0) { KPERF_SCOPE("and something else"); p[0] = 1; }
  // CHECK: FirstScope {{.*}}"something else and"
  if (p[0] > 0 && threadIdx.x == 0) { KPERF_SCOPE("something else and"); p[0] = 1; }
  // CHECK: FirstScope {{.*}}"of each second one"
  if (threadIdx.x % 64 == 0) { KPERF_SCOPE("of each second one"); p[0] = 1; }
  // CHECK: FirstScope {{.*}}"of one"
  if (threadIdx.x == 64) { KPERF_SCOPE("of one"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"two of it"
  if (!(threadIdx.x & 15)) { KPERF_SCOPE("two of it"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"each sixteenth"
  if (threadIdx.x % 16 == 0) { KPERF_SCOPE("each sixteenth"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"or others"
  if (lane == 0 || p[1] > 0) { KPERF_SCOPE("or others"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"all others"
  if (lane != 0) { KPERF_SCOPE("all others"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"the second one"
  if (lane == 1) { KPERF_SCOPE("the second one"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"the block's second one"
  if (1 == threadIdx.x) { KPERF_SCOPE("the block's second one"); p[0] = 1; }
}

// What lanes are told by others: the same where all of them ask the same lane of the whole warp.
__global__ void told(float *p, const int *q, int n) {
  const int mine = q[threadIdx.x];
  // CHECK: ConvergentScope {{.*}}"one lane's"
  if (__shfl_sync(~0u, mine, 3)) { KPERF_SCOPE("one lane's"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"a named lane's"
  if (__shfl_sync(~0u, mine, n & 31, 32)) { KPERF_SCOPE("a named lane's"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"each half's"
  if (__shfl_sync(~0u, mine, 3, 16)) { KPERF_SCOPE("each half's"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"of groups"
  if (__shfl_sync(~0u, mine, 3, n)) { KPERF_SCOPE("of groups"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"whose each lane says"
  if (__shfl_sync(~0u, mine, mine)) { KPERF_SCOPE("whose each lane says"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"in masks of each lane"
  if (__shfl_sync(mine, mine, 3)) { KPERF_SCOPE("in masks of each lane"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"any lane's"
  if (__any_sync(~0u, mine)) { KPERF_SCOPE("any lane's"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"votes of each lane's mask"
  if (__ballot_sync(mine, mine)) { KPERF_SCOPE("votes of each lane's mask"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"a neighbour's"
  if (__shfl_xor_sync(~0u, mine, 1)) { KPERF_SCOPE("a neighbour's"); p[0] = 1; }
}

// What a group knows of itself, where it is a block, a grid, or made of whole warps.
__global__ void groups(float *p) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  auto warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(block);
  // CHECK: ConvergentScope {{.*}}"how large a block is"
  if (block.size() > 64) { KPERF_SCOPE("how large a block is"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"how large a grid is"
  if (grid.size() > 64) { KPERF_SCOPE("how large a grid is"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"which block"
  if (block.group_index().x) { KPERF_SCOPE("which block"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"which warp"
  if (warp.meta_group_rank() == 1) { KPERF_SCOPE("which warp"); p[0] = 1; }
  // CHECK: ConvergentScope {{.*}}"how large a tile is"
  if (warp.size() == 32) { KPERF_SCOPE("how large a tile is"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"which half"
  if (half.meta_group_rank() == 1) { KPERF_SCOPE("which half"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"which thread"
  if (block.thread_rank() == 1) { KPERF_SCOPE("which thread"); p[0] = 1; }
  // CHECK: DivergentScope {{.*}}"which lane"
  if (warp.thread_rank() == 1) { KPERF_SCOPE("which lane"); p[0] = 1; }
}
