# kperf-rewrite: the Clang front end that instruments sources.
add_executable(kperf-rewrite ${CMAKE_CURRENT_LIST_DIR}/kperf-rewrite.cpp ${CMAKE_CURRENT_LIST_DIR}/LineDiff.cpp)
target_link_libraries(kperf-rewrite PRIVATE kperf_rewriters)
target_compile_definitions(kperf-rewrite PRIVATE KPERF_VERSION="${PROJECT_VERSION}")
install(TARGETS kperf-rewrite RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
