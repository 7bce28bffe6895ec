// The standard headers that nvcc brings along. In Clang's CUDA mode they make the C library's functions callable from
// kernels, which is why cuda_runtime.h has to come before any other header there (-include cuda_runtime.h, as nvcc
// does).
#ifndef KPERF_HOST_STANDARD_LIBRARY_H
#define KPERF_HOST_STANDARD_LIBRARY_H

#if defined(__CUDA__) && defined(__clang__)
// Only C's own headers: libstdc++'s overloads are constexpr, which makes them callable from kernels, and what C++
// headers declare twice would not be of one kind each time.
#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#include <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#pragma clang force_cuda_host_device end
// Clang adds device functions to <new>, for which __device__ must not mean __host__ as well.
#define __device__ __attribute__((device))
#include <new>
#undef __device__
#endif

#include <kperf/host/engine/Attributes.h>

#include <algorithm>
#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <cassert>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#endif
