/** Scanned and typed barcodes: look-ups, own barcodes, and the headers of the scanner. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { barcodeReader, barcodeReaderPath } from '../../scripts/barcode-reader.ts';
import { hiddenFields, startOwnerSite } from '../support/owner-pages.ts';
import { setWorth } from '../support/person.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { type Site, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;

const unknown = '5702000000015';

beforeAll(async () => {
  ({ site, ann, bob } = await startOwnerSite({}, sellingEngine));
  const [gate = { kind: 'set' }, ...sales] = setWorth('300', { sealed: 50 });
  const facts = { kind: 'set', theme: 'Castle', upc: '673419000024' };
  await site.world.load([
    { ...gate, upc: '673419000017' },
    ...sales,
    { ...facts, set_number: '301', title: 'Wall' },
    { ...facts, set_number: '301-2', title: 'Wall again' },
  ]);
});

afterAll(() => site.close());

async function find(visitor: Visitor, code: string) {
  const seen = await visitor.get(`/scan/find.json?code=${encodeURIComponent(code)}`);
  expect(seen.headers.get('Cache-Control')).toBe('no-store');
  return JSON.parse(seen.html);
}

test('a barcode finds its set with value and max buy price', async () => {
  const found = await find(ann, '673419000017');
  expect(found).toEqual({
    code: '0673419000017',
    items: [
      {
        number: '300',
        name: 'Set 300',
        about: '300',
        value: '$50.00',
        maxBuy: expect.stringMatching(/^\$\d+\.\d\d$/),
        picture: '/pictures/set/300?size=thumb',
        href: '/sets/300',
      },
    ],
    problem: null,
  });
  expect((await find(ann, '0673419000017')).items).toEqual(found.items);
  expect((await find(ann, '6 73419 00001 7')).items).toEqual(found.items);
  // Max buy prices are part of the Reseller plan.
  expect((await find(bob, '673419000017')).items).toMatchObject([{ number: '300', maxBuy: '' }]);
});

test('a barcode on several sets lists all of them', async () => {
  const { items } = await find(ann, '673419000024');
  expect(items.map(({ number }: { number: string }) => number)).toEqual(['301', '301-2']);
});

test('a number of a set is found, too', async () => {
  expect(await find(ann, '100')).toMatchObject({ code: null, items: [{ number: '100' }] });
});

test('a wrong check digit, and text that is no code, are explained', async () => {
  const wrong = 'The check digit does not match. Check the digits and try again.';
  expect(await find(ann, '673419000018')).toEqual({ code: null, items: [], problem: wrong });
  const { problem } = await find(ann, 'falcon');
  expect(problem).toBe('Enter the 12 or 13 digits below the bars, or the number of a set.');
});

test('visitors are led to sign in', async () => {
  expect((await site.visitor().get('/scan')).goTo).toContain('/sign-in');
  expect((await site.visitor().get('/scan/find.json?code=1')).goTo).toContain('/sign-in');
});

test('the keypad works without script', async () => {
  const { html } = await ann.get('/scan?code=673419000017');
  expect(textOf(html)).toContain('Set 300');
  expect(html).toContain('href="/inventory/add?set=300"');
  expect(textOf((await ann.get('/scan?code=673419000018')).html)).toContain('check digit');
  const { html: attach } = await ann.get(`/scan?code=${unknown}`);
  expect(textOf(attach)).toContain('No set has this barcode.');
  expect(attach).toContain(`href="/scan/barcodes/${unknown}"`);
});

test('camera and WebAssembly are allowed on the scanner alone', async () => {
  const { headers } = await ann.get('/scan');
  expect(headers.get('Permissions-Policy')).toContain('camera=(self)');
  expect(headers.get('Content-Security-Policy')).toContain("script-src 'self' 'wasm-unsafe-eval'");
  for (const path of [
    '/today',
    '/scan/find.json?code=1',
    `/scan/barcodes/${unknown}`,
    '/nowhere',
  ]) {
    const { headers: others } = await ann.get(path);
    expect(others.get('Permissions-Policy')).toContain('camera=()');
    expect(others.get('Content-Security-Policy')).not.toContain('wasm');
  }
});

test('an unknown barcode is attached to a set, for its account only, and discarded', async () => {
  const path = `/scan/barcodes/${unknown}`;
  const sent = await ann.submit(await ann.get(path), path, { set: '300' });
  expect(sent.goTo).toBe('/scan?did=attached');
  const scan = await ann.get('/scan?did=attached');
  expect(textOf(scan.html)).toContain(unknown);
  expect(scan.html).toContain('href="/sets/300"');
  expect((await find(ann, unknown)).items).toMatchObject([{ number: '300' }]);
  expect((await ann.get(`/market?q=${unknown}`)).goTo).toBe('/sets/300');
  expect((await ann.get(`/search.json?kind=set&q=${unknown}`)).html).toContain('"number":"300"');
  const add = { quantity: '1', condition: 'sealed', status: 'owned', price: '10', set: unknown };
  const added = await ann.submit(await ann.get('/inventory/add'), '/inventory/add', add);
  expect(added.goTo).toBe('/inventory?did=added&n=300');
  const box = await ann.submit(await ann.get('/evaluate'), '/evaluate', { items: unknown });
  expect((await ann.get(box.goTo ?? '')).html).toContain('href="/sets/300"');
  expect((await find(bob, unknown)).items).toEqual([]);
  expect((await bob.get(`/market?q=${unknown}`)).goTo).toBeNull();
  expect((await site.visitor().get(`/market?q=${unknown}`)).goTo).toBeNull();
  await bob.post(`${path}/discard`, hiddenFields((await bob.get(path)).html));
  expect((await find(ann, unknown)).items).toHaveLength(1);
  const gone = await ann.submit(await ann.get('/scan'), `${path}/discard`);
  expect(gone.goTo).toBe('/scan?did=discarded');
  expect((await find(ann, unknown)).items).toEqual([]);
});

test('a barcode is attached to a set of the catalog only', async () => {
  const path = `/scan/barcodes/${unknown}`;
  const sent = await ann.submit(await ann.get(path), path, { set: 'nothing like it' });
  expect(sent.status).toBe(400);
  expect(textOf(sent.html)).toContain("No set matches 'nothing like it'.");
  expect((await ann.get('/scan/barcodes/5702000000016')).status).toBe(404);
});

test('a kept barcode that the catalog has by now leads to its set', async () => {
  const { accounts } = site.world.store;
  const account = await accounts.findAccount('bob@example.com', site.world.now);
  const { now: at } = site.world;
  const entry = { mark: { id: 'a', madeAt: at }, change: { barcode: '0673419000017' }, at };
  await accounts.applyEntry(account?.id ?? 0, entry);
  const { html } = await bob.get('/scan');
  expect(html).toContain('href="/sets/300"');
});

test('the barcode reader is that of the installed package, with a compressed binary', async () => {
  expect(await Bun.file(barcodeReaderPath).text()).toBe(await barcodeReader());
  const { html } = await ann.get('/scan');
  const [, path = ''] = /data-wasm="([^"]+)"/.exec(html) ?? [];
  for (const coding of ['gzip', 'identity']) {
    const headers = { 'Accept-Encoding': coding };
    const wasm = await fetch(site.url + path, { headers });
    expect(wasm.headers.get('Content-Type')).toBe('application/wasm');
    expect(wasm.headers.get('Content-Encoding')).toBe(coding === 'gzip' ? coding : null);
    expect(new Uint8Array(await wasm.arrayBuffer()).subarray(0, 4)).toEqual(magic);
  }
});

/** The first bytes of every WebAssembly file. */
const magic = new Uint8Array([0, 0x61, 0x73, 0x6d]);

test('the manifest and its icons are there', async () => {
  const seen = await site.visitor().get('/manifest.webmanifest');
  expect(seen.headers.get('Content-Type')).toBe('application/manifest+json');
  const manifest = JSON.parse(seen.html);
  expect(manifest).toMatchObject({ start_url: '/today', display: 'standalone' });
  for (const { src, sizes } of manifest.icons) {
    const icon = await fetch(site.url + src);
    expect(icon.headers.get('Content-Type')).toBe('image/png');
    const view = new DataView(await icon.arrayBuffer());
    expect(`${view.getUint32(16)}x${view.getUint32(20)}`).toBe(sizes);
  }
});
