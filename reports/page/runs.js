// What was run on what: verdicts by operator, the files of the report, a certificate.

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

/** The rules that some implementation breaks, with a column for each implementation. */
function broken_rules_table() {
  const failures = (rule, backend) =>
    sum(groups.filter((group) => group.rule === rule && group.backend === backend).map((group) => group.failures));
  const is_judged = (one, place) => ["good", "bad"].includes(verdict_kind(one.verdicts[place] ?? ""));
  const cell = (rule, backend, place) => {
    const failed = failures(rule, backend);
    if (failed) return mark("bad", `${count(failed)} failed`);
    const judged = (cases_by_rule.get(rule) ?? []).filter((one) => is_judged(one, place)).length;
    return judged ? mark("good", `ok ${count(judged)}`) : "not judged";
  };
  const broken = rules.map((rule) => rule.name).filter((name) => groups.some((group) => group.rule === name));
  return table(
    "By broken rule",
    ["Rule", ...backends.map((name) => ({ name: text(name) }))],
    broken.map((rule) => [rule_link(rule), ...backends.map((backend, place) => cell(rule, backend, place))]),
  );
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
    // Where none failed, the table of what was judged says all of this.
    results.summary.some((one) => one.failed) &&
      table("By implementation", ["Implementation", number, numeric("Failures"), "Verdicts"], totals),
    backends.length > 1 && groups.length > 0 && broken_rules_table(),
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

/** What all runs have in common stands once, the rest in the table of inputs. */
function runs_section() {
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
  const known = Object.assign({}, ...runs.map((run) => run.implementations ?? {}));
  const who = (name) => (known[name] ? [code(name), ", ", text(known[name])] : code(name));
  const seeds = distinct(report.inputs.filter((input) => input.seed !== undefined).map(seed_of));
  const columns = [
    "File",
    "Holds",
    "Command",
    "Started (UTC)",
    numeric("Seconds"),
    ...differing.map(([, name]) => name),
  ];
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
      [named.length === 1 ? "Implementation" : "Implementations", named.map((name, i) => [i ? "; " : "", who(name)])],
      ...facts.filter(is_common).map(([key, name]) => [name, runs[0][key] && text(runs[0][key])]),
      [seeds.length === 1 ? "Seed" : "Seeds", seeds.length && seeds.join(", ")],
      ["Report made by", text(report.program)],
    ]),
    report.inputs.length > 0 &&
      lazy(`${counted(report.inputs.length, "file")}, with the commands that made them`, () =>
        table("What the report was made from", columns, rows),
      ),
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
    certificate.incomplete.length > 0 && [
      p("Not enough was tried:"),
      ul(certificate.incomplete.map((one) => li(text(one)))),
    ],
    definitions([
      ["Program", text(program.version)],
      ["Its SHA-256", code(program.sha256)],
      ["SHA-256 of its sources", code(program.sources_sha256)],
      ["Corpus", text(corpus.version)],
      ["SHA-256 of its manifest", code(corpus.sha256)],
      ["SHA-256 of the data of this page", certificate.sha256 ? code(certificate.sha256) : "unknown"],
      ["Seed", seed_of(certificate)],
      ["Cases", `${count(figures.cases.total)}, ${count(figures.cases.failed)} failed`],
      ["Generated cases", `${count(figures.campaign.cases)}, ${counted(figures.campaign.findings, "finding")}`],
      ["Rules shown", share(figures.rules)],
      ["Support cells tried", share(figures.cells)],
      ...Object.entries(figures.combinations).map(([name, one]) => [
        name.replace("combinations/", "Combinations "),
        share(one),
      ]),
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
