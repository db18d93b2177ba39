/** Amounts, numbers and dates are shown as the account chose; books and files do not change. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { catalogOwner, startCatalogSite } from '../support/catalog-site.ts';
import { lotIds } from '../support/owner-pages.ts';
import { readForm, type Site, sendFile, textOf, type Visitor } from '../support/site.ts';
import { visitPages } from '../support/visit-pages.ts';

let site: Site;
let ann: Visitor;

/** A dollar is 0.80 euros. */
const rate = { kind: 'fx', date: '2026-11-13', currency: 'EUR', usd_per_unit: 1.25 };

beforeAll(async () => {
  site = await startCatalogSite();
  await site.world.load([rate]);
  ann = await site.signedIn(catalogOwner);
});

afterAll(() => site.close());

const choose = async (typed: Readonly<Record<string, string>>) =>
  ann.submit(await ann.get('/account'), '/account/region', typed);

const pageText = async (path: string) => textOf((await ann.get(path)).html);

/** The text of a page with its titles and labels for screen readers, without scripts' data. */
function allText(html: string): string {
  const attributes = [...html.matchAll(/\s(?:title|aria-label|placeholder|data-name)="([^"]*)"/g)];
  return [textOf(html), ...attributes.map(([, text = '']) => text)].join('\n');
}

/** Amounts in dollars that do not say so. */
const dollarsIn = (html: string) => allText(html).match(/(?<!US)\$\d[\d,.]*|\(\$\)/g) ?? [];

/** Amounts in euros without the mark of a converted amount; axes of charts have round amounts. */
const unmarkedIn = (html: string) =>
  allText(html.replace(/<svg class="amounts".*?<\/svg>/gs, '')).match(/(?<!≈\s[-+]?)€\d[\d,.]*/g) ??
  [];

test('only currencies with a recent rate can be chosen', async () => {
  const { html } = await ann.get('/account');
  const [choices = ''] = /<select[^>]*name="currency".*?<\/select>/s.exec(html) ?? [];
  expect(textOf(choices).trim()).toBe('USD: US dollars EUR: euros');
  const refused = await choose({ currency: 'GBP' });
  expect(refused.status).toBe(400);
  expect(textOf(refused.html)).toContain('Choose one of the options.');
});

test('amounts are converted, marked, and say at which rate', async () => {
  expect(await pageText('/sets/75192')).toContain('$149.99');
  expect((await choose({ currency: 'EUR' })).goTo).toBe('/account?did=region');
  const text = await pageText('/sets/75192');
  expect(text).toContain('≈ €119.99');
  expect(text).toContain(
    'Shown in euros at 1 USD = 0.8 EUR (Nov 13, 2026). Your books are kept in US dollars.',
  );
});

test('no page shows an amount in dollars without saying so', async () => {
  const annId = await site.addAccount(catalogOwner);
  await ann.submit(await ann.get('/alerts/new?template=gain'), '/alerts/new');
  await ann.submit(await ann.get('/webhooks'), '/webhooks', { address: 'https://example.com/h' });
  await ann.submit(await ann.get('/keys'), '/keys', { name: 'Key' });
  await ann.submit(await ann.get('/keys/spreadsheets'), '/keys/spreadsheets', { name: 'Sheet' });
  const [channel] = await site.world.store.accounts.listDeliveryChannels(annId);
  const draft = await sendFile(site, {
    visitor: ann,
    action: '/inventory/import',
    fields: readForm((await ann.get('/inventory/import')).html, '/inventory/import'),
    file: new File(['Number,Quantity,Price\n75192,2,120.50\n'], 'box.csv'),
  });
  const wrong: string[] = [];
  let converted = 0;
  const [lot = 0] = lotIds((await ann.get('/inventory')).html);
  await visitPages(site, {
    visitors: [ann],
    from: [
      '/sets/75192',
      '/minifigs/cas001',
      '/deals?tier=low&margin=0&share=50',
      `/lots/${lot}`,
      `/lots/${lot}/sell`,
      `/webhooks/${channel?.id}`,
      draft.goTo ?? '',
      '/evaluate?items=75192&cost=100',
    ],
    viewsMax: 3,
    check: ({ path, seen: { html } }) => {
      // The docs are the same for everyone, and the kit shows examples to developers.
      if (/^\/(docs|kit)\b/.test(path)) return;
      if (html.includes('≈\u00a0€')) converted += 1;
      wrong.push(...[...dollarsIn(html), ...unmarkedIn(html)].map((each) => `${path}: ${each}`));
    },
  });
  expect(wrong).toEqual([]);
  expect(converted).toBeGreaterThan(20);
});

test('forms are filled in and sent in dollars', async () => {
  const [lot = 0] = lotIds((await ann.get('/inventory')).html);
  const edit = await ann.get(`/lots/${lot}/edit`);
  const before = readForm(edit.html, `/lots/${lot}/edit`);
  expect(textOf(edit.html)).toContain('Price per unit (US$)');
  await ann.submit(edit, `/lots/${lot}/edit`, { price: '100.00' });
  expect(readForm((await ann.get(`/lots/${lot}/edit`)).html, `/lots/${lot}/edit`)).toMatchObject({
    price: '100.00',
  });
  expect(await pageText(`/lots/${lot}`)).toContain('≈ €80.00');
  const changed = readForm((await ann.get(`/lots/${lot}/edit`)).html, `/lots/${lot}/edit`);
  // Sending a form as it is changes nothing.
  await ann.submit(await ann.get(`/lots/${lot}/edit`), `/lots/${lot}/edit`);
  const after = readForm((await ann.get(`/lots/${lot}/edit`)).html, `/lots/${lot}/edit`);
  expect(after.price).toBe(changed.price ?? '');
  await ann.submit(await ann.get(`/lots/${lot}/edit`), `/lots/${lot}/edit`, {
    price: before.price ?? '',
  });
});

test('names that users typed stay as they are, so that filters find them', async () => {
  const [lot = 0] = lotIds((await ann.get('/inventory')).html);
  await ann.submit(await ann.get('/inventory/fields'), '/inventory/fields', { name: 'Fee ($)' });
  const path = `/lots/${lot}/edit`;
  const edit = await ann.get(path);
  expect(textOf(edit.html)).toContain('Fee ($)');
  await ann.submit(edit, path, { place: 'Under $50 shelf' });
  // Browsers send the text of an option without a value.
  const { html } = await ann.get('/inventory');
  expect(html).toContain('<option>Under $50 shelf<');
  const found = await ann.get(`/inventory?place=${encodeURIComponent('Under $50 shelf')}`);
  expect(lotIds(found.html)).toEqual([lot]);
  const [column = ''] = /\bown\d+\b/.exec(html) ?? [];
  const shown = textOf((await ann.get(`/inventory?columns=${column}`)).html);
  expect(shown).toContain('Fee ($)');
  expect(shown).toContain('Lowest gain (US$)');
  expect(shown).not.toContain('Fee (US$)');
  await ann.submit(await ann.get(path), path, { place: '' });
});

test('files stay in dollars', async () => {
  const paths = ['/inventory.csv', '/sales.csv', '/deals.csv', '/account/export'];
  const files = async () => {
    const read: string[] = [];
    for (const path of paths) read.push((await ann.get(path)).html);
    return read;
  };
  const inEuros = await files();
  for (const file of inEuros) expect(file).not.toMatch(/€|≈/);
  await choose({ currency: '' });
  const inDollars = await files();
  expect(inEuros.slice(0, 3)).toEqual(inDollars.slice(0, 3));
  await choose({ currency: 'EUR' });
});

test('with a rate of more than seven days ago, pages say so and show dollars', async () => {
  const { now } = site.world;
  site.world.now = Date.parse('2026-11-21T12:00:00Z');
  const text = await pageText('/sets/75192');
  expect(text).toContain(
    'Amounts are shown in US dollars: the latest exchange rate for euros is of Nov 13, 2026, ' +
      'which is too old.',
  );
  expect(text).toContain('$149.99');
  expect(text).not.toContain('≈');
  // The choice is kept until there are rates again.
  await choose({ time_zone: 'UTC' });
  site.world.now = now;
  expect(await pageText('/sets/75192')).toContain('≈ €119.99');
});

test('accounts with other settings, and visitors, are not affected', async () => {
  const bob = await site.signedIn('bob@example.com');
  const isConverted = async (visitor: Visitor) =>
    textOf((await visitor.get('/sets/75192')).html).includes('≈ €');
  // At the same time, so that one could get the formats of another.
  for (let round = 0; round < 5; round++) {
    const seen = await Promise.all([ann, bob, ann, site.visitor()].map(isConverted));
    expect(seen).toEqual([true, false, true, false]);
  }
});

test('numbers and dates follow the country chosen; fields and files do not', async () => {
  await choose({ currency: '' });
  const before = (await ann.get('/inventory.csv')).html;
  await choose({ locale: 'de-DE' });
  const text = await pageText('/sets/75192');
  expect(text).toContain('149,99 $');
  expect(text).toContain('10 May 2020');
  expect(text).toContain('1.500');
  expect((await ann.get('/inventory.csv')).html).toBe(before);
  const [lot = 0] = lotIds((await ann.get('/inventory')).html);
  const path = `/lots/${lot}/edit`;
  // What the page shows can be typed.
  await ann.submit(await ann.get(path), path, { price: '1.234,50' });
  expect(await pageText(`/lots/${lot}`)).toContain('1.234,50 $');
  const { price, purchase_date } = readForm((await ann.get(path)).html, path);
  expect(price).toBe('1234.50');
  expect(purchase_date).toMatch(/^\d{4}-\d\d-\d\d$/);
  const ambiguous = await ann.submit(await ann.get(path), path, { price: '1.234' });
  expect(textOf(ambiguous.html)).toContain('Use at most two decimals.');
});

test('without a choice, they follow the language of the browser', async () => {
  const shown = async (languages: string) => {
    const headers = { 'Accept-Language': languages };
    return textOf(await (await fetch(`${site.url}/sets/75192`, { headers })).text());
  };
  expect(await shown('en-US,en;q=0.9')).toContain('May 10, 2020');
  expect(await shown('en-GB,en;q=0.9')).toContain('10 May 2020');
  expect(await shown('sv')).toContain('2020-05-10');
});
