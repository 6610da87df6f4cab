// Who pays whom, and why. In English the service's own reason stands; in Chinese it is made from what was told and from
// the house rules that the answer names, not from the service's sentences.

import { el } from "./dom.js";
import { language, maybe, points, t } from "./i18n.js";
import { state } from "./store.js";
import { nameOf } from "./tiles.js";

/** @typedef {import("./types.d.ts").ScoreAnswer} ScoreAnswer */
/** @typedef {import("./types.d.ts").Settlement["lines"][number]} Line */

/** What every player pays in Chinese Official beside the points of the hand. */
const BASE = 8;

/** Why nobody can say who pays: the first thing that is not told. @param {string} detail */
function missing(detail) {
  if (language() === "en") return detail;
  const { win, seat } = state.context;
  if (!win) return t("pay.needs", { what: t("ask.win") });
  if (!seat) return t("pay.needs", { what: t("ask.seat") });
  if (win !== "self_draw" && !state.table.discarder) return t("pay.needs", { what: t("ask.discarder") });
  return t("pay.cannot");
}

/** The part that the payer plays. @param {Line} line */
function part(line) {
  const { win } = state.context;
  if (win === "self_draw") return "self_draw";
  if (line.from !== state.table.discarder) return "beside";
  return win === "rob_kong" ? "robbed" : "discarder";
}

/** @param {ScoreAnswer} answer @param {Line} line */
function reason(answer, line) {
  if (language() === "en") return line.why.replace(/\b[1-4]z\b/g, (wind) => nameOf(wind));
  if (line.from === state.context.seat) return t(line.to ? "paid.false_win" : "paid.penalty");
  if (!line.amount) return t("paid.nothing");
  const { options, rules, total } = answer;
  const plays = part(line);
  const worth = points(rules, total);
  if (rules === "mcr") return t(plays === "beside" ? "paid.base" : "paid.base_and_hand", { base: BASE, worth, part: t(`paid.${plays}`) });
  const said = [worth, t(`paid.${plays}`)];
  if (rules === "hk") said.push(...[options.ladder, options.sharing].map((one) => maybe(`choice.${one}`, "")));
  if (rules === "singapore" && plays !== "self_draw") said.push(maybe(`choice.${options.shooter}`, ""));
  if (rules === "hk" && options.dealer_doubles && (line.from === "1z" || line.to === "1z")) said.push(t("paid.dealer"));
  return said.filter(Boolean).join(t("comma"));
}

/** @param {ScoreAnswer} answer */
export function payments(answer) {
  const why = answer.problems.find((one) => one.code === "no_settlement");
  if (why) return el("p", { class: "note" }, `${t("pay.none")} ${missing(why.detail)}`);
  const { settlement } = answer;
  if (!settlement) return answer.is_win && state.hand.standing.length ? el("p", { class: "note" }, t("pay.ask")) : null;
  /** @param {number} sum */
  const signed = (sum) => (sum > 0 ? `+${sum}` : sum < 0 ? `−${-sum}` : "0");
  return el(
    "section",
    { class: "payments", "aria-label": t("pay.title") },
    el("h3", {}, t("pay.title")),
    answer.range && el("p", { class: "note" }, t("pay.low")),
    el("div", { class: "seats" }, ...Object.entries(settlement.payments).map(([seat, sum]) => el(
      "div",
      { class: `seat ${sum > 0 ? "gains" : sum < 0 ? "loses" : ""}` },
      el("span", {}, nameOf(seat)),
      el("b", {}, signed(sum)),
    ))),
    el("ul", { class: "lines" }, ...settlement.lines.map((line) => el(
      "li",
      {},
      el("span", {}, t(line.to ? "pay.line" : "pay.penalty", { from: nameOf(line.from), to: line.to ? nameOf(line.to) : "", amount: line.amount })),
      el("small", {}, reason(answer, line)),
    ))),
  );
}
