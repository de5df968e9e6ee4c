# Makes OUTPUT, a source file that holds the PROFILES as they are: harness/backends/embedded_profiles.h.
set(_rows "")
foreach(_file IN LISTS PROFILES)
  cmake_path(GET _file STEM _name)
  file(READ ${_file} _content)
  string(APPEND _rows "    {\"${_name}\", R\"~~~(${_content})~~~\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"harness/backends/embedded_profiles.h\"

namespace opconform::backends {
namespace {
constexpr std::pair<std::string_view, std::string_view> kProfiles[] = {
${_rows}};
}  // namespace

std::span<const std::pair<std::string_view, std::string_view>> embedded_profiles() { return kProfiles; }

}  // namespace opconform::backends
")
