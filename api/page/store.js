// The page's state, and the few ways in which it changes. Views draw themselves again on `state`.

import { emptyHand, notation } from "./hand.js";
import { say } from "./dom.js";

/** @typedef {import("./types.d.ts").State} State */

const KEPT = "mahjong-reader.settings";

/** @typedef {Record<string, Record<string, any>>} Options house rules of each rule set */

/** @returns {{rules: string, options: Options, profiles: Record<string, Options>, unit: number, round: string | null}} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    const { rules = "hk", options = {}, profiles = {}, unit = 1, round = null } = found;
    return { rules, options, profiles, unit, round };
  } catch {
    return { rules: "hk", options: {}, profiles: {}, unit: 1, round: null };
  }
}

const settings = kept();

/** @type {State} */
export const state = {
  photo: null,
  sent: null,
  reading: null,
  seen: null,
  hand: emptyHand(),
  past: [],
  future: [],
  locked: false,
  rules: settings.rules,
  options: settings.options,
  profiles: settings.profiles,
  lent: null,
  context: { win: null, seat: null, round: settings.round, flags: [] },
  table: { discarder: null, unit: settings.unit },
  answer: null,
  problem: null,
  busy: null,
  focus: null,
  whatIfs: [],
};

/** Views draw themselves again. @param {string} [what] */
export function changed(what = "state") {
  say(what);
}

/** Rule set, house rules, round and stake are remembered; seat and win are of one hand only. */
export function remember() {
  const { rules, options, profiles, table, context } = state;
  localStorage.setItem(KEPT, JSON.stringify({ rules, options, profiles, unit: table.unit, round: context.round }));
}

/** House rules that were kept under a name. @param {string} rules @returns {Options} */
export const profilesOf = (rules) => state.profiles[rules] ?? {};

/** @param {Record<string, any> | undefined} options */
const spelt = (options) => JSON.stringify(Object.entries(options ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The name of the house rules in use: one that was kept, or one that came with a link. @returns {string | null} */
export function profileNow() {
  const now = spelt(state.options[state.rules]);
  if (now === "[]") return null;
  const kept = Object.entries(profilesOf(state.rules)).find(([, options]) => spelt(options) === now);
  if (kept) return kept[0];
  return state.lent && spelt(state.lent.options) === now ? state.lent.name : null;
}

/** Whether nothing may be changed, because a referee has locked the hand; says so where that is the case. */
export function refused() {
  if (state.locked) say("locked");
  return state.locked;
}

/** A change of the hand by the player, that can be taken back. @param {import("./types.d.ts").PageHand} hand */
export function edit(hand) {
  if (refused()) return;
  state.past.push(state.hand);
  state.future = [];
  state.hand = hand;
  state.whatIfs = [];
  say("hand");
}

export function undo() {
  if (refused()) return;
  const before = state.past.pop();
  if (!before) return;
  state.future.push(state.hand);
  state.hand = before;
  say("hand");
}

export function redo() {
  if (refused()) return;
  const after = state.future.pop();
  if (!after) return;
  state.past.push(state.hand);
  state.hand = after;
  say("hand");
}

/** Start over with another hand. @param {Partial<State>} given */
export function restart(given) {
  Object.assign(state, {
    photo: null,
    sent: null,
    reading: null,
    seen: null,
    hand: emptyHand(),
    past: [],
    future: [],
    answer: null,
    problem: null,
    busy: null,
    focus: null,
    whatIfs: [],
    context: { ...state.context, win: null, flags: [] },
    table: { ...state.table, discarder: null },
    ...given,
  });
  say("restart");
}

/** What is told about the win, as the service takes it. Also what is asked with a photo. */
export function told() {
  const { win, seat, round, flags } = state.context;
  /** @type {Record<string, unknown>} */
  const context = {};
  if (win) context.win = win;
  if (seat) context.seat = seat;
  if (round) context.round = round;
  for (const flag of flags) context[flag] = true;
  /** @type {Record<string, unknown>} */
  const request = { rules: state.rules, context, options: state.options[state.rules] ?? {} };
  if (seat && win) {
    const { discarder, unit } = state.table;
    const from = win === "self_draw" || discarder === seat ? null : discarder;
    if (win === "self_draw" || from) request.table = { winner: seat, discarder: from, dealer: "1z", unit };
  }
  return request;
}

/** The request that scores the hand as it now is. */
export function asked(hand = notation(state.hand)) {
  return { ...told(), hand };
}
