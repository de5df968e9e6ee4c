// What a search asks of a case: "operator:join rank>=5 negative index".

/** Names of fields, what they hold, and what a case has of it. Of an outcome it is asked once for each implementation. */
const fields = {
  operator: { words: (one) => [one.operator, alias_of.get(one.operator) ?? ""], also: ["op"], says: "its name" },
  version: { versions: (one) => [one.version], also: ["level", "opset"], says: "feature level or opset" },
  type: { words: (one) => [one.type], says: "data type of the values" },
  index_type: { words: (one) => [one.index_type], says: "data type of the indices" },
  rank: { numbers: (one) => [one.rank], says: "of the values" },
  axis: { numbers: (one) => one.traits.axis ?? [], says: "the axis" },
  stride: { numbers: (one) => one.traits.stride ?? [], says: "any stride of a window" },
  index: { numbers: (one) => one.traits.index ?? [], says: "the least or the greatest index" },
  layout: { words: (one) => one.traits.layout ?? ["packed"], says: "packed, strided or broadcast" },
  expect: { words: (one) => [one.expect], says: "result, rejection, error or any of these" },
  rule: { words: (one) => one.rules, says: "that the case is about" },
  erratum: { words: (one) => one.errata, says: "that the case shows" },
  id: { words: (one) => [one.id], says: "of the case" },
  file: { words: (one) => [one.file], says: "that the case stands in" },
  verdict: { outcome: (one, place) => verdict_words(one.verdicts[place]), says: "“fail” is any failure" },
  backend: { outcome: (one, place) => [backends[place]], also: ["implementation"], says: "the implementation" },
  group: { outcome_number: (one, place) => (one.groups[place] ?? NaN) + 1, says: "of failures, by its number" },
};
const alias_of = new Map(operators.map((operator) => [operator.name, operator.alias]));
const field_names = new Map(
  Object.entries(fields).flatMap(([name, { also = [] }]) => [name, ...also].map((word) => [word, name])),
);

const verdict_words = (verdict) => (nonconforming.has(verdict) ? [verdict, "fail", "failure"] : [verdict]);

/** As a term of a query. */
const term_text = (field, sign, value) =>
  `${field}${sign}${/^[^\s"]+$/.test(value) ? value : `"${String(value).replace(/["\\]/g, "\\$&")}"`}`;

/** For comparisons: words apart by one space, with one before each. */
const spaced = (value) =>
  ` ${value}`
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trimEnd();

const quoted = String.raw`"(?:[^"\\]|\\.)*"?`;
const term_pattern = new RegExp(
  String.raw`(-(?=[\p{L}"]))?(?:([a-z_]+)(<=|>=|[:=<>])(${quoted}|\S*)|(${quoted}|\S+))`,
  "gu",
);
const unquoted = (part) =>
  part.startsWith('"')
    ? part
        .slice(1)
        .replace(/(?<!\\)((?:\\\\)*)"$/, "$1")
        .replace(/\\(.)/g, "$1")
    : part;

/** {terms: [{field, sign, value, is_not}], words: [{text, is_not}], faults, hints: [text]}. Nothing has what has faults. */
function parse_query(query) {
  const parsed = { terms: [], words: [], faults: [], hints: [] };
  for (const [whole, minus, name, sign, value, word] of query.matchAll(term_pattern)) {
    const is_not = minus !== undefined;
    const field = field_names.get(name);
    const term = { field, sign, value: unquoted(value ?? ""), is_not };
    const fault = field && fault_of(term);
    if (fault) parsed.faults.push(`${whole}: ${fault}`);
    else if (field) parsed.terms.push(term);
    else parsed.words.push({ text: spaced(word ? unquoted(word) : whole), is_not });
    if (name && !field) parsed.hints.push(`“${name}” is no field`);
  }
  parsed.words = parsed.words.filter(({ text }) => text);
  return parsed;
}

function fault_of({ field, sign, value }) {
  if (!value && sign !== "=") return "says nothing yet";
  const { numbers, outcome_number, versions } = fields[field];
  if (versions) return /^\d+(_\d+)?$/.test(value) ? null : "a version is 2_1 or 13";
  if (numbers || outcome_number) return value.trim() && Number.isFinite(Number(value)) ? null : "this is no number";
  return /[<>]/.test(sign) ? "this has no order" : null;
}

const holds_order = (sign, order) =>
  ({ "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 })[sign] ?? order === 0;

/** ":" asks for the beginning of a word, "=" for the whole. */
const is_word = (sign, wanted, found) =>
  sign === "="
    ? found.toWellFormed().toLowerCase() === wanted.toWellFormed().toLowerCase()
    : spaced(found).includes(spaced(wanted));

function holds(term, one, place) {
  const { sign, value } = term;
  const { words, numbers, versions, outcome, outcome_number } = fields[term.field];
  const number_holds = (number) => holds_order(sign, number - Number(value));
  // A level is neither before nor behind an opset.
  const version_holds = (version) =>
    version.includes("_") === value.includes("_") && holds_order(sign, compare_versions(version, value));
  const found =
    words?.(one).some((word) => is_word(sign, value, word)) ??
    numbers?.(one).some(number_holds) ??
    versions?.(one).some(version_holds) ??
    outcome?.(one, place).some((word) => is_word(sign, value, word)) ??
    number_holds(outcome_number(one, place));
  return found !== term.is_not;
}

const is_of_outcome = ({ field }) => "outcome" in fields[field] || "outcome_number" in fields[field];

/** What free words look at. Each statement of a case is looked at alone: "negative stride" is about one thing. */
const searched = new WeakMap();

function searched_of(one) {
  if (searched.has(one)) return searched.get(one);
  const { stride = [], index = [], layout = ["packed"] } = one.traits;
  const traits = [
    stride.some((number) => number < 0) && "negative stride",
    index.some((number) => number < 0) && "negative index",
    ...layout.map((word) => `${word} layout`),
  ].filter(Boolean);
  const failed = one.verdicts.flatMap((verdict, i) => (nonconforming.has(verdict) ? [verdict, backends[i]] : []));
  const { operator, version, type, index_type, rank, expect } = one;
  const made = {
    statements: [one.id, ...one.says.split("; "), ...traits].map(spaced),
    // Each word of these says something by itself.
    marks: spaced(
      [operator, alias_of.get(operator), version, type, index_type, `rank ${rank}`, expect, ...failed].join(" "),
    ),
    names: [...one.rules, ...one.errata, one.file].map(spaced),
  };
  searched.set(one, made);
  return made;
}

function has_words(one, words) {
  if (!words.length) return true;
  const { statements, marks, names } = searched_of(one);
  const is_said = (text) =>
    marks.includes(text) ||
    names.some((name) => name.startsWith(text)) ||
    statements.some((part) => part.includes(text));
  if (words.some(({ text, is_not }) => is_not && is_said(text))) return false;
  const together = words
    .filter(({ text, is_not }) => !is_not && !marks.includes(text) && !names.some((name) => name.startsWith(text)))
    .map(({ text }) => text);
  return !together.length || statements.some((part) => together.every((text) => part.includes(text)));
}

/** Those that have the words in a row come first: they are about it. */
function find_cases({ terms, words }) {
  const of_case = terms.filter((term) => !is_of_outcome(term));
  const of_outcome = terms.filter(is_of_outcome);
  const has_outcome = (one) =>
    one.verdicts.some((verdict, place) => verdict !== null && of_outcome.every((term) => holds(term, one, place)));
  const found = cases.filter(
    (one) =>
      of_case.every((term) => holds(term, one)) && (!of_outcome.length || has_outcome(one)) && has_words(one, words),
  );
  const phrase = words.flatMap(({ text, is_not }) => (is_not ? [] : [text])).join("");
  if (words.length < 2) return found;
  const is_about = (one) => searched_of(one).statements.some((part) => part.includes(phrase));
  const { true: first = [], false: then = [] } = Object.groupBy(found, is_about);
  return [...first, ...then];
}
