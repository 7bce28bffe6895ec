# kperf: the commands over the decoder.
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(yaml-cpp REQUIRED)
add_executable(kperf
  kperf.cpp commands/BudgetFile.cpp commands/CheckCommand.cpp commands/Command.cpp commands/DiffCommand.cpp
  commands/DumpCommand.cpp commands/ExportCommand.cpp commands/FlameCommand.cpp commands/MergeCommand.cpp
  commands/NewestTrace.cpp commands/PackCommand.cpp commands/Percent.cpp commands/PerturbCommand.cpp commands/Progress.cpp commands/ReduceCommand.cpp
  commands/SqliteFile.cpp commands/TableOutput.cpp commands/TimelineCommand.cpp
  commands/ViewCommand.cpp)
target_link_libraries(kperf PRIVATE kperf::decoder CLI11::CLI11 SQLite::SQLite3 yaml-cpp)
target_compile_definitions(kperf PRIVATE KPERF_VERSION="${PROJECT_VERSION}")
install(TARGETS kperf RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
