// More than a few accesses of a statement that are left out for one reason take one row: a wgmma has 128 registers, and
// headers have thousands of such functions (the table made an object 13 MB large).
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
__device__ void fma(int &a, int &b, int &c, int &d, int &e, int &f, int &g, int &h, int &i) {
  asm volatile("{ mma %0, %1, %2, %3, %4, %5, %6, %7, %8; }"
               : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h), "+r"(i));
  a = b;
}
__device__ void few(int &a, int &b) {
  asm volatile("{ mma %0, %1; }" : "+r"(a), "+r"(b));
}
__global__ void kernel(int *p) {
  int own = 0;
  fma(own, own, own, own, own, own, own, own, own);
  few(own, own);
  fma(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]);
  few(p[0], p[1]);
  p[9] = 1;
}
//--- check.txt
CHECK: KPERF_SITES(
CHECK-SAME: "fma", {{.*}}, "a and 8 more", "a reference may be bound to an automatic variable", 3u
CHECK-NEXT: "a", "a reference may be bound to an automatic variable", 4u
CHECK-NEXT: "b", "a reference may be bound to an automatic variable", 4u
CHECK-NEXT: "few", {{.*}}, "a", "a reference may be bound to an automatic variable", 7u
CHECK-NEXT: "few", {{.*}}, "b", "a reference may be bound to an automatic variable", 7u
CHECK-NOT: more"
