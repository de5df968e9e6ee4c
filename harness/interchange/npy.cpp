#include "harness/interchange/npy.h"

#include <cctype>

#include "harness/base/bad_input.h"
#include "harness/base/text.h"
#include "harness/interchange/filled_case.h"
#include "harness/interchange/folder.h"

namespace opconform::interchange {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY\x01\x00", 8};
constexpr std::size_t kHeadBytes = kMagic.size() + 2;
constexpr std::size_t kAlignment = 64;

/// As NumPy writes it: byte order, kind, bytes. bfloat16, which NumPy does not have, are bits.
std::string descr_of(DataType type) {
  const std::string bytes = std::to_string(element_size_bytes(type));
  switch (kind(type)) {
    case DataTypeKind::kBool:
      return "|b1";
    case DataTypeKind::kSigned:
      return (bytes == "1" ? "|i" : "<i") + bytes;
    case DataTypeKind::kUnsigned:
      return (bytes == "1" ? "|u" : "<u") + bytes;
    case DataTypeKind::kComplex:
      return "<c" + bytes;
    case DataTypeKind::kString:
      throw CannotSay("strings, which are no arrays of bytes in NumPy");
    default:
      return (type == DataType::kBfloat16 ? "<u" : "<f") + bytes;
  }
}

/// A Python tuple.
std::string shape_text(const Dims& sizes) {
  std::string text;
  for (const std::uint64_t size : sizes) text += std::to_string(size) + ", ";
  if (sizes.size() > 1) text.resize(text.size() - 2);
  if (sizes.size() == 1) text.pop_back();
  return "(" + text + ")";
}

std::string header_of(DataType type, const Dims& sizes) {
  return "{'descr': '" + descr_of(type) +
         "', 'fortran_order': False, 'shape': " + shape_text(sizes) + ", }";
}

/// Without spaces, and without the commas before brackets that some writers leave out.
std::string plain(std::string_view header) {
  std::string text;
  for (const char letter : header) {
    if (std::isspace(static_cast<unsigned char>(letter)) != 0) continue;
    if ((letter == ')' || letter == '}') && text.ends_with(',')) text.pop_back();
    text += letter == '"' ? '\'' : letter;
  }
  return text;
}

}  // namespace

std::string npy_bytes(const NodeTensor& tensor) {
  std::string header = header_of(tensor.type, tensor.sizes);
  const std::size_t unpadded = kHeadBytes + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += static_cast<char>(header.size() & 0xFFU);
  bytes += static_cast<char>(header.size() >> 8U);
  return bytes + header + std::string(text_of(tensor.elements));
}

std::vector<std::byte> read_npy(std::string_view bytes, const std::string& file, DataType type,
                                const Dims& sizes) {
  if (bytes.size() < kHeadBytes || bytes.substr(0, 6) != kMagic.substr(0, 6))
    throw base::BadInput(file, "", "is no array of NumPy's");
  if (bytes[6] != 1) throw base::BadInput(file, "", "is of a version of the format other than 1");
  const std::size_t length = static_cast<unsigned char>(bytes[8]) +
                             std::size_t{static_cast<unsigned char>(bytes[9])} * 256;
  const std::string_view header = bytes.substr(kHeadBytes, length);
  const std::string wanted = header_of(type, sizes);
  if (plain(header) != plain(wanted))
    throw base::BadInput(file, "",
                         "must have the header " + base::in_quotes(wanted) + ", but has " +
                             base::in_quotes(std::string(header)));
  const std::string_view elements = bytes.substr(std::min(bytes.size(), kHeadBytes + length));
  const std::size_t needed = element_count(sizes).value_or(0) * element_size_bytes(type);
  if (elements.size() != needed)
    throw base::BadInput(file, "",
                         "has " + std::to_string(elements.size()) + " bytes of elements, not " +
                             std::to_string(needed));
  const auto* first = reinterpret_cast<const std::byte*>(elements.data());
  return {first, first + elements.size()};
}

void write_npy_case(const cases::Case& one, const std::filesystem::path& folder) {
  write_buffers(
      one, fill(one), folder, ".npy",
      [](const TensorDesc& tensor, std::span<const std::byte> buffer) {
        return npy_bytes({tensor.data_type, tensor.sizes, packed_elements(tensor, buffer)});
      });
}

}  // namespace opconform::interchange
