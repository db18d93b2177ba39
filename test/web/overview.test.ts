/** The overview shows the API's own numbers, and says what to do while there are none. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { portfolioMarket, portfolioOf } from '../support/portfolio.ts';
import { type Site, startSite, textOf, type Visitor } from '../support/site.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
  await site.world.load(portfolioMarket);
});

afterAll(() => site.close());

test('whoever has nothing yet is told what to do first', async () => {
  const visitor = await site.signedIn('new@example.com');
  const { html } = await visitor.get('/overview');
  const text = textOf(html);
  expect(text).toContain('Your collection is empty');
  expect(html).toContain('href="/collections"');
  expect(text).toContain('You have no key. Make one');
  expect(html).not.toContain('<table');
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

  test.each(['30d', '90d', '1y'])(
    'over %s it has the numbers of the API, to the cent',
    async (period) => {
      const answer = await site.world.call(`/brickfolio/analytics?period=${period}`, key);
      const { summary, value_history: history } = ((await answer.json()) as Summary).data;
      const { html } = await ann.get(`/overview?period=${period}`);
      const text = textOf(html);
      expect(summary.total_current_value_usd).toBe(841.06);
      expect(text).toContain('Value $841.06');
      expect(text).toContain('Cost $611.66');
      expect(text).toContain('Unrealised gain +$229.40 +37.50%');
      const rows = [...html.matchAll(/<td data-value="\d+">([\d-]+)<\/td>(.*?)<\/tr>/g)].map(
        ([, date, cells = '']) => {
          const values = [...cells.matchAll(/data-value="([\d.]+)"/g)].map(([, v]) => Number(v));
          return { date, values };
        },
      );
      const wanted = history.map(({ date, total_value_usd: value, cost_basis_usd: cost }) => ({
        date,
        values: [value, cost],
      }));
      expect(rows).toEqual(wanted as typeof rows);
    },
  );

  test('it names the set that gained and the one that lost most', async () => {
    const text = textOf((await ann.get('/overview')).html);
    // 1004: 172.80 of 80.00; 1002: 256.00 of 285.00
    expect(text).toContain('Gained most +116.00% 1004 Caboose +$92.80');
    expect(text).toContain('Lost most -10.18% 1002 Windmill -$29.00');
  });

  test('it tells returns and what was realised in the period', async () => {
    const text = textOf((await ann.get('/overview?period=1y')).html);
    // Profits of the five sales: 10.09 + 25 + 102 + 150 − 9.73
    expect(text).toContain('Realised gain +$277.36');
    expect(text).toMatch(/Your sets made \+\d+\.\d\d%/);
    expect(text).toMatch(/Your money made \+\d+\.\d\d% a year/);
  });

  test('it tells the latest retail change of a held set, with what it cost', async () => {
    const text = textOf((await ann.get('/overview')).html);
    expect(text).toContain(
      '1001 Lighthouse Retailer A all-time low $140.00 -$10.00 $90.00 2026-11-12 08:00 UTC',
    );
    expect(text).not.toContain('1002 Windmill Retailer B');
  });

  test('it tells how much of the day is used', async () => {
    const { world } = site;
    const email = 'bob@example.com';
    const bob = await site.signedIn(email, { plan: 'reseller' });
    await world.call('/catalog/themes', await world.addKey(email, { allowance: 50 }));
    expect(textOf((await bob.get('/overview')).html)).toContain('API calls today 1 of 50 until');
    expect(world.failures).toEqual([]);
  });
});
