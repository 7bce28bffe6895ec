// The parts of cuda_runtime.h.
#ifndef KPERF_HOST_CUDA_RUNTIME_PARTS_H
#define KPERF_HOST_CUDA_RUNTIME_PARTS_H

#include <kperf/host/api/Allocation.h>
#include "Atomics.h"
#include <kperf/host/engine/Attributes.h>
#include "Barriers.h"
#include <kperf/host/engine/Clock.h>
#include "Conversions.h"
#include <kperf/host/api/Copy.h>
#include <kperf/host/api/DeviceApi.h>
#include <kperf/host/engine/Errors.h>
#include "FloatMath.h"
#include <kperf/host/api/FunctionAttributes.h>
#include "IntegerMath.h"
#include <kperf/host/api/Launch.h>
#include <kperf/host/api/MemoryHints.h>
#include "ScopedAtomics.h"
#include "SharedBarriers.h"
#include "Shuffles.h"
#include <kperf/host/api/StreamApi.h>
#include <kperf/host/api/Unsupported.h>
#include <kperf/host/engine/VectorTypes.h>
#include "Votes.h"

#endif
