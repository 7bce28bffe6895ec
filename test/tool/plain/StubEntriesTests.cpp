// Where nvcc's stub registers kernels, their copies are registered.
#include "tool/plain/StubEntries.h"

#include <gtest/gtest.h>

namespace kperf::plain {
namespace {

constexpr const char *kStub =
    "static void r(void **__T0) { __cudaRegisterEntry(__T0, ((void (*)(int, float (*)(int)))f<1, 2>), _Z1fv, (-1)); "
    "__cudaRegisterEntry(__T0, ((void (*)(int))g), _Z1gi, (-1)); }\n";

TEST(StubEntries, FollowTheKernelsOwn) {
  const std::string text = withPlainEntries(kStub, {"_Z1gi", "_Z1h"});
  EXPECT_EQ(
      text,
      "static void r(void **__T0) { __cudaRegisterEntry(__T0, ((void (*)(int, float (*)(int)))f<1, 2>), _Z1fv, (-1)); "
      "__cudaRegisterEntry(__T0, ((void (*)(int))g), _Z1gi, (-1));\n"
      "::kperf::vendor::registerPlain(__T0, reinterpret_cast<const void *>(((void (*)(int))g)), \"_Z1gi__kperf_plain\", false);\n }\n");
  EXPECT_EQ(withPlainEntries(kStub, {}), kStub);
  EXPECT_EQ(withPlainEntries("__cudaRegisterEntry(a, b, c", {"c"}), "__cudaRegisterEntry(a, b, c");
}

TEST(StubEntries, SayWhichKernelsHaveNoProbes) {
  const std::string text = withPlainEntries(kStub, {"_Z1fv", "_Z1gi"});
  const std::string only = withOnlyPlainEntries(text, {"_Z1gi"});
  EXPECT_NE(only.find("f<1, 2>)), \"_Z1fv__kperf_plain\", false);"), std::string::npos);
  EXPECT_NE(only.find("g)), \"_Z1gi__kperf_plain\", true);"), std::string::npos);
  EXPECT_EQ(withOnlyPlainEntries(text, {}), text);
}

} // namespace
} // namespace kperf::plain
