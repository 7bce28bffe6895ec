// CUTLASS's product by TMA and wgmma, of the types and tiles of its example 48 (TF32, 128 × 128 × 32, clusters of 4 × 2). Arguments: m, n, k.
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/gemm/device/gemm_universal_adapter.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/util/packed_stride.hpp"

#include "driver.h"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using TileShape = Shape<_128, _128, _32>;
using ClusterShape = Shape<_4, _2, _1>;
using Epilogue = cutlass::epilogue::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, TileShape, ClusterShape,
                                                                  cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, Column, 4, float, Column, 4,
                                                                  cutlass::epilogue::collective::EpilogueScheduleAuto>::CollectiveOp;
using Mainloop = cutlass::gemm::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, float, Row, 4, float, Column, 4, float, TileShape, ClusterShape,
    cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename Epilogue::SharedStorage))>,
    cutlass::gemm::collective::KernelScheduleAuto>::CollectiveOp;
using Gemm = cutlass::gemm::device::GemmUniversalAdapter<cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int>, Mainloop, Epilogue>>;

int main(int, char **arguments) {
  const int m = std::atoi(arguments[1]), n = std::atoi(arguments[2]), k = std::atoi(arguments[3]);
  float *a = driver::numbers<float>(std::size_t(m) * k, 1), *b = driver::numbers<float>(std::size_t(n) * k, 2), *d = driver::zeros<float>(std::size_t(m) * n);
  const auto strideD = cutlass::make_cute_packed_stride(typename Gemm::GemmKernel::StrideD{}, {m, n, 1});
  typename Gemm::Arguments problem{cutlass::gemm::GemmUniversalMode::kGemm,
                                   {m, n, k},
                                   {a, cutlass::make_cute_packed_stride(typename Gemm::GemmKernel::StrideA{}, {m, k, 1}), b,
                                    cutlass::make_cute_packed_stride(typename Gemm::GemmKernel::StrideB{}, {n, k, 1})},
                                   {{1.0F, 0.0F}, d, strideD, d, strideD},
                                   cutlass::KernelHardwareInfo::make_kernel_hardware_info<Gemm::GemmKernel>(0)};
  Gemm gemm;
  void *workspace = driver::zeros<char>(Gemm::get_workspace_size(problem) + 1);
  if (gemm.initialize(problem, workspace) != cutlass::Status::kSuccess)
    return 1;
  return driver::measure([&] { gemm.run(); }, {{d, std::size_t(m) * n * sizeof(float)}});
}
