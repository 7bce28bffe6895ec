// Fuzzes the budget file of `kperf check`: YAML, the language of budgets in it, and the patterns that they match by.
#include "Limits.h"
#include "decoder/text/Pack.h"
#include "tool/commands/BudgetFile.h"

#include <cstdint>
#include <cstdlib>

using namespace kperf;

namespace {

decoder::Trace smallTrace() {
  const auto bytes = decoder::packText("kperf 1.0\n"
                                       "region 0x1 kernel \"gemm<float, 128>\"\n"
                                       "region 0x2 scope \"load tile\" file=\"k.cu\" line=3\n"
                                       "warp 0.0 ns=0..1000 cycles=0..1980\n"
                                       "  span \"load tile\" 10..900\n",
                                       "text");
  auto trace = decoder::Trace::read(decoder::ByteSource::memory(bytes.value()));
  return std::move(trace.value());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const decoder::Trace trace = smallTrace();
  const test::Limits limit(size);
  const auto budgets = tool::parseBudgets(std::string(reinterpret_cast<const char *>(data), size), "kperf.yaml");
  if (budgets)
    decoder::checkBudgets(std::span(&trace, 1), *budgets);
  return 0;
}
