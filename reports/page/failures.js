// Failures of cases, and what campaigns of generated cases found.

/** Of a file with one case: what is run. Its texts are those of the case that it was shrunk from. */
function what_is_run(file) {
  if (file.cases?.length !== 1) return file;
  const others = ["id", "says", "rules", "errata", "source"];
  const own = Object.entries(file.cases[0]).filter(([key]) => !others.includes(key));
  return { operator: file.operator, ...Object.fromEntries(own) };
}

const shrunk_part = (shrunk) => [
  term("Smallest case that still fails"),
  text(shrunk.message, { tag: "p", class: "message" }),
  el(
    "div",
    { class: "code" },
    text(compact_json(what_is_run(shrunk.case)), { tag: "pre", most: 6000 }),
    copy_button(compact_json(shrunk.case), "the smallest case, as a case file"),
  ),
  shrunk.repro && [term(shrunk.file ? ["Again, with ", code(shrunk.file)] : "Again"), command_line(shrunk.repro)],
];

const failure_part = (failure) => {
  const id = failure.case;
  const says = case_by_id.get(id)?.says;
  return el(
    "article",
    { class: "failure" },
    h4(case_by_id.has(id) ? el("a", { href: case_link({ id }) }, code(id)) : code(id)),
    says && text(says, { tag: "p", class: "quiet" }),
    p(
      mark("bad", text(failure.verdict)),
      failure.rule && [" of ", rule_link(failure.rule)],
      " by ",
      code(failure.backend),
    ),
    term("What was expected and found"),
    text(failure.message, { tag: "p", class: "message" }),
    failure.repro && [term("Again"), command_line(failure.repro)],
    failure.shrunk && shrunk_part(failure.shrunk),
  );
};

const of_rule = (name) => name && [" of ", code(name)];

/** What the rule of a group of failures demands. */
const demanded = (name) => rule_by_name.has(name) && p(rule_link(name), ": ", text(rule_by_name.get(name).statement));

function failures_section() {
  const failures = results.failures;
  const kind_of_failure = (one) => JSON.stringify([one.backend, one.verdict, one.rule]);
  // Of all kinds, where some of their failures are left out.
  const totals = new Map((results.failures_by_kind ?? []).map((one) => [kind_of_failure(one), one.failures]));
  const total_of = (list) => totals.get(kind_of_failure(list[0])) ?? list.length;
  const groups = [...group_by(failures, kind_of_failure).values()];
  groups.sort((a, b) => total_of(b) - total_of(a));
  const is_short = failures.length <= 20;
  const of_group = (list) => {
    const { backend, verdict, rule } = list[0];
    const total = total_of(list);
    const number = counted(total, "case") + (total > list.length ? `, ${count(list.length)} listed` : "");
    const summary = [mark("bad", text(verdict)), of_rule(rule), " by ", code(backend), `: ${number}`];
    const make = () => [demanded(rule), stepwise(div(), list, failure_part)];
    return lazy(h3(summary), make, { class: "group", open: is_short || list === groups[0] });
  };
  return [
    p(
      `${counted(failures.length + results.failures_left_out, "failure")}, by implementation, verdict and rule. `,
      results.failures_left_out > 0 && `${count(results.failures_left_out)} of them are left out, to keep the page small. `,
      el("a", { href: case_link({ verdict: "failure" }) }, "All cases that failed"),
    ),
    el("p", { class: "print-only" }, "The first five of each group."),
    stepwise(div(), groups, of_group),
  ];
}

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
  const explained = campaign.findings.map((finding) => {
    const where = ` in ${finding.operator}: ${counted(finding.count, "case")}`;
    const summary = [mark("bad", text(finding.verdict)), of_rule(finding.rule), where];
    const example_part = (example) => el("article", { class: "failure" }, shrunk_part(example));
    const make = () => [demanded(finding.rule), stepwise(div(), finding.examples, example_part)];
    return lazy(h4(summary), make, { class: "group", open: campaign.findings.length <= 3 });
  });
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
    campaign.findings.length
      ? explained
      : p(campaign.cases ? mark("good", "Nothing was found.") : mark("other", "No case was generated.")),
    campaign.findings_left_out > 0 && p(`${count(campaign.findings_left_out)} more findings are left out.`),
    table("Cases by what came of them", ["Operator", numeric("Cases"), ...numerics(...names.map(capitalised))], rows),
  );
}

const campaigns_section = () => [
  p(
    "Generated cases: valid ones are to run like the reference, broken ones to be refused for one rule, relations are " +
      "checked against cases derived from them. Of all these, some use a freedom that the documents leave, some are " +
      "unsupported by the implementation, and what is neither has failed.",
  ),
  campaigns.map(campaign_part),
];
