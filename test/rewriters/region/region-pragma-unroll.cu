// A loop keeps its own pragmas: the opening brace goes in front of them, and no line is added.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - -- -DKPERF_SWITCHABLE | FileCheck %t/check.txt

//--- in.cu
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL #pragma unroll
#endif
#define UNROLL_BY(n) _Pragma("unroll 2")
__global__ void k(float *p, int n) {
  p[0] = 0; // before
#pragma kperf region("above")
#pragma unroll 4
  for (int i = 0; i < 4; ++i) p[i] += 1;
#pragma unroll
#pragma kperf region("below")
  for (int i = 0; i < 4; ++i) p[i] += 1;
#if 1
#pragma kperf region("first in a branch")
#pragma unroll 2
  for (int i = 0; i < 4; ++i) p[i] += 1;
#endif
#ifdef NEVER
  p[1] = 1;
#else
  p[2] = 2;
#endif
#pragma unroll 8
#pragma kperf region("behind a branch")
  for (int i = 0; i < 4; ++i) p[i] += 1;
  p[3] = 3; // CUTLASS's macro is "#pragma unroll" itself for nvcc, and so has to be first on its line
#pragma kperf region("macro")
  UNROLL
  for (int i = 0; i < 4; ++i) p[i] += 1;
#if 1
#pragma kperf region("macro in a branch")
  UNROLL_BY(2) for (int i = 0; i < 4; ++i) p[i] += 1;
#pragma kperf region("behind another")
  UNROLL
  for (int i = 0; i < 4; ++i) p[i] += 1;
#else
#endif
#pragma kperf region("macro behind a branch")
  UNROLL // a comment
  for (int i = 0; i < 4; ++i) p[i] += 1;
}
//--- check.txt
CHECK: {{^}}  p[0] = 0; { ::kperf::ConvergentScopes [[TWO:kperf_scopes_[0-9]+_1]](kperf_kernel); [[TWO]].next(0x{{[0-9a-f]+}}u);  // before
CHECK-NEXT: {{^}}//#pragma kperf region("above")
CHECK-NEXT: {{^}}#pragma unroll 4
CHECK-NEXT: {{^}}  for (int i = 0; i < 4; ++i) p[i] += 1; [[TWO]].next(0x{{[0-9a-f]+}}u);
CHECK-NEXT: {{^}}#pragma unroll
CHECK-NEXT: {{^}}//#pragma kperf region("below")
CHECK-NEXT: {{^}}  for (int i = 0; i < 4; ++i) p[i] += 1; }
CHECK-NEXT: {{^}}#if 1
CHECK-NEXT: {{^}}//#pragma kperf region("first in a branch")
CHECK-NEXT: {{^}}{ const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_[[#]]_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); _Pragma("unroll 2") //#pragma unroll 2
CHECK-NEXT: {{^}}  for (int i = 0; i < 4; ++i) p[i] += 1; }
CHECK: {{^}}  p[2] = 2;
CHECK-NEXT: {{^}}#endif
CHECK-NEXT: {{^}}{ const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_[[#]]_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); _Pragma("unroll 8") //#pragma unroll 8
CHECK-NEXT: {{^}}//#pragma kperf region("behind a branch")
CHECK-NEXT: {{^}}  for (int i = 0; i < 4; ++i) p[i] += 1; }
CHECK-NEXT: {{^}}  p[3] = 3; { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_[[#]]_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u);  // CUTLASS
CHECK-NEXT: {{^}}//#pragma kperf region("macro")
CHECK-NEXT: {{^}}  UNROLL{{$}}
CHECK-NEXT: {{^}}  for (int i = 0; i < 4; ++i) p[i] += 1; }
CHECK-NEXT: {{^}}#if 1
CHECK-NEXT: {{^}}//#pragma kperf region("macro in a branch")
CHECK-NEXT: {{^}}  { ::kperf::ConvergentScopes [[MACROS:kperf_scopes_[0-9]+_1]](kperf_kernel); [[MACROS]].next(0x{{[0-9a-f]+}}u); UNROLL_BY(2) for (int i = 0; i < 4; ++i) p[i] += 1; [[MACROS]].next(0x{{[0-9a-f]+}}u);
CHECK-NEXT: {{^}}//#pragma kperf region("behind another")
CHECK-NEXT: {{^}}  UNROLL{{$}}
CHECK-NEXT: {{^}}  for (int i = 0; i < 4; ++i) p[i] += 1; }
CHECK:      {{^}}//#pragma kperf region("macro behind a branch")
CHECK-NEXT: {{^}}  { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_[[#]]_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); _Pragma("unroll") //UNROLL // a comment
CHECK-NEXT: {{^}}  for (int i = 0; i < 4; ++i) p[i] += 1; }
