# kperf: the commands over the decoder.
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(yaml-cpp REQUIRED)
add_executable(kperf
  kperf.cpp commands/Arguments.cpp commands/AutoCommand.cpp commands/BudgetFile.cpp builds/BudgetLoop.cpp builds/BuildRuns.cpp commands/CheckCommand.cpp clocks/CompareClocks.cpp clocks/HostExchange.cpp process/ChildProcess.cpp commands/Command.cpp process/CommandWords.cpp
  commands/SharedOptions.cpp commands/DiffCommand.cpp
  commands/DumpCommand.cpp commands/ExplainCommand.cpp commands/ExportCommand.cpp commands/FlameCommand.cpp commands/LspCommand.cpp commands/MergeCommand.cpp process/Message.cpp process/LineRelay.cpp process/Spawn.cpp
  commands/NewestTrace.cpp commands/NsysExport.cpp builds/OverheadSearch.cpp commands/PackCommand.cpp process/Percent.cpp commands/PerturbCommand.cpp commands/PlanCommand.cpp commands/PlacementFile.cpp builds/PlainRuns.cpp commands/Progress.cpp commands/ReduceCommand.cpp commands/RepeatedTraces.cpp commands/RunCommand.cpp jit/ShimToolkit.cpp
  builds/SameLines.cpp commands/SelftestCommand.cpp commands/SqliteFile.cpp commands/TableOutput.cpp builds/TimedBuilds.cpp process/TemporaryFolder.cpp
  commands/TimelineCommand.cpp
  commands/VerifyCommand.cpp commands/ViewCommand.cpp
  lsp/Connection.cpp lsp/Document.cpp lsp/EditorItems.cpp lsp/RowPadding.cpp lsp/Server.cpp lsp/TraceNotes.cpp
  placement/ClockReads.cpp placement/Disassembly.cpp placement/ElfImage.cpp placement/Flow.cpp placement/LineTable.cpp placement/Listing.cpp placement/Placement.cpp
  placement/KernelSymbol.cpp placement/ReadPairs.cpp placement/RegionWork.cpp placement/Registers.cpp placement/FloatWork.cpp placement/TensorWork.cpp
  placement/PlacementTable.cpp placement/Program.cpp ../runtime/driver/TableText.cpp)
if(KPERF_STANDALONE)
  find_library(KPERF_YAML yaml-cpp REQUIRED)
  target_sources(kperf PRIVATE ${KPERF_ARC4RANDOM})
else()
  set(KPERF_YAML yaml-cpp)
endif()
target_link_libraries(kperf PRIVATE kperf::decoder CLI11::CLI11 SQLite::SQLite3 ${KPERF_YAML})
target_precompile_headers(kperf REUSE_FROM kperf_decoder)
kperf_join_sources(kperf SEPARATE tool/commands)
target_compile_definitions(kperf PRIVATE KPERF_VERSION="${PROJECT_VERSION}")
# The self-test's source: where it is installed, and where it is before that.
file(RELATIVE_PATH kperf_relative_data ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/kperf)
file(RELATIVE_PATH kperf_selftest_from_build ${CMAKE_BINARY_DIR}/bin ${CMAKE_SOURCE_DIR}/runtime/selftest/selftest.hip)
set_property(SOURCE commands/SelftestCommand.cpp PROPERTY COMPILE_DEFINITIONS
             KPERF_RELATIVE_DATA_DIR="${kperf_relative_data}" KPERF_SELFTEST_FROM_BUILD="${kperf_selftest_from_build}")
file(RELATIVE_PATH kperf_relative_library ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_property(SOURCE commands/RunCommand.cpp PROPERTY COMPILE_DEFINITIONS KPERF_RELATIVE_LIBRARY_DIR="${kperf_relative_library}")
install(FILES ${CMAKE_SOURCE_DIR}/runtime/selftest/selftest.hip DESTINATION ${CMAKE_INSTALL_DATADIR}/kperf)
install(TARGETS kperf RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
