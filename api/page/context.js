// What no photo shows: rule set, house rules, how the hand was won, winds, winning tile, stakes. Nothing needs to be
// told; what is missing and matters is marked.

import { rulesets } from "./api.js";
import { el, need, patiently, sign } from "./dom.js";
import { win } from "./hand.js";
import { openHouseRules } from "./house.js";
import { language, named, plain, t } from "./i18n.js";
import { changed, edit, profileNow, refused, remember, state } from "./store.js";
import { WINDS, face, nameOf, orderOf } from "./tiles.js";

/** @type {{id: string, name: import("./types.d.ts").Names}[]} */
let known = [
  { id: "hk", name: { en: "Hong Kong", zh: "香港舊章" } },
  { id: "mcr", name: { en: "Chinese Official", zh: "國標" } },
  { id: "tvb", name: { en: "TVB 2026", zh: "無綫 2026" } },
  { id: "singapore", name: { en: "Singapore", zh: "新加坡" } },
];

/** Circumstances that a rule set asks about. @type {Record<string, string[]>} */
const FLAGS = {
  hk: ["last_wall_tile", "kong_replacement", "double_kong", "flower_replacement", "heavenly", "earthly", "humanly", "robbed_concealed_kong"],
  mcr: ["last_wall_tile", "kong_replacement", "last_of_its_kind"],
  tvb: ["last_wall_tile", "kong_replacement", "robbed_concealed_kong"],
  singapore: ["last_wall_tile", "kong_replacement", "double_kong", "flower_replacement", "double_flower", "heavenly", "earthly", "humanly", "robbed_concealed_kong"],
};

/** Which circumstances can be, given how the hand was won. @param {string} flag */
function possible(flag) {
  const { win: how, seat } = state.context;
  const drawn = ["kong_replacement", "double_kong", "flower_replacement", "double_flower", "heavenly"];
  if (drawn.includes(flag)) return (how === null || how === "self_draw") && (flag !== "heavenly" || seat === null || seat === "1z");
  if (flag === "robbed_concealed_kong") return how === "rob_kong";
  if (flag === "humanly") return how !== "self_draw" && how !== "rob_kong" && seat !== "1z";
  if (flag === "earthly") return how !== "rob_kong" && seat !== "1z";
  if (flag === "last_wall_tile") return how !== "rob_kong" || state.rules === "tvb";
  return true;
}

/** Learn which rule sets the service has. */
export async function loadRules() {
  try {
    const { rulesets: found } = await rulesets();
    known = found.map(({ id, name }) => ({ id, name: known.find((one) => one.id === id)?.name ?? name }));
    if (!known.some((one) => one.id === state.rules)) state.rules = known[0].id;
    draw();
  } catch {
    // The rule sets that the page knows by itself are offered until the service can be reached.
  }
}

/**
 * A row of choices of which one, or none, is taken.
 * @param {string} name
 * @param {[string, string | Node, string?][]} choices value, what is shown, label
 * @param {string | null} value
 * @param {(value: string | null) => void} chosen
 * @param {boolean} [must] one must be taken
 */
function row(name, choices, value, chosen, must = false) {
  const decides = state.answer?.range?.decides.includes(name) ?? false;
  const title = t(`ask.${name}`);
  return el(
    "div",
    { class: `ask ${decides ? "decides" : ""}`, role: "group", "aria-label": title, "data-ask": name },
    el("span", { class: "title" }, title, decides && el("em", {}, t("ask.decides"))),
    el(
      "div",
      { class: "choices" },
      ...choices.map(([id, shown, label]) =>
        el(
          "button",
          {
            type: "button",
            class: "chip",
            "data-value": id,
            "aria-pressed": String(id === value),
            "aria-label": label ?? null,
            title: label ?? null,
            onclick: () => chosen(id === value && !must ? null : id),
          },
          shown,
        ),
      ),
    ),
  );
}

/** @param {Partial<import("./types.d.ts").Context>} given */
function tell(given) {
  if (refused()) return draw();
  Object.assign(state.context, given);
  state.context.flags = state.context.flags.filter((flag) => FLAGS[state.rules]?.includes(flag) && possible(flag));
  if (state.context.win === "self_draw" || state.table.discarder === state.context.seat) state.table.discarder = null;
  remember();
  changed("told");
}

/** @param {string} code */
const windChoice = (code) => /** @type {[string, string, string]} */ ([code, language() === "en" ? nameOf(code) : plain(nameOf(code)), nameOf(code)]);

/** Draw every question again. */
export const draw = patiently(need("context"), drawNow);

function drawNow() {
  const { context, table, rules } = state;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest("#context [data-value]"));
  const again = focused && [focused.closest("[data-ask]")?.getAttribute("data-ask"), focused.dataset.value];
  const rulesRow = row("rules", known.map(({ id, name }) => [id, named(name)]), rules, (id) => id && chooseRules(id), true);
  const own = Object.keys(state.options[rules] ?? {}).length;
  rulesRow.querySelector(".choices")?.append(
    el("button", { type: "button", class: "chip house", "data-value": "house", "aria-haspopup": "dialog", onclick: openHouseRules }, sign("sliders"), profileNow() ?? t("house.open"), own > 0 && el("b", {}, String(own))),
  );
  const rows = [
    rulesRow,
    row("win", ["discard", "self_draw", "rob_kong"].map((id) => [id, t(`win.${id}`)]), context.win, (id) => tell({ win: /** @type {any} */ (id) })),
    row("seat", WINDS.map(windChoice), context.seat, (seat) => tell({ seat })),
    row("round", WINDS.map(windChoice), context.round, (round) => tell({ round })),
  ];
  const tiles = state.hand.standing.filter((one, at, every) => every.findIndex((other) => other.code === one.code) === at);
  if (tiles.length) {
    const won = state.hand.standing.find((one) => one.id === state.hand.winning)?.code ?? null;
    const sorted = tiles.toSorted((a, b) => orderOf(a.code) - orderOf(b.code));
    const tileRow = row("winning_tile", sorted.map(({ code }) => [code, face(code), nameOf(code)]), won, (code) => chooseWinning(code));
    tileRow.classList.add("tiles-row");
    rows.push(tileRow);
  }
  const flags = (FLAGS[rules] ?? FLAGS.hk).filter(possible);
  const rare = el(
    "details",
    { class: "rare", open: context.flags.length > 0 || need("context").querySelector("details.rare[open]") !== null },
    el("summary", {}, t("ask.flags"), context.flags.length > 0 && el("b", {}, String(context.flags.length))),
    el(
      "div",
      { class: "choices", "data-ask": "flags" },
      ...flags.map((flag) =>
        el("button", {
          type: "button", class: "chip", "data-value": flag, "aria-pressed": String(context.flags.includes(flag)),
          onclick: () => tell({ flags: context.flags.includes(flag) ? context.flags.filter((one) => one !== flag) : [...context.flags, flag] }),
        }, t(`flag.${flag}`)),
      ),
    ),
  );
  rows.push(/** @type {any} */ (rare));
  rows.push(/** @type {any} */ (stakes(table)));
  need("context").replaceChildren(...rows);
  if (again) /** @type {HTMLElement | null} */ (document.querySelector(`#context [data-ask="${again[0]}"] [data-value="${again[1]}"]`))?.focus({ preventScroll: true });
}

/** Who pays: asked once it can be. @param {import("./types.d.ts").Table} table */
function stakes(table) {
  const { seat, win: how } = state.context;
  const parts = [];
  if (seat && (how === "discard" || how === "rob_kong")) {
    const others = WINDS.filter((wind) => wind !== seat);
    parts.push(row("discarder", others.map(windChoice), table.discarder, (discarder) => {
      if (refused()) return;
      table.discarder = discarder;
      changed("told");
    }));
  }
  if (seat && how) {
    const unit = el("input", { type: "number", min: 1, max: 1000000, step: 1, value: table.unit, id: "unit", inputmode: "numeric", onchange: () => {
      if (refused()) return draw();
      table.unit = Math.min(1000000, Math.max(1, Math.round(Number(unit.value) || 1)));
      remember();
      changed("told");
    } });
    parts.push(el("label", { class: "ask unit", for: "unit" }, el("span", { class: "title" }, t("ask.unit")), unit));
  }
  return el("div", { class: "stakes" }, ...parts);
}

/** @param {string} id */
function chooseRules(id) {
  if (refused()) return;
  state.rules = id;
  tell({});
}

/** @param {string | null} code */
function chooseWinning(code) {
  const now = state.hand.standing.find((one) => one.id === state.hand.winning);
  if (code === null && now) return edit(win(state.hand, now.id));
  // Of several alike the last one: it lies nearest to where a winning tile is put down.
  const chosen = state.hand.standing.findLast((one) => one.code === code);
  if (chosen) edit(win(state.hand, chosen.id));
}
