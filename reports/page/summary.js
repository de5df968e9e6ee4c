// What was run on what, and what came of it.

const campaign_failures = (campaign) => sum(Object.values(campaign.by_operator).map((tally) => tally.failed ?? 0));
const interrupted = report.inputs.filter((input) => input.interrupted);
const bad_inputs = report.inputs.filter((input) => input.bad_input?.length);

/** Each is {kind, words, href}: one sentence that a reader can take away. */
function conclusions() {
  const partial = (file) => (interrupted.some((input) => input.file === file) ? " so far" : "");
  const any_partial = interrupted.some((input) => input.kind === "results") ? " so far" : "";
  const result = [];
  const add_share = (words, part, whole, href) =>
    result.push({ kind: part < whole ? "other" : "good", words: `${words}, ${percent(part, whole)}`, href });
  for (const { backend, cases: number, failed, verdicts, weak, unnamed_rule } of results?.summary ?? []) {
    const { pass = 0, unsupported = 0 } = verdicts;
    const besides = [
      unsupported && `${count(unsupported)} not offered`,
      weak && `${counted(weak, "pass", "passes")} weak: all values alike`,
      unnamed_rule && `${counted(unnamed_rule, "refusal")} without the name of a rule`,
    ].filter(Boolean);
    result.push({
      kind: failed ? "bad" : pass ? "good" : "other",
      words: `${backend}: ${counted(number, "case")}, ${counted(failed, "failure")}${any_partial}`,
      besides: besides.join("; "),
      href: failed ? "#failures" : case_link({}),
    });
  }
  for (const campaign of campaigns) {
    const failed = campaign_failures(campaign);
    const judged = campaign.cases - sum(Object.values(campaign.by_operator).map((tally) => tally.unsupported ?? 0));
    result.push({
      kind: failed || campaign.harness_errors?.length ? "bad" : judged > 0 ? "good" : "other",
      words: `${campaign.backend}: ${counted(campaign.cases, "generated case")}, ${counted(failed, "failure")}${partial(campaign.file)}`,
      href: "#campaigns",
    });
  }
  for (const grid of report.grids ?? []) {
    const wrong = grid.total.wrong ?? 0;
    const { cells = 0, unsupported = 0 } = grid.total;
    const words =
      `${grid.backend}: ${counted(cells, "cell")} of the support tables, ${count(wrong)} wrong` +
      (unsupported ? `, ${count(unsupported)} not offered` : "") +
      partial(grid.file);
    result.push({ kind: wrong ? "bad" : cells > unsupported ? "good" : "other", words, href: "#grid" });
  }
  const suspects = report.selftest?.suspects ?? [];
  if (suspects.length) {
    const bugs = suspects.filter((suspect) => suspect.is_bug);
    const caught = bugs.filter((suspect) => suspect.as_it_should).length;
    const accused = suspects.filter((suspect) => !suspect.is_bug && !suspect.as_it_should).length;
    result.push({
      kind: caught < bugs.length || accused ? "bad" : "good",
      words:
        `Planted bugs: ${count(caught)} of ${count(bugs.length)} caught` +
        (accused ? `, ${counted(accused, "permitted freedom")} accused` : ""),
      href: "#selftest",
    });
  }
  if (report.coverage) {
    const { reached, reachable } = report.coverage.total;
    const words = `Documents: ${count(reached)} of ${counted(reachable, "reachable bin")} covered`;
    add_share(words, reached, reachable, "#coverage");
  }
  if (report.mutation) {
    const { killed, judged } = mutation_total();
    add_share(`Mutants: ${count(killed)} of ${count(judged)} killed`, killed, judged, "#mutation");
  }
  return result;
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
        p(strong(`Bad input: ${counted(unread, "input")} could not be used.`), " They count as neither passed nor failed."),
        bad_inputs.map((input) =>
          lazy(["In ", code(input.file), `: ${count(number_of(input))}`], () =>
            stepwise(ul(), input.bad_input, (message) => li(text(message))),
          ),
        ),
      ),
    results?.left_out > 0 &&
      el(
        "p",
        { class: "notice" },
        `${counted(results.left_out, "case")} that passed ${results.left_out === 1 ? "is" : "are"} left out of the lists, to keep ` +
          "the page small. Sums of the summary have them; counts by level, rule and type do not.",
      ),
  ];
}

/** What all runs have in common stands once, the rest in the table of inputs. */
function what_was_run() {
  const facts = [
    ["program", "Program"],
    ["system", "System"],
    ["processor", "Processor"],
    ["kernels", "Kernels"],
    ["compiler", "Compiler"],
  ];
  const runs = report.inputs.map((input) => input.run).filter(Boolean);
  const is_common = ([key]) => runs.length > 0 && runs.every((run) => run[key] === runs[0][key]);
  const differing = runs.length ? facts.filter((fact) => !is_common(fact)) : [];
  const named = distinct([...backends, ...[...campaigns, ...(report.grids ?? [])].map((one) => one.backend)]);
  const seeds = distinct(report.inputs.filter((input) => input.seed !== undefined).map(seed_of));
  const columns = ["File", "Holds", "Command", "Started (UTC)", numeric("Seconds"), ...differing.map(([, name]) => name)];
  const rows = report.inputs.map(({ file, kind, run, ...input }) => [
    code(file),
    input.interrupted ? `${kind}, interrupted` : kind,
    run ? command_line(run.command) : "–",
    run ? text(run.started.replace("T", " ").replace("Z", "")) : "–",
    run ? decimal(run.seconds, 1) : "–",
    ...differing.map(([key]) => (run ? text(run[key]) : "–")),
  ]);
  return [
    definitions([
      [named.length === 1 ? "Implementation" : "Implementations", named.map((name, i) => [i ? ", " : "", code(name)])],
      ...facts.filter(is_common).map(([key, name]) => [name, runs[0][key] && text(runs[0][key])]),
      [seeds.length === 1 ? "Seed" : "Seeds", seeds.length && seeds.join(", ")],
      ["Report made by", text(report.program)],
    ]),
    report.inputs.length > 0 && table("What the report was made from", columns, rows),
  ];
}

/** What somebody else needs to run a sample of it again. */
function certificate_section() {
  const { certificate } = report;
  const { program, corpus, figures } = certificate;
  const kind = { conforms: "good", "does not conform": "bad" }[certificate.verdict] ?? "other";
  const share = ({ reached, reachable }) => `${count(reached)} of ${count(reachable)}`;
  const bugs = figures.planted_bugs;
  return [
    el("p", { class: `verdict ${kind}` }, mark(kind, `${certificate.backend}: ${certificate.verdict}`)),
    certificate.incomplete.length > 0 && [p("Not enough was tried:"), ul(certificate.incomplete.map((one) => li(text(one))))],
    definitions([
      ["Program", text(program.version)],
      ["Its SHA-256", code(program.sha256)],
      ["SHA-256 of its sources", code(program.sources_sha256)],
      ["Corpus", text(corpus.version)],
      ["SHA-256 of its manifest", code(corpus.sha256)],
      ["Seed", seed_of(certificate)],
      ["Cases", `${count(figures.cases.total)}, ${count(figures.cases.failed)} failed`],
      ["Generated cases", `${count(figures.campaign.cases)}, ${counted(figures.campaign.findings, "finding")}`],
      ["Rules shown", share(figures.rules)],
      ["Support cells tried", share(figures.cells)],
      ...Object.entries(figures.combinations).map(([name, one]) => [name.replace("combinations/", "Combinations "), share(one)]),
      ["Planted bugs caught", `${count(bugs.caught)} of ${count(bugs.planted)}`],
      ["Freedoms accused", `${count(bugs.accused)} of ${count(bugs.permitted)}`],
    ]),
    table(
      "What was run",
      ["Command", numeric("Exit code")],
      certificate.steps.map((step) => [command_line(step.command), count(step.exit_code)]),
    ),
    p("A random sample of it is run again by ", command_line("opconform certify --verify FILE"), " with this file."),
  ];
}

function summary_section() {
  const lines = conclusions();
  const is_partial = interrupted.length + bad_inputs.length > 0;
  const found = kind_of(lines.map((line) => line.kind));
  const overall = found === "good" && is_partial ? "other" : found;
  const words = {
    bad: "There are failures.",
    good: "No failure.",
    other: is_partial ? "No failure so far, but not everything was run." : "Nothing was judged.",
    none: "The report holds no results.",
  };
  return [
    el("p", { class: `verdict ${overall}` }, mark(overall, words[overall])),
    notices(),
    el(
      "ul",
      { class: "conclusions" },
      lines.map((line) =>
        el(
          "li",
          { class: line.kind },
          el("a", { href: line.href }, el("span", { class: "mark", "aria-hidden": "true" }, signs[line.kind]), text(line.words)),
          line.besides && el("span", { class: "quiet" }, line.besides),
        ),
      ),
    ),
    what_was_run(),
  ];
}

/** How many of the cases have which verdict of a backend, failures first; each leads to its cases. */
function verdict_counts(list, place, filter) {
  const known = list.filter((one) => one.verdicts[place] !== null);
  const found = [...group_by(known, (one) => one.verdicts[place])];
  const order = ["bad", "other", "good"];
  found.sort(([a], [b]) => order.indexOf(verdict_kind(a)) - order.indexOf(verdict_kind(b)));
  return found.map(([verdict, ones]) => {
    const href = case_link({ ...filter, verdict, backend: backends[place] });
    return el("a", { class: "tally", href }, mark(verdict_kind(verdict), `${verdict} ${count(ones.length)}`));
  });
}

function verdicts_section() {
  const columns = () => backends.map((name) => ({ name: text(name) }));
  const cells = (list, filter) => backends.map((_, place) => verdict_counts(list, place, filter));
  const by_operator = operators
    .map((operator) => [operator, cases.filter((one) => one.operator === operator.name)])
    .filter(([, list]) => list.length);
  const levels = by_operator.flatMap(([operator, list]) =>
    [...group_by(list, (one) => one.version)]
      .sort(([a], [b]) => compare_versions(a, b))
      .map(([version, some]) => [
        `${operator.name} ${version}`,
        count(some.length),
        ...cells(some, { op: operator.name, version }),
      ]),
  );
  const totals = results.summary.map((one) => {
    const shown = Object.entries(one.verdicts).filter(([, number]) => number > 0);
    return [
      text(one.backend),
      count(one.cases),
      count(one.failed),
      shown.map(([verdict, number]) =>
        el("span", { class: "tally" }, mark(verdict_kind(verdict), `${verdict} ${count(number)}`)),
      ),
    ];
  });
  const number = numeric("Cases");
  return [
    table("By implementation", ["Implementation", number, numeric("Failures"), "Verdicts"], totals),
    by_operator.length > 0 && [
      table(
        "By operator",
        ["Operator", number, ...columns()],
        by_operator.map(([operator, list]) => [
          operator_label(operator),
          count(list.length),
          ...cells(list, { op: operator.name }),
        ]),
      ),
      lazy("By operator and level", () =>
        table("By operator and level", ["Operator and level", number, ...columns()], levels),
      ),
    ],
  ];
}
