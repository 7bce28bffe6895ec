// Regions and waits that a request leaves out, each by the place that its row of the table says.
#include "rewriters/Rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace kperf;

namespace {

constexpr const char *kSource = R"(#include <kperf/annotate.h>
#define TIMED(body) { KPERF_SCOPE("macro"); body; }
#define INSIDE(x) (x) += 1; KPERF_MARK("inside"); (x) += 2
__device__ float helper(float x) { KPERF_SCOPE("same"); KPERF_SCOPE("other"); return x * x; }
__global__ void work(float *out, int n) {
  KPERF_SCOPE("all");
  __shared__ float tile[32];
  KPERF_BEGIN("range");
  TIMED(tile[threadIdx.x] = out[threadIdx.x]);
  KPERF_END("range");
  __syncthreads();
  #pragma kperf region("pragma")
  { out[0] = helper(tile[0]); }
  #pragma unroll
  for (int i = 0; i < n; ++i) {
    INSIDE(out[i]);
    out[i] = helper(out[i]) * tile[i] + out[n - i];
  }
  { KPERF_SCOPE("same"); out[2] = 3; }
  __syncthreads();
}
)";

std::vector<Region> regionsWithout(const std::vector<RegionPlace> &leftOut, std::string *text = nullptr) {
  SelectionOptions selection;
  selection.automatic = {"loops"};
  selection.guard = "1";
  RewriteRequest request;
  request.input = "left-out.cu";
  request.overrides = {{"left-out.cu", kSource}};
  request.includeDirectory = KPERF_TEST_HEADERS;
  request.probes = {"region", "sync"};
  request.selection = llvm::cantFail(makeSelection(selection));
  request.leftOut = leftOut;
  auto result = rewrite(request);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  if (text)
    *text = result->text;
  std::vector<Region> out = result->regions;
  std::erase_if(out, [](const Region &each) { return each.kind == format::RegionKind::Kernel; });
  return out;
}

std::vector<RegionPlace> placesOf(const std::vector<Region> &regions) {
  std::vector<RegionPlace> out;
  for (const Region &each : regions)
    out.push_back(placeOf(each));
  std::ranges::sort(out);
  return out;
}

TEST(LeftOut, isTheOneRegionAtThePlace) {
  const std::vector<RegionPlace> all = placesOf(regionsWithout({}));
  ASSERT_EQ(all.size(), 11u); // two of them barriers, one a loop behind a pragma, one in a macro's definition
  for (const RegionPlace &place : all) {
    std::vector<RegionPlace> others = all;
    std::erase(others, place);
    EXPECT_EQ(placesOf(regionsWithout({place})), others) << place.name << " at line " << place.line;
  }
}

TEST(LeftOut, mayBeAllOfThem) {
  std::string text;
  EXPECT_TRUE(regionsWithout(placesOf(regionsWithout({})), &text).empty());
  EXPECT_EQ(text.find("kperf_kernel"), std::string::npos);
  EXPECT_NE(text.find("//#pragma kperf"), std::string::npos); // of which the vendor's compiler would warn
}

TEST(LeftOut, isNothingWhereTheNameIsAnother) {
  std::vector<RegionPlace> all = placesOf(regionsWithout({}));
  RegionPlace place = all.front();
  place.name += "?";
  EXPECT_EQ(placesOf(regionsWithout({place})), all);
}

} // namespace
