/** Asking prices of selected lots, each or by a rule, and those below the market. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { hiddenFields, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { lot } from '../support/person.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { readForm, type Seen, textOf } from '../support/site.ts';

let owner: OwnerSite;

beforeAll(async () => {
  owner = await startOwnerSite({}, sellingEngine);
  await owner.site.world.load([
    { kind: 'set', set_number: '300', title: 'Blank', theme: 'Desert' },
  ]);
  const asked = { status: 'listed', asking_price_usd: 75 };
  await owner.person.load(
    // Bought for 60.00 and 12.34 each, worth 90.00.
    lot('old', 3, asked),
    lot('dear', 1, { purchase_price_usd: 120, listing_url: 'https://www.bricklink.com/ann' }),
    lot('blank', 1, { set_number: '300', purchase_price_usd: 20, asking_price_usd: 33 }),
  );
});

afterAll(async () => {
  expect(owner.site.world.failures).toEqual([]);
  await owner.site.close();
});

const path = '/inventory/asking';

/** The form with a price for each lot, and where it is sent. */
function gridOf({ html }: Seen) {
  const grid = html.slice(html.lastIndexOf('<form', html.indexOf('price-grid')));
  const action = /action="([^"]+)"/.exec(grid)?.[1] ?? '';
  return { action: action.replaceAll('&amp;', '&'), fields: readForm(grid, action) };
}

const pricesIn = (seen: Seen) =>
  Object.entries(gridOf(seen).fields).flatMap(([name, text]) =>
    name.startsWith('asking-') ? [text] : [],
  );

/** The asking prices that are stored, lots with the highest purchase price first. */
const stored = async () => pricesIn(await owner.ann.get(`${path}?sort=-cost&all=1`));

const undo = async (goTo: string) => {
  const done = await owner.ann.get(goTo);
  const edit = /undo=(\d+)/.exec(goTo)?.[1] ?? '';
  return owner.ann.post('/inventory/undo', { ...hiddenFields(done.html), edit });
};

test('selected lots have a field each, and are saved and undone as one change', async () => {
  const { ann } = owner;
  const inventory = await ann.get('/inventory?view=all');
  const chosen = await ann.post('/inventory/choose', {
    ...hiddenFields(inventory.html),
    for: 'asking',
    all: 'yes',
    count: '4',
  });
  expect(chosen.goTo).toBe('/inventory/asking?all=1');
  const { action, fields } = gridOf(await ann.get(chosen.goTo ?? ''));
  const names = Object.keys(fields).filter((name) => name.startsWith('asking-'));
  expect(names).toHaveLength(4);
  const typed = Object.fromEntries(names.map((name, index) => [name, `${index + 1}.25`]));
  const bad = await ann.post(action, { ...fields, ...typed, [names[0] ?? '']: 'cheap' });
  expect([bad.status, textOf(bad.html)]).toEqual([
    400,
    expect.stringContaining("'cheap' is not an amount"),
  ]);
  const before = await stored();
  // An empty field removes the price.
  const saved = await ann.post(action, { ...fields, ...typed, [names[0] ?? '']: '' });
  expect(textOf((await ann.get(saved.goTo ?? '')).html)).toContain('asking prices changed');
  expect((await stored()).filter(Boolean).sort()).toEqual(['2.25', '3.25', '4.25']);
  // Sent from a page that shows other prices, it changes nothing.
  const stale = await ann.post(action, { ...fields, ...typed, once: 'later' });
  expect(textOf(stale.html || (await ann.get(stale.goTo ?? '')).html)).toContain(
    'edited elsewhere in the meantime',
  );
  expect((await undo(saved.goTo ?? '')).goTo).toContain('did=undone');
  expect(await stored()).toEqual(before);
});

const rule = 'base=value&percent=105&plus=&rounding=to_99';

test('a rule is previewed with the time to sell, and saved only when it is confirmed', async () => {
  const { ann } = owner;
  const before = await stored();
  const preview = await ann.get(`${path}?sort=-cost&all=1&${rule}`);
  const text = textOf(preview.html);
  expect(text).toContain('Preview, not saved yet: 3 prices would change. The time to sell is at');
  expect(text).toContain('1 lot skipped; the table says why.');
  expect(text).toContain('Skipped: no value yet');
  expect(text).toMatch(/\$90\.00 cost \$60\.00 \$75\.00 .*?(days|months|years) eBay/);
  // 90.00 × 105 % is 94.50; the lot without a value keeps its price.
  expect(pricesIn(preview).sort()).toEqual(['33.00', '94.99', '94.99', '94.99']);
  expect(await stored()).toEqual(before);
  const { action, fields } = gridOf(preview);
  const saved = await ann.post(action, fields);
  expect(textOf((await ann.get(saved.goTo ?? '')).html)).toContain('3 asking prices changed');
  expect((await stored()).sort()).toEqual(['33.00', '94.99', '94.99', '94.99']);
  await undo(saved.goTo ?? '');
  expect(await stored()).toEqual(before);
});

test('a price that does not leave the margin is raised, on the channel of the listing', async () => {
  const preview = await owner.ann.get(`${path}?all=1&${rule}&margin=yes`);
  const text = textOf(preview.html);
  // 60.00 and 25 % are 75.00, and 120.00 and 25 % are 150.00, after fees and shipping.
  expect(text).toContain('Raised from $94.99: 25% margin on eBay');
  expect(text).toContain('Raised from $94.99: 25% margin on BrickLink');
  const [dear] = pricesIn(preview)
    .map(Number)
    .sort((a, b) => b - a);
  expect(dear).toBeGreaterThan(150);
  expect(dear).toBeLessThan(200);
});

test('a rule from the purchase price, with an amount and another rounding', async () => {
  const query = 'base=cost&percent=150&plus=4.50&rounding=to_5';
  const preview = await owner.ann.get(`${path}?sort=-cost&all=1&${query}`);
  // 60 × 1.5 + 4.50, 120 × 1.5 + 4.50, 12.34 × 1.5 + 4.50
  expect(pricesIn(preview).sort()).toEqual(['185.00', '25.00', '33.00', '95.00']);
});

test('an invalid rule is refused with its field, and shows the present prices', async () => {
  const seen = await owner.ann.get(`${path}?all=1&base=value&percent=0&plus=&rounding=none`);
  expect([seen.status, textOf(seen.html)]).toEqual([
    400,
    expect.stringContaining('Enter 1 to 1000.'),
  ]);
  expect(textOf(seen.html)).not.toContain('Preview, not saved');
  expect(pricesIn(seen).sort()).toEqual(['', '', '33.00', '75.00']);
});

test('Today lists lots behind the market, and leads to the page with all of them', async () => {
  const { ann } = owner;
  const today = await ann.get('/today');
  const text = textOf(today.html);
  expect(text).toContain('Priced below market Change 1 price');
  expect(text).toContain('Set 100 100 · 16.7% below value $75.00 value $90.00');
  const [, href = ''] = /href="(\/inventory\/asking[^"]+)"/.exec(today.html) ?? [];
  const page = await ann.get(href.replaceAll('&amp;', '&'));
  expect(pricesIn(page)).toEqual(['75.00']);
  const { action, fields } = gridOf(page);
  const name = Object.keys(fields).find((each) => each.startsWith('asking-')) ?? '';
  await ann.post(action, { ...fields, [name]: '81' });
  // A tenth below is not more than a tenth.
  expect(textOf((await ann.get('/today')).html)).not.toContain('below market');
});

test('lots of another account are as good as none', async () => {
  const [id = ''] = /(?<=asking-)\d+/.exec((await owner.ann.get(`${path}?all=1`)).html) ?? [];
  expect((await owner.bob.get(`${path}?lots=${id}`)).goTo).toBe('/inventory?view=all');
});
