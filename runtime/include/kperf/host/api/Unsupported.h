// What the host target does not imitate: each name exists, and a use of it is a compile-time error that says what to
// do.
#ifndef KPERF_HOST_UNSUPPORTED_H
#define KPERF_HOST_UNSUPPORTED_H

#include <kperf/host/engine/Attributes.h>
#include <kperf/host/engine/Errors.h>

namespace kperf::host {
/// Only an instantiation makes it false.
template <typename...> inline constexpr bool isSupported = false;
} // namespace kperf::host

#define KPERF_HOST_UNSUPPORTED_AS(type, name, advice)                                                                                      \
  template <typename Result = type, typename... Arguments> Result name(const Arguments &...) {                                             \
    static_assert(::kperf::host::isSupported<Result, Arguments...>, #name " is not supported on kperf's host target; " advice);            \
    return Result();                                                                                                                       \
  }
#define KPERF_HOST_UNSUPPORTED(name, advice) KPERF_HOST_UNSUPPORTED_AS(int, name, advice)
/// A call whose status may be looked at.
#define KPERF_HOST_UNSUPPORTED_CALL(name, advice) KPERF_HOST_UNSUPPORTED_AS(cudaError_t, name, advice)
#define KPERF_HOST_GUARD "guard it by #ifndef KPERF_HOST_TARGET and give the host target another way"

namespace kperf::host {
/// Stands in front of inline PTX. Not a template: what is an error is code that is made, not what is written.
[[gnu::error("inline PTX is not supported on kperf's host target; " KPERF_HOST_GUARD)]] void inlinePtx();
} // namespace kperf::host

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;

#define KPERF_HOST_GRAPH_ADVICE "launch the kernels directly where KPERF_HOST_TARGET is defined"
KPERF_HOST_UNSUPPORTED_CALL(cudaStreamBeginCapture, KPERF_HOST_GRAPH_ADVICE)
KPERF_HOST_UNSUPPORTED_CALL(cudaStreamEndCapture, KPERF_HOST_GRAPH_ADVICE)
KPERF_HOST_UNSUPPORTED_CALL(cudaGraphCreate, KPERF_HOST_GRAPH_ADVICE)
KPERF_HOST_UNSUPPORTED_CALL(cudaGraphInstantiate, KPERF_HOST_GRAPH_ADVICE)
KPERF_HOST_UNSUPPORTED_CALL(cudaGraphLaunch, KPERF_HOST_GRAPH_ADVICE)

// Addresses of shared memory as numbers are only of use to inline PTX.
KPERF_HOST_UNSUPPORTED(__cvta_generic_to_shared, "it serves inline PTX: " KPERF_HOST_GUARD)
KPERF_HOST_UNSUPPORTED(__cvta_generic_to_global, "it serves inline PTX: " KPERF_HOST_GUARD)
KPERF_HOST_UNSUPPORTED(__isShared, KPERF_HOST_GUARD)
KPERF_HOST_UNSUPPORTED(__isGlobal, KPERF_HOST_GUARD)
KPERF_HOST_UNSUPPORTED(__cluster_barrier_arrive, KPERF_HOST_GUARD)
KPERF_HOST_UNSUPPORTED(__cluster_barrier_wait, KPERF_HOST_GUARD)
KPERF_HOST_UNSUPPORTED(__clusterIdx, KPERF_HOST_GUARD)

#endif
