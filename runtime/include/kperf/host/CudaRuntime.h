// The parts of cuda_runtime.h.
#ifndef KPERF_HOST_CUDA_RUNTIME_PARTS_H
#define KPERF_HOST_CUDA_RUNTIME_PARTS_H

#include "Allocation.h"
#include "Atomics.h"
#include "Attributes.h"
#include "Barriers.h"
#include "Clock.h"
#include "Conversions.h"
#include "Copy.h"
#include "DeviceApi.h"
#include "Errors.h"
#include "FloatMath.h"
#include "FunctionAttributes.h"
#include "IntegerMath.h"
#include "Launch.h"
#include "MemoryHints.h"
#include "ScopedAtomics.h"
#include "SharedBarriers.h"
#include "Shuffles.h"
#include "StreamApi.h"
#include "Unsupported.h"
#include "VectorTypes.h"
#include "Votes.h"

#endif
