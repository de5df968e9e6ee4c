// Failures of cases, and what campaigns of generated cases found.

const shrunk_part = (shrunk) => [
  el("p", { class: "term" }, "Smallest case that still fails"),
  text(shrunk.message, { tag: "p", class: "message" }),
  el("div", { class: "code" }, text(compact_json(shrunk.case), { tag: "pre", most: 6000 }),
    copy_button(compact_json(shrunk.case), "the smallest case")),
  shrunk.repro && [el("p", { class: "term" }, shrunk.file ? ["Again, with ", code(shrunk.file)] : "Again"), command_line(shrunk.repro)],
];

const failure_part = (failure) => {
  const says = case_by_id.get(failure.case)?.says;
  return el("article", { class: "failure" },
    el("h4", {}, one_case_link(failure.case)),
    says && text(says, { tag: "p", class: "quiet" }),
    el("p", {}, mark("bad", text(failure.verdict)), failure.rule && [" of ", rule_link(failure.rule)], " by ", code(failure.backend)),
    el("p", { class: "term" }, "What was expected and found"),
    text(failure.message, { tag: "p", class: "message" }),
    failure.repro && [el("p", { class: "term" }, "Again"), command_line(failure.repro)],
    failure.shrunk && shrunk_part(failure.shrunk));
};

const of_rule = (name) => name && [" of ", code(name)];

/** What the rule of a group of failures demands. */
const demanded = (name) =>
  rule_by_name.has(name) && el("p", {}, rule_link(name), ": ", text(rule_by_name.get(name).statement));

function failures_section() {
  const failures = results.failures;
  const groups = [...group_by(failures, (one) => JSON.stringify([one.backend, one.verdict, one.rule])).values()];
  groups.sort((a, b) => b.length - a.length);
  const is_short = failures.length <= 20;
  const of_group = (list, i) => {
    const { backend, verdict, rule } = list[0];
    const summary = [mark("bad", text(verdict)), of_rule(rule), " by ", code(backend), `: ${counted(list.length, "case")}`];
    const make = () => [demanded(rule), stepwise(el("div"), list, failure_part)].filter(Boolean);
    return lazy(el("h3", {}, summary), make, { class: "group", open: is_short || i === 0 });
  };
  const failed = sum(results.summary.map((one) => one.failed));
  return [
    el("p", {}, `${counted(failures.length, "failure")} in ${counted(groups.length, "group")}, by implementation, verdict and rule. `,
      failed > failures.length && `${count(failed - failures.length)} more are counted, but not told here. `,
      el("a", { href: case_link({ verdict: "failure" }) }, "All cases that failed")),
    stepwise(el("div"), groups.map((list, i) => [list, i]), ([list, i]) => of_group(list, i)),
  ];
}

/** Of a tally: what kinds of cases there were. Its other numbers say what came of some of them. */
const generated_cases = ({ valid = 0, broken = 0, relations = 0 }) => valid + broken + relations;

function campaign_part(campaign) {
  const tallies = Object.entries(campaign.by_operator);
  const names = [...new Set(tallies.flatMap(([, tally]) => Object.keys(tally)))];
  const cell = (name, number = 0) => (name === "failed" && number ? mark("bad", count(number)) : count(number));
  const rows = tallies.map(([operator, tally]) => [
    operator, count(generated_cases(tally)), ...names.map((name) => cell(name, tally[name]))]);
  const explained = campaign.findings.map((finding) => {
    const summary = [mark("bad", text(finding.verdict)), of_rule(finding.rule), ` in ${finding.operator}: ${counted(finding.count, "case")}`];
    const make = () => stepwise(el("div"), finding.examples, (example) => el("article", { class: "failure" }, shrunk_part(example)));
    return lazy(el("h4", {}, summary), () => [demanded(finding.rule), make()].filter(Boolean), { class: "group", open: campaign.findings.length <= 3 });
  });
  return el("section", {},
    el("h3", {}, "Campaign on ", code(campaign.backend), campaign.file && [", ", code(campaign.file)]),
    definitions([
      ["Cases", count(campaign.cases)],
      ["Seconds", decimal(campaign.seconds, 1)],
      ["Cases a second", campaign.seconds > 0 && count(Math.round(campaign.cases / campaign.seconds))],
      ["Seed", number_as_written(campaign, "seed") ?? String(campaign.seed)],
      ["Combinations", campaign.strength ? `all of ${campaign.strength} factors` : null],
    ]),
    campaign.harness_errors?.length > 0 &&
      el("div", { class: "notice bad" }, el("p", {}, el("strong", {}, "The harness itself failed; the figures may be too low.")),
        stepwise(el("ul"), campaign.harness_errors, (error) => el("li", {}, text(error)))),
    campaign.findings.length ? explained : el("p", {}, mark("good", "Nothing was found.")),
    table("Cases by what came of them", [{ name: "Operator" }, { name: "Cases", number: true }, ...names.map((name) => ({ name: capitalised(name), number: true }))], rows));
}

const campaigns_section = () => [
  el("p", {}, "Generated cases: ", el("em", {}, "valid"), " ones are to run like the reference, ", el("em", {}, "broken"),
    " ones are to be refused for one rule, ", el("em", {}, "relations"), " are checked against cases derived from them. Of all these, ",
    el("em", {}, "freedom"), " differ from the reference as the documents permit, ", el("em", {}, "unsupported"), " are not offered, ",
    el("em", {}, "failed"), " are none of it."),
  campaigns.map(campaign_part),
];
