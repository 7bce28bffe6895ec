// Which overload of a class a call in a member of a template is of, its arguments say: the barrier's number is known there too.
// RUN: kperf-rewrite --probes=sync %s -o - | FileCheck %s
enum class Reserved : unsigned { Transpose = 2, First = 8 };
enum class Mine : unsigned { Empty, Full };
class Named {
  unsigned threads, id;
  __device__ static void syncOf(unsigned threads, unsigned id) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
  __device__ static void arriveOf(unsigned threads, unsigned id) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

public:
  static const unsigned kFirst = static_cast<unsigned>(Reserved::First);
  __device__ void sync() const { syncOf(threads, id); }
  __device__ static void sync(unsigned threads, unsigned id) { syncOf(threads, id + kFirst); }
  __device__ static void sync(unsigned threads, Reserved id) { syncOf(threads, static_cast<int>(id)); }
  __device__ void arrive() const { arriveOf(threads, id); }
  __device__ static void arrive(unsigned threads, unsigned id) { arriveOf(threads, id + kFirst); }
  __device__ static void arrive(unsigned threads, Reserved id) { arriveOf(threads, static_cast<int>(id)); }
};

template <class T> struct Loop {
  static constexpr int kThreads = T::kThreads;
  __device__ void run(int group, T value) {
    // CHECK: Wait kperf_wait_{{[^;]*}}((static_cast<unsigned>(static_cast<unsigned>(Mine::Full)) + 8u), {{.*}} Named::sync(kThreads,
    Named::sync(kThreads, static_cast<unsigned>(Mine::Full));
    // CHECK: Wait kperf_wait_{{[^;]*}}(static_cast<unsigned>(Reserved::Transpose), {{.*}} Named::sync(128,
    Named::sync(128, Reserved::Transpose);
    const int next = 1 - group;
    // CHECK: signal((static_cast<unsigned>(static_cast<unsigned>(Mine::Empty) + next) + 8u), {{.*}} Named::arrive(256,
    Named::arrive(256, static_cast<unsigned>(Mine::Empty) + next);
    // What only an instantiation knows is of either.
    // CHECK: Wait kperf_wait_{{[^;]*}}(0u, {{.*}} Named::sync(64,
    Named::sync(64, value.id);
  }
};
struct Traits {
  static constexpr int kThreads = 96;
  Reserved id;
};
__global__ void kernel(int group) { Loop<Traits>().run(group, {Reserved::Transpose}); }
