// The files of reports/page, as they are: made from them when the project is built.
#pragma once

#include <string_view>

namespace opconform::reports {

extern const std::string_view kPageTemplate;
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace opconform::reports
