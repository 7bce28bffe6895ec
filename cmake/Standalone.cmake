# KPERF_STANDALONE: programs that need nothing of a machine but its C library and libgcc_s, glibc 2.34 and later. LLVM, Clang and the
# others are linked in as archives; Clang's own headers are installed.
set(Protobuf_USE_STATIC_LIBS ON)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
add_compile_definitions(FMT_HEADER_ONLY) # of which Debian has no archive; --as-needed leaves the library out
set(KPERF_ARC4RANDOM ${PROJECT_SOURCE_DIR}/posix/Arc4Random.cpp)

# kperf_link_llvm(TARGET): of LLVM what reads sources. No code is generated.
function(kperf_link_llvm target)
  set(parts APINotes AST ASTMatchers Analysis AnalysisLifetimeSafety Basic Driver DynamicASTMatchers Edit Frontend Lex Options Parse Rewrite Sema
            Serialization Support Tooling ToolingCore)
  list(TRANSFORM parts PREPEND ${LLVM_LIBRARY_DIR}/libclang)
  list(TRANSFORM parts APPEND .a)
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX
       "libLLVM(AMDGPU|X86|ARM|AArch64|Mips|PowerPC|RISCV|Sparc|SystemZ|Hexagon|Lanai|AVR|BPF|MSP430|LoongArch|NVPTX|WebAssembly|XCore|VE|M68k|Xtensa|SPIRV|CSKY|DirectX|ARC|Dlltool|Fuzz|Exegesis|MCA|DWARF|Orc|JIT|LTO)")
  find_library(KPERF_ZLIB z REQUIRED)
  find_library(KPERF_ZSTD zstd REQUIRED)
  target_link_libraries(${target} PUBLIC -Wl,--start-group ${parts} ${archives} -Wl,--end-group ${KPERF_ZLIB} ${KPERF_ZSTD})
endfunction()
