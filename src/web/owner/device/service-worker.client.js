// The page for use without a network, on devices that keep data. Other pages always come from the
// server, and are never stored.
const shell = 'brickmark-shell';
const paths = SHELL_PATHS;
/** How long a device that keeps the page waits for another one. */
const patienceMs = 6_000;

// After an update of the server, the page and its files have other versions.
addEventListener('install', (event) => {
  event.waitUntil(caches.has(shell).then((isKept) => (isKept ? fill() : undefined)));
  skipWaiting();
});

addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('message', (event) => {
  if (event.data === 'keep') event.waitUntil(keep(event.ports[0]));
});

/** Says whether the page and all its files were stored. */
async function keep(port) {
  const isFilled = await fill().then(
    () => true,
    () => false,
  );
  port.postMessage(isFilled);
}

async function fill() {
  const cache = await caches.open(shell);
  await cache.addAll(paths.map((path) => new Request(path, { cache: 'reload' })));
  for (const request of await cache.keys()) {
    if (!paths.includes(new URL(request.url).pathname)) await cache.delete(request);
  }
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const isPage = request.mode === 'navigate';
  if (!isPage && !paths.includes(pathname)) return;
  event.respondWith(answer(request, isPage));
});

function answer(request, isPage) {
  const path = isPage ? '/offline' : new URL(request.url).pathname;
  const kept = caches.match(path, { cacheName: shell });
  // The names of files change with their content.
  if (!isPage) return kept.then((found) => found ?? fetch(request));
  const fetched = fetch(request).catch(async (error) => (await kept) ?? Promise.reject(error));
  // With a weak signal, a browser itself may wait for minutes.
  const patience = new Promise((done) => setTimeout(done, patienceMs));
  return Promise.race([fetched, patience.then(async () => (await kept) ?? fetched)]);
}
