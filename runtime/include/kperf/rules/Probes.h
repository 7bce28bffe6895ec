// Lists the probes that the rewriters insert to record regions. Clang's declarations, the names that the rewriters write and the probes of
// a kernel's own body on every target are made from this list; those of functions, streams and rows are written out
// (gpu/record/KernelScopes.h, gpu/record/WaitProbe.h, cuda/record), and test/rewriters/kernel/Inputs/every_probe.cu, which expands it,
// compiles a call of each.
//
// KPERF_PROBES(KERNEL, FUNCTION, STREAM, ROW) applies one of its arguments to each way in which a region gets at its record, which is
// the first word (rewriters/kernel/RecordPart.h). KERNEL is of a kernel's own body, and goes through the kernel's object; the second
// word says which lanes record (gpu/record/RecordingLanes.h). FUNCTION is of any function. STREAM goes through the stream of a function
// or a kernel, ROW through the warp's row in device memory: both on NVIDIA GPUs only. Then follow
//   the class of a region from here to the end of the enclosing block    Scope([owner,] id)
//   of one that two statements of a block begin and end, where there is  Range, begin(owner, id), end(owner, id)
//   of a wait for an object                                              Wait([owner,] object, id)
//   the functions, of the owner where there is one, for the begin and the end of a range, an instant with or without a payload, and an
//   instant that others wait for                                         begin(id), end(id), mark(id[, payload]), signal(object, id)
#ifndef KPERF_PROBES_H
#define KPERF_PROBES_H

#define KPERF_PROBES(KERNEL, FUNCTION, STREAM, ROW)                                                                                        \
  KERNEL(Convergent, WholeWarp, ConvergentScope, ConvergentRange, ConvergentWait, begin, end, mark, signal)                                \
  KERNEL(First, FirstLane, FirstScope, FirstRange, FirstWait, firstBegin, firstEnd, firstMark, firstSignal)                                \
  KERNEL(Divergent, AnyLanes, DivergentScope, DivergentRange, DivergentWait, divergentBegin, divergentEnd, divergentMark, divergentSignal) \
  FUNCTION(Shared, Scope, Wait, begin, end, mark, signal)                                                                                  \
  STREAM(Stream, StreamScope, StreamRange, StreamWait, begin, end, mark, signal)                                                           \
  ROW(Row, RowScope, RowWait, rowBegin, rowEnd, rowMark, rowSignal)

/// For those who expand one kind only.
#define KPERF_NO_PROBES(...)
#define KPERF_KERNEL_PROBES(KERNEL) KPERF_PROBES(KERNEL, KPERF_NO_PROBES, KPERF_NO_PROBES, KPERF_NO_PROBES)
#define KPERF_STREAM_PROBES(STREAM) KPERF_PROBES(KPERF_NO_PROBES, KPERF_NO_PROBES, STREAM, KPERF_NO_PROBES)

#endif
