/* The C interface of a plug-in: an implementation that opconform loads and judges. C99 and C++.
 *
 * A plug-in is a shared library that exports one function, opconform_plugin_init(), which fills in
 * an opconform_plugin. Nothing of opconform is linked:
 *
 *   cc -shared -fPIC -I INCLUDE mine.c -o mine.so
 *   opconform run --backend plugin:./mine.so
 *
 * docs/plugins.md begins with an empty folder; examples/plugin_c/gather.c is a whole plug-in.
 *
 * The host calls from one thread at a time, not always the same, in a process that may die. It
 * calls from several at once only if the plug-in's flags offer that. Many plans may exist at once;
 * the host executes and releases them in any order. No exception and no allocation crosses the
 * border: what a pointer points to belongs to the side that gave it. What the host gives stays
 * until the call returns; a text of the plug-in's stays until the next call by the same thread.
 *
 * Versions: a struct begins with its own size, and grows only at its end. Before you read a member
 * that a minor version added, ask OPCONFORM_HAS(). A major version that differs is rejected with
 * both numbers. Elements of arrays are pointers, so they can point to structs of any size.
 */
/* NOLINTBEGIN: clang-tidy reads this as C++, which it is only as far as C allows. */
#ifndef OPCONFORM_PLUGIN_H
#define OPCONFORM_PLUGIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OPCONFORM_ABI_MAJOR 1
#define OPCONFORM_ABI_MINOR 1

#ifdef __cplusplus
#define OPCONFORM_EXPORT extern "C" __attribute__((visibility("default")))
extern "C" {
#else
#define OPCONFORM_EXPORT __attribute__((visibility("default")))
#endif

/* Is the struct that the pointer points to large enough to have that member? */
#define OPCONFORM_HAS(type, pointer, member) \
  ((pointer)->struct_size >= offsetof(type, member) + sizeof((pointer)->member))

/* Bytes with a length: no 0 ends them, and they may hold one. Never grows. An element of a tensor
 * of strings is one of these, too. */
typedef struct opconform_text {
  const char* bytes;
  uint64_t size_bytes;
} opconform_text;

/* opconform_tensor.data_type. The documents' names: FLOAT32 of DirectML is float of ONNX. */
enum {
  OPCONFORM_FLOAT64 = 0,
  OPCONFORM_FLOAT32 = 1,
  OPCONFORM_FLOAT16 = 2,
  OPCONFORM_INT64 = 3,
  OPCONFORM_INT32 = 4,
  OPCONFORM_INT16 = 5,
  OPCONFORM_INT8 = 6,
  OPCONFORM_UINT64 = 7,
  OPCONFORM_UINT32 = 8,
  OPCONFORM_UINT16 = 9,
  OPCONFORM_UINT8 = 10,
  OPCONFORM_BFLOAT16 = 11,
  OPCONFORM_BOOL = 12,
  OPCONFORM_COMPLEX64 = 13,
  OPCONFORM_COMPLEX128 = 14,
  OPCONFORM_STRING = 15 /* elements are opconform_text; the bytes are moved by reference */
};

/* opconform_tensor.flags */
enum {
  OPCONFORM_PACKED = 1,   /* the strides are the packed ones: the elements lie in row-major order */
  OPCONFORM_INPUT = 2,    /* to be read only */
  OPCONFORM_CONSTANT = 4, /* bound when the plan is prepared: see opconform_descriptor.binding */
  OPCONFORM_STRIDES_LEFT_OUT = 8 /* the descriptor has none; `strides` are the packed ones */
};

typedef struct opconform_tensor {
  uint32_t struct_size;
  uint32_t data_type;
  uint32_t rank;         /* how many sizes */
  uint32_t stride_count; /* as many as sizes, unless the descriptor breaks that rule */
  uint32_t flags;
  uint32_t reserved;
  const uint64_t* sizes;
  const uint64_t* strides; /* in elements; always there, stride_count of them */
  uint64_t size_bytes; /* of the buffer: TotalTensorSizeInBytes of DirectML; of an ONNX tensor, its
                          elements. An element of a string tensor counts 16. */
  void* data;          /* null except in execute, unless the operand is constant */
} opconform_tensor;

/* opconform_field.kind */
enum {
  OPCONFORM_FIELD_TENSOR = 0,  /* one tensor */
  OPCONFORM_FIELD_TENSORS = 1, /* an array of tensors */
  OPCONFORM_FIELD_NUMBER = 2,  /* one number; none where an attribute is left out */
  OPCONFORM_FIELD_NUMBERS = 3  /* an array of numbers */
};

/* A field of the operator's document, by the document's name. */
typedef struct opconform_field {
  uint32_t struct_size;
  uint32_t kind;
  opconform_text name;
  uint64_t count; /* of tensors, or of numbers */
  const opconform_tensor* const* tensors;
  const int64_t* numbers;
} opconform_field;

/* opconform_descriptor.dialect: whose words the fields are, and what `version` counts. */
enum {
  OPCONFORM_DIRECTML = 1, /* the feature level, as DML_FEATURE_LEVEL numbers it: 0x2100 is 2_1 */
  OPCONFORM_ONNX = 2      /* the operator set: 13 */
};

/* opconform_descriptor.binding: how operands and shapes reach the plan. 0: the contents of every
 * tensor are there when it is executed, and the sizes when it is prepared. */
enum {
  OPCONFORM_CONSTANT_VALUES = 1,  /* the inputs but indices are constants of the plan */
  OPCONFORM_CONSTANT_INDICES = 2, /* indices are */
  OPCONFORM_SYMBOLIC_SHAPES = 4   /* the plan is to be made for any sizes of these ranks */
};

/* An operator with all its fields, in the document's order. */
typedef struct opconform_descriptor {
  uint32_t struct_size;
  uint32_t dialect;
  uint32_t version;
  uint32_t binding;
  opconform_text operator_name; /* as case files have it; opconform spec lists them */
  uint64_t field_count;
  const opconform_field* const* fields;
} opconform_descriptor;

/* What open, offers, prepare and execute return. */
enum {
  OPCONFORM_DONE = 0,
  OPCONFORM_REFUSED = 1,     /* the descriptor breaks a rule; prepare and execute alone */
  OPCONFORM_NOT_OFFERED = 2, /* this is no part of what the plug-in implements; say why in `text` */
  OPCONFORM_FAILED = 3, /* an error of the execution: an index out of range. Of open: no start */
  OPCONFORM_RAN_ELSEWHERE = 4 /* it ran, but not on what is to be judged: on a fallback */
};

/* opconform_reply.flags */
enum {
  OPCONFORM_SPOILED = 1 /* later results of this process could be wrong: start another one */
};

/* Goes with what a call returns. The host clears it before each call. You may leave all of it as it
 * is. */
typedef struct opconform_reply {
  uint32_t struct_size;
  uint32_t flags;
  opconform_text text;         /* for people */
  uint64_t rule_count;         /* all broken rules, or 0: naming only some of them is a failure */
  const opconform_text* rules; /* "tensor.buffer-size"; opconform spec lists them */
} opconform_reply;

/* opconform_plugin.flags */
enum {
  /* Some descriptors that break a rule are rejected only when they are executed. The host then
   * executes what prepare() took, with buffers of zeros where it can make any. Without prepare(),
   * this holds anyway. */
  OPCONFORM_REFUSES_LATE = 1,
  /* Since 1.1. offers, prepare, execute and release may be called by several threads at once, each
   * with a plan of its own. Without the next flag, no plan is executed twice at once. */
  OPCONFORM_PLANS_AT_ONCE = 2,
  /* Since 1.1; says OPCONFORM_PLANS_AT_ONCE, too. execute may be called by several threads at once
   * with one plan, each with a descriptor and with buffers of its own: none that is written is
   * another's. open, close, and release of a plan that is in use, are never called at once. */
  OPCONFORM_EXECUTIONS_AT_ONCE = 4
};

/* A plug-in. The host sets struct_size, abi_major and abi_minor to its own, and the rest to 0. */
typedef struct opconform_plugin {
  uint32_t struct_size;
  uint32_t abi_major;
  uint32_t abi_minor;
  uint32_t flags;
  opconform_text name;    /* of the implementation; needed */
  opconform_text version; /* of the implementation */
  opconform_text
      promise;       /* a name or JSON, as --profile takes it; empty: the documents themselves */
  uint32_t bindings; /* the bit 1 << B for each binding B that is offered; 0: only B = 0 */
  uint32_t reserved;

  /* Called once, with the options after the commas of --backend: "device=1". May be null. The
   * struct stays where it is until close(). If an option decides them, open() may still change the
   * version, the promise and the bindings. */
  int32_t (*open)(const opconform_text* options, uint64_t option_count, void** state,
                  opconform_reply* reply);
  /* Is this part of what the plug-in implements? DONE or NOT_OFFERED. Null: all of it is. */
  int32_t (*offers)(void* state, const opconform_descriptor* descriptor, opconform_reply* reply);
  /* Checks the descriptor, which may break any rule, and makes a plan of it, which is executed any
   * number of times, also after the descriptor is gone. Null: there are no plans, and execute()
   * checks it. Constant operands have `data`, unless the descriptor breaks a rule: then no contents
   * exist. */
  int32_t (*prepare)(void* state, const opconform_descriptor* descriptor, void** plan,
                     opconform_reply* reply);
  /* Needed. The descriptor is that of the plan again, with `data` in every tensor; in none if it
   * breaks a rule and no buffers can be made for it. */
  int32_t (*execute)(void* state, void* plan, const opconform_descriptor* descriptor,
                     opconform_reply* reply);
  /* Both may be null. */
  void (*release)(void* state, void* plan);
  void (*close)(void* state);
} opconform_plugin;

/* The plug-in defines this, with OPCONFORM_EXPORT. Returns OPCONFORM_DONE, or anything else if it
 * cannot work with this host. Call opconform_plugin_fits() first. */
OPCONFORM_EXPORT int32_t opconform_plugin_init(opconform_plugin* plugin);

/* ---- Helpers. The host calls none of them. ---- */

static inline opconform_text opconform_text_of(const char* characters) {
  opconform_text text;
  text.bytes = characters;
  text.size_bytes = strlen(characters);
  return text;
}

static inline int opconform_text_is(opconform_text text, const char* characters) {
  return text.size_bytes == strlen(characters) &&
         memcmp(text.bytes, characters, (size_t)text.size_bytes) == 0;
}

/* Does the host speak this major version? Says which versions this plug-in was built for, either
 * way. */
static inline int opconform_plugin_fits(opconform_plugin* plugin) {
  const int fits = plugin->abi_major == OPCONFORM_ABI_MAJOR;
  plugin->abi_major = OPCONFORM_ABI_MAJOR;
  plugin->abi_minor = OPCONFORM_ABI_MINOR;
  return fits;
}

/* Puts a text into the reply and returns `status`: return opconform_reply_with(reply,
 * OPCONFORM_REFUSED, "Axis is too large"). The characters must stay until the next call. */
static inline int32_t opconform_reply_with(opconform_reply* reply, int32_t status,
                                           const char* characters) {
  reply->text = opconform_text_of(characters);
  return status;
}

/* The field of that name; null where there is none. */
static inline const opconform_field* opconform_find(const opconform_descriptor* descriptor,
                                                    const char* name) {
  for (uint64_t i = 0; i < descriptor->field_count; ++i)
    if (opconform_text_is(descriptor->fields[i]->name, name)) return descriptor->fields[i];
  return NULL;
}

/* The tensor of that name; null where there is none. */
static inline const opconform_tensor* opconform_find_tensor(const opconform_descriptor* descriptor,
                                                            const char* name) {
  const opconform_field* const field = opconform_find(descriptor, name);
  return field != NULL && field->kind == OPCONFORM_FIELD_TENSOR ? field->tensors[0] : NULL;
}

/* The number of that name; `otherwise` where it is left out. */
static inline int64_t opconform_find_number(const opconform_descriptor* descriptor,
                                            const char* name, int64_t otherwise) {
  const opconform_field* const field = opconform_find(descriptor, name);
  return field != NULL && field->kind == OPCONFORM_FIELD_NUMBER && field->count == 1
             ? field->numbers[0]
             : otherwise;
}

/* Bytes of an element; 0 for a type of a later version. */
static inline size_t opconform_element_size_bytes(uint32_t data_type) {
  static const unsigned char sizes[] = {8, 4, 2, 8, 4, 2, 1, 8, 4, 2, 1, 2, 1, 8, 16, 16};
  return data_type < sizeof sizes ? sizes[data_type] : 0;
}

/* Bytes of all elements side by side; UINT64_MAX where that does not fit in 64 bits. */
static inline uint64_t opconform_packed_size_bytes(const opconform_tensor* tensor) {
  uint64_t bytes = opconform_element_size_bytes(tensor->data_type);
  for (uint32_t i = 0; i < tensor->rank; ++i)
    if (tensor->sizes[i] == 0) return 0;
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    if (bytes > UINT64_MAX / tensor->sizes[i]) return UINT64_MAX;
    bytes *= tensor->sizes[i];
  }
  return bytes;
}

/* How many elements; of sizes that a valid descriptor has. */
static inline uint64_t opconform_element_count(const opconform_tensor* tensor) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < tensor->rank; ++i) count *= tensor->sizes[i];
  return count;
}

/* Where the element with that row-major number lies, in elements from the start of the buffer. For
 * a number below opconform_element_count(), and as many strides as sizes. */
static inline uint64_t opconform_offset(const opconform_tensor* tensor, uint64_t number) {
  uint64_t offset = 0;
  for (uint32_t i = tensor->rank; i-- > 0; number /= tensor->sizes[i])
    offset += number % tensor->sizes[i] * tensor->strides[i];
  return offset;
}

/* A dimension for opconform_overlaps(): the greatest coordinate, and the offset of the last element
 * of all dimensions with smaller strides. */
typedef struct opconform_reach {
  uint64_t most;
  uint64_t stride;
  uint64_t below;
} opconform_reach;

/* Are two elements that differ in the dimensions 0 to k alone that far apart? Strides ascend. */
static inline int opconform_reaches(const opconform_reach* dimensions, uint32_t k,
                                    uint64_t distance) {
  const opconform_reach at = dimensions[k];
  if (k == 0) return distance % at.stride == 0 && distance / at.stride <= at.most;
  uint64_t d = distance > at.below ? (distance - at.below - 1) / at.stride + 1 : 0;
  for (; d <= at.most; ++d) {
    const uint64_t there = d * at.stride;
    if (there > distance && there - distance > at.below) break;
    if (opconform_reaches(dimensions, k - 1,
                          there > distance ? there - distance : distance - there))
      return 1;
  }
  for (d = 1; d <= at.most && distance <= at.below && d * at.stride <= at.below - distance; ++d)
    if (opconform_reaches(dimensions, k - 1, distance + d * at.stride)) return 1;
  return 0;
}

/* Do two elements share an address? Exact: what tensor.output-no-overlap forbids of an output. For
 * as many strides as sizes, and offsets that fit in 64 bits. A layout that is made to be hard takes
 * long.
 */
static inline int opconform_overlaps(const opconform_tensor* tensor) {
  opconform_reach dimensions[64]; /* those with more than one element, in the order of strides */
  uint32_t count = 0;
  uint64_t elements = 1;
  uint64_t reach = 0;
  for (uint32_t i = 0; i < tensor->rank; ++i)
    if (tensor->sizes[i] == 0) return 0;
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    const opconform_reach one = {tensor->sizes[i] - 1, tensor->strides[i], 0};
    uint32_t k = count;
    if (one.most == 0) continue;
    if (one.stride == 0 || elements > UINT64_MAX / tensor->sizes[i]) return 1;
    elements *= tensor->sizes[i];
    for (; k > 0 && dimensions[k - 1].stride > one.stride; --k) dimensions[k] = dimensions[k - 1];
    dimensions[k] = one;
    ++count;
  }
  for (uint32_t k = 0; k < count; ++k) {
    dimensions[k].below = reach;
    reach += dimensions[k].most * dimensions[k].stride;
  }
  if (elements - 1 > reach) return 1; /* more elements than addresses */
  /* Otherwise they overlap where a difference of coordinates other than 0 moves nothing. d is that
   * of the largest stride that takes part. */
  for (uint32_t k = 1; k < count; ++k) {
    const opconform_reach at = dimensions[k];
    for (uint64_t d = 1; d <= at.most && d * at.stride <= at.below; ++d)
      if (opconform_reaches(dimensions, k - 1, d * at.stride)) return 1;
  }
  return 0;
}

#ifdef __cplusplus
}
#endif
#endif
/* NOLINTEND */
