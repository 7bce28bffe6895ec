// As much of NVML as a source has to name that never calls it.
#pragma once

enum nvmlReturn_t { NVML_SUCCESS };
enum nvmlClockType_t { NVML_CLOCK_MEM };
struct nvmlDevice_st;
using nvmlDevice_t = nvmlDevice_st *;
const char *nvmlErrorString(nvmlReturn_t);
nvmlReturn_t nvmlInit();
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *, nvmlDevice_t *);
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t, nvmlClockType_t, unsigned *);
