// The page: its sections in order, contents, theme, addresses, and what printing needs.

const sections = [
  ["promises", "Promises", report.promises, promises_section],
  ["wrong", "What is wrong", true, wrong_section],
  ["certificate", "Certificate", report.certificate, certificate_section],
  ["sure", "How sure one can be", true, sure_section],
  ["cases", "Cases", results, cases_section],
  ["verdicts", "Verdicts", results, verdicts_section],
  ["campaigns", "Generated cases", campaigns.length, campaigns_section],
  ["support", "Support", operators.length, matrix_section],
  ["grid", "Support grid", report.grids?.length, grid_section],
  ["rules", "Rules", rules.length, rules_section],
  ["errata", "Errata", errata.length, errata_section],
  ["freedom", "Freedom", results?.choices.length || freedom_tallies.length || campaigns.some((one) => one.choices), freedom_section],
  ["coverage", "Coverage of the documents", report.coverage, coverage_section],
  ["selftest", "Planted bugs", report.selftest, selftest_section],
  ["mutation", "Mutation score", report.mutation, mutation_section],
  ["code", "Coverage of the code", report.code, code_section],
  ["speed", "Speed", report.speed, speed_section],
  ["runs", "How this was made", true, runs_section],
].filter(([, , exists]) => exists);

function theme_toggle() {
  const root = document.documentElement;
  const store = (value) => {
    try {
      if (value) localStorage.setItem("opconform-theme", value);
      return localStorage.getItem("opconform-theme");
    } catch {
      return null; // pages opened from a file may have no storage
    }
  };
  const is_dark = () =>
    (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const change = () => {
    root.dataset.theme = is_dark() ? "light" : "dark";
    store(root.dataset.theme);
    name();
  };
  const button = el("button", { type: "button", class: "theme", click: change });
  const name = () => (button.textContent = is_dark() ? "Light theme" : "Dark theme");
  const stored = store();
  if (stored === "light" || stored === "dark") root.dataset.theme = stored;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();
  return button;
}

/** Goes to what the address names, with the focus. */
function follow_anchor() {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    return; // no address that this page makes
  }
  const target = id && document.getElementById(id);
  if (!target) return;
  for (let closed; (closed = target.closest("details:not([open])")); ) closed.open = true;
  target.scrollIntoView();
  (target.matches("section") ? target.querySelector("h2") : target).focus({ preventScroll: true });
}

/** On paper nothing can be opened. What is long and for reference stays closed. */
function open_for_print() {
  const closed = [...document.querySelectorAll("details:not([open])")].filter(
    (details) => !details.matches(".case, [data-print=closed]"),
  );
  for (const details of closed) {
    fill_now(details);
    details.open = true;
  }
  addEventListener("afterprint", () => closed.forEach((details) => (details.open = false)), { once: true });
}

document.getElementById("top").append(el("h1", {}, text(report.title)), theme_toggle());
document.getElementById("contents").append(ul(sections.map(([id, title]) => li(el("a", { href: "#" + id }, title)))));
for (const [id, title, , make] of sections) {
  const head = el("h2", { id: `${id}-title`, tabindex: -1 }, title);
  document.getElementById("main").append(el("section", { id, "aria-labelledby": head.id }, head, make()));
}
addEventListener("beforeprint", open_for_print);
addEventListener("hashchange", follow_anchor);
dispatchEvent(new Event("hashchange"));
// Browsers take the focus away once more when they have loaded a page with an address in it.
addEventListener("load", () => setTimeout(follow_anchor));
