// Which device texts nvcc's dry run says that it compiles.
#include "tool/plain/NvccSteps.h"

#include <gtest/gtest.h>

namespace kperf::plain {
namespace {

TEST(NvccSteps, PairsADeviceCompilationWithWhatPreprocessesItsText) {
  const NvccSteps steps =
      parseSteps("#$ _NVVM_BRANCH_=nvvm\n#$ TOP=/cuda\n#$ CICC_PATH=/cuda/nvvm/bin\n"
                 "#$ gcc -E -D__CUDA_ARCH__=900 \"a b.cu\" -o \"/tmp/a.compute_90.ii\"\n"
                 "#$ \"$CICC_PATH/cicc\" --orig_src_file_name \"a b.cu\" -arch compute_90 \"/tmp/a.compute_90.ii\" -o \"/tmp/a.ptx\"\n"
                 "#$ ptxas -arch=sm_90 \"/tmp/a.ptx\" -o a.cubin\nwarning: something else\n");
  EXPECT_EQ(steps.variable("TOP"), "/cuda");
  EXPECT_EQ(steps.variable("NONE"), "");
  ASSERT_EQ(steps.texts.size(), 1u);
  EXPECT_EQ(steps.texts[0].source, "a b.cu");
  EXPECT_EQ(steps.texts[0].architecture, "compute_90");
  EXPECT_EQ(steps.texts[0].file, "/tmp/a.compute_90.ii");
  EXPECT_EQ(steps.texts[0].command.front(), "gcc");
}

TEST(NvccSteps, WhatNvccReadsOfTheEnvironmentIsNotSetAgain) {
  const NvccSteps steps = parseSteps("#$ NVCC_PREPEND_FLAGS=\"-DN=3\"\n#$ NVCC_APPEND_FLAGS=\n#$ TOP=/cuda\n");
  ASSERT_EQ(steps.variables.size(), 1u);
  EXPECT_EQ(steps.variables[0].first, "TOP");
}

TEST(NvccSteps, WhatIsUnknownIsLeftOut) {
  EXPECT_TRUE(parseSteps("").texts.empty());
  EXPECT_TRUE(parseSteps("#$ cicc --orig_src_file_name a.cu -arch compute_90 /tmp/other.ii\n#$ \n").texts.empty());
}

} // namespace
} // namespace kperf::plain
