// How elements are made. Data gets into the page through text nodes and attributes alone, never as markup.

const number_format = new Intl.NumberFormat("en");
const count = (number) => number_format.format(number);
const counted = (number, one, many = one + "s") => `${count(number)} ${number === 1 ? one : many}`;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const distinct = (list) => [...new Set(list)];
const compare_texts = (a, b) => String(a).localeCompare(String(b), "en", { numeric: true });
const capitalised = (word) => word[0].toUpperCase() + word.slice(1);
const percent = (part, whole) => (whole ? `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %` : "–");
const decimal = (number, digits = 2) =>
  number.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  append_to(element, children);
  return element;
}

/** Lists of lists of nodes and texts, less what a condition left out. */
function append_to(element, children) {
  element.append(...[children].flat(Infinity).filter((child) => (child ?? false) !== false));
}

const tags = ["p", "ul", "li", "h3", "h4", "strong", "div"].map(
  (name) =>
    (...children) =>
      el(name, {}, ...children),
);
const [p, ul, li, h3, h4, strong, div] = tags;
const term = (...children) => el("p", { class: "term" }, ...children);

// Controls, what turns the direction of text or has no width, and halves of surrogate pairs: shown by their numbers.
// Line feeds and tabs do in text what they are for.
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

function with_controls(value) {
  const nodes = [];
  let end = 0;
  for (const match of value.matchAll(unseen)) {
    nodes.push(value.slice(end, match.index));
    const number = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    nodes.push(el("span", { class: "control", title: "a character that cannot be seen" }, `U+${number}`));
    end = match.index + match[0].length;
  }
  return [...nodes, value.slice(end)];
}

/** Any text of the data, in an element of its own; what is longer than `most` shows its beginning and a button. */
function text(value, { tag = "span", most = 1500, ...attributes } = {}) {
  const whole = String(value);
  const element = el(tag, { ...attributes, class: `text ${attributes.class ?? ""}`.trim() });
  if (whole.length <= most + 200) {
    element.append(...with_controls(whole));
    return element;
  }
  const show_all = () => {
    element.replaceChildren(...with_controls(whole));
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };
  const says = `… show all ${count(whole.length)} characters`;
  const button = el("button", { type: "button", class: "small", click: show_all }, says);
  element.append(...with_controls(whole.slice(0, most)), button);
  return element;
}

const code = (value, options) => text(value, { tag: "code", ...options });

/** JSON with what fits a line on one line: descriptors stay short. Numbers as the file has them. */
function compact_json(value, room = 88, indent = "", number = undefined) {
  if (value === null || typeof value !== "object") return number ?? JSON.stringify(value);
  const is_list = Array.isArray(value);
  const entries = Object.entries(value);
  const [open, close] = is_list ? "[]" : "{}";
  const write = (inner, width) =>
    entries.map(([key, item]) => {
      const name = is_list ? "" : `${JSON.stringify(key)}: `;
      return name + compact_json(item, width, inner, number_as_written(value, key));
    });
  const is_flat = is_list && value.every((item) => item === null || typeof item !== "object");
  const flat = open + write("", Infinity).join(", ") + close;
  if (is_flat || indent.length + flat.length <= room) return flat;
  const inner = indent + "  ";
  const lines = write(inner, room).map((line) => inner + line);
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function copy_button(value, what) {
  const copied = async (event) => {
    const button = event.currentTarget;
    const say = (words) => {
      button.textContent = words;
      setTimeout(() => (button.textContent = "Copy"), 2000);
    };
    try {
      await navigator.clipboard.writeText(value);
      say("Copied");
    } catch {
      // Pages opened from a file may not use the clipboard: select it, so that the reader can.
      getSelection().selectAllChildren(button.previousElementSibling);
      say("Selected");
    }
  };
  return el("button", { type: "button", class: "small", "aria-label": `Copy ${what}`, click: copied }, "Copy");
}

const command_line = (value, what = "the command") =>
  el("div", { class: "command" }, code(value), copy_button(value, what));

const fillers = new WeakMap();

/** Makes the contents of a <details> that `lazy` made, if that has not been done. */
function fill_now(details) {
  fillers.get(details)?.();
  fillers.delete(details);
}

/** A <details> whose contents are made when it is opened first: pages of thousands of failures must open at once. */
function lazy(summary, make, attributes = {}) {
  const details = el("details", attributes, el("summary", {}, summary));
  fillers.set(details, () => append_to(details, make()));
  details.addEventListener("toggle", () => details.open && fill_now(details));
  if (details.open) fill_now(details);
  return details;
}

/** A <details> whose contents are there from the start: for what links lead to. */
const folded = (summary, ...contents) => el("details", {}, el("summary", {}, summary), contents);

/** Fills `container` with what `make` makes of the first items, and a button below it for as many more. */
function stepwise(container, items, make, step = 20, first = step) {
  let shown = 0;
  const more = el("button", { type: "button", class: "more", click: () => show(true) });
  const left_out = el("p", { class: "print-only" });
  const show = (is_asked) => {
    const made = items.slice(shown, shown + (is_asked ? step : first)).map(make);
    shown += made.length;
    container.append(...made);
    const left = items.length - shown;
    more.textContent = `Show ${count(Math.min(step, left))} more of ${count(left)}`;
    left_out.textContent = `${count(left)} more are not shown here.`;
    if (is_asked) made[0].querySelector("a, button, summary")?.focus();
    if (left === 0) [more, left_out].forEach((element) => element.remove());
  };
  show(false);
  return items.length > first ? [container, more, left_out] : container;
}

// Columns of tables: a name alone is one of text.
const numeric = (name, more) => ({ name, number: true, ...more });
const numerics = (...names) => names.map((name) => numeric(name));
const bars = { name: "", class: "bars" };

/**
 * A table. Columns are names or {name, number, class, sort}; a cell is text, a node, or {show, sort}. The first cell
 * heads its row. A click on the head of a column with `sort` sorts by it.
 */
function table(caption, named_columns, rows) {
  const columns = named_columns.map((column) => (typeof column === "string" ? { name: column } : column));
  const body = el("tbody");
  const make_row = (cells) =>
    el(
      "tr",
      {},
      cells.map((cell, i) => {
        const shown = cell?.show ?? cell;
        const attributes = { class: columns[i].number ? "number" : columns[i].class };
        return i === 0 ? el("th", { scope: "row", ...attributes }, shown) : el("td", attributes, shown);
      }),
    );
  const made = rows.map((cells) => ({ cells, row: make_row(cells) }));
  body.append(...made.map(({ row }) => row));
  const sort_by = (head, i) => {
    const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    const key = ({ cells }) => cells[i]?.sort ?? cells[i];
    const compare = (a, b) => (typeof a === "number" ? a - b : compare_texts(a, b));
    made.sort((a, b) => sign * compare(key(a), key(b)));
    body.append(...made.map(({ row }) => row));
  };
  const heads = columns.map((column, i) => {
    if (!column.name) return el("td");
    const head = el("th", { scope: "col", class: column.number ? "number" : column.class });
    head.append(
      column.sort
        ? el("button", { type: "button", class: "sort", click: () => sort_by(head, i) }, column.name)
        : column.name,
    );
    return head;
  });
  const element = el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body);
  return scrolled(element, caption);
}

/** Wide tables scroll by themselves, also from the keyboard. */
const scrolled = (element, name) =>
  el("div", { class: "scroll", role: "group", tabindex: 0, "aria-label": name }, element);

/** A bar beside its number, for eyes alone: the number says the same. */
function bar(share, name = "") {
  const element = el("span", { class: `bar ${name}`, "aria-hidden": "true" }, el("span"));
  element.firstChild.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return element;
}

const share_bar = (part, whole) => bar(whole ? part / whole : 0, part < whole ? "part" : "");

/** Terms without a value are left out. */
const definitions = (pairs) =>
  el(
    "dl",
    { class: "facts" },
    pairs
      .filter(([, value]) => value && value.length !== 0)
      .map(([term, value]) => div(el("dt", {}, term), el("dd", {}, value))),
  );

/** A word with its sign, so that colour is never all that tells. */
const signs = { good: "✓", bad: "✗", other: "○", none: "–" };
const mark = (kind, words) =>
  el("span", { class: `mark ${kind}` }, el("span", { "aria-hidden": "true" }, signs[kind] + "\u00a0"), words);

function select_of(name, options, change, attributes = {}) {
  const select = el(
    "select",
    { change: () => change(select.value), ...attributes },
    options.map(([value, words]) => el("option", { value }, words)),
  );
  return [el("label", {}, el("span", {}, name), select), select];
}
