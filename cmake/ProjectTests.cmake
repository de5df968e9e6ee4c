# Tests of the project around its code: who includes whom, the case files' schema, help against manual, and a
# program that uses the installed libraries.

# A Python that has the packages: the first of the PATH may be a private one without.
function(_has_packages result candidate)
  execute_process(COMMAND ${candidate} -c "import numpy, fastjsonschema, jsonschema; jsonschema.Draft202012Validator"
                  RESULT_VARIABLE exit_code OUTPUT_QUIET ERROR_QUIET)
  if(NOT exit_code EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
if(OPCONFORM_PYTHON)  # one found before a package was asked for
  set(_is_usable TRUE)
  _has_packages(_is_usable ${OPCONFORM_PYTHON})
  if(NOT _is_usable)
    unset(OPCONFORM_PYTHON CACHE)
  endif()
endif()
find_program(OPCONFORM_PYTHON python3 PATHS /usr/bin VALIDATOR _has_packages
             DOC "Python 3 with the packages jsonschema, fastjsonschema and numpy")
if(NOT OPCONFORM_PYTHON)
  message(FATAL_ERROR "The tests need Python 3 with jsonschema 4, fastjsonschema and NumPy (Debian: python3-jsonschema, "
                      "python3-fastjsonschema, python3-numpy). "
                      "Install it, or build without tests: -DOPCONFORM_BUILD_TESTS=OFF")
endif()

set(_tools ${PROJECT_SOURCE_DIR}/tests/tools)
set(_cases ${PROJECT_SOURCE_DIR}/spec_cases)

add_test(NAME project/include-direction
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/include_direction.py ${PROJECT_SOURCE_DIR})
add_test(NAME project/include-direction-self-test
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/include_direction.py --self-test)
set_tests_properties(project/include-direction project/include-direction-self-test PROPERTIES LABELS unit)

set(_libraries reports=$<TARGET_FILE:opconform_result_files>)
foreach(_folder IN ITEMS spec reference optimized planted reports)
  list(APPEND _libraries ${_folder}=$<TARGET_FILE:opconform_${_folder}>)
endforeach()
foreach(_room IN LISTS OPCONFORM_ROOMS)
  list(APPEND _libraries harness/${_room}=$<TARGET_FILE:opconform_${_room}>)
endforeach()
add_test(NAME project/room-symbols
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/room_symbols.py ${CMAKE_NM} ${_libraries})
add_test(NAME project/room-symbols-self-test
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/room_symbols.py --self-test ${CMAKE_NM} ${CMAKE_CXX_COMPILER})
set_tests_properties(project/room-symbols project/room-symbols-self-test PROPERTIES LABELS unit)

add_test(NAME project/operator-names
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/operator_names.py ${PROJECT_SOURCE_DIR})
add_test(NAME project/operator-names-self-test
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/operator_names.py --self-test)
set_tests_properties(project/operator-names project/operator-names-self-test PROPERTIES LABELS unit)

add_test(NAME project/source-lengths
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/source_lengths.py ${PROJECT_SOURCE_DIR})
add_test(NAME project/source-lengths-self-test
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/source_lengths.py --self-test)
set_tests_properties(project/source-lengths project/source-lengths-self-test PROPERTIES LABELS unit)

# Needs python3-clang-14, as tools/mutate does; without it, it is skipped.
add_test(NAME project/mutation-operators
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/mutation_test.py ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
set_tests_properties(project/mutation-operators PROPERTIES LABELS unit SKIP_RETURN_CODE 77)

add_test(NAME project/case-schema
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/check_schema.py ${_cases}/case.schema.json ${_cases})
add_test(NAME project/case-schema-self-test
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/check_schema.py --self-test ${_cases}/case.schema.json)
add_test(NAME project/profile-schema
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/check_schema.py ${PROJECT_SOURCE_DIR}/profiles/promise.schema.json
                 ${PROJECT_SOURCE_DIR}/profiles)
set_tests_properties(project/profile-schema PROPERTIES LABELS unit)
set_tests_properties(project/case-schema project/case-schema-self-test PROPERTIES LABELS spec TIMEOUT 300 COST 60)

add_test(NAME project/kill-matrix
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/kill_matrix_test.py ${PROJECT_SOURCE_DIR}/tools/kill_matrix)
add_test(NAME project/code-coverage
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/code_coverage_test.py ${PROJECT_SOURCE_DIR})
set_tests_properties(project/kill-matrix project/code-coverage PROPERTIES LABELS unit)

add_test(NAME project/help-in-manual-and-completion
         COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/cli/check_help.py $<TARGET_FILE:opconform_cli>
                 ${PROJECT_SOURCE_DIR}/cli/man/opconform.1
                 ${PROJECT_SOURCE_DIR}/cli/completion/opconform.bash)
set_tests_properties(project/help-in-manual-and-completion PROPERTIES LABELS unit)

# What the pages name must exist. Which tests there are is known where all are built.
set(_build_of_all_tests)
if(NOT OPCONFORM_INSTRUMENTATION)
  set(_build_of_all_tests ${PROJECT_BINARY_DIR})
endif()
add_test(NAME project/contributing-page
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/contributing_page.py ${PROJECT_SOURCE_DIR} $<TARGET_FILE:opconform_cli>
                 ${_build_of_all_tests})
add_test(NAME project/contributing-page-self-test
         COMMAND ${OPCONFORM_PYTHON} ${_tools}/contributing_page.py --self-test)
set_tests_properties(project/contributing-page project/contributing-page-self-test PROPERTIES LABELS unit)

# What is measured of this machine is a value that the program takes.
add_test(NAME project/tune
         COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/tune_check.py $<TARGET_FILE:opconform_tune>
                 $<TARGET_FILE:opconform_cli>)
set_tests_properties(project/tune PROPERTIES LABELS unit)

# What the page of the field's bugs says, run.
add_test(NAME project/wild-bugs
         COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/conformance/wild_bugs_test.py $<TARGET_FILE:opconform_cli>
                 ${PROJECT_SOURCE_DIR})
set_tests_properties(project/wild-bugs PROPERTIES LABELS slow TIMEOUT 300 COST 10)

# The same results whatever the number of workers.
add_test(NAME command-line/numbers-of-workers
         COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/plugins/worker_numbers_test.py $<TARGET_FILE:opconform_cli>
                 $<TARGET_FILE:answering> $<TARGET_FILE:opconform_suite_plugin> ${PROJECT_SOURCE_DIR}/spec_cases)
set_tests_properties(command-line/numbers-of-workers PROPERTIES LABELS slow TIMEOUT 600 COST 60)

# The adapters that need nothing but Python; of the package onnx (Debian: python3-onnx), if it is there; and a page in
# headless Chromium, if Node.js is there and without OPCONFORM_WITHOUT_BROWSER=1. With Node.js, the company of a node as well.
add_test(NAME project/adapters
         COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/adapters/adapters_test.py $<TARGET_FILE:opconform_cli>
                 ${PROJECT_SOURCE_DIR})
set_tests_properties(project/adapters PROPERTIES LABELS slow TIMEOUT 1200 COST 90)

# A test a subject. Those of them that wait for time limits need little of the processor.
file(GLOB _subjects CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cli/subjects/*_test.py)
foreach(_file IN LISTS _subjects)
  cmake_path(GET _file STEM _subject)
  string(REPLACE _test "" _name ${_subject})
  add_test(NAME command-line/${_name}
           COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/cli/cli_test.py $<TARGET_FILE:opconform_cli> ${_cases} ${_subject}.)
  set_tests_properties(command-line/${_name} PROPERTIES LABELS slow TIMEOUT 600 COST 30)
endforeach()
# Those that take longest begin first: none of them is left at the end, alone on two processors.
set_tests_properties(command-line/certify command-line/process command-line/fuzz PROPERTIES TIMEOUT 1800 COST 120)
if(OPCONFORM_SANITIZE)  # what reads files that anybody may have written
  foreach(_name IN ITEMS bad_case bad_file hostile_case)
    add_test(NAME sanitized/${_name}
             COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/cli/cli_test.py $<TARGET_FILE:opconform_cli> ${_cases} ${_name}_test.)
    set_tests_properties(sanitized/${_name} PROPERTIES LABELS "slow;hostile" TIMEOUT 600 COST 100
                         ENVIRONMENT OPCONFORM_TEST_PATIENCE=6)
  endforeach()
endif()

# In headless Chromium: Debian's chromium, chromium-driver and python3-selenium. Skipped with OPCONFORM_WITHOUT_BROWSER=1.
add_test(NAME project/report-page
         COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/reports/page_test.py
                 --program $<TARGET_FILE:opconform_cli> --source ${PROJECT_SOURCE_DIR})
set_tests_properties(project/report-page PROPERTIES LABELS slow TIMEOUT 600 COST 60 SKIP_RETURN_CODE 77
                     ENVIRONMENT OPCONFORM_SPEC_CASES=${_cases})

string(JOIN " " _instrumentation ${OPCONFORM_INSTRUMENTATION})
add_test(NAME project/consumer
         COMMAND ${CMAKE_COMMAND}
                 -D BUILD_DIR=${PROJECT_BINARY_DIR}
                 -D SOURCE_DIR=${PROJECT_SOURCE_DIR}/tests/consumer
                 -D CXX=${CMAKE_CXX_COMPILER}
                 -D CXX_FLAGS=${_instrumentation}
                 -D BUILD_TYPE=$<CONFIG>
                 -D GENERATOR=${CMAKE_GENERATOR}
                 -D THREADS=${OPCONFORM_THREADS}
                 -P ${PROJECT_SOURCE_DIR}/cmake/ConsumerTest.cmake)
set_tests_properties(project/consumer PROPERTIES LABELS slow TIMEOUT 300)

if(OPCONFORM_BUILD_BENCH)
  add_test(NAME bench/short
           COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/check_report.py
                   $<TARGET_FILE:opconform_bench> $<TARGET_FILE:opconform_sweep> ${PROJECT_BINARY_DIR}/bench/reports
                   ${PROJECT_SOURCE_DIR}/tools/speed_plot.py)
  set_tests_properties(bench/short PROPERTIES LABELS bench TIMEOUT 300)
endif()
