# For adapters that are built by themselves: opconform_add_plugin(NAME SOURCE ...) makes libNAME.so.
# The header is that of the sources beside it, or of OPCONFORM_INCLUDE_DIR, or of an installed package.
find_path(OPCONFORM_INCLUDE_DIR opconform/plugin.h
  HINTS ${CMAKE_CURRENT_LIST_DIR}/../../include ${CMAKE_CURRENT_LIST_DIR}/../../../../include REQUIRED
  DOC "The folder of opconform/plugin.h")

function(opconform_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
                        CXX_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PRIVATE ${OPCONFORM_INCLUDE_DIR})
  target_compile_options(${name} PRIVATE -Wall -Wextra)
endfunction()
