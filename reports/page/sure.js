// How sure one can be: what was judged, and what is known of the strength of the cases.

/** What each implementation was asked, and what came of it. */
function judged_table() {
  // What none has, has no column.
  const columns = [
    ["Cases", (one) => one.cases],
    ["Passed", (one) => one.verdicts.pass ?? 0],
    ["Weak", (one) => one.weak ?? 0, "passed, but all values are alike, so that a wrong index could not have shown"],
    ["Rule not named", (one) => one.unnamed_rule ?? 0, "rightly rejected, without saying for which rule"],
    ["Expected to fail", (one) => one.verdicts.xfail ?? 0, "as a list of the run says, and did"],
    ["Not offered", (one) => one.verdicts.unsupported ?? 0, "the implementation says so; neither passed nor failed"],
    ["Ran elsewhere", (one) => one.verdicts["ran-elsewhere"] ?? 0, "the implementation says so: on a fallback; neither passed nor failed"],
    ["Not checked", (one) => one.verdicts.vacuous ?? 0, "nothing at all was compared"],
  ].filter(([, number_of], i) => i < 2 || results.summary.some(number_of));
  const rows = results.summary.map((one) => [
    text(one.backend),
    ...columns.map(([, number_of]) => count(number_of(one))),
    one.failed ? mark("bad", count(one.failed)) : count(0),
  ]);
  const said = columns.filter(([, , says]) => says);
  return [
    table(
      "Cases by what came of them",
      ["Implementation", ...numerics(...columns.map(([name]) => name), "Failed")],
      rows,
    ),
    said.length > 0 &&
      el(
        "p",
        { class: "quiet" },
        said.map(([name, , says]) => `${name}: ${says}. `),
      ),
  ];
}

/** Each is {kind, words, part, whole, href}: what is known of the cases, or was tried beside them. */
function evidence() {
  const result = [];
  const add = (words, part, whole, href, is_wrong) =>
    result.push({ kind: is_wrong ? "bad" : part < whole || !whole ? "other" : "good", words, part, whole, href });
  if (report.coverage) {
    const { reached, reachable } = report.coverage.total;
    add(
      `Documents: ${count(reached)} of ${counted(reachable, "reachable bin")} covered`,
      reached,
      reachable,
      "#coverage",
    );
  }
  if (suspects.length) {
    const bugs = suspects.filter((suspect) => suspect.is_bug).length;
    const caught = bugs - survivors.length;
    const besides = accused.length ? `, ${counted(accused.length, "permitted implementation")} accused` : "";
    add(
      `Planted bugs: ${count(caught)} of ${count(bugs)} caught${besides}`,
      caught,
      bugs,
      "#selftest",
      survivors.length + accused.length,
    );
  }
  if (report.mutation) {
    const { killed, judged } = mutation_total();
    add(`Mutants of this project: ${count(killed)} of ${count(judged)} killed`, killed, judged, "#mutation");
  }
  for (const campaign of campaigns) {
    const all = campaign.cases;
    const unsupported = sum(Object.values(campaign.by_operator).map((tally) => tally.unsupported ?? 0));
    const failed = campaign_failures(campaign);
    const words = `${campaign.backend}: ${counted(all, "generated case")}, ${counted(failed, "failure")}${so_far(campaign.file)}`;
    add(words, all - unsupported, all, "#campaigns", failed || campaign.harness_errors?.length);
  }
  for (const grid of report.grids ?? []) {
    const { cells = 0, unsupported = 0, wrong = 0 } = grid.total;
    const words =
      `${grid.backend}: ${counted(cells, "cell")} of the support tables, ${count(wrong)} wrong` +
      (unsupported ? `, ${count(unsupported)} not offered` : "") +
      so_far(grid.file);
    add(words, cells - unsupported, cells, "#grid", wrong);
  }
  return result;
}

const evidence_card = ({ kind, words, part, whole, href }) =>
  el(
    "li",
    { class: kind },
    el("a", { href }, el("span", { class: "mark", "aria-hidden": "true" }, signs[kind]), text(words)),
    whole > 0 &&
      href !== "#campaigns" &&
      href !== "#grid" && [el("span", { class: "quiet" }, percent(part, whole)), share_bar(part, whole)],
  );

/** What this report cannot say, because no file says it. */
function missing_evidence() {
  const kinds = [
    ["the cases", results],
    ["coverage of the documents", report.coverage],
    ["planted bugs", report.selftest],
    ["generated cases", campaigns.length],
    ["the support grid", report.grids?.length],
    ["mutants", report.mutation],
    ["coverage of the code", report.code],
  ].filter(([, is_there]) => !is_there);
  return (
    kinds.length > 0 && el("p", { class: "quiet" }, `Not in this report: ${kinds.map(([name]) => name).join(", ")}.`)
  );
}

function sure_section() {
  const list = evidence();
  return [
    results?.summary.length > 0 && judged_table(),
    list.length > 0 && [
      p("Would these cases show a bug?"),
      el("ul", { class: "conclusions" }, list.map(evidence_card)),
    ],
    missing_evidence(),
  ];
}
