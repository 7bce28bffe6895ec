// A member of a partial specialisation is named with the arguments that its author wrote.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --list-regions %t/in.cu | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
template <int Slices, int Steps> struct Simple {};
template <class T, class Protocol, int N> struct Primitives;
template <class T, int Slices, int Steps> struct Primitives<T, Simple<Slices, Steps>, 4> {
  __device__ void send(T *p) {
    KPERF_SCOPE("send");
    p[0] = 1;
  }
  struct Part {
    __device__ void wait(T *p) {
      KPERF_SCOPE("wait");
      p[1] = 1;
    }
  };
};
//--- check.txt
CHECK: "send" in Primitives<T, Simple<Slices, Steps>, 4>::send
CHECK: "wait" in Primitives<T, Simple<Slices, Steps>, 4>::Part::wait
