// CUTLASS's product by cp.async and mma.sync: half precision, 4096 × 4096 × 4096, tiles of 128 × 128 × 32, four stages.
#include "cutlass/gemm/device/gemm.h"

#include "driver.h"

using Half = cutlass::half_t;
using Gemm = cutlass::gemm::device::Gemm<Half, cutlass::layout::RowMajor, Half, cutlass::layout::ColumnMajor, float, cutlass::layout::RowMajor, float,
                                         cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, cutlass::gemm::GemmShape<128, 128, 32>,
                                         cutlass::gemm::GemmShape<64, 64, 32>, cutlass::gemm::GemmShape<16, 8, 16>,
                                         cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
                                         cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 4>;

int main() {
  const int size = 4096;
  const std::size_t count = std::size_t(size) * size;
  Half *a = driver::numbers<Half>(count, 1), *b = driver::numbers<Half>(count, 2);
  float *d = driver::zeros<float>(count);
  Gemm gemm;
  if (gemm.initialize({{size, size, size}, {a, size}, {b, size}, {d, size}, {d, size}, {1.0F, 0.0F}}) != cutlass::Status::kSuccess)
    return 1;
  return driver::measure([&] { gemm(); }, {{d, count * sizeof(float)}});
}
