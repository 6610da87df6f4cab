// The page's state, and the few ways in which it changes. Views draw themselves again on `state`.

import { emptyHand, notation } from "./hand.js";
import { say } from "./dom.js";

/** @typedef {import("./types.d.ts").State} State */

const KEPT = "mahjong-reader.settings";

/** @returns {{rules: string, options: Record<string, Record<string, any>>, unit: number, round: string | null}} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return { rules: found.rules ?? "hk", options: found.options ?? {}, unit: found.unit ?? 1, round: found.round ?? null };
  } catch {
    return { rules: "hk", options: {}, unit: 1, round: null };
  }
}

const settings = kept();

/** @type {State} */
export const state = {
  photo: null,
  reading: null,
  seen: null,
  hand: emptyHand(),
  past: [],
  future: [],
  rules: settings.rules,
  options: settings.options,
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
  const { rules, options, table, context } = state;
  localStorage.setItem(KEPT, JSON.stringify({ rules, options, unit: table.unit, round: context.round }));
}

/** A change of the hand by the player, that can be taken back. @param {import("./types.d.ts").PageHand} hand */
export function edit(hand) {
  state.past.push(state.hand);
  state.future = [];
  state.hand = hand;
  state.whatIfs = [];
  say("hand");
}

export function undo() {
  const before = state.past.pop();
  if (!before) return;
  state.future.push(state.hand);
  state.hand = before;
  say("hand");
}

export function redo() {
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
