"""Writes a large source for ir.py: random statements, each on a line of its own, of every kind of expression that can access
memory, on elements of several types in global, shared and constant memory, in templates and out of them.

usage: ir_kinds.py SEED KERNELS STATEMENTS
"""
import random
import re
import sys

seed, kernels, statements = map(int, sys.argv[1:])
rng = random.Random(seed)

HEAD = """// Made by ir_kinds.py.
#ifndef KPERF_HOST_TARGET
#include <cuda/std/array>
#include <cuda/std/span>
#else // which has neither
namespace cuda::std {
template <class T, int N> struct array { T v[N]; __device__ T &operator[](int i) { return v[i]; } __device__ T &front() { return v[0]; } __device__ T &back() { return v[N - 1]; } };
template <class T> struct span { T *v; __device__ T &operator[](int i) const { return v[i]; } };
}
#endif
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <new>
struct Pair { float x, y; };
typedef cuda::std::array<float, 4> Four;
struct Bits { int low : 5; int high : 27; int whole; };
struct Base { float b; };
struct Derived : Base { float d; };
struct Copies { float x; Copies() = default; __device__ Copies(const Copies &o) : x(o.x) {} __device__ Copies &operator=(const Copies &o) { x = o.x; return *this; } };
struct Holds { Copies c; float z; Holds() = default; Holds(const Holds &) = default; Holds &operator=(const Holds &) = default; };
struct Nested { Pair p; float v[3]; int n; };
struct Range { const float *b, *e; __device__ const float *begin() const { return b; } __device__ const float *end() const { return e; } };
struct Cursor { const float *at; __device__ float operator*() const { return *at; } __device__ Cursor &operator++() { ++at; return *this; } __device__ bool operator!=(const Cursor &o) const { return at != o.at; } };
struct Cursors { const float *b, *e; __device__ Cursor begin() const { return {b}; } __device__ Cursor end() const { return {e}; } };
struct Made {
  float a, b;
  __device__ Made(const float *p, int i)
      : a(p[i]),
        b(p[i + 1] + p[i + 2]) {}
};
template <class T> struct MadeOf {
  T a;
  T *kept;
  __device__ MadeOf(T *p, int i)
      : a(p[i]),
        kept(p) {}
};
template <class T> struct Delegates : MadeOf<T> {
  __device__ Delegates(T **p, int i)
      : MadeOf<T>(p[i], i) {}
};
__constant__ float weights[1 << 12];
__constant__ Pair pairsInConstant[1 << 10];
__device__ float table[1 << 12];
__device__ float &cell(float *p, int i) { return p[i]; }
__device__ float twice(float v) { return v + v; }
__device__ float sumOf(Pair v) { return v.x * v.y; }
"""

# Of a thread t, a number N that no other statement has. What is read goes into `acc`, which stays in a register.
STATEMENTS = """
acc += f[t + N];
acc += cell(f, t + N);
f[t + N] = acc;
f[t + N] += acc;
f[t + N]++;
--f[t + N];
(f[t + N] += acc) *= 2;
acc += (f[t + N] = acc * 2);
acc += *(f + t + N);
acc += (t, f[t + N]);
(t > N ? f[t + N] : f[N]) = acc;
acc += t > N ? f[t + N] : f[2 * t + N];
{ float &r = t > N ? f[t + N] : f[N]; r += 1; acc += r; }
acc += i[t + N] ?: N;
acc += sumOf(p[t + N]);
acc += twice(p[t + N].y);
p[t + N] = {acc, 1};
p[t + N] = Pair{acc, acc + 1};
p[t + N] = p[t + 2 * N];
{ Pair own = p[t + N]; acc += own.x + own.y; }
{ Pair own[2] = {p[t + N], {acc, f[t + N]}}; acc += own[t & 1].y + own[0].x; }
{ Pair own{f[t + N], f[t + 2 * N]}; acc += own.x * own.y; }
{ auto &[a, b] = p[t + N]; acc += a + b; }
{ auto &[a, b] = p[t + N]; a = acc; b += 1; }
{ auto [a, b] = p[t + N]; acc += a + b; }
{ const auto &[a, b] = pairsInConstant[N & 1023]; acc += a * b; }
{ auto &[a, b, c] = nested[t + N].v; acc += a + b; c = 2; }
{ auto &[q, v, n] = nested[t + N]; acc += q.x + v[t % 3] + n; }
{ auto [a, b, c] = nested[t + N].v; acc += a + b * c; }
{ float Pair::*m = t > N ? &Pair::x : &Pair::y; acc += p[t + N].*m; }
{ float Pair::*m = t > N ? &Pair::x : &Pair::y; (p + t + N)->*m = acc; }
{ int Nested::*m = &Nested::n; nested[t + N].*m += 1; }
acc += bits[t + N].low;
bits[t + N].high = N;
bits[t + N].low++;
{ Bits own = bits[t + N]; acc += own.low; }
{ Copies own = copies[t + N]; acc += own.x; }
copies[t + N] = copies[t + 2 * N];
{ Holds own = holds[t + N]; acc += own.c.x + own.z; }
holds[t + N] = holds[t + 2 * N];
{ Base own = derived[t + N]; acc += own.b; }
acc += static_cast<Base &>(derived[t + N]).b;
derived[t + N].b = acc;
{ Made own(f, t + N); acc += own.a + own.b; }
{ MadeOf<float> own(f + t, N); acc += own.a; }
{ MadeOf own{i + t, N}; acc += own.a + *own.kept; }
{ Delegates<float> own(rows, N); acc += own.a; }
for (float v : Range{f + N, f + N + t}) acc += v;
for (const float &v : Range{f + N, f + N + t}) acc += v;
for (float v : Cursors{f + N, f + N + t}) acc += v;
for (float v : nested[t + N].v) acc += v;
for (float &v : nested[t + N].v) v = acc;
for (auto [a, b] : reinterpret_cast<Pair (&)[4]>(p[t + N])) acc += a * b;
for (auto &[a, b] : reinterpret_cast<Pair (&)[4]>(p[t + N])) acc += a * b;
new (f + t + N) float(acc);
new (p + t + N) Pair{acc, 1};
new (p + t + N) Pair(p[t + 2 * N]);
new (copies + t + N) Copies(copies[t + 2 * N]);
acc += [&] { return f[t + N]; }();
{ float &r = f[t + N]; acc += [&] { return r; }(); }
{ float &r = f[t + N]; acc += [r] { return r; }(); }
{ float &r = f[t + N]; acc += [=] { return r; }(); }
{ float &r = f[t + N]; [&] { r = acc; }(); }
acc += [v = f[t + N]] { return v; }();
acc += [v = p[t + N]] { return v.x * v.y; }();
acc += [&v = p[t + N]] { return v.x; }();
acc += __builtin_bit_cast(float, i[t + N]);
acc += reinterpret_cast<int &>(f[t + N]);
reinterpret_cast<float4 *>(f)[t + N] = make_float4(acc, 1, 2, 3);
acc += reinterpret_cast<float4 *>(f)[t + N].z;
acc += reinterpret_cast<const float2 &>(f[2 * (t + N)]).y;
acc += __half2float(reinterpret_cast<__half *>(f)[t + N]);
{ float4 own = reinterpret_cast<float4 *>(f)[t + N]; acc += own.x + own.w; }
{ v4 own = wide[t + N]; acc += own.x + own.w; }
acc += wide[t + N].y;
wide[t + N].z = acc;
wide[t + N] = wide[t + 2 * N] * acc;
acc += wide[t + N][t & 3];
acc += weights[(t + N) & 4095];
acc += table[(t + N) & 4095];
table[(t + N) & 4095] = acc;
acc += tile[(t + N) & 255];
tile[(t + N) & 255] -= acc;
{ auto &[a, b] = shared[(t + N) & 63]; acc += a; b = acc; }
if (float v = f[t + N]) acc += v;
if (f[t + N] > 3 && i[t + N] < 4) acc += 1;
while (i[t + N] > acc) acc += 1;
switch (i[t + N]) { case 1: acc += 1; break; case 2: acc *= 2; }
acc += f[i[t + N]];
acc += *rows[t + N];
acc += rows[t + N][i[N]];
*rows[t + N]++ = acc;
acc += (*array)[(t + N) & 7];
(*array)[(t + N) & 7] <<= 1;
acc += atomicAdd(f + t + N, acc);
acc += __ldg(&f[t + N]);
acc += ((volatile float *)f)[t + N];
{ const Pair *q = &p[t + N]; acc += q->x + (*q).y; }
{ Pair *q = p + t + N; q++->x = acc; }
acc += fours[t + N][t & 3] + fours[t + N].front();
fours[t + N][1] += acc;
fours[t + N].back() = acc;
{ Four own = fours[t + N]; acc += own[t & 3]; }
acc += view[t + N];
view[t + N] = acc;
memcpy(f + t + N, f + N, 8);
__builtin_memcpy(&acc, f + t + N, 4);
memset(f + t + N, 0, 8);
acc += sizeof(f[t + N]) + noexcept(f[N]);
""".strip().split("\n")

PARAMETERS = ("float *f, int *i, Pair *p, Nested *nested, Bits *bits, Copies *copies, Holds *holds, Derived *derived, float **rows, "
              "unsigned (*array)[8], v4 *wide, Four *fours, cuda::std::span<float> view")
OPEN = "T *f, int *i, U *p, Nested *nested, Bits *bits, Copies *copies, Holds *holds, Derived *derived, T **rows, unsigned (*array)[8], v4 *wide, cuda::std::array<T, 4> *fours, cuda::std::span<T> view"

print(HEAD)
print("typedef float v4 __attribute__((ext_vector_type(4)));")
number = 0
for kernel in range(kernels):
    is_template = kernel % 2
    if is_template:
        print(f"template <class T, class U> __global__ void kernel{kernel}({OPEN}) {{")
    else:
        print(f"__global__ void kernel{kernel}({PARAMETERS}) {{")
    print("  __shared__ float tile[256];\n  __shared__ Pair shared[64];\n  const int t = threadIdx.x;\n  float acc = t;")
    for _ in range(statements):
        number += 1
        print("  " + re.sub(r"\bN\b", str(1000 + 7 * number), rng.choice(STATEMENTS)))
    print("  f[t] = acc;\n}")
    if is_template:
        print(f"template __global__ void kernel{kernel}<float, Pair>({PARAMETERS});")
