# Manual pages, made from what each program prints for --help, and the shell's completion.
find_package(Python3 COMPONENTS Interpreter)
set(manual_pages)
foreach(program kperf kperf-cc kperf-rewrite)
  if(TARGET ${program} AND Python3_Interpreter_FOUND)
    set(page ${CMAKE_BINARY_DIR}/man/man1/${program}.1)
    add_custom_command(
      OUTPUT ${page}
      COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/manual.py $<TARGET_FILE:${program}>
              --version ${PROJECT_VERSION} --environment ${PROJECT_SOURCE_DIR}/docs/reference/environment.md -o ${page}
      DEPENDS ${program} ${PROJECT_SOURCE_DIR}/docs/reference/environment.md ${CMAKE_CURRENT_SOURCE_DIR}/manual.py
      VERBATIM)
    list(APPEND manual_pages ${page})
  endif()
endforeach()
add_custom_target(manual ALL DEPENDS ${manual_pages})

if(manual_pages)
  install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES completion/words.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/kperf RENAME completion.sh)
install(FILES completion/kperf.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _kperf)
if(KPERF_STANDALONE) # where Debian's zsh looks for what packages bring
  install(FILES completion/kperf.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _kperf)
endif()
foreach(program kperf kperf-cc kperf-rewrite) # each shell looks for a program's by its name
  install(FILES completion/kperf.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program})
  install(FILES completion/kperf.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME ${program}.fish)
endforeach()
