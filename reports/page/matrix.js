// Which data types and ranks each operator takes at which version, and what its cases say of that.
// A heat map, but a table: screen readers, search and print know what to do with it.

const dialect_types = (onnx) => [
  ...new Set(operators.filter((operator) => is_onnx(operator) === onnx)
    .flatMap((operator) => operator.support.flatMap((row) => Object.values(row.tensors).flatMap((tensor) => tensor.data_types)))),
];

/** The row in force: the last one whose `since` is not after the version. */
const support_at = (operator, version) => operator.support.findLast((row) => compare_versions(row.since, version) <= 0);

/** Tensors that every row treats alike share a table: [[names], …], the values first. */
function tensor_groups(operator) {
  const names = [...new Set(operator.support.flatMap((row) => Object.keys(row.tensors)))];
  const groups = group_by(names, (name) => JSON.stringify(operator.support.map((row) => row.tensors[name])));
  return [...groups.values()];
}

function support_cell(operator, version, type, name, list) {
  const tensor = support_at(operator, version)?.tensors[name];
  const is_supported = tensor?.data_types.includes(type) ?? false;
  const [least, most] = tensor?.ranks ?? [];
  const range = least === most ? `${least}` : `${least}–${most}`;
  const kind = kind_of(list?.map((one) => one.kind) ?? []);
  const failed = list?.filter((one) => one.kind === "bad").length ?? 0;
  const tally = failed ? `${count(failed)} of ${count(list.length)}` : count(list?.length ?? 0);
  const states = { bad: `${tally} cases fail`, good: `${counted(list?.length ?? 0, "case")}, all pass`, other: `${counted(list?.length ?? 0, "case")}, none judged`, none: "no case" };
  const place = `${operator.name}, ${version_word(operator)} ${version}, ${type}`;
  const says = is_supported ? (least === most ? `supported with rank ${range}` : `supported with ranks ${range}`) : "not supported";
  const range_part = is_supported ? el("b", {}, range) : el("span", { class: "unsupported" }, "not supported");
  if (!list) return el("td", { class: is_supported ? "cell plain" : "cell no" }, range_part);
  const sign = el("span", { class: "sign" }, kind === "none" ? "no case" : `${signs[kind]}\u00a0${tally}`);
  const attributes = { class: "in", title: `${place}: ${says}; ${states[kind]}` };
  const inside = list.length
    ? el("a", { ...attributes, href: case_link({ op: operator.name, version, type }), "aria-label": `${place}: ${says}; ${states[kind]}. Show the cases` }, range_part, sign)
    : el("span", attributes, range_part, sign);
  return el("td", { class: `cell ${kind} ${is_supported ? "" : "no"}`.trim() }, inside);
}

function support_table(operator, names, is_values) {
  const own = cases.filter((one) => one.operator === operator.name);
  const by_cell = group_by(own, (one) => `${one.version} ${one.type}`);
  const versions = [...new Set([...operator.versions, ...own.map((one) => one.version)])].sort(compare_versions);
  const types = dialect_types(is_onnx(operator));
  const rows = types.map((type) =>
    el("tr", {}, el("th", { scope: "row" }, type),
      versions.map((version) => support_cell(operator, version, type, names[0], is_values ? by_cell.get(`${version} ${type}`) ?? [] : null))));
  const caption = `${operator.name}: ${names.join(", ")}`;
  const element = el("table", { class: "matrix" },
    el("caption", {}, `${caption}. Data types by ${version_word(operator)}; in a cell, the ranks` + (is_values ? " and the cases" : "")),
    el("thead", {}, el("tr", {}, el("td"), versions.map((version) => el("th", { scope: "col" }, version)))),
    el("tbody", {}, rows));
  return scrolled(element, caption);
}

function operator_part(operator, i) {
  const groups = tensor_groups(operator);
  const place = el("div");
  const after = `after-matrix-${i}`;
  const show = (chosen) => place.replaceChildren(support_table(operator, groups[chosen], Number(chosen) === 0));
  show(0);
  const [choice] = select_of("Tensor", groups.map((names, k) => [k, names.join(", ")]), show);
  return [
    el("h3", {}, operator_label(operator)),
    el("a", { class: "skip", href: "#" + after }, `Skip the table of ${operator.name}`),
    groups.length > 1 && el("p", { class: "choice" }, choice),
    place,
    el("span", { id: after, tabindex: -1 }),
  ];
}

function matrix_section() {
  const legend = [
    ["good", "1–8", "✓ 24", "supported with these ranks; 24 cases, all pass"],
    ["bad", "1–8", "✗ 3 of 24", "three of 24 cases fail"],
    ["none", "1–8", "no case", "supported, but no case tries it"],
    ["good no", "not supported", "✓ 5", "not listed; five cases show that it is refused"],
  ];
  return [
    el("p", {}, "What the documents list, and what the cases say. A cell leads to its cases; they are counted by the type of the values."),
    el("ul", { class: "legend" }, legend.map(([kind, range, sign, words]) =>
      el("li", {}, el("span", { class: `cell ${kind}` }, el("span", { class: "in" }, kind.includes("no") && range.startsWith("not") ? el("span", { class: "unsupported" }, range) : el("b", {}, range), el("span", { class: "sign" }, sign))), words))),
    operators.map(operator_part),
  ];
}
