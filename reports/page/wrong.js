// What is wrong: groups of failures with their pictures, what campaigns found, wrong cells of support grids.

const expected_failures = (campaign) => sum(campaign.findings.map((one) => (one.expected ? one.count : 0)));
const campaign_failures = (campaign) =>
  sum(Object.values(campaign.by_operator).map((tally) => tally.failed ?? 0)) - expected_failures(campaign);
const interrupted = report.inputs.filter((input) => input.interrupted);
const bad_inputs = report.inputs.filter((input) => input.bad_input?.length);
const so_far = (file) => (interrupted.some((input) => input.file === file) ? " so far" : "");

const suspects = report.selftest?.suspects ?? [];
const survivors = suspects.filter((suspect) => suspect.is_bug && !suspect.as_it_should);
const accused = suspects.filter((suspect) => !suspect.is_bug && !suspect.as_it_should);

/** Each is [words, href]. */
function what_is_wrong() {
  const result = [];
  const add = (is_wrong, words, href) => is_wrong && result.push([words, href]);
  for (const { backend, cases: number, failed } of results?.summary ?? []) {
    const some = interrupted.some((input) => input.kind === "results") ? " so far" : "";
    add(failed, `${backend}: ${counted(failed, "failure")} in ${counted(number, "case")}${some}`, "#groups");
  }
  for (const campaign of campaigns) {
    const { backend, cases: number, file } = campaign;
    const failed = campaign_failures(campaign);
    add(
      failed,
      `${backend}: ${counted(failed, "failure")} in ${counted(number, "generated case")}${so_far(file)}`,
      campaign.findings.length ? "#findings" : "#campaigns",
    );
    add(campaign.harness_errors?.length, `${backend}: the harness itself failed`, "#campaigns");
  }
  for (const { backend, total } of report.grids ?? [])
    add(
      total.wrong,
      `${backend}: ${count(total.wrong)} of ${counted(total.cells, "cell")} of the support tables wrong`,
      "#grid",
    );
  add(survivors.length, `The suite: ${counted(survivors.length, "planted bug")} not caught`, "#selftest");
  add(accused.length, `The suite: ${counted(accused.length, "permitted implementation")} accused`, "#selftest");
  return result;
}

/** What was judged, whatever came of it, in words. */
function what_was_judged() {
  const unsupported_in = (tallies) => sum(tallies.map((tally) => tally.unsupported ?? 0));
  const on = backends.length > 1 ? ` on ${backends.length} implementations` : "";
  const judged = (results?.summary ?? []).map(
    ({ cases: number, verdicts: { unsupported = 0, "ran-elsewhere": elsewhere = 0, vacuous = 0 } }) =>
      number - unsupported - elsewhere - vacuous,
  );
  const generated = campaigns.map((one) => one.cases - unsupported_in(Object.values(one.by_operator)));
  const cells = (report.grids ?? []).map(({ total }) => (total.cells ?? 0) - (total.unsupported ?? 0));
  const most = Math.max(0, ...judged);
  return [
    most > 0 && counted(most, "case") + on,
    sum(generated) > 0 && counted(sum(generated), "generated case"),
    sum(cells) > 0 && `${counted(sum(cells), "cell")} of the support tables`,
  ].filter(Boolean);
}

function notices() {
  const files = (inputs) => inputs.map((input, i) => [i ? ", " : "", code(input.file)]);
  const number_of = (input) => input.bad_input.length + (input.bad_input_left_out ?? 0);
  const unread = sum(bad_inputs.map(number_of));
  return [
    interrupted.length > 0 &&
      el(
        "p",
        { class: "notice bad" },
        strong("Interrupted: partial results. "),
        "These hold what was known when the run was ended: ",
        files(interrupted),
        ".",
      ),
    bad_inputs.length > 0 &&
      el(
        "div",
        { class: "notice bad" },
        p(
          strong(`Bad input: ${counted(unread, "input")} could not be used.`),
          " They count as neither passed nor failed.",
        ),
        bad_inputs.map((input) =>
          lazy(["In ", code(input.file), `: ${count(number_of(input))}`], () =>
            stepwise(ul(), input.bad_input, (message) => li(text(message))),
          ),
        ),
      ),
  ];
}

/** Of a file with one case: what is run. Its texts are those of the case that it was shrunk from. */
function what_is_run(file) {
  if (file.cases?.length !== 1) return file;
  const others = ["id", "says", "rules", "errata", "source"];
  const own = Object.entries(file.cases[0]).filter(([key]) => !others.includes(key));
  return { operator: file.operator, ...Object.fromEntries(own) };
}

const case_file = (file, shown = file) =>
  el(
    "div",
    { class: "code" },
    text(compact_json(shown), { tag: "pre", most: 6000 }),
    copy_button(compact_json(file), "the case, as a case file"),
  );

const shrunk_part = (shrunk) => [
  term("Smallest case that still fails"),
  text(shrunk.message, { tag: "p", class: "message" }),
  case_file(shrunk.case, what_is_run(shrunk.case)),
  shrunk.repro && [term(shrunk.file ? ["Again, with ", code(shrunk.file)] : "Again"), command_line(shrunk.repro)],
];

function failure_part(failure) {
  const id = failure.case;
  const says = case_by_id.get(id)?.says;
  return el(
    "article",
    { class: "failure" },
    h4(case_by_id.has(id) ? el("a", { href: case_link({ id }) }, code(id)) : code(id)),
    says && text(says, { tag: "p", class: "quiet" }),
    text(failure.message, { tag: "p", class: "message" }),
    failure.repro && command_line(failure.repro),
  );
}

/** What the rule of a group of failures demands. */
const demanded = (name) =>
  rule_by_name.has(name) ? [rule_link(name), ": ", text(rule_by_name.get(name).statement)] : code(name);

/** How sure it is that this is what is broken. */
function explained_words({ says, rule, explanation, explained, contradicted, failures }) {
  if (explained === undefined) return null;
  if (!says && !rule) return "Nothing explains these failures.";
  if (!explanation) return null; // the outcome itself says it
  const all = failures === 1 ? "the failure" : `all ${count(failures)} failures`;
  const share = explained === failures ? all : `${count(explained)} of ${counted(failures, "failure")}`;
  const against = contradicted
    ? ` But ${counted(contradicted, "case passes", "cases pass")} that it should fail, so it may be something else.`
    : "";
  return `An implementation that does this gives exactly what was found in ${share}.${against}`;
}

const common_part = ({ conditions, failing, failing_all, passing, passing_all }) => [
  el(
    "ul",
    { class: "conditions" },
    conditions.map((condition) => li(text(condition))),
  ),
  el(
    "span",
    { class: "quiet" },
    `True of ${count(failing)} of ${counted(failing_all, "failure")} and ${count(passing)} of ${counted(passing_all, "pass", "passes")}.`,
  ),
];

/** What the implementation does; else its verdict, and what it is of. */
function group_title({ says, verdict, rule, explained }) {
  if (says) return text(capitalised(says));
  return [text(capitalised(verdict)), rule && [" of ", code(rule)], !rule && explained !== undefined && ": nothing explains it"];
}

function example_part({ backend, explained, example: { case: file, message, shrunk, picture } }, repro) {
  return [
    text(message, { tag: "p", class: "message" }),
    picture && picture_part(picture),
    lazy(shrunk ? "The smallest case that fails so" : "A case that fails so", () => [
      case_file(file, explained === undefined ? what_is_run(file) : file),
      term("As a file of its own, it is run with"),
      command_line(`opconform run FILE --backend ${shell_word(backend)}`),
    ]),
    repro && [term("One of these cases again"), command_line(repro)],
  ];
}

/** `list` holds what the page has of its failures. */
function group_part(group, place, list, is_open) {
  const { backend, verdict, rule, says, failures, explained, rules_shown, common, example } = group;
  const sure = explained_words(group);
  const make = () =>
    div(
      definitions([
        [explained === undefined ? "Rule that the failures name" : "Rule that is broken", rule && demanded(rule)],
        ["Rules that all its cases show", rules_shown?.length && ul(rules_shown.map((name) => li(rule_link(name))))],
        ["What its cases have in common", common && common_part(common)],
      ]),
      sure && p(sure),
      example ? example_part(group, list[0]?.repro) : list.slice(0, 1).map(failure_part),
      el(
        "p",
        { class: "choice" },
        el("a", { href: case_link({ group: String(place + 1) }) }, `Search its ${counted(failures, "case")}`),
      ),
      list.length > 0 &&
        lazy(
          list.length < failures ? `The first ${count(list.length)} failures` : counted(failures, "failure"),
          () => stepwise(div(), list, failure_part),
          { "data-print": "closed" },
        ),
    );
  const number = counted(failures, "failure") + (says ? `, ${verdict}` : "");
  const by = backends.length > 1 && [" by ", code(backend)];
  const summary = [mark("bad", group_title(group)), el("span", { class: "quiet" }, text(number), by)];
  return lazy(h3(summary), make, { class: "group", open: is_open });
}

function groups_part() {
  if (!groups.length && !results?.failures.length) return null;
  const by_group = group_by(results.failures, (failure) => {
    const one = case_by_id.get(failure.case);
    return one?.groups[backends.indexOf(failure.backend)] ?? -1;
  });
  const make = (group, i) => group_part(group, i, by_group.get(i) ?? [], i < 2);
  return el(
    "div",
    { id: "groups", tabindex: -1 },
    p(
      "Failures with one cause are a group, the largest first. ",
      el("a", { class: "choice", href: case_link({ verdict: "fail" }) }, "Search all cases that failed"),
    ),
    results.failures_left_out > 0 &&
      p(
        `The page lists ${count(results.failures.length)} of ${counted(results.failures.length + results.failures_left_out, "failure")} ` +
          "one by one, some of each group; the rest is left out, to keep it small. The search has all.",
      ),
    stepwise(
      div(),
      groups.map((group, i) => [group, i]),
      (pair) => make(...pair),
    ),
    results.groups_left_out > 0 &&
      p(`${counted(results.groups_left_out, "smaller group")} left out, to keep the page small.`),
  );
}

function findings_part() {
  const found = campaigns.flatMap((campaign) =>
    campaign.findings.map((finding) => ({ ...finding, backend: campaign.backend })),
  );
  const left_out = sum(campaigns.map((campaign) => campaign.findings_left_out ?? 0));
  if (!found.length && !left_out) return null;
  const part = ({ backend, operator, verdict, rule, count: number, examples, diagnosis, expected }, i) => {
    const { says, common } = diagnosis ?? {};
    const broken = rule || diagnosis?.rule;
    const summary = [
      mark(expected ? "other" : "bad", [text(says ? capitalised(says) : verdict), ` in ${operator}`]),
      el("span", { class: "quiet" }, `${counted(number, "generated case")} by `, code(backend)),
    ];
    const make = () => [
      definitions([
        ["Expected, because", expected && text(expected)],
        [rule ? "Rule that the failures name" : "Rule that is broken", broken && demanded(broken)],
        ["What its cases have in common", common && common_part(common)],
      ]),
      stepwise(div(), examples, (example) => el("article", { class: "failure" }, shrunk_part(example))),
    ];
    return lazy(h4(summary), make, { class: "group", open: i < 1 && !groups.length });
  };
  return el(
    "div",
    { id: "findings", tabindex: -1 },
    h3("In generated cases"),
    stepwise(
      div(),
      found.map((one, i) => [one, i]),
      (pair) => part(...pair),
    ),
    left_out > 0 && p(`${counted(left_out, "more finding is", "more findings are")} left out.`),
  );
}

function wrong_section() {
  const wrong = what_is_wrong();
  const is_partial = interrupted.length + bad_inputs.length > 0;
  const judged = what_was_judged();
  const kind = wrong.length ? "bad" : is_partial || !judged.length ? "other" : "good";
  const one_link = ([says, href]) => el("a", { href }, text(says));
  const words = {
    bad: wrong.length === 1 ? one_link(wrong[0]) : "There are failures.",
    good: "No failure.",
    other: is_partial ? "No failure so far, but not everything was run." : "Nothing was judged.",
  };
  return [
    el("p", { class: `verdict ${kind}` }, mark(kind, words[kind])),
    notices(),
    wrong.length > 1 &&
      el(
        "ul",
        { class: "what" },
        wrong.map((one) => li(one_link(one))),
      ),
    judged.length > 0 && p(`Judged: ${judged.join(", ")}.`),
    groups_part(),
    findings_part(),
  ];
}
