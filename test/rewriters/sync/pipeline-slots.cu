// Members of a pipeline whose producers ask for a stage's barrier name the slot of their stage; of a class that an instantiation knows, the
// probe finds out whether it is one, and so of barriers.
// RUN: kperf-rewrite --probes=sync %s -o - | FileCheck %s
struct State {
  static constexpr unsigned Stages = 4;
  int at;
  __device__ State &advance(unsigned) { return *this; }
};
struct Plain {
  __device__ void consumer_wait(State) {}
};
template <class Pipeline> __device__ void produce(Pipeline pipeline, Pipeline *pointer, State state) {
  // CHECK: {{^}}  { const ::kperf::Wait {{.*}}(::kperf::slotAwaitedAt(pipeline, state), 0x{{[0-9a-f]+}}u); pipeline.producer_acquire(state); }
  pipeline.producer_acquire(state);
  // CHECK: {{^}}  { const ::kperf::Wait {{.*}}(::kperf::slotAwaitedAt(*(pointer), state), 0x{{[0-9a-f]+}}u); pointer->producer_acquire(state); }
  pointer->producer_acquire(state);
  // What a commit does, its pipeline's type says.
  // CHECK: {{^}}  { ::kperf::signal(0u, 0x{{[0-9a-f]+}}u); pipeline.producer_commit(state); }
  pipeline.producer_commit(state);
  // CHECK: {{^}}  { const ::kperf::Wait {{.*}}(::kperf::lastSlotAwaitedAt(pipeline, state), 0x{{[0-9a-f]+}}u); pipeline.producer_tail(state); }
  pipeline.producer_tail(state);
}
template <class Pipeline> __device__ void consume(Pipeline &pipeline, Plain &plain, State state) {
  auto consumer_wait = [](auto &pipeline, auto &state) {
    auto token = pipeline.consumer_try_wait(state);
    // CHECK: {{^}}    pipeline.consumer_wait(state, token);
    pipeline.consumer_wait(state, token);
  };
  // CHECK: {{^}}  { const ::kperf::Wait {{.*}}(::kperf::slotAwaitedAt(pipeline, state), 0x{{[0-9a-f]+}}u); consumer_wait(pipeline, state); }
  consumer_wait(pipeline, state);
  // CHECK: {{^}}  { ::kperf::signal(::kperf::slotAt(pipeline, state), 0x{{[0-9a-f]+}}u); pipeline.consumer_release(state); }
  pipeline.consumer_release(state);
  // CHECK: {{^}}  { const ::kperf::Wait {{.*}}(0u, 0x{{[0-9a-f]+}}u); plain.consumer_wait(state); }
  plain.consumer_wait(state);
}
template <class Storage> __device__ void barriers(Storage &storage, int block) {
  // CHECK: {{^}}  { const ::kperf::Wait {{.*}}(::kperf::barrierAwaitedOf(storage.full), 0x{{[0-9a-f]+}}u); storage.full.wait(0); }
  storage.full.wait(0);
  // CHECK: {{^}}  { ::kperf::signal(::kperf::barrierOf(storage.full), 0x{{[0-9a-f]+}}u); storage.full.arrive(); }
  storage.full.arrive();
  // CHECK: {{^}}  { ::kperf::signal(::kperf::barrierOfBlock(storage.full), 0x{{[0-9a-f]+}}u); storage.full.arrive(block); }
  storage.full.arrive(block);
}
__global__ void kernel() {}
