# With CMAKE_UNITY_BUILD, which the preset release sets, several sources are compiled at once: what their headers' templates are made into is
# made once, and a build from nothing takes two thirds of the time.

# kperf_join_sources(TARGET [SEPARATE FOLDER…]): those of one folder, up to twelve at a time. Names without linkage are to be unique in a
# folder; where they repeat by design, as the options of each command, it is named as SEPARATE. A single source stands by itself by its
# property SKIP_UNITY_BUILD_INCLUSION.
function(kperf_join_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 join "" "" "SEPARATE")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(folder ${path} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(FIND "${path}" "${PROJECT_BINARY_DIR}/" generated)
    if(generated EQUAL 0 OR folder IN_LIST join_SEPARATE)
      continue()
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" group)
    math(EXPR part "${sources_of_${group}} + 0" OUTPUT_FORMAT DECIMAL)
    math(EXPR sources_of_${group} "${part} + 1")
    math(EXPR part "${part} / 12")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
