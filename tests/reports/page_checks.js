// What page_test.py asks of a whole page. Each function gives a list of faults.

/** Marks and names that every page must have, and that no data may break. */
function structure_faults() {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const start_of = (element) => element.textContent.slice(0, 60);

  const ids = all("[id]").map((element) => element.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) faults.push(`the id ${id} stands twice`);

  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) faults.push(`${heading.tagName} "${start_of(heading)}" follows h${level}`);
    level = own;
  }

  for (const element of all("button, a, select, input, summary")) {
    const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
    if (!name.trim()) faults.push(`${element.outerHTML.slice(0, 100)} has no name`);
  }

  for (const table of all("table")) {
    if (!table.caption?.textContent) faults.push(`a table has no caption: ${start_of(table)}`);
    for (const head of table.querySelectorAll("th"))
      if (!head.scope || !head.textContent.trim()) faults.push(`a th without scope or text in: ${start_of(table)}`);
    const width = table.tHead.rows[0].cells.length;
    for (const row of table.tBodies[0].rows)
      if (row.cells.length !== width) faults.push(`${start_of(table)}: ${row.cells.length} cells under ${width} heads`);
  }

  for (const picture of all("svg"))
    if (picture.getAttribute("role") !== "img" || !picture.getAttribute("aria-label")) faults.push("a picture without words");

  for (const tag of ["header", "nav", "main"])
    if (all(`body ${tag}`).length !== 1) faults.push(`there is not one ${tag}`);

  for (const link of all("a[href]")) {
    const href = link.getAttribute("href");
    const target = decodeURIComponent(href.slice(1));
    if (!href.startsWith("#")) faults.push(`${href} leads away`);
    else if (!target.startsWith("cases?") && !document.getElementById(target)) faults.push(`${href} leads nowhere`);
  }

  for (const element of all("img, link, canvas, iframe, script[src]")) faults.push(`${element.tagName} in the page`);
  return faults;
}

/** What shows that a value was not there, or was no text. */
function slips() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (parentElement.closest("script, code, pre")) continue;
    if (/\[object |^(undefined|NaN|null|false|,)$|: (undefined|NaN) /.test(data)) found.push(data.slice(0, 100));
  }
  return found;
}

/** Text whose contrast with its background is below 4.5. Each colour of a kind of element is named once. */
function hard_to_read() {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const colour_of = (text) => {
    if (!known.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      known.set(text, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(text);
  };
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const background_of = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = colour_of(getComputedStyle(one).backgroundColor);
      if (colour[3] > 0) return colour;
    }
    return [255, 255, 255, 255];
  };
  // In a picture a text stands on the rectangle of its group.
  const behind = (element) => {
    const area = element.parentElement.querySelector("rect");
    return area && element.localName === "text" ? colour_of(getComputedStyle(area).fill) : background_of(element);
  };
  const ink_of = (element) => {
    const { color, fill } = getComputedStyle(element);
    return element.namespaceURI.endsWith("svg") ? fill : color;
  };
  const has_text = (element) =>
    element.matches("input, select") || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

  const faults = new Map();
  let looked_at = 0;
  for (const element of document.querySelectorAll("body *")) {
    if (!has_text(element) || !element.getClientRects().length) continue;
    looked_at += 1;
    const { opacity } = getComputedStyle(element);
    const color = ink_of(element);
    const background = behind(element);
    const [dark, light] = [colour_of(color), background].map(luminance).sort((a, b) => a - b);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio >= 4.5 && opacity === "1" && colour_of(color)[3] === 255 && background[3] === 255) continue;
    const name = `${element.tagName}.${element.getAttribute("class")} ${color} on ${background}`;
    faults.set(name, `${name}: ${ratio.toFixed(2)}, "${element.textContent.slice(0, 30)}"`);
  }
  if (looked_at < 30) faults.set("", `only ${looked_at} texts on the page`);
  return [...faults.values()];
}

/** What reaches beyond the right edge of the window, where the page scrolls sideways. */
function too_wide() {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const beyond = [...document.querySelectorAll("body *")].filter(
    (element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".scroll, .skip"),
  );
  const width = `${document.documentElement.scrollWidth} pixels wide`;
  return [width, ...beyond.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))];
}

/** Opens all that is closed, and what is closed in it. */
function open_everything() {
  for (let closed; (closed = document.querySelectorAll("details:not([open])")).length; ) {
    for (const details of closed) {
      details.open = true;
      details.dispatchEvent(new Event("toggle"));
    }
  }
}
