/* The example of a plug-in, which takes constants into its plan and offers every binding. With
 * OPCONFORM_MISBEHAVE it has one of the bugs that are asked for below with is(), each wrong in some
 * bindings and nowhere else. */
#include <stdlib.h>

#define opconform_plugin_init honest_init
#include "../../adapters/example_c/gather.c"
#undef opconform_plugin_init

static int is(const char* name) {
  const char* const wanted = getenv("OPCONFORM_MISBEHAVE");
  return wanted != NULL && strcmp(wanted, name) == 0;
}

/* Copies of the constants' bytes; null where an operand is none. */
typedef struct constants {
  void *data, *indices;
} constants;

static void* copy_of(const opconform_tensor* tensor) {
  if ((tensor->flags & OPCONFORM_CONSTANT) == 0 || tensor->data == NULL) return NULL;
  void* const copy = malloc((size_t)tensor->size_bytes + 1);
  memcpy(copy, tensor->data, (size_t)tensor->size_bytes);
  return copy;
}

static int64_t folded(int64_t index, int64_t size) {
  if (is("constant-index-below-0-is-0") && index < 0) return 0;
  if (is("constant-index-clamped") && index < -size) return -size;
  if (is("constant-index-clamped") && index >= size) return size - 1;
  return index;
}

/* What a compiler makes of indices that it knows. */
static void fold(void* indices, const opconform_descriptor* d) {
  const gather g = fields_of(d);
  const int64_t size = (int64_t)g.data->sizes[g.axis];
  for (uint64_t i = 0; indices != NULL && i < opconform_element_count(g.indices); ++i)
    if (g.indices->data_type == OPCONFORM_INT32)
      ((int32_t*)indices)[i] = (int32_t)folded(((int32_t*)indices)[i], size);
    else
      ((int64_t*)indices)[i] = folded(((int64_t*)indices)[i], size);
}

/* Whether what is computed is lost, in this binding. */
static int is_lost(uint32_t binding) {
  const int values = (binding & OPCONFORM_CONSTANT_VALUES) != 0,
            symbols = (binding & OPCONFORM_SYMBOLIC_SHAPES) != 0;
  return (is("symbolic-size-is-0") && symbols) || (is("constant-values-not-kept") && values) ||
         (is("folded-with-sizes-unknown") && values && symbols);
}

static int32_t prepare_constants(void* state, const opconform_descriptor* d, void** plan,
                                 opconform_reply* reply) {
  const int32_t status = prepare(state, d, plan, reply);
  if (status != OPCONFORM_DONE) return status;
  constants* const made = malloc(sizeof *made);
  made->data = copy_of(opconform_find_tensor(d, "data"));
  made->indices = copy_of(opconform_find_tensor(d, "indices"));
  fold(made->indices, d);
  *plan = made;
  return OPCONFORM_DONE;
}

/* Executes with the constants of the plan, whatever is bound. */
static int32_t execute_constants(void* state, void* plan, const opconform_descriptor* d,
                                 opconform_reply* reply) {
  const constants* const known = plan;
  opconform_tensor* const data = (opconform_tensor*)opconform_find_tensor(d, "data");
  opconform_tensor* const indices = (opconform_tensor*)opconform_find_tensor(d, "indices");
  if (((d->binding & OPCONFORM_CONSTANT_VALUES) != 0) != (known->data != NULL)) return 99;
  if (((d->binding & OPCONFORM_CONSTANT_INDICES) != 0) != (known->indices != NULL)) return 98;
  void *const bound_data = data->data, *const bound_indices = indices->data;
  if (known->data != NULL) data->data = known->data;
  if (known->indices != NULL) indices->data = known->indices;
  int32_t status = is_lost(d->binding) ? OPCONFORM_DONE : execute(state, plan, d, reply);
  if (known->indices != NULL && is("wrong-constants") && status == OPCONFORM_DONE) {
    const opconform_tensor* const output = opconform_find_tensor(d, "output");
    if (output->size_bytes > 0) *(char*)output->data ^= 1;
  }
  data->data = bound_data;
  indices->data = bound_indices;
  return status;
}

static void release_constants(void* state, void* plan) {
  constants* const known = plan;
  free(known->data);
  free(known->indices);
  free(known);
}

OPCONFORM_EXPORT int32_t opconform_plugin_init(opconform_plugin* plugin) {
  const int32_t status = honest_init(plugin);
  plugin->prepare = prepare_constants, plugin->execute = execute_constants,
  plugin->release = release_constants;
  plugin->bindings = 0xFF;
  return status;
}
