// What is entered into a match: the hand that was audited, anything else, and an entry put right.

import { audit } from "./audit.js";
import { smallTiles } from "./board.js";
import { el, say } from "./dom.js";
import { parse } from "./hand.js";
import { points, t } from "./i18n.js";
import { besides, draftOf, entryForm, joined, kindsOf, said } from "./ledger_fields.js";
import { lacking } from "./evidence.js";
import { state } from "./store.js";
import { WINDS } from "./tiles.js";

/** @typedef {import("./types.d.ts").MatchAnswer} MatchAnswer */
/** @typedef {import("./types.d.ts").LedgerEntry} LedgerEntry */
/** @typedef {import("./types.d.ts").Entry} Entry */
/** @typedef {import("./types.d.ts").EntryForm} EntryForm */

const WON = ["valid", "over_claimed", "under_claimed"];
const FALSE = ["not_winning", "below_minimum", "wrong_number_of_tiles"];
/** What the ledger knows by itself: how the tile came, seat and round. */
const KNOWN = ["win", "seat", "round"];

/** @param {Entry} entry @param {boolean} [audited] */
const enter = (entry, audited = false) => say("enter", { entry, audited });

/** @param {string} id @param {MatchAnswer} match @param {import("./types.d.ts").Draft} draft @returns {EntryForm} */
const formFor = (id, match, draft) => ({ id, match, draft, again: () => {} });

// ------------------------------------------------------------------------------------------------ the audited hand

/** What of the claim stands, as the ledger takes it. @param {MatchAnswer} match @param {number} winner @returns {import("./types.d.ts").Claim} */
function claimOf(match, winner) {
  const { lock, verdict, total } = audit;
  if (!lock || !verdict) throw new Error("there is no verdict on a locked hand");
  const { context } = lock.request;
  const flags = Object.fromEntries(Object.entries(context).filter(([name]) => !KNOWN.includes(name)));
  const hand = { winner, hand: lock.hand, context: flags };
  // Where what was announced is paid by rules of its own, the ledger is told it.
  if (match.offers.announced && total !== null) return { ...hand, total };
  // A hand is entered as itself where it is worth what stands, else the total that stands: nobody is paid what was not claimed.
  if (state.answer?.total === verdict.stands.total && !state.answer.range) return hand;
  return { winner, total: verdict.stands.total };
}

/** The form for the audited hand, which is kept as long as the hand and the table are those that it was made for. @type {{form: EntryForm, lock: unknown, at: string} | null} */
let kept = null;

/** @param {MatchAnswer} match @param {string} kind @param {string} at @returns {EntryForm} */
function auditedForm(match, kind, at) {
  const { lock } = audit;
  const place = `${match.id} ${at} ${kind}`;
  if (kept && kept.lock === lock && kept.at === place) return Object.assign(kept.form, { match });
  const { win, seat } = lock?.request.context ?? {};
  const { players } = match.table;
  const sits = (/** @type {string | null | undefined} */ wind) => String(players.find((one) => one.seat === wind)?.player ?? "");
  const from = win === "self_draw" ? "" : sits(state.table.discarder);
  const player = sits(seat) || "0";
  const form = formFor("enter-hand", match, { kind, from, player, "winner-0": player, robbed: win === "rob_kong" ? "yes" : "" });
  form.audited = (winner) => claimOf(form.match, winner);
  kept = { form, lock, at: place };
  return form;
}

/** The form for the audited hand. @param {MatchAnswer} match @param {LedgerEntry[]} entries @returns {Node[]} */
export function audited(match, entries) {
  const { lock, verdict } = audit;
  const title = el("h3", {}, t("ledger.audited"));
  const note = (/** @type {string} */ key, /** @type {Record<string, string>} */ given = {}) => [title, el("p", { class: "note" }, t(key, given))];
  if (!lock || !verdict) return note("ledger.needs_verdict");
  const made = lock.entered?.match === match.id ? entries.find((one) => one.sequence === lock.entered?.sequence) : null;
  // One hand is entered once; where its entry was undone, it may be entered again.
  if (made && made.standing !== "undone") return note("ledger.is_entered", { n: String(made.sequence) });
  if (match.match.rules !== lock.request.rules) return note("ledger.other_rules", { rules: t(`rules.${match.match.rules}`) });
  const won = WON.includes(verdict.verdict);
  if (!won && !FALSE.includes(verdict.verdict)) return note("ledger.undecided");
  const form = auditedForm(match, won ? "win" : "false_win", `${match.table.hands} ${entries.length}`);
  form.last = match.offers.of_several ? lastWin(entries) : null;
  form.sat = String(((form.last?.dealer ?? 0) + Math.max(0, WINDS.indexOf(lock.request.context.seat ?? ""))) % 4);
  const parts = parse(lock.hand);
  const codes = [...parts.melds.flatMap((meld) => meld.tiles), ...parts.standing, ...(parts.winning ? [parts.winning] : [])];
  return [title, smallTiles(codes),
    el("p", { class: "note" }, won ? t("verdict.stands", { total: points(verdict.rules, verdict.stands.total) }) : t("ledger.is_false")),
    entryForm(form, {
      button: t(won ? "ledger.enter_win" : "ledger.enter_false"),
      enter: (entry) => {
        if (!won) return enter({ ...entry, reason: t("ledger.is_false") }, true);
        const before = joined(form);
        // Seat and round were those of that hand, and the ledger knows them: it is told what was judged, and compares.
        if (before) return enter({ kind: "correction", of: form.last?.sequence, reason: t("ledger.another_winner"), entry: { ...before, claims: [...before.claims ?? [], ...(entry.claims ?? []).map(asTold)] } }, true);
        const wrong = !asJudged(match, Number(form.draft["winner-0"]), entry.discarder ?? null);
        document.getElementById("entry-said")?.replaceChildren(wrong ? t("ledger.not_as_judged") : "");
        if (!wrong) enter(entry, true);
      },
    }),
    el("p", { id: "entry-said", role: "alert" })];
}

/** The last hand, where it was won on a tile that one or two more may have won on. @param {LedgerEntry[]} entries */
function lastWin(entries) {
  const hand = entries.findLast(({ standing, counts_as: instead, entry }) => standing !== "undone" && ["win", "draw", "redeal"].includes((instead ?? entry).kind));
  const { kind, discarder, claims = [] } = hand?.counts_as ?? hand?.entry ?? { kind: "" };
  return hand && kind === "win" && typeof discarder === "number" && claims.length < 3 ? hand : null;
}

/** A claim with all that was judged: how the tile came, seat and round too. @param {import("./types.d.ts").Claim} claim @returns {import("./types.d.ts").Claim} */
const asTold = (claim) => ({ ...claim, context: audit.lock?.request.context });

/** Whether the verdict was on a hand won like this: in this seat and round, and drawn or not. @param {MatchAnswer} match @param {number} winner @param {number | null} from */
function asJudged(match, winner, from) {
  const { win, seat, round } = audit.lock?.request.context ?? {};
  const there = match.table.players.find((one) => one.player === winner)?.seat;
  return (!seat || seat === there) && (!round || round === match.table.round) && (!win || (win === "self_draw") === (from === null));
}

// ------------------------------------------------------------------------------------------------ anything else

/** What is being entered beside the audited hand, and whether its form is open. */
const other = { match: "", draft: /** @type {import("./types.d.ts").Draft} */ ({}), open: false };

/** What was entered is not to stand there for another player. */
export function forgetOther() {
  Object.assign(other, { draft: {}, open: false });
}

/** Entries that need no audited hand. @param {MatchAnswer} match */
export function others(match) {
  if (other.match !== match.id) Object.assign(other, { match: match.id, draft: {}, open: false });
  const form = formFor("other", match, other.draft);
  const kinds = kindsOf(match);
  if (!kinds.includes(form.draft.kind)) form.draft.kind = kinds[0];
  const made = entryForm(form, { kinds, button: t("ledger.enter"), enter });
  const details = el("details", { class: "rare", id: "other-entry", open: other.open, ontoggle: (/** @type {Event} */ event) => {
    other.open = /** @type {HTMLDetailsElement} */ (event.target).open;
  } }, el("summary", {}, t("ledger.other")), made);
  return el("div", { class: "others-entries" },
    el("div", { class: "choices" },
      // Where kongs decide who deals next, they are asked for.
      !match.offers.draw_kongs && el("button", { type: "button", class: "chip", id: "enter-draw", onclick: () => enter({ kind: "draw" }) }, t("entry.draw")),
      el("button", { type: "button", class: "chip", id: "enter-close", onclick: () => enter({ kind: "close" }) }, t("ledger.close"))),
    details);
}

// ------------------------------------------------------------------------------------------------ corrections

/** @type {{of: number, match: string, draft: import("./types.d.ts").Draft} | null} */
let mending = null;

/** The form that puts an entry right, filled with what counts now. @param {MatchAnswer} match @param {LedgerEntry} one @param {() => void} leave */
export function correction(match, one, leave) {
  const of = one.sequence;
  if (mending?.of !== of || mending.match !== match.id) mending = { of, match: match.id, draft: draftOf(one.counts_as ?? one.entry) };
  const form = formFor("fix", match, mending.draft);
  const kinds = kindsOf(match);
  return el("div", { class: "mending", role: "group", "aria-label": t("ledger.correct", { n: of }) },
    el("h3", {}, t("ledger.correcting", { n: of })),
    entryForm(form, {
      kinds: kinds.includes(form.draft.kind) ? kinds : [form.draft.kind, ...kinds],
      after: () => [besides(form, "why", t("ledger.why_corrected"))],
      button: t("ledger.correct", { n: of }),
      enter: (entry) => {
        if (!said(form, "why")) return lacking("fix-why");
        enter({ kind: "correction", of, entry, reason: said(form, "why") });
      },
    }),
    el("button", { type: "button", class: "quiet", id: "fix-leave", onclick: () => {
      forgetMending();
      leave();
    } }, t("ledger.leave_it")));
}

/** What was typed into a correction is gone. */
export function forgetMending() {
  mending = null;
}
