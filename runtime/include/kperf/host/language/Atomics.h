// CUDA's atomic functions: atomic between all operating system threads, acquire and release.
#ifndef KPERF_HOST_ATOMICS_H
#define KPERF_HOST_ATOMICS_H

#include <kperf/host/engine/VectorTypes.h>
#include <kperf/host/language/Barriers.h>

#include <cstring>
#include <type_traits>

namespace kperf::host {

/// How many atomic operations of a thread in a row make it a suspect of spinning: then the others get a turn.
inline constexpr int kAtomicsBeforeYield = 256;
inline thread_local int atomicsLeft = kAtomicsBeforeYield;

/// What every atomic operation does besides: its time, and letting other threads run now and then.
inline void noteAtomic() {
  CudaThread *thread = currentThread;
  if (!thread)
    return;
  thread->time += ticks::kAtomic;
  if (--atomicsLeft == 0) {
    atomicsLeft = kAtomicsBeforeYield;
    thread->block->yield();
  }
}

template <std::size_t Bytes> struct WordOf;
template <> struct WordOf<2> {
  using Type = std::uint16_t;
};
template <> struct WordOf<4> {
  using Type = std::uint32_t;
};
template <> struct WordOf<8> {
  using Type = std::uint64_t;
};

template <typename To, typename From> To bitCast(const From &from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To>, "only the type changes");
  To to;
  std::memcpy(static_cast<void *>(&to), &from, sizeof(To));
  return to;
}

/// Replaces *address by update(*address); returns what was there.
template <typename T, typename Update> T updateAtomically(T *address, Update update) {
  using Word = typename WordOf<sizeof(T)>::Type;
  Word *const word = reinterpret_cast<Word *>(address);
  Word before = __atomic_load_n(word, __ATOMIC_ACQUIRE);
  while (
      !__atomic_compare_exchange_n(word, &before, bitCast<Word>(T(update(bitCast<T>(before)))), true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
  }
  noteAtomic();
  return bitCast<T>(before);
}

template <typename T> T compareAndSwap(T *address, T compare, T value) {
  __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  noteAtomic();
  return compare;
}

template <typename T> T exchange(T *address, T value) {
  using Word = typename WordOf<sizeof(T)>::Type;
  const Word before = __atomic_exchange_n(reinterpret_cast<Word *>(address), bitCast<Word>(value), __ATOMIC_ACQ_REL);
  noteAtomic();
  return bitCast<T>(before);
}

} // namespace kperf::host

// Each exists for the device, for the block and for the system; here the three are one.
#define KPERF_HOST_SCOPES(name, T, body)                                                                                                   \
  inline T name(T *address, T value) { body }                                                                                              \
  inline T name##_block(T *address, T value) { return name(address, value); }                                                              \
  inline T name##_system(T *address, T value) { return name(address, value); }
#define KPERF_HOST_FETCH(name, T, builtin)                                                                                                 \
  KPERF_HOST_SCOPES(name, T, {                                                                                                             \
    const T before = builtin(address, value, __ATOMIC_ACQ_REL);                                                                            \
    kperf::host::noteAtomic();                                                                                                             \
    return before;                                                                                                                         \
  })
#define KPERF_HOST_UPDATE(name, T, expression)                                                                                             \
  KPERF_HOST_SCOPES(name, T, { return kperf::host::updateAtomically(address, [=](T old) { return static_cast<T>(expression); }); })
#define KPERF_HOST_EXCHANGE(T) KPERF_HOST_SCOPES(atomicExch, T, { return kperf::host::exchange(address, value); })
#define KPERF_HOST_SWAP(T)                                                                                                                 \
  inline T atomicCAS(T *address, T compare, T value) { return kperf::host::compareAndSwap(address, compare, value); }                      \
  inline T atomicCAS_block(T *address, T compare, T value) { return atomicCAS(address, compare, value); }                                  \
  inline T atomicCAS_system(T *address, T compare, T value) { return atomicCAS(address, compare, value); }
#define KPERF_HOST_INTEGERS(X) X(int) X(unsigned int) X(unsigned long long)

#define KPERF_HOST_INTEGER(T)                                                                                                              \
  KPERF_HOST_FETCH(atomicAdd, T, __atomic_fetch_add)                                                                                       \
  KPERF_HOST_FETCH(atomicAnd, T, __atomic_fetch_and)                                                                                       \
  KPERF_HOST_FETCH(atomicOr, T, __atomic_fetch_or)                                                                                         \
  KPERF_HOST_FETCH(atomicXor, T, __atomic_fetch_xor)                                                                                       \
  KPERF_HOST_UPDATE(atomicMin, T, value < old ? value : old)                                                                               \
  KPERF_HOST_UPDATE(atomicMax, T, value > old ? value : old)                                                                               \
  KPERF_HOST_EXCHANGE(T)                                                                                                                   \
  KPERF_HOST_SWAP(T)
KPERF_HOST_INTEGERS(KPERF_HOST_INTEGER)
KPERF_HOST_FETCH(atomicSub, int, __atomic_fetch_sub)
KPERF_HOST_FETCH(atomicSub, unsigned int, __atomic_fetch_sub)
KPERF_HOST_UPDATE(atomicMin, long long, value < old ? value : old)
KPERF_HOST_UPDATE(atomicMax, long long, value > old ? value : old)
KPERF_HOST_UPDATE(atomicInc, unsigned int, old >= value ? 0 : old + 1)
KPERF_HOST_UPDATE(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1)
KPERF_HOST_UPDATE(atomicAdd, float, old + value)
KPERF_HOST_UPDATE(atomicAdd, double, old + value)
KPERF_HOST_EXCHANGE(float)
KPERF_HOST_SWAP(unsigned short)

#undef KPERF_HOST_INTEGER
#undef KPERF_HOST_INTEGERS
#undef KPERF_HOST_SWAP
#undef KPERF_HOST_EXCHANGE
#undef KPERF_HOST_FETCH

// Vectors: each element by itself, as on the device.
inline float2 atomicAdd(float2 *address, float2 value) { return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)}; }
inline float4 atomicAdd(float4 *address, float4 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y), atomicAdd(&address->z, value.z),
          atomicAdd(&address->w, value.w)};
}

#endif
