// A name is what the compiler makes of its literal: escapes, raw strings, adjacent ones, UTF-8; other literals are no names.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --list-regions %t/in.cu | FileCheck %t/check.txt
// RUN: not kperf-rewrite --cuda-path=none --list-regions %t/wrong.cu 2>&1 | FileCheck %t/wrong.txt

//--- in.cu
#include <kperf/annotate.h>
__global__ void k() {
  KPERF_MARK("a \"word\" and \\ and \?");
  KPERF_MARK("\x41\102\u00e9\U0001F600");
  KPERF_MARK("two " R"(raw \n "words")" u8" and one");
  KPERF_MARK(R"x(a)"b)x");
  KPERF_MARK(u8"\x4a\63x");
}
//--- check.txt
     CHECK: in.cu:3:3: mark "a "word" and \ and ?" in k
CHECK-NEXT: in.cu:4:3: mark "ABé😀" in k
CHECK-NEXT: in.cu:5:3: mark "two raw \n "words" and one" in k
CHECK-NEXT: in.cu:6:3: mark "a)"b" in k
CHECK-NEXT: in.cu:7:3: mark "J3x" in k
//--- wrong.cu
#include <kperf/annotate.h>
__global__ void k() {
  KPERF_MARK(L"wide");
  KPERF_MARK(u"utf-16");
  KPERF_MARK('c');
  KPERF_MARK("a" 1);
  KPERF_MARK("\777");
  KPERF_MARK("\ud800");
}
//--- wrong.txt
CHECK: wrong.cu:3:3: error: the name in KPERF_MARK is a string literal, found 'L"wide"': write the name in quotes
CHECK: wrong.cu:4:3: error: the name in KPERF_MARK is a string literal, found 'u"utf-16"': write the name in quotes
CHECK: wrong.cu:5:3: error: the name in KPERF_MARK is a string literal, found ''c'': write the name in quotes
CHECK: wrong.cu:6:3: error: the name in KPERF_MARK is a string literal, found '"a" 1': write the name in quotes
CHECK: wrong.cu:7:3: error: the name in KPERF_MARK is a string literal, found '"\777"': write the name in quotes
CHECK: wrong.cu:8:3: error: the name in KPERF_MARK is a string literal, found '"\ud800"': write the name in quotes
