// Scans barcodes with the camera, or takes typed ones, and lists their sets. Recordings go
// through the entries of the device, with and without a signal.
const page = document.querySelector('[data-scan]');
const part = (name, within = page) => within.querySelector(`[data-${name}]`);

/** A code that stays in view counts once. */
const againMs = 3_000;
const betweenMs = 100;
/** How long to wait for the server: less if the device knows the set itself. */
const askMs = { usual: 8_000, known: 1_500 };
/** Wide enough for the bars of a box that fills half of the picture. */
const widthMax = 960;

// The barcode with 13 digits; null if it is none, or its check digit is wrong.
function barcodeOf(text) {
  if (!/^\d{12,13}$/.test(text)) return null;
  const digits = text.padStart(13, '0');
  const sum = [...digits].reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0 ? digits : null;
}

// A decoder turns the current picture of a video into texts: the browser's own one, or else ours,
// which is loaded only then.
async function makeDecoder() {
  const formats = (await globalThis.BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  if (!formats.includes('ean_13')) return makeOwnDecoder();
  const known = ['ean_13', 'upc_a'].filter((format) => formats.includes(format));
  const detector = new BarcodeDetector({ formats: known });
  return async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue);
}

let isOwnDecoder = false;

async function makeOwnDecoder() {
  isOwnDecoder = true;
  const { reader, wasm } = camera.dataset;
  const { prepareZXingModule, readBarcodes } = await import(reader);
  const overrides = { locateFile: () => wasm };
  await prepareZXingModule({ overrides, fireImmediately: true });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, widthMax / video.videoWidth);
    canvas.width = video.videoWidth * scale;
    canvas.height = video.videoHeight * scale;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const picture = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = await readBarcodes(picture, { formats: ['EAN-13', 'UPC-A'] });
    return found.map(({ text }) => text);
  };
}

// The camera. It stops while the page is hidden.
const camera = document.querySelector('[data-reader]');
const video = camera.querySelector('video');
const hint = part('said', camera).textContent;
let decode = null;
let stream = null;
let isWanted = false;

function say(text) {
  part('said', camera).textContent = text;
}

const refusals = {
  NotAllowedError:
    'The camera is blocked. Allow it for this site in your browser, or type the code.',
  NotFoundError: 'There is no camera. Type the code.',
  NotReadableError: 'Another app is using the camera. Close it, or type the code.',
};

async function start() {
  isWanted = true;
  if (stream) return;
  if (!navigator.mediaDevices) {
    return say('Browsers open the camera only for addresses with https. Type the code.');
  }
  part('start').disabled = true;
  try {
    const size = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } };
    stream = await navigator.mediaDevices.getUserMedia({ video: size });
    video.srcObject = stream;
    await video.play();
    say('Loading the scanner…');
    decode ??= await makeDecoder();
    showCamera();
    say(hint);
    watch(stream).catch(giveUp);
  } catch (error) {
    giveUp(error);
  }
  part('start').disabled = false;
}

function giveUp({ name }) {
  stop();
  say(refusals[name] ?? 'The scanner could not be started. Type the code.');
}

function stop() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  video.srcObject = null;
  showCamera();
}

function showCamera() {
  const [track] = stream?.getVideoTracks() ?? [];
  part('start').hidden = stream !== null;
  part('stop').hidden = stream === null;
  part('torch').hidden = !track?.getCapabilities?.().torch;
  part('torch').ariaPressed = 'false';
}

async function watch(watched) {
  while (stream === watched) {
    try {
      for (const text of await decode(video)) see(text);
    } catch (error) {
      if (stream !== watched) return;
      if (isOwnDecoder) throw error;
      // The browser announces a detector that does not work.
      decode = await makeOwnDecoder();
    }
    await new Promise((resolve) => setTimeout(resolve, betweenMs));
  }
}

part('start').addEventListener('click', start);
part('stop').addEventListener('click', () => {
  isWanted = false;
  stop();
});
part('torch').addEventListener('click', async ({ currentTarget: button }) => {
  const torch = button.ariaPressed === 'false';
  const [track] = stream.getVideoTracks();
  await track.applyConstraints({ advanced: [{ torch }] });
  button.ariaPressed = String(torch);
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) stop();
  else if (isWanted) start();
});

// With permission from an earlier visit, the camera starts by itself.
navigator.permissions
  ?.query({ name: 'camera' })
  .then(({ state }) => state === 'granted' && start())
  .catch(() => {});

// A high tone for a scanned code, a low one if no set has it.
let audio = null;
part('sound').addEventListener('click', ({ currentTarget: button }) => {
  button.ariaPressed = String(button.ariaPressed === 'false');
});
function beep(hertz) {
  if (part('sound').ariaPressed === 'false') return;
  audio ??= new AudioContext();
  // Browsers suspend it until the page is touched.
  audio.resume();
  const tone = new OscillatorNode(audio, { frequency: hertz });
  const volume = new GainNode(audio, { gain: 0.2 });
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.1);
}

const seen = new Map();
async function see(text) {
  const code = barcodeOf(text);
  if (code === null) return;
  const now = performance.now();
  const before = seen.get(code) ?? -Infinity;
  seen.set(code, now);
  if (now - before < againMs) return;
  beep(1_200);
  const problem = await look(code);
  if (stream) say(problem ?? hint);
}

// The list of the account, latest first. It stays until the tab is closed or signs out.
const list = part('scans');
const rows = new Map();
const storeName = 'scanned';

// Returns why the code cannot be looked up; null if it can.
async function look(typed) {
  const { code, items, problem, about } = await find(typed);
  if (problem) return problem;
  if (items.length === 0) {
    beep(300);
    const row = addRow({ kind: 'unknown', name: code.replace(/^0/, ''), code, about });
    await record(row, 'code', { code }, 'Kept. Attach it now or later.');
  }
  for (const item of items) addRow({ kind: 'item', ...item });
  return null;
}

async function find(typed) {
  const code = barcodeOf(typed);
  const item = code && (await findByCode(code).catch(() => null));
  const answer = await askServer(typed, item ? askMs.known : askMs.usual);
  if (answer && !(item && answer.problem === failed)) return answer;
  const about = 'Not on this device. It is looked up when there is a signal.';
  const problem = code ? null : 'There is no signal. Enter the digits of a barcode.';
  return { code, items: item ? [await itemOfDevice(item)] : [], problem, about };
}

const failed = 'The server could not look it up. Try again.';

// Null if the server cannot be reached in time.
async function askServer(typed, ms) {
  const url = new URL(page.dataset.find, location.href);
  url.searchParams.set('code', typed);
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ms) });
    if (answer.redirected) location.reload();
    return answer.ok && !answer.redirected ? await answer.json() : { problem: failed };
  } catch {
    return null;
  }
}

async function itemOfDevice({ number, name, year, sealedCents, maxBuySealedCents, asOf }) {
  const kept = await findKept(deviceAccount());
  if (kept?.data) showAs(kept.data);
  const path = encodeURIComponent(number);
  return {
    number,
    name,
    about: [number, year, `As of ${momentText(asOf)}`].filter(Boolean).join(' · '),
    value: moneyText(sealedCents),
    maxBuy: moneyText(maxBuySealedCents),
    picture: `/pictures/set/${path}?size=thumb`,
    href: `/sets/${path}`,
  };
}

const statusIn = ({ element }) => element.querySelector('[data-part="said"]');

// Keeps an entry on the device, and sends it. If it is refused, the row can do it again.
async function record(row, kind, fields, done) {
  try {
    const entry = await addEntry(kind, fields);
    const left = await sendFrom(row, entry, done);
    if (left && isRefused(left)) await discardEntry(entry.id);
  } catch (error) {
    statusIn(row).textContent = problemOf(error);
  }
}

// Sends an entry, and says in its row how that went. Resolves to the entry if it is still here.
async function sendFrom(row, { id }, done) {
  const status = statusIn(row);
  status.textContent = 'Saved on this device. Sending…';
  const left = await sendEntry(id);
  status.textContent = left ? (left.reason ?? 'Saved on this device, and sent later.') : done;
  return left;
}

function addRow(item, count = 1) {
  const key = item.code ?? item.number;
  const known = rows.get(key);
  if (known) known.count += count;
  else rows.set(key, { item, count, element: makeRow(key, item) });
  const row = rows.get(key);
  // Newest last in the map, first on the page.
  rows.delete(key);
  rows.set(key, row);
  list.prepend(row.element);
  const badge = row.element.querySelector('[data-part="count"]');
  badge.textContent = `× ${row.count}`;
  badge.hidden = row.count === 1;
  keep();
  return row;
}

function makeRow(key, item) {
  const template = page.querySelector(`template[data-row="${item.kind}"]`);
  const element = template.content.firstElementChild.cloneNode(true);
  for (const place of element.querySelectorAll('[data-part]')) {
    const text = item[place.dataset.part];
    if (text === undefined) continue;
    if (place.matches('img')) place.src = text;
    else place.textContent = text;
  }
  for (const link of element.querySelectorAll('a')) {
    link.href = item.code ? `/scan/barcodes/${item.code}` : item.href;
  }
  element.addEventListener('click', (event) => {
    const work = works[event.target.dataset.do];
    if (!work) return;
    event.preventDefault();
    work(rows.get(key), key);
  });
  return element;
}

// The buttons of a row.
const works = {
  watch: (row) => {
    const { number } = row.item;
    return record(row, 'watch', { type: 'set', number }, 'On your watchlist.');
  },
  add: (row) => {
    const send = async (entry) => {
      const left = await sendFrom(row, entry, 'Added to your inventory.');
      const isLate = left && isRefused(left) && !purchaseDialog.open;
      const device = make('a', { href: '/device' }, 'Edit it on this device.');
      if (isLate) statusIn(row).append(' ', device);
      return left;
    };
    openPurchase({ type: 'set', ...row.item }, { count: row.count, send });
  },
  remove: ({ element }, key) => {
    rows.delete(key);
    element.remove();
    keep();
  },
};

// Also what the box to evaluate has.
function keep() {
  const all = [...rows.values()];
  const sets = all.filter(({ item }) => item.kind === 'item');
  const box = page.querySelector('[name="items"]');
  if (box) {
    box.value = sets.map(({ item, count }) => `${item.number} x${count}`).join('\n');
    box.form.hidden = sets.length === 0;
  }
  part('none').hidden = list.childElementCount > 0;
  part('all').hidden = all.length === 0;
  const kept = all.map(({ item, count }) => [item, count]);
  sessionStorage.setItem(storeName, JSON.stringify([deviceAccount(), kept]));
}

function restore() {
  const [account, kept] = JSON.parse(sessionStorage.getItem(storeName) ?? '[]');
  if (account !== deviceAccount()) return sessionStorage.removeItem(storeName);
  for (const [item, count] of kept) addRow(item, count);
}
restore();

part('clear').addEventListener('click', () => {
  rows.clear();
  list.replaceChildren();
  keep();
});

// The keypad: what was typed is listed, too.
const field = document.querySelector('[name="code"]');
field.addEventListener('input', () => field.setCustomValidity(''));
field.form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const typed = field.value.trim();
  const problem = typed === '' ? null : await look(typed);
  if (problem === null) field.value = '';
  else {
    field.setCustomValidity(problem);
    field.reportValidity();
  }
});
