// thrust::identity, which cuCollections' examples need and CCCL 3 has no longer.
#pragma once

namespace thrust {
template <class = void> struct identity {
  template <class T> __host__ __device__ T &&operator()(T &&value) const { return static_cast<T &&>(value); }
};
} // namespace thrust
