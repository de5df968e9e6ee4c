// Which data types and ranks each operator takes at which version, and what its cases say of that.
// A heat map, but a table, as bars stand in cells: screen readers, search and print know what to do with tables, and not
// with what a chart library draws.

function dialect_types(onnx) {
  const rows = operators.filter((operator) => is_onnx(operator) === onnx).flatMap((operator) => operator.support);
  return distinct(rows.flatMap((row) => Object.values(row.tensors)).flatMap((tensor) => tensor.data_types));
}

/** The row in force: the last one whose `since` is not after the version. */
const support_at = (operator, version) => operator.support.findLast((row) => compare_versions(row.since, version) <= 0);

/** Tensors that every row treats alike share a table: [[names], …], the values first. */
function tensor_groups(operator) {
  const names = distinct(operator.support.flatMap((row) => Object.keys(row.tensors)));
  const groups = group_by(names, (name) => JSON.stringify(operator.support.map((row) => row.tensors[name])));
  return [...groups.values()];
}

/** What a cell shows: the ranks, or that there are none, and below it what the cases say. */
const cell_parts = (ranks, sign) => [
  ranks ? el("b", {}, ranks) : el("span", { class: "unsupported" }, "not supported"),
  sign && el("span", { class: "sign" }, sign),
];

/**
 * Versions between which nothing changes for the tensor are one column: {first, last, tensor}. `last` is null where no
 * later one is known, and opsets go on.
 */
function support_columns(operator, versions, name) {
  const columns = [];
  for (const version of versions) {
    const tensor = support_at(operator, version)?.tensors[name];
    const before = columns.at(-1);
    if (before && JSON.stringify(before.tensor) === JSON.stringify(tensor)) before.last = version;
    else columns.push({ first: version, last: version, tensor });
  }
  if (!is_onnx(operator)) return columns;
  columns.forEach((column, i) => {
    const next = columns[i + 1];
    column.last = next ? String(Number(next.first) - 1) : null;
  });
  return columns;
}

const column_name = ({ first, last }) =>
  last === first ? first : last === null ? `${first} and later` : `${first} to ${last}`;

const column_conditions = ({ first, last }) =>
  last === first
    ? [["version", "=", first]]
    : [["version", ">=", first], ...(last === null ? [] : [["version", "<=", last]])];

/** `list` holds the cell's cases, `key` what they have of that type. */
function support_cell(operator, column, type, key, list) {
  const { tensor } = column;
  const version = column_name(column);
  const [least, most] = tensor?.data_types.includes(type) ? tensor.ranks : [];
  const ranks = least === undefined ? null : least === most ? `${least}` : `${least}–${most}`;

  const kind = kind_of(list.map((one) => one.kind));
  const failed = list.filter((one) => one.kind === "bad").length;
  const tally = failed ? `${count(failed)} of\u00a0${count(list.length)}` : count(list.length);
  const all = counted(list.length, "case");
  const states = {
    bad: `${tally} cases fail`,
    good: `${all}, all pass`,
    other: `${all}, none judged`,
    none: "no case",
  };
  const supported = ranks ? `supported with rank${least === most ? "" : "s"} ${ranks}` : "not supported";
  const says = `${operator.name}, ${version_word(operator)} ${version}, ${type}: ${supported}; ${states[kind]}`;
  const parts = cell_parts(ranks, list.length ? `${signs[kind]}\u00a0${tally}` : "no case");
  const href = case_link([["operator", "=", operator.name], ...column_conditions(column), [key, "=", type]]);
  const inside = list.length
    ? el("a", { class: "in", href, title: says, "aria-label": `${says}. Show the cases` }, parts)
    : el("span", { class: "in", title: says }, parts);
  return el("td", { class: `cell ${kind}${ranks ? "" : " no"}` }, inside);
}

function support_table(operator, names) {
  const holds_indices = operator.support.some((row) => row.tensors[names[0]]?.content === "indices");
  const key = holds_indices ? "index_type" : "type";
  const own = cases.filter((one) => one.operator === operator.name);
  const versions = distinct([...operator.versions, ...own.map((one) => one.version)]).sort(compare_versions);
  const columns = support_columns(operator, versions, names[0]);
  const column_of = (version) => columns.findLast(({ first }) => compare_versions(first, version) <= 0);
  const by_type = group_by(own, (one) => one[key]);
  const types = dialect_types(is_onnx(operator));
  const rows = types.map((type) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, type),
      columns.map((column) => {
        const list = (by_type.get(type) ?? []).filter((one) => column_of(one.version) === column);
        return support_cell(operator, column, type, key, list);
      }),
    ),
  );
  const caption = `${operator.name}: ${names.join(", ")}`;
  const says = `${caption}. Data types by ${version_word(operator)}; in a cell, the ranks and the cases`;
  const heads = columns.map((column) => el("th", { scope: "col" }, column_name(column)));
  const head = el("thead", {}, el("tr", {}, el("td"), heads));
  return scrolled(el("table", { class: "matrix" }, el("caption", {}, says), head, el("tbody", {}, rows)), caption);
}

function operator_tables(operator) {
  const groups = tensor_groups(operator);
  const tables = groups.map((names) => el("div", { class: "print-too" }, support_table(operator, names)));
  const show = (chosen) => tables.forEach((table, k) => (table.hidden = k !== Number(chosen)));
  show(0);
  const options = groups.map((names, k) => [k, names.join(", ")]);
  const [choice] = select_of("Tensor", options, show);
  return [groups.length > 1 && el("p", { class: "choice" }, choice), tables];
}

function operator_part(operator) {
  const own = cases.filter((one) => one.operator === operator.name);
  const failed = own.filter((one) => one.kind === "bad").length;
  const says = failed
    ? mark("bad", `${count(failed)} of ${counted(own.length, "case")} fail`)
    : counted(own.length, "case");
  return lazy(h3(operator_label(operator), results && [": ", says]), () => operator_tables(operator));
}

function matrix_section() {
  const legend = [
    ["good", "1–8", "✓ 24", "supported with these ranks; 24 cases, all pass"],
    ["bad", "1–8", "✗ 3 of 24", "3 of 24 cases fail"],
    ["none", "1–8", "no case", "supported, but no case tries it"],
    ["good no", null, "✓ 5", "not listed; 5 cases show that it is rejected"],
  ];
  const sample = (kind, ranks, sign) =>
    el("span", { class: `cell ${kind}` }, el("span", { class: "in" }, cell_parts(ranks, sign)));
  return [
    p(
      "What the documents list, and what the cases say. A cell leads to its cases, counted by the type of the tensor that the table is about.",
    ),
    el(
      "ul",
      { class: "legend" },
      legend.map(([kind, ranks, sign, words]) => li(sample(kind, ranks, sign), words)),
    ),
    operators.map(operator_part),
  ];
}
