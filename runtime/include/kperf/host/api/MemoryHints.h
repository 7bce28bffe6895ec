// Loads and stores with cache hints: plain accesses here.
#ifndef KPERF_HOST_MEMORY_HINTS_H
#define KPERF_HOST_MEMORY_HINTS_H

#include <kperf/host/engine/Attributes.h>

template <typename T> T __ldg(const T *address) { return *address; }
template <typename T> T __ldcg(const T *address) { return *address; }
template <typename T> T __ldca(const T *address) { return *address; }
template <typename T> T __ldcs(const T *address) { return *address; }
template <typename T> T __ldlu(const T *address) { return *address; }
template <typename T> T __ldcv(const T *address) { return *const_cast<const volatile T *>(address); }
template <typename T> void __stwb(T *address, T value) { *address = value; }
template <typename T> void __stcg(T *address, T value) { *address = value; }
template <typename T> void __stcs(T *address, T value) { *address = value; }
template <typename T> void __stwt(T *address, T value) { *address = value; }

#endif
