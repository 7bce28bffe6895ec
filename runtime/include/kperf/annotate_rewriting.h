// What the annotations of <kperf/annotate.h> expand to while kperf-rewrite parses: a static_assert that carries the
// annotation's words as text. It is a declaration that may stand in any function, constexpr or dependent ones included,
// in a class and in a namespace, and it evaluates nothing.
#ifndef KPERF_ANNOTATE_REWRITING_H
#define KPERF_ANNOTATE_REWRITING_H

// Two steps, so that macros in the arguments are expanded before # turns them into text.
#define KPERF_ANNOTATION(kind, ...) _Static_assert(1, "kperf:" kind ":" #__VA_ARGS__)

#define KPERF_SCOPE(...) KPERF_ANNOTATION("scope", __VA_ARGS__)
#define KPERF_BEGIN(...) KPERF_ANNOTATION("begin", __VA_ARGS__)
#define KPERF_END(...) KPERF_ANNOTATION("end", __VA_ARGS__)
#define KPERF_MARK(...) KPERF_ANNOTATION("mark", __VA_ARGS__)

// What another tool's annotations expand to (<iket/iket_device_apis.cuh> and the like): "begin", "end", "mark", or "push" and "pop",
// of which the latter ends the range that was pushed last; the name of that tool's macro; and the event's, which may be any tokens.
#define KPERF_IMPORTED(kind, macro, ...) KPERF_ANNOTATION("imported:" kind ":" macro, __VA_ARGS__)

#endif
