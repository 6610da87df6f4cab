// What is entered into a match: the hand that was audited, a draw, a penalty, the end.

import { audit } from "./audit.js";
import { smallTiles } from "./board.js";
import { el, need, say } from "./dom.js";
import { field, lacking, typedIn } from "./evidence.js";
import { parse } from "./hand.js";
import { points, t } from "./i18n.js";
import { state } from "./store.js";

/** @typedef {import("./types.d.ts").MatchAnswer} MatchAnswer */

const WON = ["valid", "over_claimed", "under_claimed"];
const FALSE = ["not_winning", "below_minimum", "wrong_number_of_tiles"];
/** What the ledger knows by itself: how the tile came, seat and round. */
const KNOWN = ["win", "seat", "round"];

/** @param {Record<string, unknown>} entry @param {boolean} [audited] */
const enter = (entry, audited = false) => say("enter", { entry, audited });

/** @param {string} id @param {string} label @param {[string, string][]} choices @param {string} value */
export function choose(id, label, choices, value) {
  return el("label", { class: "field", for: id }, el("span", {}, label),
    el("select", { id }, ...choices.map(([key, text]) => el("option", { value: key, selected: key === value }, text))));
}

/** @param {string} id @returns {number | null} */
const chosen = (id) => {
  const { value } = /** @type {HTMLSelectElement} */ (document.getElementById(id));
  return value === "" ? null : Number(value);
};

/** @param {MatchAnswer} match @returns {[string, string][]} */
const playersOf = (match) => match.table.players.map((one) => [String(one.player), one.name]);

/** What of the claim stands, as the ledger takes it. @param {MatchAnswer} match @param {number} winner */
function claimOf(match, winner) {
  const { lock, verdict, total } = audit;
  if (!lock || !verdict) throw new Error("there is no verdict on a locked hand");
  const { context } = lock.request;
  const flags = Object.fromEntries(Object.entries(context).filter(([name]) => !KNOWN.includes(name)));
  const hand = { winner, hand: lock.hand, context: flags };
  // In Singapore what was announced is paid by rules of its own.
  if (match.match.rules === "singapore" && total !== null) return { ...hand, total };
  // A hand is entered as itself where it is worth what stands, else the total that stands: nobody is paid what was not claimed.
  if (state.answer?.total === verdict.stands.total && !state.answer.range) return hand;
  return { winner, total: verdict.stands.total };
}

/** The form for the audited hand. @param {MatchAnswer} match @param {import("./types.d.ts").LedgerEntry[]} entries @returns {Node[]} */
export function audited(match, entries) {
  const { lock, verdict } = audit;
  const title = el("h3", {}, t("ledger.audited"));
  const note = (/** @type {string} */ key, /** @type {Record<string, string>} */ given = {}) => [title, el("p", { class: "note" }, t(key, given))];
  if (!lock || !verdict) return note("ledger.needs_verdict");
  const made = lock.entered?.match === match.id ? entries.find((one) => one.sequence === lock.entered?.sequence) : null;
  // One hand is entered once; where its entry was undone, it may be entered again.
  if (made?.standing === "counts") return note("ledger.is_entered", { n: String(made.sequence) });
  if (match.match.rules !== lock.request.rules) return note("ledger.other_rules", { rules: t(`rules.${match.match.rules}`) });
  const won = WON.includes(verdict.verdict);
  if (!won && !FALSE.includes(verdict.verdict)) return note("ledger.undecided");
  const { players } = match.table;
  const { win, seat } = lock.request.context;
  const at = (/** @type {string | null | undefined} */ wind) => String(players.find((one) => one.seat === wind)?.player ?? "");
  const names = playersOf(match);
  const discarder = win === "self_draw" ? "" : at(state.table.discarder);
  const parts = parse(lock.hand);
  const codes = [...parts.melds.flatMap((meld) => meld.tiles), ...parts.standing, ...(parts.winning ? [parts.winning] : [])];
  return [title, smallTiles(codes),
    el("p", { class: "note" }, won ? t("verdict.stands", { total: points(verdict.rules, verdict.stands.total) }) : t("ledger.is_false")),
    el("form", { class: "fields", id: "enter-hand", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const winner = chosen("entry-winner");
      const from = chosen("entry-discarder");
      if (winner === null) return lacking("entry-winner");
      if (winner === from) return lacking("entry-discarder");
      if (won && !asJudged(match, winner, from)) return void need("entry-said").replaceChildren(t("ledger.not_as_judged"));
      const tile = from === null ? {} : { discarder: from };
      if (won) return enter({ kind: "win", ...tile, ...(win === "rob_kong" && from !== null ? { robbed: true } : {}), claims: [claimOf(match, winner)] }, true);
      enter({ kind: "false_win", player: winner, ...tile, reason: t("ledger.is_false") }, true);
    } },
    choose("entry-winner", t(won ? "print.winner" : "ledger.who"), names, at(seat) || "0"),
    choose("entry-discarder", t("ask.discarder"), [["", t("win.self_draw")], ...names], discarder),
    el("button", { type: "submit", class: "main" }, t(won ? "ledger.enter_win" : "ledger.enter_false")),
    el("p", { id: "entry-said", role: "alert" }))];
}

/** Whether the verdict was on a hand won like this: in this seat and round, and drawn or not. @param {MatchAnswer} match @param {number} winner @param {number | null} from */
function asJudged(match, winner, from) {
  const { win, seat, round } = audit.lock?.request.context ?? {};
  const there = match.table.players.find((one) => one.player === winner)?.seat;
  return (!seat || seat === there) && (!round || round === match.table.round) && (!win || (win === "self_draw") === (from === null));
}

/** Entries that need no hand. @param {MatchAnswer} match */
export function others(match) {
  const penalty = el("form", { class: "fields", id: "penalty", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const player = chosen("penalty-player");
    const amount = Math.round(Number(typedIn("penalty-amount")));
    if (!(amount >= 1)) return lacking("penalty-amount");
    if (!typedIn("penalty-reason")) return lacking("penalty-reason");
    const to = chosen("penalty-to") === 1 ? [0, 1, 2, 3].filter((one) => one !== player) : [];
    enter({ kind: "penalty", player, amount, to, reason: typedIn("penalty-reason") });
  } },
  choose("penalty-player", t("ledger.who"), playersOf(match), "0"),
  field("penalty-amount", t("ledger.amount"), { type: "number", min: 1, inputmode: "numeric" }),
  choose("penalty-to", t("ledger.to"), [["0", t("ledger.to_nobody")], ["1", t("ledger.to_each")]], "0"),
  field("penalty-reason", t("lock.reason"), { maxlength: 200 }),
  el("button", { type: "submit", class: "chip" }, t("ledger.penalty")));
  return el("div", { class: "others-entries" },
    el("div", { class: "choices" },
      el("button", { type: "button", class: "chip", id: "enter-draw", onclick: () => enter({ kind: "draw" }) }, t("entry.draw")),
      el("button", { type: "button", class: "chip", id: "enter-close", onclick: () => enter({ kind: "close" }) }, t("ledger.close"))),
    el("details", { class: "rare" }, el("summary", {}, t("ledger.penalty")), penalty));
}
