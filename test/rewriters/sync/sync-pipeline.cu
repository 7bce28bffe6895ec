// --probes=sync and cuda::pipeline: by its type a pipeline is of one thread, whose copies are groups of its own, or of several, which
// commit to it in turn and release its stages. What no type says, such as a pipeline that a template is given, is recorded as unknown.
// RUN: split-file %s %t && kperf-rewrite --probes=sync %t/in.cu -o - | FileCheck %t/in.cu
// RUN: kperf-rewrite --probes=sync --list-regions %t/in.cu | FileCheck %s --check-prefix=LIST
// LIST-NOT: memcpy_async(pipe)
// LIST: signal "memcpy_async(bar)" in copies

//--- in.cu
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <thread_scope Scope> class pipeline {
public:
  __device__ void producer_acquire() {}
  __device__ void producer_commit() {}
  __device__ void consumer_wait() {}
  __device__ void consumer_release() {}
};
template <thread_scope Scope> class barrier {};
template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state {};
enum class pipeline_role { producer, consumer };
__device__ pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group> __device__ pipeline<thread_scope_block> make_pipeline(const Group &) { return {}; }
template <class Group, thread_scope Scope, unsigned char Stages>
__device__ pipeline<Scope> make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *) { return {}; }
template <class Group, thread_scope Scope, unsigned char Stages>
__device__ pipeline<Scope> make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *, pipeline_role) { return {}; }
template <class T, class Sync> __device__ void memcpy_async(T *to, const T *from, int bytes, Sync &sync) {}
template <unsigned char Prior> __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {}
template <thread_scope Scope> __device__ void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<Scope> &) {}
}

using Deep = cuda::pipeline_shared_state<cuda::thread_scope_block, 5>;

// CHECK: {{^}}__global__ void ofThread(float *to, const float *from) {
__global__ void ofThread(float *to, const float *from) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto pipe = cuda::make_pipeline();
  // What does nothing is nothing; copies are followed from their commit on.
  // CHECK: {{^}}  pipe.producer_acquire();
  pipe.producer_acquire();
  // CHECK: {{^}}  cuda::memcpy_async(to, from, 16, pipe);
  cuda::memcpy_async(to, from, 16, pipe);
  // The record of the wait behind it says that a group was closed.
  // CHECK: {{^}}  pipe.producer_commit();
  pipe.producer_commit();
  // The next group, whichever that is.
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ~0u, 0x{{[0-9a-f]+}}u); pipe.consumer_wait(); }
  pipe.consumer_wait();
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 1u, 0x{{[0-9a-f]+}}u); cuda::pipeline_consumer_wait_prior<1>(pipe); }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  // CHECK: {{^}}  pipe.consumer_release();
  pipe.consumer_release();
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(bar)), 0x{{[0-9a-f]+}}u); cuda::pipeline_producer_commit(pipe, bar); }
  cuda::pipeline_producer_commit(pipe, bar);
}

// A pipeline that comes from outside: which one it is nobody can tell.
__device__ void produce(cuda::pipeline<cuda::thread_scope_block> &pipe) {
  // CHECK: {{^}}  { ::kperf::signal(0u, 0x{{[0-9a-f]+}}u); pipe.producer_commit(); }
  pipe.producer_commit();
}

// CHECK: {{^}}__global__ void ofBlock(float *to, const float *from, int n) {
__global__ void ofBlock(float *to, const float *from, int n) {
  auto pipe = cuda::make_pipeline(n), other = cuda::make_pipeline(n);
  for (int i = 0; i < n; ++i) {
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); pipe.producer_acquire(); }
    pipe.producer_acquire();
    // CHECK: {{^}}    cuda::memcpy_async(to + i, from + i, 16, pipe);
    cuda::memcpy_async(to + i, from + i, 16, pipe);
    // CHECK: {{^}}    { kperf_kernel.signal([[PIPE:[1-9][0-9]*u]], 0x{{[0-9a-f]+}}u); pipe.producer_commit(); }
    pipe.producer_commit();
    // CHECK-NOT: {{^}}    { kperf_kernel.signal([[PIPE]],
    // CHECK: {{^}}    { kperf_kernel.signal([[OTHER:[1-9][0-9]*u]], 0x{{[0-9a-f]+}}u); other.producer_commit(); }
    other.producer_commit();
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, [[PIPE]], 0x{{[0-9a-f]+}}u); pipe.consumer_wait(); }
    pipe.consumer_wait();
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, [[OTHER]], 0x{{[0-9a-f]+}}u); other.consumer_wait(); }
    other.consumer_wait();
    // CHECK: {{^}}    { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); pipe.consumer_release(); }
    pipe.consumer_release();
  }
  produce(pipe);
}

// Where all that is done with a pipeline stands in the function that makes it, its stages are known.
// CHECK: {{^}}__global__ void stages(float *to, const float *from, int n) {
__global__ void stages(float *to, const float *from, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> two;
  __shared__ Deep five;
  auto pipe = cuda::make_pipeline(n, &two);
  const bool isProducer = n > 3;
  auto other = cuda::make_pipeline(n, &five, isProducer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ::kperf::barrierAt(&(two)) << 8 | 2u, 0x{{[0-9a-f]+}}u); pipe.producer_acquire(); }
  pipe.producer_acquire();
  // CHECK: {{^}}  cuda::memcpy_async(to, from, 16, pipe);
  cuda::memcpy_async(to, from, 16, pipe);
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(two)), 0x{{[0-9a-f]+}}u); pipe.producer_commit(); }
  pipe.producer_commit();
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ::kperf::barrierAt(&(two)), 0x{{[0-9a-f]+}}u); pipe.consumer_wait(); }
  pipe.consumer_wait();
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(two)) << 8 | 2u, 0x{{[0-9a-f]+}}u); pipe.consumer_release(); }
  pipe.consumer_release();
  // CHECK: (kperf_kernel, ::kperf::barrierAt(&(five)) << 8 | 5u, 0x{{[0-9a-f]+}}u); other.producer_acquire(); }
  other.producer_acquire();
}

// How many, the compiler says.
// CHECK: {{^}}template <int N> __global__ void ofTemplate(int n) {
template <int N> __global__ void ofTemplate(int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, N + 1> state;
  auto pipe = cuda::make_pipeline(n, &state);
  // CHECK: (kperf_kernel, ::kperf::barrierAt(&(state)) << 8 | static_cast<unsigned>(N + 1), 0x{{[0-9a-f]+}}u); pipe.producer_acquire();
  pipe.producer_acquire();
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(state)), 0x{{[0-9a-f]+}}u); pipe.producer_commit();
  pipe.producer_commit();
}

// Not known: how many stages a name stands for, which only an instantiation knows; nor, where another function may acquire or release
// too, one state serves two pipelines, its name means two things, or it is one of several, which of them this is.
// CHECK: {{^}}template <int N> __global__ void unknown(int n) {
template <int N> __global__ void unknown(int n) {
  constexpr int kLocal = N + 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kLocal> named;
  auto pipe = cuda::make_pipeline(n, &named);
  // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); pipe.producer_acquire();
  pipe.producer_acquire();
}
// CHECK: {{^}}__global__ void givenAway(int n) {
__global__ void givenAway(int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state, shared, twice;
  auto given = cuda::make_pipeline(n, &state);
  // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); given.producer_acquire(); }
  given.producer_acquire();
  // CHECK: {{^}}  { kperf_kernel.signal({{[0-9]*[13579]}}u, 0x{{[0-9a-f]+}}u); given.producer_commit(); }
  given.producer_commit();
  produce(given);
  {
    auto first = cuda::make_pipeline(n, &shared);
    // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); first.producer_acquire(); }
    first.producer_acquire();
  }
  auto second = cuda::make_pipeline(n, &shared);
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); second.consumer_release(); }
  second.consumer_release();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> each[4];
  auto fourth = cuda::make_pipeline(n, &each[n]);
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); fourth.producer_commit(); }
  fourth.producer_commit();
  auto third = cuda::make_pipeline(n, &twice);
  {
    int twice = n;
    // CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); third.producer_acquire(); }
    third.producer_acquire();
  }
}

// Another class's members of these names stay known by name alone.
namespace other {
struct State {};
struct pipeline {
  __device__ void producer_acquire(State) {}
  __device__ void consumer_release(State) {}
};
}
// CHECK: {{^}}__global__ void otherClass(other::State state) {
__global__ void otherClass(other::State state) {
  other::pipeline pipe;
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); pipe.producer_acquire(state); }
  pipe.producer_acquire(state);
  // CHECK: {{^}}  { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); pipe.consumer_release(state); }
  pipe.consumer_release(state);
}

// CHECK: {{^}}template <class Pipe> __global__ void dependent(Pipe pipe) {
template <class Pipe> __global__ void dependent(Pipe pipe) {
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); pipe.consumer_wait();
  pipe.consumer_wait();
}

// A barrier's copies, by reference and through a pointer.
__global__ void copies(float *to, const float *from) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(bar)), 0x{{[0-9a-f]+}}u); cuda::memcpy_async(to, from, 16, bar); }
  cuda::memcpy_async(to, from, 16, bar);
}
