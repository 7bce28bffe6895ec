// Looks names up in SyncConstructs.def.
#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/analysis/Callees.h"
#include "rewriters/analysis/PointerOrigin.h"
#include "rewriters/construct/PipelineState.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kperf {

namespace {

struct Row {
  llvm::StringLiteral name;
  format::SyncOperation operation;
  format::SyncObject object;
  SyncOperand operand;
};

#define KPERF_ROW(name, operation, object, operand)                                                                                        \
  {name, format::SyncOperation::operation, format::SyncObject::object, SyncOperand::operand},
constexpr Row kFunctions[] = {
#define KPERF_SYNC_FUNCTION KPERF_ROW
#include "rewriters/construct/SyncConstructs.def"
};
constexpr Row kMembers[] = {
#define KPERF_SYNC_MEMBER KPERF_ROW
#include "rewriters/construct/SyncConstructs.def"
};
constexpr Row kInstructions[] = {
#define KPERF_SYNC_INSTRUCTION KPERF_ROW
#include "rewriters/construct/SyncConstructs.def"
};
#undef KPERF_ROW

clang::DeclarationName calledDeclaration(const clang::CallExpr *call) {
  if (const auto *function = dyn_cast_or_null<clang::NamedDecl>(call->getCalleeDecl()))
    return function->getDeclName();
  const clang::Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto *member = dyn_cast<clang::CXXDependentScopeMemberExpr>(callee))
    return member->getMember();
  if (const auto *lookup = dyn_cast<clang::OverloadExpr>(callee))
    return lookup->getName();
  if (const auto *reference = dyn_cast<clang::DependentScopeDeclRefExpr>(callee))
    return reference->getDeclName();
  return {};
}

/// Functions that give another block's address for one of this block's.
constexpr llvm::StringLiteral kMappings[] = {"map_shared_rank", "__cluster_map_shared_rank", "mapa", "map_shared_addr"};

/// Whether one try is made, which a loop repeats until it succeeds.
bool isPoll(StringRef name) { return name.contains("try_wait") || name.contains("test_wait"); }

SyncConstruct constructOf(const Row &row) { return {row.name.str(), row.operation, row.object, row.operand, isPoll(row.name), {}}; }

/// An arrival where another block's shared memory may be meant: nothing here says which one, and at what address.
SyncConstruct remote(SyncConstruct construct) {
  construct.object = format::SyncObject::RemoteBarrier;
  construct.operand = SyncOperand::Nothing;
  return construct;
}

bool arrives(const SyncConstruct &construct) {
  return construct.operation == format::SyncOperation::Arrive && construct.object == format::SyncObject::SharedBarrier;
}

/// Whether the expression, or what the variable that it names begins as, maps an address to that of another block of the cluster.
bool mapsToOtherBlock(const clang::Stmt *expression, unsigned steps = 0) {
  constexpr unsigned kMaxSteps = 4; // through variables
  if (!expression)
    return false;
  if (const auto *call = dyn_cast<clang::CallExpr>(expression); call && is_contained(kMappings, writtenName(call)))
    return true;
  if (const auto *reference = dyn_cast<clang::DeclRefExpr>(expression))
    if (const auto *variable = dyn_cast<clang::VarDecl>(reference->getDecl()); variable && steps < kMaxSteps)
      return variable->isLocalVarDecl() && mapsToOtherBlock(variable->getInit(), steps + 1);
  return any_of(expression->children(), [&](const clang::Stmt *child) { return mapsToOtherBlock(child, steps); });
}

/// Whether an arrival is at a barrier of another block: <cuda/ptx> says so by a type, CUTLASS by the block's number.
bool isRemoteArrival(const clang::CallExpr *call, const SyncConstruct &construct) {
  const auto typeOf = [](const clang::Expr *expression) { return expression->IgnoreImplicit()->getType().getAsString(); };
  if (any_of(call->arguments(), [&](const clang::Expr *argument) { return StringRef(typeOf(argument)).contains("space_cluster"); }))
    return true;
  if (mapsToOtherBlock(operandOfCall(call, construct)))
    return true;
  const clang::Expr *object = isMemberCall(call) ? calledObject(call) : nullptr;
  const unsigned own = construct.name == "arrive" ? 0 : 1; // arguments where the barrier is the block's own
  const std::string type = object ? typeOf(object) : std::string();
  return StringRef(type).contains("Cluster") && StringRef(type).contains("Barrier") && call->getNumArgs() > own;
}

/// Whether the object's type is called a barrier: "init" is what much else is called.
bool isOfBarrier(const clang::CallExpr *call, const SyncConstruct &construct) {
  const clang::Expr *object = operandOfCall(call, construct);
  return object && StringRef(object->IgnoreImplicit()->getType().getAsString()).contains_insensitive("barrier");
}

/// From where the text holds the instruction, at the beginning of a word, to its end; empty where it does not.
StringRef instructionIn(StringRef text, StringRef instruction) {
  for (std::size_t at = text.find(instruction); at != StringRef::npos; at = text.find(instruction, at + 1))
    if (at == 0 || !(isAlnum(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '_'))
      return text.drop_front(at).split(';').first;
  return {};
}

} // namespace

std::optional<SyncConstruct> syncInstruction(StringRef text) {
  for (const Row &row : kInstructions)
    if (StringRef instruction = instructionIn(text, row.name); !instruction.empty()) {
      SyncConstruct construct = constructOf(row);
      construct.assembly = instruction.str();
      construct.isPoll = construct.isPoll && instructionIn(text, "bra").empty(); // else it tries again by itself
      return arrives(construct) && instruction.contains("shared::cluster") ? remote(std::move(construct)) : construct;
    }
  return std::nullopt;
}

StringRef bracketedOperand(StringRef instruction, bool isLast) {
  StringRef found;
  while (instruction.contains('[')) {
    instruction = instruction.split('[').second;
    std::size_t end = instruction.find(']');
    if (instruction.ltrim().starts_with("%[") && end != StringRef::npos)
      end = instruction.find(']', end + 1);
    found = instruction.take_front(end);
    instruction = instruction.drop_front(std::min(end, instruction.size()));
    if (!isLast)
      break;
  }
  return found;
}

std::string writtenName(const clang::CallExpr *call) { return calledDeclaration(call).getAsString(); }

std::string qualifiedCalledName(const clang::CallExpr *call) {
  const auto *function = dyn_cast_or_null<clang::NamedDecl>(call->getCalleeDecl());
  return function ? function->getQualifiedNameAsString() : writtenName(call);
}

bool isMemberCall(const clang::CallExpr *call) {
  const clang::Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  return isa<clang::MemberExpr, clang::CXXDependentScopeMemberExpr, clang::UnresolvedMemberExpr>(callee);
}

const clang::Expr *calledObject(const clang::CallExpr *call) {
  const clang::Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto *member = dyn_cast<clang::MemberExpr>(callee))
    return member->isImplicitAccess() ? nullptr : member->getBase();
  if (const auto *dependent = dyn_cast<clang::CXXDependentScopeMemberExpr>(callee))
    return dependent->isImplicitAccess() ? nullptr : dependent->getBase();
  if (const auto *lookup = dyn_cast<clang::UnresolvedMemberExpr>(callee))
    return lookup->isImplicitAccess() ? nullptr : lookup->getBase();
  return nullptr;
}

bool isPointer(const clang::Expr *expression) { return PointerOrigins::isPointer(expression->IgnoreImplicit()); }

const clang::Expr *operandOfCall(const clang::CallExpr *call, const SyncConstruct &construct) {
  const unsigned count = call->getNumArgs();
  const clang::Expr *first = count ? call->getArg(0) : nullptr, *last = count ? call->getArg(count - 1) : nullptr;
  switch (construct.operand) {
  case SyncOperand::Argument:
  case SyncOperand::Reference:
    return first;
  case SyncOperand::Pointer: {
    const auto found = find_if(call->arguments(), isPointer);
    return found == call->arguments().end() ? nullptr : *found;
  }
  case SyncOperand::LastPointer:
    return last && isPointer(last) ? last : nullptr;
  case SyncOperand::Group:
  case SyncOperand::Pipeline:
    return isMemberCall(call) ? calledObject(call) : first;
  case SyncOperand::Base:
    return calledObject(call);
  case SyncOperand::Completion:
    return last;
  case SyncOperand::Nothing:
  case SyncOperand::Template:
  case SyncOperand::Operand:
  case SyncOperand::Address:
  case SyncOperand::LastAddress:
  case SyncOperand::With:
    return nullptr;
  }
  return nullptr;
}

const clang::Expr *arrivalsOfCall(const clang::CallExpr *call) {
  const unsigned at = isMemberCall(call) ? 0 : 1;
  return call->getNumArgs() > at ? call->getArg(at) : nullptr;
}

std::optional<SyncConstruct> syncConstruct(const clang::Stmt *statement) {
  if (const auto *assembly = dyn_cast<clang::GCCAsmStmt>(statement))
    return syncInstruction(assembly->getAsmString());
  const auto *call = dyn_cast<clang::CallExpr>(statement);
  if (!call)
    return std::nullopt;
  const std::string name = writtenName(call);
  for (const Row &row : isMemberCall(call) ? ArrayRef<Row>(kMembers) : ArrayRef<Row>(kFunctions))
    if (row.name == name) {
      SyncConstruct construct = constructOf(row);
      if (construct.operation == format::SyncOperation::Expect && name == "init" && !isOfBarrier(call, construct))
        return std::nullopt;
      return arrives(construct) && isRemoteArrival(call, construct) ? remote(std::move(construct)) : construct;
    }
  return std::nullopt;
}

/// The variable that a lambda is; null for others, and where it has none.
static const clang::VarDecl *variableOf(const clang::CXXRecordDecl *lambda) {
  const auto *around = dyn_cast<clang::FunctionDecl>(lambda->getDeclContext());
  if (!around)
    return nullptr;
  for (const clang::Decl *declared : around->decls())
    if (const auto *variable = dyn_cast<clang::VarDecl>(declared))
      if (const clang::LambdaExpr *made = lambdaIn(variable); made && made->getLambdaClass() == lambda)
        return variable;
  return nullptr;
}

bool isNamedConstruct(const clang::FunctionDecl *function) {
  const auto *method = dyn_cast<clang::CXXMethodDecl>(function);
  const bool isLambda = method && method->getParent()->isLambda();
  const clang::NamedDecl *named = isLambda ? static_cast<const clang::NamedDecl *>(variableOf(method->getParent())) : function;
  if (!named || !named->getIdentifier())
    return false;
  const bool isMember = method && !isLambda && !method->isStatic();
  return any_of(isMember ? ArrayRef<Row>(kMembers) : ArrayRef<Row>(kFunctions),
                [&](const Row &row) { return row.name == named->getName() && row.operation != format::SyncOperation::Expect; });
}

/// The only local variable of that name; null where there is none, or several.
static const clang::VarDecl *localNamed(StringRef name, const clang::FunctionDecl *function) {
  const clang::VarDecl *found = nullptr;
  for (const clang::Decl *declared : function->decls())
    if (const auto *variable = dyn_cast<clang::VarDecl>(declared); variable && variable->getIdentifier() && variable->getName() == name) {
      if (found)
        return nullptr;
      found = variable;
    }
  return found;
}

const clang::VarDecl *variableNamed(const clang::Expr *expression, const clang::FunctionDecl *function) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto *lost = dyn_cast<clang::RecoveryExpr>(expression)) {
    if (lost->subExpressions().empty() && function) {
      const clang::ASTContext &context = function->getASTContext();
      return localNamed(clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(lost->getSourceRange()),
                                                    context.getSourceManager(), context.getLangOpts()),
                        function);
    }
    if (lost->subExpressions().size() == 1)
      expression = lost->subExpressions().front()->IgnoreParenImpCasts();
  }
  const auto *reference = dyn_cast<clang::DeclRefExpr>(expression);
  return reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/// make_pipeline() is of the calling thread, make_pipeline(group, &state) of a group.
static std::optional<PipelineKind> pipelineMadeFor(const clang::VarDecl *variable) {
  const auto *call = variable && variable->getInit() ? dyn_cast<clang::CallExpr>(variable->getInit()->IgnoreImplicit()) : nullptr;
  if (!call || writtenName(call) != "make_pipeline")
    return std::nullopt;
  return call->getNumArgs() == 0 ? PipelineKind::OfThread : PipelineKind::OfSeveral;
}

std::optional<PipelineKind> pipelineKind(const clang::Expr *expression, const clang::FunctionDecl *function) {
  const clang::VarDecl *variable = variableNamed(expression, function);
  if (variable && variable->isInvalidDecl())
    return pipelineMadeFor(variable);
  if (variable && variable->getType()->isDependentType() && pipelineState(variable))
    return PipelineKind::OfSeveral;
  clang::QualType type = expression->IgnoreImplicit()->getType().getNonReferenceType();
  if (type->isPointerType())
    type = type->getPointeeType();
  const auto *record = dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || record->getName() != "pipeline" || record->getTemplateArgs().size() == 0)
    return std::nullopt;
  const clang::TemplateArgument &scope = record->getTemplateArgs()[0];
  const auto *scopes = scope.getKind() == clang::TemplateArgument::Integral
                           ? dyn_cast_or_null<clang::EnumDecl>(scope.getIntegralType()->getAsTagDecl())
                           : nullptr;
  if (!scopes)
    return std::nullopt;
  const auto isThread = [&](const clang::EnumConstantDecl *each) {
    return each->getName().ends_with("thread_scope_thread") && APSInt::isSameValue(each->getInitVal(), scope.getAsIntegral());
  };
  return any_of(scopes->enumerators(), isThread) ? PipelineKind::OfThread : PipelineKind::OfSeveral;
}

} // namespace kperf
