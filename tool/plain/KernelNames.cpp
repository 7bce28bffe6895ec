// Finds the texts that several kernels' probes have in common, and writes others.
#include "tool/plain/KernelNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <set>
#include <vector>

namespace kperf::plain {
namespace {

using llvm::StringRef;

constexpr llvm::StringLiteral kPrefix = ".global .align 1 .b8 ";

/// A variable of bytes that ends with 0, one line of PTX.
struct Text {
  StringRef line, variable;
  std::string value;
  std::set<StringRef> users; ///< functions that name it
};

/// Of ".global .align 1 .b8 name[3] = {104, 105};", where what is 0 at the end may be left out; false for anything else.
bool readText(StringRef line, Text &out) {
  StringRef rest = line;
  if (!rest.consume_front(kPrefix))
    return false;
  out.line = line;
  out.variable = rest.take_until([](char c) { return c == '['; });
  const auto [head, bytes] = rest.split(" = {");
  llvm::SmallVector<StringRef, 128> numbers;
  bytes.take_until([](char c) { return c == '}'; }).split(numbers, ',');
  for (const StringRef number : numbers) {
    unsigned char byte = 0;
    if (number.trim().getAsInteger(10, byte))
      return false;
    if (byte != 0)
      out.value += static_cast<char>(byte);
  }
  return !out.value.empty();
}

std::vector<Text> textsOf(StringRef ptx) {
  std::vector<Text> texts;
  for (const StringRef line : llvm::split(ptx, '\n'))
    if (Text text; readText(line, text))
      texts.push_back(std::move(text));
  return texts;
}

/// Notes in each text which functions name it, and returns those functions that are kernels.
std::set<StringRef> findUsers(StringRef ptx, std::vector<Text> &texts) {
  std::map<StringRef, Text *> byVariable;
  for (Text &text : texts)
    byVariable[text.variable] = &text;
  std::set<StringRef> kernels;
  StringRef function;
  const auto isOfWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  for (StringRef line : llvm::split(ptx, '\n')) {
    if (const std::size_t at = line.find(".entry "); at != StringRef::npos)
      kernels.insert(function = line.substr(at + 7).take_while(isOfWord));
    else if (line.contains(".func "))
      function = "(a function)"; // whichever
    if (!line.starts_with("\t"))
      continue;
    while (!(line = line.drop_until(isOfWord)).empty()) {
      const StringRef word = line.take_while(isOfWord);
      if (const auto found = byVariable.find(word); found != byVariable.end())
        found->second->users.insert(function);
      line = line.drop_front(word.size());
    }
  }
  return kernels;
}

std::string demangled(StringRef name) {
  int status = 0;
  char *const text = abi::__cxa_demangle(name.str().c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text ? text : name.str();
  std::free(text);
  return out;
}

std::string lineOf(StringRef variable, StringRef value) {
  std::string bytes;
  for (const unsigned char byte : value)
    bytes += std::to_string(byte) + ", ";
  return (kPrefix + variable + "[" + llvm::Twine(value.size() + 1) + "] = {" + bytes + "0};").str();
}

} // namespace

std::string withDistinctNames(StringRef ptx, StringRef plain) {
  std::vector<Text> texts = textsOf(ptx);
  std::map<StringRef, std::vector<const Text *>> byValue;
  for (const Text &text : texts)
    byValue[text.value].push_back(&text);
  std::erase_if(byValue, [](const auto &row) { return row.second.size() < 2; });
  for (const Text &text : textsOf(plain))
    byValue.erase(text.value);
  if (byValue.empty())
    return ptx.str();
  const std::set<StringRef> kernels = findUsers(ptx, texts);
  std::string out;
  for (const StringRef line : llvm::split(ptx, '\n')) {
    const auto text = llvm::find_if(texts, [&](const Text &each) { return each.line.data() == line.data(); });
    const bool isShared = text != texts.end() && byValue.contains(text->value);
    const bool isOfKernel = isShared && text->users.size() == 1 && kernels.contains(*text->users.begin());
    out += isOfKernel ? lineOf(text->variable, demangled(*text->users.begin())) : line.str();
    out += '\n';
  }
  out.pop_back(); // behind the last line, which the text ends with or without
  return out;
}

} // namespace kperf::plain
