// Rewritten source is parsed again before it is written: what only shows there is an error, and nothing is written.
// RUN: rm -rf %t && split-file %s %t
// RUN: not kperf-rewrite %t/in.cu -o %t/out.cu 2>&1 | FileCheck %t/check.txt
// RUN: not ls %t/out.cu

//--- in.cu
#include <kperf/annotate.h>
__global__ void k() {
  KPERF_MARK("x", undeclared);
}
//--- check.txt
CHECK: in.cu:3:{{[0-9]+}}: error: use of undeclared identifier 'undeclared'
CHECK: error: '{{.*}}in.cu' does not parse once its probes are in: see the errors above, in rewritten text
