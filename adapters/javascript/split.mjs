// A whole program: DML_SPLIT. opconform run --backend 'process:node split.mjs'
import {refuseIf, serve} from "./opconform_process.mjs";

// The support table: from that level on, these ranks and types.
const OF_16_AND_32 = ["FLOAT32", "FLOAT16", "INT32", "INT16", "UINT32", "UINT16"];
const UP_TO_32 = [...OF_16_AND_32, "INT8", "UINT8"];
const ALL = [...UP_TO_32, "FLOAT64", "INT64", "UINT64"];
const SUPPORT = [["1_0", 4, 4, OF_16_AND_32], ["2_1", 4, 4, UP_TO_32], ["3_0", 1, 8, UP_TO_32], ["4_1", 1, 8, ALL]];

function check(one) {
  const input = one.tensor("InputTensor"), outputs = one.tensors("OutputTensors"), axis = one.desc.Axis;
  const [, least, most, types] = SUPPORT.findLast(([level]) => level <= one.version);
  refuseIf(outputs.length === 0, "OutputCount is 0");
  for (const tensor of [input, ...outputs]) {
    refuseIf(tensor.rank < least || tensor.rank > most || !types.includes(tensor.type), "type or rank is not supported");
    refuseIf(tensor.type !== input.type || tensor.rank !== input.rank, "types or ranks differ");
    refuseIf(tensor.sizes.includes(0) || tensor.count >= 2 ** 32, "a size is 0, or there are too many elements");
  }
  refuseIf(axis >= input.rank, "Axis is out of range");
  refuseIf(outputs.some((output) => output.sizes.some((size, i) => i !== axis && size !== input.sizes[i])), "a size differs");
  refuseIf(outputs.reduce((sum, output) => sum + output.sizes[axis], 0) !== input.sizes[axis], "the sizes do not add up");
}

function run(one) {
  const input = one.tensor("InputTensor"), axis = one.desc.Axis;
  const bytes = input.sizes.slice(axis + 1).reduce((product, size) => product * size, input.elementBytes);
  const row = input.sizes[axis] * bytes;
  let first = 0;
  for (const output of one.tensors("OutputTensors")) {
    const length = output.sizes[axis] * bytes;
    for (let from = first, to = 0; from < input.buffer.length; from += row, to += length)
      output.buffer.set(input.buffer.subarray(from, from + length), to);
    first += length;
  }
}

serve({name: "split-in-javascript", version: "1.0"}, {DML_SPLIT: {check, run}});
