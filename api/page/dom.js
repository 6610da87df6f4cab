// Making elements: no text ever becomes markup.

/**
 * An element with properties, attributes, listeners and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [given] `class`, `onclick`, `aria-label`, ...; false and null leave an attribute out.
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  dress(made, given);
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      made.append(child instanceof Node ? child : String(child));
    }
  }
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [given]
 * @param {...(Node | string | null | false)} children
 * @returns {SVGElement}
 */
export function svg(tag, given = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  dress(made, given);
  for (const child of children) if (child) made.append(child);
  return made;
}

/** @param {Element} made @param {Record<string, any>} given */
function dress(made, given) {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * The element with this id, which must be there.
 * @param {string} id
 * @returns {any}
 */
export function need(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * A small drawn sign (camera, share, ...), hidden from screen readers: the text beside it says what it is.
 * @param {string} name id of a symbol in the page
 */
export function sign(name) {
  return svg("svg", { class: "sign", "aria-hidden": "true" }, svg("use", { href: `#s-${name}` }));
}

/**
 * A way of drawing that waits while a finger is down on what would be drawn anew: a button that is replaced between
 * press and release loses its click.
 * @param {HTMLElement} holder
 * @param {() => void} draw
 */
export function patiently(holder, draw) {
  let pressed = false;
  let waiting = false;
  const lift = () => {
    if (!pressed) return;
    setTimeout(() => {
      pressed = false;
      if (waiting) draw();
      waiting = false;
    });
  };
  holder.addEventListener("pointerdown", () => (pressed = true));
  document.addEventListener("pointerup", lift);
  document.addEventListener("pointercancel", lift);
  return () => {
    if (pressed) waiting = true;
    else draw();
  };
}

/** @type {any} */
const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("page", { createScriptURL: (/** @type {string} */ url) => url });

/** The address of a worker, in the form in which the browser accepts it from this page. @param {string} path @returns {string} */
export function scriptAddress(path) {
  return policy ? policy.createScriptURL(path) : path;
}

/** Keep what was made as a file. @param {Blob} blob @param {string} name */
export function keep(blob, name) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {string} kind @param {any} detail */
export function say(kind, detail = null) {
  document.dispatchEvent(new CustomEvent(kind, { detail }));
}

/** Until the browser has nothing else to do. @returns {Promise<unknown>} */
export function idle() {
  return new Promise((done) => {
    if ("requestIdleCallback" in window) requestIdleCallback(done, { timeout: 3000 });
    else setTimeout(done, 300);
  });
}

/** What nobody waits for, one thing after another, each when the browser is idle. @param {(() => unknown)[]} acts */
export async function later(acts) {
  for (const act of acts) {
    await idle();
    await act();
  }
}
