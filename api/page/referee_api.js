// What a referee asks of the public HTTP API: a verdict, evidence, the sheet, the ledger.

import { JSON_BODY, PHOTO_SECONDS, call, withPhoto } from "./api.js";

const SECONDS = 15;

/** @typedef {import("./types.d.ts").VerifyAnswer} VerifyAnswer */

/** @param {Response} response */
const blobOf = (response) => response.blob();

/** The verdict on a claim. @param {object} request @param {Blob | null} photo @returns {Promise<VerifyAnswer>} */
export function verify(request, photo) {
  if (photo) return call("/v1/verify", { method: "POST", body: withPhoto(photo, request) }, PHOTO_SECONDS);
  return call("/v1/verify", { method: "POST", headers: JSON_BODY, body: JSON.stringify(request) }, SECONDS);
}

/** The evidence as a zip. @param {object} request @param {Blob} photo @returns {Promise<Blob>} */
export const bundle = (request, photo) => call("/v1/bundles", { method: "POST", body: withPhoto(photo, request) }, PHOTO_SECONDS, undefined, blobOf);

/** @param {Blob} file */
const zipped = (file) => ({ method: "POST", headers: { "content-type": "application/zip" }, body: file });

/** The sheet to sign. @param {Blob} made a bundle @param {"a4" | "letter"} paper @returns {Promise<Blob>} */
export const sheet = (made, paper) => call(`/v1/sheets?paper=${paper}`, zipped(made), PHOTO_SECONDS, undefined, blobOf);

/** What can be said of a bundle. @param {Blob} file @returns {Promise<import("./types.d.ts").BundleAnswer>} */
export const check = (file) => call("/v1/bundles/check", zipped(file), PHOTO_SECONDS);

/** @returns {Promise<{matches: import("./types.d.ts").BriefMatch[]}>} */
export const matches = () => call("/v1/matches?limit=20", {}, SECONDS);

/**
 * A match with its entity tag: what was seen is what an entry may be added to.
 * @param {string} id
 * @returns {Promise<{tag: string, match: import("./types.d.ts").MatchAnswer}>}
 */
export const match = (id) =>
  call(`/v1/matches/${encodeURIComponent(id)}`, {}, SECONDS, undefined, async (response) => ({
    tag: response.headers.get("etag") ?? "",
    match: await response.json(),
  }));

/** @param {string} id @returns {Promise<{entries: import("./types.d.ts").LedgerEntry[]}>} */
export const entries = (id) => call(`/v1/matches/${encodeURIComponent(id)}/entries`, {}, SECONDS);

/** @param {string} id @returns {Promise<Blob>} */
export const csv = (id) => call(`/v1/matches/${encodeURIComponent(id)}/export.csv`, {}, SECONDS, undefined, blobOf);

/** What was asked last without an answer, and under which key. */
let open = { body: "", key: "" };

/**
 * Write to the ledger once, however often the network has it sent: what is asked again after no answer goes under
 * the same key.
 * @param {string} path @param {object} asked @param {Record<string, string>} [headers]
 */
async function write(path, asked, headers = {}) {
  const body = JSON.stringify(asked);
  const told = path + body + JSON.stringify(headers);
  if (open.body !== told) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    open = { body: told, key: [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("") };
  }
  const answer = await call(path, { method: "POST", headers: { ...JSON_BODY, "idempotency-key": open.key, ...headers }, body }, SECONDS);
  open = { body: "", key: "" };
  return answer;
}

/** @param {object} terms @param {string} by @returns {Promise<import("./types.d.ts").MatchAnswer>} */
export const begin = (terms, by) => write("/v1/matches", { match: terms, by });

/** @param {string} id @param {string} tag of the table that was seen @param {object} entry @param {string} by */
export const enter = (id, tag, entry, by) => write(`/v1/matches/${encodeURIComponent(id)}/entries`, { entry, by }, { "if-match": tag });
