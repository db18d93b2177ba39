/** The portfolio page has the numbers of the API, and next steps while it is empty. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { dayText, moneyText } from '../../src/kernel/format.ts';
import { applyRows, rowsOf as privateRowsOf } from '../support/own-rows.ts';
import { portfolioMarket, portfolioOf, soldAt } from '../support/portfolio.ts';
import { type Site, startSite, textOf, type Visitor } from '../support/site.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
  await site.world.load(portfolioMarket);
});

afterAll(() => site.close());

test('an empty portfolio has three next steps', async () => {
  const visitor = await site.signedIn('new@example.com');
  const { html } = await visitor.get('/portfolio');
  expect(textOf(html)).toContain('Your portfolio is empty');
  for (const path of ['/inventory/add', '/inventory/import', '/market']) {
    expect(html).toMatch(new RegExp(`<a class="button[^"]*" href="${path}"`));
  }
  expect(html).not.toContain('<table');
});

test('lots without a purchase date are valued, but have no purchase event', async () => {
  const email = 'undated@example.com';
  const visitor = await site.signedIn(email, { plan: 'reseller' });
  const rows = privateRowsOf(email);
  const undated = { number: '1001', dateBasis: 'unknown', purchaseDate: '2026-11-10' } as const;
  const { accounts } = site.world.store;
  await applyRows(accounts, [rows.brickfolio('Shelf'), rows.lot('old', undated)], site.world.now);
  const { html } = await visitor.get('/portfolio?range=90d');
  const text = textOf(html);
  expect(text).toContain('Portfolio value $345.60');
  expect(text).toContain('1 without a purchase date, not in returns');
  expect(text).toMatch(/Time-weighted return — Purchase dates unknown/);
  expect(text).toMatch(/XIRR — Purchase dates unknown/);
  expect(html).not.toContain('units bought');
  expect(text).not.toContain('Bought 2 units');
});

test('with a fifth of the cost estimated, returns in percent are not shown', async () => {
  const email = 'estimated@example.com';
  const visitor = await site.signedIn(email);
  const rows = privateRowsOf(email);
  const { accounts } = site.world.store;
  const show = async (estimatedCents: number) => {
    await applyRows(
      accounts,
      [
        rows.brickfolio('Shelf'),
        rows.lot('paid', { number: '1001', quantity: 1, priceCents: 80_00 }),
        rows.lot('guessed', {
          number: '1001',
          quantity: 1,
          priceCents: estimatedCents,
          isEstimated: true,
        }),
      ],
      site.world.now,
    );
    return textOf((await visitor.get('/portfolio?range=1y')).html);
  };
  expect(await show(20_00)).toMatch(/unrealized gain .*Time-weighted return [-+0]/);
  const text = await show(30_00);
  expect(text).toContain(' 27.3% of the cost is estimated, so returns in percent aren’t shown.');
  expect(text).toMatch(/Time-weighted return — Too much of the value or cost is estimated/);
  expect(text).not.toMatch(/\(\+\d+\.\d%\) unrealized gain/);
});

test('themes add up to the portfolio, however many there are', async () => {
  const email = 'wide@example.com';
  const visitor = await site.signedIn(email);
  const numbers = Array.from({ length: 26 }, (_, index) => String(5001 + index));
  const set = { kind: 'set', title: 'Hut' };
  await site.world.load(
    numbers.map((number) => ({ ...set, set_number: number, theme: `Theme ${number}` })),
  );
  const rows = privateRowsOf(email);
  const lots = numbers.map((number) =>
    rows.lot(number, { number, quantity: 1, priceCents: 10_00 }),
  );
  await applyRows(site.world.store.accounts, [rows.brickfolio('Shelf'), ...lots], site.world.now);
  const { html } = await visitor.get('/portfolio');
  expect(textOf(html)).toContain('Portfolio value $260.00');
  expect(textOf(html)).toContain('2 other themes $20.00');
  expect(html.match(/<a href="\/inventory\?theme=Theme\+5\d+">/g)).toHaveLength(24);
  expect(html).toContain('<a href="/inventory?sort=theme">2 other themes</a>');
});

describe('a collection', () => {
  const email = 'ann@example.com';
  let ann: Visitor;
  let key: string;

  beforeAll(async () => {
    ann = await site.signedIn(email, { plan: 'reseller' });
    await site.world.ingest(portfolioOf(email));
    key = await site.world.addKey(email);
  });

  interface Summary {
    readonly data: {
      readonly summary: Record<string, number>;
      readonly value_history: {
        readonly date: string;
        readonly total_value_usd: number;
        readonly cost_basis_usd: number;
      }[];
    };
  }

  test.each([
    ['30d', '-$226.80 30 days'],
    ['90d', '+$79.40 90 days'],
    ['1y', '+$169.40 1 year'],
  ])(
    'over %s has the numbers of the API, to the cent, and a change of the unrealized gain of %s',
    async (period, change) => {
      const answer = await site.world.call(`/brickfolio/analytics?period=${period}`, key);
      const { summary, value_history: history } = ((await answer.json()) as Summary).data;
      const { html } = await ann.get(`/portfolio?range=${period}`);
      const text = textOf(html);
      expect(summary.total_current_value_usd).toBe(841.06);
      expect(text).toContain('Portfolio value $841.06 +$229.40 (+37.5%) unrealized gain');
      expect(text).toContain('Cost basis $611.66');
      expect(text).toContain(`Unrealized gain +$229.40 ${change} Realized gain`);
      expect(rowsOf(html)).toEqual(
        history.map(({ date, total_value_usd: value, cost_basis_usd: cost }) => [
          dayText(date),
          moneyText(Math.round(value * 100)),
          moneyText(Math.round(cost * 100)),
        ]),
      );
    },
  );

  /** The numbers of the chart, without events. */
  const rowsOf = (html: string) => {
    const count =
      /<table id="portfolio".*?<tbody>/s.exec(html)?.[0].match(/data-key/g)?.length ?? 0;
    const [, table = ''] = /<table id="portfolio".*?<tbody>(.*?)<\/tbody>/s.exec(html) ?? [];
    const rows = table.split(/<tr[^>]*>/).slice(1);
    return rows.map((row) => {
      const cells = [...row.matchAll(/<td[^>]*>([^<]*)/g)].map(([, cell]) => cell ?? '');
      return cells.slice(0, count + 1);
    });
  };

  test('over all time starts at the day before the first purchase', async () => {
    const rows = rowsOf((await ann.get('/portfolio?range=all')).html);
    expect(rows[0]?.slice(1)).toEqual(['$0.00', '$0.00']);
    expect(rows.at(-1)?.slice(1)).toEqual(['$841.06', '$611.66']);
    expect(rows.length).toBeLessThanOrEqual(105);
  });

  test('has charts of gain and return, with purchases and sales marked', async () => {
    const gain = (await ann.get('/portfolio?range=90d&show=gain')).html;
    expect(rowsOf(gain).at(-1)).toEqual(['Nov 15, 2026', '+$229.40']);
    const returns = (await ann.get('/portfolio?range=90d&show=return')).html;
    expect(rowsOf(returns).at(-1)).toEqual(['Nov 15, 2026', '+25.6%']);
    for (const html of [gain, returns]) expect(html).toMatch(/2 units bought.*4 units sold/s);
  });

  test('shows the value alone at first, and the cost when it is turned on', async () => {
    const cost = async (query: string) =>
      / value="cost"( checked)?/.exec((await ann.get(`/portfolio${query}`)).html)?.[1] ?? null;
    expect([await cost(''), await cost('?hide=none')]).toEqual([null, ' checked']);
  });

  test('has returns and realized gains of the range', async () => {
    const text = textOf((await ann.get('/portfolio?range=1y')).html);
    // Profits of the five sales: 10.09 + 25 + 102 + 150 − 9.73
    expect(text).toContain('Realized gain +$277.36');
    expect(text).toMatch(/Time-weighted return \+57\.0% 1 year, market only/);
    expect(text).toMatch(/XIRR \+115\.\d% a year, since Nov 16, 2025/);
    // The unrealized change and the sales of lots: 169.40 + 277.36 − 25 with an entered cost.
    expect(text).toContain(
      'Total gain, 1 year +$421.76 +$288.44 market +$204.92 buying -$91.60 selling ' +
        '+$20.00 before values began +$25.00 more from sales without a purchase date',
    );
    const short = textOf((await ann.get('/portfolio?range=30d')).html);
    expect(short).toContain('XIRR — Shown for ranges of 90 days or more');
  });

  test('counts unvalued and estimated units, with links to them', async () => {
    const { html } = await ann.get('/portfolio');
    expect(html).toContain('<a href="/inventory?value=none">1 not valued</a>');
    expect(html).not.toContain('not in returns');
    expect(html).not.toContain('estimated cost');
  });

  test('has themes as areas that link to their holdings, with numbers', async () => {
    const { html } = await ann.get('/portfolio');
    expect(html).toContain('href="/inventory?theme=Trains"');
    expect(textOf(html)).toMatch(/Trains \$172\.80 \+\$92\.80 \(\+116\.0%\)/);
  });

  test('lists the sets with the largest moves of the range, in dollars of what is held', async () => {
    const text = textOf((await ann.get('/portfolio?range=30d')).html);
    // Two lighthouses from 133.10 to 172.80 each; four windmills from 125 to 64.
    expect(text).toMatch(/Top gainers, 30 days .*?Lighthouse 1001 · 2 units \$345\.60 \+\$79\.40/);
    expect(text).toMatch(/Top losers, 30 days .*?Windmill 1002 · \d units \$\d+\.00 -/);
  });

  test('lists purchases, sales and retail prices of held sets, latest first', async () => {
    const text = textOf((await ann.get('/portfolio')).html);
    const [, activity = ''] = /Activity Retail prices(.*)$/s.exec(text) ?? [];
    expect(activity).toContain(
      'Lighthouse 1001 · Retailer A price -$10.00, all-time low $140.00 Nov 12, 2026',
    );
    expect(activity).not.toContain('Retailer B');
    expect(activity).toMatch(/Windmill 1002 · Sold 1 unit \$105\.09 Nov 5, 2026/);
    expect(activity).toMatch(/Caboose 1004 · Bought 2 units \$80\.00 Oct 20, 2026/);
    // One of these four was sold later.
    expect(activity).toMatch(/Windmill 1002 · Bought 4 units \$380\.00 Sep 12, 2026/);
    expect(site.world.failures).toEqual([]);
  });
});

test('a change, a publication and a new day each show at once', async () => {
  const email = 'bea@example.com';
  const bea = await site.signedIn(email, { plan: 'reseller' });
  const { world } = site;
  const shelf = { kind: 'brickfolio', account: email, name: 'Shelf' };
  const lot = (id: string) => ({
    kind: 'holding',
    account: email,
    source_id: id,
    brickfolio: 'Shelf',
    set_number: '1001',
    condition: 'sealed',
    quantity: 1,
    purchase_price_usd: 100,
    purchase_date: '2026-11-01',
  });
  const shown = async () => textOf((await bea.get('/portfolio?range=30d')).html);
  expect(await shown()).toContain('Your portfolio is empty');
  await world.ingest([shelf, lot('a')]);
  for (const _ of ['made', 'kept']) expect(await shown()).toContain('Portfolio value $172.80');
  await world.ingest([lot('b')]);
  expect(await shown()).toContain('Portfolio value $345.60');
  await world.load(soldAt('1001', 'sealed', ['2026-11-14', 200]));
  expect(await shown()).toContain('Portfolio value $400.00');
  expect(await shown()).not.toContain('Nov 16, 2026');
  world.now += 86_400_000;
  expect(await shown()).toContain('Nov 16, 2026');
  expect(world.failures).toEqual([]);
});
