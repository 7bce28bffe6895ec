# Turns text files into a C++ file of string constants: cmake -DOUT=file -DFILES=a;b -P embed.cmake
set(text "// Made by embed.cmake.\n#include \"decoder/print/HtmlAssets.h\"\n\nnamespace kperf::decoder {\n\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${file} content)
  string(APPEND text "const std::string_view html_${name} = R\"embedded(${content})embedded\";\n")
endforeach()
file(WRITE ${OUT} "${text}\n} // namespace kperf::decoder\n")
