// How much the figures are worth: coverage of documents and code, planted bugs, mutants, the support grid; and speed.

const share_cells = ({ reached, reachable }) => [
  count(reached),
  count(reachable),
  percent(reached, reachable),
  share_bar(reached, reachable),
];
const share_columns = [...numerics("Reached", "Reachable", "Share"), bars];

const bins = (names) => stepwise(el("ul", { class: "bins" }), names, (name) => li(code(name)), 100);

function coverage_section() {
  const { total, groups, combinations } = report.coverage;
  const incomplete = groups.filter((group) => group.missing.length).sort((a, b) => b.missing.length - a.missing.length);
  const lost = groups.filter((group) => group.impossible.length);
  // Groups are named topic/operator/what; what is of no one operator is of all of them.
  const by_operator = group_by(groups, (group) => group.group.split("/")[1] ?? "all");
  const operator_parts = [...by_operator].map(([operator, list]) => {
    const all = {
      reached: sum(list.map((group) => group.reached)),
      reachable: sum(list.map((group) => group.reachable)),
    };
    return lazy(
      `${operator}: ${count(all.reached)} of ${count(all.reachable)}, ${percent(all.reached, all.reachable)}`,
      () =>
        table(
          `Groups of ${operator}`,
          ["Group", ...share_columns, ...numerics("Impossible")],
          list.map((group) => [code(group.group), ...share_cells(group), count(group.impossible.length)]),
        ),
    );
  });
  const forbidden = (group) =>
    [...group_by(group.impossible, (one) => one.rule)].map(([rule, list]) => [
      p("Forbidden by ", rule_link(rule), ":"),
      bins(list.map((one) => one.bin)),
    ]);
  const never = sum(lost.map((group) => group.impossible.length));
  return [
    p(
      `${count(total.reached)} of ${counted(total.reachable, "bin")} that can be reached: ${percent(total.reached, total.reachable)}. `,
      "A bin is something that a case can be; a group, bins of one kind.",
    ),
    h3("Missing"),
    incomplete.length === 0
      ? p(mark("good", "Nothing: every bin that can be reached has been."))
      : stepwise(
          div(),
          incomplete.map((group, i) => [group, i]),
          ([group, i]) =>
            lazy(
              [code(group.group), `: ${count(group.missing.length)} of ${count(group.reachable)} missing`],
              () => bins(group.missing),
              { open: i < 3 && group.missing.length <= 10 },
            ),
          20,
          8,
        ),
    h3("By operator"),
    operator_parts,
    combinations.length > 0 && [
      h3("Combinations of factors"),
      table(
        "Combinations",
        ["Combinations", ...share_columns, ...numerics("Impossible")],
        combinations.map((one) => [
          code(one.combinations),
          ...share_cells(one),
          count(sum(Object.values(one.impossible))),
        ]),
      ),
      combinations.map((one) => {
        const rules = Object.entries(one.impossible);
        const missing = one.reachable - one.reached;
        const parts = () => [
          one.missing.length > 0 && [p("The first that are missing:"), bins(one.missing)],
          rules.length > 0 && [
            p("Impossible, by the rule that forbids them:"),
            ul(rules.map(([rule, number]) => li(rule_link(rule), `: ${count(number)}`))),
          ],
        ];
        return lazy([code(one.combinations), `: ${count(missing)} missing`], parts);
      }),
    ],
    never > 0 && [
      h3("Impossible"),
      lazy(
        `${counted(never, "bin")} that no case can reach, each with the rule that forbids it`,
        () =>
          lost.map((group) =>
            lazy([code(group.group), `: ${count(group.impossible.length)}`], () => forbidden(group), {
              "data-print": "closed",
            }),
          ),
        { "data-print": "closed" },
      ),
    ],
  ];
}

function selftest_section() {
  const stages = distinct(suspects.flatMap((suspect) => Object.keys(suspect.caught)));
  const stage_names = { documents: "Documents", suite: "Suite", fuzz: "Generated" };
  const columns = [
    { name: "Name", class: "wide", sort: true },
    { name: "Operators", sort: true },
    { name: "Result", sort: true },
    ...stages.flatMap((stage) => [
      numeric(`${stage_names[stage] ?? stage}: after`, { sort: true }),
      numeric("by", { sort: true }),
    ]),
  ];
  const cells = (suspect, words) => [
    { show: [code(suspect.name), text(suspect.says, { class: "source" })], sort: suspect.name },
    suspect.operators.map((name) => name.replace(/^(DML|ONNX)_/, "")).join(", "),
    suspect.as_it_should ? { show: mark("good", words[1]), sort: 1 } : { show: mark("bad", words[0]), sort: 0 },
    ...stages.flatMap((stage) => {
      const caught = suspect.caught[stage];
      if (!caught?.cases) return [Infinity, -1].map((sort) => ({ show: "–", sort }));
      const first = caught.ids?.[0];
      const after = caught.after === null ? "not" : count(caught.after);
      const link = case_by_id.has(first) && el("a", { href: case_link({ id: first }), title: first }, after);
      return [
        { show: link || after, sort: caught.after ?? Infinity },
        { show: `${count(caught.by)} of ${count(caught.cases)}`, sort: caught.by },
      ];
    }),
  ];
  const caught_table = (list, title, words) => table(title, columns, list.map((suspect) => cells(suspect, words)));
  const part = (list, title, words, says) => {
    const wrong = list.filter((suspect) => !suspect.as_it_should);
    const right = list.filter((suspect) => suspect.as_it_should);
    return (
      list.length > 0 && [
        h3(title),
        p(says),
        wrong.length > 0 && caught_table(wrong, `${title}: ${words[0]}`, words),
        right.length > 0 &&
          lazy(`${count(right.length)} ${words[1]}`, () => caught_table(right, `${title}: what catches each`, words)),
      ]
    );
  };
  return [
    p(
      "The suite turned on itself: implementations that are wrong on purpose, and what notices. “After” is how many " +
        "cases it takes, with a link to the one that shows it; “by” is how many catch it, of those run.",
    ),
    part(
      suspects.filter((suspect) => suspect.is_bug),
      "Bugs",
      ["survived", "caught"],
      "A bug that nothing catches is a hole in the suite.",
    ),
    part(
      suspects.filter((suspect) => !suspect.is_bug),
      "Permitted freedoms",
      ["accused", "not accused"],
      "These use what the documents leave open. To accuse one is as wrong as to miss a bug.",
    ),
  ];
}

const of_state = (counts, name) => counts[name] ?? 0;
const judged_mutants = (counts) => of_state(counts, "killed") + of_state(counts, "survived");

function mutation_total() {
  const modules = Object.values(report.mutation.modules);
  return { killed: sum(modules.map((counts) => of_state(counts, "killed"))), judged: sum(modules.map(judged_mutants)) };
}

function mutation_section() {
  const modules = Object.entries(report.mutation.modules);
  const states = distinct(modules.flatMap(([, counts]) => Object.keys(counts)));
  const all = Object.fromEntries(
    states.map((state) => [state, sum(modules.map(([, counts]) => of_state(counts, state)))]),
  );
  const cells = ([module, counts]) => {
    const judged = judged_mutants(counts);
    const killed = of_state(counts, "killed");
    return [
      module,
      ...states.map((state) => count(of_state(counts, state))),
      percent(killed, judged),
      share_bar(killed, judged),
    ];
  };
  return [
    p(
      "The sources changed in small ways, one at a time. The score is the share of mutants that the suite kills, of " +
        "those killed or survived.",
    ),
    table(
      "Mutants by module",
      ["Module", ...numerics(...states.map(capitalised), "Score"), bars],
      [...modules, ["All", all]].map(cells),
    ),
  ];
}

function code_section() {
  const { modules, gaps } = report.code;
  const kinds = ["lines", "branches", "regions"];
  const columns = (first) => [first, ...kinds.flatMap((kind) => [numeric(capitalised(kind)), bars])];
  const cells = (one) =>
    kinds.flatMap((kind) => {
      const { reached, reachable } = one[kind];
      return [
        el("span", { title: `${count(reached)} of ${count(reachable)}` }, percent(reached, reachable)),
        share_bar(reached, reachable),
      ];
    });
  return [
    table("Modules", columns("Module"), modules.map((one) => [one.module, ...cells(one)])),
    modules.map((one) =>
      lazy(
        `${one.module}: ${counted(one.files.length, "file")}`,
        () =>
          table(
            `Files of ${one.module}`,
            columns("File"),
            one.files.map((file) => [code(file.file), ...cells(file)]),
          ),
        { "data-print": "closed" },
      ),
    ),
    h3("Gaps"),
    gaps.length === 0
      ? p(mark("good", "None in the modules that must have none."))
      : table(
          "What nothing reached, and why",
          ["Place", { name: "What", class: "wide" }, { name: "Reason", class: "wide" }],
          gaps.map((gap) => [code(`${gap.file}:${gap.line}`), text(gap.what), text(gap.reason)]),
        ),
  ];
}

function speed_section() {
  const { cells } = report.speed;
  const names = distinct(cells.flatMap((cell) => Object.keys(cell.contenders)));
  const slowest = Math.max(...cells.map((cell) => cell.over_limit));
  const ratio = (number) =>
    number === null || number === undefined ? { show: "–", sort: -1 } : { show: `${decimal(number)} ×`, sort: number };
  return [
    p(
      "“Over the limit” is time as a multiple of a plain copy of as many bytes: the shorter the better. A contender's " +
        "column is its time as a multiple of this implementation's; under 1.15 either way is a tie.",
    ),
    lazy(
      counted(cells.length, "cell"),
      () =>
        table(
          "Speed",
          [
            { name: "Cell", sort: true },
            numeric("Over the limit", { sort: true }),
            bars,
            ...names.map((name) => numeric(name, { sort: true })),
          ],
          cells.map((cell) => [
            { show: code(cell.cell), sort: cell.cell },
            ratio(cell.over_limit),
            bar(cell.over_limit / slowest),
            ...names.map((name) => ratio(cell.contenders[name])),
          ]),
        ),
      { open: cells.length <= 10 },
    ),
  ];
}
