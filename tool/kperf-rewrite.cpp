// kperf-rewrite: reads annotated CUDA or HIP source, writes instrumented source.
#include "rewriters/command/CommandLine.h"
#include "tool/output/LineDiff.h"
#include "rewriters/Plugin.h"
#include "rewriters/Rewrite.h"
#include "rewriters/rewriter/Rewriter.h"
#include "tool/batch/Batch.h"
#include "tool/cc/Messages.h"
#include "tool/output/AtomicFile.h"
#include "tool/process/DeepStack.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <optional>
#include <set>

using namespace llvm;

namespace {

cl::OptionCategory category("kperf-rewrite options");

cl::list<std::string> inputs(cl::Positional, cl::desc("FILE... [-- compile flags]"), cl::cat(category));
cl::opt<std::string> database("p", cl::value_desc("FOLDER"), cl::cat(category),
                              cl::desc("Rewrite what compile_commands.json lists, to -o"));
cl::opt<unsigned> jobs("j", cl::value_desc("N"), cl::cat(category), cl::init(0), cl::Prefix,
                       cl::desc("With -p, files at a time (default: all processors)"));
cl::opt<std::string> output("o", cl::value_desc("FILE"), cl::cat(category),
                            cl::desc("Output (default: NAME.kperf.cu here; - is stdout)"));
cl::opt<kperf::Target> target("target", cl::cat(category), cl::init(kperf::Target::Cuda),
                              cl::desc("Who compiles the result (default: cuda, or hip)"),
                              cl::values(clEnumValN(kperf::Target::Cuda, "cuda", "nvcc"),
                                         clEnumValN(kperf::Target::Hip, "hip", "hipcc, or clang++ with ROCm's headers"),
                                         clEnumValN(kperf::Target::Host, "host", "a plain C++ compiler, for the CPU")));
cl::list<std::string> probes("probes", cl::value_desc("NAME,..."), cl::CommaSeparated, cl::cat(category),
                             cl::desc("Rewriters to apply (default: region)"));
cl::list<std::string> automatic("auto", cl::value_desc("KIND,..."), cl::CommaSeparated, cl::cat(category),
                                cl::desc("Time kernels, functions, loops, barriers, async"));
cl::opt<std::string> automaticGuard("auto-guard", cl::value_desc("N"), cl::cat(category),
                                    cl::desc("Least operations that --auto times (default: 64)"));
cl::list<std::string> aggregate("aggregate", cl::value_desc("NAME,..."), cl::CommaSeparated, cl::cat(category),
                                cl::desc("Sum up these regions instead of recording entries"));
cl::opt<bool> extremes("extremes", cl::cat(category), cl::desc("Keep the shortest and longest of what is summed up"));
cl::opt<bool> histogram("histogram", cl::cat(category), cl::desc("Keep how many of what is summed up were how long"));
cl::opt<std::string> sample("sample", cl::value_desc("N"), cl::ValueOptional, cl::cat(category),
                            cl::desc("Record 1 block in N (16), others without probes"));
cl::opt<std::string> selectionFile("select", cl::value_desc("FILE.yaml"), cl::cat(category),
                                   cl::desc("Time what the rules in this file choose"));
cl::opt<std::string> cudaPath("cuda-path", cl::value_desc("FOLDER"), cl::cat(category),
                              cl::desc("CUDA toolkit (default: the one found, if any)"));
cl::opt<std::string> architecture("arch", cl::value_desc("NAME"), cl::cat(category),
                                  cl::desc("GPU architecture to read for (default: sm_90a)"));
cl::opt<bool> diff("diff", cl::cat(category), cl::desc("Print a unified diff, write nothing"));
cl::opt<bool> listRegions("list-regions", cl::cat(category), cl::desc("Print the regions, write nothing"));
cl::list<std::string> plugins("load", cl::value_desc("PLUGIN.so"), cl::cat(category),
                              cl::desc("Add the rewriters of a plug-in"));
cl::opt<bool> listRewriters("list-rewriters", cl::cat(category), cl::desc("Print what --probes takes"));
cl::opt<bool> dryRun("dry-run", cl::cat(category), cl::desc("Do everything but write"));
cl::opt<bool> strict("strict", cl::cat(category), cl::desc("Stop at any error of Clang"));

/// Says what is wrong on standard error; the exit code of usage and input errors.
int fail(const Twine &message) {
  errs() << "kperf-rewrite: error: " << kperf::cc::printable(message) << '\n';
  return 2;
}

bool writesFiles() { return !diff && !listRegions && !dryRun; }

std::string outputName(StringRef input) {
  SmallString<256> name(sys::path::stem(input));
  name += ".kperf";
  name += sys::path::extension(input);
  if (inputs.size() > 1) {
    SmallString<256> path(output);
    sys::path::append(path, name);
    return path.str().str();
  }
  return output.empty() ? name.str().str() : output.getValue();
}

/// The folder of the rewritten headers, absolute: one for all files that go to the same folder.
std::string overlayName(StringRef outputPath) {
  SmallString<256> path;
  if (inputs.size() > 1) {
    path = output.getValue();
    sys::path::append(path, "overlay");
  } else {
    path = outputPath == "-" ? StringRef("kperf") : outputPath;
    path += ".overlay";
  }
  sys::fs::make_absolute(path);
  return path.str().str();
}

std::string folderOf(StringRef outputPath) {
  StringRef folder = outputPath == "-" ? StringRef() : sys::path::parent_path(outputPath);
  return folder.empty() ? "." : folder.str();
}

Error writeOverlay(const kperf::RewriteResult &result, StringRef root) {
  for (const std::string &folder : result.overlayDirectories)
    if (std::error_code error = sys::fs::create_directories(root + folder))
      return createStringError("can't make '" + root + folder + "': " + error.message());
  for (const kperf::OverlayFile &header : result.overlay) {
    std::string path = root.str() + header.path;
    if (std::error_code error = sys::fs::create_directories(sys::path::parent_path(path)))
      return createStringError("can't make '" + sys::path::parent_path(path) + "': " + error.message());
    Expected<kperf::AtomicFile> file = kperf::AtomicFile::open(path);
    if (!file)
      return file.takeError();
    if (Error error = file->commit(header.text))
      return error;
  }
  return Error::success();
}

StringRef kindName(kperf::format::RegionKind kind) {
  switch (kind) {
  case kperf::format::RegionKind::Kernel:
    return "kernel";
  case kperf::format::RegionKind::Scope:
    return "scope";
  case kperf::format::RegionKind::Range:
    return "range";
  case kperf::format::RegionKind::Mark:
    return "mark";
  case kperf::format::RegionKind::Pragma:
    return "pragma";
  case kperf::format::RegionKind::Automatic:
    return "automatic";
  case kperf::format::RegionKind::Calibration:
    return "calibration";
  case kperf::format::RegionKind::Wait:
    return "wait";
  case kperf::format::RegionKind::Signal:
    return "signal";
  }
  return "unknown";
}

void printRegions(const kperf::RewriteResult &result) {
  for (const kperf::Region &region : result.regions)
    outs() << kperf::cc::printable(region.file) << ':' << region.line << ':' << region.column << ": " << kindName(region.kind) << " \""
           << kperf::cc::printable(region.name) << "\" in " << region.function << (region.isSummed ? ", summed up" : "") << '\n';
  for (const kperf::SkippedSite &site : result.skipped)
    outs() << kperf::cc::printable(site.file) << ':' << site.line << ':' << site.column << ": left out \"" << site.name << "\" in "
           << site.function << ": " << site.reason << '\n';
}

Error printDiff(StringRef input, StringRef outputPath, const kperf::RewriteResult &result) {
  auto printOne = [](StringRef before, StringRef name, StringRef text) -> Error {
    ErrorOr<std::unique_ptr<MemoryBuffer>> original = MemoryBuffer::getFile(before);
    if (!original)
      return createStringError("can't read '" + before + "': " + original.getError().message());
    kperf::printLineDiff((*original)->getBuffer(), text, before, name, outs());
    return Error::success();
  };
  if (Error error = printOne(input, outputPath, result.text))
    return error;
  for (const kperf::OverlayFile &header : result.overlay)
    if (Error error = printOne(header.original, overlayName(outputPath) + header.path, header.text))
      return error;
  return Error::success();
}

/// Everything that the command's options say about the rewriting itself.
kperf::RewriteRequest requestFromOptions(const kperf::Selection &selection) {
  kperf::RewriteRequest request;
  request.target = target;
  request.architecture = architecture;
  request.toolkit = cudaPath;
  if (!probes.empty())
    request.probes.assign(probes.begin(), probes.end());
  request.selection = selection;
  request.strict = strict;
  return request;
}

/// Whether a source is HIP: by its name, or by `-x hip` among the flags.
bool isHipSource(StringRef input, ArrayRef<std::string> flags) {
  bool isNamed = sys::path::extension(input) == ".hip";
  for (std::size_t index = 0; index < flags.size(); ++index)
    if (StringRef(flags[index]).starts_with("-x"))
      isNamed = flags[index] == "-xhip" || (index + 1 < flags.size() && flags[index] == "-x" && flags[index + 1] == "hip");
  return isNamed;
}

int rewriteOne(const std::string &input, const std::vector<std::string> &clangArguments, bool isHip,
               const kperf::Selection &selection) {
  std::string path = outputName(input);
  std::optional<kperf::AtomicFile> file;
  if (writesFiles() && path != "-") {
    Expected<kperf::AtomicFile> opened = kperf::AtomicFile::open(path);
    if (!opened)
      return fail(toString(opened.takeError()));
    file.emplace(std::move(*opened));
  }
  kperf::RewriteRequest request = requestFromOptions(selection);
  request.input = input;
  request.isHip = isHip;
  if (isHip && target.getNumOccurrences() == 0)
    request.target = kperf::Target::Hip;
  request.clangArguments = clangArguments;
  request.outputDirectory = folderOf(path);
  request.overlayDirectory = overlayName(path);
  request.colour = sys::Process::StandardErrHasColors();
  Expected<kperf::RewriteResult> result = kperf::rewrite(request);
  if (!result) {
    errs() << kperf::cc::printable(toString(result.takeError()));
    return 2;
  }
  for (const kperf::RewriteDiagnostic &diagnostic : result->diagnostics)
    errs() << kperf::cc::printable(diagnostic.rendered);

  if (!result->records && selectionFile.empty()) // whose rules may be meant for other files
    errs() << "kperf-rewrite: nothing in '" << kperf::cc::printable(input) << "' is to be recorded: "
           << (result->kernels ? "it has no annotation such as KPERF_SCOPE(\"name\"), and nothing is selected; --auto=kernels times kernels as they are"
                               : "it has no kernel, and no annotation")
           << '\n';
  if (listRegions)
    printRegions(*result);
  if (diff)
    if (Error error = printDiff(input, path, *result))
      return fail(toString(std::move(error)));
  if (!writesFiles())
    return 0;
  if (Error error = writeOverlay(*result, request.overlayDirectory))
    return fail(toString(std::move(error)));
  if (path == "-")
    outs() << result->text;
  else if (Error error = file->commit(result->text))
    return fail(toString(std::move(error)));
  if (!result->overlay.empty())
    errs() << "kperf-rewrite: rewritten headers are in " << kperf::cc::printable(request.overlayDirectory) << '\n';
  return 0;
}

/// The words that the results depend on: all but where they come from, where they go, and how many are made at a time.
std::vector<std::string> optionsOfResults(ArrayRef<const char *> words) {
  std::vector<std::string> options;
  for (std::size_t index = 0; index < words.size(); ++index) {
    StringRef word = words[index];
    if (word == "-p" || word == "-o" || word == "-j")
      ++index;
    else if (!word.starts_with("-j") && !word.starts_with("-p=") && !word.starts_with("-o="))
      options.push_back(word.str());
  }
  return options;
}

int rewriteDatabase(ArrayRef<const char *> words, bool hasFlags, const kperf::Selection &selection) {
  if (!inputs.empty() || hasFlags)
    return fail("with -p the files and their flags come from the database: leave out '" +
                (inputs.empty() ? "--" : inputs.front()) + "'");
  if (output.empty() || output == "-")
    return fail("-p needs a folder for what it writes: kperf-rewrite -p build -o outdir");
  if (!writesFiles())
    return fail("-p writes files: leave out --diff, --list-regions and --dry-run");
  for (const std::string &probe : probes)
    if (!kperf::rewriterNamed(probe))
      return fail("there is no rewriter named '" + probe + "': --list-rewriters lists them");
  kperf::batch::BatchOptions batch;
  batch.database = database;
  batch.outputFolder = output;
  batch.jobs = jobs;
  batch.settings = requestFromOptions(selection);
  batch.isHost = target == kperf::Target::Host;
  batch.options = optionsOfResults(words.drop_front());
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> rules = MemoryBuffer::getFile(selectionFile))
    batch.options.push_back("rules " + utohexstr(xxh3_64bits((*rules)->getBuffer())));
  Expected<int> end = kperf::batch::runBatch(batch);
  return end ? *end : fail(toString(end.takeError()));
}

Expected<std::vector<std::string>> clangArgumentsFrom(std::vector<std::string> flags, bool isHip) {
  if (!flags.empty() && kperf::dialectOfCompiler(flags.front()))
    flags.erase(flags.begin());
  const bool isForNvcc = !isHip || (target == kperf::Target::Cuda && target.getNumOccurrences() > 0);
  auto command = kperf::translateCommand(isForNvcc ? kperf::Dialect::Nvcc : kperf::Dialect::Hipcc, flags);
  if (!command)
    return command.takeError();
  for (const std::string &warning : command->warnings)
    errs() << "kperf-rewrite: warning: " << kperf::cc::printable(warning) << '\n';
  if (architecture.empty() && !command->architectures.empty() &&
      any_of(flags, [](StringRef flag) { return flag.contains("arch") || flag.contains("gencode"); }))
    architecture = command->architectures.back();
  return command->clangArguments;
}

/// What --auto and --select ask for.
Expected<kperf::Selection> selectionFrom() {
  return kperf::makeSelection({automatic, selectionFile, automaticGuard, aggregate, extremes, histogram,
                               sample.getNumOccurrences() ? std::optional<std::string>(sample) : std::nullopt});
}

} // namespace

int main(int argc, char **argv) {
  kperf::deepenStack();
  // What follows -- is a compiler's; LLVM's parser would take it for files.
  std::vector<const char *> own(argv, argv + argc);
  std::vector<std::string> flags;
  const auto dashes = std::find_if(own.begin(), own.end(), [](StringRef word) { return word == "--"; });
  const bool hasFlags = dashes != own.end();
  if (hasFlags) {
    flags.assign(dashes + 1, own.end());
    own.erase(dashes, own.end());
  }
  cl::HideUnrelatedOptions(category);
  auto &common = cl::getRegisteredOptions(cl::SubCommand::getAll());
  if (auto list = common.find("help-list"); list != common.end())
    list->second->setDescription("Display the options without their groups"); // LLVM prints more than 80 columns
  cl::SetVersionPrinter([](raw_ostream &out) { out << "kperf-rewrite " KPERF_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(own.size(), own.data(),
                                   "Inserts probes at the annotations of CUDA and HIP sources.\n", &errs()))
    return 2;
  for (const std::string &plugin : plugins)
    if (Error error = kperf::loadPlugin(plugin))
      return fail(toString(std::move(error)));
  if (listRewriters) {
    for (const kperf::Rewriter &rewriter : kperf::allRewriters())
      outs() << rewriter.name << "  " << rewriter.summary << '\n';
    return 0;
  }
  Expected<kperf::Selection> selection = selectionFrom();
  if (!selection)
    return fail(toString(selection.takeError()));
  if (!database.empty())
    return rewriteDatabase(own, hasFlags, *selection);
  if (inputs.empty())
    return fail("no input file: kperf-rewrite kernel.cu [-o out.cu] [-- compile flags]");
  if (inputs.size() > 1 && writesFiles() && (output.empty() || !sys::fs::is_directory(output)))
    return fail("several input files need -o and a folder that exists");
  std::set<std::string> names;
  for (const std::string &input : inputs)
    if (!names.insert(outputName(input)).second)
      return fail("two input files would both be written to '" + outputName(input) + "'");
  const auto isHipHere = [&](StringRef input) { return target == kperf::Target::Hip || isHipSource(input, flags); };
  Expected<std::vector<std::string>> clangArguments = clangArgumentsFrom(flags, any_of(inputs, isHipHere));
  if (!clangArguments)
    return fail(toString(clangArguments.takeError()));
  int worst = 0;
  for (const std::string &input : inputs)
    worst = std::max(worst, rewriteOne(input, *clangArguments, isHipHere(input), *selection));
  return worst;
}
