// The match ledger: begin or open a match, see its table, undo. What is entered is in ledger_entry.js, the list in ledger_list.js.

import { audit, problemOf, refereeName, rememberName } from "./audit.js";
import { ApiProblem } from "./api.js";
import { el, keep, say, sign } from "./dom.js";
import { field, lacking, redraw, typedIn } from "./evidence.js";
import { maybe, t } from "./i18n.js";
import * as forms from "./ledger_entry.js";
import { choose } from "./ledger_fields.js";
import { entryLine } from "./ledger_list.js";
import * as api from "./referee_api.js";
import { state } from "./store.js";
import { WINDS, nameOf } from "./tiles.js";
import { trouble } from "./verdict.js";

/** @typedef {import("./types.d.ts").LedgerEntry} LedgerEntry */

const OPEN = "mahjong-reader.match";
const RULES = ["hk", "mcr", "tvb", "singapore"];

export const ledger = {
  /** @type {import("./types.d.ts").BriefMatch[] | null} */
  matches: null,
  /** @type {import("./types.d.ts").MatchAnswer | null} */
  match: null,
  /** The entity tag of the table that is shown. */
  tag: "",
  /** @type {LedgerEntry[]} */
  entries: [],
  /** @type {import("./types.d.ts").Problem | null} */
  problem: null,
  busy: false,
  /** The entry that is being undone or corrected. @type {{sequence: number, act: "undo" | "correct"} | null} */
  asking: null,
};

/** One thing after another; what goes wrong is shown. @param {() => Promise<void>} act */
async function doing(act) {
  if (ledger.busy) return;
  ledger.busy = true;
  ledger.problem = null;
  try {
    await act();
  } catch (error) {
    ledger.problem = problemOf(error);
    // Somebody has entered something since: the table is shown as it is now, and the person decides again.
    if (error instanceof ApiProblem && error.problem.code === "stale_table" && ledger.match) await fetched(ledger.match.id).catch(() => {});
  }
  ledger.busy = false;
  say("ledger");
  // What was refused may have been asked for far below.
  document.querySelector("#ledger .problem")?.scrollIntoView({ block: "nearest" });
}

/** @param {string} id */
async function fetched(id) {
  const { tag, match } = await api.match(id);
  const { entries } = await api.entries(id);
  // Where somebody enters between the two answers, the tag is the older one, and the next entry is refused and shown anew.
  Object.assign(ledger, { tag, match, entries });
  localStorage.setItem(OPEN, id);
}

/** What the service keeps, and the match that was open last. */
export const load = () => doing(async () => {
  ledger.matches = (await api.matches()).matches;
  const last = localStorage.getItem(OPEN);
  if (!last) return;
  try {
    await fetched(last);
  } catch (error) {
    // Of another service, or of a database that is gone.
    if (!(error instanceof ApiProblem) || error.problem.code !== "not_found") throw error;
    localStorage.removeItem(OPEN);
  }
});

/** @param {string} id */
const open = (id) => doing(async () => {
  ledger.asking = null;
  await fetched(id);
});

/** Enter something into the match that is open. @param {import("./types.d.ts").Entry} entry @param {boolean} [audited] it is the hand that was audited */
const enter = (entry, audited = false) => doing(async () => {
  const { match, tag } = ledger;
  if (!match) return;
  const by = typedIn("ledger-by") || refereeName();
  if (by) rememberName(by);
  const { lock } = audit;
  const made = await api.enter(match.id, tag, entry, by);
  if (audited && lock) lock.entered = { match: match.id, sequence: made.entry.sequence };
  if (entry.kind !== "undo" && entry.kind !== "correction" && !audited) forms.forgetOther();
  forms.forgetMending();
  ledger.asking = null;
  await fetched(match.id);
});

/** @param {number} player */
export const playerName = (player) => ledger.match?.match.players[player] ?? String(player);

// ------------------------------------------------------------------------------------------------ no match open

function beginning() {
  return el("form", { class: "fields", id: "begin", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const players = WINDS.map((_, at) => typedIn(`player-${at}`));
    const nameless = players.findIndex((name, at) => !name || players.indexOf(name) !== at);
    if (nameless >= 0) return lacking(`player-${nameless}`);
    const rules = /** @type {HTMLSelectElement} */ (document.getElementById("match-rules")).value;
    const terms = {
      title: typedIn("match-title"), rules, options: state.options[rules] ?? {}, players,
      unit: Number(typedIn("match-unit")) || 1, rounds: Number(typedIn("match-rounds")) || 4,
    };
    doing(async () => {
      const begun = await api.begin(terms, refereeName());
      await fetched(begun.id);
      ledger.matches = null;
    });
  } },
  el("h3", {}, t("ledger.begin")),
  field("match-title", t("ledger.match_title"), {}),
  choose("match-rules", t("ask.rules"), RULES.map((id) => [id, t(`rules.${id}`)]), state.rules),
  ...WINDS.map((seat, at) => field(`player-${at}`, nameOf(seat), { maxlength: 40 })),
  field("match-unit", t("ask.unit"), { type: "number", min: 1, value: state.table.unit, inputmode: "numeric" }),
  field("match-rounds", t("ledger.rounds"), { type: "number", min: 1, max: 16, value: 4, inputmode: "numeric" }),
  el("p", { class: "note" }, t("ledger.rules")),
  el("button", { type: "submit", class: "main" }, t("ledger.begin")));
}

function listing() {
  const found = ledger.matches ?? [];
  return el("div", {},
    found.length > 0 && el("ul", { id: "matches" }, ...found.map((one) => el("li", {},
      el("button", { type: "button", class: "row", onclick: () => open(one.id) },
        el("b", {}, one.title || t("ledger.untitled", { n: one.number })),
        el("span", { class: "note" }, `${t(`rules.${one.rules}`)} · ${one.players.join(t("comma"))}`))))),
    beginning());
}

// ------------------------------------------------------------------------------------------------ a match

function standings() {
  const { match } = ledger;
  if (!match) return null;
  const { table } = match;
  const final = table.over || table.closed;
  const players = table.players.toSorted((a, b) => (a.place ?? 9) - (b.place ?? 9));
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("ledger.table") }, el("table", { id: "standings" },
    el("caption", {}, t(final ? "ledger.final" : "ledger.running")),
    el("thead", {}, el("tr", {}, ...["place", "name", "seat", "points", "wins"].map((name) => el("th", { scope: "col" }, t(`ledger.${name}`))))),
    el("tbody", {}, ...players.map((one) => el("tr", { "data-player": one.player },
      el("td", {}, one.disqualified ? t("ledger.out") : String(one.place ?? "")),
      el("th", { scope: "row" }, one.name, one.dead_hand && el("small", {}, ` ${t("ledger.dead")}`), one.faults > 0 && el("small", {}, ` ${t("ledger.faults", { n: one.faults })}`)),
      el("td", {}, nameOf(one.seat)),
      el("td", { class: "points" }, `${one.points}`, one.place_points !== null && final && el("small", {}, ` ${t("ledger.place_points", { n: one.place_points })}`)),
      el("td", {}, String(one.wins)))))));
}

/** @param {LedgerEntry} one */
function entry(one) {
  const { match, asking } = ledger;
  return match && entryLine(match, one, asking, {
    ask: (act) => {
      ledger.asking = { sequence: one.sequence, act };
      forms.forgetMending();
      say("ledger");
      document.getElementById(act === "undo" ? "undo-reason" : "fix-kind")?.focus();
    },
    form: () => (asking?.act === "undo" ? undoForm(one.sequence) : forms.correction(match, one, () => {
      ledger.asking = null;
      say("ledger");
      document.getElementById(`correct-${one.sequence}`)?.focus();
    })),
  });
}

/** @param {number} of */
function undoForm(of) {
  return el("form", { class: "pair", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const reason = typedIn("undo-reason");
    if (!reason) return lacking("undo-reason");
    enter({ kind: "undo", of, reason });
  } }, field("undo-reason", t("lock.reason"), { maxlength: 200 }), el("button", { type: "submit", class: "chip", id: "undo-entry" }, t("ledger.undo", { n: of })));
}

function opened() {
  const { match, entries } = ledger;
  if (!match) return null;
  const { table, match: terms } = match;
  const facts = [t(`rules.${terms.rules}`), `${t("ask.round")} ${nameOf(table.round)}`, t("ledger.dealer", { name: playerName(table.dealer) }), t("ledger.hands", { n: table.hands })];
  return el("div", { class: "match", "data-match": match.id },
    el("h3", {}, terms.title || t("ledger.title")),
    el("p", { class: "note" }, facts.join(" · ")),
    standings(),
    !table.closed && field("ledger-by", t("ledger.by"), { value: refereeName(), maxlength: 40 }),
    !table.closed && el("div", { id: "audited" }),
    !table.closed && forms.others(match),
    el("h3", {}, t("ledger.entries")),
    entries.length ? el("ol", { class: "entries" }, ...entries.toReversed().map(entry).filter((one) => one !== null)) : el("p", { class: "note" }, t("ledger.empty")),
    el("div", { class: "choices" },
      el("button", { type: "button", class: "chip", id: "csv", onclick: () => doing(async () => keep(await api.csv(match.id), "match.csv")) }, sign("file"), t("ledger.csv")),
      el("button", { type: "button", class: "chip", id: "reload", onclick: () => open(match.id) }, sign("again"), t("ledger.reload")),
      el("button", { type: "button", class: "chip", id: "leave", onclick: () => {
        localStorage.removeItem(OPEN);
        Object.assign(ledger, { match: null, entries: [], tag: "", asking: null });
        load();
      } }, t("ledger.leave"))));
}

/** Draw the ledger again. @param {HTMLElement} holder */
export function draw(holder) {
  const { problem, match, matches } = ledger;
  const off = problem?.code === "ledger_off" || problem?.code === "ledger_unavailable";
  redraw(holder, [
    problem && (off ? el("p", { class: "note", role: "status", "data-code": problem.code }, maybe(`problem.${problem.code}.title`, problem.title)) : trouble(problem)),
    off ? null : match ? opened() : matches ? listing() : !problem && el("p", { class: "note" }, t("loading")),
  ].filter((one) => one instanceof Node));
  drawAudited();
}

/** Draw the form for the hand that was audited again: it follows the audit, not the ledger. */
export function drawAudited() {
  const holder = document.getElementById("audited");
  if (holder && ledger.match) holder.replaceChildren(...forms.audited(ledger.match, ledger.entries));
}
document.addEventListener("enter", (event) => {
  const { entry, audited } = /** @type {CustomEvent} */ (event).detail;
  enter(entry, audited);
});
