// One audit: what is claimed, what the verdict was, who has locked the hand and why it was unlocked again.

import { ApiProblem } from "./api.js";
import { changes, handFrom, notation } from "./hand.js";
import { say } from "./dom.js";
import { verify } from "./referee_api.js";
import { state, told } from "./store.js";

/** @typedef {import("./types.d.ts").Problem} Problem */
/** @typedef {import("./types.d.ts").Act} Act */
/** @typedef {{hand: string, request: Record<string, any>, table: unknown, names: Record<string, string>, by: string, at: string, entered: {match: string, sequence: number} | null}} Lock */

const NAME = "mahjong-reader.referee-name";
/** As many as the record of a bundle takes. */
const MOST_ACTS = 50;

export const audit = {
  fans: "",
  /** @type {number | null} */
  total: null,
  /** Whether under-counting is told too. */
  more: false,
  /** @type {import("./types.d.ts").VerifyAnswer | null} */
  verdict: null,
  /** What went wrong when the verdict was asked for. @type {Problem | null} */
  problem: null,
  busy: false,
  /** What is frozen while the hand is locked. @type {Lock | null} */
  lock: null,
  /** @type {Act[]} */
  log: [],
  /** The evidence, while nothing has changed since it was made. @type {Blob | null} */
  bundle: null,
};

/** The referee's name, as it was told last. */
export const refereeName = () => localStorage.getItem(NAME) ?? "";
/** @param {string} name */
export const rememberName = (name) => localStorage.setItem(NAME, name);

/** @param {unknown} error @returns {Problem} */
export const problemOf = (error) => (error instanceof ApiProblem ? error.problem : { code: "page", title: "", detail: String(error) });

/** Counts what is asked: an answer to what is no longer asked is dropped. */
let asked = 0;

/** The claim as the service takes it; null where nothing is claimed. */
export function claimed() {
  const fans = audit.fans.trim().replace(/[,，、;；\s]+$/, "");
  if (!fans && audit.total === null) return null;
  return { ...(fans ? { fans } : {}), ...(audit.total === null ? {} : { total: audit.total }) };
}

/** A verdict is of one hand, one context and one claim: where any of them changes, it is gone. */
export function forget() {
  if (audit.lock) return;
  asked += 1;
  audit.busy = false;
  audit.verdict = null;
  audit.problem = null;
  audit.bundle = null;
  say("audit");
}

/** Another hand: nothing of the one before is left. */
export function renew() {
  asked += 1;
  Object.assign(audit, { fans: "", total: null, verdict: null, problem: null, busy: false, lock: null, log: [], bundle: null });
  state.locked = false;
  delete document.body.dataset.best;
  say("audit");
}

/** Tiles of the photo that a person has named otherwise, by their place in the reading. */
function renamed() {
  /** @type {Record<string, string>} */
  const names = {};
  for (const { kind, token } of changes(state.seen, state.hand)) {
    if (kind === "renamed" && token.seen !== null && /^[0-9][mpszfa]$/.test(token.code)) names[token.seen] = token.code;
  }
  return names;
}

/** What goes with a claim: rule set, house rules, circumstances. The stakes are no part of it. */
function circumstances() {
  const { table: _, ...request } = /** @type {Record<string, any>} */ (told());
  return request;
}

/**
 * The photo with what was put right in it, where that says all of the hand: its doubts are then part of the verdict.
 * Null where the hand was laid by a person, who has then settled it.
 */
function asPhoto() {
  const { reading, sent, seen, hand } = state;
  if (!reading || !sent || !seen) return null;
  if (changes(seen, hand).some(({ kind }) => kind !== "renamed" && kind !== "winning")) return null;
  const won = hand.standing.find((one) => one.id === hand.winning);
  const names = renamed();
  return { photo: sent, more: { ...(Object.keys(names).length ? { overrides: { names } } : {}), ...(won ? { winning_tile: won.code } : {}) } };
}

const laid = () => state.hand.standing.length + state.hand.melds.length > 0;
/** @param {string} code @returns {Problem} */
const sentence = (code) => ({ code, title: "", detail: "" });

/** Ask for the verdict on the claim. */
export async function judge() {
  const claim = claimed();
  if (audit.busy) return;
  audit.verdict = null;
  audit.problem = !laid() ? sentence("no_hand") : claim ? null : sentence("no_claim");
  if (audit.problem || !claim) return say("audit");
  audit.busy = true;
  const asking = (asked += 1);
  say("audit");
  const { lock } = audit;
  const hand = lock?.hand ?? notation(state.hand);
  const request = { ...(lock?.request ?? circumstances()), claim, tell_more: audit.more };
  try {
    const seen = lock ? null : asPhoto();
    let answer = seen ? await verify({ ...request, ...seen.more }, seen.photo) : null;
    // What the service makes of the photo and what is laid here must be the same hand.
    if (!answer || notation(handFrom(answer.hand)) !== hand) answer = await verify({ ...request, hand }, null);
    if (asking !== asked) return;
    audit.verdict = answer;
  } catch (error) {
    if (asking !== asked) return;
    audit.problem = problemOf(error);
  }
  audit.busy = false;
  say("audit");
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, "Z");

/** Freeze hand, circumstances and claim: `by` has looked at the tiles. @param {string} by */
export function lock(by) {
  if (audit.busy) return;
  if (!laid()) {
    audit.problem = sentence("no_hand");
    return say("audit");
  }
  const at = now();
  const hand = notation(state.hand);
  rememberName(by);
  audit.lock = { hand, request: circumstances(), table: /** @type {Record<string, any>} */ (told()).table, names: renamed(), by, at, entered: null };
  audit.log.push({ act: "locked", by, at, hand: hand.slice(0, 100) });
  audit.bundle = null;
  state.locked = true;
  say("audit");
  // What was doubtful in the photo is settled now.
  if (claimed()) return judge();
}

/** @param {string} by @param {string} reason */
export function unlock(by, reason) {
  audit.log.push({ act: "unlocked", by, at: now(), reason });
  audit.lock = null;
  state.locked = false;
  forget();
}

/** What goes with the photo into the bundle. @param {Record<string, string>} place @param {boolean} photo whether the photo goes in */
export function evidence(place, photo) {
  const { lock, log, more } = audit;
  if (!lock) throw new Error("nobody has confirmed the hand");
  const claim = claimed();
  return {
    ...lock.request,
    hand: lock.hand,
    ...(lock.table ? { table: lock.table } : {}),
    ...(Object.keys(lock.names).length ? { overrides: { names: lock.names } } : {}),
    ...(claim ? { claim, tell_more: more } : {}),
    confirmed: { by: lock.by, at: lock.at, log: log.slice(-MOST_ACTS) },
    include_photo: photo,
    place: Object.fromEntries(Object.entries(place).filter(([, text]) => text.trim())),
  };
}
