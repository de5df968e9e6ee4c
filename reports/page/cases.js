// The list of cases: search, filters, and the address that leads to both.

const words_of = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);

const is_verdict = (wanted, verdict) => (wanted === "failure" ? nonconforming.has(verdict) : verdict === wanted);

/** What a filter asks of a case. `id` has no control: links set it. */
const filter_tests = {
  id: (one, wanted) => one.id.toWellFormed() === wanted,
  op: (one, wanted) => one.operator === wanted,
  version: (one, wanted) => one.version === wanted,
  type: (one, wanted) => one.type === wanted,
  index_type: (one, wanted) => one.index_type === wanted,
  rank: (one, wanted) => String(one.rank) === wanted,
  expect: (one, wanted) => one.expect === wanted,
  rule: (one, wanted) => one.rules.includes(wanted),
  erratum: (one, wanted) => one.errata.includes(wanted),
  verdict: (one, wanted, filter) =>
    one.verdicts.some(
      (verdict, place) => (!filter.backend || backends[place] === filter.backend) && is_verdict(wanted, verdict),
    ),
  backend: (one, wanted) => (one.verdicts[backends.indexOf(wanted)] ?? null) !== null,
};

/** Those that have the words in a row in their id or sentence come first: they are about it. */
function find_cases(filter) {
  const tests = Object.keys(filter_tests)
    .filter((key) => filter[key])
    .map((key) => (one) => filter_tests[key](one, filter[key], filter));
  const words = words_of(filter.q ?? "");
  const found = cases.filter(
    (one) => tests.every((test) => test(one)) && words.every((word) => one.words.includes(word)),
  );
  if (words.length < 2) return found;
  const phrase = words.join(" ");
  const [first, then] = [[], []];
  for (const one of found) (one.prose.includes(phrase) ? first : then).push(one);
  return first.concat(then);
}

const verdict_marks = (one) => {
  const known = backends.map((name, place) => [name, one.verdicts[place]]).filter(([, verdict]) => verdict !== null);
  const is_same = known.length > 0 && known.every(([, verdict]) => verdict === known[0][1]);
  return is_same
    ? mark(verdict_kind(known[0][1]), known[0][1])
    : known.map(([name, verdict]) => mark(verdict_kind(verdict), [text(name), ": ", verdict]));
};

function case_details(one) {
  const failures = (results.failures ?? []).filter((failure) => failure.case === one.id);
  const erratum_of = (name) => {
    const erratum = errata.find((other) => other.name === name);
    return li(
      el("a", { href: case_link({ erratum: name }) }, code(name)),
      ": printed ",
      text(erratum.printed),
      ", read as ",
      text(erratum.reading),
    );
  };
  return el(
    "div",
    { class: "details" },
    text(one.says, { tag: "p", most: 4000 }),
    definitions([
      ["File", code(one.file)],
      ["Operator", one.operator],
      ["Version", one.version],
      ["Data type", one.type],
      ...(one.index_type ? [["Type of the indices", one.index_type]] : []),
      ["Rank", String(one.rank)],
      ["Expected", one.expect],
      ...backends.map((name, place) => [
        text(name),
        one.verdicts[place] === null ? "not run" : mark(verdict_kind(one.verdicts[place]), one.verdicts[place]),
      ]),
    ]),
    failures.map((failure) => [
      term("Why it failed on ", code(failure.backend)),
      text(failure.message, { tag: "p", class: "message" }),
    ]),
    one.rules.length > 0 && [
      term("Rules"),
      ul(one.rules.map((name) => li(rule_link(name), ": ", text(rule_by_name.get(name).statement)))),
    ],
    one.errata.length > 0 && [term("Errata"), ul(one.errata.map(erratum_of))],
    term("The whole case"),
    command_line(`opconform show ${shell_word(one.id)}`),
    el("a", { href: case_link({ id: one.id }) }, "Link to this case"),
  );
}

const shell_word = (word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const case_item = (one) =>
  li(
    lazy(
      [
        el("span", { class: "id" }, code(one.id, { most: 300 })),
        el("span", { class: "says" }, text(one.says, { most: 300 })),
        el("span", { class: "where" }, `${one.operator} ${one.version} ${one.type}, rank ${one.rank}, ${one.expect}`),
        el("span", { class: "verdicts" }, verdict_marks(one)),
      ],
      () => case_details(one),
      { class: "case" },
    ),
  );

function cases_section() {
  const list = el("ol", { class: "cases" });
  const place = div();
  const said = el("p", { "aria-live": "polite", class: "found", tabindex: -1 });
  const controls = {};
  let filter = {};

  const add_select = ([key, name, values, ...more]) => {
    const options = [["", "all"], ...more, ...values.map((value) => [value, value])];
    const [label, select] = select_of(name, options, (value) => change({ [key]: value, id: "" }));
    controls[key] = select;
    return options.length > 2 && label;
  };
  controls.q = el("input", {
    type: "search",
    placeholder: "all of these words",
    input: () => change({ q: controls.q.value, id: "" }),
  });
  const click = () => {
    change(null);
    controls.q.focus();
  };
  const clear = el("button", { type: "button", click }, "Clear all");

  function show() {
    const found = find_cases(filter);
    for (const [key, control] of Object.entries(controls)) {
      const value = filter[key] ?? "";
      // A link may name what no case has: it is shown, and finds nothing.
      if (control.options && ![...control.options].some((option) => option.value === value))
        control.append(el("option", { value }, value));
      if (control.value !== value) control.value = value;
    }
    said.replaceChildren(`${counted(found.length, "case")} of ${count(cases.length)}`);
    if (filter.id) said.append(" with the id ", code(filter.id, { most: 300 }));
    if (!found.length) said.append(". Nothing has all of this: clear a filter.");
    list.replaceChildren();
    place.replaceChildren();
    append_to(place, stepwise(list, found, case_item, 100));
    if (filter.id && found.length === 1) list.querySelector("details").open = true;
    clear.hidden = Object.values(filter).every((value) => !value);
  }

  function change(wish) {
    filter = wish ? { ...filter, ...wish } : {};
    const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
    history.replaceState(null, "", Object.keys(asked).length ? case_link(asked) : "#cases");
    show();
  }

  function follow_address() {
    if (!location.hash.startsWith("#cases?")) return;
    const asked = new URLSearchParams(location.hash.slice("#cases?".length));
    filter = Object.fromEntries(["q", ...Object.keys(filter_tests)].map((key) => [key, asked.get(key) ?? ""]));
    show();
    document.getElementById("cases").scrollIntoView();
    said.focus({ preventScroll: true });
  }
  addEventListener("hashchange", follow_address);

  const of_cases = (value_of, compare = compare_texts) => distinct(cases.flatMap(value_of)).sort(compare);
  const names = (list) => list.map((one) => one.name);
  const selects = [
    ["op", "Operator", names(operators)],
    ["version", "Version", of_cases((one) => one.version, compare_versions)],
    ["type", "Data type", of_cases((one) => one.type)],
    ["index_type", "Type of the indices", of_cases((one) => one.index_type).filter(Boolean)],
    ["rank", "Rank", of_cases((one) => String(one.rank))],
    ["expect", "Expected", of_cases((one) => one.expect)],
    ["rule", "Rule", names(rules)],
    ["erratum", "Erratum", names(errata)],
    ["verdict", "Verdict", of_cases((one) => one.verdicts).filter(Boolean), ["failure", "any failure"]],
    ["backend", "Implementation", backends],
  ];
  const form = el(
    "form",
    { role: "search", "aria-label": "Cases", class: "filters", submit: (event) => event.preventDefault() },
    el("label", { class: "search" }, el("span", {}, "Search"), controls.q),
    selects.map(add_select),
    clear,
  );
  show();
  return [form, said, place];
}
