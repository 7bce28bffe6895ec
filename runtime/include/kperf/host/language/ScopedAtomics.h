// nvcc's __nv_atomic_ functions, with an order and a scope: all orders and scopes are the strongest one here.
#ifndef KPERF_HOST_SCOPED_ATOMICS_H
#define KPERF_HOST_SCOPED_ATOMICS_H

#include <kperf/host/language/Atomics.h>

enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };

namespace kperf::host {

/// What is done to a value of T by an operand of whatever type the program has.
template <typename T> using Same = std::common_type_t<T>;

} // namespace kperf::host

template <typename T> std::remove_cv_t<T> __nv_atomic_load_n(T *address, int, int = 0) {
  using Word = typename kperf::host::WordOf<sizeof(T)>::Type;
  const Word word = __atomic_load_n(reinterpret_cast<const volatile Word *>(address), __ATOMIC_SEQ_CST);
  kperf::host::noteAtomic();
  return kperf::host::bitCast<std::remove_cv_t<T>>(word);
}
template <typename T> void __nv_atomic_load(T *address, std::remove_cv_t<T> *out, int order, int scope = 0) {
  *out = __nv_atomic_load_n(address, order, scope);
}
template <typename T> T __nv_atomic_exchange_n(T *address, kperf::host::Same<T> value, int, int = 0) {
  return kperf::host::exchange(address, T(value));
}
template <typename T> void __nv_atomic_exchange(T *address, T *value, T *before, int order, int scope = 0) {
  *before = __nv_atomic_exchange_n(address, *value, order, scope);
}
template <typename T> void __nv_atomic_store_n(T *address, kperf::host::Same<T> value, int, int = 0) {
  kperf::host::exchange(address, T(value));
}
template <typename T> void __nv_atomic_store(T *address, T *value, int order, int scope = 0) {
  __nv_atomic_store_n(address, *value, order, scope);
}
/// True when *address was *expected and is now `value`; else *expected is what was found.
template <typename T> bool __nv_atomic_compare_exchange_n(T *address, T *expected, kperf::host::Same<T> value, bool, int, int, int = 0) {
  using Word = typename kperf::host::WordOf<sizeof(T)>::Type;
  const Word compare = kperf::host::bitCast<Word>(*expected);
  const Word found = kperf::host::compareAndSwap(reinterpret_cast<Word *>(address), compare, kperf::host::bitCast<Word>(T(value)));
  *expected = kperf::host::bitCast<T>(found);
  return found == compare;
}
template <typename T>
bool __nv_atomic_compare_exchange(T *address, T *expected, T *value, bool isWeak, int order, int failure, int scope = 0) {
  return __nv_atomic_compare_exchange_n(address, expected, *value, isWeak, order, failure, scope);
}

#define KPERF_HOST_FETCH(name, expression)                                                                                                 \
  template <typename T> T __nv_atomic_fetch_##name(T *address, kperf::host::Same<T> value, int, int = 0) {                                 \
    return kperf::host::updateAtomically(address, [&](T old) { return T(expression); });                                                   \
  }
KPERF_HOST_FETCH(add, old + value)
KPERF_HOST_FETCH(sub, old - value)
KPERF_HOST_FETCH(and, old &value)
KPERF_HOST_FETCH(or, old | value)
KPERF_HOST_FETCH(xor, old ^ value)
KPERF_HOST_FETCH(min, value < old ? value : old)
KPERF_HOST_FETCH(max, old < value ? value : old)
#undef KPERF_HOST_FETCH

inline void __nv_atomic_thread_fence(int, int = 0) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
