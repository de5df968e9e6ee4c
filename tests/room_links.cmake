# Each room of the harness as a shared object that leaves nothing undefined: what a room uses, it links, or what it links
# does. Since that brings more than the room may use, tests/tools/room_symbols.py looks at each symbol.
if(NOT OPCONFORM_INSTRUMENTATION AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  foreach(_room IN LISTS OPCONFORM_ROOMS)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/room_links/${_room}.cpp "")
    add_library(room_links_${_room} MODULE ${CMAKE_CURRENT_BINARY_DIR}/room_links/${_room}.cpp)
    target_link_libraries(room_links_${_room} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,opconform_${_room}>)
    target_link_options(room_links_${_room} PRIVATE -Wl,-z,defs)
  endforeach()
endif()
