// Hopper's instructions that CUDA C++ has no names for (sm_90a): mbarriers, named barriers, the tensor memory
// accelerator, warpgroup matrix products and register reallocation.
#ifndef KPERF_EXAMPLES_HOPPER_H
#define KPERF_EXAMPLES_HOPPER_H

#include <cstdint>
#include <cuda.h>
#include <cuda_fp16.h>

namespace hopper {

__device__ inline unsigned sharedAddress(const void *pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

/// The barrier completes a phase when `arrivals` threads have arrived and every byte announced to it is there.
__device__ inline void initBarrier(uint64_t *barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(arrivals) : "memory");
}

/// Makes initialised barriers known to the other blocks of the cluster and to the copy engine, once clusterSync is
/// passed.
__device__ inline void publishBarriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ inline void clusterSync() { asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory"); }

__device__ inline void arriveExpectingBytes(uint64_t *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(bytes) : "memory");
}

/// Arrives at a barrier of the own block.
__device__ inline void arrive(uint64_t *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier)) : "memory");
}

/// Arrives at the barrier at the same place in the shared memory of block `rank` of the cluster.
__device__ inline void arriveAt(uint64_t *barrier, unsigned rank) {
  unsigned remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(sharedAddress(barrier)), "r"(rank));
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
}

/// Waits for the end of the phase of that parity; phases are numbered from 0, and the one before the first has ended.
__device__ inline void wait(uint64_t *barrier, unsigned parity) {
  unsigned done;
  do {
    asm volatile("{\n\t"
                 ".reg .pred done;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, done;\n\t"
                 "}"
                 : "=r"(done)
                 : "r"(sharedAddress(barrier)), "r"(parity)
                 : "memory");
  } while (!done);
}

/// Waits at named barrier `id` (1 to 15) of the block until `threads` threads are there, those of arriveNamed() counted.
__device__ inline void syncNamed(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

/// Counts the calling warps at named barrier `id`, and does not wait.
__device__ inline void arriveNamed(int id, int threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

/// Starts the copy of the map's box at (column, row) to shared memory. Its bytes are counted by `barrier`; what lies
/// outside of the matrix arrives as zeros and counts too.
__device__ inline void copyBox(void *shared, const CUtensorMap *map, uint64_t *barrier, int column, int row) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   sharedAddress(shared)),
               "l"(map), "r"(column), "r"(row), "r"(sharedAddress(barrier))
               : "memory");
}

/// The same from a map of three dimensions.
__device__ inline void copyBox(void *shared, const CUtensorMap *map, uint64_t *barrier, int column, int row, int plane) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(sharedAddress(shared)),
               "l"(map), "r"(column), "r"(row), "r"(plane), "r"(sharedAddress(barrier))
               : "memory");
}

/// From a map of two dimensions to the same place in every block of the cluster whose bit is set in `ranks`, each block's own barrier
/// counting.
__device__ inline void copyBoxToCluster(void *shared, const CUtensorMap *map, uint64_t *barrier, int column, int row, uint16_t ranks) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(sharedAddress(shared)),
               "l"(map), "r"(column), "r"(row), "r"(sharedAddress(barrier)), "h"(ranks)
               : "memory");
}

/// Names to the tensor cores a matrix of 64 fp16 columns whose rows are 128 bytes apart, swizzled in groups of eight
/// rows that begin at multiples of 1024 bytes (PTX ISA, "Matrix Descriptor Format": addresses and offsets count 16
/// bytes, layout 1 is the 128-byte swizzle, and the leading offset has no meaning in it).
__device__ inline uint64_t swizzledMatrix(const void *shared) {
  constexpr uint64_t eightRows = 1024 / 16, leading = 1, layout = 1;
  return (sharedAddress(shared) & 0x3ffff) / 16 | leading << 16 | eightRows << 32 | layout << 62;
}

/// The same for a matrix whose columns, more than 64, lie in several such parts, `partBytes` from one to the next, and
/// of which multiplyTransposed() takes 16 rows a step ("Strides": the leading offset is from part to part).
__device__ inline uint64_t swizzledTransposed(const void *shared, unsigned partBytes) {
  constexpr uint64_t eightRows = 1024 / 16, layout = 1;
  return (sharedAddress(shared) & 0x3ffff) / 16 | uint64_t(partBytes / 16) << 16 | eightRows << 32 | layout << 62;
}

/// What to add to such a descriptor to skip 16 rows.
constexpr uint64_t sixteenRows = 16 * 128 / 16;

/// What to add to a descriptor to skip 16 columns, which is one step of multiply().
constexpr uint64_t sixteenColumns = 32 / 16;

/// To be called by the whole warpgroup before the first multiply() after its sums were touched in another way.
__device__ inline void beginMultiply() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

/// Closes a group of the multiply() calls since the last one.
__device__ inline void commitGroup() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

/// Waits until at most `Pending` groups are unfinished.
template <int Pending> __device__ inline void waitForGroups() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

/// Keeps the compiler from reading the sums before the wait that this call follows.
template <int Count> __device__ inline void afterWait(float (&sums)[Count][4]) {
#pragma unroll
  for (int i = 0; i < Count * 4; ++i)
    asm volatile("" : "+f"(sums[i / 4][i % 4])::"memory");
}

#define SUMS4(i) "+f"(sums[i][0]), "+f"(sums[i][1]), "+f"(sums[i][2]), "+f"(sums[i][3])
#define SUMS16(i) SUMS4(i), SUMS4(i + 1), SUMS4(i + 2), SUMS4(i + 3)

/// sums = A·Bᵀ, or += where Accumulate, for a 64×16 A and a 128×16 B; starts here, ends at a waitForGroups.
template <bool Accumulate = true> __device__ inline void multiply(float (&sums)[16][4], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
               "%64, %65, %66, 1, 1, 0, 0;"
               : SUMS16(0), SUMS16(4), SUMS16(8), SUMS16(12)
               : "l"(a), "l"(b), "n"(int(Accumulate)));
}

/// sums = A·Bᵀ, or += where Accumulate, for a 64×16 A and a 160×16 B; starts here, ends at a waitForGroups.
template <bool Accumulate = true> __device__ inline void multiply(float (&sums)[20][4], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n160k16.f32.f16.f16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
               " %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
               "%80, %81, %82, 1, 1, 0, 0;"
               : SUMS16(0), SUMS16(4), SUMS16(8), SUMS16(12), SUMS16(16)
               : "l"(a), "l"(b), "n"(int(Accumulate)));
}

/// sums = A·Bᵀ, or += where Accumulate, for a 64×16 A and a 256×16 B; starts here, ends at a waitForGroups.
template <bool Accumulate = true> __device__ inline void multiply(float (&sums)[32][4], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
               " %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
               " %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
               " %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
               " %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
               "%128, %129, %130, 1, 1, 0, 0;"
               : SUMS16(0), SUMS16(4), SUMS16(8), SUMS16(12), SUMS16(16), SUMS16(20), SUMS16(24), SUMS16(28)
               : "l"(a), "l"(b), "n"(int(Accumulate)));
}

/// sums += A·B for a 64×16 A in the warps' registers, laid out as mma.m16n8k16 has it, and a 16×128 B that
/// swizzledTransposed() names; starts here, ends at a waitForGroups, and until then A is not to be written.
__device__ inline void multiplyTransposed(float (&sums)[16][4], const unsigned (&a)[4], uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
               "{%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
               : SUMS16(0), SUMS16(4), SUMS16(8), SUMS16(12)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

#undef SUMS16
#undef SUMS4

/// Hands registers above `Count` a thread back; called by all four warps of a warpgroup.
template <int Count> __device__ inline void shrinkRegisters() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count)); }

/// Waits until `Count` registers a thread are free and takes them.
template <int Count> __device__ inline void growRegisters() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count)); }

} // namespace hopper

#endif
