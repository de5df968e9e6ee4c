// What the documents demand, where they err, and what they leave open.

const rule_states = { bad: "fails", good: "all pass", other: "not judged", none: "no case" };

function rule_part(rule) {
  const list = cases_by_rule.get(rule.name) ?? [];
  const kind = accused_rules.has(rule.name) ? "bad" : kind_of(list.map((one) => one.kind));
  const number = list.length ? el("a", { href: case_link({ rule: rule.name }) }, count(list.length)) : "0";
  const statement = [text(rule.statement), text(rule.source, { class: "source" })];
  const cells = [code(rule.name), rule.kind, statement, number, mark(kind, rule_states[kind])];
  const words = `${Object.values(rule).join(" ")} ${results ? rule_states[kind] : ""}`.toLowerCase();
  return { rule, kind, cells: results ? cells : cells.slice(0, 3), words };
}

function rules_section() {
  const parts = rules.map(rule_part);
  const columns = ["Rule", "Kind", { name: "Statement and source", class: "wide" }];
  if (results) columns.push(numeric("Cases"), "State");
  const element = table("Rules", columns, parts.map((part) => part.cells));
  element.querySelectorAll("tbody tr").forEach((row, i) => {
    parts[i].row = row;
    row.id = rule_anchor(parts[i].rule.name);
    row.tabIndex = -1;
  });
  const said = el("p", { "aria-live": "polite", class: "quiet" });
  const show = () => {
    const wanted = words_of(input.value);
    for (const { row, words } of parts) row.hidden = !wanted.every((word) => words.includes(word));
    said.textContent = `${counted(parts.filter(({ row }) => !row.hidden).length, "rule")} of ${count(parts.length)}`;
  };
  const input = el("input", { type: "search", input: show, placeholder: "a name, “support”, “fails” …" });
  // A link to a rule must find it, whatever the filter hides.
  addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#rule-")) return;
    input.value = "";
    show();
  });
  show();
  const states = Object.entries(rule_states).map(([kind, words]) => [words, parts.filter((part) => part.kind === kind).length]);
  const shown = states.filter(([, number]) => number).map(([words, number]) => `${count(number)} ${words}`);
  return folded(
    `${counted(parts.length, "rule")}${results ? `: ${shown.join(", ")}` : ""}`,
    el("p", { class: "choice" }, el("label", {}, el("span", {}, "Filter rules"), input)),
    said,
    element,
  );
}

function erratum_part(erratum) {
  const list = cases_by_erratum.get(erratum.name) ?? [];
  const shown = `${counted(list.length, "case")} that ${list.length === 1 ? "shows" : "show"} it`;
  const link = list.length ? el("a", { href: case_link({ erratum: erratum.name }) }, shown) : "No case shows it.";
  return el(
    "article",
    { class: "erratum" },
    h3(code(erratum.name)),
    el(
      "div",
      { class: "readings" },
      div(term("Printed"), text(erratum.printed, { tag: "blockquote" })),
      div(term("Read as"), text(erratum.reading, { tag: "blockquote" })),
    ),
    term("Evidence"),
    text(erratum.evidence, { tag: "p" }),
    el(
      "p",
      { class: "quiet" },
      erratum.editorial ? "Editorial: no case can tell the readings apart." : results && link,
    ),
  );
}

const errata_section = () => [
  p("Where a document contradicts itself or its own examples, both readings."),
  folded(counted(errata.length, "erratum", "errata"), errata.map(erratum_part)),
];

const freedom_tallies = campaigns.flatMap(({ backend, by_operator }) =>
  Object.entries(by_operator)
    .filter(([, tally]) => tally.freedom)
    .map(([operator, tally]) => ({ backend, operator, freedom: tally.freedom, all: generated_cases(tally) })),
);

function freedom_section() {
  const chosen = (title, choices) => {
    const most = Math.max(...choices.map((choice) => choice.cases));
    const cells = ({ rule, backend, choice, cases }) => [
      rule_link(rule),
      text(backend),
      text(choice),
      count(cases),
      bar(cases / most),
    ];
    const columns = ["Rule", "Implementation", "Choice", numeric("Cases"), bars];
    return choices.length > 0 && table(title, columns, choices.map(cells));
  };
  const tallied = ({ backend, operator, freedom, all }) => [
    operator,
    text(backend),
    count(freedom),
    percent(freedom, all),
    bar(freedom / all),
  ];
  const title = "Generated cases that differ from the reference as the documents permit";
  return [
    p("What the documents leave open, and what each implementation made of it. None of it is a failure."),
    chosen("Choices", results?.choices ?? []),
    freedom_tallies.length > 0 &&
      table(title, ["Operator", "Implementation", ...numerics("Cases", "Share"), bars], freedom_tallies.map(tallied)),
    chosen("Choices in those", campaigns.flatMap((campaign) => campaign.choices ?? [])),
  ];
}
