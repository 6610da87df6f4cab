// Referee mode, loaded when it is opened: a claim and its verdict, the lock, evidence, and the match ledger.

import { audit, forget, renew } from "./audit.js";
import * as claim from "./claim.js";
import { el, need, say } from "./dom.js";
import * as evidence from "./evidence.js";
import { dressPage, learn, t } from "./i18n.js";
import * as ledger from "./ledger.js";
import { SIGNS, WORDS } from "./referee_words.js";
import * as verdict from "./verdict.js";

learn(WORDS, SIGNS);

/** @type {Record<"verdict" | "evidence" | "ledger" | "check", HTMLElement> | null} */
let holders = null;

/** Put the referee's parts into the page, once. */
async function mount() {
  const style = el("link", { rel: "stylesheet", href: "/page/referee.css" });
  const dressed = new Promise((done, failed) => {
    style.addEventListener("load", done);
    style.addEventListener("error", failed);
  });
  document.head.append(style);
  await dressed;
  holders = {
    verdict: el("div", { id: "verdict" }),
    evidence: el("div", { id: "evidence" }),
    ledger: el("div", { id: "ledger" }),
    check: el("div", { id: "check" }),
  };
  need("answer-card").before(el("section", { class: "card", id: "audit", "aria-labelledby": "audit-title" },
    el("h2", { id: "audit-title", "data-t": "audit.title" }), claim.form(), holders.verdict, holders.evidence));
  const part = (/** @type {string} */ id, /** @type {HTMLElement} */ holder, /** @type {() => void} */ opened) =>
    el("details", { class: "card list", id: `${id}-card`, ontoggle: (/** @type {Event} */ event) => /** @type {HTMLDetailsElement} */ (event.target).open && opened() },
      el("summary", {}, el("span", { "data-t": `${id}.title` })), holder);
  need("main").append(el("section", { id: "desk", "aria-label": t("desk.title") },
    part("ledger", holders.ledger, () => ledger.load()), part("check", holders.check, () => drawCheck())));
}

function drawCheck() {
  if (holders) evidence.drawCheck(holders.check);
}

function draw() {
  if (!holders || document.body.dataset.mode !== "referee") return;
  claim.draw();
  verdict.draw(holders.verdict);
  evidence.draw(holders.evidence);
  ledger.drawAudited();
  document.body.toggleAttribute("data-locked", audit.lock !== null);
}

/** Open or leave the mode. @param {boolean} wish */
export async function show(wish) {
  if (wish && !holders) await mount();
  if (!wish) {
    delete document.body.dataset.best;
    return;
  }
  dressPage();
  draw();
  drawCheck();
  if (holders) ledger.draw(holders.ledger);
}

document.addEventListener("audit", draw);
document.addEventListener("checked", drawCheck);
document.addEventListener("ledger", () => holders && ledger.draw(holders.ledger));
document.addEventListener("hand", forget);
document.addEventListener("told", forget);
document.addEventListener("restart", renew);
document.addEventListener("locked", () => say("toast", t("lock.refused")));
document.addEventListener("language", () => {
  if (!holders) return;
  need("desk").setAttribute("aria-label", t("desk.title"));
  draw();
  drawCheck();
  ledger.draw(holders.ledger);
});
