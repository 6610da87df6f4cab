// The page's beginning: language, settings, the ways in. What is done with a hand (work.js and all that it needs) comes once
// the page is shown and the browser has nothing else to do, or when somebody is faster and asks for it.

import { idle, later, need, scriptAddress } from "./dom.js";
import { dressPage, t } from "./i18n.js";
import { problemCard } from "./problem.js";
import { applySettings, drawSettings, wasReferee } from "./settings.js";

/** @typedef {typeof import("./work.js")} Work */
/** @typedef {(work: Work) => unknown} Act what is done once that part is there */

/** @type {Promise<Work> | null} */
let loading = null;
/** The latest that waits for that part: a tap is not lost while it is on its way, nor when it cannot come. @type {Act | null} */
let waiting = null;

/** Whether the rest can be fetched: some browsers remember a module that could not be, and would not ask for it again. */
async function reachable() {
  const found = await fetch("/page/work.js");
  if (!found.ok) throw new Error(String(found.status));
}

async function load() {
  await reachable();
  const work = await import("./work.js");
  document.documentElement.classList.add("whole");
  return work;
}

function work() {
  if (!loading) {
    loading = load();
    loading.catch(() => (loading = null));
  }
  return loading;
}

/** What work.js is made of, each after those that it needs itself. */
const PARTS = ["store", "viewer", "answer", "sheet", "context", "share"];

/** Have that part there before it is asked for, in steps that are short enough for a tap between them. */
async function ahead() {
  try {
    await reachable();
    for (const part of PARTS) {
      await import(`./${part}.js`);
      await idle();
    }
    await work();
  } catch {
    // Who needs it asks for it again, and is told.
  }
}

/** Do something with a hand, as soon as the page can. @param {Act} act */
async function begin(act) {
  waiting = act;
  const early = !document.documentElement.classList.contains("whole");
  if (early) toast(t("loading"), true);
  let there;
  try {
    there = await work();
  } catch {
    if (waiting === act) unable();
    return;
  }
  if (waiting !== act) return;
  waiting = null;
  if (early) toast("");
  need("unable").replaceChildren();
  await act(there);
}

/** Say that what was asked for cannot be done yet. */
function unable() {
  toast("");
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  const code = navigator.onLine ? "unreachable" : "offline";
  need("unable").replaceChildren(problemCard({ code, title: "", detail: "", retry: true }));
}

function again() {
  if (waiting) begin(waiting);
}
document.addEventListener("retry", again);

/** A word that passes, or stays until the next. @param {string} text @param {boolean} [stays] */
function toast(text, stays = false) {
  const holder = need("toast");
  if (text) holder.textContent = text;
  holder.classList.toggle("shown", Boolean(text));
  clearTimeout(passing);
  if (text && !stays) passing = window.setTimeout(() => toast(""), 2600);
}
let passing = 0;
document.addEventListener("toast", (event) => toast(/** @type {CustomEvent} */ (event).detail));

// ------------------------------------------------------------------------------------------------ the ways in

/** @param {Blob | null | undefined} file */
function take(file) {
  if (file) begin((work) => work.take(file));
}

for (const id of ["camera", "camera-again", "file"]) {
  need(id).addEventListener("change", (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    take(input.files?.[0]);
    input.value = "";
  });
}
document.addEventListener("paste", (event) => {
  const file = [...(event.clipboardData?.files ?? [])][0];
  if (file) {
    event.preventDefault();
    take(file);
    return;
  }
  const text = event.clipboardData?.getData("text") ?? "";
  if (/^[\s[\]()+|0-9mpszfa]+$/.test(text) && /[0-9][mpsz]/.test(text) && !/** @type {Element} */ (event.target).closest("input")) begin((work) => work.byHand(text));
});
document.addEventListener("dragover", (event) => {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => !event.relatedTarget && document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  take(event.dataTransfer.files[0]);
});
need("by-hand").addEventListener("click", () => begin((work) => work.lay()));
need("example").addEventListener("click", () => begin((work) => work.example()));
window.addEventListener("hashchange", () => location.hash && begin((work) => work.openLink()));

// ------------------------------------------------------------------------------------------------ settings

need("open-settings").addEventListener("click", () => {
  drawSettings();
  need("settings").showModal();
});
need("referee-mode").addEventListener("change", () => {
  const wish = need("referee-mode").checked;
  begin((work) => work.referee(wish));
});

function askKey() {
  const dialog = need("key");
  if (!dialog.open) dialog.showModal();
}
need("open-key").addEventListener("click", askKey);
document.addEventListener("key", askKey);
need("key-keep").addEventListener("click", () => {
  const key = need("key-text").value.trim();
  need("key").close();
  begin((work) => work.useKey(key));
});

for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog"))) {
  // A tap that opens a dialog ends in a click on it: only a press that began beside its content closes it.
  let pressed = false;
  dialog.addEventListener("pointerdown", (event) => {
    pressed = event.target === dialog;
  });
  dialog.addEventListener("click", (event) => {
    if ((event.target === dialog && pressed) || /** @type {Element} */ (event.target).closest("[data-close]")) dialog.close();
  });
}

// ------------------------------------------------------------------------------------------------ offline

function drawOnline() {
  need("offline").hidden = navigator.onLine;
}
window.addEventListener("online", () => {
  drawOnline();
  again();
});
window.addEventListener("offline", drawOnline);

async function workOffline() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(scriptAddress("/sw.js"));
  } catch {
    // Private windows and plain http refuse it; the page then needs the network, and nothing else changes.
  }
}

// ------------------------------------------------------------------------------------------------ begin

dressPage();
applySettings();
drawOnline();
if (location.hash || wasReferee()) {
  await begin(async (work) => {
    if (wasReferee()) await work.referee(true);
    work.openLink();
  });
}
document.documentElement.classList.add("ready");

later([ahead, workOffline]);
