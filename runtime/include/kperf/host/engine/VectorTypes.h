// CUDA's vector types (char1 … double4, dim3) with CUDA's alignments, and their make_ functions.
#ifndef KPERF_HOST_VECTOR_TYPES_H
#define KPERF_HOST_VECTOR_TYPES_H

#include <kperf/host/engine/Attributes.h>

#include <cstddef>
#include <cstdint>

// The names are C's: a source may say `struct float4` as well.
#define KPERF_HOST_VECTOR_1(name, element)                                                                                                 \
  struct name##1 { element x; };                                                                                                           \
  inline constexpr name##1 make_##name##1(element x) { return name##1 {x}; }
#define KPERF_HOST_VECTOR_2(name, element, alignment)                                                                                      \
  struct alignas(alignment) name##2 { element x, y; };                                                                                     \
  inline constexpr name##2 make_##name##2(element x, element y) { return name##2 {x, y}; }
#define KPERF_HOST_VECTOR_3(name, element)                                                                                                 \
  struct name##3 { element x, y, z; };                                                                                                     \
  inline constexpr name##3 make_##name##3(element x, element y, element z) { return name##3 {x, y, z}; }
#define KPERF_HOST_VECTOR_4(name, element, alignment)                                                                                      \
  struct alignas(alignment) name##4 { element x, y, z, w; };                                                                               \
  inline constexpr name##4 make_##name##4(element x, element y, element z, element w) { return name##4 {x, y, z, w}; }
#define KPERF_HOST_VECTORS(name, element, alignment2, alignment4)                                                                          \
  KPERF_HOST_VECTOR_1(name, element)                                                                                                       \
  KPERF_HOST_VECTOR_2(name, element, alignment2)                                                                                           \
  KPERF_HOST_VECTOR_3(name, element)                                                                                                       \
  KPERF_HOST_VECTOR_4(name, element, alignment4)

// Alignments: CUDA C++ programming guide, "Alignment requirements of built-in vector types".
KPERF_HOST_VECTORS(char, signed char, 2, 4)
KPERF_HOST_VECTORS(uchar, unsigned char, 2, 4)
KPERF_HOST_VECTORS(short, short, 4, 8)
KPERF_HOST_VECTORS(ushort, unsigned short, 4, 8)
KPERF_HOST_VECTORS(int, int, 8, 16)
KPERF_HOST_VECTORS(uint, unsigned int, 8, 16)
KPERF_HOST_VECTORS(long, long, 16, 16)
KPERF_HOST_VECTORS(ulong, unsigned long, 16, 16)
KPERF_HOST_VECTORS(longlong, long long, 16, 16)
KPERF_HOST_VECTORS(ulonglong, unsigned long long, 16, 16)
KPERF_HOST_VECTORS(float, float, 8, 16)
KPERF_HOST_VECTORS(double, double, 16, 16)

#undef KPERF_HOST_VECTORS
#undef KPERF_HOST_VECTOR_4
#undef KPERF_HOST_VECTOR_3
#undef KPERF_HOST_VECTOR_2
#undef KPERF_HOST_VECTOR_1

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 value) : x(value.x), y(value.y), z(value.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
