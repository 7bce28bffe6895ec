// Tasks run in processes of their own, and one that crashes takes nothing with it.
#include "tool/process/Workers.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <csignal>
#include <map>

namespace kperf::batch {
namespace {

class Workers : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kperf-workers", folder)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }
  std::string log(std::size_t task) const { return (folder + "/" + std::to_string(task)).str(); }
  llvm::SmallString<128> folder;
};

TEST_F(Workers, ReportEveryTaskAndSurviveACrash) {
  std::vector<Task> tasks;
  for (std::size_t task = 0; task < 8; ++task)
    tasks.push_back({task, log(task)});
  int touched = 0;
  std::map<std::size_t, int> signals;
  llvm::cantFail(runTasks(
      tasks, 3,
      [&](std::size_t task) {
        touched = 1; // in the task's process only
        llvm::errs() << "task " << task;
        if (task == 5)
          std::raise(SIGSEGV);
      },
      [&](const TaskEnd &end) {
        signals[end.task] = end.signal;
        EXPECT_GT(end.peakKilobytes, 0);
      }));
  EXPECT_EQ(touched, 0);
  ASSERT_EQ(signals.size(), 8u);
  for (auto [task, signal] : signals) {
    EXPECT_EQ(signal, task == 5 ? SIGSEGV : 0) << task;
    auto text = llvm::MemoryBuffer::getFile(log(task));
    ASSERT_TRUE(text);
    EXPECT_EQ((*text)->getBuffer(), "task " + std::to_string(task));
  }
}

} // namespace
} // namespace kperf::batch
