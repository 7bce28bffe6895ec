# kperf-rewrite: the Clang front end that instruments sources. Its batches are a library too, so that unit tests reach them.
add_library(kperf_batch STATIC
            batch/Batch.cpp batch/BatchJob.cpp batch/BatchRecord.cpp batch/BatchReport.cpp batch/BatchTask.cpp
            batch/CompilationDatabase.cpp batch/ContentHashes.cpp batch/EntryCommand.cpp batch/OutputFolder.cpp
            batch/Progress.cpp batch/RewrittenDatabase.cpp process/Workers.cpp)
target_link_libraries(kperf_batch PUBLIC kperf_cc)
target_precompile_headers(kperf_batch REUSE_FROM kperf_rewriters)
kperf_join_sources(kperf_batch)

add_executable(kperf-rewrite ${CMAKE_CURRENT_LIST_DIR}/kperf-rewrite.cpp ${CMAKE_CURRENT_LIST_DIR}/output/LineDiff.cpp
               ${CMAKE_CURRENT_LIST_DIR}/output/RegionList.cpp ${CMAKE_CURRENT_LIST_DIR}/output/SelectionText.cpp)
target_sources(kperf-rewrite PRIVATE ${KPERF_ARC4RANDOM})
target_link_libraries(kperf-rewrite PRIVATE kperf_batch kperf::decoder)
target_precompile_headers(kperf-rewrite REUSE_FROM kperf_rewriters)
# All of the library, and seen from outside: plug-ins call it.
set_target_properties(kperf-rewrite PROPERTIES ENABLE_EXPORTS ON LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,kperf_rewriters")
target_compile_definitions(kperf-rewrite PRIVATE KPERF_VERSION="${PROJECT_VERSION}")
install(TARGETS kperf-rewrite RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
