# Installs the built project into an empty prefix, then builds and runs tests/consumer against it, as a project of
# its own would. Run with cmake -P; needs BUILD_DIR SOURCE_DIR CXX CXX_FLAGS BUILD_TYPE GENERATOR.
set(work ${BUILD_DIR}/consumer)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix} OUTPUT_QUIET)
foreach(file bin/opconform share/man/man1/opconform.1 share/bash-completion/completions/opconform
             share/opconform/spec_cases/case.schema.json include/opconform/optimized.h
             include/opconform/spec/operators.def include/opconform/reference/reference.h)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

# Away from the checkout, the program finds the installed cases.
run(${CMAKE_COMMAND} -E env --unset=OPCONFORM_SPEC_CASES ${prefix}/bin/opconform list
    WORKING_DIRECTORY ${work} OUTPUT_QUIET)

run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${work}/build -G ${GENERATOR} -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
    -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${CXX_FLAGS} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
