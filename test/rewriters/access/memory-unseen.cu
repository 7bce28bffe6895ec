// What may be an automatic variable, has no address, or is written by a macro is left alone and listed with the reason.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#define CLEAR(p, i) p[i] = 0
struct Flags { int low : 3; int whole; };
struct Functor {
  float *data;
  float own;
  __device__ float operator()(int i) const { return own + data[i]; }
};
__device__ float pointed(const float *p) { return p[0]; }
__device__ void referred(float &r) { r = 1; }
__device__ constexpr int folded(const int *p) { return p[0]; }
__global__ void kernel(float *a, Flags *flags, Functor functor) {
  float local[2] = {};
  float *either = a[1] > 0 ? a : local;
  flags->low = 1;
  CLEAR(a, 2);
  referred(a[3]);
  referred(local[0]);
  *either = pointed(local) + functor(4);
}
//--- check.txt
CHECK: { return own + ::kperf::load(0x{{[0-9a-f]+}}u, data[i]); }
CHECK: { return p[0]; }
CHECK: { r = 1; }
CHECK: constexpr int folded(const int *p) { return p[0]; }
CHECK: float *either = ::kperf::load(0x{{[0-9a-f]+}}u, a[1]) > 0 ? a : local;
CHECK-NEXT: {{^}}  flags->low = 1;
CHECK-NEXT: {{^}}  CLEAR(a, 2);
CHECK-NEXT: {{^}}  referred(a[3]);
CHECK-NEXT: {{^}}  referred(local[0]);
CHECK-NEXT: {{^}}  *either = pointed(local) + functor(4);
CHECK-DAG: {0x000000u, 4u, {{.*}}"own", "the object of a member function may be an automatic variable",
CHECK-DAG: {0x000000u, 4u, {{.*}}"p[0]", "it may be an automatic variable, which would have to leave its registers", 8u
CHECK-DAG: {0x000000u, 4u, {{.*}}"r", "a reference may be bound to an automatic variable", 9u
CHECK-DAG: {0x000000u, 4u, {{.*}}"p[0]", "its function is constexpr and may run at compile time", 10u
CHECK-DAG: {0x000000u, 4u, {{.*}}"flags->low", "a bit-field has no address",
CHECK-DAG: {0x000000u, 4u, {{.*}}"CLEAR(a, 2)", "a macro writes it", 15u
CHECK-DAG: {0x000000u, 4u, {{.*}}"*either", "it may be an automatic variable, which would have to leave its registers",
