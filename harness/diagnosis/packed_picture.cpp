#include "harness/diagnosis/packed_picture.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace opconform::diagnosis {
namespace {

using base::Json;

/// More than any picture has of anything.
constexpr std::size_t kMost = 4096;

Json numbers(const Dims& dims) {
  Json json = Json::array();
  for (const std::uint64_t number : dims) json.push_back(number);
  return json;
}
Json packed_place(const std::optional<Place>& place) {
  return place ? Json::array({place->tensor, numbers(place->element)}) : Json(nullptr);
}

Json packed_tensor(const TensorPicture& tensor) {
  Json wrong = Json::array();
  for (const WrongElement& one : tensor.wrong)
    wrong.push_back(Json::array({one.at, packed_place(one.origin), one.other_origins,
                                 one.origin_text, packed_place(one.due),
                                 packed_place(one.origin_index), packed_place(one.due_index)}));
  Json memory = nullptr;
  if (tensor.memory)
    memory = Json::array({tensor.memory->first, tensor.memory->bytes_per_cell, tensor.memory->cells,
                          tensor.memory->wrong});
  return Json::array({tensor.name, static_cast<unsigned>(tensor.role), tensor.data_type,
                      numbers(tensor.sizes), numbers(tensor.strides), tensor.is_packed,
                      numbers(tensor.from), numbers(tensor.shown), tensor.elements, tensor.expected,
                      std::move(wrong), tensor.wrong_count, std::move(memory)});
}

void demand(bool holds) {
  if (!holds) throw std::invalid_argument("no picture");
}

std::string text_of(const Json& json) {
  return base::words_of_others(json.get_ref<const std::string&>());
}
const Json& list(const Json& json) {
  demand(json.is_array() && json.size() <= kMost);
  return json;
}
std::vector<std::string> texts_of(const Json& json) {
  std::vector<std::string> texts;
  for (const Json& one : list(json)) texts.push_back(text_of(one));
  return texts;
}
std::uint64_t count_of(const Json& json) {
  demand(json.is_number_unsigned());
  return json.get<std::uint64_t>();
}
std::vector<std::size_t> places_of(const Json& json, std::size_t end) {
  std::vector<std::size_t> places;
  for (const Json& one : list(json)) {
    places.push_back(count_of(one));
    demand(places.back() < end);
  }
  demand(std::is_sorted(places.begin(), places.end()));
  return places;
}
Dims dims_of(const Json& json) {
  demand(json.is_array() && json.size() <= kMaxRank);
  Dims dims;
  for (const Json& one : json) dims.push_back(count_of(one));
  return dims;
}
std::optional<Place> place_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Place{text_of(json.at(0)), dims_of(json.at(1))};
}

/// Is the part in the tensor, and does every list have an entry an element?
void demand_sound(const TensorPicture& tensor) {
  const std::size_t rank = tensor.sizes.size();
  demand(tensor.from.size() == rank && tensor.shown.size() == rank);
  demand(tensor.strides.size() == rank || (tensor.elements.empty() && !tensor.memory));
  for (std::size_t i = 0; i < rank; ++i)
    demand(tensor.from[i] <= tensor.sizes[i] &&
           tensor.shown[i] <= tensor.sizes[i] - tensor.from[i]);
  const std::optional<std::uint64_t> count = element_count(tensor.shown);
  demand(count && *count <= kMost);
  for (const std::vector<std::string>* texts : {&tensor.elements, &tensor.expected})
    demand(texts->empty() || texts->size() == *count);
  for (const WrongElement& wrong : tensor.wrong)
    demand(wrong.at < tensor.elements.size() && wrong.at < tensor.expected.size());
}

TensorPicture tensor_of(const Json& json) {
  TensorPicture tensor;
  tensor.name = text_of(json.at(0));
  const std::uint64_t role = count_of(json.at(1));
  demand(role <= static_cast<unsigned>(TensorPicture::Role::kOutput));
  tensor.role = static_cast<TensorPicture::Role>(role);
  tensor.data_type = text_of(json.at(2));
  tensor.sizes = dims_of(json.at(3));
  tensor.strides = dims_of(json.at(4));
  tensor.is_packed = json.at(5).get<bool>();
  tensor.from = dims_of(json.at(6));
  tensor.shown = dims_of(json.at(7));
  tensor.elements = texts_of(json.at(8));
  tensor.expected = texts_of(json.at(9));
  for (const Json& one : list(json.at(10)))
    tensor.wrong.push_back({count_of(one.at(0)), place_of(one.at(1)), count_of(one.at(2)),
                            text_of(one.at(3)), place_of(one.at(4)), place_of(one.at(5)),
                            place_of(one.at(6))});
  tensor.wrong_count = count_of(json.at(11));
  if (const Json& memory = json.at(12); !memory.is_null()) {
    demand(memory.at(0).is_number_integer());
    tensor.memory.emplace();
    tensor.memory->first = memory.at(0).get<std::int64_t>();
    tensor.memory->bytes_per_cell = count_of(memory.at(1));
    tensor.memory->cells = texts_of(memory.at(2));
    tensor.memory->wrong = places_of(memory.at(3), tensor.memory->cells.size());
  }
  demand_sound(tensor);
  return tensor;
}

/// Is each place that it names in a tensor of the picture?
void demand_places(const Picture& picture) {
  const auto is_there = [&](const std::optional<Place>& place) {
    if (!place) return true;
    return std::any_of(
        picture.tensors.begin(), picture.tensors.end(), [&](const TensorPicture& tensor) {
          return tensor.name == place->tensor && tensor.sizes.size() == place->element.size() &&
                 std::equal(place->element.begin(), place->element.end(), tensor.sizes.begin(),
                            std::less<>());
        });
  };
  for (const TensorPicture& tensor : picture.tensors)
    for (const WrongElement& wrong : tensor.wrong)
      demand(is_there(wrong.origin) && is_there(wrong.due) && is_there(wrong.origin_index) &&
             is_there(wrong.due_index));
}

}  // namespace

std::string packed(const Picture& picture) {
  Json tensors = Json::array();
  for (const TensorPicture& tensor : picture.tensors) tensors.push_back(packed_tensor(tensor));
  return Json::array({std::move(tensors), picture.notes})
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Picture> unpacked(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    Picture picture;
    for (const Json& tensor : list(json.at(0))) picture.tensors.push_back(tensor_of(tensor));
    picture.notes = texts_of(json.at(1));
    demand_places(picture);
    return picture;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace opconform::diagnosis
