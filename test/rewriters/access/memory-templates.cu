// In a template the pattern is edited, once, and the calls decide by type: reads that Clang leaves to the instances are found.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
template <typename T> struct View { T *data; };
template <typename T> __device__ T twice(T value) { return value + value; }
template <typename T, int N> __global__ void kernel(const T *in, T *out, View<T> view) {
  T local[N];
  int i = threadIdx.x;
  local[0] = in[i];
  T sum = in[i + 1] + local[0] * T(in[i + 2]);
  auto *moved = out + N;
  moved[i] = twice(in[i + 3]);
  out[i] += min(sum, in[i + 4]);
  if (in[i + 5] && out[i + 6])
    view.data[i] = local[1];
  const T &reference = in[i + 7];
  auto copy = in[i + 8];
}
template __global__ void kernel<float, 2>(const float *, float *, View<float>);
template __global__ void kernel<int, 3>(const int *, int *, View<int>);
template <typename I> __device__ float indexed(const float *in, float *out, I i) {
  __shared__ float tile[32][32];
  float local[8];
  local[i] = in[i];
  tile[i][i + 1] = out[I(2) * i];
  out[i] = 3[in] + tile[1][i];
  return i[out];
}
template __device__ float indexed(const float *, float *, unsigned);
// What is called decides whether an argument is read: here all instances that are known take values, or references to constants.
struct Twice { __device__ float operator()(float x) const { return 2 * x; } };
struct Sum { __device__ float operator()(const float &a, const float &b) const { return a + b; } };
struct Change { __device__ float operator()(float &x) const { return x += 1; } };
template <class F> __global__ void mapped(float *out, const float *in, F f) { out[1] = f(in[1]); }
template <class F> __global__ void folded(float *out, const float *in, F f) { out[2] = f(in[2], in[3]); }
template <class F> __global__ void changed(float *out, F f) { out[3] = f(out[4]); }
template <class F> __global__ void either(float *out, F f) { out[5] = f(out[6]); }
// So it does where the object is a variable, or made for the call.
template <class T, class F> __global__ void made(T *out, const T *in) {
  F f{};
  out[34] = f(in[34], in[35]);
  out[36] = F()(in[36], in[37]);
}
template <class F> __global__ void madeEither(float *out) { out[38] = F{}(out[39]); }
template <class F> __device__ void unknown(float *out, const float *in, F f) { out[7] = f(in[7]); }
template <class T> __device__ void pointed(T *out, T (*f)(T, T &)) { out[8] = f(out[9], out[10]); }
// A static member lies in no object, and a constant nowhere.
template <int P> struct Tile {
  static constexpr int pitch = P;
  enum { width = P };
  float data[32 * P];
};
template <int P> __global__ void constants(float *out) {
  __shared__ Tile<P> tile;
  out[11] = tile.data[tile.pitch + tile.width];
}
// What is static in a class that is a template argument may have no address: its members are seen where all known instances have them as fields.
struct Pitched {
  static constexpr int pitch = 33;
  float data[32 * pitch];
  float bias;
  int narrow : 4;
};
struct Other {
  static const int pitch = 4;
  float data[32 * pitch];
  float bias;
};
template <class Tile> __global__ void open(float *out, Tile *given) {
  __shared__ Tile tile;
  Tile own;
  out[threadIdx.x * tile.pitch + 12] = given->bias;
  out[threadIdx.x * given->pitch + own.pitch + 13] = tile.data[0] + own.data[0];
}
template <class Tile> __global__ void narrow(float *out, Tile *given) {
  given->narrow = 1;
  out[14] = given->narrow + (given->bias += 1);
}
template <class Tile> __device__ void unused(float *out, Tile *given) { out[15] = given->bias, given->bias = 2; }
template <class Traits> __global__ void nested(float *out, typename Traits::Tile *given) { out[16 + Traits::Tile::pitch] = given->bias; }
struct Traits {
  using Tile = Pitched;
};
// A class in a class template is what its primary template declares; one in a template argument is known where all instances are.
template <typename T, int N> struct Loader {
  struct Storage {
    T data[N][N];
    int thin : 3;
  };
  using Alias = Storage;
};
template <typename T, int N> __global__ void loads(T *out) {
  using L = Loader<T, N>;
  __shared__ typename L::Storage s;
  __shared__ typename Loader<T, N>::Alias alias;
  typename L::Storage own;
  s.thin = s.data[threadIdx.x][17];
  out[18] = alias.data[3][4] + own.data[5][6];
}
template <class Of> __global__ void storage(float *out) {
  __shared__ typename Of::Storage s;
  out[19] = s.data[threadIdx.x][20] + s.thin + *s.data[21];
}
template <class Of> __device__ void unknownStorage(float *out) {
  __shared__ typename Of::Storage s;
  out[22] = s.data[23];
}
template <int N> struct Chain { using Storage = typename Chain<N - 1>::Storage; };
template <> struct Chain<0> : Loader<float, 32> {};
template <int N> __global__ void chained(float *out) {
  __shared__ typename Chain<N>::Storage s;
  out[26] = s.data[27];
}
template <class Storage> __device__ void passedOn(Storage &s, float *out) { out[24] = s.data[25]; }
// What a lambda captures by `=` is a pointer all the same where its type depends on an argument.
template <class F> __global__ void each(F f) { f(threadIdx.x); }
template <class T> struct Stream {
  T *a, *c;
  void copy() { each<<<1, 32>>>([a = a, c = c] __device__(int i) { c[i] = a[i]; }); }
};
template struct Stream<double>;
void launches(float *p) {
  mapped<<<1, 32>>>(p, p, Twice());
  mapped<<<1, 32>>>(p, p, [] __device__(float x) { return x; });
  folded<<<1, 32>>>(p, p, Sum());
  changed<<<1, 32>>>(p, Change());
  either<<<1, 32>>>(p, Change());
  either<<<1, 32>>>(p, Twice());
  made<float, Sum><<<1, 32>>>(p, p);
  madeEither<Change><<<1, 32>>>(p);
  madeEither<Twice><<<1, 32>>>(p);
  constants<33><<<1, 32>>>(p);
  open<<<1, 32>>>(p, reinterpret_cast<Pitched *>(p));
  open<<<1, 32>>>(p, reinterpret_cast<Other *>(p));
  narrow<<<1, 32>>>(p, reinterpret_cast<Pitched *>(p));
  nested<Traits><<<1, 32>>>(p, reinterpret_cast<Pitched *>(p));
  loads<float, 32><<<1, 32>>>(p);
  storage<Loader<float, 32>><<<1, 32>>>(p);
}
//--- check.txt
CHECK:      local[0] = ::kperf::load(0x{{[0-9a-f]+}}u, in[i]);
CHECK-NEXT: {{^}}  T sum = ::kperf::load(0x{{[0-9a-f]+}}u, in[i + 1]) + local[0] * T(::kperf::load(0x{{[0-9a-f]+}}u, in[i + 2]));
CHECK-NEXT: {{^}}  auto *moved = out + N;
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, moved[i]) = twice(::kperf::load(0x{{[0-9a-f]+}}u, in[i + 3]));
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, out[i]) += min(sum, ::kperf::load(0x{{[0-9a-f]+}}u, in[i + 4]));
CHECK-NEXT: {{^}}  if (::kperf::load(0x{{[0-9a-f]+}}u, in[i + 5]) && ::kperf::load(0x{{[0-9a-f]+}}u, out[i + 6]))
CHECK-NEXT: {{^}}    ::kperf::store(0x{{[0-9a-f]+}}u, view.data[i]) = local[1];
CHECK-NEXT: {{^}}  const T &reference = in[i + 7];
CHECK-NEXT: {{^}}  auto copy = ::kperf::load(0x{{[0-9a-f]+}}u, in[i + 8]);
CHECK:      {{^}}  local[i] = ::kperf::load(0x{{[0-9a-f]+}}u, in[i]);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, tile[i][i + 1]) = ::kperf::load(0x{{[0-9a-f]+}}u, out[I(2) * i]);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, out[i]) = ::kperf::load(0x{{[0-9a-f]+}}u, 3[in]) + ::kperf::load(0x{{[0-9a-f]+}}u, tile[1][i]);
CHECK-NEXT: {{^}}  return ::kperf::load(0x{{[0-9a-f]+}}u, i[out]);
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[1]) = f(::kperf::load(0x{{[0-9a-f]+}}u, in[1]));
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[2]) = f(::kperf::load(0x{{[0-9a-f]+}}u, in[2]), ::kperf::load(0x{{[0-9a-f]+}}u, in[3]));
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[3]) = f(out[4]);
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[5]) = f(out[6]);
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[34]) = f(::kperf::load(0x{{[0-9a-f]+}}u, in[34]), ::kperf::load(0x{{[0-9a-f]+}}u, in[35]));
CHECK-NEXT: ::kperf::store(0x{{[0-9a-f]+}}u, out[36]) = F()(::kperf::load(0x{{[0-9a-f]+}}u, in[36]), ::kperf::load(0x{{[0-9a-f]+}}u, in[37]));
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[38]) = F{}(out[39]);
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[7]) = f(in[7]);
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[8]) = f(::kperf::load(0x{{[0-9a-f]+}}u, out[9]), out[10]);
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[11]) = ::kperf::load(0x{{[0-9a-f]+}}u, tile.data[tile.pitch + tile.width]);
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[threadIdx.x * tile.pitch + 12]) = ::kperf::load(0x{{[0-9a-f]+}}u, given->bias);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, out[threadIdx.x * given->pitch + own.pitch + 13]) = ::kperf::load(0x{{[0-9a-f]+}}u, tile.data[0]) + own.data[0];
CHECK:      {{^}}  given->narrow = 1;
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, out[14]) = given->narrow + (::kperf::update(0x{{[0-9a-f]+}}u, given->bias) += 1);
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[15]) = given->bias, ::kperf::store(0x{{[0-9a-f]+}}u, given->bias) = 2;
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[16 + Traits::Tile::pitch]) = ::kperf::load(0x{{[0-9a-f]+}}u, given->bias);
CHECK:      {{^}}  s.thin = ::kperf::load(0x{{[0-9a-f]+}}u, s.data[threadIdx.x][17]);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, out[18]) = ::kperf::load(0x{{[0-9a-f]+}}u, alias.data[3][4]) + own.data[5][6];
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[19]) = ::kperf::load(0x{{[0-9a-f]+}}u, s.data[threadIdx.x][20]) + s.thin + *s.data[21];
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[22]) = s.data[23];
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[26]) = s.data[27];
CHECK:      ::kperf::store(0x{{[0-9a-f]+}}u, out[24]) = s.data[25];
CHECK:      { ::kperf::store(0x{{[0-9a-f]+}}u, c[i]) = ::kperf::load(0x{{[0-9a-f]+}}u, a[i]); }
What is not counted is listed.
CHECK-DAG:  "out[39]", {{.*}}"which function takes it depends on template arguments"
CHECK-DAG:  "out[6]", {{.*}}"which function takes it depends on template arguments"
CHECK-DAG:  "given->pitch", {{.*}}"its class is a template argument, in which it may be static or a bit-field, without an address"
CHECK-DAG:  "own.data[0]", {{.*}}"it may be an automatic variable,
CHECK-DAG:  "in[7]", {{.*}}"which function takes it depends on template arguments"
CHECK-DAG:  "s.thin", {{.*}}"a bit-field has no address"
CHECK-DAG:  "s.data[23]", {{.*}}"its class depends on template arguments, by which it may be no element of an array"
CHECK-DAG:  "s.data[25]", {{.*}}"a reference may be bound to an automatic variable"
