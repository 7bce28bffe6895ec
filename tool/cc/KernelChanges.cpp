// Prints one line for each kernel, the refused ones first.
#include "tool/cc/KernelChanges.h"
#include "tool/cc/Messages.h"

#include "decoder/span/ShortName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <set>

namespace kperf::cc {
namespace {

constexpr unsigned kMaxLines = 5; ///< of a build that does not ask for all

/// "work<8>" of "void work<8>(float (*)[8])".
std::string kernelName(const std::string &mangled) {
  const std::size_t begin =
      llvm::StringRef(mangled).starts_with("__nv_static_") ? mangled.find("__Z") : std::string::npos; // of a static kernel
  const std::string name = begin == std::string::npos ? mangled : mangled.substr(begin + 1);
  llvm::ItaniumPartialDemangler parts;
  if (parts.partialDemangle(name.c_str()) || !parts.isFunction())
    return llvm::demangle(name);
  std::size_t room = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(parts.getFunctionName(nullptr, &room), &std::free);
  return text ? text.get() : name;
}

void sayRefused(const plain::KernelChange &change, const Options &options) {
  const std::string what = "'" + kernelName(change.kernel) + "' with probes: " + change.what +
                           "; that would serialise its wgmma instructions or move their accumulators to local memory";
  // Regions that are the cause alone would have been left out.
  const std::string remedy =
      llvm::is_contained(options.probes, "memory")
          ? "leave out --probes=memory"
          : std::string("put fewer regions into it") + (llvm::is_contained(options.probes, "sync") ? ", or leave out --probes=sync" : "");
  if (options.strict)
    sayError(what + "; " + remedy + ", or leave out --strict, which builds it without probes");
  else
    sayWarning("kernel " + what + ", so that it is built without probes; " + remedy);
}

/// Of all that ptxas was stopped at, in one line: it does not say at which of them it was.
void sayTooLong(llvm::ArrayRef<plain::KernelChange> changes, const Options &options) {
  std::set<std::string> names;
  std::string seconds;
  for (const plain::KernelChange &change : changes)
    if (change.kind == plain::KernelChange::Kind::TooLong) {
      names.insert(kernelName(change.kernel));
      seconds = change.why;
    }
  if (names.empty())
    return;
  const std::string others = names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : "";
  const std::string what = "ptxas had not assembled '" + *names.begin() + "'" + others + " with probes after " + seconds + " s";
  const std::string remedy =
      std::string(llvm::is_contained(options.probes, "memory") ? "leave out --probes=memory"
                                                               : "put fewer regions into them (--auto-guard=N, a rule's exclude)") +
      ", or allow more by --assembly-seconds=N";
  if (options.strict)
    sayError(what + "; " + remedy + ", or leave out --strict, which builds them without probes");
  else
    sayWarning(what + ", so that they are built without probes; " + remedy);
}

void sayLeftOut(const plain::KernelChange &change, bool isStrict) {
  const std::string name = "'" + kernelName(change.kernel) + "'";
  if (isStrict)
    sayError(name + " can't be built with " + change.what + ", or leave out --strict, which builds it without");
  else
    sayWarning("kernel " + name + " is built without " + change.what);
}

bool isSync(const Region &region) { return region.kind == format::RegionKind::Wait || region.kind == format::RegionKind::Signal; }

/// "region 'load' (kernel.cu:12)"
std::string nameOf(const Region &region) {
  const llvm::StringRef kind = region.kind == format::RegionKind::Wait     ? "wait"
                               : region.kind == format::RegionKind::Signal ? "signal"
                                                                           : "region";
  return (kind + " '" + region.name + "' (" + region.file + ":" + llvm::Twine(region.line) + ")").str();
}

/// What the user can do about it.
llvm::StringRef remedyOf(const Region &region) {
  if (isSync(region))
    return "leave out --probes=sync";
  if (region.kind == format::RegionKind::Automatic)
    return "exclude it from what is selected";
  return "move it to where no wgmma is under way, or remove it";
}

/// Of one kernel that can't be built with these regions.
std::string leftOutText(llvm::ArrayRef<const Culprit *> culprits, llvm::StringRef why) {
  std::string text;
  for (const Culprit *each : culprits.take_front(kMaxLines))
    text += (text.empty() ? "" : ", ") + nameOf(each->region);
  if (culprits.size() > kMaxLines)
    text += " and " + std::to_string(culprits.size() - kMaxLines) + " more";
  text += why.starts_with("(C") ? ", of which ptxas says " : ", which would move accumulators to local memory: ";
  return text + why.str() + "; " + remedyOf(culprits.front()->region).str();
}

/// Changes of a kernel that are the same for several architectures, as one that names them all; none where there is but one architecture.
std::vector<plain::KernelChange> byArchitectures(llvm::ArrayRef<plain::KernelChange> changes) {
  std::set<std::string> architectures;
  for (const plain::KernelChange &change : changes)
    architectures.insert(change.architecture);
  std::vector<plain::KernelChange> out;
  for (plain::KernelChange change : changes) {
    if (architectures.size() < 2)
      change.architecture.clear();
    if (!out.empty() && out.back().kind == change.kind && out.back().kernel == change.kernel && out.back().what == change.what)
      out.back().architecture += change.architecture.empty() ? "" : ", " + change.architecture;
    else
      out.push_back(std::move(change));
  }
  return out;
}

/// By mangled name, what a kernel is called in a line: as much of its template's arguments as fits, and what tells it from the others.
std::map<std::string, std::string> shortNames(llvm::ArrayRef<plain::KernelChange> changes) {
  std::map<std::string, std::string> names;
  for (const plain::KernelChange &change : changes)
    names.emplace(change.kernel, kernelName(change.kernel));
  std::vector<std::string> whole;
  for (const auto &[kernel, name] : names)
    whole.push_back(name);
  const std::vector<std::string> cut = decoder::shortKernelNames(whole);
  std::size_t at = 0;
  for (auto &[kernel, name] : names)
    name = cut[at++];
  return names;
}

} // namespace

void sayChanges(llvm::ArrayRef<plain::KernelChange> changes, const Options &options, llvm::StringRef source) {
  using Kind = plain::KernelChange::Kind;
  const std::string place = source.empty() ? "" : (source + ": ").str();
  std::map<std::string, std::string> names = shortNames(changes);
  unsigned said = 0, unsaid = 0;
  sayTooLong(changes, options);
  for (const plain::KernelChange &change : byArchitectures(changes)) {
    if (change.kind == Kind::TooLong)
      continue;
    if (change.kind == Kind::LeftOut) {
      sayLeftOut(change, options.strict);
    } else if (change.isRefused()) {
      sayRefused(change, options);
    } else if (options.verbose || (change.kind == Kind::Large && said < kMaxLines)) {
      sayNote(place + "'" + (options.verbose ? kernelName(change.kernel) : names[change.kernel]) + "' with probes" +
              (change.architecture.empty() ? "" : ", " + change.architecture) + ": " + change.what);
      ++said;
    } else {
      unsaid += change.kind == Kind::Large;
    }
  }
  if (unsaid > 0)
    sayNote(place + "probes change " + std::to_string(unsaid) + (unsaid == 1 ? " more kernel" : " more kernels") +
            " in registers, spills or shared memory: --verbose lists them");
}

void saySearch(llvm::ArrayRef<plain::KernelChange> refused) {
  std::set<std::string> names;
  for (const plain::KernelChange &each : refused)
    names.insert(each.kernel);
  const std::string others = names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : "";
  sayNote(
      "probes would serialise wgmma instructions of '" + kernelName(*names.begin()) + "'" + others +
      " or move their accumulators to local memory; the regions and waits that do so are looked for, by compiling device code a few times");
}

void addLeftOut(llvm::ArrayRef<Culprit> culprits, const plain::PlainCopies &plain) {
  struct Kernel {
    std::vector<const Culprit *> culprits;
    std::string why;
  };
  std::map<std::string, Kernel> kernels;
  for (const Culprit &culprit : culprits)
    for (const plain::KernelChange &change : culprit.refused) {
      Kernel &kernel = kernels[change.kernel];
      if (kernel.culprits.empty())
        kernel.why = change.why;
      if (kernel.culprits.empty() || kernel.culprits.back() != &culprit) // it may be refused for more than one architecture
        kernel.culprits.push_back(&culprit);
    }
  for (const auto &[name, kernel] : kernels)
    plain.addLeftOut(name, leftOutText(kernel.culprits, kernel.why));
}

} // namespace kperf::cc
