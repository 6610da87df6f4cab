// Keeps the page for when there is no network. The service's own answers about a hand are never kept: only the
// tables of the rule sets are, which do not change while a service runs.

const KEPT = "mahjong-reader";
const PAGE = [
  "/",
  ...["style.css", "app.js", "answer.js", "api.js", "board.js", "context.js", "dom.js", "hand.js", "hans.js", "house.js", "i18n.js"].map((name) => `/page/${name}`),
  ...["options.js", "payments.js", "photo.js", "problem.js", "settings.js", "share.js", "sheet.js", "shrink.js", "store.js", "tiles.js", "viewer.js", "words.js", "work.js"].map((name) => `/page/${name}`),
  ...["tiles.svg", "welcome.svg", "icon.svg", "icon-192.png", "app.webmanifest"].map((name) => `/page/${name}`),
];
const TABLES = ["/v1/rulesets", "hk", "mcr", "tvb", "singapore"].map((id, at) => (at ? `/v1/rulesets/${id}` : id));

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(KEPT).then(async (cache) => {
      await cache.addAll(PAGE);
      await Promise.allSettled(TABLES.map((path) => cache.add(path)));
      await self.skipWaiting();
    }),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const ours = pathname === "/" || pathname.startsWith("/page/") || pathname.startsWith("/v1/rulesets");
  if (method !== "GET" || origin !== self.location.origin || !ours) return;
  event.respondWith(fresh(event.request, pathname));
});

/** From the network, and from what was kept where the network has nothing within two seconds. */
async function fresh(request, pathname) {
  const cache = await caches.open(KEPT);
  const asked = fetch(request).then(async (response) => {
    if (response.ok) await cache.put(pathname, response.clone());
    return response;
  });
  const kept = await cache.match(pathname);
  if (!kept) return asked;
  const late = new Promise((done) => setTimeout(() => done(kept), 2000));
  return Promise.race([asked.catch(() => kept), late]);
}
