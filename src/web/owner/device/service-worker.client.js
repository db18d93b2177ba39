// The page for use without a network, on devices that keep data. Other pages always come from the
// server, and are never stored.
const shell = 'brickmark-shell';
const paths = SHELL_PATHS;

// After an update of the server, the page and its files have other versions.
addEventListener('install', (event) => {
  event.waitUntil(caches.has(shell).then((isKept) => (isKept ? fill() : undefined)));
  skipWaiting();
});

addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('message', (event) => {
  const { data, ports } = event;
  if (data === 'keep') event.waitUntil(fill().finally(() => ports[0].postMessage('done')));
});

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
  const kept = () => caches.match(isPage ? '/offline' : pathname, { cacheName: shell });
  event.respondWith(fetch(request).catch(async (error) => (await kept()) ?? Promise.reject(error)));
});
