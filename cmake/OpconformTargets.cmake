# What all targets share: the language, the warnings, the list of operators, and one way to add a library.
include(GNUInstallDirs)

option(OPCONFORM_WERROR "Treat warnings as errors" OFF)
option(OPCONFORM_ASSERTIONS "Keep assert() and the library's own checks in every build type" OFF)
set(OPCONFORM_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them: address,undefined")
set(OPCONFORM_UNTIMED_OPTIONS "" CACHE STRING
    "Compiler options of what needs little speed: the tests' own sources, the program around the libraries")
set(OPCONFORM_UNTIMED_LIBRARIES "" CACHE STRING "Libraries that have these options too: reports;planted")
option(OPCONFORM_COVERAGE "Instrument for llvm-cov; clang only" OFF)

if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(OPCONFORM_CCACHE ccache)
  mark_as_advanced(OPCONFORM_CCACHE)
  if(OPCONFORM_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${OPCONFORM_CCACHE})
  endif()
endif()

# Flags that compiling and linking need alike, also of a program that links the libraries from outside.
set(OPCONFORM_INSTRUMENTATION "")
if(OPCONFORM_SANITIZE)
  list(APPEND OPCONFORM_INSTRUMENTATION
       -fsanitize=${OPCONFORM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
endif()
if(OPCONFORM_COVERAGE)
  # Atomic, because clang counts half of the branches as differences: one lost update, and what never was has a count.
  list(APPEND OPCONFORM_INSTRUMENTATION -fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic)
  # For profiles that are mapped into memory (%c in LLVM_PROFILE_FILE): children that are killed count as well.
  add_compile_options("SHELL:-mllvm -runtime-counter-relocation"
                      -fprofile-list=${CMAKE_CURRENT_LIST_DIR}/coverage.list)
endif()

# C++20, warnings and (from the presets) sanitizers, for everything that is built here. Never exported.
add_library(opconform_build_flags INTERFACE)
target_compile_features(opconform_build_flags INTERFACE cxx_std_20)
target_compile_options(opconform_build_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion $<$<BOOL:${OPCONFORM_WERROR}>:-Werror>
  $<$<BOOL:${OPCONFORM_ASSERTIONS}>:-UNDEBUG> ${OPCONFORM_INSTRUMENTATION}
  # In position-independent code g++ inlines no function that another library might replace; clang does.
  -fno-semantic-interposition)
# g++ 12 takes "text" + std::string for overlapping copies when it optimizes (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(opconform_build_flags INTERFACE -Wno-restrict)
endif()
# g++ collects what it no longer needs after 100 MB already: a sixth of its time. At most 1 GB is in use without.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(opconform_build_flags INTERFACE --param=ggc-min-heapsize=600000)
endif()
# Where several sources are compiled as one, to g++ they all are headers.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(opconform_build_flags INTERFACE -Wno-subobject-linkage)
endif()
target_compile_definitions(opconform_build_flags INTERFACE
  $<$<BOOL:${OPCONFORM_ASSERTIONS}>:_GLIBCXX_ASSERTIONS>)
target_link_options(opconform_build_flags INTERFACE ${OPCONFORM_INSTRUMENTATION})

# Behind the flags of all in a target's links, so that it can take back what they ask for.
add_library(opconform_untimed_flags INTERFACE)
target_compile_options(opconform_untimed_flags INTERFACE ${OPCONFORM_UNTIMED_OPTIONS})

# OPCONFORM_OPERATORS: the names of the operators' files, from the list that C++ reads too.
set(_operators_def ${PROJECT_SOURCE_DIR}/spec/operators.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_operators_def})
file(STRINGS ${_operators_def} _lines REGEX "^OPCONFORM_OPERATOR")
set(OPCONFORM_OPERATORS "")
foreach(_line IN LISTS _lines)
  string(REGEX REPLACE "^OPCONFORM_OPERATOR\\(([a-z0-9_]+),.*" "\\1" _file "${_line}")
  list(APPEND OPCONFORM_OPERATORS ${_file})
endforeach()

# opconform_add_library(NAME SOURCES file... OPERATOR_SOURCES dir... LINKS target... PRIVATE_LINKS target...)
# Makes opconform_NAME with the alias opconform::NAME. OPERATOR_SOURCES adds dir/<operator>.cpp for each operator
# of the list and each dir; a missing file is an error that names it.
function(opconform_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;OPERATOR_SOURCES;LINKS;PRIVATE_LINKS")
  set(sources ${arg_SOURCES})
  foreach(folder IN LISTS arg_OPERATOR_SOURCES)
    foreach(operator IN LISTS OPCONFORM_OPERATORS)
      list(APPEND sources ${folder}/${operator}.cpp)
    endforeach()
  endforeach()
  add_library(opconform_${name} STATIC ${sources})
  add_library(opconform::${name} ALIAS opconform_${name})
  set_target_properties(opconform_${name} PROPERTIES
    EXPORT_NAME ${name} CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_features(opconform_${name} PUBLIC cxx_std_20)
  target_include_directories(opconform_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(opconform_${name} PUBLIC ${arg_LINKS}
                        PRIVATE ${arg_PRIVATE_LINKS} $<BUILD_INTERFACE:opconform_build_flags>)
  if(name IN_LIST OPCONFORM_UNTIMED_LIBRARIES)
    target_link_libraries(opconform_${name} PRIVATE $<BUILD_INTERFACE:opconform_untimed_flags>)
  endif()
endfunction()
