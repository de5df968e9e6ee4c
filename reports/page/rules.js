// What the documents demand, where they err, and what they leave open.

const rule_kind = (rule) => {
  const list = cases_by_rule.get(rule.name) ?? [];
  return accused_rules.has(rule.name) ? "bad" : kind_of(list.map((one) => one.kind));
};
const rule_states = { bad: "fails", good: "all pass", other: "not judged", none: "no case" };

function rule_row(rule) {
  const list = cases_by_rule.get(rule.name) ?? [];
  const kind = rule_kind(rule);
  return el("tr", { id: rule_anchor(rule.name), tabindex: -1 },
    el("th", { scope: "row" }, code(rule.name)),
    el("td", {}, rule.kind),
    el("td", { class: "wide" }, text(rule.statement), text(rule.source, { tag: "span", class: "source" })),
    results && el("td", { class: "number" }, list.length ? el("a", { href: case_link({ rule: rule.name }) }, count(list.length)) : "0"),
    results && el("td", {}, mark(kind, rule_states[kind])));
}

function rules_section() {
  const rows = rules.map((rule) => ({ rule, row: rule_row(rule), words: Object.values(rule).join(" ").toLowerCase() }));
  const said = el("p", { "aria-live": "polite", class: "quiet" });
  const show = () => {
    const wanted = words_of(input.value);
    let shown = 0;
    for (const { rule, row, words } of rows) {
      const all = `${words} ${results ? rule_states[rule_kind(rule)] : ""}`;
      row.hidden = !wanted.every((word) => all.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    said.textContent = `${counted(shown, "rule")} of ${count(rows.length)}`;
  };
  const input = el("input", { type: "search", input: show, placeholder: "a name, “support”, “fails” …" });
  // A link to a rule must find it, whatever the filter hides.
  addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#rule-") || !input.value) return;
    input.value = "";
    show();
  });
  show();
  const heads = ["Rule", "Kind", "Statement and source", ...(results ? ["Cases", "State"] : [])];
  const caption = "Rules";
  return [
    el("p", { class: "choice" }, el("label", {}, el("span", {}, "Filter rules"), input)), said,
    scrolled(el("table", { class: "rules" }, el("caption", {}, caption),
      el("thead", {}, el("tr", {}, heads.map((name) => el("th", { scope: "col", class: name === "Cases" ? "number" : null }, name)))),
      el("tbody", {}, rows.map(({ row }) => row))), caption),
  ];
}

function erratum_part(erratum) {
  const list = cases_by_erratum.get(erratum.name) ?? [];
  return el("article", { class: "erratum" },
    el("h3", {}, code(erratum.name)),
    el("div", { class: "readings" },
      el("div", {}, el("p", { class: "term" }, "Printed"), text(erratum.printed, { tag: "blockquote" })),
      el("div", {}, el("p", { class: "term" }, "Read as"), text(erratum.reading, { tag: "blockquote" }))),
    el("p", { class: "term" }, "Evidence"),
    text(erratum.evidence, { tag: "p" }),
    el("p", { class: "quiet" },
      erratum.editorial ? "Editorial: no case can tell the readings apart." : results && (list.length
        ? el("a", { href: case_link({ erratum: erratum.name }) }, `${counted(list.length, "case")} that ${list.length === 1 ? "shows" : "show"} it`)
        : "No case shows it.")));
}

const errata_section = () => [
  el("p", {}, "Where a document contradicts itself or its own examples, both readings."),
  errata.map(erratum_part),
];

function freedom_section() {
  const choices = results?.choices ?? [];
  const most = Math.max(...choices.map((choice) => choice.cases));
  const tallied = campaigns.flatMap((campaign) => Object.entries(campaign.by_operator)
    .map(([operator, tally]) => ({ campaign, operator, tally })).filter(({ tally }) => tally.freedom));
  return [
    choices.length > 0 && [
      el("p", {}, "What the documents leave open, and what each implementation chose. None of it is a failure."),
      table("Choices", [{ name: "Rule" }, { name: "Implementation" }, { name: "Choice" }, { name: "Cases", number: true }, { name: "", class: "bars" }],
        choices.map((one) => [rule_link(one.rule), text(one.backend), text(one.choice), count(one.cases), bar(one.cases / most)])),
    ],
    tallied.length > 0 && table("Generated cases that differ from the reference as the documents permit",
      [{ name: "Operator" }, { name: "Implementation" }, { name: "Cases", number: true }, { name: "Share", number: true }, { name: "", class: "bars" }],
      tallied.map(({ campaign, operator, tally }) => {
        const all = generated_cases(tally);
        return [operator, text(campaign.backend), count(tally.freedom), percent(tally.freedom, all), bar(tally.freedom / all)];
      })),
  ];
}
