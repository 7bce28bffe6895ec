// What the user sets in the environment, and where the trace goes.
#include "runtime/file/TraceFile.h"
#include "runtime/settings/Environment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <unistd.h>

namespace kperf {
namespace {

using runtime::Environment;

TEST(EnvironmentTest, BadValuesAreNamedAndTheDefaultKept) {
  setenv("KPERF_BUFFER_MB", "lots", 1);
  setenv("KPERF_RECORDS", "0", 1);
  setenv("KPERF_KEEP", "middle", 1);
  testing::internal::CaptureStderr();
  const Environment environment = Environment::read();
  const std::string said = testing::internal::GetCapturedStderr();
  unsetenv("KPERF_BUFFER_MB"), unsetenv("KPERF_RECORDS"), unsetenv("KPERF_KEEP");
  EXPECT_EQ(environment.bufferBytes, 0u);
  EXPECT_EQ(environment.recordsPerWarp, 1024u);
  EXPECT_FALSE(environment.keepLast);
  EXPECT_NE(said.find("KPERF_BUFFER_MB is 'lots', expected a whole number"), std::string::npos);
  EXPECT_NE(said.find("KPERF_RECORDS is '0'"), std::string::npos);
  EXPECT_NE(said.find("KPERF_KEEP is 'middle', expected first or last"), std::string::npos);
}

TEST(EnvironmentTest, AMisspeltVariableIsToldWhatItWasMeantToBe) {
  const auto saidOf = [](const char *name) {
    setenv(name, "5", 1);
    testing::internal::CaptureStderr();
    Environment::read();
    unsetenv(name);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(saidOf("KPERF_RECORD"), "kperf: KPERF_RECORD is not a variable that kperf reads; did you mean KPERF_RECORDS?\n");
  EXPECT_EQ(saidOf("KPERF_OUTPTU"), "kperf: KPERF_OUTPTU is not a variable that kperf reads; did you mean KPERF_OUTPUT?\n");
  EXPECT_EQ(saidOf("KPERF_KEEPS"), "kperf: KPERF_KEEPS is not a variable that kperf reads; did you mean KPERF_KEEP?\n");
  EXPECT_EQ(saidOf("KPERF_MY_OWN_TOOL"), "");
  EXPECT_EQ(saidOf("KPERF_RECORDS"), "");
}

TEST(EnvironmentTest, RecordsAreRoundedUpToAPowerOfTwo) {
  setenv("KPERF_RECORDS", "100", 1);
  EXPECT_EQ(Environment::read().recordsPerWarp, 128u);
  unsetenv("KPERF_RECORDS");
}

TEST(EnvironmentTest, RecordsArePassedOverInFrontOfTheFirstOnesOnly) {
  setenv("KPERF_SKIP", "500", 1);
  EXPECT_EQ(Environment::read().skip, 500u);
  setenv("KPERF_KEEP", "last", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(Environment::read().skip, 0u);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("KPERF_SKIP is not heeded under KPERF_KEEP=last"), std::string::npos);
  unsetenv("KPERF_SKIP"), unsetenv("KPERF_KEEP");
}

TEST(EnvironmentTest, WatchdogIsOffUnlessItHasATime) {
  EXPECT_EQ(Environment::read().watchdog.count(), 0);
  setenv("KPERF_WATCHDOG", "90", 1);
  EXPECT_EQ(Environment::read().watchdog, std::chrono::seconds(90));
  unsetenv("KPERF_WATCHDOG");
}

TEST(TracePathTest, NamesTheProgramAndTheProcess) {
  Environment environment;
  EXPECT_EQ(runtime::tracePath(environment, "/opt/bin/train", 42), "train.42.kperf");
  environment.output = "/tmp/";
  EXPECT_EQ(runtime::tracePath(environment, "/opt/bin/train", 42), "/tmp/train.42.kperf");
  environment.output = "run-%p.kperf";
  EXPECT_EQ(runtime::tracePath(environment, "/opt/bin/train", 42), "run-42.kperf");
}

} // namespace
} // namespace kperf
