// Campaigns of generated cases, and the support grid: what is counted, and not listed.

/** Of a tally: what kinds of cases there were. Its other numbers say what came of some of them. */
const generated_cases = ({ valid = 0, broken = 0, relations = 0 }) => valid + broken + relations;

function campaign_part(campaign) {
  const tallies = Object.entries(campaign.by_operator);
  const names = distinct(tallies.flatMap(([, tally]) => Object.keys(tally)));
  const cell = (name, number = 0) => (name === "failed" && number ? mark("bad", count(number)) : count(number));
  const rows = tallies.map(([operator, tally]) => [
    operator,
    count(generated_cases(tally)),
    ...names.map((name) => cell(name, tally[name])),
  ]);
  return el(
    "section",
    {},
    h3("Campaign on ", code(campaign.backend), campaign.file && [", ", code(campaign.file)]),
    definitions([
      ["Cases", count(campaign.cases)],
      ["Seconds", decimal(campaign.seconds, 1)],
      ["Cases a second", campaign.seconds > 0 && count(Math.round(campaign.cases / campaign.seconds))],
      ["Seed", seed_of(campaign)],
      ["Combinations", campaign.strength && `of ${campaign.strength} factors`],
    ]),
    campaign.harness_errors?.length > 0 &&
      el(
        "div",
        { class: "notice bad" },
        p(strong("The harness itself failed; the figures may be too low.")),
        stepwise(ul(), campaign.harness_errors, (error) => li(text(error))),
      ),
    p(
      campaign.findings.length
        ? el("a", { href: "#findings" }, mark(campaign.findings.every((one) => one.expected) ? "other" : "bad", counted(campaign.findings.length, "finding")))
        : campaign.cases
          ? mark("good", "Nothing was found.")
          : mark("other", "No case was generated."),
    ),
    table("Cases by what came of them", ["Operator", numeric("Cases"), ...numerics(...names.map(capitalised))], rows),
  );
}

const campaigns_section = () => [
  p(
    "Generated cases: valid ones are to run like the reference, broken ones to be rejected for one rule, relations are " +
      "checked against cases derived from them. Of all these, some use a freedom that the documents leave, some are " +
      "unsupported by the implementation, and what is neither has failed.",
  ),
  campaigns.map(campaign_part),
];

const grid_section = () => [
  p("Every cell of the support tables: what they list must run, what they do not list must be rejected."),
  report.grids.map((grid) => [
    h3("Grid of ", code(grid.backend)),
    grid.wrong.length > 0 && [
      p(mark("bad", `${counted(grid.total.wrong, "wrong cell")}:`)),
      stepwise(ul(), grid.wrong, (one) => li(code(one.cell), ": ", text(one.message))),
      grid.wrong_left_out > 0 && p(`${count(grid.wrong_left_out)} more are left out.`),
    ],
    grid_table(grid),
  ]),
];

function grid_table(grid) {
  const names = ["cells", "inside", "neighbours", "farther", "unbounded", "unsupported", "wrong"];
  const shown = names.filter((name) => grid.rows.some((row) => row[name] !== undefined));
  const cell = (name, number = 0) => (name === "wrong" && number ? mark("bad", count(number)) : count(number));
  const cells_of = (list, title) => [title, ...shown.map((name) => cell(name, sum(list.map((row) => row[name] ?? 0))))];
  const columns = (first) => [first, ...numerics(...shown.map(capitalised))];
  const by_operator = [...group_by(grid.rows, (row) => row.operator)].map(([operator, list]) =>
    cells_of(list, operator),
  );
  return [
    table("Cells by operator", columns("Operator"), by_operator),
    lazy(
      "By operator and level",
      () =>
        table(
          "Cells by operator and level",
          columns("Operator and level"),
          grid.rows.map((row) => cells_of([row], `${row.operator} ${row.version}`)),
        ),
      { "data-print": "closed" },
    ),
  ];
}
