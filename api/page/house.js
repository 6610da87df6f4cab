// The house rules of a rule set, and the names under which a player keeps them: a club's, a family's.

import { ruleset } from "./api.js";
import { el, need, sign } from "./dom.js";
import { language, maybe, named, plain, t } from "./i18n.js";
import { changed, profileNow, profilesOf, refused, remember, state } from "./store.js";

const dialog = need("house");

/** Show the house rules of the rule set that is chosen. */
export async function openHouseRules() {
  drawProfiles();
  need("house-list").replaceChildren(el("p", { class: "note" }, t("loading")));
  if (!dialog.open) dialog.showModal();
  try {
    const table = await ruleset(state.rules);
    if (language() !== "en") await import("./options.js").then((found) => (chinese = found.OPTIONS));
    need("house-title").textContent = `${t("house.title")}: ${named(table.name)}`;
    need("house-list").replaceChildren(...table.options.map(option));
    need("house-sources").replaceChildren(...table.sources.map((source) => el("li", {}, source)));
  } catch {
    need("house-list").replaceChildren(el("p", { class: "note" }, t("problem.offline.title")));
  }
}

/** @type {Record<string, string>} */
let chinese = {};

/** @param {import("./types.d.ts").OptionValue} value */
const valueName = (value) => (value === true ? t("yes") : value === false ? t("no") : value === null ? t("none") : maybe(`choice.${value}`, String(value).replaceAll("_", " ")));

/** @param {import("./types.d.ts").Option} given */
function option(given) {
  const set = state.options[state.rules]?.[given.id];
  const value = set === undefined ? given.default : set;
  const id = `option-${given.id}`;
  const own = language() === "en" ? undefined : (chinese[`${state.rules}.${given.id}`] ?? chinese[given.id]);
  const text = own ? plain(own) : given.description;
  /** @param {import("./types.d.ts").OptionValue} wish */
  const choose = (wish) => {
    if (refused()) return void openHouseRules();
    const mine = { ...state.options[state.rules] };
    if (wish === given.default) delete mine[given.id];
    else mine[given.id] = wish;
    state.options = { ...state.options, [state.rules]: mine };
    remember();
    line.classList.toggle("own", wish !== given.default);
    drawProfiles();
    changed("told");
  };
  /** @type {HTMLElement} */
  let input;
  if (given.type === "boolean") {
    input = el("input", { type: "checkbox", role: "switch", id, checked: value === true, onchange: () => choose(/** @type {HTMLInputElement} */ (input).checked) });
  } else if (given.choices) {
    const choices = given.nullable && !given.choices.includes(null) ? [null, ...given.choices] : given.choices;
    input = el("select", { id, onchange: () => choose(choices[/** @type {HTMLSelectElement} */ (input).selectedIndex]) },
      ...choices.map((one) => el("option", { selected: one === value }, valueName(one))));
  } else {
    input = el("input", { type: "number", id, min: given.minimum, max: given.maximum, value: value ?? "", placeholder: given.nullable ? t("none") : null, onchange: () => {
      const raw = /** @type {HTMLInputElement} */ (input).value;
      if (raw === "" && given.nullable) return choose(null);
      const wish = Math.min(given.maximum ?? 1e6, Math.max(given.minimum ?? 0, Math.round(Number(raw))));
      /** @type {HTMLInputElement} */ (input).value = String(wish);
      choose(wish);
    } });
  }
  const line = el("label", { class: `option ${set === undefined ? "" : "own"}`, for: id }, el("span", {}, text), input);
  return line;
}

/** @param {Record<string, import("./types.d.ts").OptionValue>} options */
function use(options) {
  if (refused()) return;
  state.options = { ...state.options, [state.rules]: { ...options } };
  remember();
  changed("told");
  dialog.close();
  openHouseRules();
}

need("house-reset").addEventListener("click", () => use({}));

// --------------------------------------------------------------------------------------------- under a name

const name = /** @type {HTMLInputElement} */ (need("profile-name"));

/** The names, the one in use pressed. */
function drawProfiles() {
  const kept = profilesOf(state.rules);
  const now = profileNow();
  const own = Object.keys(state.options[state.rules] ?? {}).length > 0;
  /** @param {string} text @param {boolean} pressed @param {Record<string, any>} options @param {string} [id] */
  const chip = (text, pressed, options, id) =>
    el("button", { type: "button", class: "chip", "aria-pressed": String(pressed), "data-profile": id ?? "", onclick: () => use(options) }, text);
  need("profiles").replaceChildren(
    chip(t("profile.usual"), !own, {}),
    ...Object.entries(kept).map(([id, options]) => chip(id, id === now, options, id)),
  );
  need("profile-delete").hidden = now === null || !(now in kept);
  need("profile-delete").replaceChildren(sign("close"), t("profile.delete", { name: now ?? "" }));
  need("profile-keep").hidden = !own;
  // A name that came with a link is offered for keeping.
  if (document.activeElement !== name) name.value = now ?? "";
}

need("profile-form").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const wish = name.value.trim();
  if (!wish) return name.focus();
  const kept = { ...profilesOf(state.rules), [wish]: { ...state.options[state.rules] } };
  state.profiles = { ...state.profiles, [state.rules]: kept };
  state.lent = null;
  name.blur();
  remember();
  drawProfiles();
  changed("named");
});

need("profile-delete").addEventListener("click", () => {
  const { [profileNow() ?? ""]: _, ...rest } = profilesOf(state.rules);
  state.profiles = { ...state.profiles, [state.rules]: rest };
  remember();
  drawProfiles();
  changed("named");
});
