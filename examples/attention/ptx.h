// The four kinds of sm_80 instructions that the attention kernel uses and CUDA C++ has no names for.
#ifndef KPERF_EXAMPLES_ATTENTION_PTX_H
#define KPERF_EXAMPLES_ATTENTION_PTX_H

#include <cuda_fp16.h>

namespace ptx {

__device__ inline unsigned sharedAddress(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Starts a copy of 16 bytes from global to shared memory, or of 16 zeros when `exists` is false.
__device__ inline void copyAsync16(void *shared, const void *global, bool exists) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(sharedAddress(shared)), "l"(global),
               "r"(exists ? 16 : 0)
               : "memory");
}

/// Waits for the calling thread's copies; the other threads' need a barrier on top.
__device__ inline void waitForCopies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/// Four 8×8 matrices; lane l gives the address of row l % 8 of matrix l / 8, and gets of each matrix the elements
/// (l / 4, 2·(l % 4) + {0, 1}).
__device__ inline void loadMatrices(unsigned (&fragment)[4], const __half *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
               : "r"(sharedAddress(row))
               : "memory");
}

/// The same, each matrix transposed on the way: lane l gets the elements (2·(l % 4) + {0, 1}, l / 4).
__device__ inline void loadMatricesTransposed(unsigned (&fragment)[4], const __half *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
               : "r"(sharedAddress(row))
               : "memory");
}

/// sums += A·B for a 16×16 A and a 16×8 B. Lane l holds of the 16×8 sums the elements (l / 4 + {0, 8}, 2·(l % 4) + {0,
/// 1}) (PTX ISA, "Matrix Fragments for mma.m16n8k16").
__device__ inline void multiplyAdd(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// 2^x to about 22 bits; 0 for −∞.
__device__ inline float powerOfTwo(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

} // namespace ptx

#endif
