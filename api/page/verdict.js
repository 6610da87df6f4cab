// The verdict on a claim: each line with its rule, its article and its tiles; and what to look at where nothing can be decided.

import { audit } from "./audit.js";
import { smallTile, smallTiles } from "./board.js";
import { el, sign } from "./dom.js";
import { places, tilesIn } from "./hand.js";
import { maybe, named, points, t } from "./i18n.js";
import { problemCard } from "./problem.js";
import { state } from "./store.js";
import { BACK, nameOf } from "./tiles.js";

/** @typedef {import("./types.d.ts").VerifyAnswer} VerifyAnswer */
/** @typedef {import("./types.d.ts").VerdictLine} Line */

const KINDS = /** @type {Record<string, string>} */ ({ valid: "good", cannot_be_decided: "open", under_claimed: "open" });
const GOOD_LINES = new Set(["counts"]);

/** What went wrong, as a sentence; the button that asked is the one to ask again. @param {import("./types.d.ts").Problem} problem */
export const trouble = (problem) => problemCard({ ...problem, retry: false });

/** The tokens of the hand that bear these names, each once. @param {string[]} codes */
function tokensOf(codes) {
  const left = places(state.hand).filter(([place]) => place !== "aside").flatMap(([, tokens]) => tokens);
  return codes.flatMap((code) => {
    const at = left.findIndex((one) => one.code === code);
    return at < 0 ? [] : left.splice(at, 1);
  });
}

/** Light these tiles up in the hand and in the photo. @param {Set<number>} ids */
function light(ids) {
  for (const drawn of document.querySelectorAll("#board [data-token], #overlay [data-token]")) {
    drawn.classList.toggle("lit", ids.has(Number(drawn.getAttribute("data-token"))));
  }
}

/** @param {Line} line */
function lineOf(line) {
  const { rule } = line;
  const good = GOOD_LINES.has(line.code);
  const tiles = tokensOf(line.tiles);
  const facts = line.code === "unknown" && line.because ? [line.because] : [];
  return el("li", { "data-line": line.code, "data-fan": line.fan, class: good ? "good" : "bad" },
    el("p", { class: "says" }, sign(good ? "check" : line.code === "unknown" ? "question" : "warn"), named(line.says)),
    tiles.length > 0 && el("button", { type: "button", class: "row light-up", "aria-pressed": "false", "aria-label": `${t("verdict.show")}: ${tiles.map((one) => nameOf(one.code)).join(t("comma"))}`, onclick: (/** @type {Event} */ event) => {
      const button = /** @type {HTMLElement} */ (event.currentTarget);
      const on = button.getAttribute("aria-pressed") !== "true";
      for (const other of document.querySelectorAll("#verdict .light-up")) other.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", String(on));
      light(new Set(on ? tiles.map((one) => one.id) : []));
    } }, smallTiles(tiles.map((one) => one.code), "because")),
    ...facts.map((fact) => el("button", { type: "button", class: "chip", onclick: () => ask(fact) }, t("answer.tell"))),
    // A citation stays in the language of what it cites.
    el("small", { class: "source", lang: "en" }, [rule.article, rule.says, rule.edition].filter(Boolean).join(" · ")),
  );
}

/** Go to where a circumstance is told. @param {string} fact */
function ask(fact) {
  const row = /** @type {HTMLElement | null} */ (document.querySelector(`#context [data-ask="${CSS.escape(fact)}"]`) ?? document.querySelector("#context .rare"));
  row?.scrollIntoView({ block: "center" });
  /** @type {HTMLElement | null} */ (row?.querySelector("button, summary"))?.focus({ preventScroll: true });
}

/** A doubt of the photo that could change the verdict: a tap shows the tile. @param {VerifyAnswer["look_at"][number]} look */
function lookAt(look) {
  const tokens = places(state.hand).flatMap(([, every]) => every).filter((one) => one.seen !== null && look.tiles.includes(one.seen));
  const shown = look.tiles.slice(0, 6).map((at) => smallTile(state.reading?.tiles[at]?.tile ?? BACK));
  const outcomes = look.candidates.slice(0, 4).map(({ value, probability, verdict }) => {
    const what = /^[0-9][mpszfax]$/.test(value) ? nameOf(value) : tilesIn(value).length ? value : maybe(`role.${value}`, value.replaceAll("_", " "));
    return t("look.if", { what, percent: Math.max(1, Math.round(probability * 100)), verdict: verdict ? t(`claim.${verdict}`) : "?" });
  });
  return el("li", { "data-look": look.tiles.join() },
    el("button", { type: "button", class: "row", onclick: () => {
      light(new Set(tokens.map((one) => one.id)));
      if (tokens.length) document.dispatchEvent(new CustomEvent("open-tile", { detail: tokens[0].id }));
    } }, el("span", { class: "run" }, ...shown), el("span", {}, maybe(`doubt.${look.code}`, t("look.several")))),
    ...outcomes.map((text) => el("small", {}, text)));
}

/** @param {VerifyAnswer} answer */
function missing(answer) {
  const swaps = (answer.distance?.swaps ?? []).slice(0, 6);
  return swaps.length > 0 && el("ul", { class: "swaps" }, ...swaps.map(({ missing: wanted, spare }) =>
    el("li", {}, spare && smallTile(spare), spare && wanted && "→", wanted && smallTile(wanted))));
}

/** @param {VerifyAnswer} answer */
function parts(answer) {
  const { stands, rules, verdict } = answer;
  const look = answer.look_at.filter((one) => one.matters);
  const told = ["valid", "over_claimed", "under_claimed", "below_minimum"].includes(verdict);
  return [
    el("div", { class: `total ${KINDS[verdict] ?? "bad"}`, "data-verdict": verdict },
      el("p", { class: "figure" }, named(answer.says)),
      told && el("p", { class: "note" }, t("verdict.stands", { total: points(rules, stands.total) })),
      answer.minimum > 0 && verdict === "below_minimum" && el("p", { class: "note" }, t("verdict.below", { minimum: points(rules, answer.minimum), has: points(rules, stands.toward_minimum) }))),
    look.length > 0 && el("section", { class: "look", "aria-label": t("look.title") }, el("h3", {}, t("look.title")), el("ul", {}, ...look.map(lookAt)),
      el("p", { class: "note" }, t("look.settle"))),
    missing(answer),
    answer.lines.length > 0 && el("ul", { class: "verdict-lines" }, ...answer.lines.map(lineOf)),
  ].filter((one) => one instanceof Node);
}

/** The verdict that was told to screen readers. @type {VerifyAnswer | null} */
let said = null;

/** Draw the verdict again. @param {HTMLElement} holder */
export function draw(holder) {
  const { verdict, problem, busy } = audit;
  light(new Set());
  if (verdict && verdict !== said) document.getElementById("said")?.replaceChildren(named(verdict.says));
  said = verdict;
  holder.setAttribute("aria-busy", String(busy));
  if (busy) holder.replaceChildren(el("p", { class: "note" }, t("claim.judging")));
  else if (problem) holder.replaceChildren(trouble(problem));
  else if (verdict) holder.replaceChildren(...parts(verdict));
  else holder.replaceChildren();
}
