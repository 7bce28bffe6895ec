// --probes=sync and cuda::pipeline: by its type a pipeline is of one thread, whose copies are groups of its own, or of several, which
// commit to it in turn. What no type says, such as a pipeline of a template's own, is recorded as unknown.
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
__device__ pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group> __device__ pipeline<thread_scope_block> make_pipeline(const Group &) { return {}; }
template <class T, class Sync> __device__ void memcpy_async(T *to, const T *from, int bytes, Sync &sync) {}
template <unsigned char Prior> __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {}
template <thread_scope Scope> __device__ void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<Scope> &) {}
}

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
  // CHECK: {{^}}  { const ::kperf::OwnWait {{.*}}(kperf_kernel, ~0u, 0x{{[0-9a-f]+}}u); pipe.consumer_wait(); }
  pipe.consumer_wait();
  // CHECK: {{^}}  { const ::kperf::OwnWait {{.*}}(kperf_kernel, 1u, 0x{{[0-9a-f]+}}u); cuda::pipeline_consumer_wait_prior<1>(pipe); }
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
    // CHECK: {{^}}    { const ::kperf::OwnWait {{.*}}(kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); pipe.producer_acquire(); }
    pipe.producer_acquire();
    // CHECK: {{^}}    cuda::memcpy_async(to + i, from + i, 16, pipe);
    cuda::memcpy_async(to + i, from + i, 16, pipe);
    // CHECK: {{^}}    { kperf_kernel.signal([[PIPE:[1-9][0-9]*u]], 0x{{[0-9a-f]+}}u); pipe.producer_commit(); }
    pipe.producer_commit();
    // CHECK-NOT: {{^}}    { kperf_kernel.signal([[PIPE]],
    // CHECK: {{^}}    { kperf_kernel.signal([[OTHER:[1-9][0-9]*u]], 0x{{[0-9a-f]+}}u); other.producer_commit(); }
    other.producer_commit();
    // CHECK: {{^}}    { const ::kperf::OwnWait {{.*}}(kperf_kernel, [[PIPE]], 0x{{[0-9a-f]+}}u); pipe.consumer_wait(); }
    pipe.consumer_wait();
    // CHECK: {{^}}    { const ::kperf::OwnWait {{.*}}(kperf_kernel, [[OTHER]], 0x{{[0-9a-f]+}}u); other.consumer_wait(); }
    other.consumer_wait();
    // CHECK: {{^}}    { kperf_kernel.signal(0u, 0x{{[0-9a-f]+}}u); pipe.consumer_release(); }
    pipe.consumer_release();
  }
  produce(pipe);
}

// CHECK: {{^}}template <class Pipe> __global__ void dependent(Pipe pipe) {
template <class Pipe> __global__ void dependent(Pipe pipe) {
  // CHECK: {{^}}  { const ::kperf::OwnWait {{.*}}(kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); pipe.consumer_wait();
  pipe.consumer_wait();
}

// A barrier's copies, by reference and through a pointer.
__global__ void copies(float *to, const float *from) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(bar)), 0x{{[0-9a-f]+}}u); cuda::memcpy_async(to, from, 16, bar); }
  cuda::memcpy_async(to, from, 16, bar);
}
