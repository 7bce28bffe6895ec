// Reads small functions, and follows the object of their construct back to a parameter.
#include "rewriters/construct/SyncWrapper.h"

#include "rewriters/construct/SideEffects.h"
#include "rewriters/unit/FunctionBodies.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <utility>

using namespace llvm;
using clang::Expr;
using clang::Stmt;

namespace kperf {

namespace {

/// "%2" or "%[name]", alone; else nothing.
std::optional<unsigned> operandNumber(const clang::GCCAsmStmt *assembly, StringRef text) {
  unsigned number = 0;
  text = text.trim();
  if (!text.consume_front("%"))
    return std::nullopt;
  if (text.consume_front("[") && text.consume_back("]")) {
    const int named = assembly->getNamedOperand(text);
    return named < 0 ? std::nullopt : std::optional(static_cast<unsigned>(named));
  }
  return text.getAsInteger(10, number) ? std::nullopt : std::optional(number);
}

/// Statements of a body and the constructs among them.
struct BodyCount {
  unsigned statements = 0, waits = 0, signals = 0, arrivals = 0;
  unsigned others = 0; ///< calls, instructions and assignments that are no part of a construct
  bool hasLoop = false;
  const Stmt *wait = nullptr, *signal = nullptr;

  void visit(const Stmt *statement) {
    if (!isa<Expr, clang::CompoundStmt, clang::LabelStmt, clang::AttributedStmt>(statement))
      ++statements;
    hasLoop |= isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::GotoStmt>(statement);
    if (std::optional<SyncConstruct> construct = syncConstruct(statement);
        construct && construct->operation != format::SyncOperation::Expect) {
      ++(construct->isWait() ? waits : signals);
      arrivals += construct->operation == format::SyncOperation::Arrive;
      (construct->isWait() ? wait : signal) = statement;
      isPoll |= construct->isPoll;
      return visitOperands(statement);
    }
    const auto *operation = dyn_cast<clang::BinaryOperator>(statement);
    others += (isa<clang::CallExpr, clang::AsmStmt>(statement) && !onlyReads(statement)) || (operation && operation->isAssignmentOp());
    for (const Stmt *child : statement->children())
      if (child)
        visit(child);
  }

  /// The construct that the body is for: the only one, but for arrivals at what it waits for. Null when there is none. One in C++
  /// has to be all that the body does.
  const Stmt *only(const Stmt *body) const {
    const bool isOne = waits == 1 ? signals == arrivals : waits == 0 && signals == 1;
    const Stmt *construct = waits ? wait : signal;
    if (!isOne || statements > kMaxStatements || (hasLoop && waits && !isPoll)) // a barrier in a loop is many
      return nullptr;
    const auto *block = dyn_cast<clang::CompoundStmt>(body);
    return isa<clang::GCCAsmStmt>(construct) || (block && block->size() == 1 && others == 0) ? construct : nullptr;
  }

private:
  /// What a construct is called with belongs to it.
  void visitOperands(const Stmt *construct) {
    const unsigned before = others;
    for (const Stmt *child : construct->children())
      if (child)
        visit(child);
    others = before;
  }

  bool isPoll = false;
  static constexpr unsigned kMaxStatements = 8;
};

/// Follows an expression through casts, conversions and initialisers to the one thing that it is made of.
class SourceOf {
public:
  explicit SourceOf(SyncWrapper &wrapper, const clang::FunctionDecl *function) : wrapper(wrapper), function(function) {}

  void follow(const Expr *expression) {
    if (!expression || ++steps > kMaxSteps)
      return;
    expression = expression->IgnoreParenCasts();
    if (const auto *number = dyn_cast<clang::IntegerLiteral>(expression))
      return constant(toString(number->getValue(), 10, /*Signed=*/false));
    if (isa<clang::CXXThisExpr>(expression))
      return object();
    if (const auto *member = dyn_cast<clang::MemberExpr>(expression))
      return memberOf(member->getBase());
    if (const auto *member = dyn_cast<clang::CXXDependentScopeMemberExpr>(expression))
      return member->isImplicitAccess() ? object() : memberOf(member->getBase());
    if (const auto *unary = dyn_cast<clang::UnaryOperator>(expression))
      return isAddress() && !unary->isIncrementDecrementOp() ? follow(unary->getSubExpr()) : void();
    if (const auto *binary = dyn_cast<clang::BinaryOperator>(expression))
      return sum(binary);
    if (const auto *call = dyn_cast<clang::CallExpr>(expression)) // of an address: __cvta_generic_to_shared and its kin
      return isAddress() && call->getNumArgs() == 1 ? follow(call->getArg(0)) : void();
    if (const auto *reference = dyn_cast<clang::DeclRefExpr>(expression))
      declared(reference->getDecl());
  }

private:
  static constexpr unsigned kMaxSteps = 16;

  void constant(std::string value) {
    wrapper.source = SyncWrapper::Source::Constant;
    wrapper.constant = std::move(value);
  }
  void object() { wrapper.source = SyncWrapper::Source::Object; }
  bool isAddress() const { return wrapper.construct.object == format::SyncObject::SharedBarrier; }

  /// Its address is the object's, but for an offset; a number is not.
  void memberOf(const Expr *base) {
    if (isAddress() || isa<clang::CXXThisExpr>(base->IgnoreParenCasts()))
      follow(base);
  }

  /// A parameter and a number, of what is no address.
  void sum(const clang::BinaryOperator *binary) {
    const Expr *right = binary->getRHS();
    Expr::EvalResult value;
    if (binary->getOpcode() != clang::BO_Add || right->isValueDependent() || !right->getType()->isIntegralOrEnumerationType() ||
        !right->EvaluateAsInt(value, function->getASTContext()) || value.Val.getInt().isNegative())
      return;
    follow(binary->getLHS());
    if (wrapper.source == SyncWrapper::Source::Parameter)
      wrapper.offset += value.Val.getInt().getZExtValue();
    else
      wrapper.source = SyncWrapper::Source::Nothing;
  }

  void declared(const clang::ValueDecl *declaration) {
    if (const auto *parameter = dyn_cast<clang::ParmVarDecl>(declaration)) {
      if (parameter->getDeclContext() != function)
        return;
      wrapper.source = SyncWrapper::Source::Parameter;
      wrapper.index = parameter->getFunctionScopeIndex();
      wrapper.isReference = parameter->getType()->isReferenceType();
    } else if (const auto *variable = dyn_cast<clang::VarDecl>(declaration)) {
      if (variable->isLocalVarDecl())
        follow(variable->getInit());
    } else if (const auto *parameter = dyn_cast<clang::NonTypeTemplateParmDecl>(declaration)) {
      const clang::FunctionTemplateDecl *pattern = function->getDescribedFunctionTemplate();
      if (pattern && is_contained(pattern->getTemplateParameters()->asArray(), parameter)) {
        wrapper.source = SyncWrapper::Source::Template;
        wrapper.index = parameter->getIndex();
      }
    }
  }

  SyncWrapper &wrapper;
  const clang::FunctionDecl *function;
  unsigned steps = 0;
};

/// Whether it is called as a member of an object.
bool isMember(const clang::FunctionDecl *function) {
  const auto *method = dyn_cast<clang::CXXMethodDecl>(function);
  return method && !method->isStatic();
}

} // namespace

/// What an operand of an instruction is, as it is written.
static AssemblyOperand operandOf(const clang::GCCAsmStmt *assembly, StringRef text) {
  if (!text.empty() && llvm::all_of(text, llvm::isDigit))
    return text.str();
  const std::optional<unsigned> number = operandNumber(assembly, text);
  if (!number || *number >= assembly->getNumOutputs() + assembly->getNumInputs())
    return nullptr;
  return *number < assembly->getNumOutputs() ? assembly->getOutputExpr(*number)
                                             : assembly->getInputExpr(*number - assembly->getNumOutputs());
}

AssemblyOperand arrivalsOfAssembly(const clang::GCCAsmStmt *assembly, const SyncConstruct &construct) {
  return operandOf(assembly, StringRef(construct.assembly).rsplit(',').second.trim());
}

AssemblyOperand assemblyOperand(const clang::GCCAsmStmt *assembly, const SyncConstruct &construct) {
  const StringRef instruction = construct.assembly;
  StringRef text;
  if (construct.operand == SyncOperand::Operand)
    text = instruction.drop_until(isSpace).split(',').first.trim();
  else if (construct.operand == SyncOperand::Address)
    text = bracketedOperand(instruction, /*isLast=*/false);
  else if (construct.operand == SyncOperand::LastAddress && instruction.contains("mbarrier::"))
    text = bracketedOperand(instruction, /*isLast=*/true);
  return operandOf(assembly, text);
}

SyncWrappers::SyncWrappers(const TranslationUnit &unit) {
  const std::vector<FunctionBody> &bodies = unit.analyses.get<FunctionBodies>(unit).all();
  for (const FunctionBody &function : bodies) {
    if (!isDeviceFunction(function.function) || function.function->hasAttr<clang::CUDAGlobalAttr>() || !function.function->getIdentifier())
      continue;
    BodyCount count;
    count.visit(function.body);
    const Stmt *construct = count.only(function.body);
    if (!construct)
      continue;
    SyncWrapper wrapper;
    wrapper.construct = *syncConstruct(construct);
    wrapper.isPoll = wrapper.construct.isPoll && !count.hasLoop && !function.function->getReturnType()->isVoidType();
    if (wrapper.construct.operand == SyncOperand::Pipeline || wrapper.construct.operand == SyncOperand::Completion)
      continue; // what it does depends on a type, which the function's own body knows best
    if (count.waits && count.arrivals)
      wrapper.construct.operation = format::SyncOperation::Barrier;
    AssemblyOperand operand;
    if (const auto *assembly = dyn_cast<clang::GCCAsmStmt>(construct))
      operand = assemblyOperand(assembly, wrapper.construct);
    else
      operand = operandOfCall(cast<clang::CallExpr>(construct), wrapper.construct);
    if (const auto *number = std::get_if<std::string>(&operand)) {
      wrapper.source = SyncWrapper::Source::Constant;
      wrapper.constant = *number;
    } else if (wrapper.construct.operand != SyncOperand::Group) {
      SourceOf(wrapper, function.function).follow(wrapper.number = std::get<const Expr *>(operand));
    }
    wrapper.at = construct;
    add(function.function, std::move(wrapper));
  }
  // A call of one of these may be all that another function does.
  constexpr unsigned kMaxLevels = 4;
  bool isChanged = true;
  for (unsigned level = 0; level < kMaxLevels && std::exchange(isChanged, false); ++level)
    for (const FunctionBody &function : bodies)
      if (isDeviceFunction(function.function) && !function.function->hasAttr<clang::CUDAGlobalAttr>() && function.function->getIdentifier())
        isChanged |= addNested(function);
  for (const FunctionBody &function : bodies)
    resolve(function);
  dropUnnamed();
}

/// Of a barrier that callers can't name, a member's element for example, the function's own body says which one it is. Names that other
/// functions share stay.
void SyncWrappers::dropUnnamed() {
  const auto isUnnamed = [](const SyncWrapper &wrapper) {
    return wrapper.source == SyncWrapper::Source::Nothing && wrapper.number && !wrapper.isPoll &&
           wrapper.construct.object == format::SyncObject::SharedBarrier;
  };
  const auto namesOf = [&](const clang::FunctionDecl *function) -> StringMap<SyncWrapper> & {
    return isMember(function) ? members : functions;
  };
  StringSet<> keptMembers, keptFunctions;
  for (const auto &[function, wrapper] : known)
    if (!isUnnamed(wrapper))
      (isMember(function) ? keptMembers : keptFunctions).insert(function->getName());
  std::erase_if(known, [&](const auto &each) {
    const bool isDropped = isUnnamed(each.second) && !(isMember(each.first) ? keptMembers : keptFunctions).contains(each.first->getName());
    if (isDropped)
      namesOf(each.first).erase(each.first->getName());
    return isDropped;
  });
}

void SyncWrappers::add(const clang::FunctionDecl *function, SyncWrapper wrapper) {
  const auto [entry, isNew] = (isMember(function) ? members : functions).try_emplace(function->getName(), wrapper);
  SyncWrapper &byName = entry->second;
  byName.isAmbiguous |= byName.construct.operation != wrapper.construct.operation || byName.construct.object != wrapper.construct.object;
  if (!isNew && (byName.source != wrapper.source || byName.index != wrapper.index || byName.constant != wrapper.constant ||
                 byName.offset != wrapper.offset))
    byName.source = SyncWrapper::Source::Nothing; // overloads
  known.try_emplace(function->getCanonicalDecl(), std::move(wrapper));
}

/// Takes for what a function does what the one that it calls does.
static void inherit(SyncWrapper &wrapper, const clang::FunctionDecl *function, const SyncWrapper &inner, const clang::CallExpr *call) {
  wrapper.construct = inner.construct;
  wrapper.offset = inner.offset;
  if (inner.source == SyncWrapper::Source::Constant) {
    wrapper.source = inner.source;
    wrapper.constant = inner.constant;
  } else if (inner.source == SyncWrapper::Source::Parameter && inner.index < call->getNumArgs()) {
    wrapper.number = call->getArg(inner.index);
    SourceOf(wrapper, function).follow(wrapper.number);
    if (wrapper.source == SyncWrapper::Source::Constant && inner.offset > 0)
      wrapper.source = SyncWrapper::Source::Nothing;
  }
}

/// Where a name alone said what a function's construct is, what is called knows better. Then callers may have to ask for the number.
void SyncWrappers::resolve(const FunctionBody &function) {
  const auto entry = known.find(function.function->getCanonicalDecl());
  if (entry == known.end())
    return;
  SyncWrapper &wrapper = entry->second;
  using Source = SyncWrapper::Source;
  const auto *call = wrapper.source == Source::Nothing ? dyn_cast_or_null<clang::CallExpr>(wrapper.at) : nullptr;
  if (const SyncWrapper *inner = call ? find(call) : nullptr) {
    inherit(wrapper, function.function, *inner, call);
    SyncWrapper &byName = (isMember(function.function) ? members : functions).find(function.function->getName())->second;
    byName.construct = wrapper.construct;
  }
  const bool isOfBlock = wrapper.number && wrapper.construct.object == format::SyncObject::BlockBarrier;
  if (isOfBlock && (wrapper.source == Source::Nothing || wrapper.source == Source::Object)) {
    wrapper.source = Source::Computed;
    wrapper.function = function.function;
  }
}

/// Takes a function for a wrapper that does nothing but call one, where the object can still be told. Whether it did.
bool SyncWrappers::addNested(const FunctionBody &function) {
  if (known.contains(function.function->getCanonicalDecl()))
    return false;
  const auto *body = dyn_cast<clang::CompoundStmt>(function.body);
  const auto *only = body && body->size() == 1 ? dyn_cast<Expr>(body->body_front()) : nullptr;
  const auto *call = only ? dyn_cast<clang::CallExpr>(only->IgnoreImplicit()) : nullptr;
  const SyncWrapper *inner = call ? find(call) : nullptr;
  if (!inner || inner->isPoll || inner->construct.operand == SyncOperand::Nothing || inner->construct.operand == SyncOperand::Group)
    return false;
  SyncWrapper wrapper;
  inherit(wrapper, function.function, *inner, call);
  const bool isNumberOfObject =
      wrapper.source == SyncWrapper::Source::Object && wrapper.construct.object != format::SyncObject::SharedBarrier;
  if (wrapper.source == SyncWrapper::Source::Nothing || isNumberOfObject) // a member of it that callers can't name
    return false;
  add(function.function, std::move(wrapper));
  return true;
}

namespace {

/// Whether an argument of that type may be one for that parameter: one that an enumeration is on either side of fits its own alone. Others,
/// and what only an instantiation knows, may.
bool mayFit(const Expr *argument, const clang::ParmVarDecl *parameter) {
  const clang::QualType given = argument->IgnoreImplicit()->getType(), taken = parameter->getType().getNonReferenceType();
  if (given->isDependentType() || taken->isDependentType() || !(given->isScopedEnumeralType() || taken->isEnumeralType()))
    return true;
  return given->getCanonicalTypeUnqualified() == taken->getCanonicalTypeUnqualified();
}

/// The function that a call is of. In a member of a class template Clang leaves that to instantiations where one of the overloads is no
/// static member, whatever the arguments: the only one that these fit. Null where it can't be told.
const clang::FunctionDecl *calledFunction(const clang::CallExpr *call) {
  if (const clang::FunctionDecl *callee = call->getDirectCallee())
    return callee;
  const auto *overloads = dyn_cast<clang::OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (!overloads || !overloads->getNamingClass())
    return nullptr;
  const clang::FunctionDecl *found = nullptr;
  for (const clang::NamedDecl *each : overloads->decls()) {
    const auto *function = dyn_cast<clang::FunctionDecl>(each->getUnderlyingDecl());
    if (!function) // a template
      return nullptr;
    const unsigned count = call->getNumArgs();
    const bool isOfCount = function->getMinRequiredArguments() <= count && (count <= function->getNumParams() || function->isVariadic());
    if (!isOfCount || !all_of(zip(call->arguments(), function->parameters()),
                              [](const auto &pair) { return mayFit(std::get<0>(pair), std::get<1>(pair)); }))
      continue;
    if (std::exchange(found, function))
      return nullptr;
  }
  return found;
}

} // namespace

const SyncWrapper *SyncWrappers::find(const clang::CallExpr *call) const {
  if (const clang::FunctionDecl *callee = calledFunction(call)) {
    if (const clang::FunctionDecl *pattern = callee->getTemplateInstantiationPattern())
      callee = pattern;
    const auto exact = known.find(callee->getCanonicalDecl());
    if (exact != known.end() || callee->hasBody())
      return exact == known.end() ? nullptr : &exact->second;
  }
  const std::string name = writtenName(call);
  return name.empty() ? nullptr : find(name, isMemberCall(call));
}

const SyncWrapper *SyncWrappers::find(StringRef name, bool isMember) const {
  const StringMap<SyncWrapper> &known = isMember ? members : functions;
  const auto found = known.find(name);
  return found == known.end() || found->second.isAmbiguous ? nullptr : &found->second;
}

bool SyncWrappers::isOne(const clang::FunctionDecl *function) const { return known.contains(function->getCanonicalDecl()); }

} // namespace kperf
