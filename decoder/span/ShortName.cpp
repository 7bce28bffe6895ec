// Names of kernels that people can read.
#include "decoder/span/ShortName.h"
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace kperf::decoder {
namespace {

constexpr std::size_t kMaxColumns = 64; ///< of a name, where arguments can be left out
constexpr std::size_t kMaxWord = 48;    ///< characters of one word; a mangled or hostile one is longer
constexpr std::size_t kMaxName = 4096;  ///< of which lambdas are looked for
constexpr unsigned kMaxDepth = 6;       ///< of template arguments
/// As nvcc and Clang say it, and GCC.
constexpr std::string_view kAnonymous[] = {"(anonymous namespace)::", "{anonymous}::"};

bool isWord(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '$'; }

/// Where the name ends and the parameters begin, outside of template arguments.
std::size_t endOfName(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
    if (text[at] == '(' && depth == 0)
      return at;
  }
  return text.size();
}

/// Behind the last blank outside of template arguments: the type is in front of it.
std::size_t beginOfName(std::string_view text) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
    if (text[at] == ' ' && depth == 0)
      begin = at + 1;
  }
  return begin;
}

std::string withoutAnonymous(std::string_view text) {
  constexpr std::string_view kNvccsBool = "__nv_bool";
  std::string out(text);
  for (std::size_t at = out.find(kNvccsBool); at != std::string::npos; at = out.find(kNvccsBool, at))
    out.replace(at, kNvccsBool.size(), "bool");
  for (const std::string_view each : kAnonymous)
    for (std::size_t at = out.find(each); at != std::string::npos; at = out.find(each, at))
      out.erase(at, each.size());
  return out;
}

/// Of what stands behind a '<': up to its '>', or to the end.
std::string_view argumentsOf(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
    if (depth < 0)
      return text.substr(0, at);
  }
  return text;
}

/// Template arguments, without the blanks in front of them.
std::vector<std::string_view> split(std::string_view arguments) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= arguments.size(); ++at) {
    const char letter = at < arguments.size() ? arguments[at] : ',';
    depth += letter == '<' || letter == '(' || letter == '{' ? 1 : letter == '>' || letter == ')' || letter == '}' ? -1 : 0;
    if (letter != ',' || (depth > 0 && at < arguments.size()))
      continue;
    begin = std::min(arguments.find_first_not_of(' ', begin), at);
    out.push_back(arguments.substr(begin, at - begin));
    begin = at + 1;
  }
  return out;
}

struct Shape {
  std::string text;
  double volume;
};

/// Of the arguments of a tuple, where each is one of CuTe's constants: "cute::C<128>".
std::optional<Shape> shapeOf(std::string_view arguments) {
  constexpr std::string_view kConstant = "C<";
  Shape out{"", 1};
  const std::vector<std::string_view> extents = split(arguments);
  for (std::string_view each : extents) {
    if (const std::size_t scope = each.rfind("::"); scope != std::string_view::npos)
      each.remove_prefix(scope + 2);
    unsigned extent = 0;
    if (!each.starts_with(kConstant) || !each.ends_with('>'))
      return {};
    each = each.substr(kConstant.size(), each.size() - kConstant.size() - 1);
    if (const auto [end, error] = std::from_chars(each.data(), each.data() + each.size(), extent);
        error != std::errc() || end != each.data() + each.size())
      return {};
    out.text += (out.text.empty() ? "" : "×") + std::string(each);
    out.volume *= extent;
  }
  return extents.size() < 2 ? std::nullopt : std::optional(out);
}

/// The largest in a text; "" where none is.
std::string largestShape(std::string_view text) {
  constexpr std::string_view kTuple = "tuple<";
  constexpr std::size_t kMaxShape = 128; // characters: a hostile name holds tuples in tuples
  Shape best{"", 0};
  for (std::size_t at = text.find(kTuple); at != std::string_view::npos; at = text.find(kTuple, at + 1))
    if (const auto shape = shapeOf(argumentsOf(text.substr(at + kTuple.size(), kMaxShape))); shape && shape->volume > best.volume)
      best = *shape;
  return best.text;
}

/// A name with at most so many arguments of each template, down to a depth.
struct Cut {
  unsigned depth;
  std::size_t arguments;
  bool isForLambdas = true; ///< those that hold lambdas are said first
};

std::string cutName(std::string_view text, Cut cut);

/// In place of what is left out.
std::string ellipsisOf(std::string_view arguments) {
  const std::string shape = largestShape(arguments);
  return shape.empty() ? "…" : shape + ", …";
}

/// Which of a template's arguments are said, where not all are: lambdas, for what else an instance is told by is often the same of all, and
/// then the first of the others.
std::vector<bool> chosen(std::span<const std::string_view> arguments, Cut cut) {
  std::vector<bool> out(arguments.size());
  std::size_t taken = 0;
  for (const bool takesAll : {!cut.isForLambdas, true})
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (!out[i] && taken < cut.arguments && (takesAll || arguments[i].contains("lambda "))) {
        out[i] = true;
        ++taken;
      }
  return out;
}

/// Arguments with what stands between them, of `text`, of which they are pieces.
template <typename Say>
std::string joined(std::string_view text, std::span<const std::string_view> arguments, Cut cut, const char *gap, const Say &say) {
  const std::vector<bool> isSaid = chosen(arguments, cut);
  std::string out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto begin = static_cast<std::size_t>(arguments[i].data() - text.data());
    std::size_t end = i;
    while (end < arguments.size() && !isSaid[end])
      ++end;
    out += out.empty() ? "" : gap;
    if (end == i) {
      out += say(arguments[i]);
      continue;
    }
    const std::size_t next = end < arguments.size() ? static_cast<std::size_t>(arguments[end].data() - text.data()) : text.size();
    out += ellipsisOf(text.substr(begin, next - begin));
    i = end - 1;
  }
  return out;
}

/// With the angles.
std::string cutArguments(std::string_view arguments, Cut cut) {
  const auto say = [&](std::string_view each) { return cutName(each, {cut.depth - 1, cut.arguments, cut.isForLambdas}); };
  const Cut here{cut.depth, cut.depth == 0 ? 0 : cut.arguments, cut.isForLambdas};
  return "<" + joined(arguments, split(arguments), here, ", ", say) + ">";
}

std::string cutName(std::string_view text, Cut cut) {
  std::string out, word;
  const auto flush = [&] {
    out += word.size() > kMaxWord ? shortened(word, kMaxWord) : word;
    word.clear();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (isWord(text[at])) {
      word += text[at];
    } else if (text.substr(at).starts_with("::")) {
      if (word.empty() && out.ends_with('>'))
        out += "::"; // a member of a template's instance
      word.clear();
      ++at;
    } else if (text[at] == '<') {
      const std::string_view arguments = argumentsOf(text.substr(at + 1));
      at += 1 + arguments.size();
      if (const auto shape = word == "tuple" ? shapeOf(arguments) : std::nullopt) {
        out += shape->text;
        word.clear();
        continue;
      }
      flush();
      out += cutArguments(arguments, cut);
    } else {
      flush();
      out += text[at];
    }
  }
  flush();
  return out;
}

/// "T = int; int N = 4" of "[with T = int; int N = 4]".
std::string cutValues(std::string_view values, Cut cut) {
  std::vector<std::string_view> each;
  for (std::string_view rest = values; !rest.empty();) {
    const std::size_t end = std::min(rest.find("; "), rest.size());
    each.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return joined(values, each, cut, "; ", [&](std::string_view value) {
    const std::size_t name = std::min(value.find(" = "), value.size());
    return std::string(value.substr(0, name)) + cutName(value.substr(name), cut);
  });
}

/// A kernel's name in its parts.
struct Declared {
  std::string name;    ///< with its own arguments
  std::string values;  ///< of "[with …]"
  bool isType = false; ///< `values` is one type, which stands as the kernel's only argument
  std::string label;   ///< that tells it from others of the name (Namesakes.h)

  std::string text(Cut cut) const {
    const std::string behind = isType ? cutArguments(values, cut) : " [" + cutValues(values, cut) + "]";
    return cutName(name, cut) + (values.empty() ? "" : behind) + label;
  }
};

/// Where " (m.cu:3)", " #2" or " #2,1" begins at the end of a name; else its size.
std::size_t beginOfLabel(std::string_view name) {
  const std::size_t number = name.find_last_not_of("0123456789,");
  if (number != std::string_view::npos && number + 1 < name.size() && number > 0 && name.substr(number - 1, 2) == " #")
    return number - 1;
  int depth = 0;
  for (std::size_t at = name.size(); name.ends_with(')') && at-- > 0;) {
    depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
    if (depth == 0)
      return at > 0 && name[at - 1] == ' ' ? at - 1 : name.size();
  }
  return name.size();
}

/// Of "ns::run<float>(float*)" at the end of a text, where it begins.
std::size_t beginOfFunction(std::string_view text) {
  int depth = 0;
  std::size_t at = text.size();
  for (; at > 0; --at) {
    const char letter = text[at - 1];
    const bool opens = letter == '<' || letter == '(' || letter == '{', closes = letter == '>' || letter == ')' || letter == '}';
    if (depth == 0 && (opens || letter == ',' || letter == ' '))
      break;
    depth += closes ? 1 : opens ? -1 : 0;
  }
  return at;
}

/// "run" of "ns::run<float>(float*)".
std::string_view plainFunction(std::string_view function) {
  int depth = 0;
  std::size_t begin = 0, end = function.size();
  for (std::size_t at = 0; at < function.size(); ++at) {
    if (depth == 0 && function.substr(at).starts_with("::")) {
      begin = at + 2;
      end = function.size();
    }
    const bool opens = function[at] == '<' || function[at] == '(';
    if (opens && depth == 0)
      end = std::min(end, at);
    depth += opens ? 1 : function[at] == '>' || function[at] == ')' ? -1 : 0;
  }
  return function.substr(begin, end - std::min(begin, end));
}

/// Lambdas that a function's template arguments hold, to be said behind its name: "<lambda #2 of main>".
std::string lambdasIn(std::string_view function, std::string_view plain) {
  const std::size_t open = function.find('<', static_cast<std::size_t>(plain.data() - function.data()) + plain.size());
  std::string out;
  for (const std::string_view each : split(open == std::string_view::npos ? "" : argumentsOf(function.substr(open + 1))))
    if (each.starts_with("lambda "))
      out += (out.empty() ? "<" : ", ") + std::string(each.substr(0, each.find_last_not_of(' ') + 1));
  return out.empty() ? out : out + ">";
}

/// The first number of a label " #2,1", which the label then lacks; "" where there is none.
std::string takeNumber(std::string &label) {
  if (!label.starts_with(" #"))
    return "";
  const std::size_t end = std::min(label.find(','), label.size());
  std::string number = label.substr(1, end - 1);
  label = end < label.size() ? " #" + label.substr(end + 1) : "";
  return number;
}

/// "lambda #2 of main" for "main::{lambda(int)#2}", as nvcc says it, or "main()::<lambda(int)>" with the label " #2", as GCC says it: the
/// first of a function has no label there, or where there are several lambdas, of which each has its number in the label, 1.
std::string withPlainLambdas(std::string_view name) {
  constexpr std::pair<std::string_view, char> kForms[] = {{"::{lambda(", '}'}, {"::<lambda(", '>'}};
  std::string out(name.substr(0, beginOfLabel(name))), label(name.substr(out.size()));
  for (const auto &[open, close] : kForms)
    for (std::size_t at = out.find(open); at != std::string::npos; at = out.find(open, at + 1)) {
      std::size_t end = at + open.size();
      for (int depth = 1; depth > 0 && end < out.size(); ++end)
        depth += out[end] == '(' ? 1 : out[end] == ')' ? -1 : 0;
      const std::size_t closed = out.find(close, end);
      const std::size_t begin = beginOfFunction(std::string_view(out).substr(0, at));
      const std::string_view qualified = std::string_view(out).substr(begin, at - begin), function = plainFunction(qualified);
      if (closed == std::string::npos || function.empty() || !std::ranges::all_of(function, isWord))
        continue; // in another lambda, or of an operator
      std::string number = close == '}' ? out.substr(end, closed - end) : takeNumber(label);
      if (close == '>' && number == "#1")
        number.clear();
      const std::string plain =
          fmt::format("lambda {}{}of {}{}", number, number.empty() ? "" : " ", function, lambdasIn(qualified, function));
      out.replace(begin, closed + 1 - begin, plain);
      at = begin;
    }
  return out + label;
}

/// "void k(T) [with T = int; N = 4]" of "void k(T) [T = int, N = 4]", as Clang says it, with lambdas by their places without folders.
std::string asGccSays(std::string_view name) {
  constexpr std::string_view kLambda = "(lambda at ";
  const std::size_t size = beginOfLabel(name), with = name.substr(0, size).find(") [");
  if (with == std::string_view::npos || name[size - 1] != ']' || name.substr(with).starts_with(") [with "))
    return std::string(name);
  std::string values;
  int depth = 0;
  for (std::string_view left = name.substr(with + 3, size - with - 3); !left.empty(); left.remove_prefix(1)) {
    if (const std::size_t end = left.find(')'); left.starts_with(kLambda) && end != std::string_view::npos) {
      const std::string_view place = left.substr(kLambda.size(), end - kLambda.size());
      values += fmt::format("lambda at {}", place.substr(place.rfind('/') + 1));
      left.remove_prefix(end);
      continue;
    }
    depth += left[0] == '<' || left[0] == '(' ? 1 : left[0] == '>' || left[0] == ')' ? -1 : 0;
    values += left[0] == ',' && depth == 0 ? ';' : left[0];
  }
  return fmt::format("{}) [with {}{}", name.substr(0, with), values, name.substr(size));
}

Declared declaredBy(std::string_view whole) {
  constexpr std::string_view kWith = " [with ", kIs = " = ";
  const std::string full = withoutAnonymous(whole);
  const std::string_view name = std::string_view(full).substr(0, beginOfLabel(full));
  const std::size_t with = name.find(kWith);
  const std::string_view declared = name.substr(0, with);
  std::string_view core = declared.substr(0, endOfName(declared));
  core.remove_prefix(beginOfName(core));
  Declared out{.name = std::string(core), .values = {}, .label = full.substr(name.size())};
  if (with == std::string_view::npos)
    return out;
  std::string_view values = name.substr(with + kWith.size());
  values = values.substr(0, values.rfind(']'));
  const std::size_t is = values.find(kIs);
  out.isType = is != std::string_view::npos && values.find("; ") == std::string_view::npos &&
               (values.ends_with('>') || values.substr(is).starts_with(" = lambda ")) &&
               values.substr(0, is).find(' ') == std::string_view::npos;
  out.values = values.substr(out.isType ? is + kIs.size() : 0);
  return out;
}

/// What tells a name from others: the first word that they do not share.
std::vector<std::string> differingWords(const std::vector<std::string> &names) {
  std::size_t common = names[0].size();
  for (const std::string &each : names)
    common = std::min(common, static_cast<std::size_t>(std::ranges::mismatch(each, names[0]).in1 - each.begin()));
  while (common > 0 && isWord(names[0][common - 1]))
    --common;
  std::vector<std::string> out;
  for (const std::string &each : names) {
    const auto end = std::ranges::find_if_not(each.begin() + static_cast<std::ptrdiff_t>(common), each.end(), isWord);
    out.emplace_back(each.begin() + static_cast<std::ptrdiff_t>(common), end);
  }
  return out;
}

/// The word that stands at a place; of a lambda "#2 of main", or "main" where it has no number.
std::string wordAt(std::string_view name, std::size_t at) {
  constexpr std::string_view kOf = "of ";
  const auto isBegin = [](char letter) { return isWord(letter) || letter == '#'; };
  name.remove_prefix(static_cast<std::size_t>(std::ranges::find_if(name.substr(at), isBegin) - name.substr(at).begin()) + at);
  if (name.starts_with(kOf))
    name.remove_prefix(kOf.size());
  const auto endOfWord = [&](std::size_t from) {
    return static_cast<std::size_t>(std::find_if_not(name.begin() + static_cast<std::ptrdiff_t>(from), name.end(), isWord) - name.begin());
  };
  std::size_t end = endOfWord(name.starts_with('#') ? 1 : 0);
  if (name.starts_with('#') && name.substr(std::min(end + 1, name.size())).starts_with(kOf))
    end = endOfWord(end + 1 + kOf.size());
  return std::string(name.substr(0, end));
}

/// Adds to what is said of each name the word in which it differs from the others, and among those that share it the next such.
void addDiffering(const std::vector<std::pair<std::string, std::string *>> &names) {
  std::size_t common = names[0].first.size();
  for (const auto &[name, said] : names)
    common = std::min(common, static_cast<std::size_t>(std::ranges::mismatch(name, names[0].first).in1 - name.begin()));
  while (common > 0 && isWord(names[0].first[common - 1]))
    --common;
  std::map<std::string, std::vector<std::pair<std::string, std::string *>>> byWord;
  for (const auto &[name, said] : names)
    byWord[wordAt(name, common)].emplace_back(name, said);
  for (const auto &[word, those] : byWord) {
    for (const auto &[name, said] : those)
      *said += word.empty() ? "" : " " + word + " …";
    if (byWord.size() > 1 && those.size() > 1)
      addDiffering(those);
  }
}

/// The same of those of which the same is said: kernels for lambdas of instances of one function differ by what stands for the lambda
/// alone.
void tellAlike(const std::vector<std::string> &whole, std::vector<std::string> &said) {
  std::map<std::string, std::vector<std::pair<std::string, std::string *>>> alike;
  for (std::size_t i = 0; i < whole.size(); ++i)
    alike[said[i]].emplace_back(whole[i], &said[i]);
  for (const auto &[text, those] : alike)
    if (those.size() > 1)
      addDiffering(those);
}

/// Short names of kernels that would have the same: with the words that tell them apart, or whole where none do.
std::vector<std::string> toldApart(const std::string &text, const std::vector<std::string> &whole) {
  if (whole.size() == 1)
    return {text};
  std::vector<std::string> out = differingWords(whole), sorted = out;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end() && std::ranges::find(sorted, "") == sorted.end()) {
    for (std::string &each : out)
      each = text + " [… " + each + " …]";
    return out;
  }
  std::vector<std::string> said(whole.size());
  std::vector<std::pair<std::string, std::string *>> names;
  for (std::size_t i = 0; i < whole.size(); ++i)
    names.emplace_back(whole[i].size() > kMaxName ? whole[i] : withPlainLambdas(asGccSays(whole[i])), &said[i]);
  const bool areShort = std::ranges::all_of(whole, [](const std::string &each) { return columnsOf(printable(each)) <= kMaxColumns; });
  if (!areShort) {
    addDiffering(names);
    tellAlike(whole, said);
  }
  sorted = said;
  std::ranges::sort(sorted);
  if (areShort || std::ranges::adjacent_find(sorted) != sorted.end())
    return whole;
  std::ranges::transform(said, out.begin(), [&](const std::string &each) { return text + (each.empty() ? "" : " […" + each + "]"); });
  return out;
}

/// The name alone is said however long it is.
std::string longestThatFits(const Declared &declared, bool isForLambdas) {
  std::string best = declared.text({0, 1, isForLambdas});
  for (unsigned depth = 1; depth <= kMaxDepth; ++depth)
    for (const std::size_t arguments : {1, 2, 3, 4, 6, 16}) {
      std::string next = declared.text({depth, arguments, isForLambdas});
      const std::size_t columns = columnsOf(printable(next));
      if (columns <= kMaxColumns && columns >= columnsOf(printable(best)))
        best = std::move(next);
    }
  return best;
}

} // namespace

std::string shortKernelName(std::string_view whole) {
  const std::string name = whole.size() > kMaxName ? std::string(whole) : withPlainLambdas(asGccSays(whole));
  const Declared declared = declaredBy(name);
  const bool isShort = name.ends_with(']') && !name.contains(" [with ");
  if (declared.name.empty() || isShort)
    return std::string(name);
  constexpr Cut kWhole{kMaxDepth, 16};
  if (std::string text = declared.text(kWhole); columnsOf(printable(text)) <= kMaxColumns)
    return text; // what is cut more may be longer: a shape, and "…"
  std::string text = longestThatFits(declared, true);
  return columnsOf(printable(text)) <= kMaxColumns ? text : longestThatFits(declared, false);
}

std::string spelledKernelName(std::string_view name) {
  const Declared declared = declaredBy(name);
  std::string out = declared.name, values;
  for (std::string_view rest = declared.values; !rest.empty();) {
    const std::size_t end = std::min(rest.find("; "), rest.size()), is = rest.find(" = ");
    const std::string_view value = rest.substr(0, end);
    values += (values.empty() ? "" : ",") + std::string(is < end ? value.substr(is + 3) : value);
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  if (!values.empty())
    out += '<' + values + '>';
  for (std::size_t at = out.find(", "); at != std::string::npos; at = out.find(", ", at))
    out.erase(at + 1, 1);
  return out;
}

std::vector<std::string> shortKernelNames(const std::vector<std::string> &names) {
  std::map<std::string, std::vector<std::string>> byShort; // whole names, each once
  for (const std::string &name : names) {
    std::vector<std::string> &whole = byShort[shortKernelName(name)];
    if (std::ranges::find(whole, name) == whole.end())
      whole.push_back(name);
  }
  std::map<std::string, std::string> out;
  for (const auto &[text, whole] : byShort) {
    const std::vector<std::string> told = toldApart(text, whole);
    for (std::size_t i = 0; i < whole.size(); ++i)
      out[whole[i]] = told[i];
  }
  std::vector<std::string> shorts;
  for (const std::string &name : names)
    shorts.push_back(out[name]);
  return shorts;
}

} // namespace kperf::decoder
