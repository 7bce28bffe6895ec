// An annotated header, and every header on the way to it, gets a copy that the includes lead to; originals stay.
// RUN: rm -rf %t && split-file %s %t
// RUN: mkdir %t/out && cd %t/out
// RUN: kperf-rewrite %t/src/main.cu -- -I %t/include 2>&1 | FileCheck %t/said.txt
// RUN: FileCheck %t/main.txt --input-file=main.kperf.cu
// RUN: FileCheck %t/way.txt --input-file=main.kperf.cu.overlay/%t/include/lib/way.h
// RUN: FileCheck %t/annotated.txt --input-file=main.kperf.cu.overlay/%t/include/lib/deep/annotated.h
// RUN: not ls main.kperf.cu.overlay/%t/src/beside.h
// RUN: not grep -r 'kperf::' %t/include %t/src
// The result is complete: it parses from where it lies, with the overlay and the originals that it refers to.
// RUN: %clang -fsyntax-only -x cuda --cuda-host-only -nocudainc -nocudalib -isystem %kperf_include/kperf/host/toolkit \
// RUN:   -I %kperf_include -I %t/include -include cuda_runtime.h -include kperf/clang/probe_declarations.h main.kperf.cu

//--- src/main.cu
#include "beside.h"
#include <lib/way.h>
#include "../include/lib/deep/annotated.h"
__global__ void k(float *p) { p[0] = twice(beside); }
//--- src/beside.h
#pragma once
constexpr float beside = 1;
//--- include/lib/way.h
#pragma once
#include "other.h"
#include "deep/annotated.h"
//--- include/lib/other.h
#pragma once
//--- include/lib/deep/annotated.h
#pragma once
#include <kperf/annotate.h>
__device__ inline float twice(float x) {
  KPERF_SCOPE("twice");
  return x + x;
}
//--- said.txt
CHECK: kperf-rewrite: rewritten headers are in {{.*}}main.kperf.cu.overlay
//--- main.txt
CHECK: {{^}}#include "[[DIR:/.*]]/src/beside.h"
CHECK-NEXT: {{^}}#include <[[DIR]]/out/main.kperf.cu.overlay[[DIR]]/include/lib/way.h>
CHECK-NEXT: {{^}}#include "[[DIR]]/out/main.kperf.cu.overlay[[DIR]]/src/../include/lib/deep/annotated.h"
CHECK-NEXT: void k(float *p) { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(
CHECK: 0u, "k", "k", "{{.*}}src/main.cu",
CHECK: 1u, "twice", "twice", "{{.*}}include/lib/deep/annotated.h", "  KPERF_SCOPE(\"twice\");", 4u, 3u, 6u, 0u}
//--- way.txt
CHECK: {{^}}#include "/{{.*}}/include/lib/other.h"
CHECK-NEXT: {{^}}#include "deep/annotated.h"
//--- annotated.txt
CHECK: {{^}}  const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_4_3({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); KPERF_SCOPE("twice");
CHECK-NOT: KPERF_REGIONS
