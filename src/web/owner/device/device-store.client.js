// The data of this device in IndexedDB, by account: for use without a network, and the entries
// until the server has applied them. Functions for the scripts that it is joined with.

/** The account that is signed in on this device, or `out-` and the one that signed out. */
const keepsCookie = 'brickmark_keeps';
const keepsSeconds = 400 * 24 * 60 * 60;

const entriesMax = 1000;
const entriesAtOnce = 50;
/** How long to wait for the server: others wait meanwhile, to send or discard an entry. */
const sendMsMax = 30_000;

let openedDevice = null;

function openDevice() {
  openedDevice ??= new Promise((done, failed) => {
    const opening = indexedDB.open('brickmark', 1);
    opening.onupgradeneeded = () => {
      const db = opening.result;
      db.createObjectStore('kept', { keyPath: 'account' });
      db.createObjectStore('catalog', { keyPath: 'account' });
      db.createObjectStore('entries', { keyPath: 'id' }).createIndex('account', 'account');
    };
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => done(opening.result);
  });
  return openedDevice;
}

/** The result of a request in a transaction of one store or several, once it is written. */
async function inStore(names, mode, ask) {
  const db = await openDevice();
  return new Promise((done, failed) => {
    const transaction = db.transaction(names, mode, { durability: 'strict' });
    const request = ask(...[names].flat().map((name) => transaction.objectStore(name)));
    transaction.oncomplete = () => done(request.result);
    transaction.onabort = () => failed(transaction.error);
  });
}

const readFrom = (name, ask) => inStore(name, 'readonly', ask);
const writeTo = (name, ask) => inStore(name, 'readwrite', ask);

function readKeepsCookie() {
  return new RegExp(`(?:^|;\\s*)${keepsCookie}=([^;]*)`).exec(document.cookie)?.[1] ?? '';
}

/** An empty value deletes it. */
function setKeepsCookie(value) {
  const seconds = value === '' ? 0 : keepsSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API
  document.cookie = `${keepsCookie}=${value}; Path=/; SameSite=Lax; Max-Age=${seconds}`;
}

/** Other scripts of the page listen to `entries` on the document. */
function tellEntries() {
  document.dispatchEvent(new Event('entries'));
}

/**
 * The account of this page. The page for use without a network is the same for everyone: there it
 * is the account that was signed in last. Null if there is none.
 */
function deviceAccount() {
  const { account, offline } = document.documentElement.dataset;
  const id = Number(offline === undefined ? account : readKeepsCookie());
  return Number.isInteger(id) && id > 0 ? id : null;
}

/** The data kept for an account; null if there is none. */
async function findKept(account) {
  return (await readFrom('kept', (store) => store.get(account))) ?? null;
}

let loadedCatalog = null;

/** The catalog of an account, with its columns; null if this device has none. */
async function loadCatalog(account) {
  if (loadedCatalog?.account === account) return loadedCatalog;
  const found = await readFrom('catalog', (store) => store.get(account));
  if (!found) return null;
  const byCode = new Map();
  found.columns.codes.forEach((codes, row) => {
    for (const code of codes ? codes.split(' ') : []) if (!byCode.has(code)) byCode.set(code, row);
  });
  const keyAt = (number, row) => numberKey(itemTypes[found.columns.type[row]], number);
  const byNumber = new Map(found.columns.number.map((number, row) => [keyAt(number, row), row]));
  loadedCatalog = { ...found, byCode, byNumber };
  return loadedCatalog;
}

/** By the place of a type in the catalog. */
const itemTypes = ['set', 'minifig'];

/** The first variant of a set is usually written without its suffix. */
function numberKey(type, number) {
  return `${type} ${number.trim().toLowerCase().replace(/-1$/, '')}`;
}

/** A row of the catalog. Amounts are cents, or null; `asOf` is when they were computed. */
function itemOfRow({ columns, themes, at }, row) {
  return {
    type: itemTypes[columns.type[row]],
    number: columns.number[row],
    name: columns.name[row],
    theme: themes[columns.theme[row]] ?? '',
    year: columns.year[row],
    sealedCents: columns.sealed[row],
    usedCents: columns.used[row],
    maxBuySealedCents: columns.paySealed[row],
    maxBuyUsedCents: columns.payUsed[row],
    asOf: at,
  };
}

/** A barcode as 13 digits; null if it is none. */
function codeKey(code) {
  const digits = code.replaceAll(/\D/g, '');
  if (digits.length === 12) return `0${digits}`;
  return digits.length === 13 ? digits : null;
}

/** The item with a barcode, in the data of this device; null if there is none. */
async function findByCode(code) {
  const account = deviceAccount();
  const catalog = account === null ? null : await loadCatalog(account);
  const key = codeKey(code);
  if (catalog === null || key === null) return null;
  const own = (await findKept(account))?.data?.barcodes?.find(([each]) => each === key);
  const row = own ? catalog.byNumber.get(numberKey('set', own[1])) : catalog.byCode.get(key);
  return row === undefined ? null : itemOfRow(catalog, row);
}

/** A random UUID. Browsers make them themselves only for addresses with https. */
function newId() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Keeps an entry of this page's account until it is sent. */
async function addEntry(kind, fields) {
  const account = deviceAccount();
  if (account === null) throw new Error('Sign in first.');
  if ((await entries()).length >= entriesMax) {
    throw new Error(`This device has ${entriesMax} unsent entries. Send or discard some first.`);
  }
  const id = newId();
  const entry = { id, account, kind, fields, madeAt: Date.now(), reason: null };
  await writeTo('entries', (store) => store.add(entry));
  setKeepsCookie(String(account));
  tellEntries();
  return entry;
}

/** The unsent entries of an account, oldest first. */
async function entriesOf(account) {
  const found = await readFrom('entries', (store) => store.index('account').getAll(account));
  return found.sort((a, b) => a.madeAt - b.madeAt);
}

/** The unsent entries of this page's account, oldest first. `reason` says why one was refused. */
async function entries() {
  const account = deviceAccount();
  return account === null ? [] : entriesOf(account);
}

/** One at a time across all pages: what is being sent is not discarded, and not sent twice. */
function whileSending(work) {
  return navigator.locks ? navigator.locks.request('brickmark-entries', work) : work();
}

/** Resolves to false if the entry was sent meanwhile. */
function discardEntry(id) {
  return whileSending(async () => {
    const found = await readFrom('entries', (store) => store.get(id));
    if (found) await writeTo('entries', (store) => store.delete(id));
    tellEntries();
    return found !== undefined;
  });
}

/**
 * Changes an entry that was refused. It keeps its ID and time, by which the server knows whether it
 * was applied.
 */
async function changeEntry(id, fields) {
  const isDone = await whileSending(async () => {
    const found = await readFrom('entries', (store) => store.get(id));
    const changed = { ...found, fields, reason: null, faults: {} };
    if (found) await writeTo('entries', (store) => store.put(changed));
    return found !== undefined;
  });
  tellEntries();
  if (!isDone) throw new Error('It was already sent or discarded.');
}

/** The signed-in account with the token of forms; null without a session. */
async function readSession() {
  const response = await fetchInTime('/device/session');
  if (response.type === 'opaqueredirect') return null;
  checkAnswer(response);
  return response.json();
}

function fetchInTime(path, how = {}) {
  // Safari 15 waits as long as it likes.
  const signal = AbortSignal.timeout?.(sendMsMax);
  return fetch(path, { redirect: 'manual', cache: 'no-store', signal, ...how });
}

function checkAnswer({ ok, status }) {
  if (ok) return;
  if (status === 429) throw new Error('The server is busy. Try again in a minute.');
  throw new Error(`The server failed with error ${status}. Try again later.`);
}

/** The sentence for an error: those of these scripts have one. */
function problemOf(error) {
  if (error.name === 'Error') return error.message;
  if (error.name === 'QuotaExceededError') return 'There is no space left on this device.';
  const isTimeout = error.name === 'TimeoutError';
  if (error instanceof DOMException && !isTimeout) return 'This browser could not store it.';
  return 'The server could not be reached. Try again when there is a signal.';
}

/**
 * Sends the unsent entries of the signed-in account. The server applies each once, so that it is
 * safe to send them again after an answer was lost. Resolves to how many were applied, refused and
 * are still waiting; `problem` is the sentence to show if sending failed, or null.
 */
async function sendEntries() {
  const result = await whileSending(sendAll);
  tellEntries();
  return result;
}

/** Sends an entry with the others. Resolves to it if it is still here, else to null. */
async function sendEntry(id) {
  await sendEntries();
  return (await entries()).find((entry) => entry.id === id) ?? null;
}

/** Others that are still here may have been applied, and their answers lost. */
function isRefused({ reason, hasFailed }) {
  return Boolean(reason) && !hasFailed;
}

async function sendAll() {
  let sent = 0;
  const account = deviceAccount();
  const left = async (problem) => {
    const waiting = account === null ? [] : await entriesOf(account);
    const refused = waiting.filter(({ reason }) => reason !== null).length;
    return { sent, refused, waiting: waiting.length - refused, problem };
  };
  try {
    const session = await readSession();
    if (session === null) return left(null);
    const waiting = await entriesOf(session.account);
    while (waiting.length > 0) {
      sent += await sendSome(session, waiting.splice(0, entriesAtOnce));
    }
    return left(null);
  } catch (error) {
    return left(problemOf(error));
  }
}

/** Returns how many were applied. */
async function sendSome({ account, token }, some) {
  const list = some.map(({ id, kind, madeAt, fields }) => ({ ...fields, id, kind, madeAt }));
  const body = new URLSearchParams({
    token,
    account: String(account),
    sent_at: String(Date.now()),
    entries: JSON.stringify(list),
  });
  const response = await fetchInTime('/device/entries', { method: 'POST', body });
  checkAnswer(response);
  const { results } = await response.json();
  const byId = new Map(results.map((result) => [result.id, { hasFailed: false, ...result }]));
  const applied = some.filter(({ id }) => byId.get(id)?.reason === null);
  const refused = some.filter(({ id }) => byId.get(id)?.reason);
  await writeTo('entries', (store) => {
    for (const { id } of applied) store.delete(id);
    for (const entry of refused) store.put({ ...entry, ...byId.get(entry.id) });
    return store.count();
  });
  return applied.length;
}

const shellCache = 'brickmark-shell';

/** Unsent entries of accounts that did not return for this long are deleted. */
const abandonedMs = 120 * 24 * 60 * 60 * 1000;

/** Deletes everything of the account that signed out, before anything is shown. */
async function forgetSignedOut() {
  const [, account] = /^out-(\d+)$/.exec(readKeepsCookie()) ?? [];
  if (account !== undefined) await forgetAccount(Number(account));
}

/** Deletes everything of an account, also what is unsent. */
async function forgetAccount(account) {
  await writeTo('kept', (store) => store.delete(account));
  await writeTo('catalog', (store) => store.delete(account));
  const unsent = await entriesOf(account);
  await writeTo('entries', (store) => {
    for (const { id } of unsent) store.delete(id);
    return store.count();
  });
  loadedCatalog = null;
  tellEntries();
  await tidyDevice();
}

/**
 * Deletes the data of all accounts except one, which is null if nobody is signed in. Unsent entries
 * stay, hidden, until their account signs in again: they are nowhere else.
 */
async function forgetOthers(account) {
  const kept = await readFrom('kept', (store) => store.getAll());
  for (const { account: other, data } of kept) {
    if (other === account || !data) continue;
    await writeTo('kept', (store) => store.put({ account: other, data: null }));
    await writeTo('catalog', (store) => store.delete(other));
  }
  const all = await readFrom('entries', (store) => store.getAll());
  const isAbandoned = (entry) =>
    entry.account !== account && Date.now() - entry.madeAt > abandonedMs;
  await writeTo('entries', (store) => {
    for (const { id } of all.filter(isAbandoned)) store.delete(id);
    return store.count();
  });
}

/** Removes the page for use without a network if no account wants it, and the cookie at last. */
async function tidyDevice() {
  const kept = await readFrom('kept', (store) => store.count());
  const unsent = await readFrom('entries', (store) => store.count());
  if (kept === 0) {
    await globalThis.caches?.delete(shellCache);
    const registration = await navigator.serviceWorker?.getRegistration('/');
    await registration?.unregister();
  }
  setKeepsCookie(kept + unsent > 0 ? String(deviceAccount() ?? 0) : '');
}

/** Keeps data of this page's account from now on, and the page that shows it without a network. */
async function keepDevice() {
  const account = deviceAccount();
  await writeTo('kept', (store) => store.put({ account, data: null }));
  setKeepsCookie(String(account));
  await navigator.serviceWorker.register('/service-worker.js');
  const { active } = await navigator.serviceWorker.ready;
  const { data: isFilled } = await new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    active.postMessage('keep', [port2]);
  });
  if (!isFilled) {
    await writeTo('kept', (store) => store.delete(account));
    throw new Error('Not everything arrived. Try again.');
  }
  // The browser may delete the data of sites that it thinks are unused.
  await navigator.storage?.persist?.();
  await refreshDevice();
}

/** Fetches what changed. Does nothing if this device keeps nothing for the signed-in account. */
async function refreshDevice() {
  const session = await readSession();
  await forgetOthers(session?.account ?? null);
  if (session === null) return;
  const { account } = session;
  if ((await findKept(account)) === null) return;
  const data = await readPacked('/device/data');
  const catalog = data.hasCatalog ? await fetchCatalog(account) : null;
  if (data.account !== account || (catalog ?? data).account !== account) return;
  const { theme = null } = document.documentElement.dataset;
  await replaceKept({ account, data, theme, fetchedAt: Date.now() }, catalog);
}

/** Does nothing if the account signed out meanwhile, in another tab. */
async function replaceKept(kept, catalog) {
  const { account } = kept;
  await writeTo(['kept', 'catalog'], (keptStore, catalogStore) => {
    const found = keptStore.get(account);
    found.onsuccess = () => {
      if (!found.result) return;
      keptStore.put(kept);
      if (catalog === null) catalogStore.delete(account);
      else catalogStore.put(catalog);
    };
    return found;
  });
  loadedCatalog = null;
}

async function readPacked(path) {
  const response = await fetch(path, { redirect: 'manual', cache: 'no-store' });
  checkAnswer(response);
  const unpacked = response.body.pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).json();
}

async function fetchCatalog(account) {
  const old = (await readFrom('catalog', (store) => store.get(account))) ?? null;
  const version = encodeURIComponent(old?.version ?? '');
  const fresh = await readPacked(`/device/catalog?version=${version}`);
  return fresh.isWhole || old === null ? fresh : mergeCatalog(old, fresh);
}

/** The old catalog with changed and new rows. */
function mergeCatalog(old, fresh) {
  const themes = [...old.themes];
  const columns = { ...old.columns };
  const nameAt = ({ type, number }, row) => `${type[row]} ${number[row]}`;
  const places = new Map(columns.number.map((_, row) => [nameAt(columns, row), row]));
  fresh.columns.number.forEach((_, row) => {
    const place = places.get(nameAt(fresh.columns, row)) ?? columns.number.length;
    for (const name of Object.keys(columns)) columns[name][place] = fresh.columns[name][row];
    const theme = fresh.themes[fresh.columns.theme[row]];
    if (!themes.includes(theme)) themes.push(theme);
    columns.theme[place] = themes.indexOf(theme);
  });
  return { ...fresh, themes, columns };
}
