# opconform_add_conformance_tests(TARGET plugin | BACKEND name
#                                 [NAME prefix] [OPTIONS option...] [OPERATORS operator...] [FEATURE_LEVEL level]
#                                 [PROFILE name-or-file] [EXPECT file] [CASES path...] [SHARDS n] [FUZZ seconds]
#                                 [TIMEOUT seconds] [LABELS label...])
#
# Tests for ctest that judge an implementation: the one that a library target of this project builds as a plug-in, or any
# that `opconform run --backend` takes. PREFIX is the target's name, or "conformance".
#   PREFIX/doctor     what it does wrong would be seen; without EXPECT alone: who fails on purpose is not healthy
#   PREFIX/cases/I    part I of SHARDS parts of all cases (1 part), with the results as JUnit XML beside the test
#   PREFIX/generated  a campaign of generated cases for FUZZ seconds; none where that is left out
# All have the label opconform and those of LABELS. EXPECT lists failures that are known, each with a reason: of cases by
# their ids, of generated ones as fuzz/OPERATOR-VERDICT*.
function(opconform_add_conformance_tests)
  set(lists OPTIONS OPERATORS CASES LABELS)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;BACKEND;NAME;FEATURE_LEVEL;PROFILE;EXPECT;SHARDS;FUZZ;TIMEOUT" "${lists}")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "opconform_add_conformance_tests: what does this mean? ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(DEFINED arg_TARGET EQUAL DEFINED arg_BACKEND)
    message(FATAL_ERROR "opconform_add_conformance_tests: needs TARGET or BACKEND, and not both")
  endif()
  if(DEFINED arg_TARGET AND NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "opconform_add_conformance_tests: no such target: ${arg_TARGET}")
  endif()

  if(NOT CMAKE_TESTING_ENABLED)
    message(WARNING "opconform_add_conformance_tests: without enable_testing() before it, ctest finds no tests")
  endif()

  set(prefix conformance)
  set(backend "${arg_BACKEND}")
  if(DEFINED arg_TARGET)
    set(prefix ${arg_TARGET})
    set(backend "plugin:$<TARGET_FILE:${arg_TARGET}>")
  endif()
  if(DEFINED arg_NAME)
    set(prefix ${arg_NAME})
  endif()
  list(JOIN arg_OPTIONS "," options)
  if(options)
    string(APPEND backend ",${options}")
  endif()

  set(common --backend ${backend})
  foreach(name IN ITEMS PROFILE TIMEOUT)
    if(DEFINED arg_${name})
      string(TOLOWER ${name} option)
      list(APPEND common --${option} ${arg_${name}})
    endif()
  endforeach()
  set(selection "")
  foreach(operator IN LISTS arg_OPERATORS)
    list(APPEND selection --operator ${operator})
  endforeach()
  if(DEFINED arg_FEATURE_LEVEL)
    list(APPEND selection --feature-level ${arg_FEATURE_LEVEL})
  endif()
  set(expected "")
  if(DEFINED arg_EXPECT)
    cmake_path(ABSOLUTE_PATH arg_EXPECT)
    list(APPEND expected --expect ${arg_EXPECT})
  endif()
  if(NOT DEFINED arg_SHARDS)
    set(arg_SHARDS 1)
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${prefix}.conformance)
  file(MAKE_DIRECTORY ${folder})
  set(tests "")
  foreach(shard RANGE 1 ${arg_SHARDS})
    list(APPEND tests ${prefix}/cases/${shard})
    add_test(NAME ${prefix}/cases/${shard}
             COMMAND opconform::opconform run ${arg_CASES} ${common} ${selection} ${expected}
                     --shard ${shard}/${arg_SHARDS} --junit ${folder}/cases-${shard}.xml)
  endforeach()
  if(NOT DEFINED arg_EXPECT)
    list(APPEND tests ${prefix}/doctor)
    add_test(NAME ${prefix}/doctor COMMAND opconform::opconform doctor ${backend})
  endif()
  if(DEFINED arg_FUZZ)
    list(APPEND tests ${prefix}/generated)
    add_test(NAME ${prefix}/generated
             COMMAND opconform::opconform fuzz ${common} ${selection} ${expected} --time ${arg_FUZZ})
  endif()
  set_tests_properties(${tests} PROPERTIES LABELS "opconform;${arg_LABELS}" WORKING_DIRECTORY ${folder} TIMEOUT 3600)
endfunction()
