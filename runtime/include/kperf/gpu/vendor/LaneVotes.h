// Votes and exchanges among the lanes that make an access together, by whose compiler reads this; on the host target, NVIDIA's.
#ifndef KPERF_GPU_LANE_VOTES_H
#define KPERF_GPU_LANE_VOTES_H

#if defined(__HIP__) && !defined(KPERF_HOST_TARGET)
#include <kperf/hip/LaneVotes.h>
#else
#include <kperf/cuda/LaneVotes.h>
#endif

#endif
