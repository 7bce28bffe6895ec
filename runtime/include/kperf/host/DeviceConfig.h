// Where the host target's probes record.
#ifndef KPERF_HOST_DEVICE_CONFIG_H
#define KPERF_HOST_DEVICE_CONFIG_H

#include <kperf/module.h>

/// One for all translation units of a program or library: kernels and device functions of headers are merged between
/// them.
inline kperf_device_config kperf_config = {};

#endif
