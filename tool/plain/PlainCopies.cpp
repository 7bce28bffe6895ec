// Writes the plan that DeviceStep.cpp follows, and sets the environment in which nvcc finds it.
#include "tool/plain/PlainCopies.h"

#include "tool/plain/NvccSteps.h"
#include "tool/plain/PtxMerge.h"
#include "tool/process/WriteText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace kperf::plain {
namespace {

int anchor; // an address in this executable

/// The first of the folders of a PATH that holds the program.
std::string programIn(llvm::StringRef path, llvm::StringRef name) {
  for (llvm::StringRef folder : llvm::split(path, ':'))
    if (const std::string file = (folder + "/" + name).str(); !folder.empty() && llvm::sys::fs::can_execute(file))
      return file;
  return {};
}

llvm::json::Object planOf(const NvccSteps &steps, const std::string &folder, const std::string &cicc, const std::string &ptxas) {
  llvm::json::Array texts;
  for (const DeviceText &each : steps.texts) {
    const auto isSame = [&](const DeviceText &other) { return other.source == each.source && other.architecture == each.architecture; };
    if (llvm::count_if(steps.texts, isSame) == 1) // else nobody can tell which is meant
      texts.push_back(
          llvm::json::Object{{"source", each.source}, {"architecture", each.architecture}, {"command", llvm::json::Array(each.command)}});
  }
  return llvm::json::Object{{"folder", folder}, {"cicc", cicc}, {"ptxas", ptxas}, {"texts", std::move(texts)}};
}

/// Whether it names what other files may have too: then with the name of the source, and a number that depends on the command.
bool hasNamesOf(llvm::StringRef ptx, llvm::StringRef source) {
  std::string name = source.str();
  std::replace_if(name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
  return ptx.contains("_" + name);
}

/// The files of the folder whose names end so.
std::vector<std::string> filesIn(const std::string &folder, llvm::StringRef extension) {
  std::vector<std::string> out;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(folder, error), end; entry != end && !error; entry.increment(error))
    if (llvm::sys::path::extension(entry->path()) == extension)
      out.push_back(entry->path());
  return out;
}

} // namespace

void PlainCopies::set(const std::string &name, const std::string &value) {
  const char *before = std::getenv(name.c_str());
  previous.push_back({name, {before != nullptr, before ? before : ""}});
  setenv(name.c_str(), value.c_str(), 1);
}

llvm::Expected<PlainCopies> PlainCopies::prepare(llvm::ArrayRef<std::string> command, llvm::StringRef workFolder, OnRefusal onRefusal,
                                                 unsigned assemblySeconds, process::ProcessEnd &asked) {
  auto steps = stepsOf(command, asked);
  if (!steps)
    return steps.takeError();
  const llvm::StringRef ciccFolder = steps->variable("CICC_PATH"); // Debian's profiles set none
  const std::string cicc = ciccFolder.empty() ? programIn(steps->variable("PATH"), "cicc") : (ciccFolder + "/cicc").str();
  const std::string ptxas = programIn(steps->variable("PATH"), "ptxas");
  if (steps->texts.empty() || !llvm::sys::fs::can_execute(cicc) || ptxas.empty())
    return llvm::createStringError("nvcc's steps are not those that are known");
  PlainCopies copies;
  copies.folder = workFolder.str() + "/plain";
  const std::string programs = copies.folder + "/bin";
  std::error_code error = llvm::sys::fs::create_directories(programs);
  const std::string self = llvm::sys::fs::getMainExecutable("kperf-cc", &anchor);
  for (const char *name : {"/cicc", "/ptxas"})
    error = error ? error : llvm::sys::fs::create_link(self, programs + name);
  if (error)
    return llvm::createStringError(error, "cannot write to '%s': %s", copies.folder.c_str(), error.message().c_str());
  copies.plan = planOf(*steps, copies.folder, cicc, ptxas);
  copies.plan["assemblySeconds"] = assemblySeconds;
  if (auto failed = copies.writePlan(onRefusal))
    return failed;
  for (const auto &[name, value] : steps->variables)
    copies.set(name, name == "CICC_PATH" ? programs : name == "PATH" ? programs + ":" + value : value);
  copies.set("KPERF_PLAIN", copies.folder + "/plan.json");
  return copies;
}

llvm::Error PlainCopies::writePlan(OnRefusal onRefusal) {
  plan["onRefusal"] = static_cast<int>(onRefusal);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object(plan));
  return process::writeText(folder + "/plan.json", text);
}

void PlainCopies::offer(llvm::StringRef source, llvm::StringRef ptx) const {
  std::vector<std::string> architectures;
  for (const llvm::json::Value &text : *plan.getArray("texts"))
    if (text.getAsObject()->getString("source") == source)
      architectures.push_back(text.getAsObject()->getString("architecture")->str());
  if (architectures.size() != 1)
    return;
  llvm::StringRef number = architectures.front();
  if (!number.consume_front("compute_") || !ptx.contains(("\n.target sm_" + number + "\n").str()) || hasNamesOf(ptx, source))
    return;
  const std::string file = (folder + "/" + source + "." + architectures.front() + ".ptx").str(); // DeviceStep.cpp's
  if (auto error = process::writeText(file, withoutLines(ptx)))
    llvm::consumeError(std::move(error)); // it is compiled then
}

llvm::Error PlainCopies::prepareAgain(OnRefusal onRefusal) {
  for (const char *extension : {".changes", ".note"})
    for (const std::string &file : filesIn(folder, extension))
      llvm::sys::fs::remove(file);
  return writePlan(onRefusal);
}

void PlainCopies::addLeftOut(const std::string &kernel, const std::string &what) const {
  std::error_code error;
  llvm::raw_fd_ostream out(folder + "/left-out.changes", error, llvm::sys::fs::OF_Append);
  if (!error)
    out << "left-out\t" << kernel << '\t' << what << "\t\n";
  out.close();
  out.clear_error();
}

PlainCopies::~PlainCopies() {
  for (const auto &[name, before] : llvm::reverse(previous))
    before.first ? setenv(name.c_str(), before.second.c_str(), 1) : unsetenv(name.c_str());
}

std::vector<std::string> PlainCopies::notes() const {
  std::vector<std::string> out;
  for (const std::string &file : filesIn(folder, ".note"))
    if (auto text = llvm::MemoryBuffer::getFile(file))
      out.push_back((*text)->getBuffer().trim().str());
  return out;
}

std::vector<KernelChange> PlainCopies::changes() const {
  using enum KernelChange::Kind;
  std::vector<KernelChange> out;
  for (const std::string &file : filesIn(folder, ".changes")) {
    auto text = llvm::MemoryBuffer::getFile(file);
    if (!text)
      continue;
    for (llvm::StringRef line : llvm::split((*text)->getBuffer().rtrim('\n'), '\n')) {
      llvm::SmallVector<llvm::StringRef, 4> columns;
      line.split(columns, '\t');
      if (columns.size() < 4)
        continue;
      const KernelChange::Kind kind = columns[0] == "left-out"   ? LeftOut
                                      : columns[0] == "refused"  ? Refused
                                      : columns[0] == "too-long" ? TooLong
                                      : columns[0] == "large"    ? Large
                                                                 : Small;
      out.push_back({kind, columns[1].str(), columns[2].str(), columns[3].str(), columns.size() > 4 ? columns[4].str() : ""});
    }
  }
  llvm::sort(out, [](const KernelChange &a, const KernelChange &b) {
    return std::tuple(std::min(a.kind, Large), a.kernel, a.what, a.architecture) <
           std::tuple(std::min(b.kind, Large), b.kernel, b.what, b.architecture);
  });
  return out;
}

} // namespace kperf::plain
