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
struct Bits {
  unsigned flag : 3;
  int whole;
};
template <class It> __device__ void fields(It out, int i) { out->flag = 1, out[i].flag = 2, (out + i)->whole = 3, out[i].whole = out->whole; }
template <class T> struct Queue {
  T *first;
  __device__ void set(int i) { first->flag = 1, this->first[i].flag++, first[i].whole = 2; }
};
__global__ void kernel(double *a, Bits *b) {
  double own[8];
  direct(a, 1, 2);
  automatic(own);
  automatic(a);
  object(Every2nd{a});
  fields(b, 1);
  Queue<Bits>{b}.set(1);
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
Members of elements are counted where they have an address in all instances, and not where they are bit-fields.
CHECK:      { out->flag = 1, out[i].flag = 2, ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>((out + i)->whole)) = 3, ::kperf::store(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(out[i].whole)) = ::kperf::load(0x{{[0-9a-f]+}}u, ::kperf::through<decltype(out)>(out->whole)); }
CHECK:      { first->flag = 1, this->first[i].flag++, ::kperf::store(0x{{[0-9a-f]+}}u, first[i].whole) = 2; }
What is not counted is listed.
CHECK-DAG: "out[3]", "what leads to it depends on template arguments, by which it may be no pointer"
CHECK-DAG: "out->y", "its class is a template argument, in which it may be static or a bit-field, without an address"
CHECK-DAG: "out[i].flag", "its class is a template argument, in which it may be static or a bit-field, without an address"
CHECK-DAG: "this->first[i].flag", "its class is a template argument, in which it may be static or a bit-field, without an address"
CHECK-DAG: "out[6]", "it may be an automatic variable, which would have to leave its registers"
CHECK-DAG: "out[7]", "an object of a class in all known instances, of which the operator's own accesses are seen"
