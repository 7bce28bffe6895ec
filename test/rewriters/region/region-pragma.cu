// #pragma kperf region times the next statement, whatever it is; the pragma itself becomes a comment.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#define NAME "from a macro"
__device__ float f(float x) { return x; }
__global__ void k(float *p, int n) {
#pragma kperf region("loop")
  for (int i = 0; i < n; ++i)
    p[i] += 1;
  if (n)
    #pragma kperf region("branch")
    p[0] = f(p[1]);
  else
#pragma kperf region("block")
    { p[2] = 0; }
#pragma kperf region("outer")
#pragma kperf region("inner")
  p[3] = 1;
#pragma kperf region(NAME)
  do p[4] = 2; while (--n);
  switch (n) {
#pragma kperf region("case")
  case 1: p[5] = 1; break;
  }
  _Pragma("kperf region(\"operator\")") while (n--) p[6] += 1;
#pragma kperf region("switch")
  switch (n) { case 3: p[5] = 2; }
  auto lambda = [=](int i) {
#pragma kperf region("lambda")
    return p[i];
  };
  p[7] = lambda(1);
}
//--- check.txt
CHECK: void k(float *p, int n) { ::kperf::Kernel
CHECK-NEXT: {{^}}//#pragma kperf region("loop")
CHECK-NEXT: {{^}}  { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_4_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); for (int i = 0; i < n; ++i)
CHECK-NEXT: {{^}}    p[i] += 1; }
CHECK-NEXT: if (n)
CHECK-NEXT: {{^}}    //#pragma kperf region("branch")
CHECK-NEXT: {{^}}    { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_8_5({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); p[0] = f(p[1]); }
CHECK-NEXT: else
CHECK-NEXT: //#pragma kperf region("block")
CHECK-NEXT: {{^}}    { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_11_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); { p[2] = 0; } }
CHECK-NEXT: //#pragma kperf region("outer")
CHECK-NEXT: //#pragma kperf region("inner")
CHECK-NEXT: {{^}}  { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_13_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_14_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); p[3] = 1; } }
CHECK-NEXT: //#pragma kperf region(NAME)
CHECK-NEXT: {{^}}  { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_16_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); do p[4] = 2; while (--n); }
CHECK-NEXT: switch (n) {
CHECK-NEXT: //#pragma kperf region("case")
CHECK-NEXT: {{^}}  case 1: { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_19_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); p[5] = 1; } break;
CHECK: {{^}}  _Pragma("kperf region(\"operator\")") { ::kperf::ConvergentScopes kperf_scopes_22_3(kperf_kernel); kperf_scopes_22_3.next(0x{{[0-9a-f]+}}u); while (n--) p[6] += 1;{{$}}
CHECK-NEXT: //#pragma kperf region("switch")
CHECK-NEXT: {{^}}  kperf_scopes_22_3.next(0x{{[0-9a-f]+}}u); switch (n) { case 3: p[5] = 2; } }
CHECK: //#pragma kperf region("lambda")
CHECK-NEXT: {{^}}    { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_26_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); return p[i]; }
CHECK: 4u, "loop", "k", "{{.*}}in.cu", "#pragma kperf region(\"loop\")", 4u, 1u, 6u, 0u}
CHECK: 4u, "from a macro", "k", {{.*}} 16u, 1u, 17u, 0u}
CHECK: 4u, "lambda", "k::(lambda)",
