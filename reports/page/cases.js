// The list of cases: search, choices, and the address that leads to both.

const words_of = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);

const verdict_marks = (one) => {
  const known = backends.map((name, place) => [name, one.verdicts[place]]).filter(([, verdict]) => verdict !== null);
  const is_same = known.length > 0 && known.every(([, verdict]) => verdict === known[0][1]);
  return is_same
    ? mark(verdict_kind(known[0][1]), known[0][1])
    : known.map(([name, verdict]) => mark(verdict_kind(verdict), [text(name), ": ", verdict]));
};

const numbers_text = (numbers) => numbers?.map(count).join(", ");

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
      ["Type of the indices", one.index_type],
      ["Rank", String(one.rank)],
      ["Axis", numbers_text(one.traits.axis)],
      ["Strides of the window", numbers_text(one.traits.stride)],
      ["Least and greatest index", numbers_text(one.traits.index)],
      ["Layout", (one.traits.layout ?? ["packed"]).join(", ")],
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

/** Beside the field: what can be asked, with examples that are searches. */
function search_help() {
  const example = (query) => el("a", { href: `#cases?${in_address(query)}` }, el("code", {}, query));
  const some = cases[Math.floor(cases.length / 2)];
  const rule = some?.rules[0];
  const examples = [
    some && [
      `operator:${spaced(some.operator).split(" ").at(-1)} rank>=3`,
      "of one operator, with at least 3 dimensions",
    ],
    ["stride<0", "a window with a negative stride"],
    ["negative index", "both words in one statement of the case"],
    rule && [`rule:${rule}`, "about this rule"],
    some && [`type:${some.type.toLowerCase()} level:${some.version}`, "of one data type and feature level or opset"],
    ["verdict:fail -expect:rejection", "that failed, without those that must be rejected"],
  ].filter(Boolean);
  const rows = Object.entries(fields).map(([name, { also = [], says, numbers, outcome_number, versions }]) => [
    [name, ...also].map((word, i) => [i ? ", " : "", code(word)]),
    numbers || outcome_number || versions ? ": = < <= > >=" : ": =",
    says,
  ]);
  return el(
    "details",
    { class: "help" },
    el("summary", {}, "How to search"),
    div(
      p("Words find cases that say all of them in one statement. A field finds what a case is. A minus leaves out."),
      ul(examples.map(([query, says]) => li(example(query), " – ", says))),
      table("Fields", ["Field", "Signs", { name: "What it asks for", class: "wide" }], rows),
      p("With “:” a word need only begin like that; with “=” it must be the whole. Put quotes around what has spaces."),
    ),
  );
}

/** Lists for who would rather choose than write: each is a term of the query with “=”. */
function search_choices(change) {
  const of_cases = (value_of, compare = compare_texts) => distinct(cases.flatMap(value_of)).sort(compare);
  const names = (list) => list.map((one) => one.name);
  const choices = [
    ["operator", "Operator", names(operators)],
    ["version", "Version", of_cases((one) => one.version, compare_versions)],
    ["type", "Data type", of_cases((one) => one.type)],
    ["index_type", "Type of the indices", of_cases((one) => one.index_type).filter(Boolean)],
    ["rank", "Rank", of_cases((one) => String(one.rank))],
    ["expect", "Expected", of_cases((one) => one.expect)],
    ["rule", "Rule", names(rules)],
    ["erratum", "Erratum", names(errata)],
    ["verdict", "Verdict", of_cases((one) => one.verdicts).filter(Boolean), ["fail", "any failure"]],
    ["backend", "Implementation", backends],
  ];
  const controls = new Map();
  const labels = choices.map(([field, name, values, ...more]) => {
    const options = [["", "all"], ...more, ...values.map((value) => [value, value])];
    const [label, select] = select_of(name, options, (value) => change(field, value));
    controls.set(field, select);
    return options.length > 2 && label;
  });
  const show = (terms) => {
    for (const [field, select] of controls) {
      const value = terms.find((term) => term.field === field && !term.is_not && /[:=]/.test(term.sign))?.value ?? "";
      const option = [...select.options].find((one) => one.value.toLowerCase() === value.toLowerCase());
      // What is asked for in another way than by a choice is in the field alone.
      select.value = option?.value ?? "";
    }
  };
  const is_wide = matchMedia("(min-width: 62rem)").matches;
  const details = el(
    "details",
    { open: is_wide },
    el("summary", {}, "Choose"),
    el("div", { class: "filters" }, labels),
  );
  return [details, show];
}

function cases_section() {
  const list = el("ol", { class: "cases" });
  const place = div();
  const said = el("p", { "aria-live": "polite", class: "found", tabindex: -1 });
  const input = el("input", { type: "search", placeholder: "words, or field:value", input: () => ask(input.value) });
  const click = () => {
    ask("");
    input.focus();
  };
  const clear = el("button", { type: "button", click }, "Clear all");
  const [choices, show_choices] = search_choices((field, value) => {
    const kept = [...input.value.matchAll(term_pattern)].filter(([, , name]) => field_names.get(name) !== field);
    ask([...kept.map(([whole]) => whole), ...(value ? [term_text(field, "=", value)] : [])].join(" "));
  });

  function show(query) {
    const parsed = parse_query(query);
    const found = parsed.faults.length ? [] : find_cases(parsed);
    if (input.value !== query) input.value = query;
    show_choices(parsed.terms);
    said.replaceChildren(`${counted(found.length, "case")} of ${count(cases.length)}`);
    for (const words of [...parsed.faults, ...parsed.hints]) said.append(". ", text(words));
    if (!found.length && !parsed.faults.length) said.append(". None has all of this.");
    list.replaceChildren();
    place.replaceChildren();
    append_to(place, stepwise(list, found, case_item, 100, query ? 100 : 10));
    if (found.length === 1) list.querySelector("details").open = true;
    clear.hidden = !query;
  }

  function ask(query) {
    history.replaceState(null, "", query ? `#cases?${in_address(query)}` : "#cases");
    show(query);
  }

  function follow_address() {
    if (!location.hash.startsWith("#cases?")) return;
    try {
      show(decodeURIComponent(location.hash.slice("#cases?".length)));
    } catch {
      return; // no address that this page makes
    }
    document.getElementById("cases").scrollIntoView();
    said.focus({ preventScroll: true });
  }
  addEventListener("hashchange", follow_address);

  const form = el(
    "form",
    { role: "search", "aria-label": "Cases", submit: (event) => event.preventDefault() },
    el("div", { class: "search" }, el("label", {}, el("span", {}, "Search"), input), clear),
    search_help(),
    choices,
  );
  show("");
  return [
    results.left_out > 0 &&
      p(`${counted(results.left_out, "case")} are left out of this list, to keep the page small.`),
    form,
    said,
    place,
  ];
}
