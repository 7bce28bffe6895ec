// Names and source lines are written as string literals that mean the same in every dialect.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
__global__ void k() {
  KPERF_MARK("quote \" backslash \\ tab \t");
  KPERF_MARK(R"(raw "x" \n)");
  KPERF_MARK("was??/that \u00e9 \x41\101");	// a tab, é
}
//--- check.txt
CHECK: 3u, "quote \" backslash \\ tab \t", "k", "{{.*}}", "  KPERF_MARK(\"quote \\\" backslash \\\\ tab \\t\");", 3u
CHECK: 3u, "raw \"x\" \\n", "k",
CHECK: 3u, "was?\?/that é AA", "k", "{{.*}}", "  KPERF_MARK(\"was?\?/that \\u00e9 \\x41\\101\");\t// a tab, é", 5u
