// The public HTTP API, with deadlines, and its problems as values that the page can show.

/** @typedef {import("./types.d.ts").Problem} Problem */

/** A refusal by the service, or no answer at all. */
export class ApiProblem extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

const KEY = "mahjong-reader.key";

/** Remember the key that the service asks for. @param {string} key */
export function rememberKey(key) {
  if (key) localStorage.setItem(KEY, key);
  else localStorage.removeItem(KEY);
}

/**
 * Ask the service. Raises ApiProblem.
 * @param {string} path
 * @param {RequestInit} asked
 * @param {number} seconds
 * @param {AbortSignal} [stop]
 * @param {(response: Response) => Promise<any>} [read] what is made of the answer
 */
export async function call(path, asked, seconds, stop, read = (response) => response.json()) {
  const signals = [AbortSignal.timeout(seconds * 1000), ...(stop ? [stop] : [])];
  const headers = new Headers(asked.headers);
  const key = localStorage.getItem(KEY);
  if (key) headers.set("authorization", `Bearer ${key}`);
  let response;
  try {
    response = await fetch(path, { ...asked, headers, signal: AbortSignal.any(signals) });
    if (response.ok) return await read(response);
  } catch (error) {
    if (stop?.aborted) throw error;
    const late = error instanceof DOMException && error.name === "TimeoutError";
    const code = late ? "timeout" : navigator.onLine ? "unreachable" : "offline";
    throw new ApiProblem({ code, title: "", detail: "", retry: true });
  }
  throw new ApiProblem(await problemOf(response));
}

/** @param {Response} response @returns {Promise<Problem>} */
async function problemOf(response) {
  const retry = response.status === 429 || response.status >= 500 || response.status === 408;
  try {
    const said = await response.json();
    return { code: said.code ?? "internal", title: said.title ?? "", detail: said.detail ?? "", retry };
  } catch {
    return { code: "internal", title: response.statusText, detail: String(response.status), retry };
  }
}

/** Seconds after which a photo is given up. */
export const PHOTO_SECONDS = 30;
export const JSON_BODY = { "content-type": "application/json" };

/** A photo with what is asked of it. @param {Blob} photo @param {object} request */
export function withPhoto(photo, request) {
  const form = new FormData();
  form.append("image", photo, "photo");
  form.append("request", new Blob([JSON.stringify(request)], { type: JSON_BODY["content-type"] }));
  return form;
}

/**
 * Read a photo and score its hand. The sending is watched: a photo over a phone's network takes a while.
 * @param {Blob} image
 * @param {object} request
 * @param {AbortSignal} stop
 * @param {(share: number) => void} progress share 0..1 of the photo that was sent
 * @returns {Promise<import("./types.d.ts").HandAnswer>}
 */
export async function readHand(image, request, stop, progress) {
  const form = withPhoto(image, request);
  for (let tries = 1; ; tries += 1) {
    const response = await send("/v1/hands", form, stop, progress);
    if (response.ok) return response.json();
    const problem = await problemOf(response);
    // Busy, or still loading: it says so within milliseconds, and a moment later it may have time.
    if (response.status !== 503 || tries === 4) throw new ApiProblem(problem);
    const wait = Math.min(5, Number(response.headers.get("retry-after")) || 1);
    await new Promise((done) => setTimeout(done, wait * 1000));
    stop.throwIfAborted();
  }
}

/**
 * @param {string} path @param {FormData} form @param {AbortSignal} stop @param {(share: number) => void} progress
 * @returns {Promise<Response>}
 */
function send(path, form, stop, progress) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.timeout = PHOTO_SECONDS * 1000;
    const key = localStorage.getItem(KEY);
    if (key) request.setRequestHeader("authorization", `Bearer ${key}`);
    /** @param {string} code */
    const fail = (code) => failed(new ApiProblem({ code, title: "", detail: "", retry: true }));
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () => {
      const headers = { "retry-after": request.getResponseHeader("retry-after") ?? "" };
      done(new Response(request.responseText, { status: request.status, statusText: request.statusText, headers }));
    };
    request.onerror = () => fail(navigator.onLine ? "unreachable" : "offline");
    request.ontimeout = () => fail("timeout");
    request.onabort = () => failed(new DOMException("stopped", "AbortError"));
    stop.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}

/**
 * @param {object} request
 * @param {AbortSignal} [stop]
 * @returns {Promise<import("./types.d.ts").ScoreAnswer>}
 */
export function score(request, stop) {
  return call("/v1/score", { method: "POST", headers: JSON_BODY, body: JSON.stringify(request) }, 15, stop);
}

/** @type {Map<string, Promise<import("./types.d.ts").Ruleset>>} */
const tables = new Map();

/** The table of a rule set; asked for once. @param {string} id */
export function ruleset(id) {
  let found = tables.get(id);
  if (!found) {
    found = call(`/v1/rulesets/${encodeURIComponent(id)}`, {}, 10);
    found.catch(() => tables.delete(id));
    tables.set(id, found);
  }
  return found;
}

/** @returns {Promise<{rulesets: {id: string, name: import("./types.d.ts").Names, minimum: number}[]}>} */
export function rulesets() {
  return call("/v1/rulesets", {}, 10);
}
