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
             share/opconform/adapters/javascript/opconform_process.mjs include/opconform/optimized.h
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
