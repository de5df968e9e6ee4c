#include "harness/diagnosis/picture.h"

namespace opconform::diagnosis {
namespace {

using base::Json;

std::string_view name(TensorPicture::Role role) {
  switch (role) {
    case TensorPicture::Role::kInput:
      return "input";
    case TensorPicture::Role::kIndices:
      return "indices";
    case TensorPicture::Role::kOutput:
      break;
  }
  return "output";
}

Json numbers_to_json(const Dims& numbers) {
  Json json = Json::array();
  for (const std::uint64_t number : numbers) json.push_back(number);
  return json;
}

Json place_to_json(std::size_t at, const Place& place) {
  return {{"at", at}, {"tensor", place.tensor}, {"element", numbers_to_json(place.element)}};
}

void add_wrong(const TensorPicture& tensor, Json& json) {
  if (!tensor.expected.empty()) json["expected"] = tensor.expected;
  for (const char* key : {"wrong", "origin", "due"}) json[key] = Json::array();
  for (const WrongElement& wrong : tensor.wrong) {
    json["wrong"].push_back(wrong.at);
    if (wrong.origin) json["origin"].push_back(place_to_json(wrong.at, *wrong.origin));
    if (wrong.due) json["due"].push_back(place_to_json(wrong.at, *wrong.due));
  }
}

/// A text for each that is shown; empty ones where they are not known.
std::vector<std::string> elements_of(const TensorPicture& tensor) {
  if (!tensor.elements.empty()) return tensor.elements;
  return std::vector<std::string>(element_count(tensor.shown).value_or(0));
}

Json tensor_to_json(const TensorPicture& tensor) {
  Json json = {{"name", tensor.name},
               {"role", name(tensor.role)},
               {"data_type", tensor.data_type},
               {"sizes", numbers_to_json(tensor.sizes)},
               {"strides", numbers_to_json(tensor.strides)},
               {"from", numbers_to_json(tensor.from)},
               {"shown", numbers_to_json(tensor.shown)},
               {"elements", elements_of(tensor)}};
  if (tensor.role == TensorPicture::Role::kOutput) add_wrong(tensor, json);
  if (tensor.memory)
    json["memory"] = {{"first", tensor.memory->first},
                      {"bytes_per_cell", tensor.memory->bytes_per_cell},
                      {"cells", tensor.memory->cells},
                      {"wrong", tensor.memory->wrong}};
  return json;
}

}  // namespace

Json picture_to_json(const Picture& picture) {
  Json json = {{"tensors", Json::array()}};
  for (const TensorPicture& tensor : picture.tensors)
    json["tensors"].push_back(tensor_to_json(tensor));
  return json;
}

}  // namespace opconform::diagnosis
