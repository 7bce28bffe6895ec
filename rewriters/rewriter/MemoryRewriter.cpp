// The memory rewriter: accesses to memory become calls that count them and give back what they were given.
#include "rewriters/access/AccessFinder.h"
#include "rewriters/analysis/RunsOnce.h"
#include "rewriters/kernel/KernelProbes.h"
#include "rewriters/kernel/SampledLoops.h"
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/unit/FunctionBodies.h"
#include "rewriters/unit/LoopVariables.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <tuple>

using namespace llvm;
using kperf::format::SiteKind;

namespace kperf {
namespace {

/// The bytes of an expression in one file.
class MemoryPlanner {
public:
  explicit MemoryPlanner(const RewriteContext &context)
      : unit(context.unit), planned(context.plan), kernels(context.kernels), additions(context.plan) {}

  RewriterResult run() && {
    const std::vector<FunctionBody> &bodies = deviceBodies(unit);
    PointerOrigins origins;
    origins.learn(bodies);
    for (const FunctionBody &body : bodies) {
      name = functionName(body.function);
      function = body.function;
      const LoopVariables variables(unit, body.body);
      loops = &variables;
      outsideLoops = body.function->hasAttr<clang::CUDAGlobalAttr>() ? &unit.analyses.get<RunsOnce>(body.body) : nullptr;
      std::vector<Access> accesses = findAccesses(unit.context, origins, body.function, body.body);
      if (mayRunAtCompileTime(body.function))
        for (Access &access : accesses)
          if (access.reason.empty())
            access.reason = "its function is constexpr and may run at compile time";
      leaveOutMixed(accesses);
      DenseSet<const clang::Stmt *> counted;
      for (const Access &access : accesses)
        if (access.reason.empty() && kernels.setting.samplesIterations)
          counted.insert(access.expression);
      SampledLoops ofBody(unit, planned, body.body, counted);
      sampledLoops = &ofBody;
      for (std::size_t index = 0, run = 0; index < accesses.size(); index += run) {
        run = runOfUnseen(ArrayRef(accesses).drop_front(index));
        plan(accesses[index], run - 1);
      }
      ofBody.plan(additions, kernels.isCopied(unit, function));
    }
    return {std::move(additions), std::move(needs)};
  }

private:
  /// How many of the accesses, from the first on, one row of the table stands for: of a statement, more than a few that
  /// are left out for one reason. An instruction of a tensor core has 128 registers, and headers have thousands of
  /// them.
  std::size_t runOfUnseen(ArrayRef<Access> accesses) const {
    constexpr std::size_t kMaxOneByOne = 8;
    std::size_t run = 1;
    while (run < accesses.size() && !accesses[0].reason.empty() && accesses[run].reason == accesses[0].reason &&
           areInOneStatement(accesses[run - 1], accesses[run]))
      ++run;
    return run > kMaxOneByOne ? run : 1;
  }

  bool areInOneStatement(const Access &one, const Access &other) const {
    const Place from = unit.expansionPlace(one.expression->getBeginLoc()), to = unit.expansionPlace(other.expression->getBeginLoc());
    return from.file == to.file && from.offset <= to.offset &&
           unit.sources.getBufferData(from.file).slice(from.offset, to.offset).find_first_of(";{}") == StringRef::npos;
  }

  /// A macro may use an argument in several places: its text is one, and has one probe for all of them.
  void leaveOutMixed(MutableArrayRef<Access> accesses) const {
    std::map<std::tuple<clang::FileID, unsigned, unsigned>, SmallVector<Access *, 2>> byText;
    for (Access &access : accesses)
      if (access.reason.empty() && access.expression->getBeginLoc().isMacroID())
        if (const std::optional<ExpressionSpan> span = spanOfExpression(unit, access.expression))
          byText[{span->file, span->begin, span->end}].push_back(&access);
    for (const auto &[text, uses] : byText)
      if (any_of(uses, [&, first = uses.front()->kind](const Access *use) { return use->kind != first; }))
        for (Access *use : uses)
          use->reason = "its macro reads it in one place and writes it in another";
  }

  /// Kernels that budget their registers by hand have none for a call. What a header holds may not depend on who
  /// includes it.
  bool needsInline(clang::FileID file) {
    const bool isMain = file == unit.sources.getMainFileID();
    auto [known, isNew] = budgeted.try_emplace(file, false);
    if (!isNew)
      return known->second;
    auto holds = [](StringRef text) { return text.contains("wgmma") || text.contains("setmaxnreg"); };
    bool result = holds(unit.sources.getBufferData(file));
    if (isMain)
      for (const IncludeUse &include : unit.preprocessing.includes)
        if (include.target && !result)
          result = holds(unit.textOf(*include.target));
    return budgeted[file] = result;
  }

  /// `more`: accesses behind it that its row stands for.
  void plan(Access &access, std::size_t more) {
    std::optional<ExpressionSpan> span = spanOfExpression(unit, access.expression);
    if (!span && access.reason.empty())
      access.reason = "a macro writes it";
    Place place = span ? Place{span->file, span->begin} : unit.expansionPlace(access.expression->getBeginLoc());
    if (!unit.sources.getFileEntryRefForID(place.file) || unit.sources.isInSystemHeader(access.expression->getBeginLoc()))
      return;
    for (const clang::Expr *repeated : {access.size, access.condition})
      if (repeated && access.reason.empty() && textOf(repeated).empty())
        access.reason = "an operand that its probe needs cannot be read off the text";
    Site site = siteOf(access, place, span);
    if (more > 0)
      site.expression += " and " + utostr(more) + " more";
    const std::size_t index = additions.addSite(std::move(site));
    if (!access.reason.empty())
      return;
    needs.kernelsWithAccesses.insert(function);
    const std::string &path = unit.pathOf(span->file);
    StringRef before = StringRef(unit.fileAt(path).text).take_front(span->begin);
    bool needsSpace = !before.empty() && !isSpace(before.back()) && !StringRef("([{;,!").contains(before.back());
    const StringRef variable = loops->at(place, access.expression);
    const bool isOfIteration = sampledLoops->use(access.expression);
    const std::string prefix = isOfIteration ? "{kperf_sample, " : variable.empty() ? "" : "{";
    const std::string iteration = variable.empty() ? "" : (", int(" + variable + ")").str();
    Edit open{path,
              span->begin,
              EditOrder::Open,
              (needsSpace ? " " : "") + callOf(access, needsInline(span->file)) +
                  (kernels.isCopied(unit, function) ? "kperf_isRecorded, " : "") + prefix,
              std::nullopt,
              iteration + (prefix.empty() ? ", " : "}, ") + throughOpen(access)};
    open.site = index;
    additions.addEdit(std::move(open));
    Edit close{path, span->end, EditOrder::Close, endOfCall(access), std::nullopt, {}};
    close.closes = index;
    additions.addEdit(std::move(close));
  }

  /// As the source has it, on one line; "" where that is not to be had.
  std::string textOf(const clang::Expr *expression) const {
    const std::optional<ExpressionSpan> span = spanOfExpression(unit, expression);
    const std::string path = span ? unit.pathOf(span->file) : "";
    const StringRef text = span ? StringRef(unit.fileAt(path).text).slice(span->begin, span->end) : StringRef();
    return text.contains("//") ? "" : join(split(text), " ");
  }

  /// How many bytes it accesses, in C++.
  std::string bytesOf(const Access &access) const {
    return access.size ? "static_cast<unsigned>(" + textOf(access.size) + ")" : utostr(access.bytes) + (access.isBulk ? "u" : "");
  }

  static std::string throughOpen(const Access &access) {
    return access.openPointer.empty() ? "" : "::kperf::through<decltype(" + access.openPointer + ")>(";
  }

  std::string endOfCall(const Access &access) const {
    if (!access.openPointer.empty())
      return "))";
    const std::string size = access.isBulk ? ", " + bytesOf(access) : "";
    if (!access.condition)
      return size + ")";
    return size + ", (" + textOf(access.condition) + ") " + (access.isNegated ? "==" : "!=") + " 0)";
  }

  std::string callOf(const Access &access, bool isInline) const {
    const std::string space = isInline ? "::kperf::inlined::" : "::kperf::", when = access.condition ? "If" : "";
    if (access.isBulk) // the kind is the site's
      return space + "bulkAddress" + when + "(";
    if (access.isOperand)
      return space + "asm" + (access.kind == SiteKind::Atomic ? "Atomic" : "") + (access.isShared ? "Shared" : "") + "Address" + when +
             "<" + bytesOf(access) + ">(";
    std::string name = access.kind == SiteKind::Store    ? "store"
                       : access.kind == SiteKind::Update ? "update"
                       : access.kind == SiteKind::Atomic ? "atomic"
                       : access.isConstant               ? "loadConstant"
                                                         : "load";
    if (access.hasOwnBytes)
      name += "Bytes";
    if (access.isAddress)
      name += "At";
    if (access.isObject)
      name += "Of";
    if (access.hasOwnBytes)
      name += "<" + utostr(access.bytes) + ">";
    return space + name + "(";
  }

  Site siteOf(const Access &access, Place place, std::optional<ExpressionSpan> span) {
    Region at = unit.regionAt(place, format::RegionKind::Kernel, {});
    Site site;
    site.kind = access.reason.empty() ? access.kind : SiteKind::Unseen;
    site.reason = access.reason;
    site.function = withMacros(name, unit.fileAt(at.path));
    site.file = at.file;
    site.source = at.source;
    site.line = at.line;
    site.column = at.column;
    site.path = at.path;
    site.offset = place.offset;
    site.end = span ? span->end : place.offset;
    site.bytes = access.bytes;
    StringRef text = StringRef(unit.fileAt(at.path).text).slice(site.offset, span ? site.end : endOfMacro(access));
    site.expression = join(split(text), " ");
    site.width = text.take_until([](char letter) { return letter == '\n' || letter == '\r'; }).size();
    site.region = regionAround(site);
    site.runsOnce = access.reason.empty() && outsideLoops && outsideLoops->isOnce(access.expression);
    site.isCompiled = !access.isAddress && !access.isObject && !access.isOperand && !access.isBulk && !access.isConstant;
    describeObject(access.expression, site);
    return site;
  }

  /// What the access is a part of, and where in it.
  void describeObject(const clang::Expr *expression, Site &site) const {
    unsigned place = 0;
    const clang::Expr *part = expression->IgnoreParens();
    if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(part)) {
      site.object = textOf(element->getBase());
      return;
    }
    for (const auto *member = dyn_cast<clang::MemberExpr>(part); member; member = dyn_cast<clang::MemberExpr>(part)) {
      const auto *field = dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      if (!field || field->isBitField() || field->getParent()->isDependentType() || field->getParent()->isInvalidDecl())
        return;
      place += static_cast<unsigned>(unit.context.getFieldOffset(field) / 8);
      part = member->getBase()->IgnoreParenImpCasts();
      if (member->isArrow())
        break;
    }
    if (part == expression->IgnoreParens())
      return;
    site.object = textOf(part);
    if (!site.object.empty())
      site.place = place;
  }

  /// One past the use of the macro that writes the access.
  unsigned endOfMacro(const Access &access) const {
    Place last = unit.expansionEnd(access.expression->getEndLoc());
    return last.offset + static_cast<unsigned>(unit.layoutOf(last.file).tokenText(last.offset).size());
  }

  static SmallVector<StringRef> split(StringRef text) {
    SmallVector<StringRef> words;
    SplitString(text, words);
    return words;
  }

  /// The region that begins last of those whose lines hold the site.
  std::optional<std::size_t> regionAround(const Site &site) const {
    const std::vector<Region> &regions = planned.regions();
    std::optional<std::size_t> best;
    for (std::size_t index = 0; index < regions.size(); ++index) {
      const Region &region = regions[index];
      bool holds =
          region.kind != format::RegionKind::Mark && region.path == site.path && region.offset < site.offset && site.line <= region.endLine;
      if (holds && (!best || regions[*best].offset < region.offset))
        best = index;
    }
    return best;
  }

  const TranslationUnit &unit;
  const Plan &planned;
  const KernelProbes &kernels;
  PlanAdditions additions;
  KernelNeeds needs;
  std::string name;
  const clang::FunctionDecl *function = nullptr;
  const LoopVariables *loops = nullptr;   ///< of the function
  const RunsOnce *outsideLoops = nullptr; ///< of a kernel: what a warp comes to once; null for other functions
  SampledLoops *sampledLoops = nullptr;   ///< of the function
  DenseMap<clang::FileID, bool> budgeted;
};

} // namespace

RewriterResult planMemory(const RewriteContext &context) { return MemoryPlanner(context).run(); }

} // namespace kperf
