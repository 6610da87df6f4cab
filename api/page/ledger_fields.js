// Fields of entries. What stands in a form is its draft, which outlives every drawing of the page; which fields there are
// follows from the kind of entry and from what the match offers by its rules.

import { smallTiles } from "./board.js";
import { el } from "./dom.js";
import { field, lacking, redraw } from "./evidence.js";
import { tilesIn } from "./hand.js";
import { named, points, t } from "./i18n.js";

/** @typedef {import("./types.d.ts").EntryForm} EntryForm */
/** @typedef {import("./types.d.ts").MatchAnswer} MatchAnswer */
/** @typedef {import("./types.d.ts").Entry} Entry */
/** @typedef {import("./types.d.ts").Claim} Claim */
/** @typedef {import("./types.d.ts").Draft} Draft */
/** @typedef {(Node | null | false)[]} Nodes */

const PLAYERS = [0, 1, 2, 3];

/** A field without which nothing can be entered. */
class Lacking extends Error {
  /** @param {string} name */
  constructor(name) {
    super(name);
    this.field = name;
  }
}

/**
 * @param {string} id @param {string} label @param {[string, string][]} choices @param {string} value
 * @param {(value: string) => void} [changed]
 */
export function choose(id, label, choices, value, changed) {
  return el("label", { class: "field", for: id }, el("span", {}, label),
    el("select", { id, onchange: changed && ((/** @type {Event} */ event) => {
      const input = /** @type {HTMLSelectElement} */ (event.target);
      input.removeAttribute("aria-invalid");
      changed(input.value);
    }) }, ...choices.map(([key, text]) => el("option", { value: key, selected: key === value }, text))));
}

// ------------------------------------------------------------------------------------------------ fields of a draft

/** What is chosen; the first choice where the draft has none of them. @param {EntryForm} form @param {string} name @param {string} label @param {[string, string][]} choices */
function select(form, name, label, choices) {
  const { draft } = form;
  // What is shown is what is entered.
  if (!choices.some(([key]) => key === draft[name])) draft[name] = choices[0][0];
  return choose(`${form.id}-${name}`, label, choices, draft[name], (value) => {
    draft[name] = value;
    form.again();
  });
}

/** @param {EntryForm} form @param {string} name @param {string} label @param {Record<string, any>} [given] */
function text(form, name, label, given = {}) {
  return field(`${form.id}-${name}`, label, { maxlength: 200, value: form.draft[name] ?? "", ...given, oninput: (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    input.removeAttribute("aria-invalid");
    form.draft[name] = input.value;
  } });
}

/** @param {EntryForm} form @param {string} name @param {string} label @param {number} [min] */
const count = (form, name, label, min) => text(form, name, label, { type: "number", min, inputmode: min === undefined ? null : "numeric" });

/** Things of which each is so or not. @param {EntryForm} form @param {string} label @param {[string, string][]} names */
function ticks(form, label, names) {
  return el("div", { class: "whole", role: "group", "aria-label": label }, el("span", { class: "note" }, label),
    el("div", { class: "choices" }, ...names.map(([name, says]) => el("button", {
      type: "button", class: "chip", id: `${form.id}-${name}`, "aria-pressed": String(form.draft[name] === "yes"), onclick: () => {
        form.draft[name] = form.draft[name] === "yes" ? "" : "yes";
        form.again();
      },
    }, says))));
}

/** @param {EntryForm} form @returns {[string, string][]} */
const players = (form) => form.match.table.players.map((one) => [String(one.player), one.name]);
/** @param {EntryForm} form @param {string[]} not @returns {[string, string][]} */
const others = (form, ...not) => players(form).filter(([player]) => !not.includes(player));

/** A whole number that must be there. @param {EntryForm} form @param {string} name @param {number} least @param {number} [most] */
function number(form, name, least, most = Infinity) {
  const told = (form.draft[name] ?? "").trim();
  const value = Math.round(Number(told));
  if (!told || !(value >= least && value <= most)) throw new Lacking(name);
  return value;
}

/** @param {EntryForm} form @param {string} name */
function words(form, name) {
  const told = (form.draft[name] ?? "").trim();
  if (!told) throw new Lacking(name);
  return told;
}

/** Who is named, if anybody. @param {EntryForm} form @param {string} name @returns {number | undefined} */
const maybePlayer = (form, name) => (form.draft[name] ? Number(form.draft[name]) : undefined);

// ------------------------------------------------------------------------------------------------ a win

/** @param {EntryForm} form */
const winners = (form) => Number(form.draft.winners) || 1;
/** @param {EntryForm} form @param {number} at */
const handOf = (form, at) => (at === 0 && form.audited ? form.audited(Number(form.draft["winner-0"])).hand : form.draft[`hand-${at}`]?.trim()) ?? "";

/** Whether anybody can be liable for a hand won like this. @param {EntryForm} form */
const canBeLiable = (form) => form.match.offers.liability !== null && !(form.match.offers.liability.drawn_only && form.draft.from !== "");

/** Who is liable, and what that depends on. @param {EntryForm} form @param {number} at @returns {Nodes} */
function liability(form, at) {
  const { draft, match } = form;
  const { liability: known } = match.offers;
  if (!known || !canBeLiable(form)) return [];
  const who = select(form, `liable-${at}`, t("ledger.liable"), [["", t("ledger.none")], ...others(form, draft[`winner-${at}`])]);
  if (!draft[`liable-${at}`] || handOf(form, at)) return [who];
  // What was told of a claim that is corrected.
  draft[`fan-${at}`] ??= draft[`fans-${at}`] ? known.fans.find((fan) => JSON.parse(draft[`fans-${at}`]).includes(fan.id))?.id ?? "other" : "";
  const hands = known.fans.map((fan) => /** @type {[string, string]} */ ([fan.id, named(fan.name)]));
  return [who,
    hands.length > 0 && select(form, `fan-${at}`, t("ledger.liable_for"), [["", "–"], ...hands, ...(known.others ? [/** @type {[string, string]} */ (["other", t("ledger.liable_other")])] : [])]),
    known.asks_sets && select(form, `sets-${at}`, t("ledger.sets"), [["", "–"], ...[0, 1, 2, 3, 4].map((n) => /** @type {[string, string]} */ ([String(n), String(n)]))])];
}

/** What a claim is worth: by the hand, by what was announced, or by what is typed. @param {EntryForm} form @param {number} at @returns {Nodes} */
function worth(form, at) {
  const { draft, match } = form;
  const hand = handOf(form, at);
  const unit = points(match.match.rules, "").trim();
  const announced = match.offers.announced && hand !== "";
  const told = at === 0 && form.audited ? form.audited(Number(draft["winner-0"])).total !== undefined : Boolean(draft[`total-${at}`]);
  const informer = announced && told && select(form, `informer-${at}`, t("ledger.informer"), [["", t("ledger.none")], ...others(form, draft[`winner-${at}`])]);
  if (at === 0 && form.audited) return [informer];
  return [
    draft[`hand-${at}`] !== undefined && text(form, `hand-${at}`, t("ledger.hand"), { maxlength: 300, onchange: () => form.again() }),
    (!hand || announced) && count(form, `total-${at}`, t(announced ? "ledger.announced" : "ledger.worth", { unit }), 0),
    informer,
    hand !== "" && el("div", { class: "whole" }, smallTiles(tilesIn(hand), "because")),
  ];
}

/** The entry that counts, where the hand that is entered was won on the tile of one that is entered already. @param {EntryForm} form @returns {Entry | null} */
export const joined = ({ draft, last }) => (last && draft.joins === String(last.sequence) ? last.counts_as ?? last.entry : null);

/** @param {EntryForm} form @returns {Nodes} */
function winFields(form) {
  const { draft, match, last } = form;
  const which = last ? select(form, "joins", t("ledger.which_hand"), [["", t("ledger.new_hand")], [String(last.sequence), t("ledger.same_tile", { n: last.sequence })]]) : null;
  const won = joined(form);
  if (won) {
    // Seats have moved since: the one who sat there then is chosen, once.
    if (draft.sat !== draft.joins) Object.assign(draft, { sat: draft.joins, "winner-0": form.sat });
    Object.assign(draft, { from: String(won.discarder), winners: "1" });
    const left = others(form, draft.from, ...(won.claims ?? []).map((claim) => String(claim.winner)));
    return [which, select(form, "winner-0", t("print.winner"), left), ...worth(form, 0), ...liability(form, 0), el("p", { class: "note" }, t(`several.${match.offers.of_several}`))];
  }
  const from = select(form, "from", t("ask.discarder"), [["", t("win.self_draw")], ...players(form)]);
  const several = match.offers.of_several;
  const drawn = draft.from === "";
  if (drawn || !several) draft.winners = "1";
  const count = winners(form);
  const claims = PLAYERS.slice(0, count).map((at) => {
    const taken = PLAYERS.slice(0, at).map((before) => draft[`winner-${before}`]);
    const label = t("print.winner");
    // The first is put next to who discarded, so that what is not allowed is seen and said; the others come from who is left.
    const who = select(form, `winner-${at}`, label, at === 0 ? players(form) : others(form, draft.from, ...taken));
    return el("div", { class: "fields claim-of", role: "group", "aria-label": `${label} ${at + 1}`, "data-claim": at }, ...shown([
      who, ...worth(form, at), ...liability(form, at),
      at > 0 && at === count - 1 && el("button", { type: "button", class: "quiet", id: `${form.id}-fewer`, onclick: () => {
        draft.winners = String(at);
        form.again();
      } }, t("ledger.not_won")),
    ]));
  });
  return [
    which,
    from,
    !drawn && !form.audited && ticks(form, t("ask.win"), [["robbed", t("win.rob_kong")]]),
    ...claims,
    count > 1 && several && el("p", { class: "note", "data-several": several }, t(`several.${several}`)),
    !drawn && several && count < 3 && el("button", { type: "button", class: "quiet more-winners", id: `${form.id}-more`, onclick: () => {
      draft.winners = String(count + 1);
      form.again();
      document.getElementById(`${form.id}-winner-${count}`)?.focus();
    } }, t("ledger.another_winner")),
  ];
}

/** What of a liability the ledger must know. @param {EntryForm} form @param {number} at @param {boolean} byHand @returns {Partial<Claim>} */
function liableOf(form, at, byHand) {
  const { draft, match } = form;
  const { liability: known } = match.offers;
  /** @type {string[]} */
  const before = byHand ? [] : JSON.parse(draft[`fans-${at}`] ?? "[]");
  const kept = before.filter((id) => !known?.fans.some((fan) => fan.id === id));
  const liable = canBeLiable(form) ? maybePlayer(form, `liable-${at}`) : undefined;
  if (!known || liable === undefined) return kept.length ? { fans: kept } : {};
  if (byHand) return { liable };
  const fan = known.fans.length ? words(form, `fan-${at}`) : "other";
  return { liable, fans: [...kept, ...(fan === "other" ? [] : [fan])], ...(known.asks_sets ? { claimed_sets: number(form, `sets-${at}`, 0, 4) } : {}) };
}

/** @param {EntryForm} form @param {number} at @returns {Claim} */
function claimOf(form, at) {
  const { draft, match } = form;
  const winner = number(form, `winner-${at}`, 0, 3);
  if (draft[`winner-${at}`] === draft.from) throw new Lacking("from");
  const hand = handOf(form, at);
  const typed = (draft[`total-${at}`] ?? "").trim();
  /** @type {Claim} */
  const told = at === 0 && form.audited ? form.audited(winner)
    : hand ? { winner, hand, context: JSON.parse(draft[`context-${at}`] ?? "{}"), ...(match.offers.announced && typed ? { total: number(form, `total-${at}`, 0) } : {}) }
      : { winner, total: number(form, `total-${at}`, 0) };
  const informer = match.offers.announced && told.hand && told.total !== undefined ? maybePlayer(form, `informer-${at}`) : undefined;
  return { ...told, ...liableOf(form, at, told.hand !== undefined), ...(informer === undefined ? {} : { informer }) };
}

/** @param {EntryForm} form @returns {Entry} */
function winOf(form) {
  const from = maybePlayer(form, "from");
  return {
    kind: "win", ...(from === undefined ? {} : { discarder: from, ...(form.draft.robbed === "yes" ? { robbed: true } : {}) }),
    claims: PLAYERS.slice(0, winners(form)).map((at) => claimOf(form, at)),
  };
}

// ------------------------------------------------------------------------------------------------ the other kinds

/** @param {EntryForm} form */
const who = (form) => select(form, "player", t("ledger.who"), players(form));
/** @param {EntryForm} form */
const reason = (form) => text(form, "reason", t("lock.reason"));
/** Of one player, and why. @param {string} kind */
const ofPlayer = (kind) => ({
  fields: (/** @type {EntryForm} */ form) => [who(form), reason(form)],
  entry: (/** @type {EntryForm} */ form) => ({ kind, player: number(form, "player", 0, 3), reason: words(form, "reason") }),
});

/** Who gets a penalty. @param {EntryForm} form @returns {[string, string][]} */
function payees(form) {
  const { draft } = form;
  const single = others(form, draft.player);
  const several = (draft.to ?? "").includes(",") ? [/** @type {[string, string]} */ ([draft.to, draft.to.split(",").map((one) => form.match.match.players[Number(one)]).join(t("comma"))])] : [];
  return [["", t("ledger.to_nobody")], ["each", t("ledger.to_each")], ...single, ...several];
}

/** @type {Record<string, {fields: (form: EntryForm) => Nodes, entry: (form: EntryForm) => Entry}>} */
const KINDS = {
  win: { fields: winFields, entry: winOf },
  draw: {
    fields: (form) => [form.match.offers.draw_kongs && ticks(form, t("ledger.kongs"), players(form).map(([player, name]) => [`kong-${player}`, name]))],
    entry: (form) => ({ kind: "draw", kongs: PLAYERS.filter((player) => form.draft[`kong-${player}`] === "yes") }),
  },
  false_win: {
    fields: (form) => [who(form), select(form, "from", t("ask.discarder"), [["", t("win.self_draw")], ...players(form)]), !form.audited && reason(form)],
    entry: (form) => {
      const player = number(form, "player", 0, 3);
      const from = maybePlayer(form, "from");
      if (player === from) throw new Lacking("from");
      const hand = form.draft.hand ? { hand: form.draft.hand, context: JSON.parse(form.draft.context ?? "{}") } : {};
      return { kind: "false_win", player, ...(from === undefined ? {} : { discarder: from }), ...hand, reason: form.draft.reason?.trim() ?? "" };
    },
  },
  fault: ofPlayer("fault"),
  dead_hand: ofPlayer("dead_hand"),
  penalty: {
    fields: (form) => [who(form), count(form, "amount", t("ledger.amount"), 1), select(form, "to", t("ledger.to"), payees(form)), reason(form)],
    entry: (form) => {
      const player = number(form, "player", 0, 3);
      const to = form.draft.to === "each" ? PLAYERS.filter((one) => one !== player) : (form.draft.to ?? "").split(",").filter(Boolean).map(Number);
      return { kind: "penalty", player, amount: number(form, "amount", 1), to, reason: words(form, "reason") };
    },
  },
  instant: {
    fields: (form) => {
      const { offers, match: { unit } } = form.match;
      return [who(form),
        ticks(form, t("ledger.items"), offers.instants.map(({ id, units }) => [`item-${id}`, `${t(`instant.${id}`)} · ${t("ledger.each", { n: units * unit })}`])),
        offers.opening && ticks(form, t("ledger.opening"), [["opening", t("ledger.opening_yes")]])];
    },
    entry: (form) => {
      const ticked = form.match.offers.instants.filter(({ id }) => form.draft[`item-${id}`] === "yes").map(({ id }) => id);
      // Two kongs that were entered at once stay two where the entry is corrected.
      const more = JSON.parse(form.draft.items ?? "[]").filter((/** @type {string} */ id, /** @type {number} */ at, /** @type {string[]} */ all) => ticked.includes(id) && all.indexOf(id) !== at);
      if (!ticked.length) throw new Lacking(`item-${form.match.offers.instants[0].id}`);
      return { kind: "instant", player: number(form, "player", 0, 3), items: [...ticked, ...more], ...(form.draft.opening === "yes" ? { opening: true } : {}) };
    },
  },
  redeal: { fields: (form) => [reason(form)], entry: (form) => ({ kind: "redeal", reason: words(form, "reason") }) },
  adjustment: {
    fields: (form) => [...players(form).map(([player, name]) => count(form, `points-${player}`, name)), reason(form), el("p", { class: "note" }, t("ledger.adds_up"))],
    entry: (form) => {
      const sums = PLAYERS.map((player) => (form.draft[`points-${player}`] ? number(form, `points-${player}`, -Infinity) : 0));
      if (sums.reduce((sum, one) => sum + one) !== 0 || sums.every((one) => one === 0)) throw new Lacking("points-0");
      return { kind: "adjustment", points: sums, reason: words(form, "reason") };
    },
  },
  disqualification: ofPlayer("disqualification"),
  close: { fields: (form) => [reason(form)], entry: (form) => ({ kind: "close", reason: form.draft.reason?.trim() ?? "" }) },
};

/** The kinds of entry that the rules of the match know. @param {MatchAnswer} match */
export function kindsOf({ offers }) {
  const never = new Set(["close", ...(offers.faults ? [] : ["fault"]), ...(offers.instants.length ? [] : ["instant"])]);
  return Object.keys(KINDS).filter((kind) => !never.has(kind));
}

/** @param {Nodes} nodes @returns {Node[]} */
const shown = (nodes) => nodes.filter((one) => one instanceof Node);

/**
 * The form for one entry. With `kinds` the kind is chosen in it.
 * @param {EntryForm} form @param {{kinds?: string[], after?: () => Nodes, button: string, enter: (entry: Entry) => void}} given
 */
export function entryForm(form, { kinds, after, button, enter }) {
  const inside = el("div", { class: "fields" });
  const fields = () => shown([
    kinds ? select(form, "kind", t("ledger.kind"), kinds.map((kind) => [kind, t(`entry.${kind}`)])) : null,
    ...KINDS[form.draft.kind].fields(form), ...(after?.() ?? []),
  ]);
  form.again = () => redraw(inside, fields());
  inside.replaceChildren(...fields());
  return el("form", { id: form.id, "data-draft": "", class: "entry-form", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      enter(KINDS[form.draft.kind].entry(form));
    } catch (error) {
      if (!(error instanceof Lacking)) throw error;
      lacking(`${form.id}-${error.field}`);
    }
  } }, inside, el("button", { type: "submit", class: "main" }, button));
}

/** A reason that stands beside the entry itself, as that of a correction does. @param {EntryForm} form @param {string} name @param {string} label */
export const besides = (form, name, label) => text(form, name, label);
/** @param {EntryForm} form @param {string} name */
export const said = (form, name) => (form.draft[name] ?? "").trim();

/** Circumstances without those that the ledger knows by itself, which a correction may change. @param {Record<string, unknown>} [context] */
const rare = ({ win: _, seat: __, round: ___, ...flags } = {}) => JSON.stringify(flags);

/** What an entry says, as a draft. @param {Entry} entry @returns {Draft} */
export function draftOf(entry) {
  /** @type {Draft} */
  const draft = { kind: entry.kind, from: String(entry.discarder ?? ""), reason: entry.reason ?? "", amount: String(entry.amount ?? "") };
  if (entry.player !== undefined) draft.player = String(entry.player);
  if (entry.robbed) draft.robbed = "yes";
  if (entry.opening) draft.opening = "yes";
  if (entry.to) draft.to = entry.to.length === 3 ? "each" : entry.to.join();
  if (entry.hand) Object.assign(draft, { hand: entry.hand, context: rare(entry.context) });
  for (const id of entry.items ?? []) draft[`item-${id}`] = "yes";
  if (entry.items) draft.items = JSON.stringify(entry.items);
  for (const player of entry.kongs ?? []) draft[`kong-${player}`] = "yes";
  for (const [player, sum] of (entry.points ?? []).entries()) draft[`points-${player}`] = String(sum);
  if (entry.claims) draft.winners = String(entry.claims.length);
  for (const [at, claim] of (entry.claims ?? []).entries()) {
    const { winner, hand, context, total, fans, claimed_sets: sets, liable, informer } = claim;
    Object.assign(draft, {
      [`winner-${at}`]: String(winner), [`total-${at}`]: String(total ?? ""), [`liable-${at}`]: String(liable ?? ""), [`informer-${at}`]: String(informer ?? ""),
      [`fans-${at}`]: JSON.stringify(fans ?? []), [`sets-${at}`]: String(sets ?? ""),
      ...(hand ? { [`hand-${at}`]: hand, [`context-${at}`]: rare(context) } : {}),
    });
  }
  return draft;
}
