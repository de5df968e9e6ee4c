// A failing case as a picture: above the inputs what is expected, below them what was found, and arrows to both from
// where their values stand. Drawn from data alone; a table beside it says the same.

const svg_namespace = "http://www.w3.org/2000/svg";

function shape(name, attributes = {}, ...children) {
  const element = document.createElementNS(svg_namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  append_to(element, children);
  return element;
}

const cell_height = 32; // a mark above, the value below
const letter_width = 7.3; // of the font of cells
const most_letters = 9;
const most_paired = 4; // wrong elements with arrows: more would be a tangle

const shortened = (value) => (value.length > most_letters ? `${value.slice(0, most_letters - 1)}…` : value);
const drawn_text = (value) => value.replace(unseen, "\u25af").toWellFormed();

/** Coordinates of an element by its number in row-major order. */
function coordinates(number, sizes) {
  const result = [];
  for (let i = sizes.length - 1; i >= 0; i -= 1) {
    result[i] = number % sizes[i];
    number = Math.floor(number / sizes[i]);
  }
  return result;
}

/** Its number in the part that is shown; null where it stands outside. */
function number_in_part(tensor, element) {
  const inside = element.map((coordinate, i) => coordinate - tensor.from[i]);
  if (inside.some((coordinate, i) => coordinate < 0 || coordinate >= tensor.shown[i])) return null;
  return inside.reduce((number, coordinate, i) => number * tensor.shown[i] + coordinate, 0);
}

const element_of = (tensor, number) =>
  coordinates(number, tensor.shown).map((coordinate, i) => coordinate + tensor.from[i]);
const element_name = (name, element) => `${name}[${element.join(", ")}]`;

function is_packed({ sizes, strides }) {
  let packed = 1;
  for (let i = sizes.length - 1; i >= 0; packed *= sizes[i], i -= 1)
    if (sizes[i] > 1 && strides[i] !== packed) return false;
  return true;
}

const tensor_facts = (tensor) => [
  tensor.data_type,
  tensor.sizes.length ? `sizes ${tensor.sizes.join(", ")}` : "rank 0",
  ...(is_packed(tensor) ? [] : [`strides ${tensor.strides.join(", ")}`]),
];
const tensor_words = (tensor, what) =>
  drawn_text(`${tensor.name}${what && `, ${what}`}: ${tensor_facts(tensor).join(", ")}`);

/** Of the wrong elements, those that get a letter: the first whose values stand somewhere. */
function pairs_of(tensors) {
  const pairs = [];
  for (const tensor of tensors) {
    for (const at of tensor.wrong ?? []) {
      const standing = (list) => (list ?? []).find((source) => source.at === at);
      const [origin, due] = [standing(tensor.origin), standing(tensor.due)];
      if (origin || due) pairs.push({ tensor, at, origin, due });
    }
  }
  return pairs.slice(0, most_paired).map((pair, i) => ({ ...pair, letter: "abcdefgh"[i] }));
}

/** Where a grid of elements stands: planes beside each other, and below each other where they do not fit. */
function grid_layout(tensor, elements, room) {
  const [rows, columns] = [tensor.shown.at(-2) ?? 1, tensor.shown.at(-1) ?? 1];
  const planes = tensor.shown.slice(0, -2).reduce((product, size) => product * size, 1);
  const longest = Math.max(1, ...elements.map((value) => Math.min(value.length, most_letters)));
  const width = Math.max(36, longest * letter_width + 14);
  const rank = tensor.shown.length;
  const dots = (tensor.from.at(-1) ?? 0) > 0 ? 14 : 0;
  const digits = String((tensor.from.at(-2) ?? 0) + rows).length;
  const head = { left: dots + (rank > 1 ? digits * 6 + 8 : 0), top: rank > 0 ? 15 : 0, plane: rank > 2 ? 15 : 0 };
  const plane = { width: head.left + columns * width + 26, height: head.plane + head.top + rows * cell_height + 20 };
  const across = Math.max(1, Math.min(planes, Math.floor(room / plane.width)));
  const place_of = (number) => {
    const [p, rest] = [Math.floor(number / (rows * columns)), number % (rows * columns)];
    return {
      x: (p % across) * plane.width + head.left + (rest % columns) * width,
      y: Math.floor(p / across) * plane.height + head.plane + head.top + Math.floor(rest / columns) * cell_height,
    };
  };
  return {
    cell: { width, height: cell_height },
    rows,
    columns,
    planes,
    head,
    place_of,
    width: across * plane.width,
    height: Math.ceil(planes / across) * plane.height,
  };
}

/** Numbers of rows and columns, those of planes, and dots where the tensor goes on. */
function grid_heads(tensor, layout) {
  const { rows, columns, planes, head, cell, place_of } = layout;
  const rank = tensor.shown.length;
  const [first_row, first_column] = [tensor.from.at(-2) ?? 0, tensor.from.at(-1) ?? 0];
  const words = [];
  const add = (x, y, value, name) => words.push(shape("text", { x, y, class: name }, value));
  for (let p = 0; p < planes && rank && tensor.elements.length; p += 1) {
    const start = place_of(p * rows * columns);
    if (head.plane) {
      const leading = element_of(tensor, p * rows * columns).slice(0, -2);
      add(start.x - head.left, start.y - head.top - 4, `[${[...leading, "·", "·"].join(", ")}]`, "plane");
    }
    for (let c = 0; c < columns; c += 1) add(start.x + (c + 0.5) * cell.width, start.y - 4, first_column + c, "head");
    for (let r = 0; r < rows && rank > 1; r += 1)
      add(start.x - 4, start.y + (r + 0.65) * cell.height, first_row + r, "head row");
    const [below, right] = [start.y + rows * cell.height, start.x + columns * cell.width];
    const middle = { x: start.x + (columns * cell.width) / 2, y: start.y + (rows * cell.height) / 2 + 4 };
    if (first_column + columns < tensor.sizes.at(-1)) add(right + 11, middle.y, "…", "dots");
    if (first_column > 0) add(start.x - head.left + 7, middle.y, "…", "dots");
    if (rank > 1 && first_row + rows < tensor.sizes.at(-2)) add(middle.x, below + 13, "⋮", "dots");
    if (rank > 1 && first_row > 0) add(start.x - 8, start.y - 4, "⋮", "dots");
  }
  return words;
}

/** One grid. `marks` says of elements by their number what is wrong with them, or whose value they are. */
function grid(tensor, elements, marks, room) {
  const layout = grid_layout(tensor, elements, room);
  const { cell, place_of } = layout;
  const cells = elements.map((value, number) => {
    const { x, y } = place_of(number);
    const { kind = "", wrong = "", due = "" } = marks.get(number) ?? {};
    const shown = drawn_text(value);
    const marked = [wrong, due].filter(Boolean).join(" ");
    return shape(
      "g",
      { class: `element ${kind}` },
      shape("rect", { x, y, width: cell.width, height: cell.height }),
      kind && shape("rect", { class: "inner", x: x + 2.5, y: y + 2.5, width: cell.width - 5, height: cell.height - 5 }),
      shape("text", { x: x + cell.width / 2, y: y + (marked ? 26 : 20) }, shortened(shown)),
      wrong && shape("text", { class: "corner left", x: x + 5, y: y + 13 }, wrong),
      due && shape("text", { class: "corner", x: x + cell.width - 4, y: y + 13 }, due),
      shape(
        "title",
        {},
        `${drawn_text(element_name(tensor.name, element_of(tensor, number)))}: ${shown}${marked && ` (${marked})`}`,
      ),
    );
  });
  return { ...layout, drawn: shape("g", {}, grid_heads(tensor, layout), cells) };
}

/** The buffer cell by cell: elements with their coordinates, gaps, and the guard around it. */
function memory_strip(tensor, room) {
  const { first, bytes_per_cell, cells, wrong = [] } = tensor.memory;
  const names = cells.map((cell) => cell.replace(/^element ?/, ""));
  const longest = Math.max(...cells.map((cell, i) => (/^(guard|gap)$/.test(cell) ? 1 : names[i].length)), 1);
  const beside = wrong.some((i) => names[i]) ? 12 : 0; // the mark of a wrong element, behind its coordinates
  const width = Math.max(22, Math.min(longest, most_letters) * 6.6 + 8 + beside);
  const [left, height] = [58, 34];
  const across = Math.max(4, Math.floor((room - left) / width));
  const drawn = cells.map((cell, i) => {
    const [x, y] = [left + (i % across) * width, Math.floor(i / across) * height];
    const kind = cell === "guard" || cell === "gap" ? cell : "element";
    const is_wrong = wrong.includes(i);
    const middle = x + (is_wrong && kind === "element" ? width - beside : width) / 2;
    const says = `byte ${(first + i) * bytes_per_cell}: ${cell}${is_wrong ? ", wrong" : ""}`;
    const slashes = [0.25, 0.5, 0.75].map((part) =>
      shape("line", { x1: x + width * part - 5, y1: y + 20, x2: x + width * part + 5, y2: y + 2 }),
    );
    return shape(
      "g",
      { class: `memory ${kind}${is_wrong ? " wrong" : ""}` },
      shape("rect", { x, y, width, height: 22 }),
      kind === "guard" && slashes,
      is_wrong && shape("rect", { class: "inner", x: x + 2.5, y: y + 2.5, width: width - 5, height: 17 }),
      kind === "element" && shape("text", { x: middle, y: y + 15 }, shortened(drawn_text(names[i]))),
      is_wrong && shape("text", { class: "corner", x: kind === "element" ? x + width - 4 : middle + 4, y: y + 15 }, "✗"),
      shape("title", {}, drawn_text(says)),
    );
  });
  const lines = Math.ceil(cells.length / across);
  const offsets = Array.from({ length: lines }, (_, line) =>
    shape(
      "text",
      { class: "offset", x: left - 6, y: line * height + 15 },
      `byte ${(first + line * across) * bytes_per_cell}`,
    ),
  );
  return {
    width: left + Math.min(across, cells.length) * width + 8,
    height: lines * height,
    drawn: shape("g", {}, offsets, drawn),
  };
}

const label_width = 150;
const shortened_label = (line) => (line.length > 22 ? `${line.slice(0, 21)}…` : line);
const between_rows = 40; // for the arrows

/** What a grid or strip is: beside it where there is room, else above it. */
function label({ x, y, name, facts }, is_beside) {
  const add = (line, left, top, kind) => shape("text", { class: `label ${kind}`, x: x + left, y: y + top }, line);
  if (!is_beside)
    return [add(drawn_text(name), 0, -22, "name above"), add(drawn_text(facts.join(", ")), 0, -7, "above")];
  return [name, ...facts].map((line, i) => add(shortened_label(drawn_text(line)), -12, 15 + i * 15, i ? "" : "name"));
}

/** Blocks in rows from the top, each beside or under its label. Gives each its place. */
function place_blocks(rows, room, is_beside) {
  let [y, width] = [0, 0];
  const [left, top] = is_beside ? [label_width, 0] : [0, 38];
  for (const [i, row] of rows.entries()) {
    if (i > 0) y += row[0].layer === "memory" ? 12 : between_rows;
    let [x, height] = [0, 0];
    for (const block of row) {
      const words = is_beside ? 0 : block.facts.join(", ").length * 6.3;
      const own = left + Math.max(block.width, words);
      if (x > 0 && x + own > room) [x, y, height] = [0, y + height + 12, 0];
      Object.assign(block, { x: x + left, y: y + top });
      height = Math.max(height, top + block.height, is_beside ? 5 + (block.facts.length + 1) * 15 : 0);
      width = Math.max(width, x + own);
      x += own + 16;
    }
    y += height;
  }
  return { width, height: y };
}

/** From one cell down or up to another, in each grid beside the values of a column. Heights of edges are of the grids. */
function arrow(from, to, kind) {
  const is_down = to.y > from.y;
  const [begin, end] = is_down ? [from.y + cell_height, to.y] : [from.y, to.y + cell_height];
  const [leave, reach] = is_down ? [from.bottom, to.top] : [from.top, to.bottom];
  const bend = (leave + reach) / 2;
  const back = end + (is_down ? -8 : 8);
  const points = `${to.x},${end} ${to.x - 4},${back} ${to.x + 4},${back}`;
  return shape(
    "g",
    { class: `arrow ${kind}` },
    shape("path", { d: `M${from.x} ${begin}V${leave}C${from.x} ${bend} ${to.x} ${bend} ${to.x} ${reach}V${back}` }),
    shape("polygon", { points }),
  );
}

/** Marks of elements, by tensor and by what of it is drawn. */
function marks_of(tensors, pairs) {
  const marks = { input: new Map(), expected: new Map(), found: new Map() };
  const mark_at = (layer, name, number, kind, letter) => {
    if (number === null) return;
    if (!marks[layer].has(name)) marks[layer].set(name, new Map());
    const of_tensor = marks[layer].get(name);
    const mark = of_tensor.get(number) ?? { kind };
    if (mark.kind !== kind) mark.kind = "both";
    mark[kind] = (mark[kind] ?? { wrong: "✗", due: "✓" }[kind]) + letter;
    of_tensor.set(number, mark);
  };
  for (const tensor of tensors) {
    for (const at of tensor.wrong ?? []) {
      const letter = pairs.find((pair) => pair.tensor === tensor && pair.at === at)?.letter ?? "";
      mark_at("found", tensor.name, at, "wrong", letter);
      mark_at("expected", tensor.name, at, "due", letter);
    }
  }
  for (const { origin, due, letter } of pairs) {
    for (const [source, kind] of [
      [origin, "wrong"],
      [due, "due"],
    ]) {
      const tensor = source && tensors.find((one) => one.name === source.tensor);
      if (tensor) mark_at("input", tensor.name, number_in_part(tensor, source.element), kind, letter);
    }
  }
  return marks;
}

/** All that is drawn, from the top: what is expected, the inputs, what was found, their memory. */
function rows_of_blocks(tensors, pairs, room) {
  const marks = marks_of(tensors, pairs);
  const block = (layer, tensor, elements, what) => ({
    ...grid(tensor, elements, marks[layer].get(tensor.name) ?? new Map(), room),
    layer,
    tensor,
    name: tensor.name,
    facts: [...what, ...tensor_facts(tensor)],
  });
  const [outputs, inputs] = [true, false].map((is_output) =>
    tensors.filter(({ role }) => (role === "output") === is_output),
  );
  return [
    outputs
      .filter(({ expected }) => expected)
      .map((tensor) => block("expected", tensor, tensor.expected, ["as expected"])),
    inputs.map((tensor) => block("input", tensor, tensor.elements, [])),
    outputs.map((tensor) => block("found", tensor, tensor.elements, ["as found"])),
    ...tensors
      .filter(({ memory }) => memory)
      .map((tensor) => [
        { ...memory_strip(tensor, room), layer: "memory", tensor, name: tensor.name, facts: ["in memory"] },
      ]),
  ].filter((row) => row.length);
}

function arrows_of(tensors, pairs, blocks) {
  const place_of = (layer, name, number, kind) => {
    const found = number !== null && blocks.find((one) => one.layer === layer && one.tensor.name === name);
    if (!found) return null;
    const { x, y } = found.place_of(number);
    const [top, bottom] = [found.y, found.y + found.height - 20];
    const aside = kind === "wrong" ? 4 : found.cell.width - 4;
    return { x: found.x + x + aside, y: found.y + y, top: top + found.head.plane + found.head.top, bottom };
  };
  const arrow_to = ({ tensor, at }, source, layer, kind) => {
    const input = source && tensors.find((one) => one.name === source.tensor);
    const from = input && place_of("input", input.name, number_in_part(input, source.element), kind);
    const to = place_of(layer, tensor.name, at, kind);
    return from && to && arrow(from, to, kind);
  };
  return pairs.flatMap((pair) => [
    arrow_to(pair, pair.origin, "found", "wrong"),
    arrow_to(pair, pair.due, "expected", "due"),
  ]);
}

function drawing({ tensors }, says, room) {
  const pairs = pairs_of(tensors);
  const is_beside = room > 500;
  const rows = rows_of_blocks(tensors, pairs, is_beside ? room - label_width : room);
  const { width, height } = place_blocks(rows, room, is_beside);
  const blocks = rows.flat();
  const moved = ({ x, y, drawn }) => shape("g", { transform: `translate(${x} ${y})` }, drawn);
  return shape(
    "svg",
    {
      viewBox: `-4 -4 ${width + 8} ${height + 8}`,
      width: width + 8,
      height: height + 8,
      role: "img",
      "aria-label": says,
    },
    blocks.map(moved),
    arrows_of(tensors, pairs, blocks),
    blocks.map((block) => label(block, is_beside)),
  );
}
