/** The pages of the catalog, for visitors and for users. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { monthText } from '../../src/kernel/format.ts';
import { docFiles } from '../../src/web/docs/files.ts';
import { makeLibrary } from '../../src/web/docs/library.ts';
import { bargains, smallCollection, smallMarket } from '../support/market.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { type Site, startSite, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let stranger: Visitor;
let ann: Visitor;

const email = 'ann@example.com';

beforeAll(async () => {
  site = await startSite({}, sellingEngine);
  await site.addAccount(email, { plan: 'reseller' });
  await site.world.load([...smallMarket, ...smallCollection(email)]);
  stranger = site.visitor();
  ann = await site.signedIn(email);
});

afterAll(async () => {
  expect(site.world.failures.filter(Boolean)).toEqual([]);
  await site.close();
});

const read = async (visitor: Visitor, path: string) => {
  const seen = await visitor.get(path);
  expect([path, seen.status]).toEqual([path, 200]);
  expect(seen.html.match(/<h1\b/g)).toHaveLength(1);
  return textOf(seen.html);
};

/** The table of the chart. */
const numbersOf = (html: string) =>
  textOf(/<table id="history".*?<\/table>/s.exec(html)?.[0] ?? '').trim();

/** A set that was sold in two months. */
const soldTwice = (number: string) => [
  { kind: 'set', set_number: number, title: 'Rival', theme: 'Rivals' },
  ...['2026-08-20', '2026-09-20'].map((day) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `${number} ${day}`,
    item_type: 'set',
    item: number,
    condition: 'sealed',
    price: 30,
    sold_at: `${day}T11:00:00Z`,
  })),
];

let apiKey: string | undefined;

/** The response of the API, for comparison. */
async function answer<T>(path: string): Promise<T> {
  apiKey ??= await site.world.addKey(email);
  return (await (await site.world.call(path, apiKey)).json()).data;
}

describe('a set', () => {
  test('is shown to visitors without its value', async () => {
    const text = await read(stranger, '/sets/75192');
    expect(text).toContain('Grand Castle 75192 · Castle · 2020 · Retired');
    expect(text).toContain(
      'Facts Subtheme Crown Pieces 1,500 Minifigs 2 Released May 10, 2020 Retired Dec 31, 2022 ' +
        'List price $149.99 Box 18.9 × 14.9 × 3.6 in, 4.5 lb',
    );
    expect(text).toContain('Minifigs in this set Knight of the Café cas001');
    expect(text).not.toMatch(/Price history|180 days|Retail prices|\$20\d/);
    const { html } = await stranger.get('/sets/75192');
    expect(html).toContain('href="/sign-in?next=%2Fsets%2F75192"');
  });

  test('is shown to users with the value, range, months and evidence of the API', async () => {
    const text = await read(ann, '/sets/75192');
    const set = await answer<Record<string, number> & { value_range: Record<string, number> }>(
      '/set/75192',
    );
    const usd = (value: number | undefined) => `$${value?.toFixed(2)}`;
    expect(text).toContain(`Market value Sealed Used ${usd(set.new_value_usd)} High confidence`);
    expect(text).toContain(`${usd(set.value_range.low)} ${usd(set.value_range.high)}`);
    expect(text).toContain('14 sales in 180 days · high confidence');
    expect(text).toContain('List price $149.99 Best retail offer $180.00 Retailer B');
    const { history } = await answer<{ history: { month: string; value_usd: number }[] }>(
      '/set/75192/history',
    );
    const { month = '', value_usd: value = 0 } = history.at(-1) ?? {};
    expect(text).toMatch(new RegExp(`${monthText(month).replace(' ', ' \\d+, ')} \\${usd(value)}`));
  });

  test('has a chart from the first value to today', async () => {
    const numbers = numbersOf((await ann.get('/sets/75192')).html);
    const { history } = await answer<{ history: { month: string; value_usd: number | null }[] }>(
      '/set/75192/history',
    );
    const valued = history.filter(({ value_usd: value }) => value !== null);
    // The set was released in 2020, and first sold in 2026.
    expect(history.length).toBeGreaterThan(valued.length + 60);
    for (const { month, value_usd: value } of valued) {
      const day = monthText(month).replace(' ', ' \\d+, ');
      expect(numbers).toMatch(new RegExp(`${day} \\$${value?.toFixed(2)}`));
    }
    expect(numbers).toContain('Nov 15, 2026');
    expect(numbers).not.toContain('2025');
  });

  test('shows the condition of the address, and keeps other parameters', async () => {
    const used = await ann.get('/sets/75192?condition=used&range=1y&share=60');
    const { used_value_usd: value } = await answer<Record<string, number>>('/set/75192');
    const text = textOf(used.html);
    expect(text).toContain(`Market value Sealed Used $${value?.toFixed(2)}`);
    expect(text).toContain('1 sale in 180 days');
    expect(text).not.toContain('High confidence 14 sales');
    expect(used.html).toContain('href="/sets/75192?range=1y&amp;share=60"');
    expect(used.html).toContain('href="/sets/75192?condition=used&amp;range=5y&amp;share=60"');
    expect(used.html).toContain('href="/inventory/add?set=75192"');
  });

  test('has the totals of its units in the inventory', async () => {
    const text = await read(ann, '/sets/75192');
    const { new_value_usd: value = 0 } = await answer<Record<string, number>>('/set/75192');
    expect(text).toContain(
      'In your inventory View lots Record sale Units 1 Cost basis $120.00 $120.00 average ' +
        `Market value $${value.toFixed(2)} Unrealized gain +$${(value - 120).toFixed(2)}`,
    );
    expect((await ann.get('/sets/75192')).html).toContain('href="/inventory?q=75192"');
    expect(await read(ann, '/sets/5001')).not.toContain('In your inventory');
  });

  test('has offers and price steps of both retailers, and no source rows', async () => {
    const { html } = await ann.get('/sets/75192');
    const text = textOf(html);
    expect(text).toContain('Retailer B $180.00 +20.0% Third party — No change seen $180.00');
    expect(text).toContain('Retailer A — No offer — No offer — No change seen $119.99');
    const steps = numbersOf(html);
    expect(steps).toContain('Date Sealed Used High Low Retailer A Retailer B');
    expect(steps).toMatch(/Nov 1, 2026 (\S+ ){4}\$119.99 \$180.00/);
    expect(steps).toMatch(/Nov 15, 2026 (\S+ ){4}— \$180.00/);
    expect(text).toContain('List price $149.99 Max buy today $');
    for (const secret of ['sealed-1', 'used-1', 'source_id', 'shop']) {
      expect(text).not.toContain(secret);
    }
    expect(html).toContain('href="https://retailer-a.example.com/75192"');
  });

  test('marks the purchases and sales of the user, and of nobody else', async () => {
    expect(numbersOf((await ann.get('/sets/75192')).html)).toMatch(
      /Sep 30, 2026 .* Sep 20, 2026: Bought 2 sealed units at \$120.00 each/,
    );
    const free = await site.signedIn('free@example.com');
    expect((await free.get('/sets/75192')).html).not.toMatch(/Bought|Max buy today/);
  });

  test('is compared with another set and with a theme, from 100 on', async () => {
    await site.world.load(['9001', '9002', '9003'].flatMap(soldTwice));
    const other = await ann.get('/sets/75192?compare=9001');
    expect(other.status).toBe(200);
    expect(numbersOf(other.html)).toMatch(
      /^Date 75192 sealed 9001 Rival \w+ \d+, 2026 100\.0 100\.0 /,
    );
    expect(numbersOf(other.html)).toMatch(/Nov 15, 2026 \d+\.\d \d+\.\d$/);
    expect(numbersOf(other.html)).not.toContain('$');
    expect(other.html).toContain('href="/sets/75192"');
    const theme = await ann.get('/sets/75192?compare=rivals&range=90d');
    expect(numbersOf(theme.html)).toMatch(
      /^Date 75192 sealed Rivals index \w+ \d+, 2026 100\.0 100\.0 /,
    );
    const few = await ann.get('/sets/75192?compare=Castle');
    expect(textOf(few.html)).toContain('A theme needs three sets that have some.');
    const none = await ann.get('/sets/75192?compare=qqxx');
    expect(none.status).toBe(400);
    expect(textOf(none.html)).toContain("No set or minifig matches 'qqxx'.");
    const seen = await stranger.get('/sets/75192?compare=9001');
    expect([seen.status, seen.html.includes('id="history"')]).toEqual([200, false]);
  });

  test('draws price changes as steps, without observations that changed nothing', async () => {
    const look = (seconds: number, price: number) => ({
      kind: 'offer',
      retailer: 'retailer_a',
      set_number: '6003',
      observed_at: new Date(site.world.now + seconds * 1000).toISOString(),
      price,
      in_stock: true,
    });
    for (const [seconds, price] of [
      [-9, 50],
      [1, 50],
      [2, 40],
      [3, 45],
    ] as const) {
      const row = look(seconds, price);
      site.world.now = Math.max(site.world.now, Date.parse(row.observed_at));
      await site.world.load([row]);
    }
    const { html } = await ann.get('/sets/6003');
    const rows = numbersOf(html)
      .split(/ (?=Nov \d+, 2026)/)
      .slice(1);
    const prices = rows.map((row) => row.split(' ').at(-1));
    expect(prices).toEqual(['$50.00', '$40.00', '$45.00']);
  });

  test('has one canonical address; an unknown set is a 404', async () => {
    expect(await stranger.get('/sets/75192-1')).toMatchObject({ status: 303, goTo: '/sets/75192' });
    const missing = await stranger.get('/sets/99999');
    expect(missing.status).toBe(404);
    expect(textOf(missing.html)).toContain("There is no set '99999'.");
  });

  test('links to its variants, as does the 404 page of an unknown variant', async () => {
    const first = await stranger.get('/sets/75192');
    expect(textOf(first.html)).toContain('Also: 75192-2 Grand Castle, second edition');
    expect(first.html).toContain('href="/sets/75192-2"');
    expect(await read(stranger, '/sets/75192-2')).toContain(
      'Also: 75192 Grand Castle (2020, retired)',
    );
    const missing = await stranger.get('/sets/75192-7');
    expect(missing.status).toBe(404);
    expect(textOf(missing.html)).toContain(
      'Also: 75192 Grand Castle (2020, retired), 75192-2 Grand Castle, second edition',
    );
    expect(await read(stranger, '/sets/5001')).not.toContain('Also:');
  });

  test('has its year and class, and unknown minifigs are called unknown', async () => {
    await site.world.load([
      { kind: 'set', set_number: '5101', title: 'Atlas', theme: 'Books', year: 1984 },
      { kind: 'set', set_number: '5102', title: 'Wall', theme: 'Walls', minifigs_count: 0 },
    ]);
    const atlas = await read(stranger, '/sets/5101');
    expect(atlas).toContain('Atlas 5101 · Books · 1984 · Retired');
    expect(atlas).toContain('Facts Type Book Minifigs Unknown');
    expect(await read(stranger, '/sets/5102')).toContain('Minifigs 0');
    expect(await read(stranger, '/sets/75192')).not.toContain('Facts Type');
    expect(await answer('/set/5101')).toMatchObject({ minifigs_count: 0, release_date: null });
  });

  test('has a max buy price only with the Reseller plan', async () => {
    const text = await read(ann, '/sets/75192');
    expect(text).toContain('What to pay Max buy price at an 80% chance');
    expect(text).toMatch(/Best retail offer \$180\.00 Retailer B Max buy price \$\d+\.\d\d 80%/);
    expect(await read(ann, '/sets/75192?condition=used&share=60')).toContain('at a 60% chance');
    const wrong = await ann.get('/sets/75192?margin=%3Cb%3E');
    expect([wrong.status, textOf(wrong.html).includes('Enter a percentage')]).toEqual([400, true]);
    const free = await site.signedIn('free@example.com');
    expect(await read(free, '/sets/75192')).toContain('are part of the Reseller plan. Facts');
    expect(await read(stranger, '/sets/75192')).not.toContain('What to pay');
  });

  test('without a value has the reason and no chart', async () => {
    const { html } = await ann.get('/sets/7001');
    const text = textOf(html);
    expect(text).toContain(
      'No value yet No sales recorded, and too little is known about the set for an estimate.',
    );
    expect(text).toContain('No retailer has listed this set yet.');
    expect(text).toContain('No max buy price. There is no value yet.');
    expect(text).not.toMatch(/\$0\.00|Price history|1Y|In your inventory/);
    expect(html).not.toContain('class="chart"');
  });
});

describe('a minifig', () => {
  test('links to its sets, and has its value for users', async () => {
    const open = await read(stranger, '/minifigs/cas001');
    expect(open).toContain('Knight of the Café cas001 · Castle · Red · 2019 · in 1 set');
    expect(open).toContain('Sets with this minifig Grand Castle');
    expect(open).not.toContain('$8.');
    const { current_value_usd: value } = await answer<Record<string, number>>('/minifig/cas001');
    expect(await read(ann, '/minifigs/cas001')).toMatch(
      new RegExp(`Market value Sealed Used \\$${value?.toFixed(2)} .*1 sale in 180 days`),
    );
    expect(await read(ann, '/minifigs/cas001?condition=sealed')).toContain('No value yet');
    expect(await read(ann, '/minifigs/cas002')).toContain(
      'No value yet No sales recorded. A minifig gets a value with its first sale.',
    );
    expect(await read(ann, '/minifigs/cas001')).toContain('What to pay');
    expect((await ann.get('/minifigs/cas001?tax=99')).status).toBe(400);
  });

  test('is found by the number of another catalog', async () => {
    const seen = await stranger.get('/minifigs/FIG-000001');
    expect(seen).toMatchObject({ status: 303, goTo: '/minifigs/cas001' });
    expect((await stranger.get('/minifigs/none')).status).toBe(404);
  });
});

describe('search', () => {
  const results = async (typed: string, who = stranger) => {
    const seen = await who.get(`/search.json?q=${encodeURIComponent(typed)}`);
    expect(seen.headers.get('Content-Type')).toContain('application/json');
    return JSON.parse(seen.html).results.map(({ href }: { href: string }) => href);
  };

  test('finds sets and minifigs by name and number, as page and as data', async () => {
    expect(await read(stranger, '/market?q=grand+castle')).toContain('Sets 2 Minifigs 1');
    expect((await results('grand castle')).slice(0, 2)).toEqual(['/sets/75192', '/sets/75192-2']);
    expect(await read(stranger, '/market?q=cafe')).toContain('Sets 0 Minifigs 1');
    expect(await results('cafe')).toEqual(['/minifigs/cas001']);
    expect(await results('75192-2')).toEqual(['/sets/75192-2']);
  });

  test('suggests each item once, with its year, and its value if signed in', async () => {
    const suggest = async (who: Visitor) =>
      JSON.parse((await who.get('/search.json?q=grand+castle')).html).results as {
        href: string;
        about: string;
      }[];
    const about = (found: { href: string; about: string }[]) =>
      found.find(({ href }) => href === '/sets/75192')?.about;
    expect(about(await suggest(stranger))).toBe('75192 · 2020, retired');
    const held = await suggest(ann);
    expect(about(held)).toMatch(/^75192 · \d+ units? in your inventory · \$[\d,.]+$/);
    expect(new Set(held.map(({ href }) => href)).size).toBe(held.length);
  });

  test('shows minifigs first if only they have all words', async () => {
    const knights = { kind: 'set', set_number: '6020', title: 'Knight School', theme: 'Schools' };
    await site.world.load([knights]);
    expect(await results('knight cafe', ann)).toEqual(['/minifigs/cas001', '/sets/6020']);
    expect((await ann.get('/market?q=knight+cafe')).html).toContain('href="/minifigs/cas001"');
    expect((await results('knight', ann)).slice(0, 2)).toEqual(['/sets/6020', '/minifigs/cas001']);
  });

  test('takes a number of pieces as a filter', async () => {
    expect(await ann.get('/market?q=grand+1%2C000-2000+pieces')).toMatchObject({
      status: 303,
      goTo: '/market?q=grand&pieces_from=1000&pieces_to=2000',
    });
    // A theme is one, although no name has it.
    const ofTheme = '/market?theme=Castle&pieces_from=1000';
    expect(await ann.get('/market?q=castle+over+1000+pieces')).toMatchObject({ goTo: ofTheme });
    expect(await read(ann, '/market?q=castle&pieces_from=1000&pieces_to=2000')).toContain(
      'Sets 1 ',
    );
    expect(await results('1500 pieces', ann)).toEqual(['/sets/75192']);
    expect(await results('castle up to 1499 pcs', ann)).not.toContain('/sets/75192');
  });

  test('suggests reports to users', async () => {
    const suggest = async (typed: string) =>
      JSON.parse((await ann.get(`/search.json?q=${typed}`)).html).results.map(
        ({ name }: { name: string }) => name,
      );
    expect(await suggest('report')).toEqual(['Insurance sheet', 'Sales', 'Profit report']);
    expect(await suggest('tax')).toContain('Sales');
  });

  test('an emoji finds nothing', async () => {
    const seen = await stranger.get(`/market?q=${encodeURIComponent('🧱')}`);
    expect(seen.status).toBe(200);
    expect((await stranger.get('/market?q=a')).status).toBe(400);
  });

  test('redirects to the market with the same query', async () => {
    const seen = await stranger.get('/search?q=grand+castle&kind=set');
    expect(seen).toMatchObject({ status: 303, goTo: '/market?q=grand+castle&kind=set' });
    expect(await stranger.get('/search')).toMatchObject({ goTo: '/market' });
  });

  test('shows matching themes above the results, with their number of sets', async () => {
    expect(await read(stranger, '/market?q=castle')).toMatch(/Theme: Castle 2 sets .*Sets 3/);
    expect((await stranger.get('/market?q=castle')).html).toContain('href="/themes/Castle"');
    expect(await read(stranger, '/market?q=grand+castle')).not.toContain('Theme: Castle');
  });

  test('tolerates typos, as page and as data', async () => {
    expect(await read(stranger, '/market?q=grand+castel')).toContain('Sets 2');
    expect(await results('grand castel')).toEqual(['/sets/75192', '/sets/75192-2']);
  });

  test('opens the set with a barcode, UPC or EAN', async () => {
    await site.world.load([
      {
        kind: 'set',
        set_number: '8001',
        title: 'Nobody Sells It',
        theme: 'Gear',
        upc: '673419000024',
      },
    ]);
    for (const [code, set] of [
      ['673419000017', '75192'],
      ['0673419000017', '75192'],
      ['5702000000015', '75192'],
      ['673419000024', '8001'],
    ]) {
      expect(await stranger.get(`/market?q=${code}`)).toMatchObject({ goTo: `/sets/${set}` });
      expect(await results(code ?? '')).toEqual([`/sets/${set}`]);
    }
  });

  test('explains input that is too short, and an empty result', async () => {
    for (const [typed, fault] of [
      ['x', 'Enter at least 2 letters or digits.'],
      ['x'.repeat(600), 'Use at most 500 characters.'],
      ['%E2%80%AEcastle', 'Use only letters, digits and punctuation.'],
    ]) {
      const seen = await stranger.get(`/market?q=${typed}`);
      expect([seen.status, textOf(seen.html)]).toEqual([400, expect.stringContaining(fault ?? '')]);
    }
    expect(await read(stranger, '/market?q=zzzz')).toContain('No sets match “zzzz”');
    expect(await results('x')).toEqual([]);
  });
});

/** The numbers of the items that a page lists, in order. */
async function numbersOn(visitor: Visitor, path: string): Promise<string> {
  const { html } = await visitor.get(path);
  const [, table = ''] =
    html.match(/<table [^>]*aria-label="(?:Set|Minifig)s"(.*?)<\/table>/s) ?? [];
  const links = table.matchAll(/href="\/(?:sets|minifigs)\/([^"]+)"/g);
  return [...links].map(([, number]) => number).join(' ');
}

describe('the market', () => {
  test.each([
    ['theme=Castle', '75192 75192-2'],
    ['year_from=2020&year_to=2020', '75192'],
    ['year_from=2021&sort=year', '6003 6002 6001'],
    ['year_to=2019', '5101'],
    ['status=upcoming', '6001'],
    ['status=retiring', '6003'],
    ['status=retired', '75192 5101'],
    ['theme=Castle&status=retired&q=grand&pieces_from=1500', '75192'],
    ['theme=Castle&status=upcoming', ''],
    ['theme=Gear&pieces_to=0', '5001'],
    ['q=grand+castle&sort=-name', '75192-2 75192'],
    ['q=tower&sort=-year', '6001 6002 6003'],
    ['q=tower&sort=year', '6003 6002 6001'],
    ['kind=minifig&sort=name', 'cas001 cas002'],
    ['kind=minifig&theme=Castle', 'cas001'],
  ])('with %p lists %p, to everyone', async (query, numbers) => {
    expect(await numbersOn(stranger, `/market?${query}`)).toBe(numbers);
  });

  test.each([
    ['min_value=100&below_value=1', '75192'],
    ['max_value=25&q=tower&sort=value', '6001 6003'],
    ['min_value=100&below_value=99', ''],
    ['tier=modeled&q=tower&sort=-value', '6002 6001 6003'],
    ['theme=Castle&min_value=100&year_from=2020&tier=high', '75192'],
    ['kind=minifig&min_value=1', 'cas001'],
  ])('with %p lists %p to users; visitors get no information from it', async (...asked) => {
    const [query, numbers] = asked;
    expect(await numbersOn(ann, `/market?${query}`)).toBe(numbers);
    const names = ['min_value', 'max_value', 'below_value', 'tier'];
    const rest = new URLSearchParams(query);
    for (const name of names) rest.delete(name);
    if (/value$/.test(rest.get('sort') ?? '')) rest.delete('sort');
    expect(await numbersOn(stranger, `/market?${query}`)).toBe(
      await numbersOn(stranger, `/market?${rest}`),
    );
  });

  test('shows values with their confidence to users only', async () => {
    const open = await read(stranger, '/market?q=75192');
    expect(open).toContain('75192 Castle 2020 Retired');
    expect(open).not.toMatch(/\$|Sealed value|90 days|confidence/i);
    expect(open).toContain('Sign in or create an account to see market values.');
    expect(await read(ann, '/market?q=75192')).toMatch(
      /Grand Castle 75192 Castle 2020 Retired \w+ confidence \$\d+\.\d\d/,
    );
  });

  test('keeps filters, kind, order and rows in its address', async () => {
    const query = 'q=castle&theme=Castle&min_value=1&sort=-value&rows=200';
    const { html } = await ann.get(`/market?${query}`);
    for (const field of [
      'name="q" type="search" value="castle"',
      '<option selected>Castle<',
      'name="min_value" type="text" value="1"',
      '<option value="-value" selected',
      'type="hidden" name="rows" value="200"',
    ]) {
      expect(html).toContain(field);
    }
    const and = query.replaceAll('&', '&amp;');
    expect(html).toContain(`href="/market?${and}&amp;kind=minifig"`);
    expect(html).toContain(`href="/market?${and.replace('-value', 'value')}"`);
    expect(html).toContain('href="/market?q=castle&amp;theme=Castle&amp;min_value=1&amp;sort=name');
  });

  test('shows the error of a filter at its field, without results', async () => {
    for (const query of ['year_from=then', 'min_value=much', 'status=gone', 'tier=best']) {
      const seen = await ann.get(`/market?${query}`);
      expect([query, seen.status]).toEqual([query, 400]);
      expect(textOf(seen.html)).toContain('Correct the fields marked above');
    }
  });

  test('has pages that link to each other', async () => {
    const many = Array.from({ length: 51 }, (_, index) => {
      const number = String(9000 + index);
      return { kind: 'set', set_number: number, title: `Brick ${number}`, theme: 'Bricks' };
    });
    await site.world.load(many);
    const first = await stranger.get('/market?theme=Bricks&sort=name');
    expect(textOf(first.html)).toContain('1–50 of 51 Next');
    expect(first.html).toContain('href="/market?theme=Bricks&amp;sort=name&amp;page=2"');
    expect(await numbersOn(stranger, '/market?theme=Bricks&sort=name&page=2')).toBe('9050');
    const all = await numbersOn(stranger, '/market?theme=Bricks&sort=name&rows=200');
    expect(all.split(' ')).toHaveLength(51);
    const after = await stranger.get('/market?theme=Bricks&page=99');
    expect(after.goTo).toBe('/market?theme=Bricks&page=2');
  });
});

describe('themes', () => {
  test('are listed with their sets; an unknown one is a 404', async () => {
    const { html } = await stranger.get('/themes');
    expect(textOf(html)).toMatch(/Theme ↑ Sets .*Castle 2 .*Éclair 1/);
    expect(html).toContain(`href="/themes/${encodeURIComponent('Éclair')}"`);
    expect(await read(stranger, `/themes/${encodeURIComponent('Éclair')}`)).toContain('6001');
    expect((await stranger.get('/themes/none')).status).toBe(404);
    expect(textOf((await stranger.get('/themes?sort=-sets')).html)).toMatch(
      /Sets ↓ Bricks 51 .*Castle 2/,
    );
  });

  test('have the list and the filters of the market', async () => {
    expect(await numbersOn(stranger, '/themes/Castle')).toBe('75192 75192-2');
    expect(await numbersOn(stranger, '/themes/Castle?status=retired')).toBe('75192');
    expect(await numbersOn(stranger, '/themes/Castle?q=tower')).toBe('');
    expect(await numbersOn(stranger, '/themes/Castle?theme=Gear')).toBe('75192 75192-2');
    expect((await stranger.get('/themes/Castle?page=9')).goTo).toBe('/themes/Castle');
  });

  test('show values to users only', async () => {
    expect(await read(stranger, '/themes/Castle')).not.toMatch(/\$|Index/);
    expect(await read(stranger, '/themes')).not.toMatch(/Index|mover/);
    expect(await read(ann, '/themes/Castle')).toMatch(/75192 2020 Retired High confidence \$\d/);
    expect(await read(ann, '/themes/Castle')).toMatch(/Index, 1 year .* Sets 2 /);
  });
});

describe('retail prices', () => {
  test('are for users only, and agree with the API', async () => {
    expect(await stranger.get('/retail')).toMatchObject({ goTo: '/sign-in?next=%2Fretail' });
    const rows = await answer<{ setNumber: string; paid: number }[]>('/brickfolio/retail-watch');
    expect(rows.map(({ setNumber }) => setNumber)).toEqual(['75192']);
    const text = await read(ann, '/retail');
    expect(text).toContain('Grand Castle 75192 $120.00');
    expect(text).not.toContain('6002');
  });

  test('have the filters of the API', async () => {
    const none = 'None of your sets match these filters.';
    expect(await read(ann, '/retail?changed_within=1h')).toContain(none);
    expect(await read(ann, '/retail?since=2026-11-14')).toContain(none);
    expect(await read(ann, '/retail?upc=5702000000015')).toContain('Grand Castle');
    expect(await read(ann, '/retail?upc=5702000000015,%20673419000024')).toContain('Grand Castle');
    expect(await read(ann, '/retail?upc=nonsense')).toContain(none);
    expect(await read(ann, '/retail?asin=B000000000')).toContain(none);
  });

  test.each([
    ['changed_within=soon', 'Enter a time like 90m, 24h or 7d.'],
    ['since=2026-02-30', 'Enter a date like 2026-11-15.'],
    [`asin=${'A,'.repeat(101)}`, 'Enter at most 100.'],
  ])('shows the error of %p, and keeps the input', async (query, fault) => {
    const seen = await ann.get(`/retail?${query}`);
    expect(seen.status).toBe(400);
    expect(textOf(seen.html)).toContain(fault);
    expect(seen.html).toContain(query.split('=')[1] ?? '');
  });
});

describe('deals', () => {
  beforeAll(() => site.world.load(bargains));

  test('are listed with price and profit, most profit per month first', async () => {
    const text = await read(ann, '/deals');
    expect(text).toContain(
      '2 deals Set Price Max buy Profit Time to sell Profit per month ↓ Part-out ratio Check ' +
        'Actions Harbor 1 8101 · Harbors $40.00 $50.92 ' +
        '+$33.23 +83.1% ROI 65 days on eBay $15.41 — No value for its parts ' +
        'Buy at Retailer A : Harbor 1 Skip Harbor 1 ' +
        'Harbor 2 8102 · Harbors $45.00 ',
    );
    expect(text).toContain('Third-party seller');
    const { html } = await ann.get('/deals?margin=20');
    expect(html).toContain('title="Seen 3 hours ago"');
    expect(html).toContain('href="https://retailer-a.example.com/8101"');
    expect(html).toContain('href="/sets/8101?margin=20#pay"');
  });

  test('agree with the page of the set on the same terms', async () => {
    await ann.submit(await ann.get('/account/buying'), '/account/buying', { tax: '10' });
    expect(await read(ann, '/deals')).toContain('$46.29 +$29.23');
    const text = await read(ann, '/sets/8101?margin=40');
    expect(text).toContain('Max buy price at an 80% chance $41.33 40% margin or more');
    expect(text).toContain('Sales per month 1.0 In all channels: 12 sales in 365 days');
    expect(await read(ann, '/deals?margin=40')).toContain('1 deal Set');
    expect(await read(ann, '/deals?margin=40')).toContain('$40.00 $41.33');
    await ann.submit(await ann.get('/account/buying'), '/account/buying', { tax: '0' });
  });

  test.each([
    ['min_profit=30', 1],
    ['min_roi=70', 1],
    ['max_price=40', 1],
    ['theme=Harbors&status=4&retailer=retailer_a&tier=low', 2],
    ['margin=80', 0],
    ['theme=Castle', 0],
    ['theme=gone', 0],
    ['status=2', 0],
    ['retailer=retailer_b', 0],
  ])('for the filters %p are %d', async (query, count) => {
    const none = 'No deals match Lower the margin or the chance to keep it, or clear the filters.';
    const some = count === 1 ? '1 deal Set' : `${count} deals Set`;
    expect(await read(ann, `/deals?${query}`)).toContain(count === 0 ? none : some);
  });

  test('are sorted by their headers, and keep the order with filters', async () => {
    const { html } = await ann.get('/deals?sort=price&tier=low');
    expect(html).toContain('href="/deals?sort=-price&amp;tier=low"');
    expect(html).toContain('<input type="hidden" name="sort" value="price"/>');
    expect(textOf(html)).toContain('Price ↑');
    const text = await read(ann, '/deals?sort=-price');
    expect(text.indexOf('Harbor 2')).toBeLessThan(text.indexOf('Harbor 1'));
    expect(await read(ann, '/deals?sort=wrong')).toContain('Profit per month ↓');
  });

  test('can be downloaded with the same filters', async () => {
    const { html, headers } = await ann.get('/deals.csv?max_price=40');
    expect(headers.get('Content-Type')).toStartWith('text/csv');
    expect(html.split('\r\n')).toEqual([
      'set_number,title,theme,retailer,price_usd,max_buy_usd,best_channel,net_usd,profit_usd,' +
        'roi_pct,wait_days,profit_per_month_usd,warnings,observed_at,product_url,part_out_ratio',
      '8101,Harbor 1,Harbors,retailer_a,40.00,50.92,ebay,73.23,33.23,83.08,64.7,15.41,,' +
        '2026-11-15T09:00:00.000Z,https://retailer-a.example.com/8101,',
      '',
    ]);
    const wrong = await ann.get('/deals.csv?max_price=x');
    expect(wrong).toMatchObject({ status: 303, goTo: '/deals?max_price=x' });
  });

  test('show the error of a filter at its field', async () => {
    for (const query of ['max_wait=0', 'max_price=x', 'min_roi=-1', 'tier=modeled', 'share=20']) {
      const seen = await ann.get(`/deals?${query}`);
      expect([query, seen.status]).toEqual([query, 400]);
      expect(textOf(seen.html)).toContain('Correct the fields marked above');
    }
    expect((await ann.get('/deals?page=7&min_roi=1')).goTo).toBe('/deals?min_roi=1');
    expect((await ann.get('/retail?page=7')).goTo).toBe('/retail');
  });

  test('need the Reseller plan', async () => {
    const free = await site.signedIn('free@example.com');
    const refused = await free.get('/deals');
    expect(refused.status).toBe(403);
    expect(textOf(refused.html)).toContain('Deals are part of the Reseller plan');
    expect(await free.get('/deals.csv')).toMatchObject({ status: 303, goTo: '/deals' });
    const told = await stranger.get('/deals');
    expect(textOf(told.html)).toContain('Sets that retailers sell below what they resell for');
    expect(told.html).toContain('href="/sign-in?next=%2Fdeals"');
    expect(await stranger.get('/deals.csv')).toMatchObject({
      goTo: '/sign-in?next=%2Fdeals.csv',
    });
  });
});

test('the scorecard compares sales with the values published before them', async () => {
  expect(await read(stranger, '/scorecard')).toContain('no new sales in the last 12 weeks');
  site.world.now += 1000;
  await site.world.load([
    {
      kind: 'sale',
      source: 'shop',
      source_id: 'new',
      item_type: 'set',
      item: '75192',
      condition: 'sealed',
      price: 205,
      sold_at: '2026-11-15T11:00:00Z',
    },
  ]);
  const text = await read(stranger, '/scorecard?weeks=26');
  expect(text).toContain('Sales scored 1 Median error');
  expect(text).toMatch(/Set, sealed \w+ confidence 1 \d/);
  expect(text).not.toContain('205');
});

test('the scorecard compares later sales with deals, once there are enough', async () => {
  const { world } = site;
  const load = async (first: number, count: number) => {
    world.now += 1000;
    const sold = (id: number) => ({
      kind: 'sale',
      source: 'shop',
      source_id: `after ${id}`,
      item_type: 'set',
      item: '8101',
      condition: 'sealed',
      price: id < 6 ? 60 : 105,
      sold_at: new Date(world.now - 1).toISOString(),
    });
    await world.load(Array.from({ length: count }, (_, index) => sold(first + index)));
    return read(stranger, '/scorecard');
  };
  const few = await load(0, 29);
  expect(few).toContain(
    'Deals shown 2 Later sales 29 Too few to judge; 30 needed Kept the margin — ' +
      '80% predicted Predicted ROI — Median Actual ROI — Median',
  );
  const enough = await load(29, 1);
  expect(enough).toContain('Deals shown 2 Later sales 30 Kept the margin 80%');
  expect(enough).toMatch(/Predicted ROI \+83% Median Actual ROI \+\d\d% Median/);
  expect(enough).toMatch(/Actual ROI \w+ confidence 30 80% \+83%/);
  expect(await read(stranger, '/scorecard?weeks=104')).toContain(
    'Later sales 30 Kept the margin 80%',
  );
});

test('the home page is for visitors; users are redirected to Today', async () => {
  const { html } = await stranger.get('/');
  const text = textOf(html);
  expect(text).toContain('Know what your LEGO sets are worth');
  // The example is the one set that is retired, well known and worth $150 to $400.
  expect(text).toMatch(/Grand Castle 75192 · Castle · 2020 · retired Market value, sealed \$\d+/);
  // No other value is shown.
  expect(text.match(/\$\d/g)).toHaveLength(1);
  expect(text).toContain('LEGO® is a trademark of the LEGO Group');
  for (const path of ['/sign-up', '/market', '/sets/75192', '/scorecard', '/docs/max-buy']) {
    expect(html).toContain(`href="${path}"`);
  }
  expect(await ann.get('/')).toMatchObject({ status: 303, goTo: '/today' });
  const icon = await stranger.get('/favicon.svg');
  expect([icon.status, icon.headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);
  for (const path of ['/favicon.ico', '/touch-icon.png', '/portfolio-page.png']) {
    const picture = await fetch(`${site.url}${path}`);
    expect([path, picture.headers.get('Content-Type')]).toEqual([path, 'image/png']);
    const signature = new Uint8Array(await picture.arrayBuffer()).subarray(1, 4);
    expect(new TextDecoder().decode(signature)).toBe('PNG');
  }
});

test('restated history is a page, for visitors too', async () => {
  expect(await read(stranger, '/restatements')).toContain('Never restated');
});

test('searches of visitors are limited by network; users are not limited', async () => {
  const search = async (network: string, Cookie = '', path = '/search.json') => {
    const headers = { 'X-Forwarded-For': network, Cookie };
    return (await fetch(`${site.url}${path}?q=castle`, { headers })).status;
  };
  const network = '203.0.113.9';
  for (let asked = 0; asked < 60; asked++) expect(await search(network)).toBe(200);
  // All searches count.
  for (const path of ['/search.json', '/market', '/themes/Castle']) {
    expect([path, await search(network, '', path)]).toEqual([path, 429]);
  }
  expect(await search('203.0.113.10')).toBe(200);
  const cookie = [...ann.cookies].map((pair) => pair.join('=')).join('; ');
  expect(await search(network, cookie)).toBe(200);
});

describe('the docs', () => {
  test('are the same for everyone, without script or cookie, and can be cached', async () => {
    const [own, open] = await Promise.all([
      ann.get('/docs/sets'),
      site.visitor().get('/docs/sets'),
    ]);
    expect(own.html).toBe(open.html);
    expect(open.headers.get('Cache-Control')).toBe('public, max-age=600');
    expect(open.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(open.headers.getSetCookie()).toEqual([]);
    expect(open.html).not.toContain('<script');
    expect(open.html).toContain('<code id="set.value_range">value_range</code>');
  });

  const docEntries = makeLibrary(docFiles).entries;

  test('every page is small and has all linked anchors; unknown pages are a 404', async () => {
    const paths = [...(await stranger.get('/llms.txt')).html.matchAll(/\]\((\/docs[^)]*)\)/g)];
    expect(paths.length).toBeGreaterThan(20);
    const places = new Set<string>();
    const links: string[] = docEntries.map(({ page, id }) => `${page.path}#${id}`);
    for (const [, path = ''] of paths) {
      const { status, html } = await stranger.get(path);
      // As Markdown, all pages of a document are one file.
      const isFile = path.endsWith('.md');
      expect([path, status, isFile || html.length < 150_000]).toEqual([path, 200, true]);
      if (isFile) continue;
      for (const [, id] of html.matchAll(/ id="([^"]+)"/g)) places.add(`${path}#${id}`);
      for (const [, to = ''] of html.matchAll(/ href="((?:\/docs[^"#]*)?#[^"]+)"/g)) {
        links.push(to.startsWith('#') ? path + to : to);
      }
    }
    expect([...new Set(links)].filter((link) => !places.has(link))).toEqual([]);
    for (const path of ['/docs/nowhere', '/docs/sets/nowhere', '/docs/install.md']) {
      expect((await stranger.get(path)).status).toBe(404);
    }
  });

  test('can be searched for any text, and are available as Markdown', async () => {
    const found = await stranger.get('/docs?q=data_tier');
    expect(found.html).toContain('href="/docs/sets#set.data_tier"');
    expect((await stranger.get('/docs/')).headers.get('Location')).toBe('/docs');
    expect((await stranger.get('/docs')).html).toContain(`export BRICKMARK_URL=${site.url}`);
    const long = await stranger.get(`/docs?q=${encodeURIComponent('<'.repeat(5000))}`);
    expect([long.status, long.html.length < 10_000]).toEqual([200, true]);
    const markdown = await stranger.get('/docs/api.md');
    expect(markdown.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.html).toStartWith('# The Brickmark API');
  });
});

test('a minifig has a chart from the day after its first value', async () => {
  expect((await ann.get('/minifigs/cas001')).html).not.toContain('id="history"');
  site.world.now += 2 * 86_400_000;
  const { html } = await ann.get('/minifigs/cas001');
  expect(numbersOf(html)).toMatch(/Nov 15, 2026 \$\d.*Nov 17, 2026 \$\d/);
  expect((await stranger.get('/minifigs/cas001')).html).not.toContain('id="history"');
  const compared = await ann.get('/minifigs/cas001?compare=75192');
  expect(numbersOf(compared.html)).toMatch(/^Date cas001 used 75192 Grand Castle Nov 15, 2026 100/);
});
