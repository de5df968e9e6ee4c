# One test a case file, named like the file. ctest itself looks for the files whenever it starts: a new file is a
# new test, without configuring or building again.
set(_script ${PROJECT_BINARY_DIR}/conformance_tests.cmake)
file(CONFIGURE OUTPUT ${_script}.in @ONLY CONTENT [==[
set(opconform [=[$<TARGET_FILE:opconform_cli>]=])
set(root [=[@PROJECT_SOURCE_DIR@]=])
file(GLOB_RECURSE files RELATIVE ${root} "${root}/spec_cases/*.json")
list(FILTER files EXCLUDE REGEX "[.]schema[.]json$")
if(NOT files)
  add_test(spec_cases/no-case-file-found [=[@CMAKE_COMMAND@]=] -E false)
endif()
foreach(file IN LISTS files)
  file(READ ${root}/${file} head LIMIT 200)
  if(head MATCHES "\"label\": ") # run together, by spec_cases/large
    continue()
  endif()
  add_test(${file} ${opconform} run ${file})
  set_tests_properties(${file} PROPERTIES WORKING_DIRECTORY ${root} LABELS "spec;differential" TIMEOUT 120)
endforeach()
]==])
file(GENERATE OUTPUT ${_script} INPUT ${_script}.in)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY TEST_INCLUDE_FILES ${_script})

# Cases that a folder's run leaves out: tensors up to 256 MiB and up to 2^22 indices, and addresses beyond 2^32 bytes. The
# planted bugs that they alone show are caught, by each operator that they concern. Where code is instrumented, they would
# take an hour.
if(NOT OPCONFORM_INSTRUMENTATION)
  # In the parts of three threads every second one: all would take as long as spec_cases/large does for optimized.
  add_test(NAME spec_cases/large-in-parts
           COMMAND opconform_cli run --label large --backend optimized,threads=3 --shard 1/2 --jobs 2
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(spec_cases/large-in-parts PROPERTIES LABELS "spec;large" PROCESSORS 2 TIMEOUT 1800 COST 60)
  foreach(_label IN ITEMS large huge)
    set(_selftest ${PROJECT_BINARY_DIR}/selftest_${_label}.json)
    add_test(NAME spec_cases/${_label} COMMAND opconform_cli run --label ${_label} --jobs 2 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(spec_cases/${_label} PROPERTIES LABELS "spec;${_label}" PROCESSORS 2 TIMEOUT 1800 COST 90)
    add_test(NAME selftest/${_label} COMMAND opconform_cli selftest --label ${_label} --no-fuzz --jobs 2 --json ${_selftest}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    add_test(NAME selftest/each-operator-${_label}
             COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/conformance/planted_bugs_check.py ${_selftest}
                     ${PROJECT_SOURCE_DIR}/spec_cases)
    set_tests_properties(selftest/${_label} PROPERTIES LABELS "selftest;${_label}" FIXTURES_SETUP caught_${_label} TIMEOUT 1800
                         PROCESSORS 2 COST 90)
    set_tests_properties(selftest/each-operator-${_label} PROPERTIES LABELS "selftest;${_label}" FIXTURES_REQUIRED caught_${_label})
  endforeach()
endif()

# OPCONFORM_MACHINE_ORDER: settings that make any machine go through blocks in that order from the first byte on, and in parts.
set(_never 1099511627776)
set(_fetched_plain ${_never})
set(_streamed_plain ${_never})
set(_fetched_fetched 0)
set(_streamed_fetched ${_never})
set(_fetched_streamed 0)
set(_streamed_streamed 0)
set(_orders plain fetched streamed)
file(STRINGS ${PROJECT_SOURCE_DIR}/optimized/machine.h _streamed_fields REGEX "^ *std::ptrdiff_t streamed_")
list(TRANSFORM _streamed_fields REPLACE "^ *std::ptrdiff_t ([a-z_]+).*" "\\1")
if(NOT _streamed_fields)
  message(FATAL_ERROR "optimized/machine.h: no field begins with streamed_, so that no test would force an order")
endif()
foreach(_order IN LISTS _orders)
  set(OPCONFORM_MACHINE_${_order} "OPCONFORM_MACHINE=intel,least_part_bytes=1,fetched_output_bytes=${_fetched_${_order}}")
  foreach(_field IN LISTS _streamed_fields)
    string(APPEND OPCONFORM_MACHINE_${_order} ",${_field}=${_streamed_${_order}}")
  endforeach()
endforeach()

# Each order, whole, in the parts of three threads and in those of another number of threads. Under sanitizers, where this
# takes minutes, the unit tests of optimized/ force each order as well, and so do fuzz targets.
if(NOT OPCONFORM_SANITIZE)
  set(_threads_plain 2)
  set(_threads_fetched 7)
  set(_threads_streamed 64)
  foreach(_order IN LISTS _orders)
    add_test(NAME spec_cases/${_order}
             COMMAND opconform_cli run --backend optimized --backend optimized,threads=3
                     --backend optimized,threads=${_threads_${_order}} --quiet WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    add_test(NAME generated/${_order} COMMAND opconform_cli fuzz --cases 100000 --quiet)
    add_test(NAME generated/${_order}-in-parts COMMAND opconform_cli fuzz --backend optimized,threads=3 --cases 100000 --quiet)
    set_tests_properties(spec_cases/${_order} generated/${_order} generated/${_order}-in-parts PROPERTIES
                         LABELS "spec;differential" ENVIRONMENT ${OPCONFORM_MACHINE_${_order}} TIMEOUT 300)
  endforeach()
endif()

# Every planted bug must be caught, and nobody accused who only takes a freedom. Which further cases catch it takes four
# times as long to find out.
add_test(NAME selftest/planted-bugs
         COMMAND opconform_cli selftest --enough 8 --jobs 2 --json ${PROJECT_BINARY_DIR}/selftest.json
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME selftest/each-operator
         COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/conformance/planted_bugs_check.py
                 ${PROJECT_BINARY_DIR}/selftest.json ${PROJECT_SOURCE_DIR}/spec_cases)
set_tests_properties(selftest/planted-bugs PROPERTIES LABELS selftest FIXTURES_SETUP caught TIMEOUT 1800
                     PROCESSORS 2 COST 60)
set_tests_properties(selftest/each-operator PROPERTIES LABELS selftest FIXTURES_REQUIRED caught)

# The few that are worth most: they pass, they catch every planted bug, and no verdict of theirs is by chance.
add_test(NAME smoke/pass COMMAND opconform_cli run --label smoke WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME smoke/planted-bugs
         COMMAND opconform_cli selftest --label smoke --no-fuzz WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME smoke/repeated
         COMMAND opconform_cli run --label smoke --repeat 50 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(smoke/pass smoke/planted-bugs smoke/repeated PROPERTIES LABELS smoke TIMEOUT 300)
# From many more threads at once than there are processors.
if(NOT OPCONFORM_INSTRUMENTATION)
  add_test(NAME smoke/at-once COMMAND opconform_cli run --label smoke --threads 64 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(smoke/at-once PROPERTIES LABELS smoke TIMEOUT 300)
endif()

# What the committed cases owe the ledger, counted: they show every rule, and break each that can be broken.
set(_coverage ${PROJECT_BINARY_DIR}/spec_cases.coverage.json)
add_test(NAME spec_cases/coverage
         COMMAND opconform_cli run --quiet --coverage ${_coverage}
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME spec_cases/reach-every-rule
         COMMAND opconform_cli coverage ${_coverage} --group rules/* --missing --fail-under 100)
set_tests_properties(spec_cases/coverage PROPERTIES LABELS spec FIXTURES_SETUP coverage)
set_tests_properties(spec_cases/reach-every-rule PROPERTIES LABELS spec FIXTURES_REQUIRED coverage)

# With a campaign, every cell of the support tables as well: inside, and rejected
# outside. Where code is instrumented it would take minutes to say the same.
if(NOT OPCONFORM_INSTRUMENTATION)
  set(_campaign ${PROJECT_BINARY_DIR}/campaign.coverage.json)
  add_test(NAME coverage/campaign COMMAND opconform_cli fuzz --quiet --jobs 2 --cases 1500000
                                           --coverage ${_campaign})
  set_tests_properties(coverage/campaign PROPERTIES LABELS spec FIXTURES_SETUP campaign_coverage PROCESSORS 2 TIMEOUT 300)
  foreach(_group IN ITEMS rules support)
    add_test(NAME coverage/${_group}
             COMMAND opconform_cli coverage ${_coverage} ${_campaign} --group ${_group}/* --missing --fail-under 100)
    set_tests_properties(coverage/${_group} PROPERTIES LABELS spec FIXTURES_REQUIRED "coverage;campaign_coverage")
  endforeach()
endif()

# The cases are what they were when their version was published, and cover what generated ones are there for.
add_test(NAME spec_cases/corpus
         COMMAND opconform_cli corpus verify
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
# What they expect, worked out once more without anything of ours.
add_test(NAME spec_cases/numpy
         COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/conformance/numpy_check.py ${PROJECT_SOURCE_DIR}/spec_cases)
add_test(NAME spec_cases/numpy-self-test
         COMMAND ${OPCONFORM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/conformance/numpy_check.py --self-test)
set_tests_properties(spec_cases/corpus spec_cases/numpy spec_cases/numpy-self-test PROPERTIES LABELS spec)
