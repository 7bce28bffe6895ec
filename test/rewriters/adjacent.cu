// Blocks that follow each other without a statement in between, each a region as a whole, share clocks and records.
// RUN: rm -rf %t && split-file %s %t && cd %t && kperf-rewrite in.cu -o - | FileCheck %s
// RUN: kperf-rewrite '--aggregate=*' in.cu -o - | FileCheck %s --check-prefix=SUM
// RUN: kperf-rewrite --aggregate=c,d in.cu -o - | FileCheck %s --check-prefix=MIXED
// RUN: kperf-rewrite --probes=region,sync in.cu -o - | FileCheck %s --check-prefix=APART

// CHECK: four(float
// CHECK: { ::kperf::OwnScopes [[ABCD:kperf_scopes_[0-9]+_7]](kperf_kernel); { [[ABCD]].next([[A:0x[0-9a-f]+]]u); KPERF_SCOPE("a");
// CHECK: {{^}}    { [[ABCD]].next([[B:0x[0-9a-f]+]]u); KPERF_SCOPE("b");
// CHECK: {{^}}    } // end of b
// CHECK: {{^}}    { [[ABCD]].next([[C:0x[0-9a-f]+]]u); KPERF_SCOPE("c"); p[i] *= 3; } { [[ABCD]].next([[D:0x[0-9a-f]+]]u); KPERF_SCOPE("d");
// CHECK: {{^}}    } }{{$}}
// CHECK: three(float
// CHECK: OwnScopes
// CHECK: apart(float
// CHECK-NOT: Scopes
// The first of each two says which the second is; of three, the third has its own record.
// CHECK: {[[A]]u, 1u, "a", {{.*}}, [[B]]u}
// CHECK: {[[B]]u, 1u, "b", {{.*}}, 0u}
// CHECK: {[[C]]u, 1u, "c", {{.*}}, [[D]]u}
// CHECK: {[[D]]u, 1u, "d", {{.*}}, 0u}
// CHECK: "first", "three", {{.*}}, 0x{{[0-9a-f]+}}u}
// CHECK: "second", "three", {{.*}}, 0u}
// CHECK: "third", "three", {{.*}}, 0u}

// SUM: const ::kperf::SumScope {{.*}}KPERF_SCOPE("a")
// SUM-NOT: Scopes

// What is summed up shares nothing.
// MIXED: four(float
// MIXED: { ::kperf::OwnScopes [[AB:kperf_scopes_[0-9]+_7]](kperf_kernel); { [[AB]].next({{.*}}KPERF_SCOPE("a");
// MIXED: {{^}}    { [[AB]].next({{.*}}KPERF_SCOPE("b");
// MIXED: {{^}}    } } // end of b
// MIXED: { const ::kperf::SumScope {{.*}}"c"{{.*}} { const ::kperf::SumScope {{.*}}"d"

// With waits, which may stand in any of them, each has its own record.
// APART: const ::kperf::OwnScope {{.*}}KPERF_SCOPE("a")
// APART-NOT: Scopes

//--- in.cu
#include <kperf/annotate.h>

__global__ void four(float *p, int n) {
  for (int i = 0; i < n; ++i) {
    { KPERF_SCOPE("a");
      if (i == n / 2)
        break;
    }
    /* What lies between */ // is not a statement.
    { KPERF_SCOPE("b");
      p[i] += 2;
    } // end of b
    { KPERF_SCOPE("c"); p[i] *= 3; } { KPERF_SCOPE("d");
      p[i] -= 4;
    }
  }
}

__global__ void three(float *p) {
  { KPERF_SCOPE("first"); p[0] = 1; }
  { KPERF_SCOPE("second"); p[1] = 1; }
  { KPERF_SCOPE("third"); p[2] = 1; }
}

// A statement, a branch of the preprocessor's, and what else is annotated keep them apart, and so does a place behind the block's
// first statement. What one lane or a function enters has its own records.
__global__ void apart(float *p, int n) {
  { KPERF_SCOPE("statement"); p[0] = 1; }
  p[1] = 1;
  { KPERF_SCOPE("marked"); p[2] = 1; KPERF_MARK("here"); }
  { KPERF_SCOPE("outer"); { KPERF_SCOPE("inner"); p[3] = 1; } }
  if (n > 1) { KPERF_SCOPE("of an if"); p[4] = 1; }
  { KPERF_SCOPE("behind"); p[5] = 1; }
  { p[6] = 1; KPERF_SCOPE("late"); p[7] = 1; }
#ifndef NEVER
  { KPERF_SCOPE("branch"); p[8] = 1; }
#endif
  { KPERF_SCOPE("behind a branch");
#pragma kperf region("pragma")
    p[9] = 1;
  }
  if (threadIdx.x == 0) {
    { KPERF_SCOPE("one lane"); p[10] = 1; }
    { KPERF_SCOPE("and again"); p[11] = 1; }
  }
}
__device__ void function(float *p) {
  { KPERF_SCOPE("in a function"); p[10] = 1; }
  { KPERF_SCOPE("and again"); p[11] = 1; }
}
