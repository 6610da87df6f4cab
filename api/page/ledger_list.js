// The entries of a match as they were made, the last first: what each was, what it moved and why, what became of it.

import { el } from "./dom.js";
import { clock } from "./evidence.js";
import { language, points, t } from "./i18n.js";
import { nameOf } from "./tiles.js";

/** @typedef {import("./types.d.ts").MatchAnswer} MatchAnswer */
/** @typedef {import("./types.d.ts").LedgerEntry} LedgerEntry */
/** @typedef {import("./types.d.ts").Entry} Entry */
/** @typedef {LedgerEntry["moves"][number]} Move */

/** What happened, in words. @param {MatchAnswer} match @param {Entry} entry @param {LedgerEntry["scores"]} [scores] what the claims were worth @returns {string} */
export function told(match, entry, scores = []) {
  const name = (/** @type {number} */ player) => match.match.players[player] ?? String(player);
  const listed = (/** @type {string[]} */ parts) => parts.filter(Boolean).join(" · ");
  if (entry.kind === "win") {
    const claims = entry.claims ?? [];
    const winners = claims.map((claim) => {
      const total = scores.find((one) => one.winner === claim.winner)?.total ?? claim.total;
      if (total === undefined) return name(claim.winner);
      const other = claim.hand && claim.total !== undefined && claim.total !== total;
      const worth = points(match.match.rules, total);
      return t("entry.with_worth", { name: name(claim.winner), worth: other ? t("entry.announced", { worth, total: claim.total ?? "" }) : worth });
    }).join(t("comma"));
    const won = typeof entry.discarder === "number" ? t(entry.robbed ? "entry.win_robbed" : "entry.win_from", { winners, from: name(entry.discarder) }) : t("entry.win_drawn", { winners });
    return listed([won, ...claims.map((claim) => (claim.liable === undefined ? "" : t("entry.liable", { name: name(claim.liable) })))]);
  }
  const what = t(`entry.${entry.kind}`, { n: entry.of ?? "" });
  if (entry.kind === "correction" && entry.entry) return t("entry.corrected", { what, entry: told(match, entry.entry) });
  const items = (entry.items ?? []).map((id) => t(`instant.${id}`)).join(t("comma"));
  const kongs = entry.kongs?.length ? t("entry.kongs", { names: entry.kongs.map(name).join(t("comma")) }) : "";
  return listed([what, typeof entry.player === "number" ? name(entry.player) : "", items, kongs]);
}

/** Why somebody pays. In Chinese it is made from what was entered, not from the service's sentence. @param {MatchAnswer} match @param {LedgerEntry} one @param {Move} move @param {number} at */
function reason(match, one, move, at) {
  if (language() === "en") return move.why.replace(/\b[1-4]z\b/g, (wind) => nameOf(wind));
  const entry = one.counts_as ?? one.entry;
  if (entry.kind === "false_win") return t(move.to === null ? "paid.penalty" : "paid.false_win");
  if (entry.kind === "instant") {
    // Each thing that takes something is paid by the three others.
    const priced = (entry.items ?? []).filter((id) => match.offers.instants.some((offer) => offer.id === id));
    return t(`instant.${priced[Math.floor(at / 3)]}`);
  }
  if (entry.kind !== "win") return entry.reason ?? "";
  const claim = entry.claims?.find(({ winner }) => winner === move.to);
  if (!move.amount) return t("paid.nothing");
  if (claim?.informer === move.from && one.moves.some((before, place) => place < at && before.from === move.from && before.to === move.to)) return t("paid.informer");
  const payers = new Set(one.moves.filter(({ to }) => to === move.to).map(({ from }) => from));
  if (claim?.liable === move.from && payers.size === 1) return t("paid.liable");
  const { discarder } = entry;
  const part = typeof discarder !== "number" ? "self_draw" : move.from !== discarder ? "beside" : entry.robbed ? "robbed" : "discarder";
  return [t(`paid.${part}`), claim?.liable === undefined ? "" : t("paid.not_liable")].filter(Boolean).join(t("comma"));
}

/** @param {MatchAnswer} match @param {LedgerEntry} one */
function payments(match, one) {
  const name = (/** @type {number} */ player) => match.match.players[player];
  return one.moves.length > 0 && el("details", { class: "rare paid" }, el("summary", {}, t("pay.title"), el("span", { class: "away" }, ` ${one.sequence}`)),
    el("ul", {}, ...one.moves.map((move, at) => el("li", {},
      t(move.to === null ? "pay.penalty" : "pay.line", { from: name(move.from), to: move.to === null ? "" : name(move.to), amount: move.amount }),
      // What a person has written stands with the entry already.
      move.why !== one.entry.reason && el("small", {}, reason(match, one, move, at))))));
}

/**
 * One entry, with what can be done about it.
 * @param {MatchAnswer} match @param {LedgerEntry} one
 * @param {{sequence: number, act: "undo" | "correct"} | null} asking which entry is being undone or corrected
 * @param {{ask: (act: "undo" | "correct") => void, form: () => Node}} given
 */
export function entryLine(match, one, asking, { ask, form }) {
  const name = (/** @type {number} */ player) => match.match.players[player];
  const moved = one.points.map((sum, player) => (sum ? `${name(player)} ${sum > 0 ? "+" : "−"}${Math.abs(sum)}` : "")).filter(Boolean).join(t("comma"));
  const gone = one.standing !== "counts";
  const n = one.sequence;
  const button = (/** @type {"undo" | "correct"} */ act) =>
    el("button", { type: "button", class: "quiet", id: `${act}-${n}`, [`data-${act}`]: n, onclick: () => ask(act) }, t(`ledger.${act}`, { n }));
  // What only speaks of another entry is undone, and not corrected; what was undone stays so until that is undone.
  const correctable = one.standing !== "undone" && !["undo", "correction", "close"].includes(one.entry.kind);
  return el("li", { "data-sequence": n, "data-standing": one.standing, "data-kind": one.entry.kind },
    el("b", {}, String(n)),
    el(gone ? "s" : "span", { class: "told" }, told(match, one.entry, gone ? [] : one.scores)),
    gone && el("small", {}, t(`standing.${one.standing}`, { n: one.by_entry ?? "" })),
    one.counts_as && el("span", { class: "told", "data-instead": "" }, t("entry.instead", { what: told(match, one.counts_as, one.scores) })),
    moved && el("span", { class: "moved" }, moved),
    one.entry.reason && el("small", {}, `“${one.entry.reason}”`),
    el("small", {}, [one.by, clock(one.at)].filter(Boolean).join(" · ")),
    el("div", { class: "acts-on" }, payments(match, one),
      asking?.sequence !== n && correctable && button("correct"),
      asking?.sequence !== n && one.standing === "counts" && button("undo")),
    asking?.sequence === n && form());
}
