# How every example is built: as it is, with kperf's probes, and with probes for the CPU. Wants EXAMPLE and, when there
# are any, HEADERS and KPERF_OPTIONS.
KPERF_CC ?= kperf-cc
NVCC ?= nvcc
KPERF_INCLUDE ?= ../../runtime/include
ARCH ?= 90a

override FLAGS += -std=c++17 -O3 -I$(KPERF_INCLUDE)
CUDA_FLAGS = $(FLAGS) -lineinfo -gencode arch=compute_$(ARCH),code=sm_$(ARCH) -Xcompiler -Wall,-Wextra
SOURCES = $(EXAMPLE).cu ../trial.h ../gpu.h $(HEADERS)

plain: $(EXAMPLE).plain
instrumented: $(EXAMPLE).instrumented
host: $(EXAMPLE).host
clean:
	rm -f $(EXAMPLE).plain $(EXAMPLE).instrumented $(EXAMPLE).host

$(EXAMPLE).plain: $(SOURCES)
	$(NVCC) $(CUDA_FLAGS) $< -o $@
$(EXAMPLE).instrumented: $(SOURCES)
	$(KPERF_CC) $(KPERF_OPTIONS) $(NVCC) $(CUDA_FLAGS) $< -o $@
$(EXAMPLE).host: $(SOURCES)
	$(KPERF_CC) $(KPERF_OPTIONS) host $(FLAGS) $< -o $@

.PHONY: plain instrumented host clean
