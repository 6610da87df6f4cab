// The answer: total, minimum, limit, what counts and why, what does not and why, who pays, other readings.

import { ruleset } from "./api.js";
import { smallTiles } from "./board.js";
import { el, need, patiently, sign } from "./dom.js";
import { handOf, tilesIn } from "./hand.js";
import { alsoNamed, language, maybe, named, plain, points, t } from "./i18n.js";
import { payments } from "./payments.js";
import { problemCard } from "./problem.js";
import { edit, state } from "./store.js";
import { nameOf } from "./tiles.js";
import { WORDS } from "./words.js";

/** @typedef {import("./types.d.ts").ScoreAnswer} ScoreAnswer */

/** The table of the rule set that the answer is of, once it is there. @type {import("./types.d.ts").Ruleset | null} */
let table = null;

/** Have the names of the fans at hand: what does not count, and why, is told by them. */
async function loadTable() {
  const { rules } = state;
  try {
    const found = await ruleset(rules);
    if (rules !== state.rules || table === found) return;
    table = found;
    draw();
  } catch {
    // Without the table, what is dropped is shown by its id.
  }
}

/** @param {string} id */
function fanOf(id) {
  return table?.id === state.rules ? table.fans.find((fan) => fan.id === id) : undefined;
}

/** @param {string} id */
function fanName(id) {
  const found = fanOf(id);
  return found ? named(found.name) : maybe(`principle.${id}`, id.replaceAll("_", " "));
}

/** The figure that stands largest. @param {ScoreAnswer} answer */
export function figure(answer) {
  const { range } = answer;
  if (!answer.is_win) return t("verdict.none");
  if (range && range.low !== range.high) return points(answer.rules, `${range.low} – ${range.high}`);
  return points(answer.rules, answer.total);
}

/** @param {ScoreAnswer} answer */
export function verdict(answer) {
  const minimum = points(answer.rules, answer.minimum);
  if (!answer.is_win) return { kind: "bad", text: t("verdict.not_win") };
  if (answer.range?.legal_depends) return { kind: "open", text: t("verdict.depends", { minimum }) };
  if (answer.legal) return { kind: "good", text: answer.minimum > 0 ? t("verdict.legal", { minimum }) : t("verdict.wins") };
  if (answer.toward_minimum < answer.minimum) {
    return { kind: "bad", text: t("verdict.below", { minimum, has: points(answer.rules, answer.toward_minimum) }) };
  }
  return { kind: "bad", text: t("verdict.barred") };
}

/** Draw the answer again. */
export const draw = patiently(need("answer"), drawNow);

function drawNow() {
  const { answer, problem, busy } = state;
  const holder = need("answer");
  holder.setAttribute("aria-busy", String(busy !== null));
  // Where nothing could be read, nothing is asked about it either.
  document.body.dataset.empty = problem && !state.hand.standing.length ? "yes" : "no";
  const bar = need("bar");
  bar.hidden = !answer && !problem;
  if (problem) {
    holder.replaceChildren(problemCard(problem));
    need("bar-figure").textContent = maybe(`problem.${problem.code}.title`, problem.title);
    need("bar-note").textContent = "";
    return;
  }
  if (!answer) {
    holder.replaceChildren(el("p", { class: "note" }, busy ? t("scoring") : t("answer.empty")));
    return;
  }
  if (table?.id !== answer.rules) loadTable();
  const { kind, text } = verdict(answer);
  need("bar-figure").textContent = figure(answer);
  need("bar-note").textContent = text;
  bar.dataset.kind = kind;
  holder.replaceChildren(...parts(answer, kind, text));
}

/** @param {ScoreAnswer} answer @param {string} kind @param {string} text */
function parts(answer, kind, text) {
  /** @type {HTMLElement[]} */
  const drawn = [
    el(
      "div",
      { class: `total ${kind}` },
      el("p", { class: "figure" }, figure(answer)),
      el("p", { class: "verdict" }, sign(kind === "good" ? "check" : kind === "open" ? "question" : "warn"), text),
      limitNote(answer),
    ),
  ];
  if (answer.range) drawn.push(rangeNote(answer.range));
  const problems = answer.problems.filter((one) => one.code !== "no_settlement");
  if (problems.length) {
    drawn.push(el("ul", { class: "problems" }, ...problems.map((one) => el("li", { lang: WORDS[`doubt.${one.code}`] ? null : "en" }, maybe(`doubt.${one.code}`, one.detail)))));
  }
  if (answer.sets.length) {
    drawn.push(el("div", { class: "sets", "aria-label": t("answer.sets") }, ...answer.sets.map((set) => smallTiles(tilesIn(set)))));
  }
  if (answer.fans.length) {
    drawn.push(el("h3", {}, t("answer.fans")), el("ul", { class: "fans" }, ...answer.fans.map((fan) => fanLine(answer, fan))), ...abbreviations(answer));
  }
  if (answer.dropped.length) drawn.push(dropped(answer));
  if (answer.ties.length) drawn.push(ties(answer));
  const pays = payments(answer);
  if (pays) drawn.push(pays);
  const others = otherReadings();
  if (others) drawn.push(others);
  return drawn;
}

/** @param {ScoreAnswer} answer */
function limitNote(answer) {
  const flowers = answer.toward_minimum !== answer.uncapped && answer.rules === "mcr";
  const capped = answer.uncapped > answer.total && answer.is_win && answer.legal;
  if (capped) return el("p", { class: "note" }, t("answer.limit", { total: points(answer.rules, answer.total), uncapped: points(answer.rules, answer.uncapped) }));
  if (flowers) return el("p", { class: "note" }, t("answer.flowers", { toward: points(answer.rules, answer.toward_minimum) }));
  return null;
}

/** @param {NonNullable<ScoreAnswer["range"]>} range */
function rangeNote(range) {
  const facts = range.decides.map((fact) => maybe(`ask.${fact}`, maybe(`flag.${fact}`, fact)));
  return el(
    "div",
    { class: "range" },
    el("p", {}, sign("question"), t("answer.range", { facts: facts.join(t("comma")) })),
    el("button", { type: "button", class: "chip", onclick: () => {
      const first = /** @type {HTMLElement | null} */ (document.querySelector(".ask.decides"));
      first?.scrollIntoView({ behavior: "smooth", block: "center" });
      /** @type {HTMLElement | null} */ (first?.querySelector("button"))?.focus({ preventScroll: true });
    } }, t("answer.tell")),
  );
}

/** @param {ScoreAnswer} answer @param {ScoreAnswer["fans"][number]} fan */
function fanLine(answer, fan) {
  const found = fanOf(fan.id);
  const sum = fan.points * fan.times;
  /** @type {(Node | string)[]} */
  const source = found?.number ? [t("fan.number", { n: found.number })] : [];
  // A citation stays in the language of what it cites.
  if (found?.source) source.push(source.length ? " · " : "", t("fan.source", { source: "" }), el("span", { lang: "en" }, found.source));
  return el(
    "li",
    { "data-fan": fan.id },
    el("div", { class: "fan" },
      el("span", { class: "name" }, named(fan.name), el("small", { lang: language() === "en" ? "zh" : "en" }, alsoNamed(fan.name))),
      fan.times > 1 && el("span", { class: "times" }, `${fan.points} × ${fan.times}`),
      el("b", { class: "points" }, String(sum)),
    ),
    fan.tiles.length ? smallTiles(fan.tiles.flatMap((tile) => tilesIn(tile)), "because") : el("small", { class: "note" }, maybe(`why.${fan.id}`, "")),
    source.length > 0 && el("small", { class: "source" }, ...source),
  );
}

/** What the abbreviated sources of these fans stand for, each as the table names it: "A book (abbreviation)".
 * @param {ScoreAnswer} answer */
function abbreviations(answer) {
  const cited = answer.fans.map((fan) => fanOf(fan.id)?.source ?? "").join(", ").split(/[,:]\s*/);
  const meant = (fanOf(answer.fans[0].id) && table ? table.sources : []).filter((source) => cited.includes(source.match(/\((\w+)\)$/)?.[1] ?? " "));
  return meant.length ? [el("p", { class: "source", lang: "en" }, meant.join("; "))] : [];
}

/** @param {ScoreAnswer} answer */
function dropped(answer) {
  return el(
    "details",
    { class: "dropped" },
    el("summary", {}, t("answer.dropped"), el("b", {}, String(answer.dropped.length))),
    el("ul", {}, ...answer.dropped.map((one) => el(
      "li",
      { "data-fan": one.id },
      el("s", {}, fanName(one.id) + (one.times > 1 ? ` × ${one.times}` : "")),
      el("span", {}, t("answer.because", { fan: fanName(one.because) })),
      one.rule && el("small", { class: "source", lang: WORDS[`rule.${one.rule}`] ? null : "en" }, maybe(`rule.${one.rule}`, one.rule)),
    ))),
  );
}

/** @param {ScoreAnswer} answer */
function ties(answer) {
  return el(
    "details",
    { class: "ties" },
    el("summary", {}, t("answer.ties"), el("b", {}, String(answer.ties.length))),
    ...answer.ties.map((tie) => el("div", { class: "tie" },
      el("div", { class: "sets" }, ...tie.sets.map((set) => smallTiles(tilesIn(set)))),
      el("p", { class: "note" }, tie.fans.map((fan) => `${named(fan.name)} ${fan.points * fan.times}`).join(" · ")))),
  );
}

// ------------------------------------------------------------------------------------------ other readings

/** Hands that the photo may show instead, each with its score. */
function otherReadings() {
  const reading = state.reading;
  const offered = [
    ...(reading?.readings ?? []).map((one) => ({ ...one, suggested: false })),
    ...(reading?.suggestions ?? []).map((one) => ({ ...one, suggested: true })),
  ].filter((one) => typeof one.hand === "string" && one.hand !== reading?.hand);
  const lines = offered.map((one) => {
    const note = [
      one.suggested ? t("other.suggested") : "",
      one.probability === undefined ? "" : one.probability < 0.01 ? "< 1 %" : `${Math.round(one.probability * 100)} %`,
      ...(one.changes ?? []).map((change) => changeText(change)),
    ];
    return other(one.hand, note.filter(Boolean).join(" · "), one.score ? brief(one.score) : "", () => reading && edit(handOf(reading, one.hand, one.changes)));
  });
  if (!offered.length) {
    for (const { hand, from, to, answer } of state.whatIfs) {
      const same = state.answer && answer.is_win === state.answer.is_win && answer.total === state.answer.total;
      const worth = answer.is_win ? figure(answer) : t("verdict.none");
      lines.push(other(hand, t("other.if", { was: nameOf(from.code), to: nameOf(to) }) + (same ? ` · ${t("other.same")}` : ""), worth,
        () => document.dispatchEvent(new CustomEvent("take-other", { detail: { id: from.id, to } })), true));
    }
  }
  if (!lines.length) return null;
  return el("section", { class: "others" }, el("h3", {}, t("other.title")), el("p", { class: "note" }, t("other.note")), el("ul", {}, ...lines));
}

/** @param {import("./types.d.ts").Brief} score */
export function brief(score) {
  if (!score.is_win) return t("verdict.none");
  const { range } = score;
  return points(state.rules, range && range.low !== range.high ? `${range.low} – ${range.high}` : score.total);
}

/** @param {import("./types.d.ts").Change} change */
function changeText({ tile, seen, instead }) {
  const isTile = /^[0-9][mpszfax]$/.test(instead);
  if (isTile) return t("other.if", { was: nameOf(seen), to: nameOf(instead) });
  const name = state.reading?.tiles[tile]?.tile;
  return name ? `${nameOf(name)}: ${maybe(`role.${instead}`, instead)}` : "";
}

/** @param {string} hand @param {string} note @param {string} worth @param {() => void} take @param {boolean} [brief] */
function other(hand, note, worth, take, brief = false) {
  return el("li", {}, el(
    "button",
    { type: "button", class: "row", onclick: take },
    !brief && smallTiles(tilesIn(hand.replace(/[[\]()+|]/g, " "))),
    el("span", { class: "note" }, note),
    el("b", {}, worth),
  ));
}

/** A fan as text, for pictures. @param {import("./types.d.ts").Fan} fan */
export const fanText = (fan) => (language() === "en" ? fan.name.en : plain(fan.name.zh));
