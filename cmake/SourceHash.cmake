# Prints the SHA-256 of what is certified: the sources of spec, reference, optimized and harness, and the profiles, as
# "path hash" lines.
# With OUTPUT, writes a source file that knows it. SOURCE_DIR is the root of the checkout.
cmake_minimum_required(VERSION 3.25)
if(NOT SOURCE_DIR)
  get_filename_component(SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
endif()
set(_lines "")
set(_files "")
foreach(folder spec reference optimized harness profiles)
  file(GLOB_RECURSE _found RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp
       ${SOURCE_DIR}/${folder}/*.def ${SOURCE_DIR}/${folder}/*.json)
  list(APPEND _files ${_found})
endforeach()
list(SORT _files)
foreach(file IN LISTS _files)
  file(SHA256 ${SOURCE_DIR}/${file} _hash)
  string(APPEND _lines "${file} ${_hash}\n")
endforeach()
string(SHA256 _hash "${_lines}")
if(OUTPUT)
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "cli/certificate/certificate.h"

std::string opconform::cli::source_hash() { return "@_hash@"; }
]])
else()
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo ${_hash})
endif()
