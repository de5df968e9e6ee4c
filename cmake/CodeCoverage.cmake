# Coverage of the code: docs/code-coverage.md.
string(REGEX MATCH "^[0-9]+" _clang_major ${CMAKE_CXX_COMPILER_VERSION})
find_program(OPCONFORM_LLVM_COV NAMES llvm-cov-${_clang_major} llvm-cov REQUIRED)
find_program(OPCONFORM_LLVM_PROFDATA NAMES llvm-profdata-${_clang_major} llvm-profdata REQUIRED)

# The program and every test program but those of fuzz/: templates and inline functions may be used by one alone.
set(_targets opconform_cli)
get_property(_tests DIRECTORY ${PROJECT_SOURCE_DIR}/tests PROPERTY BUILDSYSTEM_TARGETS)
foreach(_target IN LISTS _tests)
  get_target_property(_type ${_target} TYPE)
  if(_type STREQUAL "EXECUTABLE")
    list(APPEND _targets ${_target})
  endif()
endforeach()
# A profile speaks of one build, and of the tests as they were.
add_custom_target(coverage_programs COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/profiles)
add_dependencies(coverage_programs ${_targets})
list(TRANSFORM _targets REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE _programs)

# After the tests: the cases and a campaign, as those who use the program run them, with the kernels that the
# processor offers and with the scalar ones; then the figures.
set(_report ${PROJECT_BINARY_DIR}/report)
set(_run ${CMAKE_COMMAND} -E env LLVM_PROFILE_FILE=${PROJECT_BINARY_DIR}/profiles/%c%9m.profraw)
set(_documents COMMAND ${CMAKE_COMMAND} -E rm -rf ${_report} COMMAND ${CMAKE_COMMAND} -E make_directory ${_report})
foreach(_isa IN ITEMS avx2 scalar)
  list(APPEND _documents
    COMMAND ${_run} OPCONFORM_FORCE_ISA=${_isa} $<TARGET_FILE:opconform_cli> run --quiet
            --coverage ${_report}/cases-${_isa}.json
    COMMAND ${_run} OPCONFORM_FORCE_ISA=${_isa} $<TARGET_FILE:opconform_cli> fuzz
            --coverage ${_report}/campaign-${_isa}.json)
  list(APPEND _files ${_report}/cases-${_isa}.json ${_report}/campaign-${_isa}.json)
endforeach()
add_custom_target(coverage_report
  ${_documents}
  COMMAND opconform_cli coverage ${_files} --output ${_report}/coverage.json
  COMMAND opconform_cli coverage ${_files} --json ${_report}/documents.json
  COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tools/code_coverage.py
          --profiles ${PROJECT_BINARY_DIR}/profiles --out ${_report} --documents ${_report}/documents.json
          --llvm-cov ${OPCONFORM_LLVM_COV} --llvm-profdata ${OPCONFORM_LLVM_PROFDATA} ${_programs}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM USES_TERMINAL)
