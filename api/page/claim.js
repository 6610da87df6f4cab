// What the winner claims: fans, with those of the rule set offered while they are typed, and a total.

import { audit, forget, judge } from "./audit.js";
import { ruleset } from "./api.js";
import { el, say, sign } from "./dom.js";
import { alsoNamed, language, named, plain, t } from "./i18n.js";
import { state } from "./store.js";

const MOST_OFFERED = 6;
const PARTS = /[,，、;；]/;

/** @typedef {import("./types.d.ts").Ruleset["fans"][number]} Fan */

/** @type {Fan[]} */
let offered = [];
let active = -1;

const input = el("input", {
  type: "text", id: "claim-fans", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "claim-options",
  autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 400, "aria-describedby": "claim-hint",
});
const list = el("ul", { id: "claim-options", role: "listbox", hidden: true });
const total = el("input", { type: "number", id: "claim-total", min: 0, max: 100000, step: 1, inputmode: "numeric" });
const more = el("input", { type: "checkbox", role: "switch", id: "claim-more" });

/** A name as it is compared: small letters, and Chinese in one script. @param {string} text */
const folded = (text) => plain(text.normalize("NFKC")).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

/** The last of the fans, which is still being typed, and where it begins. */
function typed() {
  const parts = input.value.split(PARTS);
  const last = parts[parts.length - 1];
  return { text: folded(last), at: input.value.length - last.trimStart().length };
}

async function offer() {
  const { text } = typed();
  /** @type {Fan[]} */
  let found = [];
  if (text) {
    try {
      const { fans } = await ruleset(state.rules);
      if (text !== typed().text) return;
      const names = (/** @type {Fan} */ fan) => [folded(fan.name.en), folded(fan.name.zh), String(fan.number ?? "")];
      const begins = fans.filter((fan) => names(fan).some((name) => name.startsWith(text)));
      const holds = fans.filter((fan) => !begins.includes(fan) && names(fan).slice(0, 2).some((name) => name.includes(text)));
      found = [...begins, ...holds].slice(0, MOST_OFFERED);
      // What is written out already is not offered once more.
      if (found.length === 1 && names(found[0]).slice(0, 2).includes(text)) found = [];
    } catch {
      // Without the table nothing is offered; what is typed is understood all the same.
    }
  }
  show(found);
}

/** @param {Fan[]} fans */
function show(fans) {
  offered = fans;
  active = -1;
  list.hidden = !fans.length;
  list.setAttribute("aria-label", t("claim.offered"));
  input.setAttribute("aria-expanded", String(fans.length > 0));
  list.replaceChildren(...fans.map((fan, at) =>
    el("li", {
      role: "option", id: `claim-option-${at}`, "aria-selected": "false", "data-fan": fan.id,
      // The keyboard stays where it is.
      onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
      onclick: () => choose(fan),
    }, el("span", {}, named(fan.name)), el("small", { lang: language() === "en" ? "zh" : "en" }, alsoNamed(fan.name)))));
  mark(-1);
}

/** @param {number} at */
function mark(at) {
  active = at;
  for (const [place, option] of [...list.children].entries()) option.setAttribute("aria-selected", String(place === at));
  if (at < 0) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", `claim-option-${at}`);
}

/** @param {Fan} fan */
function choose(fan) {
  input.value = `${input.value.slice(0, typed().at)}${named(fan.name)}, `;
  show([]);
  input.focus();
  tell();
}

/** What is typed becomes the claim; the verdict on the one before is gone. */
function tell() {
  audit.fans = input.value;
  audit.total = total.value === "" ? null : Math.max(0, Math.round(Number(total.value)));
  audit.more = more.checked;
  forget();
}

input.addEventListener("input", () => {
  tell();
  offer();
});
input.addEventListener("blur", () => show([]));
input.addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
    if (active >= 0) choose(offered[active]);
    else {
      show([]);
      judge();
    }
  } else if (event.key === "Escape" && offered.length) {
    event.stopPropagation();
    show([]);
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && offered.length) {
    event.preventDefault();
    mark((active + (event.key === "ArrowDown" ? 1 : -1) + offered.length) % offered.length);
  }
});
total.addEventListener("input", tell);
total.addEventListener("keydown", (event) => event.key === "Enter" && judge());
more.addEventListener("change", tell);

/** The form, once. */
export function form() {
  return el("div", { class: "claim" },
    el("label", { for: "claim-fans", "data-t": "claim.fans" }),
    el("div", { class: "offering" }, input, list),
    el("p", { class: "note", id: "claim-hint", "data-t": "claim.hint" }),
    el("div", { class: "pair" }, el("label", { class: "total-ask", for: "claim-total" }, el("span", { "data-t": "claim.total" }), total),
      el("button", { type: "button", class: "main", id: "judge", onclick: judge }, sign("check"), el("span", { "data-t": "claim.judge" }))),
    el("label", { class: "option", for: "claim-more" }, el("span", { "data-t": "claim.more" }), more),
    el("button", { type: "button", class: "quiet", id: "best", "aria-pressed": "false", onclick: toggleBest }, ""),
  );
}

/** What the hand is worth at best is told only to who asks. */
function toggleBest() {
  if (document.body.dataset.best === "shown") delete document.body.dataset.best;
  else document.body.dataset.best = "shown";
  say("audit");
}

/** What is claimed, as it is known; closed while the hand is locked. */
export function draw() {
  if (input.value !== audit.fans) input.value = audit.fans;
  if ((total.value === "" ? null : Number(total.value)) !== audit.total) total.value = audit.total === null ? "" : String(audit.total);
  for (const one of [input, total, more]) one.disabled = audit.lock !== null;
  const best = document.getElementById("best");
  const shown = document.body.dataset.best === "shown";
  best?.setAttribute("aria-pressed", String(shown));
  best?.replaceChildren(t(shown ? "best.hide" : "best.show"));
  document.getElementById("judge")?.toggleAttribute("disabled", audit.busy);
}
