// How long a program is waited for whose output is captured.
#include "tool/process/Spawn.h"

#include <gtest/gtest.h>

#include <csignal>

namespace kperf::process {
namespace {

TEST(Spawn, KillsACapturedProgramThatDoesNotEnd) {
  const auto end =
      spawn("/bin/sh", {"sh", "-c", "echo begun; exec sleep 600"}, {.output = SpawnOptions::Stream::Captured, .outputSeconds = 1});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGKILL);
  EXPECT_EQ(end->output, "begun\n");
}

TEST(Spawn, WaitsForOneThatEndsInTime) {
  const auto end =
      spawn("/bin/sh", {"sh", "-c", "echo begun; echo ended; exit 3"}, {.output = SpawnOptions::Stream::Captured, .outputSeconds = 60});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exitCode, 3);
  EXPECT_EQ(end->output, "begun\nended\n");
}

} // namespace
} // namespace kperf::process
