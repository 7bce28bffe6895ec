# kperf_instrument(target [PROBES name…] [AUTO kind…] [SELECT file] [SAMPLE blocks] [STRICT]): the target's CUDA and HIP sources are compiled
# through kperf-cc, and the target is linked with kperf's runtime.
#
#   PROBES  what is inserted; default: region
#   AUTO    what is timed without annotations: kernels, functions, loops, barriers, async
#   SELECT  a file of rules that choose what is timed; a change of it rebuilds
#   SAMPLE  N: one block in N is recorded; the others run a copy of their kernel without probes
#   STRICT  an error that only kperf's reading of the source finds stops the build
function(kperf_instrument target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STRICT" "SELECT;SAMPLE" "PROBES;AUTO")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "kperf_instrument(${target}): '${arg_UNPARSED_ARGUMENTS}' is none of PROBES, AUTO, SELECT, SAMPLE and STRICT")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "kperf_instrument: there is no target '${target}'; call it after add_executable or add_library")
  endif()
  if(NOT KPERF_CC)
    message(FATAL_ERROR "kperf_instrument: kperf-cc is not found; set KPERF_CC to its path")
  endif()

  set(launcher ${KPERF_CC})
  if(arg_PROBES)
    list(JOIN arg_PROBES "," probes)
    list(APPEND launcher "--probes=${probes}")
  endif()
  if(arg_AUTO)
    list(JOIN arg_AUTO "," kinds)
    list(APPEND launcher "--auto=${kinds}")
  endif()
  if(arg_SELECT)
    get_filename_component(selection ${arg_SELECT} ABSOLUTE)
    if(NOT EXISTS ${selection})
      message(FATAL_ERROR "kperf_instrument(${target}): there is no selection file '${selection}'")
    endif()
    list(APPEND launcher "--select=${selection}")
  endif()
  if(arg_SAMPLE)
    list(APPEND launcher "--sample=${arg_SAMPLE}")
  endif()
  if(arg_STRICT)
    list(APPEND launcher "--strict")
  endif()

  foreach(language CUDA HIP)
    # a compiler cache that was there before comes second: it is to see the rewritten source
    get_target_property(present ${target} ${language}_COMPILER_LAUNCHER)
    if(NOT present)
      set(present)
    endif()
    # kperf-cc itself may have been there too (CMAKE_CUDA_COMPILER_LAUNCHER): what the target asks for takes its place
    set(others)
    set(is_kperf_option FALSE)
    set(is_value FALSE)
    foreach(word IN LISTS present)
      get_filename_component(name "${word}" NAME)
      if(is_value)
        set(is_value FALSE)
      elseif(is_kperf_option AND word MATCHES "^-")
        if(word MATCHES "^--(probes|auto|aggregate|auto-guard|select|save-rewritten|compiler|profile|overhead-budget)$") # the next word is its value
          set(is_value TRUE)
        endif()
      elseif(name STREQUAL "kperf-cc")
        set(is_kperf_option TRUE)
      else()
        set(is_kperf_option FALSE)
        list(APPEND others "${word}")
      endif()
    endforeach()
    set_property(TARGET ${target} PROPERTY ${language}_COMPILER_LAUNCHER ${launcher} ${others})
  endforeach()

  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # references to the runtime are weak: name them, or the linker takes nothing out of the library
    # by property: target_link_libraries would refuse a target that is linked in its other signature
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES kperf::runtime_static)
    foreach(entry register unregister)
      target_link_options(${target} PRIVATE "LINKER:--undefined=kperf_module_${entry}")
    endforeach()
    foreach(entry before_launch before_reset flush)
      target_link_options(${target} PRIVATE "LINKER:--undefined=kperf_${entry}")
    endforeach()
    # one runtime for the whole process: libraries that it loads find this one
    set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)
  elseif(type STREQUAL "SHARED_LIBRARY" OR type STREQUAL "MODULE_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES kperf::runtime_shared)
  endif()
endfunction()
