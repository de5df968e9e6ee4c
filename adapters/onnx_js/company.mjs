// The case's node in company: in one model with other nodes, as engines that fuse, fold and plan memory see it. Nothing is
// computed here but contents that stand elsewhere in a larger tensor, or in another order.
//
// A company makes graphs of a node (operators.mjs). A graph's outputs say with `of` which output of the case each of them is;
// all that are of one output must be equal. One that is of none is fetched, and not judged.
import {notOffered} from "../javascript/opconform_process.mjs";
import {integers} from "./operators.mjs";

const MOST_INT64 = 2n ** 63n - 1n;

const plain = ({operation, attributes, inputs, outputs}) =>
  ({operation, attributes, inputs: inputs.map(({name}) => name), outputs: outputs.map(({name}) => name)});
const step = (operation, inputs, outputs) => ({operation, attributes: {}, inputs, outputs});
const alone = (node) => ({
  opset: node.opset, nodes: [plain(node)], inputs: node.inputs, outputs: node.outputs.map((output) => ({...output, of: output})),
});
const since = (node, opset, why) => { if (node.opset < opset) throw notOffered(why); };

/** Two nodes read each output. */
function twice(node) {
  const graph = alone(node);
  const read = (output, i) => ({...output, name: `${output.name}_${i}`});
  graph.nodes.push(...node.outputs.flatMap(({name}) => [1, 2].map((i) => step("Identity", [name], [`${name}_${i}`]))));
  return [{...graph, outputs: graph.outputs.flatMap((output) => [read(output, 1), read(output, 2)])}];
}

/** Nobody reads every other output: those with odd numbers in one model, those with even ones in another. */
function unused(node) {
  if (node.outputs.length < 2) throw notOffered("a single output cannot be left unused");
  const graph = alone(node);
  return [0, 1].map((rest) => ({...graph, outputs: graph.outputs.filter((_, i) => i % 2 === rest)}));
}

/** A second node has the same indices or parameters, and stands first: what is prepared for it must not serve the other. Its
 *  values are larger along the axis, so that every index means something there, and something else; what comes of it is
 *  fetched, and not judged. Sizes that must add up have values with a dimension of 1 in front, along another axis. */
function shared(node) {
  if (!node.inputs.some(({role}) => role === "indices")) throw notOffered("it has no indices and parameters to share");
  const {axis = 0} = node.attributes;
  const other = node.sizesAddUp ? raised : (tensor) => surrounded(tensor, Number(axis) + (axis < 0 ? tensor.sizes.length : 0), 1);
  const own = node.inputs.filter(({role}) => role === "values").map((input, i) => renamed(i > 0 ? input : other(input)));
  const outputs = node.outputs.map((output) => (node.sizesAddUp ? {...renamed(raised(output)), of: output}
    : renamed(node.grows ? other(output) : output)));
  const second = {
    operation: node.operation,
    attributes: node.sizesAddUp ? {axis: axis + (typeof axis === "bigint" ? 1n : 1)} : node.attributes,
    inputs: node.inputs.map(({role, name}) => (role === "values" ? `${name}_other` : name)),
    outputs: outputs.map(({name}) => name),
  };
  const graph = alone(node);
  return [{...graph, nodes: [second, ...graph.nodes], inputs: [...node.inputs, ...own], outputs: [...outputs, ...graph.outputs]}];
}
const raised = (tensor) => ({...tensor, sizes: [1, ...tensor.sizes]});
const renamed = (tensor) => ({...tensor, name: `${tensor.name}_other`});

/** All values are windows of larger tensors. A window that ends where they end is said to end as far as can be said. */
function slices(node) {
  since(node, 10, "Slice has operands since operator set 10");
  const graph = {...alone(node), nodes: []};
  graph.inputs = node.inputs.flatMap((input) => {
    if (input.role !== "values") return [input.name === "ends" ? openEnds(input, node.inputs[0].sizes) : input];
    const {name, sizes} = input;
    if (sizes.length === 0) throw notOffered("no window has rank 0");
    const lists = [sizes.map(() => 1), sizes.map((size) => size + 1), sizes.map((_, i) => i)]
      .map((numbers, i) => integers(`${name}_${["starts", "ends", "axes"][i]}`, numbers));
    const wide = sizes.reduce((tensor, _, axis) => surrounded(tensor, axis, 1), input);
    graph.nodes.push(step("Slice", [`${name}_wide`, ...lists.map((list) => list.name)], [name]));
    return [{...wide, name: `${name}_wide`}, ...lists];
  });
  graph.nodes.push(plain(node));
  return [graph];
}
const openEnds = (ends, sizes) => ({
  ...ends, contents: () => ends.contents().map((end, i) => (end === BigInt(sizes[i] ?? -1) ? MOST_INT64 : end)),
});

/** All values are the second of three outputs of a Split along the last axis; nobody reads the others. */
function parts(node) {
  since(node, 13, "Split has sizes as an operand since operator set 13");
  const graph = {...alone(node), nodes: []};
  graph.inputs = node.inputs.flatMap((input) => {
    if (input.role !== "values") return [input];
    const {name, sizes} = input;
    if (sizes.length === 0) throw notOffered("no part has rank 0");
    const axis = sizes.length - 1;
    const lengths = integers(`${name}_lengths`, [1, sizes[axis], 1]);
    graph.nodes.push({...step("Split", [`${name}_whole`, lengths.name], [`${name}_before`, name, `${name}_behind`]), attributes: {axis}});
    return [{...surrounded(input, axis, 1), name: `${name}_whole`}, lengths];
  });
  graph.nodes.push(plain(node));
  return [graph];
}

/** Operands and outputs are fed and fetched with their dimensions in reverse; nodes turn them round. */
function transposed(node) {
  const graph = {...alone(node), nodes: []};
  const turned = (tensor) => ({...tensor, name: `${tensor.name}_turned`, sizes: [...tensor.sizes].reverse()});
  graph.inputs = node.inputs.map((input) => {
    if (input.isParameter) return input;
    graph.nodes.push(step("Transpose", [`${input.name}_turned`], [input.name]));
    return {...turned(input), contents: (one) => reversed(input.contents(one), input.sizes)};
  });
  graph.nodes.push(plain(node), ...node.outputs.map(({name}) => step("Transpose", [name], [`${name}_turned`])));
  graph.outputs = node.outputs.map((output) => {
    const fetched = turned(output);
    return {...fetched, of: output, original: (elements) => reversed(elements, fetched.sizes)};
  });
  return [graph];
}

/** The elements in row-major order of the reverse dimensions. */
function reversed(elements, sizes) {
  const copy = elements.slice();
  const result = bitsOf(copy);
  const coordinates = sizes.map(() => 0);
  let steps = 1;
  const strides = sizes.map((size) => { const stride = steps; steps *= size; return stride; });
  let to = 0;
  for (const bits of bitsOf(elements)) {
    result[to] = bits;
    for (let k = sizes.length - 1; k >= 0; --k) {
      to += strides[k];
      if (++coordinates[k] < sizes[k]) break;
      to -= strides[k] * sizes[k];
      coordinates[k] = 0;
    }
  }
  return copy;
}

/** To copy elements singly: a number of JavaScript may make a signalling NaN quiet. */
function bitsOf(elements) {
  const Bits = elements instanceof Float32Array ? Uint32Array : elements instanceof Float64Array ? BigUint64Array : undefined;
  return Bits ? new Bits(elements.buffer, elements.byteOffset, elements.length) : elements;
}

const MOST_ELEMENTS = 2 ** 24;  // more are not there in time

/** The tensor with more elements before and behind it along an axis: the bytes A5, or true, or a string. */
function surrounded(tensor, axis, count) {
  const sizes = tensor.sizes.map((size, i) => (i === axis ? size + 2 * count : size));
  const inner = tensor.sizes.slice(axis + 1).reduce((product, size) => product * size, 1);
  const row = inner * tensor.sizes[axis];
  const margin = inner * count;
  return {...tensor, sizes, contents: (one) => {
    const elements = tensor.contents(one);
    const total = sizes.reduce((product, size) => product * size, 1);
    if (total > MOST_ELEMENTS) throw notOffered("what surrounds it would be too much");
    const result = filler(elements, total, tensor.type);
    const [source, target] = [bitsOf(elements), bitsOf(result)];
    for (let from = 0, to = margin; to < total; from += row, to += row + 2 * margin)
      for (let i = 0; i < row; ++i) target[to + i] = source[from + i];
    return result;
  }};
}
function filler(elements, total, type) {
  if (Array.isArray(elements)) return new Array(total).fill(new TextEncoder().encode("beside"));
  const result = new elements.constructor(total);
  new Uint8Array(result.buffer).fill(type === "bool" ? 1 : 0xa5);
  return result;
}

/** By the option's value; the first is the default. */
export const COMPANIES = {none: (node) => [alone(node)], twice, unused, shared, slices, parts, transposed};
