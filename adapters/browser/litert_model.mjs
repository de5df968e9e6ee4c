// LiteRT models of one operator, as bytes. The numbers of fields, types and operators are those of its schema.fbs.
import {blob, byte, flatbuffer, int, ints, table, tables, text} from "./flatbuffer.mjs";

const SCHEMA_VERSION = 3;
const TYPES = {float32: 0, float16: 1, int32: 2, uint8: 3, int64: 4, bool: 6, int16: 7, int8: 9, float64: 10, uint64: 12,
  uint32: 15, uint16: 16};
export const OPERATIONS = {
  CONCATENATION: {code: 2, options: 10}, GATHER: {code: 36, options: 23}, STRIDED_SLICE: {code: 45, options: 32},
  SPLIT_V: {code: 102, options: 79},
};
const OLD_CODES = 127;  // where a code was a byte

/** `operation`: a key of OPERATIONS; `options`: the values of its options table, in the schema's order. An input or output
 *  is {name, type, sizes}; an input that has `constant` is stored in the model. */
export function makeModel({operation, options, inputs, outputs}) {
  const {code, options: kind} = OPERATIONS[operation];
  const buffers = [table()];  // the first one is that of tensors without contents
  const tensors = [...inputs, ...outputs].map(({name, type, sizes, constant}) => {
    if (constant) buffers.push(table(blob(constant)));
    return table(ints(sizes), byte(TYPES[type]), int(constant ? buffers.length - 1 : 0), text(name));
  });
  const places = inputs.map((_, i) => i), results = outputs.map((_, i) => inputs.length + i);
  const node = table(int(0), ints(places), ints(results), byte(kind), table(...options.map(int)));
  const graph = table(tables(tensors), ints(places.filter((i) => !inputs[i].constant)), ints(results), tables([node]),
    text("main"));
  const operatorCode = table(byte(Math.min(code, OLD_CODES)), undefined, int(1), int(code));
  return flatbuffer(table(int(SCHEMA_VERSION), tables([operatorCode]), tables([graph]), text(operation), tables(buffers)),
    "TFL3");
}
