// What rewritten source refers to, declared without a definition: enough for kperf-rewrite to check its own output with
// Clang, whatever toolkit there is or is not. The vendor's compiler reads <kperf/probe.h> instead.
// Template parameters look reserved, for a macro of the command may have any other name.
#ifndef KPERF_CLANG_PROBE_DECLARATIONS_H
#define KPERF_CLANG_PROBE_DECLARATIONS_H

#include <kperf/rules/KernelTraits.h>
#include <kperf/rules/MemoryCalls.h>
#include <kperf/rules/OpenPointer.h>
#include <kperf/rules/Probes.h>

#define KPERF_PROBE_FUNCTION __attribute__((host)) __attribute__((device))

// What the words of KPERF_PROBES stand for.
#define KPERF_OBJECT(head, name, ...)                                                                                                      \
  head struct name {                                                                                                                       \
    KPERF_PROBE_FUNCTION name(__VA_ARGS__);                                                                                                \
    KPERF_PROBE_FUNCTION ~name();                                                                                                          \
    name(const name &) = delete;                                                                                                           \
  };
#define KPERF_RANGE(name)                                                                                                                  \
  struct name {                                                                                                                            \
    template <class _Owner> KPERF_PROBE_FUNCTION void begin(_Owner &owner, unsigned id);                                                   \
    template <class _Owner> KPERF_PROBE_FUNCTION void end(_Owner &owner, unsigned id);                                                     \
  };
#define KPERF_EVENTS(begins, ends, marks, signals)                                                                                         \
  KPERF_PROBE_FUNCTION void begins(unsigned id);                                                                                           \
  KPERF_PROBE_FUNCTION void ends(unsigned id);                                                                                             \
  KPERF_PROBE_FUNCTION void marks(unsigned id);                                                                                            \
  template <class _Payload> KPERF_PROBE_FUNCTION void marks(unsigned id, _Payload payload);                                                \
  KPERF_PROBE_FUNCTION void signals(unsigned object, unsigned id);
#define KPERF_OWNED(scope, range, wait)                                                                                                    \
  KPERF_OBJECT(template <class _Owner>, scope, _Owner &owner, unsigned id)                                                                 \
  KPERF_RANGE(range)                                                                                                                       \
  KPERF_OBJECT(template <class _Owner>, wait, _Owner &owner, unsigned object, unsigned id)
#define KPERF_FREE(scope, wait, ...)                                                                                                       \
  KPERF_OBJECT(, scope, unsigned id)                                                                                                       \
  KPERF_OBJECT(, wait, unsigned object, unsigned id)                                                                                       \
  KPERF_EVENTS(__VA_ARGS__)

namespace kperf {

#define KPERF_KERNEL_CLASSES(part, lanes, scope, range, wait, ...) KPERF_OWNED(scope, range, wait)
#define KPERF_FUNCTION_PROBES(part, ...) KPERF_FREE(__VA_ARGS__)
#define KPERF_STREAM_CLASSES(part, scope, range, wait, ...) KPERF_OWNED(scope, range, wait)
KPERF_PROBES(KPERF_KERNEL_CLASSES, KPERF_FUNCTION_PROBES, KPERF_STREAM_CLASSES, KPERF_FUNCTION_PROBES)
#undef KPERF_KERNEL_CLASSES
#undef KPERF_FUNCTION_PROBES
#undef KPERF_STREAM_CLASSES

template <class... _Chosen> struct Kernel {
  KPERF_PROBE_FUNCTION explicit Kernel(unsigned id, const char *instantiation = nullptr);
  KPERF_PROBE_FUNCTION Kernel(bool isRecorded, unsigned id, const char *instantiation = nullptr);
  KPERF_PROBE_FUNCTION ~Kernel();
  Kernel(const Kernel &) = delete;
  template <unsigned _Index, unsigned _Around> KPERF_PROBE_FUNCTION void name(unsigned id);
  KPERF_PROBE_FUNCTION void settle() const;
  KPERF_PROBE_FUNCTION void splitSettle() const;
  template <unsigned _Records> KPERF_PROBE_FUNCTION void reserve();
  KPERF_PROBE_FUNCTION bool signalIf(unsigned object, unsigned id, bool comes);
  KPERF_PROBE_FUNCTION bool stays(bool stay);
#define KPERF_KERNEL_EVENTS(part, lanes, scope, range, wait, ...) KPERF_EVENTS(__VA_ARGS__)
  KPERF_KERNEL_PROBES(KPERF_KERNEL_EVENTS)
#undef KPERF_KERNEL_EVENTS
};

template <class _Owner> struct Reconvergence {
  KPERF_PROBE_FUNCTION explicit Reconvergence(_Owner &owner);
  KPERF_PROBE_FUNCTION ~Reconvergence();
};

template <class _Body> KPERF_PROBE_FUNCTION void runBlock(const _Body &body) { body(true); }
struct SampledLoop {
  KPERF_PROBE_FUNCTION SampledLoop();
  template <class _Body> KPERF_PROBE_FUNCTION bool run(const _Body &body) { return body(IterationSample{}); }
  template <class _Body> KPERF_PROBE_FUNCTION bool run(bool, const _Body &body) { return body(IterationSample{}); }
};
template <class _Here> KPERF_PROBE_FUNCTION const char *instanceName(const char *name, const _Here &);

#define KPERF_STREAM_EVENTS(part, scope, range, wait, ...) KPERF_EVENTS(__VA_ARGS__)

template <unsigned _Words, class... _Chosen> struct KernelStream {
  KPERF_PROBE_FUNCTION explicit KernelStream(unsigned id, const char *instantiation = nullptr);
  KPERF_PROBE_FUNCTION ~KernelStream();
  KernelStream(const KernelStream &) = delete;
  KPERF_PROBE_FUNCTION void settle() const;
  KPERF_STREAM_PROBES(KPERF_STREAM_EVENTS)
};

template <unsigned _Words> struct FunctionStream {
  KPERF_PROBE_FUNCTION FunctionStream(unsigned id, unsigned number);
  KPERF_PROBE_FUNCTION ~FunctionStream();
  FunctionStream(const FunctionStream &) = delete;
  KPERF_STREAM_PROBES(KPERF_STREAM_EVENTS)
};

#undef KPERF_STREAM_EVENTS

template <class _Stream, bool _MayJump = false, bool _IsPassedOnce = false, unsigned _Gathered = 0> struct Frame {
  KPERF_PROBE_FUNCTION Frame(_Stream &stream, unsigned id, unsigned zeroed = 0);
  KPERF_PROBE_FUNCTION ~Frame();
  Frame(const Frame &) = delete;
  template <unsigned _Word> KPERF_PROBE_FUNCTION void at(unsigned id);
  template <unsigned _Word> KPERF_PROBE_FUNCTION void put(unsigned value);
};

template <unsigned _Begin, unsigned _End, class _Frame> struct FrameScope {
  KPERF_PROBE_FUNCTION FrameScope(_Frame &frame, unsigned id);
  KPERF_PROBE_FUNCTION ~FrameScope();
  FrameScope(const FrameScope &) = delete;
};

struct CalledKernel {
  KPERF_PROBE_FUNCTION explicit CalledKernel(unsigned id, const char *instantiation = nullptr);
  KPERF_PROBE_FUNCTION ~CalledKernel();
  CalledKernel(const CalledKernel &) = delete;
};
KPERF_PROBE_FUNCTION void forgetStreams();

KPERF_OBJECT(, EventRow, )
KPERF_OBJECT(, RowSignal, unsigned object, unsigned id)
KPERF_OBJECT(, Iteration, unsigned lastLine)
KPERF_OBJECT(, FunctionBody, unsigned lastLine)
KPERF_PROBE_FUNCTION void calling(unsigned firstLine, unsigned lastLine, unsigned column = 0);

template <unsigned _Index> struct Sum {};

template <class _Owner, unsigned _Index> struct SumScope {
  KPERF_PROBE_FUNCTION SumScope(_Owner &owner, Sum<_Index>, unsigned id);
  KPERF_PROBE_FUNCTION ~SumScope();
  SumScope(const SumScope &) = delete;
};
template <unsigned _Index>
KPERF_RANGE(SumRange)

template <class _Owner>
struct ConvergentScopes {
  KPERF_PROBE_FUNCTION explicit ConvergentScopes(_Owner &owner);
  KPERF_PROBE_FUNCTION ~ConvergentScopes();
  ConvergentScopes(const ConvergentScopes &) = delete;
  KPERF_PROBE_FUNCTION void next(unsigned id);
};

KPERF_PROBE_FUNCTION void settle();
template <class _Barrier> KPERF_PROBE_FUNCTION unsigned barrierAt(_Barrier barrier);
template <class _Object> KPERF_PROBE_FUNCTION unsigned barrierOf(_Object &&object);
template <class _Object> KPERF_PROBE_FUNCTION unsigned barrierAwaitedOf(_Object &&object);
template <class _Object> KPERF_PROBE_FUNCTION unsigned barrierOfBlock(_Object &&object);
template <class _Pipeline, class _Stage> KPERF_PROBE_FUNCTION unsigned slotAt(_Pipeline &&pipeline, const _Stage &stage);
template <class _Pipeline, class _Stage> KPERF_PROBE_FUNCTION unsigned slotAwaitedAt(_Pipeline &&pipeline, const _Stage &stage);
template <class _Pipeline, class _Stage> KPERF_PROBE_FUNCTION unsigned lastSlotAwaitedAt(_Pipeline &&pipeline, const _Stage &stage);
KPERF_PROBE_FUNCTION unsigned expectedAt(unsigned object, unsigned arrivals);

#undef KPERF_OBJECT
#undef KPERF_RANGE
#undef KPERF_EVENTS
#undef KPERF_OWNED
#undef KPERF_FREE

#define KPERF_LVALUE(name)                                                                                                                 \
  template <class T> KPERF_PROBE_FUNCTION T &name(AnySite site, T &accessed);                                                              \
  template <class T> KPERF_PROBE_FUNCTION T name(AnySite site, T &&value);                                                                 \
  template <class T> KPERF_PROBE_FUNCTION T &name(bool isSampled, AnySite site, T &accessed);                                              \
  template <class T> KPERF_PROBE_FUNCTION T name(bool isSampled, AnySite site, T &&value);                                                 \
  template <class T> KPERF_PROBE_FUNCTION T &name(AnySite site, NotAccessed<T> element);                                                   \
  template <class T> KPERF_PROBE_FUNCTION T &name(bool isSampled, AnySite site, NotAccessed<T> element);
#define KPERF_ADDRESS(name)                                                                                                                \
  template <class T> KPERF_PROBE_FUNCTION T *name(AnySite site, T *address);                                                               \
  template <class T> KPERF_PROBE_FUNCTION T *name(bool isSampled, AnySite site, T *address);
#define KPERF_BYTES(name)                                                                                                                  \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T *name(AnySite site, T *address);                                              \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T *name(bool isSampled, AnySite site, T *address);
#define KPERF_OPERAND(name)                                                                                                                \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T name(AnySite site, T address);                                                \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T name(bool isSampled, AnySite site, T address);                                \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T name##If(AnySite site, T address, bool isMade);                               \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T name##If(bool isSampled, AnySite site, T address, bool isMade);
#define KPERF_SHARED(name) KPERF_OPERAND(name)
#define KPERF_OBJECT(name)                                                                                                                 \
  template <class T> KPERF_PROBE_FUNCTION T &&name(AnySite site, T &&object);                                                              \
  template <class T> KPERF_PROBE_FUNCTION T &&name(bool isSampled, AnySite site, T &&object);
#define KPERF_BULK(name)                                                                                                                   \
  template <class T> KPERF_PROBE_FUNCTION T name(AnySite site, T address, unsigned bytes);                                                 \
  template <class T> KPERF_PROBE_FUNCTION T name(bool isSampled, AnySite site, T address, unsigned bytes);                                 \
  template <class T> KPERF_PROBE_FUNCTION T name##If(AnySite site, T address, unsigned bytes, bool isMade);                                \
  template <class T> KPERF_PROBE_FUNCTION T name##If(bool isSampled, AnySite site, T address, unsigned bytes, bool isMade);

/// What a call's first argument can be made of: a SiteAt or an IterationSite.
struct AnySite {
  KPERF_PROBE_FUNCTION AnySite(unsigned word);
  KPERF_PROBE_FUNCTION AnySite(unsigned word, int iteration);
  KPERF_PROBE_FUNCTION AnySite(IterationSample sample, unsigned word);
  KPERF_PROBE_FUNCTION AnySite(IterationSample sample, unsigned word, int iteration);
};

KPERF_MEMORY_CALLS(KPERF_LVALUE, KPERF_LVALUE, KPERF_ADDRESS, KPERF_BYTES, KPERF_OPERAND, KPERF_SHARED, KPERF_OBJECT, KPERF_BULK)
namespace inlined {
KPERF_MEMORY_CALLS(KPERF_LVALUE, KPERF_LVALUE, KPERF_ADDRESS, KPERF_BYTES, KPERF_OPERAND, KPERF_SHARED, KPERF_OBJECT, KPERF_BULK)
}
#undef KPERF_LVALUE
#undef KPERF_ADDRESS
#undef KPERF_BYTES
#undef KPERF_OPERAND
#undef KPERF_SHARED
#undef KPERF_OBJECT
#undef KPERF_BULK

} // namespace kperf

#undef KPERF_PROBE_FUNCTION
#define KPERF_REGIONS(...)
#define KPERF_SITES(...)
#define KPERF_NO_REGIONS
#define KPERF_SAMPLE_OF(blocks)

#endif
