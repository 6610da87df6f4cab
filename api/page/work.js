// The hand at work: a photo is read, what is there is scored, and the views draw. Loaded after the page's beginning.

import { ApiProblem, readHand, rememberKey, score } from "./api.js";
import * as answer from "./answer.js";
import * as board from "./board.js";
import * as context from "./context.js";
import { later, need, say } from "./dom.js";
import { handFrom, handOf, isSet, notation, rename } from "./hand.js";
import { t } from "./i18n.js";
import { prepare, warmUp } from "./photo.js";
import { secret, setMode } from "./settings.js";
import * as share from "./share.js";
import "./sheet.js";
import { asked, edit, refused, restart, state, told } from "./store.js";
import * as viewer from "./viewer.js";

const EXAMPLE = "[123m] 456789m 234p 5s +5s | 1f";

/** @type {AbortController | null} */
let reading = null;
/** @type {Blob | null} */
let lastFile = null;
/** @type {AbortController | null} */
let scoring = null;
let pending = 0;

// ------------------------------------------------------------------------------------------------ drawing

/** @param {"start" | "work"} name */
function view(name) {
  document.body.dataset.view = name;
}

function drawAll() {
  viewer.draw();
  viewer.legend();
  board.draw();
  context.draw();
  answer.draw();
}

/** @param {string} text @param {number | null} [share] */
function progress(text, share = null) {
  need("progress").hidden = !text;
  need("progress-text").textContent = text;
  const bar = need("progress-bar");
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
}

// ------------------------------------------------------------------------------------------------ reading

/** A photo to read. @param {Blob} file */
export async function take(file) {
  if (refused()) return;
  lastFile = file;
  reading?.abort();
  scoring?.abort();
  const mine = (reading = new AbortController());
  view("work");
  restart({ busy: "reading" });
  drawAll();
  progress(t("progress.prepare"));
  try {
    const prepared = await prepare(file);
    if (mine.signal.aborted) return;
    if (prepared.bitmap) {
      const { width, height } = prepared.bitmap;
      state.photo = { width, height, bitmap: viewer.hold(prepared.bitmap) };
      viewer.draw();
      viewer.fit(true, false);
    } else say("toast", t("photo.unshown"));
    progress(t("progress.send"), 0);
    const sent = await prepared.blob;
    const found = await readHand(sent, told(), mine.signal, (share) =>
      share < 1 ? progress(t("progress.send"), share) : progress(t("progress.read")),
    );
    const { width, height } = found.reading;
    if (state.photo) Object.assign(state.photo, { width, height });
    state.sent = sent;
    state.reading = found.reading;
    state.hand = handOf(found.reading);
    state.seen = state.hand;
    state.answer = found.score;
    state.busy = null;
    drawAll();
    viewer.fit(false);
    need("said").textContent = `${t("said.read", { n: found.reading.tiles.length })} ${secret() ? "" : answer.figure(found.score)}`;
    // What was scored there and what is shown here must be the same hand.
    if (notation(state.hand) !== notation(handFrom(found.scored_hand))) rescore();
    else askWhatIf();
  } catch (error) {
    if (mine.signal.aborted) return;
    fail(error);
  } finally {
    if (reading === mine) {
      progress("");
      reading = null;
    }
  }
}

/** @param {unknown} error */
function fail(error) {
  state.busy = null;
  state.answer = null;
  state.problem = error instanceof ApiProblem ? error.problem : { code: "page", title: "", detail: String(error), retry: true };
  answer.draw();
  context.draw();
  if (state.problem.code === "unauthorized" || state.problem.code === "forbidden") say("key");
  if (!state.hand.standing.length) need("answer").scrollIntoView({ block: "center" });
}

// ------------------------------------------------------------------------------------------------ scoring

/** Ask for the score of the hand as it is, once the player stops tapping for a moment. */
function rescore() {
  clearTimeout(pending);
  scoring?.abort();
  if (!state.hand.standing.length && !state.hand.melds.length) {
    state.answer = null;
    state.problem = null;
    answer.draw();
    return;
  }
  if (!state.hand.melds.every(isSet)) {
    state.answer = null;
    state.problem = { code: "unfinished_set", title: "", detail: "" };
    answer.draw();
    return;
  }
  pending = window.setTimeout(async () => {
    const mine = (scoring = new AbortController());
    state.busy = "scoring";
    need("answer").setAttribute("aria-busy", "true");
    try {
      state.answer = await score(asked(), mine.signal);
      state.problem = null;
      state.busy = null;
      answer.draw();
      context.draw();
      if (!secret()) need("said").textContent = `${answer.figure(state.answer)}. ${answer.verdict(state.answer).text}`;
      askWhatIf();
    } catch (error) {
      if (!mine.signal.aborted) fail(error);
    }
  }, 60);
}

const MOST_WHAT_IFS = 4;

/** What the doubtful tiles would change: the same hand with each of their likely names. */
async function askWhatIf() {
  state.whatIfs = [];
  const { reading: seen, hand } = state;
  if (!seen || seen.readings?.length) return answer.draw();
  const how = viewer.standingOf();
  const asks = [...hand.standing, ...hand.melds.flatMap((meld) => meld.tokens)]
    .filter((one) => one.seen !== null && how.get(one.seen) === "doubt")
    .flatMap((one) => seen.tiles[one.seen ?? 0].alternatives.map((other) => ({ one, ...other })))
    .filter((ask) => ask.probability >= 0.02)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MOST_WHAT_IFS);
  const stop = scoring?.signal;
  /** @type {typeof state.whatIfs} */
  const found = [];
  for (const { one, tile } of asks) {
    const changed = rename(hand, one.id, tile);
    if (!changed.melds.every(isSet)) continue;
    try {
      found.push({ hand: notation(changed), from: one, to: tile, answer: await score(asked(notation(changed)), stop) });
    } catch {
      return;
    }
    if (hand !== state.hand) return;
  }
  state.whatIfs = found;
  answer.draw();
}

document.addEventListener("hand", () => {
  if (document.body.dataset.view !== "work") view("work");
  viewer.draw();
  viewer.legend();
  board.draw();
  context.draw();
  rescore();
});
document.addEventListener("told", () => {
  context.draw();
  rescore();
});
document.addEventListener("named", context.draw);
document.addEventListener("focus-tile", () => {
  viewer.draw();
  for (const tile of document.querySelectorAll("#board [data-token]")) {
    tile.classList.toggle("looked-at", tile.getAttribute("data-token") === String(state.focus));
  }
});
document.addEventListener("language", drawAll);
document.addEventListener("take-other", (event) => {
  const { id, to } = /** @type {CustomEvent} */ (event).detail;
  edit(rename(state.hand, id, to));
});
document.addEventListener("retry", () => {
  state.problem = null;
  if (!state.reading && lastFile && !state.hand.standing.length) take(lastFile);
  else rescore();
});

// ------------------------------------------------------------------------------------------------ other beginnings

/** A hand without a photo. @param {string} text in notation */
export function byHand(text) {
  if (refused()) return;
  reading?.abort();
  restart({ hand: handFrom(text) });
  view("work");
  drawAll();
  rescore();
}

/** Lay a hand tile by tile. */
export function lay() {
  byHand("");
  say("open-add");
}

/** A hand to look at. */
export function example() {
  Object.assign(state.context, { win: "discard", seat: "2z", round: "1z" });
  byHand(EXAMPLE);
}

need("cancel").addEventListener("click", () => {
  reading?.abort();
  progress("");
  state.busy = null;
  restart({});
  view("start");
});
need("home").addEventListener("click", () => {
  if (refused()) return;
  reading?.abort();
  progress("");
  restart({});
  history.replaceState(null, "", "/");
  view("start");
});
need("bar").addEventListener("click", () => need("answer-card").scrollIntoView({ behavior: "smooth", block: "start" }));

/** The hand that the address holds, where it holds one. */
export function openLink() {
  if (!location.hash || refused() || !share.open(location.hash)) return;
  const { hand, rules, options, lent, context: said, table } = state;
  restart({ hand, rules, options, lent, context: said, table });
  view("work");
  drawAll();
  rescore();
}

share.listen((text) => say("toast", text));

// ------------------------------------------------------------------------------------------------ the page around it

/** The service wants this key: try again with it. @param {string} key */
export function useKey(key) {
  rememberKey(key);
  say("retry");
}

/** The referee's part is loaded when it is opened. @param {boolean} wish */
export async function referee(wish) {
  if (!wish && refused()) wish = true;
  setMode(wish);
  need("referee-mode").checked = wish;
  try {
    if (wish || document.getElementById("audit")) await (await import("./referee.js")).show(wish);
  } catch {
    setMode(false);
    need("referee-mode").checked = false;
    say("toast", t("share.failed"));
  }
}

window.addEventListener("online", () => {
  if (state.problem?.retry) say("retry");
});

later([context.loadRules, warmUp]);
