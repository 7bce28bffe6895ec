// Tells, in an instance of a template, accesses through pointers from those that an object's operator makes itself.
#ifndef KPERF_OPEN_POINTER_H
#define KPERF_OPEN_POINTER_H

#include <kperf/rules/HostDevice.h>

// A reference to a variable in registers goes through here.
#define KPERF_ALWAYS_INLINE KPERF_HOST_DEVICE __attribute__((always_inline))

namespace kperf {

/// What an object's operator gave: its own accesses are counted where they stand, and this may be an automatic variable.
template <typename T> struct NotAccessed {
  T &object;
};

namespace detail {

template <bool IsPointer> struct Through {
  template <typename T> KPERF_ALWAYS_INLINE static constexpr NotAccessed<T> of(T &object) { return {object}; }
  template <typename T> KPERF_ALWAYS_INLINE static constexpr T of(T &&value) { return static_cast<T &&>(value); }
};
template <> struct Through<true> {
  template <typename T> KPERF_ALWAYS_INLINE static constexpr T &of(T &accessed) { return accessed; }
};

template <typename T> struct IsPointer {
  static constexpr bool value = false;
};
template <typename T> struct IsPointer<T *> {
  static constexpr bool value = true;
};
template <typename T> struct IsPointer<const T> : IsPointer<T> {};
template <typename T> struct IsPointer<volatile T> : IsPointer<T> {};
template <typename T> struct IsPointer<const volatile T> : IsPointer<T> {};

} // namespace detail

/// The element as the probes' last argument: the very lvalue where it was reached by a pointer, else a NotAccessed of it, or the value.
template <typename Base, typename T> KPERF_ALWAYS_INLINE constexpr decltype(auto) through(T &&element) {
  return detail::Through<detail::IsPointer<Base>::value>::of(static_cast<T &&>(element));
}

} // namespace kperf

#undef KPERF_ALWAYS_INLINE

#endif
