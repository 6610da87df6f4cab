// A hand as a link (all of it after the #, so that no server sees it), as a picture, and on paper.

import { changes, emptyHand, handFrom, notation, parse } from "./hand.js";
import { figure, verdict } from "./answer.js";
import { el, keep, need } from "./dom.js";
import { language, named, points, t } from "./i18n.js";
import { profileNow, state } from "./store.js";
import { BACK, SUITS, nameOf, rankOf, suitOf } from "./tiles.js";

/** The address under which somebody else sees this hand and its score. */
export function link() {
  const words = new URLSearchParams();
  words.set("hand", notation(state.hand));
  words.set("rules", state.rules);
  const { win, seat, round, flags } = state.context;
  if (win) words.set("win", win);
  if (seat) words.set("seat", seat);
  if (round) words.set("round", round);
  if (flags.length) words.set("flags", flags.join("."));
  if (state.table.discarder) words.set("discarder", state.table.discarder);
  if (state.table.unit !== 1) words.set("unit", String(state.table.unit));
  for (const [name, value] of Object.entries(state.options[state.rules] ?? {})) words.set(`o.${name}`, JSON.stringify(value));
  const profile = profileNow();
  if (profile) words.set("profile", profile);
  if (changes(state.seen, state.hand).length && state.reading) words.set("seen", state.reading.hand);
  return `${location.origin}/#${words}`;
}

/** Take up the hand of a link. @param {string} fragment @returns {boolean} whether there was one */
export function open(fragment) {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const hand = words.get("hand");
  if (!hand) return false;
  /** @param {string} name */
  const wind = (name) => (/^[1-4]z$/.test(words.get(name) ?? "") ? words.get(name) : null);
  state.hand = /[0-9][mpszfa]/.test(hand) ? handFrom(hand) : emptyHand();
  state.rules = words.get("rules") ?? state.rules;
  const win = words.get("win");
  state.context = {
    win: win === "discard" || win === "self_draw" || win === "rob_kong" ? win : null,
    seat: wind("seat"),
    round: wind("round"),
    flags: (words.get("flags") ?? "").split(".").filter(Boolean),
  };
  state.table = { discarder: wind("discarder"), unit: Number(words.get("unit")) || 1 };
  /** @type {Record<string, any>} */
  const options = {};
  for (const [name, value] of words) {
    try {
      if (name.startsWith("o.")) options[name.slice(2)] = JSON.parse(value);
    } catch {
      // A house rule that cannot be read is none; the answer shows which ones it used.
    }
  }
  state.options = { ...state.options, [state.rules]: options };
  const profile = words.get("profile")?.slice(0, 40);
  state.lent = profile ? { name: profile, options } : null;
  return true;
}

/** Give a link to another app, or to the clipboard. @returns {Promise<string>} what was done, for the person */
export async function shareLink() {
  const url = link();
  if (navigator.share) {
    try {
      await navigator.share({ title: document.title, url });
      return "";
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return "";
    }
  }
  await navigator.clipboard.writeText(url);
  return t("share.copied");
}

// ------------------------------------------------------------------------------------------------ a picture

const COLUMNS = 9;

/** Place of a face on the sheet that tiles.svg shows when it is opened as a picture. @param {string} code */
function onSheet(code) {
  const rows = { m: 0, p: 1, s: 2, z: 3, f: 4, a: 5, x: 6 };
  const row = rows[/** @type {keyof typeof rows} */ (suitOf(code))];
  return { x: (code === BACK ? 0 : rankOf(code) - 1) * 320 + 10, y: row * 420 + 10 };
}

/** @returns {Promise<HTMLImageElement>} */
async function sheet() {
  const image = new Image();
  image.src = "/page/tiles.svg";
  await image.decode();
  return image;
}

/** @param {CanvasRenderingContext2D} pen @param {HTMLImageElement} image @param {string} code @param {number} x @param {number} y @param {number} wide */
function paint(pen, image, code, x, y, wide) {
  const high = (wide * 4) / 3;
  const from = onSheet(code);
  const unit = image.naturalWidth / (COLUMNS * 320);
  pen.fillStyle = "#12694a";
  pen.beginPath();
  pen.roundRect(x, y + high * 0.07, wide, high, wide * 0.13);
  pen.fill();
  pen.drawImage(image, from.x * unit, from.y * unit, 300 * unit, 400 * unit, x, y, wide, high);
}

/** The hand and its score as a picture. @returns {Promise<Blob>} */
export async function picture() {
  const image = await sheet();
  const wide = 1080;
  const canvas = el("canvas", { width: wide, height: 2600 });
  const pen = canvas.getContext("2d");
  const answer = state.answer;
  if (!pen || !answer) throw new Error("nothing to draw yet");
  const font = (/** @type {number} */ size, /** @type {number} */ weight = 400) => `${weight} ${size}px system-ui, "Noto Sans CJK TC", "PingFang TC", sans-serif`;
  pen.fillStyle = "#f7f4ec";
  pen.fillRect(0, 0, wide, canvas.height);
  const parts = parse(notation(state.hand));
  /** @type {string[][]} */
  const runs = [...parts.melds.map((meld) => (meld.concealed ? [BACK, meld.tiles[0], meld.tiles[0], BACK] : meld.tiles)), parts.standing];
  if (parts.winning) runs.push([parts.winning]);
  if (parts.bonus.length) runs.push(parts.bonus);
  const size = 84;
  /** @type {{codes: string[], x: number, y: number}[]} */
  const laid = [];
  let [x, y] = [60, 60];
  for (const codes of runs) {
    for (let rest = codes; rest.length; ) {
      const fits = Math.max(1, Math.floor((wide - 60 - x) / (size + 4)));
      if (x > 60 && fits < Math.min(rest.length, 4)) {
        [x, y] = [60, y + 148];
        continue;
      }
      laid.push({ codes: rest.slice(0, fits), x, y });
      x += Math.min(fits, rest.length) * (size + 4);
      rest = rest.slice(fits);
      if (rest.length) [x, y] = [60, y + 148];
    }
    x += 34;
  }
  y += 160;
  const felt = pen.createLinearGradient(0, 0, 0, y);
  felt.addColorStop(0, "#1b6a4c");
  felt.addColorStop(1, "#0e4c36");
  pen.fillStyle = felt;
  pen.fillRect(0, 0, wide, y + 20);
  for (const { codes, x: from, y: at } of laid) codes.forEach((code, place) => paint(pen, image, code, from + place * (size + 4), at, size));
  y += 120;
  pen.fillStyle = "#17201b";
  pen.font = font(76, 700);
  pen.fillText(figure(answer), 60, y);
  y += 58;
  pen.font = font(32);
  pen.fillStyle = verdict(answer).kind === "good" ? "#11694a" : "#9a3412";
  pen.fillText(verdict(answer).text, 60, y, wide - 120);
  y += 76;
  for (const fan of answer.fans) {
    pen.fillStyle = "#17201b";
    pen.font = font(36, 500);
    pen.fillText(named(fan.name), 60, y, wide - 260);
    pen.textAlign = "right";
    pen.font = font(36, 700);
    pen.fillText(fan.times > 1 ? `${fan.points} × ${fan.times}` : String(fan.points), wide - 60, y);
    pen.textAlign = "left";
    pen.fillStyle = "#ddd6c6";
    pen.fillRect(60, y + 20, wide - 120, 2);
    y += 64;
  }
  pen.fillStyle = "#5b645e";
  pen.font = font(28);
  const told = [t(`rules.${answer.rules}`), profileNow(), state.context.win && t(`win.${state.context.win}`), state.context.seat && `${t("ask.seat")}: ${nameOf(state.context.seat)}`, state.context.round && `${t("ask.round")}: ${nameOf(state.context.round)}`];
  pen.fillText(told.filter(Boolean).join(" · "), 60, y + 12, wide - 120);
  const edits = changes(state.seen, state.hand).length;
  if (edits) pen.fillText(t("share.changed", { n: edits }), 60, (y += 44) + 12, wide - 120);
  if (answer.settlement) {
    const sums = Object.entries(answer.settlement.payments).map(([seat, sum]) => `${nameOf(seat)} ${sum > 0 ? "+" : ""}${sum}`);
    pen.fillText(sums.join("   "), 60, (y += 44) + 12, wide - 120);
  }
  const whole = el("canvas", { width: wide, height: y + 60 });
  whole.getContext("2d")?.drawImage(canvas, 0, 0);
  return new Promise((done, failed) => whole.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
}

/** Give the picture to another app, or keep it as a file. */
export async function sharePicture() {
  const file = new File([await picture()], "mahjong-hand.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] }) && matchMedia("(pointer: coarse)").matches) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return;
    }
  }
  keep(file, file.name);
}

/** Have the buttons do it. @param {(text: string) => void} toast */
export function listen(toast) {
  for (const [id, act] of /** @type {const} */ ([["share-link", shareLink], ["share-picture", sharePicture]])) {
    need(id).addEventListener("click", async () => {
      try {
        toast((await act()) ?? "");
      } catch {
        toast(t("share.failed"));
      }
    });
  }
  need("print").addEventListener("click", print);
}

/** On paper: who signs, and when. */
export function print() {
  const stamp = document.getElementById("print-stamp");
  if (stamp) {
    const when = new Intl.DateTimeFormat(language(), { dateStyle: "long", timeStyle: "short" }).format(new Date());
    stamp.textContent = `${[when, t(`rules.${state.rules}`), profileNow()].filter(Boolean).join(" · ")} · ${notation(state.hand)}${state.answer ? ` · ${points(state.rules, state.answer.total)}` : ""}`;
  }
  window.print();
}

// The order of the suits on the sheet is the one of SUITS; a change there must be made here too.
if (SUITS.join("") !== "mpszfa") throw new Error("the sheet of faces has another order");
