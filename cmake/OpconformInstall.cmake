# What `cmake --install` copies, what find_package(opconform) finds, what CPack packs.
# Installed are the program with its cases, the interface of plug-ins, and the libraries that a C++ program can use: spec,
# reference and optimized. The harness is part of the program and stays inside.
include(CMakePackageConfigHelpers)

set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/opconform)

install(TARGETS opconform_cli opconform_plugin opconform_spec opconform_reference opconform_optimized EXPORT opconformTargets)
install(TARGETS opconform_tune)
install(EXPORT opconformTargets NAMESPACE opconform:: DESTINATION ${_package_dir})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/opconformConfig.cmake.in ${PROJECT_BINARY_DIR}/opconformConfig.cmake
  INSTALL_DESTINATION ${_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/opconformConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/opconformConfig.cmake ${PROJECT_BINARY_DIR}/opconformConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/OpconformConformanceTests.cmake
        DESTINATION ${_package_dir})

# Headers include each other from the root of the checkout, "spec/tensor.h". Installed, that root is include/opconform,
# and the includes say so: "opconform/spec/tensor.h" cannot be taken for a header of the program that uses them.
set(_headers ${CMAKE_INSTALL_INCLUDEDIR}/opconform)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/spec DESTINATION ${_headers}
        FILES_MATCHING PATTERN "*.h" PATTERN "operators.def")
install(FILES ${PROJECT_SOURCE_DIR}/reference/reference.h DESTINATION ${_headers}/reference)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")

install(CODE "set(include_dir \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${_headers}\")")
install(CODE [==[
  file(GLOB_RECURSE headers "${include_dir}/*.h" "${include_dir}/*.def")
  foreach(header IN LISTS headers)
    file(READ "${header}" text)
    string(REGEX REPLACE "#include \"(spec|reference)/" "#include \"opconform/\\1/" text "${text}")
    file(WRITE "${header}" "${text}")
  endforeach()
]==])

install(DIRECTORY ${PROJECT_SOURCE_DIR}/spec_cases DESTINATION ${CMAKE_INSTALL_DATADIR}/opconform
        FILES_MATCHING PATTERN "*.json" PATTERN "*.label" PATTERN "corpus.manifest" PATTERN "*.md")
# The program has the named ones in it: these are to be read, and to begin one's own with.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/profiles DESTINATION ${CMAKE_INSTALL_DATADIR}/opconform
        FILES_MATCHING PATTERN "*.json")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/adapters DESTINATION ${CMAKE_INSTALL_DATADIR}/opconform
        PATTERN "__pycache__" EXCLUDE PATTERN "node_modules" EXCLUDE)
# What installs and runs them, as in the sources: beside adapters/.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/peers DESTINATION ${CMAKE_INSTALL_DATADIR}/opconform/tools)
install(FILES ${PROJECT_SOURCE_DIR}/tools/lib/packages.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/opconform/tools/lib)
install(FILES ${PROJECT_SOURCE_DIR}/cli/completion/opconform.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME opconform)

# What Debian wants compressed, without a time or a name.
find_program(OPCONFORM_GZIP gzip REQUIRED)
mark_as_advanced(OPCONFORM_GZIP)
function(_install_compressed source destination)
  cmake_path(GET source FILENAME name)
  set(compressed ${PROJECT_BINARY_DIR}/${name}.gz)
  add_custom_command(OUTPUT ${compressed} COMMAND ${OPCONFORM_GZIP} -9cn ${source} > ${compressed}
                     DEPENDS ${source} VERBATIM)
  add_custom_target(opconform_${name}_gz ALL DEPENDS ${compressed})
  install(FILES ${compressed} DESTINATION ${destination})
endfunction()

set(_maintainers "opconform maintainers <maintainers@opconform.invalid>")
string(TIMESTAMP _now "%a, %d %b %Y %H:%M:%S +0000" UTC)  # or SOURCE_DATE_EPOCH
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/changelog CONTENT [==[
opconform (@PROJECT_VERSION@) unstable; urgency=medium

  * CHANGELOG.md, beside this file, lists the changes.

 -- @_maintainers@  @_now@
]==])
_install_compressed(${PROJECT_SOURCE_DIR}/cli/man/opconform.1 ${CMAKE_INSTALL_MANDIR}/man1)
_install_compressed(${PROJECT_BINARY_DIR}/changelog ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
              ${CMAKE_CURRENT_LIST_DIR}/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
        PATTERN "*.md" PATTERN "*.svg")
install(FILES ${PROJECT_SOURCE_DIR}/tests/consumer/CMakeLists.txt ${PROJECT_SOURCE_DIR}/tests/consumer/main.cpp
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/consumer)
install(FILES ${PROJECT_SOURCE_DIR}/tests/consumer_plugin/CMakeLists.txt ${PROJECT_SOURCE_DIR}/adapters/example_c/gather.c
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/plugin_c)

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_VENDOR "opconform maintainers")
set(CPACK_PACKAGE_CONTACT ${_maintainers})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION
"Tells whether an implementation of a data-movement operator of DirectML or
ONNX does what the operator's documentation says. Holds the program
with its cases, and C++ libraries: the rules of the documents, a reference
interpreter, and an implementation with AVX2.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# For programs that use the libraries, and for signatures of certificates.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, openssh-client")
include(CPack)
