// kperf-rewrite: reads annotated CUDA or HIP source, writes instrumented source.
#include "decoder/io/Output.h"
#include "rewriters/Plugin.h"
#include "rewriters/Rewrite.h"
#include "rewriters/command/CommandLine.h"
#include "rewriters/rewriter/Rewriter.h"
#include "tool/batch/Batch.h"
#include "tool/batch/BatchReport.h"
#include "tool/cc/Messages.h"
#include "tool/options/OptionTable.h"
#include "tool/output/LineDiff.h"
#include "tool/output/RegionList.h"
#include "tool/output/SelectionText.h"
#include "tool/process/DeepStack.h"
#include "tool/process/Spelling.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <optional>
#include <set>

using namespace llvm;

namespace {

cl::OptionCategory category("kperf-rewrite options");

/// What the table says of an option.
struct Described {
  consteval explicit Described(const char *name) : row(kperf::options::option(kperf::options::Program::Rewrite, name)) {}
  template <typename Option> void apply(Option &option) const {
    cl::cat(category).apply(option);
    option.setArgStr(row.name);
    option.setDescription(row.help);
    if (row.value != kperf::options::Value::None)
      option.setValueStr(row.placeholder);
  }
  const kperf::options::OptionRow &row;
};

cl::list<std::string> inputs(cl::Positional, cl::desc("FILE... [-- compile flags]"), cl::cat(category));
cl::opt<std::string> database(Described("p"));
cl::opt<unsigned> jobs(Described("j"), cl::init(0), cl::Prefix);
cl::opt<std::string> output(Described("o"));
const cl::ValuesClass targets = {
#define KPERF_TARGET(word, target, help) {word, static_cast<int>(kperf::Target::target), help},
#include "tool/options/Options.def"
};
cl::opt<kperf::Target> target(Described("target"), cl::init(kperf::Target::Cuda), targets);
cl::list<std::string> probes(Described("probes"), cl::CommaSeparated);
cl::list<std::string> automatic(Described("auto"), cl::CommaSeparated);
cl::opt<std::string> automaticGuard(Described("auto-guard"));
cl::list<std::string> aggregate(Described("aggregate"), cl::CommaSeparated);
cl::opt<bool> extremes(Described("extremes"));
cl::opt<bool> histogram(Described("histogram"));
cl::opt<std::string> sample(Described("sample"), cl::ValueOptional);
cl::opt<std::string> selectionFile(Described("select"));
cl::opt<std::string> cudaPath(Described("cuda-path"));
cl::opt<std::string> architecture(Described("arch"));
cl::opt<bool> diff(Described("diff"));
cl::opt<bool> listRegions(Described("list-regions"));
cl::list<std::string> plugins(Described("load"));
cl::opt<bool> dumpSelection(Described("dump-selection"));
cl::opt<bool> listRewriters(Described("list-rewriters"));
cl::opt<bool> dryRun(Described("dry-run"));
cl::opt<bool> strict(Described("strict"));
kperf::SaidDiagnostics said; ///< of all inputs
kperf::SelectionText dumped; ///< likewise

/// Says what is wrong on standard error; the exit code of usage and input errors.
int fail(const Twine &message) {
  errs() << "kperf-rewrite: error: " << kperf::cc::printable(message) << '\n';
  return 2;
}

bool writesFiles() { return !diff && !listRegions && !dumpSelection && !dryRun; }

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

using kperf::decoder::OutputFile;

/// A signal that ends the program leaves nothing of it. `sources`: what it does not replace.
Expected<OutputFile> openOutput(const std::string &path, ArrayRef<std::string> sources = {}) {
  auto file = OutputFile::open(path, kperf::decoder::Replaces::NoTrace, sources);
  if (!file)
    return createStringError(file.error().text());
  if (!file->temporaryPath().empty())
    sys::RemoveFileOnSignal(file->temporaryPath());
  return std::move(*file);
}

Error finish(OutputFile &file, StringRef text) {
  const std::string temporary = file.temporaryPath();
  file.writeBytes(text);
  const kperf::decoder::Status status = file.finish();
  if (!status)
    return createStringError(status.error().text());
  sys::DontRemoveFileOnSignal(temporary);
  return Error::success();
}

Error writeOverlay(const kperf::RewriteResult &result, StringRef root) {
  for (const std::string &folder : result.overlayDirectories)
    if (std::error_code error = sys::fs::create_directories(root + folder))
      return createStringError("can't make '" + root + folder + "': " + error.message());
  for (const kperf::OverlayFile &header : result.overlay) {
    std::string path = root.str() + header.path;
    if (std::error_code error = sys::fs::create_directories(sys::path::parent_path(path)))
      return createStringError("can't make '" + sys::path::parent_path(path) + "': " + error.message());
    Expected<OutputFile> file = openOutput(path);
    if (!file)
      return file.takeError();
    if (Error error = finish(*file, header.text))
      return error;
  }
  return Error::success();
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

int rewriteOne(const std::string &input, const std::vector<std::string> &clangArguments, bool isHip, const kperf::Selection &selection) {
  std::string path = outputName(input);
  std::optional<OutputFile> file;
  if (writesFiles()) {
    Expected<OutputFile> opened = openOutput(path, {input, selectionFile.getValue()});
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
  request.overlay.directory = overlayName(path);
  request.colour = sys::Process::StandardErrHasColors();
  Expected<kperf::RewriteResult> result = kperf::rewrite(request);
  if (!result) {
    errs() << kperf::cc::printable(toString(result.takeError()));
    return 2;
  }
  for (const kperf::RewriteDiagnostic &diagnostic : result->diagnostics)
    if (said.isNew(diagnostic.rendered, input))
      errs() << kperf::cc::printable(diagnostic.rendered);

  if (!result->whyUnrecorded.empty() && !result->hasMistake() && selectionFile.empty()) // whose rules may be meant for other files
    errs() << "kperf-rewrite: nothing in '" << kperf::cc::printable(input) << "' is to be recorded: " << result->whyUnrecorded << '\n';
  if (listRegions)
    kperf::printRegions(*result, outs());
  if (dumpSelection)
    dumped.add(input, *result);
  if (diff)
    if (Error error = printDiff(input, path, *result))
      return fail(toString(std::move(error)));
  if (!writesFiles())
    return 0;
  if (Error error = writeOverlay(*result, request.overlay.directory))
    return fail(toString(std::move(error)));
  if (Error error = finish(*file, result->text))
    return fail(toString(std::move(error)));
  if (!result->overlay.empty())
    errs() << "kperf-rewrite: rewritten headers are in " << kperf::cc::printable(request.overlay.directory) << '\n';
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
    return fail("with -p the files and their flags come from the database: leave out '" + (inputs.empty() ? "--" : inputs.front()) + "'");
  if (!writesFiles())
    return fail("-p writes files, and does not show them: leave out --" +
                Twine(listRegions     ? "list-regions"
                      : dumpSelection ? "dump-selection"
                      : diff          ? "diff"
                                      : "dry-run") +
                ", or give a source for -p, with its flags behind --");
  if (output.empty() || output == "-")
    return fail("-p needs a folder for what it writes: kperf-rewrite -p build -o outdir");
  for (const std::string &probe : probes)
    if (!kperf::rewriterNamed(probe))
      return fail(kperf::unknownRewriter(probe));
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

int rewriteInputs(const std::vector<std::string> &flags, const kperf::Selection &selection) {
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
    worst = std::max(worst, rewriteOne(input, *clangArguments, isHipHere(input), selection));
  kperf::batch::printRepetitions(said);
  if (dumpSelection && worst == 0)
    if (Error error = dumped.print(outs()))
      return fail(toString(std::move(error)));
  return worst;
}

/// What --auto and --select ask for.
Expected<kperf::Selection> selectionFrom() {
  if (dumpSelection && automatic.empty() && selectionFile.empty())
    for (const char *kind : {"kernels", "functions", "loops", "barriers", "async"})
      automatic.push_back(kind);
  Expected<kperf::Selection> selection =
      kperf::makeSelection({automatic, selectionFile, automaticGuard, aggregate, extremes, histogram,
                            sample.getNumOccurrences() ? std::optional<std::string>(sample) : std::nullopt});
  if (dumpSelection && selection)
    kperf::SelectionText::prepare(*selection);
  return selection;
}

/// The exit code, 0 when all of the words that are options are known ones. LLVM's parser takes an unknown --porbes for -p, and a group.
int checkOptions(ArrayRef<const char *> words, const DenseMap<StringRef, cl::Option *> &options) {
  const auto isUnknown = [&](StringRef word) { return word.starts_with("--") && !options.contains(word.split('=').first.drop_front(2)); };
  const auto unknown = find_if(words, isUnknown);
  if (unknown == words.end())
    return 0;
  std::vector<std::string> names;
  for (const auto &[name, option] : options)
    if (option->getOptionHiddenFlag() == cl::NotHidden)
      names.push_back("--" + name.str());
  llvm::sort(names);
  const std::string name = StringRef(*unknown).split('=').first.str(), nearest = kperf::tool::nearestWord(name, names);
  return fail("unknown option '" + name + "'; " +
              (nearest.empty() ? "kperf-rewrite --help lists the options" : "did you mean '" + nearest + "'?"));
}

} // namespace

int main(int argc, char **argv) {
  kperf::deepenStack();
  llvm::CrashRecoveryContext::Enable(); // for what rewriters let Clang instantiate (rewriters/kernel/KernelUniformity.h)
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
  if (checkOptions(ArrayRef(own).drop_front(), cl::getRegisteredOptions()) != 0 ||
      !cl::ParseCommandLineOptions(own.size(), own.data(), "Inserts probes at the annotations of CUDA and HIP sources.\n", &errs()))
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
  return rewriteInputs(flags, *selection);
}
