// What is remembered of a source, and when it is still true.
#include "tool/batch/BatchRecord.h"

#include "rewriters/source/ContentHash.h"
#include "tool/process/WriteText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

namespace kperf::batch {
namespace {

class Records : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> made;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kperf-record", made));
    folder = made.str().str();
    write("/a.cu", "source");
    write("/tree/a.cu", "rewritten");
    record.key = "key";
    record.changed = true;
    record.regions = 2;
    record.inputs = {{folder + "/a.cu", contentHash("source")}};
    write("/tree/x/all.h", "rewritten too");
    record.files = {{"/a.cu", contentHash("rewritten")}, {"/x/all.h", contentHash("rewritten too")}};
    record.forced = {{"../x/all.h", "/x/all.h"}};
    record.stubs = {{"/b.h", "/x/b.h", "/x"}};
    record.directories = {"/x/.."};
    record.diagnostics = {{Severity::Warning, "text", "a.cu:1: warning: text\n"}};
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }
  void write(const std::string &path, llvm::StringRef text) { llvm::cantFail(process::writeText(folder + path, text)); }
  bool isCurrent(llvm::StringRef key = "key") {
    ContentHashes hashes;
    return record.isCurrent(key, folder + "/tree", hashes);
  }

  std::string folder;
  BatchRecord record;
};

TEST_F(Records, ComeBackFromJson) {
  auto back = BatchRecord::fromJson(record.toJson());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->toJson(), record.toJson());
  EXPECT_EQ(back->diagnostics[0].severity, Severity::Warning);
  EXPECT_EQ(back->forcedIncludes("/tree"), (HeaderCopies{{"../x/all.h", "/tree/x/all.h"}}));
  EXPECT_FALSE(BatchRecord::fromJson("{}"));
  EXPECT_FALSE(BatchRecord::fromJson("half a rec"));
}

TEST_F(Records, AreCurrentWhileNothingChanges) {
  EXPECT_TRUE(isCurrent());
  EXPECT_FALSE(isCurrent("other flags"));
}

TEST_F(Records, EndWithTheInput) {
  write("/a.cu", "source, edited");
  EXPECT_FALSE(isCurrent());
}

TEST_F(Records, EndWithTheResult) {
  write("/tree/a.cu", "edited by hand");
  EXPECT_FALSE(isCurrent());
  llvm::sys::fs::remove(folder + "/tree/a.cu");
  EXPECT_FALSE(isCurrent());
}

TEST_F(Records, OfFailuresAreNeverCurrent) {
  record.failed = true;
  EXPECT_FALSE(isCurrent());
}

} // namespace
} // namespace kperf::batch
