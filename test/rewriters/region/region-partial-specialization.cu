// A member of a partial specialisation is named with the arguments that its author wrote, and a conversion with its type.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --list-regions %t/in.cu | FileCheck %t/check.txt
// RUN: kperf-rewrite --cuda-path=none --auto=functions --auto-guard=0 --list-regions %t/in.cu | FileCheck %t/check.txt --check-prefix=AUTO

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
template <class T> struct Reference {
  using value_type = T;
  T *p;
  __device__ operator value_type() const {
    KPERF_SCOPE("convert");
    return p[0];
  }
  template <class U> __device__ operator const U *() const {
    KPERF_SCOPE("point");
    return p + 1;
  }
};
//--- check.txt
CHECK: "send" in Primitives<T, Simple<Slices, Steps>, 4>::send
CHECK: "wait" in Primitives<T, Simple<Slices, Steps>, 4>::Part::wait
CHECK: "convert" in Reference::operator value_type
CHECK: "point" in Reference::operator const U *
AUTO-DAG: "operator value_type:19" in Reference::operator value_type
AUTO-DAG: "operator const U *:23" in Reference::operator const U *
