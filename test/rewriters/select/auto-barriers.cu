// --auto=barriers finds waits in calls, members and inline assembly, and takes a polling loop as one wait. A function that
// does nothing else is timed where it is called.
// RUN: split-file %s %t
// RUN: kperf-rewrite --auto=barriers --list-regions %t/in.cu 2> %t/said | FileCheck %t/check.txt
// RUN: FileCheck %t/said.txt --input-file %t/said
// RUN: kperf-rewrite --auto=async --list-regions %t/in.cu | FileCheck %t/async.txt

//--- in.cu
struct Barrier { __device__ void arrive_and_wait(); };
__device__ void waitAll() { asm volatile("cp.async.wait_all;" ::: "memory"); }
__device__ void load(unsigned to, const float *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}
__device__ bool poll(unsigned bar) {
  unsigned done;
  asm volatile("{.reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(bar));
  return done;
}
template <class Group, int N> __device__ void pipe(Group &group) {
  group.sync();
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N));
}
__global__ void k(float *p, int n, Barrier b) {
  __syncthreads();
  if (n)
    b.arrive_and_wait();
  load(0, p);
  waitAll();
  while (!poll(0)) {}
  for (int s = 1; s < 32; s *= 2) { p[s] = p[0]; __syncwarp(); }
  if (__syncthreads_or(n)) p[0] = 1;
}
//--- check.txt
      CHECK: in.cu:12:3: automatic "sync:12" in pipe
 CHECK-NEXT: in.cu:13:3: automatic "wgmma.wait_group:13" in pipe
 CHECK-NEXT: kernel "k" in k
 CHECK-NEXT: in.cu:16:3: automatic "__syncthreads:16" in k
 CHECK-NEXT: in.cu:18:5: automatic "arrive_and_wait:18" in k
 CHECK-NEXT: in.cu:20:3: automatic "waitAll:20" in k
 CHECK-NEXT: in.cu:21:3: automatic "poll:21" in k
 CHECK-NEXT: in.cu:22:50: left out "__syncwarp:22" in k: too little work to time
 CHECK-NEXT: in.cu:23:7: left out "__syncthreads_or:23" in k: it is part of the head of a branch or loop
  CHECK-NOT: in.cu:
//--- said.txt
CHECK: in.cu': 1 selected place can't be timed, '{{.*}}' at {{.*}}in.cu:{{[0-9]+:[0-9]+}}: it is part of the head of a branch or loop
//--- async.txt
      CHECK: kernel "k" in k
 CHECK-NEXT: in.cu:19:3: automatic "load:19" in k
  CHECK-NOT: in.cu:
