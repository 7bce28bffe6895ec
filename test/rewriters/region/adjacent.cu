// Blocks and statements that follow each other without another in between, each a region as a whole, share clocks and records, where they
// are in no frame.
// RUN: rm -rf %t && split-file %s %t && cd %t && kperf-rewrite in.cu -o - -- -DKPERF_SWITCHABLE | FileCheck %s
// RUN: kperf-rewrite '--aggregate=*' in.cu -o - -- -DKPERF_SWITCHABLE | FileCheck %s --check-prefix=SUM
// RUN: kperf-rewrite --aggregate=c,d in.cu -o - -- -DKPERF_SWITCHABLE | FileCheck %s --check-prefix=MIXED
// RUN: kperf-rewrite --probes=region,sync in.cu -o - -- -DKPERF_SWITCHABLE | FileCheck %s --check-prefix=APART

// CHECK: four(float
// CHECK: { ::kperf::ConvergentScopes [[ABCD:kperf_scopes_[0-9]+_7]](kperf_kernel); { [[ABCD]].next([[A:0x[0-9a-f]+]]u); KPERF_SCOPE("a");
// CHECK: {{^}}    { [[ABCD]].next([[B:0x[0-9a-f]+]]u); KPERF_SCOPE("b");
// CHECK: {{^}}    } // end of b
// CHECK: {{^}}    { [[ABCD]].next([[C:0x[0-9a-f]+]]u); KPERF_SCOPE("c"); p[i] *= 3; } { [[ABCD]].next([[D:0x[0-9a-f]+]]u); KPERF_SCOPE("d");
// CHECK: {{^}}    } }{{$}}
// CHECK: three(float
// CHECK: ConvergentScopes
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
// MIXED: { ::kperf::ConvergentScopes [[AB:kperf_scopes_[0-9]+_7]](kperf_kernel); { [[AB]].next({{.*}}KPERF_SCOPE("a");
// MIXED: {{^}}    { [[AB]].next({{.*}}KPERF_SCOPE("b");
// MIXED: {{^}}    } } // end of b
// MIXED: { const ::kperf::SumScope {{.*}}"c"{{.*}} { const ::kperf::SumScope {{.*}}"d"

// With waits, which may stand in any of them, each has its own record.
// APART: const ::kperf::ConvergentScope {{.*}}KPERF_SCOPE("a")
// APART-NOT: Scopes

// RUN: kperf-rewrite --auto=loops --auto-guard=0 statements.cu -o - -- -DKPERF_SWITCHABLE | FileCheck %s --check-prefix=STATEMENTS
// STATEMENTS: pragmas(float
// STATEMENTS: {{^}}//#pragma kperf region("a")
// STATEMENTS-NEXT: { ::kperf::ConvergentScopes [[ABC:kperf_scopes_[0-9]+_1]](kperf_kernel); [[ABC]].next([[A:0x[0-9a-f]+]]u); if (i == n / 2)
// STATEMENTS-NEXT: break;{{$}}
// STATEMENTS: {{^}}//#pragma kperf region("b")
// STATEMENTS-NEXT: {{^}}    [[ABC]].next([[B:0x[0-9a-f]+]]u); p[i] += 2;{{$}}
// STATEMENTS-NEXT: {{^}}//#pragma kperf region("c")
// STATEMENTS-NEXT: {{^}}    [[ABC]].next([[C:0x[0-9a-f]+]]u); {{[{]$}}
// STATEMENTS: {{^}}    } }{{$}}
// STATEMENTS: loops(float
// STATEMENTS-NEXT: { ::kperf::ConvergentScopes [[LOOPS:kperf_scopes_[0-9]+_3]](kperf_kernel); [[LOOPS]].next([[ONE:0x[0-9a-f]+]]u); for (
// STATEMENTS: p[i] += 2; [[LOOPS]].next([[TWO:0x[0-9a-f]+]]u);
// STATEMENTS: p[i] *= 3; }{{$}}
// STATEMENTS: { const ::kperf::ConvergentScope {{.*}} for (
// STATEMENTS: alone(float
// STATEMENTS-NOT: Scopes
// STATEMENTS: {[[A]]u, {{.*}}, [[B]]u}
// STATEMENTS: {[[B]]u, {{.*}}, 0u}
// STATEMENTS: {[[C]]u, {{.*}}, 0u}
// STATEMENTS: {[[ONE]]u, {{.*}}, [[TWO]]u}
// STATEMENTS: {[[TWO]]u, {{.*}}, 0u}
// RUN: kperf-rewrite '--aggregate=*' statements.cu -o - -- -DKPERF_SWITCHABLE | not grep Scopes
// RUN: kperf-rewrite --probes=region,sync statements.cu -o - -- -DKPERF_SWITCHABLE | not grep Scopes

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

//--- statements.cu
#include <kperf/annotate.h>

__global__ void pragmas(float *p, int n) {
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    KPERF_SCOPE("around");
#pragma kperf region("a")
    if (i == n / 2)
      break;
    // What lies between is not a statement.
#pragma kperf region("b")
    p[i] += 2;
#pragma kperf region("c")
    {
      int j = 3;
      p[j] *= 3;
    }
  }
}

__global__ void loops(float *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] += 2;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    p[i] *= 3;
  p[0] = 1;
  for (int i = 0; i < n; ++i)
    p[i] += 2;
}

// A branch of the preprocessor's, what else is annotated in one, and a label keep them apart; one lane's have their own records.
__global__ void alone(float *p, int n) {
#pragma kperf region("first")
  p[0] = 1;
#ifndef NEVER
#pragma kperf region("in a branch")
  p[1] = 1;
#endif
#pragma kperf region("with a mark")
  {
    p[2] = 1;
    KPERF_MARK("here");
  }
#pragma kperf region("with a scope")
  {
    KPERF_SCOPE("inner");
    p[3] = 1;
  }
#pragma kperf region("behind")
  p[4] = 1;
  switch (n) {
  case 1:
#pragma kperf region("behind a label")
    p[5] = 1;
#pragma kperf region("and the next")
    p[6] = 1;
  }
  if (threadIdx.x == 0) {
#pragma kperf region("one lane")
    p[7] = 1;
#pragma kperf region("and again")
    p[8] = 1;
  }
}
