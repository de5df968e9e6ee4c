// The report, and what the sections look up in it.

// Numbers that JavaScript would write otherwise (64-bit integers, -0, 1.0), as the data has them, by their holder.
const written_numbers = new WeakMap();

const number_as_written = (holder, key) => written_numbers.get(holder)?.[key];

const report = JSON.parse(document.getElementById("report-data").textContent, function (key, value, context) {
  if (typeof value === "number" && context?.source !== undefined && context.source !== JSON.stringify(value)) {
    if (!written_numbers.has(this)) written_numbers.set(this, {});
    written_numbers.get(this)[key] = context.source;
  }
  return value;
});

const { operators, rules, errata } = report.spec;
const results = report.results;
const backends = results?.backends ?? [];
const campaigns = report.campaigns ?? [];
const nonconforming = new Set(results?.nonconforming ?? []);

/** good, bad, or neither (expected failures, not supported, vacuous). */
const verdict_kind = (verdict) => (nonconforming.has(verdict) ? "bad" : verdict === "pass" ? "good" : "other");

const groups = results?.groups ?? [];

/** The text that a cell of a row stands for: a place in `texts`, or those of its pieces. */
const spelled = (cell) =>
  [cell]
    .flat()
    .map((place) => results.texts[place])
    .join("");

const cases = (results?.rows ?? []).map((row) => {
  const [
    id,
    says,
    file,
    operator,
    version,
    type,
    index_type,
    rank,
    expect,
    rule_places,
    erratum_places,
    traits,
    outcomes,
  ] = row;
  const verdicts = outcomes.map((cell) => (cell === null ? null : results.verdicts[[cell].flat()[0]]));
  return {
    id: spelled(id),
    says: spelled(says),
    file: spelled(file),
    operator: operators[operator].name,
    version: spelled(version),
    type: spelled(type),
    index_type: spelled(index_type),
    rank,
    expect: spelled(expect),
    rules: rule_places.map((place) => rules[place].name),
    errata: erratum_places.map((place) => errata[place].name),
    traits: results.traits[traits],
    verdicts,
    groups: outcomes.map((cell) => (Array.isArray(cell) ? cell[1] : null)),
    kind: kind_of(verdicts.filter((verdict) => verdict !== null).map(verdict_kind)),
  };
});

/** Of several: bad if one is, good if one is and none is bad. */
function kind_of(kinds) {
  return kinds.includes("bad") ? "bad" : kinds.includes("good") ? "good" : kinds.length ? "other" : "none";
}

function group_by(items, key_of) {
  const groups = new Map();
  for (const item of items) {
    for (const key of [key_of(item)].flat()) {
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(item);
    }
  }
  return groups;
}

const cases_by_rule = group_by(cases, (one) => one.rules);
const cases_by_erratum = group_by(cases, (one) => one.errata);
const case_by_id = new Map(cases.map((one) => [one.id, one]));
const rule_by_name = new Map(rules.map((rule) => [rule.name, rule]));
const found_by_campaigns = campaigns.flatMap((campaign) => campaign.findings);
const accused_rules = new Set([...groups, ...found_by_campaigns].map((one) => one.rule));

/** Feature levels ("2_1") before opsets ("13"), each by their numbers. */
function compare_versions(a, b) {
  const [left, right] = [a, b].map((version) => String(version).split("_").map(Number));
  return right.length - left.length || left[0] - right[0] || (left[1] ?? 0) - (right[1] ?? 0);
}

const is_onnx = (operator) => operator.name.startsWith("ONNX");
const version_word = (operator) => (is_onnx(operator) ? "opset" : "feature level");
const operator_label = (operator) => (operator.alias ? `${operator.name} (${operator.alias})` : operator.name);

const seed_of = (campaign) => number_as_written(campaign, "seed") ?? String(campaign.seed);

// Links within the page

/** Half a surrogate pair fits no address: another character stands for it. */
const in_address = (value) => encodeURIComponent(value.toWellFormed());

/** To the cases that have just this of each field: {field: value} or [[field, sign, value], …]. */
function case_link(conditions) {
  const list = Array.isArray(conditions)
    ? conditions
    : Object.entries(conditions).map(([field, value]) => [field, "=", value]);
  return `#cases?${in_address(list.map((condition) => term_text(...condition)).join(" "))}`;
}

const rule_anchor = (name) => `rule-${name}`;

const rule_link = (name) =>
  rule_by_name.has(name) ? el("a", { href: "#" + in_address(rule_anchor(name)) }, code(name)) : code(name);
