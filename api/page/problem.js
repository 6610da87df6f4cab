// What went wrong, said so that a person can do something about it.

import { el, say, sign } from "./dom.js";
import { language, maybe, t } from "./i18n.js";
import { WORDS } from "./words.js";

/** @param {import("./types.d.ts").Problem} problem */
export function problemCard(problem) {
  const title = maybe(`problem.${problem.code}.title`, problem.title || problem.code);
  const help = maybe(`problem.${problem.code}.help`, "");
  return el(
    "div",
    { class: "problem", role: "alert", "data-code": problem.code },
    sign("warn"),
    el("div", {},
      el("p", {}, el("b", {}, title)),
      // The service speaks English: in Chinese its words stand only where the page has none of its own.
      problem.detail && (language() === "en" || !WORDS[`problem.${problem.code}.title`] || !help) && el("p", { class: "detail", lang: "en" }, problem.detail),
      help && el("p", { class: "note" }, help),
      problem.retry && el("button", { type: "button", class: "chip", onclick: () => say("retry") }, sign("again"), t("retry")),
    ),
  );
}
