/* For plug-ins whose code takes DirectML's descriptors: the operator's documented struct, made of a
 * descriptor's fields. What `desc` points to is a DML_<OPERATOR>_OPERATOR_DESC as the header
 * DirectML.h lays it out: cast it. Nothing of DirectML is needed here. Source of names, numbers and
 * order: the pages of these structs. */
/* NOLINTBEGIN: as in plugin.h */
#ifndef OPCONFORM_PLUGIN_DIRECTML_H
#define OPCONFORM_PLUGIN_DIRECTML_H

#include <stdlib.h>

#include "opconform/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DML_TENSOR_DATA_TYPE of a data type; 0, which is DML_TENSOR_DATA_TYPE_UNKNOWN, of one that
 * DirectML lacks. */
static inline uint32_t opconform_directml_data_type(uint32_t data_type) {
  static const unsigned char types[] = {9, 1, 2, 11, 6, 7, 8, 10, 3, 4, 5};
  return data_type < sizeof types ? types[data_type] : 0;
}

/* DML_BUFFER_TENSOR_DESC */
typedef struct opconform_dml_buffer_tensor_desc {
  uint32_t DataType; /* DML_TENSOR_DATA_TYPE */
  uint32_t Flags;    /* DML_TENSOR_FLAGS: none */
  uint32_t DimensionCount;
  const uint32_t* Sizes;
  const uint32_t* Strides; /* null where the descriptor has none */
  uint64_t TotalTensorSizeInBytes;
  uint32_t GuaranteedBaseOffsetAlignment; /* 0: nothing is known */
} opconform_dml_buffer_tensor_desc;

/* DML_TENSOR_DESC */
typedef struct opconform_dml_tensor_desc {
  uint32_t Type; /* DML_TENSOR_TYPE_BUFFER: 1 */
  const opconform_dml_buffer_tensor_desc* Desc;
} opconform_dml_tensor_desc;

/* Owns all that it leads to; does not refer to the descriptor. */
typedef struct opconform_dml_operator {
  const void* desc;       /* the operator's struct */
  size_t desc_size_bytes; /* of it */
  void* memory[4];        /* to be freed */
} opconform_dml_operator;

static inline void opconform_dml_free(opconform_dml_operator* made) {
  for (size_t i = 0; i < sizeof made->memory / sizeof made->memory[0]; ++i) free(made->memory[i]);
  memset(made, 0, sizeof *made);
}

/* A place in a struct of C for something of that size, which is its alignment, too. */
static inline size_t opconform_dml_place(size_t* used, size_t size_bytes) {
  const size_t place = (*used + size_bytes - 1) / size_bytes * size_bytes;
  *used = place + size_bytes;
  return place;
}

/* How many tensors and numbers the descriptor has. Returns 0 where the struct cannot say it. */
static inline int opconform_dml_count(const opconform_descriptor* from, size_t* tensors,
                                      size_t* numbers) {
  if (from->dialect != OPCONFORM_DIRECTML) return 0;
  for (uint64_t i = 0; i < from->field_count; ++i) {
    const opconform_field* const field = from->fields[i];
    for (uint64_t k = 0; k < field->count; ++k) {
      if (field->tensors == NULL) {
        if (field->numbers[k] < INT32_MIN || field->numbers[k] > UINT32_MAX) return 0;
        ++*numbers;
        continue;
      }
      const opconform_tensor* const one = field->tensors[k];
      if (one->stride_count != one->rank) return 0;
      for (uint32_t d = 0; d < one->rank; ++d)
        if (one->sizes[d] > UINT32_MAX || one->strides[d] > UINT32_MAX) return 0;
      *numbers += 2 * one->rank;
      ++*tensors;
    }
  }
  return 1;
}

/* Lays a tensor out in `tensor` and `buffer`. Its sizes and strides become the next numbers, behind
 * which what is returned points. */
static inline uint32_t* opconform_dml_put_tensor(const opconform_tensor* from, uint32_t* numbers,
                                                 opconform_dml_buffer_tensor_desc* buffer,
                                                 opconform_dml_tensor_desc* tensor) {
  buffer->DataType = opconform_directml_data_type(from->data_type);
  buffer->DimensionCount = from->rank;
  buffer->Sizes = numbers;
  for (uint32_t d = 0; d < from->rank; ++d) *numbers++ = (uint32_t)from->sizes[d];
  buffer->Strides = (from->flags & OPCONFORM_STRIDES_LEFT_OUT) != 0 ? NULL : numbers;
  for (uint32_t d = 0; d < from->rank; ++d) *numbers++ = (uint32_t)from->strides[d];
  buffer->TotalTensorSizeInBytes = from->size_bytes;
  tensor->Type = 1;
  tensor->Desc = buffer;
  return numbers;
}

/* Lays the fields out in the memory, which has room for them. Returns the size of the struct. */
static inline size_t opconform_dml_put_fields(const opconform_descriptor* from,
                                              void* const* memory) {
  char* const desc = (char*)memory[0];
  opconform_dml_tensor_desc* tensor = (opconform_dml_tensor_desc*)memory[1];
  opconform_dml_buffer_tensor_desc* buffer = (opconform_dml_buffer_tensor_desc*)memory[2];
  uint32_t* number = (uint32_t*)memory[3];
  size_t used = 0;
  for (uint64_t i = 0; i < from->field_count; ++i) {
    const opconform_field* const field = from->fields[i];
    if (field->kind == OPCONFORM_FIELD_NUMBER) {
      const uint32_t value = field->count == 0 ? 0 : (uint32_t)field->numbers[0];
      memcpy(desc + opconform_dml_place(&used, sizeof value), &value, sizeof value);
      continue;
    }
    const int has_numbers = field->kind == OPCONFORM_FIELD_NUMBERS;
    const void* const pointer = has_numbers ? (const void*)number : (const void*)tensor;
    memcpy(desc + opconform_dml_place(&used, sizeof pointer), &pointer, sizeof pointer);
    for (uint64_t k = 0; k < field->count; ++k) {
      if (has_numbers)
        *number++ = (uint32_t)field->numbers[k];
      else
        number = opconform_dml_put_tensor(field->tensors[k], number, buffer++, tensor++);
    }
  }
  return (used + sizeof(void*) - 1) / sizeof(void*) * sizeof(void*);
}

/* Fills in `made`, to be freed with opconform_dml_free(). Returns 0, with nothing to be freed,
 * where the struct cannot say it: another dialect, numbers above 32 bits, strides that are not as
 * many as sizes; or where there is no memory. */
static inline int opconform_dml_make(const opconform_descriptor* from,
                                     opconform_dml_operator* made) {
  size_t tensors = 0, numbers = 0;
  memset(made, 0, sizeof *made);
  if (!opconform_dml_count(from, &tensors, &numbers)) return 0;
  made->memory[0] = calloc(from->field_count + 1, sizeof(void*));
  made->memory[1] = calloc(tensors + 1, sizeof(opconform_dml_tensor_desc));
  made->memory[2] = calloc(tensors + 1, sizeof(opconform_dml_buffer_tensor_desc));
  made->memory[3] = calloc(numbers + 1, sizeof(uint32_t));
  if (made->memory[0] == NULL || made->memory[1] == NULL || made->memory[2] == NULL ||
      made->memory[3] == NULL) {
    opconform_dml_free(made);
    return 0;
  }
  made->desc = made->memory[0];
  made->desc_size_bytes = opconform_dml_put_fields(from, made->memory);
  return 1;
}

#ifdef __cplusplus
}
#endif
#endif
/* NOLINTEND */
