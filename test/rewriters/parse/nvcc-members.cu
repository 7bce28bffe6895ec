// Members, operators, friends, lambdas and functions of every other shape: each annotation is a region, once, and nvcc takes it.
// REQUIRES: long, nvcc
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-cc --strict nvcc %sm90a -std=c++20 --extended-lambda -Xcicc -O1 -Xptxas -O0 -c annotated.cu -o annotated.o
// RUN: kperf-rewrite --list-regions annotated.cu -- -std=c++20 --extended-lambda > regions.txt
// RUN: %python once.py

// So it is with bodies that stand in files of their own, in part or whole.
// RUN: kperf-cc --strict nvcc %sm90a -Xcicc -O1 -Xptxas -O0 -Werror all-warnings -c spread.cu -o spread.o
// RUN: kperf-rewrite --list-regions spread.cu | FileCheck %s --implicit-check-not=region
// CHECK:      spread.cu:2:17: kernel "spread" in spread
// CHECK-NEXT: spread.cu:8:17: kernel "user" in user
// CHECK-NEXT: begin.inc:1:3: scope "part of a body" in spread
// CHECK-NEXT: begin.inc:2:1: range "across" in spread
// CHECK-NEXT: whole.inc:1:{{[0-9]+}}: scope "whole body" in whole

//--- once.py
import re
wanted = sorted(re.findall(r'KPERF_(?:SCOPE|MARK)\("([^"]*)"', open("annotated.cu").read()))
found = sorted(re.findall(r': (?:scope|mark) "([^"]*)"', open("regions.txt").read()))
assert len(wanted) == 34 and found == wanted, (found, wanted)
//--- annotated.cu
#include <kperf/annotate.h>
#include <cstdarg>
#include <new>
struct Buf { float *p; int n;
  __device__ float &operator[](int i) { KPERF_SCOPE("subscript"); return p[i]; }
  __device__ operator bool() const { KPERF_SCOPE("conversion"); return n > 0; }
  __device__ Buf &operator++() { KPERF_SCOPE("preincrement"); ++n; return *this; }
  __device__ Buf operator++(int) { KPERF_SCOPE("postincrement"); Buf b = *this; ++n; return b; }
  __device__ ~Buf() { KPERF_SCOPE("destructor"); }
  __device__ Buf(float *p, int n) : p(p), n(n) { KPERF_SCOPE("ctor"); }
  __device__ Buf(const Buf &o) : p(o.p), n(o.n) { KPERF_SCOPE("copy"); }
  template <class T> __device__ auto get(T t) -> decltype(t + 1) { KPERF_SCOPE("trailing return"); return t + 1; }
  __device__ virtual int v(int i) const { KPERF_SCOPE("virtual"); return i; }
};
struct Derived : Buf { using Buf::Buf; __device__ int v(int i) const override { KPERF_SCOPE("override"); return i + 1; } };
class Owner;
__global__ void friendKernel(Owner *o);
class Owner { int secret = 1; friend __global__ void friendKernel(Owner *o); };
__global__ void friendKernel(Owner *o) { KPERF_SCOPE("friend kernel"); o->secret = 2; }
__device__ int cvariadic(int n, ...) {
  KPERF_SCOPE("C variadic");
  va_list l; va_start(l, n); int s = 0; for (int i = 0; i < n; ++i) s += va_arg(l, int); va_end(l); return s;
}
__device__ float operator""_dev(long double x) { KPERF_SCOPE("literal"); return float(x); }
__device__ Buf operator+(const Buf &a, int i) { KPERF_SCOPE("free operator"); return Buf(a.p, a.n + i); }
__device__ void *operator new(size_t, float *p, int) { KPERF_SCOPE("new"); return p; }
namespace a::b { __device__ __forceinline__ int nested(int i) noexcept { KPERF_SCOPE("nested"); return i; } }
template <template <class> class C, class T, T... V> struct Tmpl { static __device__ int s(C<T> c) { KPERF_SCOPE("template template"); return (V + ...); } };
template <class T> struct Id { T t; };
template <class T> struct Part { static __device__ int f() { KPERF_SCOPE("primary"); return 0; } };
template <class T> struct Part<T *> { static __device__ int f() { KPERF_SCOPE("partial"); return 1; } };
template <> struct Part<int> { static __device__ int f(); };
__device__ int Part<int>::f() { KPERF_SCOPE("full"); return 2; }
template <class T> __device__ auto deduced(T t) { KPERF_SCOPE("deduced"); if constexpr (sizeof(T) > 4) return t; else return t * 2.0f; }
__device__ [[nodiscard]] __noinline__ int attrs(int i) { KPERF_SCOPE("attrs"); [[maybe_unused]] int j = i; return i; }
extern "C" { __device__ int inC(int i) { KPERF_SCOPE("in C"); return i; } }
template <class F> __device__ void call(F &&f, int i) { KPERF_SCOPE("call"); f(i); }
__device__ int (*table[2])(int) = {attrs, inC};
__global__ void __maxnreg__(64) k(float *p, int n) {
  KPERF_SCOPE("k");
  Buf b(p, n); ++b; b++; if (b) b[0] = b.get(1.0f) + b.v(1); Derived d(p, n); b = d; (b + 1)[1] = d.v(2);
  p[2] = cvariadic(2, 1, 2) + 1.0_dev + a::b::nested(1) + Tmpl<Id, int, 1, 2>::s({1}) + Part<float>::f() + Part<int *>::f() + Part<int>::f();
  p[3] = deduced(1.0) + deduced(1) + table[n & 1](n);
  auto gen = [p]<class T>(T t) { KPERF_SCOPE("template lambda"); p[4] = t; };
  gen(1); gen(2.0f);
  call([=](auto... v) mutable { KPERF_SCOPE("pack lambda"); p[5] = (v + ...); }, n);
  call([&](int i) -> void { [&] { KPERF_SCOPE("nested lambda"); p[6] = i; }(); }, n);
  struct Loc { __device__ static int f(int i) { KPERF_SCOPE("local class"); return i; } };
  p[7] = Loc::f(n);
  for (int i = 0; i < n; ++i) { KPERF_SCOPE("l1"); if (i == 2) continue; if (i == 3) goto out; p[i] = 1; }
out:
  do KPERF_MARK("m", n); while (n-- > 0);
  if (int q = n; q > 2) { KPERF_SCOPE("init if"); p[1] = 2; }
  switch (int z = n; z) { case 1: { KPERF_SCOPE("case"); p[1] = 1; } }
  while (n > 3) { KPERF_MARK("w", 1); --n; }
}
//--- spread.cu
#include <kperf/annotate.h>
__global__ void spread(int *p, int n) {
#include "begin.inc"
  p[1] = n;
#include "end.inc"
}
#include "whole.inc"
__global__ void user(int *p) { p[0] = whole(2); }
//--- begin.inc
{ KPERF_SCOPE("part of a body"); p[0] = n; }
KPERF_BEGIN("across");
//--- end.inc
KPERF_END("across");
//--- whole.inc
__device__ int whole(int n) { KPERF_SCOPE("whole body"); return n; }
