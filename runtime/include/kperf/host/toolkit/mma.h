// Tensor cores are not imitated: the names of <mma.h>, so that a use says so.
#ifndef KPERF_HOST_MMA_H
#define KPERF_HOST_MMA_H

#include <kperf/host/toolkit/cuda_runtime.h>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment {
  static_assert(kperf::host::isSupported<Use, T>,
                "nvcuda::wmma is not supported on kperf's host target; compute the product with ordinary code where "
                "KPERF_HOST_TARGET is defined");
};

} // namespace wmma
} // namespace nvcuda

#endif
