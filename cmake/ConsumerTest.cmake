# Installs the built project into an empty prefix and uses what is there, as somebody without the checkout would:
# the program from another folder, the manual page, the completion, and the example as a project of its own.
# Run with cmake -P; needs BUILD_DIR SOURCE_DIR CXX CXX_FLAGS BUILD_TYPE GENERATOR.
set(work ${BUILD_DIR}/consumer)
set(prefix ${work}/prefix)
set(elsewhere ${work}/elsewhere)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${elsewhere})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY ${elsewhere})
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix} OUTPUT_QUIET)
foreach(file bin/opconform share/man/man1/opconform.1.gz share/bash-completion/completions/opconform
             share/doc/opconform/README.md share/doc/opconform/docs/case-format.md share/doc/opconform/copyright
             share/opconform/spec_cases/case.schema.json share/opconform/adapters/python/opconform_process.py
             share/opconform/adapters/javascript/opconform_process.mjs include/opconform/optimized.h include/opconform/plan_cache.h
             include/opconform/spec/operators.def include/opconform/reference/reference.h)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

# Away from the checkout, the program finds the installed cases, and what it says to repeat a failure repeats it.
set(program ${CMAKE_COMMAND} -E env --unset=OPCONFORM_SPEC_CASES ${prefix}/bin/opconform)
run(${program} run --label smoke)
run(${program} corpus verify)
execute_process(COMMAND ${program} run --label smoke --backend faulty:reversed-start-off-by-one
                WORKING_DIRECTORY ${elsewhere} OUTPUT_VARIABLE output RESULT_VARIABLE code)
string(REGEX MATCH "again +opconform ([^\n]*)" again "${output}")
separate_arguments(words UNIX_COMMAND "${CMAKE_MATCH_1}")
execute_process(COMMAND ${program} ${words} WORKING_DIRECTORY ${elsewhere} OUTPUT_VARIABLE output RESULT_VARIABLE repeated)
if(NOT code EQUAL 1 OR NOT repeated EQUAL 1 OR NOT output MATCHES "${prefix}/share/opconform/spec_cases/")
  message(FATAL_ERROR "exit codes ${code} and ${repeated} of a failure and of: ${again}\n${output}")
endif()

# The installed completion offers what the installed program has.
find_program(bash bash)
if(bash)
  execute_process(COMMAND ${bash} -c [[
      PATH="$1/bin:$PATH"
      source "$1/share/bash-completion/completions/opconform"
      COMP_WORDS=(opconform run --operator "") COMP_CWORD=3
      _opconform
      echo "${COMPREPLY[@]}"]] bash ${prefix}
    WORKING_DIRECTORY ${elsewhere} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "^[A-Z]+_")
    message(FATAL_ERROR "completes no operator: ${output}")
  endif()
endif()
find_program(man man)
if(man)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env MANPATH=${prefix}/share/man MANPAGER=cat ${man} opconform
                  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "opconform run")
    message(FATAL_ERROR "no manual page: ${output}")
  endif()
endif()

# A header of the program's own, spec/tensor.h, must not be taken for the library's: it does not compile.
run(${CMAKE_COMMAND} -S ${prefix}/share/doc/opconform/examples/consumer -B ${work}/build -G ${GENERATOR}
    -D CMAKE_BUILD_TYPE=${BUILD_TYPE} -D CMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS} -I${SOURCE_DIR}"
    -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)

# The library of oneTBB is enough; without it, the message says what is missing.
if(THREADS)
  set(configure ${CMAKE_COMMAND} -S ${prefix}/share/doc/opconform/examples/consumer -G ${GENERATOR}
                -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_DISABLE_FIND_PACKAGE_TBB=ON)
  run(${configure} -B ${work}/library-alone)
  run(${CMAKE_COMMAND} --build ${work}/library-alone)
  run(${work}/library-alone/consumer)
  execute_process(COMMAND ${configure} -B ${work}/without-library -D CMAKE_FIND_ROOT_PATH=${elsewhere}
                          -D CMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY
                  ERROR_VARIABLE output RESULT_VARIABLE code OUTPUT_QUIET)
  if(code EQUAL 0 OR NOT output MATCHES "libtbb12")
    message(FATAL_ERROR "exit code ${code} without the library of oneTBB: ${output}")
  endif()
endif()

# A plug-in that conforms, and the same with one bug: its tests fail, unless the list of known failures has them.
set(plugin ${work}/plugin_c)
file(COPY ${prefix}/share/doc/opconform/examples/plugin_c/ DESTINATION ${plugin})
function(test_plugin build expected)
  run(${CMAKE_COMMAND} -S ${plugin} -B ${work}/${build} -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${prefix}
      -D OPCONFORM_TBB_LIBRARY=unused ${ARGN})
  run(${CMAKE_COMMAND} --build ${work}/${build})
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${work}/${build} --output-on-failure
                  OUTPUT_VARIABLE output RESULT_VARIABLE code)
  string(REGEX MATCHALL "[a-z_/]+[0-9]* \\((Failed|SEGFAULT|Timeout)" failed "${output}")
  list(TRANSFORM failed REPLACE " .*" "")
  list(SORT failed)
  if(NOT "${failed}" STREQUAL "${expected}")
    message(FATAL_ERROR "failed: ${failed}; expected: ${expected}\n${output}")
  endif()
endfunction()
test_plugin(conforms "")
file(READ ${plugin}/gather.c source)
string(REPLACE "if (k < 0 && d->version >= 11) k += size;" "if (k < 0 && d->version >= 11) k += size - 1;" bug "${source}")
if(bug STREQUAL source)
  message(FATAL_ERROR "the example has changed: plant another bug here")
endif()
file(WRITE ${plugin}/gather.c "${bug}")
test_plugin(has_a_bug "gather/cases/1;gather/cases/2;gather/doctor;gather/generated")
string(REGEX REPLACE "REJECT_WHERE[^;]*BFLOAT16[^;]*;" "" bug "${source}")
file(WRITE ${plugin}/gather.c "${bug}")
file(WRITE ${plugin}/known.txt "gather/opsets/bfloat16-v*  of an earlier version\ngather/support/bfloat16-opset-1*  the same\nfuzz/*-missed-rejection-*  the same\n")
file(READ ${plugin}/CMakeLists.txt project)
string(REPLACE " FUZZ 1 " " FUZZ 1 EXPECT known.txt " project "${project}")
file(WRITE ${plugin}/CMakeLists.txt "${project}")
test_plugin(has_a_known_bug "")
