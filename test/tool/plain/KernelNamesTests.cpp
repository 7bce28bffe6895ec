// Kernels that would be recorded under one name have their own.
#include "tool/plain/KernelNames.h"

#include <gtest/gtest.h>

namespace kperf::plain {
namespace {

std::string text(const std::string &variable, const std::string &value) {
  std::string bytes;
  for (const char c : value)
    bytes += std::to_string(c) + ", ";
  return ".global .align 1 .b8 " + variable + "[" + std::to_string(value.size() + 1) + "] = {" + bytes + "0};\n";
}

std::string entry(const std::string &name, const std::string &variable) {
  return ".visible .entry " + name + "(\n\t.param .u32 " + name + "_param_0\n)\n{\n\tmov.u64 %rd1, " + variable + ";\n\tret;\n}\n";
}

constexpr const char *kCopy = "_Z4eachIZN1S4copyEvEUliE_EviT_", *kAdd = "_Z4eachIZN1S3addEvEUliE_EviT_";
constexpr const char *kOfCopy = "void each<S::copy()::{lambda(int)#1}>(int, S::copy()::{lambda(int)#1})";
constexpr const char *kOfAdd = "void each<S::add()::{lambda(int)#1}>(int, S::add()::{lambda(int)#1})";

TEST(KernelNames, OfLambdasAreThoseOfTheirKernels) {
  const auto ptx = [](const char *first, const char *second) {
    return ".version 9.0\n" + text("a", first) + text("ab", second) + text("b", "load") + entry(kCopy, "a") + entry(kAdd, "ab");
  };
  EXPECT_EQ(withDistinctNames(ptx("void each(int, F)", "void each(int, F)"), ""), ptx(kOfCopy, kOfAdd));
  EXPECT_EQ(withDistinctNames(ptx("void each(int, F)", "void each(long, F)"), ""), ptx("void each(int, F)", "void each(long, F)"));
}

TEST(KernelNames, TextsOfTheProgramStay) {
  const std::string same = text("a", "name") + text("b", "name") + entry(kCopy, "a") + entry(kAdd, "b");
  EXPECT_EQ(withDistinctNames(same, text("c", "name")), same);
  EXPECT_NE(withDistinctNames(same, text("c", "names")), same);
}

TEST(KernelNames, WhatAFunctionOrTwoKernelsHaveStays) {
  const std::string function = ".func f(\n)\n{\n\tmov.u64 %rd1, a;\n}\n";
  const std::string both = text("a", "name") + text("b", "name");
  EXPECT_EQ(withDistinctNames(both + function + entry(kAdd, "b"), ""),
            both.substr(0, both.find('\n') + 1) + text("b", kOfAdd) + function + entry(kAdd, "b"));
  const std::string shared = both + entry(kCopy, "a") + entry(kAdd, "a");
  EXPECT_EQ(withDistinctNames(shared, ""), shared);
}

TEST(KernelNames, AnyTextIsLeftAsItIs) {
  for (const std::string ptx : {"", "\n", ".global .align 1 .b8 a[2] = {104};",
                                ".global .align 1 .b8 a[2] = {x};\n.global .align 1 .b8 a[2] = {x};\n", "\t.entry "})
    EXPECT_EQ(withDistinctNames(ptx, ptx), ptx);
}

} // namespace
} // namespace kperf::plain
