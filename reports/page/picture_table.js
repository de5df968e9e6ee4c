// The same as a picture, in words and tables: for who cannot see it, and for values that it shortens.

/** One sentence that says what there is to see. */
function picture_words({ tensors }) {
  const outputs = tensors.filter(({ role }) => role === "output");
  const said = outputs.map((tensor) => {
    const wrong = tensor.wrong?.length ?? 0;
    const part = tensor.elements.length < tensor.sizes.reduce((product, size) => product * size, 1) ? " shown" : "";
    return wrong
      ? `${counted(wrong, "element")} of ${count(tensor.elements.length)}${part} of ${tensor.name} ${wrong === 1 ? "is" : "are"} wrong`
      : `no element of ${tensor.name} is wrong`;
  });
  const outside = tensors.filter(({ memory }) => memory?.wrong?.length);
  for (const { name, memory } of outside)
    said.push(
      `${counted(memory.wrong.length, "cell")} of the memory of ${name} ${memory.wrong.length === 1 ? "is" : "are"} wrong`,
    );
  return drawn_text(capitalised(said.join("; ") + "."));
}

function wrong_elements(tensors) {
  const standing = (list, at) => {
    const source = (list ?? []).find((one) => one.at === at);
    return source ? code(element_name(source.tensor, source.element)) : "–";
  };
  const rows = tensors.flatMap((tensor) =>
    (tensor.wrong ?? []).map((at) => [
      code(element_name(tensor.name, element_of(tensor, at))),
      tensor.expected ? code(tensor.expected[at]) : "–",
      standing(tensor.due, at),
      code(tensor.elements[at]),
      standing(tensor.origin, at),
    ]),
  );
  const columns = ["Element", "Expected", "That stands at", "Found", "That stands at "];
  return rows.length > 0 && table("Wrong elements", columns, rows);
}

/** A row of the table is one of the last dimension. */
function element_table(tensor, elements, what) {
  const columns = tensor.shown.at(-1) ?? 1;
  const first = tensor.from.at(-1) ?? 0;
  const heads = Array.from({ length: columns }, (_, i) => `${first + i}`);
  const rows = [];
  for (let at = 0; at < elements.length; at += columns) {
    const leading = element_of(tensor, at).slice(0, -1);
    rows.push([`[${[...leading, "·"].join(", ")}]`, ...elements.slice(at, at + columns).map((value) => code(value))]);
  }
  return table(tensor_words(tensor, what), ["Elements", ...heads], rows);
}

function memory_table({ name, memory }) {
  const { first, bytes_per_cell, cells, wrong = [] } = memory;
  const rows = cells.map((cell, i) => [
    count((first + i) * bytes_per_cell),
    code(cell),
    wrong.includes(i) ? mark("bad", "wrong") : "–",
  ]);
  return table(drawn_text(`${name} in memory`), ["Byte", "Holds", "State"], rows);
}

/** A picture with its legend, and the tables in a <details>. */
function picture_part(picture) {
  const { tensors } = picture;
  const says = picture_words(picture);
  const room = Math.max(260, Math.min(860, document.getElementById("main").clientWidth - 80));
  const tables = () => [
    wrong_elements(tensors),
    tensors.flatMap((tensor) => [
      tensor.expected && element_table(tensor, tensor.expected, "as expected"),
      element_table(tensor, tensor.elements, tensor.role === "output" ? "as found" : ""),
      tensor.memory && memory_table(tensor),
    ]),
  ];
  const paired = pairs_of(tensors).length;
  const wrong = sum(tensors.map((tensor) => tensor.wrong?.length ?? 0));
  const has_memory = tensors.some(({ memory }) => memory);
  return el(
    "figure",
    { class: "picture" },
    scrolled(drawing(picture, `${says} The tables below say the same.`, room), "Picture of the failing case"),
    el(
      "figcaption",
      {},
      says,
      paired > 0 &&
        " A whole arrow (✗) leads from where the found value stands, a broken one (✓) from where the expected one stands.",
      paired > 0 && wrong > paired && ` ${paired} of the ${count(wrong)} wrong elements have arrows.`,
      has_memory && " In memory, hatched cells guard the buffer, and empty ones are gaps between elements.",
    ),
    lazy("The same as tables", tables, { "data-print": "closed" }),
  );
}
