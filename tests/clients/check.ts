// A client of the service, typed by what openapi-typescript made of its description.
import createClient from "openapi-fetch";
import type { components, paths } from "./generated.js";

const client = createClient<paths>({ baseUrl: process.argv[2]! });

const request: components["schemas"]["ScoreRequestBody"] = {
  hand: "[123m] 456789m 23p 55s +1p",
  rules: "mcr",
  context: { win: "discard", seat: "2z", round: "1z" },
  table: { winner: "2z", discarder: "1z" },
};
const scored = await client.POST("/v1/score", { body: request });
if (scored.error) throw new Error(`${scored.error.code}: ${scored.error.detail}`);
const fans: string[] = scored.data.fans.map((fan) => `${fan.name.en} ${fan.points}`);

const photo = new Blob([new Uint8Array([120])], { type: "image/jpeg" });
const form = new FormData();
form.set("image", photo, "hand.jpg");
form.set("request", JSON.stringify({ rules: "hk" } satisfies components["schemas"]["HandRequestBody"]));
const read = await client.POST("/v1/hands", {
  body: { image: "" },
  bodySerializer: () => form,
});
if (read.error) throw new Error(`${read.error.code}: ${read.error.detail}`);

const refused = await client.POST("/v1/score", { body: { ...request, rules: "riichi" } });
const code: string | undefined = refused.error?.code;

console.log(JSON.stringify({ total: scored.data.total, fans, hand: read.data.reading.hand, code }));
