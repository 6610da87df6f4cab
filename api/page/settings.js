// What is chosen for the page and kept in this browser: language, light or dark, letters on the tiles, a referee's page.

import { el, need } from "./dom.js";
import { LANGUAGES, language, setLanguage, t } from "./i18n.js";

const THEME = "mahjong-reader.theme";
const INDICES = "mahjong-reader.indices";
const MODE = "mahjong-reader.referee";

const theme = () => localStorage.getItem(THEME) ?? "auto";

/** Letters help who reads no Chinese. */
function indices() {
  const kept = localStorage.getItem(INDICES);
  return kept === null ? language() === "en" : kept === "yes";
}

/** Have the page look as it was chosen. */
export function applySettings() {
  const { dataset, classList } = document.documentElement;
  // What is so already is not set: the whole page would be styled again.
  if (dataset.theme !== theme()) dataset.theme = theme();
  classList.toggle("indices", indices());
}

/** Draw the choices; they are drawn when the settings are opened. */
export function drawSettings() {
  need("languages").replaceChildren(
    ...LANGUAGES.map(([id, name]) =>
      el("button", { type: "button", class: "chip", lang: id, "aria-pressed": String(language() === id), onclick: () => setLanguage(id) }, name),
    ),
  );
  need("themes").replaceChildren(
    ...["auto", "light", "dark"].map((id) =>
      el("button", { type: "button", class: "chip", "aria-pressed": String(theme() === id), onclick: () => {
        localStorage.setItem(THEME, id);
        renew();
      } }, t(`theme.${id}`)),
    ),
  );
  need("indices").checked = indices();
  need("referee-mode").checked = wasReferee();
}

function renew() {
  applySettings();
  drawSettings();
}

need("indices").addEventListener("change", () => {
  localStorage.setItem(INDICES, need("indices").checked ? "yes" : "no");
  renew();
});
document.addEventListener("language", renew);

/** Whether the page is a referee's, as it was left. */
export const wasReferee = () => localStorage.getItem(MODE) === "yes";

/** @param {boolean} referee */
export function setMode(referee) {
  if (referee) localStorage.setItem(MODE, "yes");
  else localStorage.removeItem(MODE);
  document.body.dataset.mode = referee ? "referee" : "";
}

/** Whether what the hand is worth is kept back: a referee judges what is claimed, unless they ask. */
export const secret = () => document.body.dataset.mode === "referee" && document.body.dataset.best !== "shown";
