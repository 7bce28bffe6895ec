# The wrapper compiler. Its parts are a library too, so that unit tests reach them.
add_library(kperf_cc STATIC
            cc/Build.cpp cc/ColouredLine.cpp cc/ColumnMap.cpp cc/CompilerMessages.cpp process/CrashFallback.cpp cc/Culprits.cpp cc/DependencyFile.cpp cc/DeviceTrials.cpp cc/HostBuild.cpp cc/HostPrelude.cpp cc/HostRefusal.cpp cc/Installation.cpp
            cc/Instrument.cpp cc/KernelChanges.cpp cc/NativeArchitecture.cpp cc/NvrtcSource.cpp cc/Options.cpp process/Process.cpp process/LineRelay.cpp process/Spawn.cpp cc/SourceCopy.cpp
            cc/SourceRequest.cpp cc/StandardInput.cpp cc/Unrecorded.cpp cc/ProfiledBuild.cpp profile/Steering.cpp process/Percent.cpp
            cc/InstrumentedRun.cpp cc/VendorBuild.cpp
            plain/Assembly.cpp plain/DeviceStep.cpp plain/KernelNames.cpp plain/NvccSteps.cpp plain/PlainBodies.cpp plain/PlainCopies.cpp plain/PtxMerge.cpp plain/PtxStatements.cpp plain/PtxasReport.cpp plain/Step.cpp plain/StubEntries.cpp
            machine/Cubin.cpp machine/LineProgram.cpp machine/PlainBuild.cpp machine/PtxText.cpp
            process/TemporaryFolder.cpp process/WriteText.cpp process/SaidDiagnostics.cpp)
target_link_libraries(kperf_cc PUBLIC kperf_rewriters PRIVATE kperf::decoder)
target_precompile_headers(kperf_cc REUSE_FROM kperf_rewriters)
kperf_join_sources(kperf_cc)
file(RELATIVE_PATH kperf_relative_include ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH kperf_relative_library ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH kperf_include_from_build ${CMAKE_BINARY_DIR}/bin ${CMAKE_SOURCE_DIR}/runtime/include)
set_property(SOURCE cc/Installation.cpp PROPERTY COMPILE_DEFINITIONS
             KPERF_RELATIVE_INCLUDE_DIR="${kperf_relative_include}"
             KPERF_RELATIVE_LIBRARY_DIR="${kperf_relative_library}"
             KPERF_INCLUDE_DIR_FROM_BUILD="${kperf_include_from_build}")

add_executable(kperf-cc kperf-cc.cpp)
target_sources(kperf-cc PRIVATE ${KPERF_ARC4RANDOM})
target_link_libraries(kperf-cc PRIVATE kperf_cc)
target_precompile_headers(kperf-cc REUSE_FROM kperf_rewriters)
target_compile_definitions(kperf-cc PRIVATE KPERF_VERSION="${PROJECT_VERSION}")
if(TARGET kperf_host)
  add_dependencies(kperf-cc kperf_host) # which would otherwise be that of other headers, after a build of kperf-cc alone
endif()
install(TARGETS kperf-cc)
include(${PROJECT_SOURCE_DIR}/cmake/OptionKeywords.cmake)
install(FILES ${PROJECT_BINARY_DIR}/KperfInstrument.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kperf)
