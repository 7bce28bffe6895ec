// Decides for each declaration, as the parser reaches its body, whether that is skipped.
#include "rewriters/parse/UnreadBodies.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace llvm;

namespace kperf {

bool UnreadBodies::contains(const clang::Decl *declaration) {
  const clang::FunctionDecl *function = declaration->getAsFunction();
  if (!function)
    return false;
  const bool isReserved = function->getIdentifier() && function->getName().starts_with("__");
  const bool isForDevice = function->hasAttr<clang::CUDADeviceAttr>() || function->hasAttr<clang::CUDAGlobalAttr>();
  if (function->isConstexpr() || (isForDevice && !isReserved))
    return false;
  const clang::SourceManager &sources = function->getASTContext().getSourceManager();
  const clang::SourceLocation place = sources.getExpansionLoc(function->getLocation());
  return sources.isInSystemHeader(place) && !isRead(sources.getFileID(place), sources);
}

bool UnreadBodies::isRead(clang::FileID file, const clang::SourceManager &sources) {
  const auto [entry, isNew] = areRead.try_emplace(file, false);
  if (!isNew)
    return entry->second;
  const clang::OptionalFileEntryRef header = sources.getFileEntryRefForID(file);
  const StringRef text = sources.getBufferData(file);
  const bool isAnnotated = text.contains("KPERF_") || text.contains("pragma kperf"); // and so edited
  return entry->second = !header || isAnnotated || isLookedInto(header->getName());
}

} // namespace kperf
