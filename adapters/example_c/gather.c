/* A whole plug-in: ONNX Gather, of all types.
 *   cc -shared -fPIC gather.c -o gather.so     (-I INCLUDE where opconform is not installed below /usr) */
#include <opconform/plugin.h>

#define REJECT_WHERE(condition) \
  if (condition) return opconform_reply_with(reply, OPCONFORM_REFUSED, #condition)

/* The descriptor, read; the axis counted from the front. */
typedef struct gather { const opconform_tensor *data, *indices, *output; int64_t axis; } gather;

static gather fields_of(const opconform_descriptor* d) {
  gather g = {opconform_find_tensor(d, "data"), opconform_find_tensor(d, "indices"), opconform_find_tensor(d, "output"), 0};
  g.axis = opconform_find_number(d, "axis", 0);
  if (g.axis < 0) g.axis += g.data->rank;
  return g;
}

static int32_t offers(void* state, const opconform_descriptor* d, opconform_reply* reply) {
  if (opconform_text_is(d->operator_name, "ONNX_GATHER")) return OPCONFORM_DONE;
  return opconform_reply_with(reply, OPCONFORM_NOT_OFFERED, "this is Gather alone");
}

static int32_t prepare(void* state, const opconform_descriptor* d, void** plan, opconform_reply* reply) {
  const gather g = fields_of(d);
  REJECT_WHERE(g.indices->data_type != OPCONFORM_INT32 && g.indices->data_type != OPCONFORM_INT64);
  REJECT_WHERE(g.data->data_type == OPCONFORM_BFLOAT16 && d->version < 13);
  REJECT_WHERE(g.output->data_type != g.data->data_type);
  REJECT_WHERE(g.axis < 0 || g.axis >= g.data->rank);
  REJECT_WHERE(g.output->rank != g.data->rank + g.indices->rank - 1);
  const uint32_t axis = (uint32_t)g.axis, behind = axis + g.indices->rank;
  for (uint32_t i = 0; i < g.output->rank; ++i)
    REJECT_WHERE(g.output->sizes[i] != (i < axis     ? g.data->sizes[i]
                                        : i < behind ? g.indices->sizes[i - axis]
                                                     : g.data->sizes[i + 1 - g.indices->rank]));
  REJECT_WHERE(opconform_packed_size_bytes(g.data) == UINT64_MAX || opconform_packed_size_bytes(g.indices) == UINT64_MAX || opconform_packed_size_bytes(g.output) == UINT64_MAX);
  return OPCONFORM_DONE;
}

static int32_t execute(void* state, void* plan, const opconform_descriptor* d, opconform_reply* reply) {
  const gather g = fields_of(d);
  const int64_t size = (int64_t)g.data->sizes[g.axis], count = (int64_t)opconform_element_count(g.indices);
  int64_t rows = 1, row = (int64_t)opconform_element_size_bytes(g.data->data_type); /* sizes before the axis; bytes behind it */
  for (uint32_t i = 0; i < g.data->rank; ++i) *(i < g.axis ? &rows : &row) *= i == g.axis ? 1 : (int64_t)g.data->sizes[i];
  for (int writes = 0; writes < 2; ++writes) /* an index out of range is found before anything is written */
    for (int64_t i = 0; i < count; ++i) {
      int64_t k = g.indices->data_type == OPCONFORM_INT32 ? ((const int32_t*)g.indices->data)[i] : ((const int64_t*)g.indices->data)[i];
      if (k < 0 && d->version >= 11) k += size;
      if (k < 0 || k >= size) return opconform_reply_with(reply, OPCONFORM_FAILED, "an index is out of range");
      for (int64_t r = 0; writes && r < rows; ++r)
        memcpy((char*)g.output->data + (r * count + i) * row, (const char*)g.data->data + (r * size + k) * row, (size_t)row);
    }
  return OPCONFORM_DONE;
}

OPCONFORM_EXPORT int32_t opconform_plugin_init(opconform_plugin* plugin) {
  if (!opconform_plugin_fits(plugin)) return OPCONFORM_FAILED;
  plugin->name = opconform_text_of("gather-in-c"), plugin->flags = OPCONFORM_EXECUTIONS_AT_ONCE; /* it keeps nothing */
  plugin->offers = offers, plugin->prepare = prepare, plugin->execute = execute;
  return OPCONFORM_DONE;
}
