// The operating system threads that run blocks: kept between launches, never joined.
#ifndef KPERF_HOST_POOL_H
#define KPERF_HOST_POOL_H

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace kperf::host {

class Pool {
public:
  using Job = std::function<void(unsigned worker)>;

  /// The process's pool. It is never destroyed, because a kernel may call exit; after a fork the child gets a new one.
  static Pool &instance() {
    static Pool *pool = new Pool;
    if (pool->process != getpid())
      pool = new Pool;
    return *pool;
  }

  /// Runs job(0) here and job(1) … job(workers - 1) on other threads, at the same time; returns after all of them. One
  /// call at a time. False when the system gives no more threads: then nothing ran.
  bool run(unsigned workers, const Job &job) {
    if (!grow(workers - 1))
      return false;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      current = &job;
      wanted = busy = workers - 1;
      ++generation;
    }
    if (workers > 1)
      wake.notify_all();
    job(0);
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, [&] { return busy == 0; });
    return true;
  }

private:
  bool grow(unsigned others) {
    try {
      for (; threads < others; ++threads)
        std::thread([this, number = threads + 1, seen = generation] { serve(number, seen); }).detach();
    } catch (const std::system_error &) {
      return false;
    }
    return true;
  }

  void serve(unsigned number, std::uint64_t seen) {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      wake.wait(lock, [&] { return generation != seen; });
      seen = generation;
      if (number > wanted)
        continue;
      const Job &job = *current;
      lock.unlock();
      job(number);
      lock.lock();
      if (--busy == 0)
        done.notify_one();
    }
  }

  const pid_t process = getpid();
  std::mutex mutex;
  std::condition_variable wake, done;
  const Job *current = nullptr;
  unsigned threads = 0, wanted = 0, busy = 0;
  std::uint64_t generation = 0;
};

} // namespace kperf::host

#endif
