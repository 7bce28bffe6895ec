// The marks of AMD's SQTT Marker as kperf's: <amd_sqtt_marker/sqtt_marker.h> under kperf-cc, where no other is in front of it.
//
//   sqtt_marker_enter("work"); … sqtt_marker_exit("work");     a region; an exit ends the innermost, whatever it names
//   sqtt_marker_point("here"); sqtt_marker_data("item", id);   an instant; the value is not recorded
//
// The same with _id take a number in place of the name.
#ifndef KPERF_SQTT_MARKER_H
#define KPERF_SQTT_MARKER_H

#ifdef KPERF_REWRITING
#include <kperf/annotate_rewriting.h>
#define sqtt_marker_enter(name) KPERF_IMPORTED("push", "sqtt_marker_enter", name)
#define sqtt_marker_exit(...) KPERF_IMPORTED("pop", "sqtt_marker_exit", )
#define sqtt_marker_point(name) KPERF_IMPORTED("mark", "sqtt_marker_point", name)
#define sqtt_marker_data(name, value) KPERF_IMPORTED("mark", "sqtt_marker_data", name)
#define sqtt_marker_enter_id(id) KPERF_IMPORTED("push", "sqtt_marker_enter_id", id)
#define sqtt_marker_exit_id(...) KPERF_IMPORTED("pop", "sqtt_marker_exit_id", )
#define sqtt_marker_point_id(id) KPERF_IMPORTED("mark", "sqtt_marker_point_id", id)
#else
#define sqtt_marker_enter(name)
#define sqtt_marker_exit(...)
#define sqtt_marker_point(name)
#define sqtt_marker_data(name, value)
#define sqtt_marker_enter_id(id)
#define sqtt_marker_exit_id(...)
#define sqtt_marker_point_id(id)
#endif

#endif
