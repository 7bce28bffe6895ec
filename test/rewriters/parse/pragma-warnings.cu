// A C++ compiler that makes errors of warnings takes kperf's pragma behind <kperf/annotate.h>.
// REQUIRES: clang-22
// RUN: %clang -x c++ -Wall -Werror -I%kperf_include -fsyntax-only %s
// RUN: not %clang -x c++ -Wall -Werror -I%kperf_include -DKPERF_KEEP_PRAGMA_WARNINGS -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: unknown pragma ignored
#include <kperf/annotate.h>
void function(float *p) {
#pragma kperf region("statement")
  *p = 1;
}
