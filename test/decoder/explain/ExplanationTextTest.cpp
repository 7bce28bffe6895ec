// What is printed of an explanation, as a whole, and what is left out where it has to be short.
#include "decoder/explain/Explanation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kperf::decoder {
namespace {

Explained finding(const std::string &rule) {
  Explained out{.rule = rule, .what = rule + " happens", .place = "src/k.cu:5", .evidence = "9 of 10", .command = "overlap"};
  out.why = "because";
  out.remedy = "less";
  out.confirm = "none of 10";
  out.gain = {1, 10, 20};
  return out;
}

/// One kernel with a finding and one that is withheld.
Explanation small() {
  Explanation out;
  out.facts.regions = std::make_shared<RegionSet>();
  out.facts.program = "walk 7";
  out.facts.device = "some GPU";
  out.facts.clock = "GPU clock";
  out.facts.traces = {"a.kperf"};
  out.facts.hasWaits = true;
  out.facts.buildId = 0xabc;
  KernelExplanation kernel{.name = "walk", .shape = "1 launch", .durationNs = 1234.5678, .share = 75};
  kernel.findings = {finding("slow")};
  kernel.withheld = {"a (b): c", "d (e): f"};
  out.kernels = {kernel};
  out.unknowns = {{"this", "that command"}};
  return out;
}

TEST(ExplanationText, IsThis) {
  EXPECT_EQ(explanationText(small(), 80, 40), "walk 7: some GPU, GPU clock; recorded: waits; what probes cost was not measured\n"
                                              "\n"
                                              "kernel walk\n"
                                              "  1 launch, 75 % of the time\n"
                                              "1. slow: slow happens (k.cu:5)\n"
                                              "   evidence  9 of 10 (kperf overlap)\n"
                                              "   why       because\n"
                                              "   try       less\n"
                                              "   gain      10 % of the kernel (1 to 20 %)\n"
                                              "   confirm   none of 10\n"
                                              "  withheld: a (b): c\n"
                                              "  withheld: d (e): f\n"
                                              "\n"
                                              "not known: this; to know: that command\n");
}

TEST(ExplanationText, NothingStandsOutOfWhatWasKept) {
  Explanation all = small();
  all.kernels[0].findings.clear();
  EXPECT_TRUE(explanationText(all, 80, 40).contains("  nothing stands out\n"));
  all.kernels[0].recordsKept = 4.16;
  EXPECT_TRUE(explanationText(all, 80, 40).contains("  nothing stands out in the 4.2 % of its records that were kept\n"));
  all.kernels[0].more = {finding("slow")};
  EXPECT_TRUE(
      explanationText(all, 120, 40).contains("  nothing stands out in the 4.2 % of its records that were kept: 1 finding is likely"));
}

TEST(ExplanationText, SaysLessWhereThereIsLessRoom) {
  EXPECT_EQ(std::ranges::count(explanationText(small(), 80, 14), '\n'), 14);
  EXPECT_EQ(explanationText(small(), 80, 13), "walk 7: some GPU, GPU clock; recorded: waits; what probes cost was not measured\n"
                                              "\n"
                                              "kernel walk\n"
                                              "  1 launch, 75 % of the time\n"
                                              "1. slow: slow happens (k.cu:5)\n"
                                              "   evidence  9 of 10 (kperf overlap)\n"
                                              "   try       less\n"
                                              "   gain      10 % of the kernel (1 to 20 %)\n"
                                              "  withheld: a (b): c\n"
                                              "\n"
                                              "not known: this; to know: that command\n");
  EXPECT_EQ(std::ranges::count(explanationText(small(), 80, 3), '\n'), 3); // what does not fit at all is cut
}

TEST(ExplanationText, WrapsAtTheColumnAndIndents) {
  Explanation all = small();
  all.facts.program = "";
  all.kernels.front().findings.front().evidence = std::string(30, 'a') + " " + std::string(30, 'b') + " ccc ddddddd";
  const std::string text = explanationText(all, 78, 40);
  EXPECT_TRUE(text.starts_with("program: some GPU, GPU clock; recorded: waits; what probes cost was not measured\n") ||
              text.starts_with("program: some GPU, GPU clock; recorded: waits; what probes cost was not\n  measured\n"))
      << text;
  // 13 columns, 61, and 4: 78; the next word is on a line of its own.
  const std::string evidence = "   evidence  " + std::string(30, 'a') + " " + std::string(30, 'b') + " ccc";
  ASSERT_EQ(evidence.size(), 78u);
  EXPECT_NE(text.find(evidence + "\n             ddddddd (kperf overlap)\n"), std::string::npos) << text;
  EXPECT_NE(explanationText(all, 77, 40).find(std::string(30, 'b') + "\n             ccc ddddddd"), std::string::npos);
  // A word that no line has room for is cut to what is left of one.
  all.kernels.front().findings.front().evidence = std::string(100, 'x');
  EXPECT_NE(explanationText(all, 78, 40).find("   evidence  " + std::string(32, 'x') + "…" + std::string(32, 'x') + "\n"),
            std::string::npos);
}

TEST(ExplanationText, CountsWhatItLeavesOut) {
  Explanation all = small();
  KernelExplanation &kernel = all.kernels.front();
  kernel.findings = {finding("a"), finding("b"), finding("c"), finding("d")};
  EXPECT_NE(explanationText(all, 200, 60).find("\n  1 more finding, with less to gain: d (k.cu:5); kperf explain --all shows them\n"),
            std::string::npos);
  kernel.more.assign(2, finding("e"));
  EXPECT_NE(explanationText(all, 200, 60)
                .find("\n  3 more findings, with less to gain: d (k.cu:5), e (k.cu:5), e (k.cu:5); "
                      "kperf explain --all shows them\n"),
            std::string::npos);
  kernel.more.front().place.clear();
  EXPECT_NE(explanationText(all, 200, 60).find(": d (k.cu:5), e, e (k.cu:5); "), std::string::npos);
  EXPECT_NE(explanationText(all, 200, 60).find("\n3. c: c happens (k.cu:5)\n"), std::string::npos);
  EXPECT_EQ(explanationText(all, 200, 60).find("\n4. "), std::string::npos);
  kernel.findings.clear();
  EXPECT_NE(explanationText(all, 200, 60)
                .find("\n  nothing stands out: 2 findings are each likely to gain less than 5 % of the kernel: e, e (k.cu:5); "
                      "kperf explain --all shows them\n"),
            std::string::npos);
  kernel.more.clear();
  EXPECT_NE(explanationText(all, 200, 60).find("\n  nothing stands out\n"), std::string::npos);
  kernel.share = 0;
  EXPECT_NE(explanationText(all, 200, 60).find("\n  1 launch\n"), std::string::npos);
  all.kernels.assign(5, kernel);
  EXPECT_NE(explanationText(all, 200, 60).find("\n1 more kernel: --kernel=GLOB\n"), std::string::npos); // four are said
  all.moreKernels = 7;
  EXPECT_NE(explanationText(all, 200, 60).find("\n8 more kernels: --kernel=GLOB\n"), std::string::npos);
  all.moreKernels = 0;
  all.kernels.clear();
  EXPECT_NE(explanationText(all, 200, 60).find("\nno warp was recorded: was a kernel of an instrumented file launched?\n"),
            std::string::npos);
  all.kernels.resize(4);
  EXPECT_EQ(explanationText(all, 200, 60).find("--kernel=GLOB"), std::string::npos);
}

TEST(ExplanationText, NamesAsManyFindingsAsThereIsRoomFor) {
  Explanation all = small();
  all.kernels.front().more.assign(17, finding("e"));
  std::string text = explanationText(all, 80, 40); // sixteen in lines that are wrapped
  EXPECT_NE(text.find("\n  17 more findings, with less to gain: e (k.cu:5), e (k.cu:5), e (k.cu:5), e\n    (k.cu:5), "), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n    (k.cu:5), …; kperf"), std::string::npos) << text;
  text = explanationText(all, 80, std::ranges::count(text, '\n') - 1);
  EXPECT_NE(text.find("\n  17 more findings, with less to gain: e (k.cu:5), e (k.cu:5), e (k.cu:5), e\n    (k.cu:5), …; kperf"),
            std::string::npos)
      << text;
  text = explanationText(all, 80, 5);
  EXPECT_EQ(text.find("e (k.cu:5)"), std::string::npos) << text;
}

TEST(ExplanationText, IsAsLongAsItTakesWhereAllIsWanted) {
  Explanation all = small();
  all.isWhole = true;
  all.kernels.front().findings.assign(20, finding("a"));
  all.kernels.resize(10, all.kernels.front());
  all.unknowns.assign(20, {"this", "that"});
  const std::string text = explanationText(all, 80, 40);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 10 * (3 + 20 * 6 + 2) + 1 + 20);
  EXPECT_EQ(text.find(" more "), std::string::npos);
  const std::string json = explanationJson(all);
  EXPECT_GT(json.size(), 4096u);
  EXPECT_EQ(json.find("\"more_kernels\":0"), json.rfind("\"more_kernels\":"));
  EXPECT_EQ(json.find("\"more_findings\":1"), std::string::npos);
  EXPECT_NE(json.find("\"more_findings\":0"), std::string::npos);
}

TEST(ExplanationText, CountsWhatElseIsNotKnown) {
  Explanation all = small();
  all.unknowns.assign(9, {"this", "that"});
  const std::string text = explanationText(all, 80, 60);
  EXPECT_NE(text.find("\n1 more thing not known: kperf explain --all a.kperf\n"), std::string::npos); // eight are said
  all.unknowns.assign(10, {"this", "that"});
  all.facts.traces = {"a.kperf", "b.kperf"};
  EXPECT_NE(explanationText(all, 80, 60).find("\n2 more things not known: kperf explain --all a.kperf …\n"), std::string::npos);
  all.facts.traces.clear();
  EXPECT_NE(explanationText(all, 80, 60).find("\n2 more things not known: kperf explain --all TRACE\n"), std::string::npos);
  all.unknowns.assign(8, {"this", "that"});
  EXPECT_EQ(explanationText(all, 80, 60).find("more thing"), std::string::npos);
  all.unknowns.clear();
  EXPECT_TRUE(explanationText(all, 80, 60).ends_with("withheld: d (e): f\n"));
}

TEST(ExplanationJson, IsThis) {
  Explanation all = small();
  all.kernels.front().findings.front().noise = 2.5;
  all.kernels.front().findings.front().gain.min = 1.23456;
  all.kernels.front().more.assign(3, finding("e"));
  all.kernels.front().roofline = Roofline{.bytes = 4096, .bytesPerNs = 2, .region = "load", .ofBytes = 25, .ofTime = 50, .reuse = 64};
  all.moreKernels = 2;
  all.facts.losses = {"a block"};
  all.facts.measuredPercent = 3;
  std::string json = explanationJson(all);
  std::erase_if(json, [](char c) { return c == '\n' || c == ' '; });
  const std::string expected =
      R"x({"schema":"kperf-explain/1","program":"walk7","build_id":"0000000000000abc","target":"gpu","device":"someGPU",)x"
      R"x("clock":"GPUclock","recorded":"waits","lost":["ablock"],"perturbation":{"measured_percent":3,)x"
      R"x("text":"probescost+3.0%(measuredagainsttheprogramwithoutthem)"},"kernels":[{"name":"walk","shape":"1launch",)x"
      R"x("duration_ns":1235,"share_percent":75,"memory":{"bytes":4096,"gb_per_second":2,"peak_gb_per_second":null,)x"
      R"x("footprint_bytes":null,"reuse_bytes":64,"l2_bytes":null,"region":"load","region_bytes_percent":25,)x"
      R"x("region_time_percent":50,"region_gb_per_second":1,"region_operations_per_byte":null},"tensor_cores":null,)x"
      R"x("floating_point_units":null,"findings":[{"rule":"slow","what":"slowhappens","place":"src/k.cu:5",)x"
      R"x("gain_percent":{"least":1.235,"likely":10,"most":20,"of":"kernel-time"},"evidence":"9of10","command":"kperfoverlap",)x"
      R"x("why":"because","try":"less","confirm":"noneof10","probes_percent":2.5}],"more_findings":3,"more":[{"rule":"e","place":"src/k.cu:5"},)x"
      R"x({"rule":"e","place":"src/k.cu:5"},{"rule":"e","place":"src/k.cu:5"}],"withheld":2}],)x"
      R"x("more_kernels":2,"not_known":[{"what":"this","to_know":"thatcommand"}],"more_not_known":0,)x"
      R"x("more":["kperfreport","kperfoverlap","kperfmemory","kperfinfo"]})x";
  EXPECT_EQ(json, expected);
}

TEST(ExplanationJson, SaysWhatIsNotKnownOfAGain) {
  Explanation all = small();
  const auto gain = [&](const Gain &gain) {
    all.kernels.front().findings.front().gain = gain;
    std::string json = explanationJson(all);
    std::erase_if(json, [](char c) { return c == '\n' || c == ' '; });
    const std::size_t at = json.find("\"gain_percent\":") + 15;
    return json.substr(at, json.find('}', at) + 1 - at);
  };
  EXPECT_EQ(gain({.isKnown = false}), R"({"least":null,"likely":null,"most":null,"of":"not-known"})");
  EXPECT_EQ(gain({.min = 1, .likely = 2, .max = 3}), R"({"least":1,"likely":2,"most":3,"of":"kernel-time"})");
  EXPECT_EQ(gain({.min = 1, .likely = 2, .max = 3, .isOfTime = false}), R"({"least":1,"likely":2,"most":3,"of":"kernel-time"})");
  EXPECT_EQ(gain({.min = 1, .likely = 2, .max = 3, .shareOf = PassUnit::Sectors, .isOfTime = false}),
            R"({"least":1,"likely":null,"most":3,"of":"kernel-sectors"})");
  EXPECT_NE(gain({.max = 3, .shareOf = PassUnit::SharedPasses}).find("kernel-shared-passes"), std::string::npos);
  EXPECT_NE(gain({.max = 3, .shareOf = PassUnit::AtomicTurns}).find("kernel-atomic-turns"), std::string::npos);
}

TEST(ExplanationJson, CutsAndCountsWhatDoesNotFit) {
  Explanation all = small();
  const auto has = [&](const std::string &text) {
    std::string json = explanationJson(all);
    EXPECT_LE(json.size(), 4096u);
    std::erase(json, ' ');
    return json.find(text) != std::string::npos;
  };
  all.unknowns.assign(9, {"this", "that"});
  EXPECT_TRUE(has("\"more_not_known\":1"));
  all.unknowns.resize(8);
  EXPECT_TRUE(has("\"more_not_known\":0"));
  all.kernels.front().findings.clear();
  all.kernels.front().name = std::string(301, 'n');
  EXPECT_TRUE(has('"' + std::string(150, 'n') + "…" + std::string(149, 'n') + '"')); // of 300 characters
  all.kernels.front().name = "k";
  all.kernels.resize(5, all.kernels.front());
  EXPECT_TRUE(has("\"more_kernels\":1"));
}

/// Four kernels of three findings at first, and less of all while that takes more than 4096 bytes.
TEST(ExplanationJson, HasTheFirstOfKernelsFindingsAndUnknownsInTheirOrder) {
  Explanation all = small();
  KernelExplanation &kernel = all.kernels.front();
  kernel.findings.resize(4, kernel.findings.front());
  for (std::size_t i = 0; i < kernel.findings.size(); ++i)
    kernel.findings[i].rule = "rule" + std::to_string(i);
  kernel.more.assign(2, finding("e"));
  all.kernels.resize(6, all.kernels.front());
  for (std::size_t i = 0; i < all.kernels.size(); ++i) {
    all.kernels[i].name = "loop" + std::to_string(i);
    if (i > 0)
      all.kernels[i].findings.clear();
  }
  all.unknowns.clear();
  for (std::size_t i = 0; i < 10; ++i)
    all.unknowns.push_back({"unknown" + std::to_string(i), "that"});
  const auto of = [&](const std::string &word) { // the numbers behind the word, in their order
    const std::string json = explanationJson(all);
    EXPECT_LE(json.size(), 4096u);
    std::string out;
    for (std::size_t at = json.find('"' + word); at != std::string::npos; at = json.find('"' + word, at + 1))
      out += json[at + 1 + word.size()];
    return out;
  };
  std::string counts = explanationJson(all);
  std::erase(counts, ' ');
  EXPECT_EQ(of("loop"), "0123");
  EXPECT_EQ(of("rule"), "\"0\"1\"2\"3" + std::string(8, '"')); // each a member and its value; the fourth, and two of each kernel, by name
  EXPECT_EQ(of("unknown"), "01234567");
  EXPECT_NE(counts.find("\"more_kernels\":2"), std::string::npos);
  EXPECT_NE(counts.find("\"more_findings\":3"), std::string::npos);
  EXPECT_NE(counts.find("\"more_not_known\":2"), std::string::npos);
}

TEST(Explanation, GainsAreSaidAsFarAsTheyAreKnown) {
  EXPECT_EQ(gainText({.min = 1, .likely = 12, .max = 30}), "12 % of the kernel (1 to 30 %)");
  EXPECT_EQ(gainText({.min = 1, .likely = 12, .max = 30, .isOfTime = false}), "12 % of the kernel (1 to 30 %)");
  EXPECT_EQ(gainText({.min = 1, .likely = 12, .max = 30, .shareOf = PassUnit::Sectors, .isOfTime = false}),
            "not known here: 0 to 30 % of the kernel, by how much of its time its sectors take");
  EXPECT_EQ(gainText({.isKnown = false}), "not known: how often that is accessed is not recorded");
}

} // namespace
} // namespace kperf::decoder
