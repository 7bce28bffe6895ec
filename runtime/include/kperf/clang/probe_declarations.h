// What rewritten source refers to, declared without a definition: enough for kperf-rewrite to check its own output with
// Clang, whatever toolkit there is or is not. The vendor's compiler reads <kperf/probe.h> instead.
// Template parameters look reserved, for a macro of the command may have any other name.
#ifndef KPERF_CLANG_PROBE_DECLARATIONS_H
#define KPERF_CLANG_PROBE_DECLARATIONS_H

#include <kperf/rules/KernelTraits.h>
#include <kperf/rules/MemoryCalls.h>

#define KPERF_PROBE_FUNCTION __attribute__((host)) __attribute__((device))

namespace kperf {

template <class... _Chosen> struct Kernel {
  KPERF_PROBE_FUNCTION explicit Kernel(unsigned id, const char *instantiation = nullptr);
  KPERF_PROBE_FUNCTION Kernel(bool isRecorded, unsigned id, const char *instantiation = nullptr);
  KPERF_PROBE_FUNCTION ~Kernel();
  Kernel(const Kernel &) = delete;
  template <unsigned _Index, unsigned _Around> KPERF_PROBE_FUNCTION void name(unsigned id);
  KPERF_PROBE_FUNCTION void settle() const;
  KPERF_PROBE_FUNCTION void splitSettle() const;
  template <unsigned _Records> KPERF_PROBE_FUNCTION void reserve();
  KPERF_PROBE_FUNCTION void begin(unsigned id);
  KPERF_PROBE_FUNCTION void end(unsigned id);
  KPERF_PROBE_FUNCTION void mark(unsigned id);
  template <class _Payload> KPERF_PROBE_FUNCTION void mark(unsigned id, _Payload payload);
  KPERF_PROBE_FUNCTION void firstBegin(unsigned id);
  KPERF_PROBE_FUNCTION void firstEnd(unsigned id);
  KPERF_PROBE_FUNCTION void firstMark(unsigned id);
  template <class _Payload> KPERF_PROBE_FUNCTION void firstMark(unsigned id, _Payload payload);
  KPERF_PROBE_FUNCTION void splitBegin(unsigned id);
  KPERF_PROBE_FUNCTION void splitEnd(unsigned id);
  KPERF_PROBE_FUNCTION void splitMark(unsigned id);
  template <class _Payload> KPERF_PROBE_FUNCTION void splitMark(unsigned id, _Payload payload);
  KPERF_PROBE_FUNCTION void signal(unsigned object, unsigned id);
  KPERF_PROBE_FUNCTION bool signalIf(unsigned object, unsigned id, bool comes);
  KPERF_PROBE_FUNCTION void firstSignal(unsigned object, unsigned id);
  KPERF_PROBE_FUNCTION void splitSignal(unsigned object, unsigned id);
};

template <class _Body> KPERF_PROBE_FUNCTION void runBlock(const _Body &body);
template <class _Here> KPERF_PROBE_FUNCTION const char *instanceName(const char *name, const _Here &);

template <unsigned _Words, class... _Chosen> struct KernelStream {
  KPERF_PROBE_FUNCTION explicit KernelStream(unsigned id, const char *instantiation = nullptr);
  KPERF_PROBE_FUNCTION ~KernelStream();
  KernelStream(const KernelStream &) = delete;
  KPERF_PROBE_FUNCTION void settle() const;
  KPERF_PROBE_FUNCTION void begin(unsigned id);
  KPERF_PROBE_FUNCTION void end(unsigned id);
  KPERF_PROBE_FUNCTION void mark(unsigned id);
  template <class _Payload> KPERF_PROBE_FUNCTION void mark(unsigned id, _Payload payload);
};

template <unsigned _Words> struct FunctionStream {
  KPERF_PROBE_FUNCTION FunctionStream(unsigned id, unsigned number);
  KPERF_PROBE_FUNCTION ~FunctionStream();
  FunctionStream(const FunctionStream &) = delete;
  KPERF_PROBE_FUNCTION void begin(unsigned id);
  KPERF_PROBE_FUNCTION void end(unsigned id);
  KPERF_PROBE_FUNCTION void mark(unsigned id);
  template <class _Payload> KPERF_PROBE_FUNCTION void mark(unsigned id, _Payload payload);
  KPERF_PROBE_FUNCTION void signal(unsigned object, unsigned id);
};

template <class _Stream> struct StreamScope {
  KPERF_PROBE_FUNCTION StreamScope(_Stream &stream, unsigned id);
  KPERF_PROBE_FUNCTION ~StreamScope();
  StreamScope(const StreamScope &) = delete;
};

template <class _Stream> struct StreamWait {
  KPERF_PROBE_FUNCTION StreamWait(_Stream &stream, unsigned object, unsigned id);
  KPERF_PROBE_FUNCTION ~StreamWait();
  StreamWait(const StreamWait &) = delete;
};

template <class _Stream, bool _MayJump = false> struct Frame {
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

struct EventRow {
  KPERF_PROBE_FUNCTION EventRow();
  KPERF_PROBE_FUNCTION ~EventRow();
  EventRow(const EventRow &) = delete;
};

struct RowScope {
  KPERF_PROBE_FUNCTION explicit RowScope(unsigned id);
  KPERF_PROBE_FUNCTION ~RowScope();
  RowScope(const RowScope &) = delete;
};

struct RowWait {
  KPERF_PROBE_FUNCTION RowWait(unsigned object, unsigned id);
  KPERF_PROBE_FUNCTION ~RowWait();
  RowWait(const RowWait &) = delete;
};

KPERF_PROBE_FUNCTION void rowBegin(unsigned id);
KPERF_PROBE_FUNCTION void rowEnd(unsigned id);
KPERF_PROBE_FUNCTION void rowMark(unsigned id);
template <class _Payload> KPERF_PROBE_FUNCTION void rowMark(unsigned id, _Payload payload);
KPERF_PROBE_FUNCTION void rowSignal(unsigned object, unsigned id);

struct Scope {
  KPERF_PROBE_FUNCTION explicit Scope(unsigned id);
  KPERF_PROBE_FUNCTION ~Scope();
  Scope(const Scope &) = delete;
};

template <class _Owner> struct ConvergentScope {
  KPERF_PROBE_FUNCTION ConvergentScope(_Owner &owner, unsigned id);
  KPERF_PROBE_FUNCTION ~ConvergentScope();
  ConvergentScope(const ConvergentScope &) = delete;
};

template <unsigned _Index> struct Sum {};

template <class _Owner, unsigned _Index> struct SumScope {
  KPERF_PROBE_FUNCTION SumScope(_Owner &owner, Sum<_Index>, unsigned id);
  KPERF_PROBE_FUNCTION ~SumScope();
  SumScope(const SumScope &) = delete;
};

template <class _Owner> struct ConvergentScopes {
  KPERF_PROBE_FUNCTION explicit ConvergentScopes(_Owner &owner);
  KPERF_PROBE_FUNCTION ~ConvergentScopes();
  ConvergentScopes(const ConvergentScopes &) = delete;
  KPERF_PROBE_FUNCTION void next(unsigned id);
};

template <class _Owner> struct FirstScope {
  KPERF_PROBE_FUNCTION FirstScope(_Owner &owner, unsigned id);
  KPERF_PROBE_FUNCTION ~FirstScope();
  FirstScope(const FirstScope &) = delete;
};

template <class _Owner> struct DivergentScope {
  KPERF_PROBE_FUNCTION DivergentScope(_Owner &owner, unsigned id);
  KPERF_PROBE_FUNCTION ~DivergentScope();
  DivergentScope(const DivergentScope &) = delete;
};

template <class _Of> struct RangeOf {
  template <class _Owner> KPERF_PROBE_FUNCTION void begin(_Owner &owner, unsigned id);
  template <class _Owner> KPERF_PROBE_FUNCTION void end(_Owner &owner, unsigned id);
};
using ConvergentRange = RangeOf<struct WholeWarp>;
using FirstRange = RangeOf<struct FirstLane>;
using DivergentRange = RangeOf<struct AnyLanes>;
using StreamRange = RangeOf<struct AnyStream>;
template <unsigned _Index> using SumRange = RangeOf<Sum<_Index>>;

struct Wait {
  KPERF_PROBE_FUNCTION Wait(unsigned object, unsigned id);
  KPERF_PROBE_FUNCTION ~Wait();
  Wait(const Wait &) = delete;
};

template <class _Owner> struct OwnWait {
  KPERF_PROBE_FUNCTION OwnWait(_Owner &owner, unsigned object, unsigned id);
  KPERF_PROBE_FUNCTION ~OwnWait();
  OwnWait(const OwnWait &) = delete;
};

template <class _Owner> struct FirstWait {
  KPERF_PROBE_FUNCTION FirstWait(_Owner &owner, unsigned object, unsigned id);
  KPERF_PROBE_FUNCTION ~FirstWait();
  FirstWait(const FirstWait &) = delete;
};

template <class _Owner> struct SplitWait {
  KPERF_PROBE_FUNCTION SplitWait(_Owner &owner, unsigned object, unsigned id);
  KPERF_PROBE_FUNCTION ~SplitWait();
  SplitWait(const SplitWait &) = delete;
};

KPERF_PROBE_FUNCTION void settle();
KPERF_PROBE_FUNCTION void begin(unsigned id);
KPERF_PROBE_FUNCTION void end(unsigned id);
KPERF_PROBE_FUNCTION void mark(unsigned id);
template <class _Payload> KPERF_PROBE_FUNCTION void mark(unsigned id, _Payload payload);
KPERF_PROBE_FUNCTION void signal(unsigned object, unsigned id);
template <class _Barrier> KPERF_PROBE_FUNCTION unsigned barrierAt(_Barrier barrier);
KPERF_PROBE_FUNCTION unsigned expectedAt(unsigned object, unsigned arrivals);

struct Iteration {
  KPERF_PROBE_FUNCTION explicit Iteration(unsigned lastLine);
  KPERF_PROBE_FUNCTION ~Iteration();
  Iteration(const Iteration &) = delete;
};

#define KPERF_LVALUE(name)                                                                                                                 \
  template <class T> KPERF_PROBE_FUNCTION T &name(SiteAt site, T &accessed);                                                               \
  template <class T> KPERF_PROBE_FUNCTION T name(SiteAt site, T &&value);                                                                  \
  template <class T> KPERF_PROBE_FUNCTION T &name(bool isSampled, SiteAt site, T &accessed);                                               \
  template <class T> KPERF_PROBE_FUNCTION T name(bool isSampled, SiteAt site, T &&value);
#define KPERF_ADDRESS(name)                                                                                                                \
  template <class T> KPERF_PROBE_FUNCTION T *name(SiteAt site, T *address);                                                                \
  template <class T> KPERF_PROBE_FUNCTION T *name(bool isSampled, SiteAt site, T *address);
#define KPERF_BYTES(name)                                                                                                                  \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T *name(SiteAt site, T *address);                                               \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T *name(bool isSampled, SiteAt site, T *address);
#define KPERF_OPERAND(name)                                                                                                                \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T name(SiteAt site, T address);                                                 \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T name(bool isSampled, SiteAt site, T address);                                 \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T name##If(SiteAt site, T address, bool isMade);                                \
  template <unsigned _Bytes, class T> KPERF_PROBE_FUNCTION T name##If(bool isSampled, SiteAt site, T address, bool isMade);
#define KPERF_SHARED(name) KPERF_OPERAND(name)
#define KPERF_OBJECT(name)                                                                                                                 \
  template <class T> KPERF_PROBE_FUNCTION T &&name(SiteAt site, T &&object);                                                               \
  template <class T> KPERF_PROBE_FUNCTION T &&name(bool isSampled, SiteAt site, T &&object);
#define KPERF_BULK(name)                                                                                                                   \
  template <class T> KPERF_PROBE_FUNCTION T name(SiteAt site, T address, unsigned bytes);                                                  \
  template <class T> KPERF_PROBE_FUNCTION T name(bool isSampled, SiteAt site, T address, unsigned bytes);                                  \
  template <class T> KPERF_PROBE_FUNCTION T name##If(SiteAt site, T address, unsigned bytes, bool isMade);                                 \
  template <class T> KPERF_PROBE_FUNCTION T name##If(bool isSampled, SiteAt site, T address, unsigned bytes, bool isMade);
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
