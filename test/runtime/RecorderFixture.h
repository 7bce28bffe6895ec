// What tests of the recorder share: a module with two regions on a GPU made of host memory, and what its trace then holds.
#ifndef KPERF_TEST_RUNTIME_RECORDERFIXTURE_H
#define KPERF_TEST_RUNTIME_RECORDERFIXTURE_H

#include "FakeGpu.h"

#include "decoder/trace/Trace.h"
#include "runtime/recorder/Recorder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <unistd.h>

namespace kperf::test {

using runtime::Environment;
using runtime::Recorder;

inline constexpr kperf_region kRegions[] = {{0x11, 0, "gemm", "ns::gemm", "gemm.cu", "__global__ void gemm() {", 3, 1, 9, 0},
                                            {0x22, 1, "load", "ns::gemm", "gemm.cu", "  KPERF_SCOPE(\"load\");", 4, 3, 8, 0}};

/// An entry of the second region.
inline format::Record span(uint32_t first, uint32_t second) { return {first, second, ~0u, 0x01000022}; }

/// Everything of a trace's warps, launches and losses.
struct Contents : decoder::TraceVisitor {
  std::vector<format::WarpHeader> warpHeaders;
  std::vector<std::vector<format::Record>> warpRecords;
  std::vector<format::LaunchRecord> launchRecords;
  std::vector<format::LossRecord> lossRecords;
  std::vector<format::KernelRecord> kernelRecords;
  void warp(const format::WarpHeader &header) override { warpHeaders.push_back(header), warpRecords.emplace_back(); }
  void records(std::span<const format::Record> records) override {
    warpRecords.back().insert(warpRecords.back().end(), records.begin(), records.end());
  }
  void launches(std::span<const format::LaunchRecord> rows) override {
    launchRecords.insert(launchRecords.end(), rows.begin(), rows.end());
  }
  void kernels(std::span<const format::KernelRecord> rows) override { kernelRecords.insert(kernelRecords.end(), rows.begin(), rows.end()); }
  void losses(std::span<const format::LossRecord> rows) override { lossRecords.insert(lossRecords.end(), rows.begin(), rows.end()); }
};

class RecorderTest : public testing::Test {
protected:
  void SetUp() override {
    FakeGpu::reset();
    directory = testing::TempDir() + "kperf-recorder-" + std::to_string(getpid());
    std::filesystem::create_directories(directory);
    environment.output = directory + "/out.kperf";
    environment.quiet = true;
    environment.recordsPerWarp = 4;
    environment.bufferBytes = 4096;
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  void launch(Recorder &recorder) {
    recorder.beforeLaunch(module, {7, "_ZN2ns4gemmEv", nullptr, {2, 1, 1}, {64, 1, 1}, 1024, format::kLaunchCaptured});
  }
  decoder::Trace open() {
    auto trace = decoder::Trace::open(environment.output);
    EXPECT_TRUE(trace.has_value());
    return std::move(*trace);
  }
  Contents read(const decoder::Trace &trace) {
    Contents contents;
    EXPECT_TRUE(trace.visit(contents).has_value());
    return contents;
  }

  std::string directory;
  Environment environment;
  kperf_module module{KPERF_MODULE_ABI, std::size(kRegions), kRegions, FakeGpu::api(), &FakeGpu::configure, nullptr, 0};
};

} // namespace kperf::test

#endif
