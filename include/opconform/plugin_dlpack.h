/* For plug-ins whose code takes DLPack: a tensor as DLTensor. Needs dlpack/dlpack.h, version 0.5 or
 * later.
 *
 * DLPack has no strings, no buffer sizes and no tensors that may only be read: opconform_tensor
 * stays what is judged by. */
/* NOLINTBEGIN: as in plugin.h */
#ifndef OPCONFORM_PLUGIN_DLPACK_H
#define OPCONFORM_PLUGIN_DLPACK_H

#include <dlpack/dlpack.h>

#include "opconform/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in `to`, on the CPU, with the address in `data` and byte_offset 0. `dimensions` has room
 * for twice the rank and must live as long as `to`. Returns 0 where DLPack cannot say it: strings,
 * types of a later version, strides that are not as many as sizes, numbers above INT64_MAX. */
static inline int opconform_to_dlpack(const opconform_tensor* from, int64_t* dimensions,
                                      DLTensor* to) {
  /* DLDataTypeCode: 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool; by data_type. */
  static const unsigned char codes[] = {2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1, 4, 6, 5, 5};
  if (from->data_type >= sizeof codes || from->stride_count != from->rank) return 0;
  for (uint32_t i = 0; i < from->rank; ++i) {
    if (from->sizes[i] > INT64_MAX || from->strides[i] > INT64_MAX) return 0;
    dimensions[i] = (int64_t)from->sizes[i];
    dimensions[from->rank + i] = (int64_t)from->strides[i];
  }
  memset(to, 0, sizeof *to);
  to->data = from->data;
  to->device.device_type = kDLCPU;
  to->ndim = (int32_t)from->rank;
  to->dtype.code = codes[from->data_type];
  to->dtype.bits = (uint8_t)(8 * opconform_element_size_bytes(from->data_type));
  to->dtype.lanes = 1;
  to->shape = dimensions;
  to->strides = dimensions + from->rank;
  return 1;
}

#ifdef __cplusplus
}
#endif
#endif
/* NOLINTEND */
