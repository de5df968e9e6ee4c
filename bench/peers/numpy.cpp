// NumPy in an embedded interpreter: assignment between views, take, and assignment by index.
#define NPY_NO_DEPRECATED_API NPY_1_20_API_VERSION
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <numpy/arrayobject.h>

#include <iostream>
#include <memory>
#include <stdexcept>

#include "bench/contender.h"
#include "bench/views.h"

namespace opconform::bench {
namespace {

struct Release {
  void operator()(PyObject* object) const { Py_XDECREF(object); }
};
using Object = std::shared_ptr<PyObject>;

/// Takes a new reference; an error of Python's becomes an exception.
Object owned(PyObject* object) {
  if (object != nullptr) return {object, Release{}};
  PyErr_Print();
  throw std::runtime_error("NumPy failed");
}
void succeeded(int code) {
  if (code >= 0) return;
  PyErr_Print();
  throw std::runtime_error("NumPy failed");
}
PyArrayObject* array(const Object& object) {
  return reinterpret_cast<PyArrayObject*>(object.get());
}

/// Starts the interpreter, which lives as long as the program; false where it has no NumPy.
bool start() {
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  // Or it would look for its library beside whichever python3 the PATH finds first.
  PyConfig_SetBytesString(&config, &config.program_name, OPCONFORM_BENCH_PYTHON);
  const PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) == 0 && _import_array() >= 0) return true;
  std::cerr << "peer: NumPy does not start, and is left out\n";
  return false;
}

int type_number(DataType type) {
  if (type == DataType::kInt64) return NPY_INT64;
  if (type == DataType::kInt32) return NPY_INT32;
  switch (element_size_bytes(type)) {
    case 1:
      return NPY_UINT8;
    case 2:
      return NPY_UINT16;
    case 4:
      return NPY_FLOAT32;
    case 8:
      return NPY_FLOAT64;
    default:
      return NPY_COMPLEX128;
  }
}

Object array_of(const std::byte* buffer, DataType type, const View& view) {
  const auto width = static_cast<std::int64_t>(element_size_bytes(type));
  InlineVector<npy_intp, kMaxRank> sizes;
  InlineVector<npy_intp, kMaxRank> strides;
  for (std::size_t i = 0; i < view.sizes.size(); ++i) {
    sizes.push_back(static_cast<npy_intp>(view.sizes[i]));
    strides.push_back(view.strides[i] * width);
  }
  return owned(PyArray_New(&PyArray_Type, static_cast<int>(sizes.size()), sizes.data(),
                           type_number(type), strides.data(),
                           const_cast<std::byte*>(buffer + view.offset * width), 0,
                           NPY_ARRAY_WRITEABLE, nullptr));
}
Object array_of(const std::byte* buffer, const TensorDesc& tensor) {
  return array_of(buffer, tensor.data_type, whole(tensor));
}

Object input_of(const Buffers& buffers, const Operand& operand) {
  return array_of(buffers.input(operand.buffer), *operand.tensor);
}
Object output_of(const Buffers& buffers, const Operand& operand) {
  return array_of(buffers.output(operand.buffer), *operand.tensor);
}

Contender contender(std::function<void()> run) { return {"NumPy", Role::kPeer, std::move(run)}; }

std::optional<Contender> of(const std::vector<Move>& moves, const Buffers& buffers) {
  struct Pair {
    Object source;
    Object target;
  };
  std::vector<Pair> pairs;
  for (const Move& move : moves)
    pairs.push_back({array_of(buffers.input(move.source.buffer), move.data_type, move.source),
                     array_of(buffers.output(move.target.buffer), move.data_type, move.target)});
  return contender([pairs] {
    for (const Pair& pair : pairs)
      succeeded(PyArray_CopyInto(array(pair.target), array(pair.source)));
  });
}

std::optional<Contender> of(const Take& take, const Buffers& buffers) {
  const Object data = input_of(buffers, take.data);
  const Object indices = input_of(buffers, take.indices);
  const Object output = output_of(buffers, take.output);
  return contender([=, axis = static_cast<int>(take.axis)] {
    // Clipping, because raising errors takes a copy of the output.
    owned(PyArray_TakeFrom(array(data), indices.get(), axis, array(output), NPY_CLIP));
  });
}

std::optional<Contender> of(const Put& put, const Buffers& buffers) {
  const Object input = input_of(buffers, put.input);
  const Object updates = input_of(buffers, put.updates);
  const Object output = output_of(buffers, put.output);
  // What put_along_axis makes: the indices, and along every other dimension its coordinates.
  const Object places = owned(PyTuple_New(static_cast<Py_ssize_t>(put.indices.tensor->rank())));
  for (std::size_t i = 0; i < put.indices.tensor->rank(); ++i) {
    Object place;
    if (i == put.axis) {
      place = input_of(buffers, put.indices);
    } else {
      const auto size = static_cast<npy_intp>(put.indices.tensor->sizes[i]);
      const Object line = owned(PyArray_Arange(0, static_cast<double>(size), 1, NPY_INTP));
      InlineVector<npy_intp, kMaxRank> sizes(put.indices.tensor->rank(), 1);
      sizes[i] = size;
      PyArray_Dims shape{sizes.data(), static_cast<int>(sizes.size())};
      place = owned(PyArray_Newshape(array(line), &shape, NPY_CORDER));
    }
    Py_INCREF(place.get());  // the tuple takes one
    PyTuple_SET_ITEM(places.get(), static_cast<Py_ssize_t>(i), place.get());
  }
  return contender([=] {
    succeeded(PyArray_CopyInto(array(output), array(input)));
    succeeded(PyObject_SetItem(output.get(), places.get(), updates.get()));
  });
}

std::optional<Contender> of(std::monostate /*work*/, const Buffers& /*buffers*/) {
  return std::nullopt;
}

std::optional<Contender> prepare(const Operator& op, const Buffers& buffers) {
  static const bool is_there = start();
  if (!is_there) return std::nullopt;
  return std::visit([&](const auto& work) { return of(work, buffers); }, work_of(op));
}

}  // namespace

Peer numpy_peer() { return {"NumPy", OPCONFORM_BENCH_NUMPY, prepare}; }

}  // namespace opconform::bench
