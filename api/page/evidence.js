// Evidence: who has confirmed the hand, the bundle, the sheet to sign, and a bundle checked.

import { audit, evidence, lock, problemOf, refereeName, unlock } from "./audit.js";
import { el, keep, say, sign } from "./dom.js";
import { language, points, t } from "./i18n.js";
import { bundle, check, sheet } from "./referee_api.js";
import { state } from "./store.js";
import { trouble } from "./verdict.js";

/** @param {string} at a time in UTC */
export const clock = (at) => new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "medium" }).format(new Date(at));

const PLACES = /** @type {const} */ (["event", "table", "hand", "winner", "discarder"]);
/** What stands at the head of the sheet; kept from hand to hand but for who won. @type {Record<string, string>} */
const place = { event: "", table: "", hand: "", winner: "", discarder: "" };
let withPhoto = true;
let busy = false;

/** @param {string} id @param {string} label @param {Record<string, any>} given */
export function field(id, label, given) {
  return el("label", { class: "field", for: id }, el("span", {}, label), el("input", {
    type: "text", id, autocomplete: "off", maxlength: 100,
    oninput: (/** @type {Event} */ event) => /** @type {Element} */ (event.target).removeAttribute("aria-invalid"), ...given,
  }));
}

/** @param {string} id @returns {string} */
export const typedIn = (id) => /** @type {HTMLInputElement | null} */ (document.getElementById(id))?.value.trim() ?? "";

/**
 * Draw anew, and keep what was being typed and where the keyboard was. What is of a draft is kept there.
 * @param {HTMLElement} holder @param {Node[]} nodes
 */
export function redraw(holder, nodes) {
  const inside = holder.contains(document.activeElement) ? document.activeElement?.id : null;
  const inputs = () => /** @type {NodeListOf<HTMLInputElement>} */ (holder.querySelectorAll(":is(input[id]:not([type=checkbox], [type=file]), select[id]):not([data-draft] *)"));
  const values = new Map([...inputs()].map((one) => [one.id, one.value]));
  holder.replaceChildren(...nodes);
  for (const one of inputs()) one.value = values.get(one.id) ?? one.value;
  if (inside === null) return;
  holder.tabIndex = -1;
  const again = inside ? document.getElementById(inside) : null;
  (again && holder.contains(again) ? again : holder).focus({ preventScroll: true });
}

/** Ask for what is missing by taking the person there. @param {string} id */
export function lacking(id) {
  const input = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
  input?.setAttribute("aria-invalid", "true");
  input?.focus();
}

/** Who confirms, or who has confirmed and how it is unlocked. */
function locking() {
  const { lock: held, log } = audit;
  const acts = el("ul", { class: "acts" }, ...log.map((act) =>
    el("li", { "data-act": act.act }, t(`act.${act.act}`, { by: act.by, at: clock(act.at) }), act.reason ? ` ${act.reason}` : "")));
  if (held) {
    return el("div", { class: "lock shut" },
      el("p", { class: "confirmed" }, sign("check"), t("lock.held", { by: held.by, at: clock(held.at) })),
      el("form", { onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (!typedIn("unlock-by")) return lacking("unlock-by");
        if (!typedIn("unlock-reason")) return lacking("unlock-reason");
        unlock(typedIn("unlock-by"), typedIn("unlock-reason"));
      } },
      field("unlock-by", t("lock.by"), { value: held.by }), field("unlock-reason", t("lock.reason"), {}),
      el("button", { type: "submit", class: "chip", id: "unlock" }, t("lock.open"))),
      acts);
  }
  return el("div", { class: "lock" },
    el("p", { class: "note" }, t("lock.note")),
    el("form", { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!typedIn("lock-by")) return lacking("lock-by");
      lock(typedIn("lock-by"));
    } }, field("lock-by", t("lock.by"), { value: refereeName() }), el("button", { type: "submit", class: "chip", id: "lock", disabled: audit.busy }, sign("check"), t("lock.shut"))),
    log.length > 0 && acts);
}

/** The bundle of the hand as it is locked; made once. @returns {Promise<Blob>} */
async function made() {
  if (!state.sent) throw new Error("there is no photo");
  audit.bundle ??= await bundle(evidence(place, withPhoto), state.sent);
  return audit.bundle;
}

/** @param {() => Promise<void>} act */
const trying = (act) => async () => {
  if (busy) return;
  busy = true;
  const said = document.getElementById("evidence-said");
  said?.replaceChildren(el("p", { class: "note" }, t("evidence.making")));
  try {
    await act();
    document.getElementById("evidence-said")?.replaceChildren(el("p", { class: "note" }, t("evidence.made")));
  } catch (error) {
    document.getElementById("evidence-said")?.replaceChildren(trouble(problemOf(error)));
  }
  busy = false;
};

function papers() {
  const open = audit.lock !== null && state.sent !== null;
  const button = (/** @type {string} */ id, /** @type {string} */ icon, /** @type {() => Promise<void>} */ act) =>
    el("button", { type: "button", class: "chip", id, disabled: !open, onclick: trying(act) }, sign(icon), t(`evidence.${id}`));
  const heads = PLACES.map((name) => field(`place-${name}`, t(`place.${name}`), { value: place[name], onchange: (/** @type {Event} */ event) => {
    place[name] = /** @type {HTMLInputElement} */ (event.target).value;
    audit.bundle = null;
  } }));
  const photo = el("input", { type: "checkbox", role: "switch", id: "with-photo", checked: withPhoto, onchange: () => {
    withPhoto = photo.checked;
    audit.bundle = null;
  } });
  return el("div", { class: "papers" },
    el("h3", {}, t("evidence.title")),
    !open && el("p", { class: "note" }, t(state.sent ? "evidence.lock_first" : "evidence.no_photo")),
    el("details", { class: "rare" }, el("summary", {}, t("place.title")), el("div", { class: "fields" }, ...heads)),
    el("label", { class: "option", for: "with-photo" }, el("span", {}, t("evidence.photo")), photo),
    el("div", { class: "choices" },
      button("bundle", "file", async () => keep(await made(), "hand.zip")),
      button("sheet_a4", "print", async () => keep(await sheet(await made(), "a4"), "hand-a4.pdf")),
      button("sheet_letter", "print", async () => keep(await sheet(await made(), "letter"), "hand-letter.pdf"))),
    el("div", { id: "evidence-said", role: "status" }));
}

/** Draw who confirmed, and what can be made of it. @param {HTMLElement} holder */
export function draw(holder) {
  const opened = holder.querySelector("details[open]") !== null;
  redraw(holder, [el("h3", {}, t("lock.title")), locking(), papers()]);
  if (opened) holder.querySelector("details")?.setAttribute("open", "");
}

// ------------------------------------------------------------------------------------------------ checking one

/** @type {{answer: import("./types.d.ts").BundleAnswer | null, problem: import("./types.d.ts").Problem | null, name: string}} */
const checked = { answer: null, problem: null, name: "" };

/** @param {import("./types.d.ts").BundleAnswer} answer */
function found(answer) {
  const { bundle: brief, signature, again, problems } = answer;
  if (!answer.intact || !brief) {
    return el("div", { class: "total bad", "data-intact": "no" }, el("p", { class: "figure" }, t("check.broken")),
      el("ul", {}, ...problems.map((one) => el("li", { "data-code": one.code, lang: "en" }, one.detail))));
  }
  const { confirmed } = brief;
  const lines = [
    `${t("check.made")} ${clock(brief.made.at)}`,
    `${t(`rules.${brief.rules}`)} · ${brief.hand}`,
    brief.verdict ? `${t(`claim.${brief.verdict}`)} · ${points(brief.rules, brief.total)}` : points(brief.rules, brief.total),
    ...(confirmed ? [t("lock.held", { by: confirmed.by, at: clock(confirmed.at) }), ...(confirmed.log ?? []).map((act) => `${t(`act.${act.act}`, { by: act.by, at: clock(act.at) })} ${act.reason ?? ""}`)] : [t("check.unconfirmed")]),
    t(signature?.state === "good" ? "check.signed" : "check.unsigned"),
    t(again?.otherwise === false ? "check.same" : again?.otherwise ? "check.otherwise" : "check.cannot"),
  ];
  return el("div", { class: "total good", "data-intact": "yes" }, el("p", { class: "figure" }, t("check.intact")),
    el("ul", {}, ...lines.map((line) => el("li", {}, line)), ...(again?.why ?? []).map((why) => el("li", { lang: "en" }, why))));
}

/** @param {HTMLElement} holder */
export function drawCheck(holder) {
  const input = el("input", { class: "away", type: "file", id: "check-file", accept: ".zip,application/zip", onchange: async () => {
    const file = input.files?.[0];
    if (!file) return;
    Object.assign(checked, { answer: null, problem: null, name: file.name });
    try {
      checked.answer = await check(file);
    } catch (error) {
      checked.problem = problemOf(error);
    }
    say("checked");
  } });
  holder.replaceChildren(
    el("label", { class: "chip" }, sign("file"), t("check.choose"), input),
    el("div", { id: "checked", role: "status" },
      checked.name && el("p", { class: "note" }, checked.name),
      checked.problem && trouble(checked.problem),
      checked.answer && found(checked.answer)));
}
