/** Photos of lots and the insurance sheet: uploads, limits, access, and what is served. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { hiddenFields, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { lot } from '../support/person.ts';
import { plainPng } from '../support/png.ts';
import { type Seen, type Site, sendFile, textOf, type Visitor } from '../support/site.ts';
import { until } from '../support/until.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let add: OwnerSite['add'];
let findLot: OwnerSite['findLot'];
let path: string;

beforeAll(async () => {
  ({ site, ann, bob, add, findLot } = await startOwnerSite());
  ({ path } = await findLot('3 units'));
});

afterAll(() => site.close());

const pngFile = (side: number) =>
  new File([plainPng({ width: side, height: side })], `${side}.png`);

/** Sends the form with photos. */
async function upload(who: Visitor, files: readonly File[], to = path): Promise<Seen> {
  const body = new FormData();
  const fields = hiddenFields((await who.get('/inventory/import')).html);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  for (const file of files) body.append('file', file);
  const Cookie = [...who.cookies].map((pair) => pair.join('=')).join('; ');
  const response = await fetch(`${site.url}${to}/photos`, {
    method: 'POST',
    body,
    headers: { Origin: site.url, Cookie },
    redirect: 'manual',
  });
  const { status, headers } = response;
  return { status, headers, html: await response.text(), goTo: headers.get('Location') };
}

const photoIds = (html: string) =>
  [...html.matchAll(/src="\/photos\/(\d+)\/thumb"/g)].map(([, id]) => Number(id));

async function look(who: Visitor, address: string): Promise<Response> {
  const Cookie = [...who.cookies].map((pair) => pair.join('=')).join('; ');
  return fetch(site.url + address, { headers: { Cookie }, redirect: 'manual' });
}

test('photos are added, shown, put in order and deleted', async () => {
  const sent = await upload(ann, [pngFile(30), pngFile(40), pngFile(2000)]);
  expect([sent.status, sent.goTo]).toEqual([303, `${path}?did=photos#photos`]);
  // The same form again adds nothing.
  await upload(ann, [pngFile(30)]);
  const page = await ann.get(path);
  const [first = 0, second = 0, third = 0, ...others] = photoIds(page.html);
  expect(others).toEqual([]);
  await ann.submit(page, `/photos/${third}/first`);
  expect(photoIds((await ann.get(path)).html)).toEqual([third, first, second]);
  expect(textOf((await ann.get('/inventory')).html)).toContain('3 photos');
  const ask = await ann.get(`/photos/${second}/delete`);
  expect(textOf(ask.html)).toContain('Delete this photo?');
  for (const goTo of [`${path}?did=photo-deleted#photos`, '/inventory']) {
    expect((await ann.submit(ask, `/photos/${second}/delete`)).goTo).toBe(goTo);
  }
  expect(photoIds((await ann.get(path)).html)).toEqual([third, first]);
});

test('a photo is served as a picture only, to its owner only, and is not cached', async () => {
  const [id = 0] = photoIds((await ann.get(path)).html);
  for (const [address, width] of [
    [`/photos/${id}`, 1600],
    [`/photos/${id}/thumb`, 320],
  ] as const) {
    const response = await look(ann, address);
    const { status, headers } = response;
    expect(status).toBe(200);
    const bytes = await response.bytes();
    expect(await new Bun.Image(bytes).metadata()).toMatchObject({ width, format: 'webp' });
    expect(headers.get('Content-Type')).toBe('image/webp');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect((await look(bob, address)).status).toBe(404);
    expect((await look(site.visitor(), address)).status).toBe(303);
  }
  expect((await bob.get(`/photos/${id}/delete`)).status).toBe(404);
  expect((await upload(bob, [pngFile(50)])).status).toBe(404);
  expect((await look(ann, '/photos/999999')).status).toBe(404);
});

test('files that cannot be photos are named, and do not prevent the others', async () => {
  const { length } = photoIds((await ann.get(path)).html);
  const bad = new File(['<svg/>'], 'evil<b>.svg');
  const sent = await upload(ann, [bad, pngFile(60), new File(['GIF89a'], 'b.gif')]);
  expect([sent.status, photoIds(sent.html).length]).toEqual([400, length + 1]);
  const text = textOf(sent.html);
  expect(text).toContain('1 photo added. evil<b>.svg: Only JPEG, PNG and WebP');
  expect(text).toContain('b.gif: Only JPEG');
  expect(textOf((await upload(ann, [])).html)).toContain('Choose a photo first.');
});

test('sizes and numbers are limited', async () => {
  const large = new File([new Uint8Array(13 * 1024 * 1024)], 'large.png');
  expect(textOf((await upload(ann, [large])).html)).toContain('larger than 12 MB');
  const larger = new File([new Uint8Array(25 * 1024 * 1024)], 'larger.png');
  const refused = await upload(ann, [larger]);
  expect(refused.status).toBe(413);
  expect(textOf(refused.html)).toContain('larger than 24 MB');
  const many = Array.from({ length: 11 }, (_, index) => pngFile(70 + index));
  expect(textOf((await upload(ann, many)).html)).toContain('at most 10 photos at once');
  const seen = await upload(ann, many.slice(0, 10));
  expect(textOf(seen.html)).toContain('A lot has at most 12 photos.');
  expect(photoIds((await ann.get(path)).html)).toHaveLength(12);
});

test('photos stay with the units of their lot when it is split or restored', async () => {
  const ids = photoIds((await ann.get(path)).html);
  await ann.submit(await ann.get(`${path}/split`), `${path}/split`, { units: '1' });
  expect(photoIds((await ann.get(path)).html)).toEqual(ids);
  const { goTo } = await ann.submit(await ann.get(`${path}/delete`), `${path}/delete`);
  expect((await look(ann, `/photos/${ids[0]}`)).status).toBe(404);
  const deleted = await ann.get(goTo ?? '');
  const action = /action="(\/inventory\/undo[^"]*)"/.exec(deleted.html)?.[1] ?? '';
  await ann.submit(deleted, action);
  expect(photoIds((await ann.get(path)).html)).toEqual(ids);
});

test('the export of the account has the photos', async () => {
  const { photos } = JSON.parse((await ann.get('/account/export')).html);
  expect(photos).toHaveLength(12);
  const [{ lot, position, content_webp }] = photos;
  expect([lot, typeof position]).toEqual(['old', 'number']);
  const bytes = Uint8Array.from(Buffer.from(content_webp, 'base64'));
  expect(await new Bun.Image(bytes).metadata()).toMatchObject({ format: 'webp' });
});

describe('the insurance sheet', () => {
  const sheet = async (query = '') => (await ann.get(`/inventory/insurance${query}`)).html;

  test('lists units with values, totals and method, and what counts at cost apart', async () => {
    await add({ set: '200', quantity: '2', notes: 'Box 7, serial A-1' });
    await add({ set: '101', quantity: '3', condition: 'used' });
    const text = textOf(await sheet('?name=Ann+Owner'));
    expect(text).toContain('Ann Owner');
    expect(text).toContain(
      'Total value $639.98 Estimated part of it $159.98 Counted at cost $30.00, 3 units Units 10',
    );
    expect(text).toMatch(/Sealed 2 \$79\.99 \$159\.98 Estimated .* Counted at cost .* Used 3 /);
    expect(text).toContain('Used 3 $10.00 $30.00 At cost');
    expect(text).toContain('/docs/value');
    expect(text).toContain('Box 7, serial A-1');
    expect(text).not.toContain('Cost basis $');
    expect(textOf(await sheet('?notes=no'))).not.toContain('Box 7');
    expect(textOf(await sheet('?cost=yes'))).toMatch(/Cost basis \$[\d,]+/);
  });

  test('shows the cover of each lot, in the page itself', async () => {
    expect(await sheet()).toContain('src="data:image/webp;base64,');
    expect(await sheet('?photos=no')).not.toContain('<td><img');
  });

  test('has all lots on one page, with photos on any of them', async () => {
    const many = await startOwnerSite();
    const lots = Array.from({ length: 320 }, (_, index) => lot(`many-${index}`, 1));
    await many.person.load(...lots);
    const { html } = await many.ann.get('/inventory/insurance');
    await many.site.close();
    expect(html.match(/>Sealed</g)?.length).toBe(322);
    expect(html).not.toContain('data-rows');
    expect(html).toEndWith('</html>');
  });

  test('has only the lots of the chosen collection, and none of others', async () => {
    expect(textOf(await sheet('?collection=1'))).toContain('Shelf');
    expect(textOf((await bob.get('/inventory/insurance')).html)).toContain('No lots');
  });
});

describe('photos that take long', () => {
  let held: { readonly signal: AbortSignal; end(): void }[] = [];
  let other: OwnerSite;

  beforeAll(async () => {
    other = await startOwnerSite({
      pictures: {
        makePhoto: (_, signal) =>
          new Promise((resolve) => {
            const end = () => resolve({ problem: 'It was held.' });
            signal.addEventListener('abort', end);
            held.push({ signal, end });
          }),
      },
    });
  });

  afterAll(() => other.site.close());

  /** Sends a form with photos, from a network. */
  async function begin(from: string, signal?: AbortSignal) {
    const { path } = await other.findLot('3 units');
    const fields = hiddenFields((await other.ann.get('/inventory/import')).html);
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.append('file', pngFile(10));
    const Cookie = [...other.ann.cookies].map((pair) => pair.join('=')).join('; ');
    return fetch(`${other.site.url}${path}/photos`, {
      method: 'POST',
      body,
      headers: { Origin: other.site.url, Cookie, 'X-Forwarded-For': from },
      redirect: 'manual',
      ...(signal && { signal }),
    });
  }

  test('take no slot of imports', async () => {
    const sent = begin('198.51.100.1');
    await until(() => held.length === 1);
    const action = '/inventory/import';
    for (const visitor of [other.ann, other.bob]) {
      const fields = hiddenFields((await visitor.get(action)).html);
      const file = new File(['set_number\n100\n'], 'lots.csv');
      expect((await sendFile(other.site, { visitor, action, fields, file })).status).toBe(303);
    }
    held[0]?.end();
    expect((await sent).status).toBe(400);
  });

  test('are ended when the browser leaves, and another one can be added', async () => {
    held = [];
    const leaving = new AbortController();
    const left = begin('198.51.100.1', leaving.signal).catch(() => null);
    await until(() => held.length === 1);
    leaving.abort();
    await left;
    await until(() => held[0]?.signal.aborted === true);
    const sent = begin('198.51.100.1');
    await until(() => held.length === 2);
    held[1]?.end();
    expect(textOf(await (await sent).text())).toContain('It was held.');
  });
});

test('a site without photos offers no form, and adds none', async () => {
  const other = await startOwnerSite({ pictures: { photoBytesMax: 0 } });
  try {
    const { page } = await other.findLot('3 units');
    expect(page.html).not.toContain('type="file"');
  } finally {
    await other.site.close();
  }
});

test('there were no failures', () => {
  expect(site.world.failures).toEqual([]);
});
