// What is a pointer in some instances of a template and an object of a class in others is counted where it is a pointer, which the probe asks.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
struct Every2nd {
  double *base;
  __device__ double &operator[](int i) const { return base[2 * i]; }
};
template <class It> __device__ void direct(It out, int i, double v) {
  out[i] = v;
  out[i] += out[i + 1];
  auto next = out + i;
  *next = *(out + i + 2);
  *out++ = v;
}
template <class It, class Size> __device__ void sum(It out, Size n) { *(out + n) = 1; }
template <class It> __device__ void captured(It out, int i) {
  auto own = [=](int k) { out[k] = 2; };
  own(i);
}
template <class It> struct Holder {
  It first;
  __device__ void set(int i) { first[i] = this->first[i + 1]; }
};
template <class It> __device__ void reference(It &out) { out[3] = 3; }
template <class It> __device__ void member(It out) { out[4].x = 4, out->x = out->y; }
template <class It> __device__ void automatic(It out) { out[6] = 6; }
template <class It> __device__ void object(It out) { out[7] = 7; }
__global__ void kernel(double *a) {
  double own[8];
  direct(a, 1, 2);
  automatic(own);
  automatic(a);
  object(Every2nd{a});
}
//--- check.txt
CHECK:      {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(out[i])) = v;
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(out[i])) += ::kperf::load(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(out[i + 1]));
CHECK-NEXT: {{^}}  auto next = out + i;
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(next)>(*next)) = ::kperf::load(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(*(out + i + 2)));
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(*out++)) = v;
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out + n)>(*(out + n))) = 1;
CHECK:      { ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(out[k])) = 2; };
CHECK:      { ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(this->first)>(first[i])) = ::kperf::load(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(this->first)>(this->first[i + 1])); }
CHECK:      { out[3] = 3; }
CHECK:      { ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(out[4].x)) = 4, ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(out->x)) = out->y; }
CHECK:      { out[6] = 6; }
CHECK:      { out[7] = 7; }
What is not counted is listed.
CHECK-DAG: "out[3]", "what leads to it depends on template arguments, by which it may be no pointer"
CHECK-DAG: "out->y", "its class is a template argument, in which it may be static or a bit-field, without an address"
CHECK-DAG: "out[6]", "it may be an automatic variable, which would have to leave its registers"
CHECK-DAG: "out[7]", "an object of a class in all known instances, of which the operator's own accesses are seen"
