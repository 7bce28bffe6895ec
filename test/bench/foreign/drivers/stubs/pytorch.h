// As much of PyTorch as sources have to name that are compiled without it: number types, and tensors in declarations of host functions.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <stdexcept>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define C10_CUDA_CHECK(x) (void)(x)
#define C10_CUDA_KERNEL_LAUNCH_CHECK()
#define TORCH_CHECK(...)

namespace c10 {
using Half = __half;
using BFloat16 = __nv_bfloat16;

template <class T> struct complex {
  T real_, imag_;
  __host__ __device__ constexpr complex(T real = T(), T imag = T()) : real_(real), imag_(imag) {}
};
template <class T> __host__ __device__ complex<T> operator*(complex<T> a, complex<T> b) {
  return {a.real_ * b.real_ - a.imag_ * b.imag_, a.real_ * b.imag_ + a.imag_ * b.real_};
}
template <class T> __host__ __device__ complex<T> operator+(complex<T> a, complex<T> b) { return {a.real_ + b.real_, a.imag_ + b.imag_}; }
} // namespace c10

namespace at {
using c10::BFloat16;
using c10::Half;
} // namespace at

namespace torch {
enum Type { kHalf, kFloat, kInt };
struct Options {
  Type type_ = kHalf;
  Type dtype() const { return type_; }
};
inline std::ostream &operator<<(std::ostream &out, const Options &) { return out; }
struct Tensor {
  void *data = nullptr;
  long sizes[4] = {};
  Options options_;
  Options options() const { return options_; }
  long size(int i) const { return sizes[i]; }
  void *data_ptr() const { return data; }
};
} // namespace torch
