/** Decisions about private lists: order, pages, and invalid parameters. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { addPerson, ledgerSale, lot, type Person, setWorth, shelf } from '../support/person.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;
/** Has five lots in two collections, and five sales. */
let owner: Person;

beforeAll(async () => {
  world = await startWorld();
  await world.load(setWorth('100', { sealed: 100 }));
  const dates = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'];
  owner = await person(
    shelf,
    { kind: 'brickfolio', name: 'Attic' },
    ...dates.map((purchase_date, index) =>
      lot(`lot ${index}`, 1, { purchase_date, brickfolio: index < 2 ? 'Attic' : 'Shelf' }),
    ),
    ...dates.map((sale_date, index) =>
      ledgerSale(`sale ${index}`, 1, { sale_date, cost_basis_usd: 1 }),
    ),
  );
});

afterAll(() => world.close());

let persons = 0;

/** Adds an account with these lines. */
function person(...lines: readonly FeedLine[]): Promise<Person> {
  return addPerson(world, `person-${++persons}@example.com`, lines);
}

/** The days of the dates on a page. */
async function pageOf(path: string) {
  const { pagination, ...rows } = await owner.get<{
    entries?: { purchase_date: string }[];
    sales?: { sale_date: string }[];
    pagination: { total: number; limit: number; offset: number; has_more: boolean };
  }>(path);
  const dates = rows.entries?.map((e) => e.purchase_date) ?? rows.sales?.map((s) => s.sale_date);
  return { days: dates?.map((date) => Number(date.slice(-2))), pagination };
}

describe('ordering', () => {
  test('brickfolios: the default first, then by name, ignoring case and accents', async () => {
    const names = ['Cellar', 'attic', 'Éclair', 'Shelf', 'Barn', 'Garage'];
    const who = await person(
      ...names.map((name) => ({ kind: 'brickfolio', name, is_default: name === 'Shelf' })),
    );
    const { brickfolios } = await who.brickfolios();
    expect(brickfolios.map((b) => b.name)).toEqual([
      'Shelf',
      'attic',
      'Barn',
      'Cellar',
      'Éclair',
      'Garage',
    ]);
  });

  test('entries by purchase date, newest first, then id; months of purchase oldest first', async () => {
    const at = (price: number, date: string) =>
      lot(String(price), 2, { purchase_price_usd: price, purchase_date: date });
    const who = await person(
      shelf,
      at(3, '2026-02-01'),
      at(1, '2026-02-10'),
      at(4, '2026-02-01'),
      at(2, '2026-02-01'),
      at(5, '2025-12-31'),
    );
    const { entries } = await who.entries();
    expect(entries.map((e) => e.purchase_price_usd)).toEqual([1, 3, 4, 2, 5]);
    expect((await who.brickfolios()).monthly_periods).toEqual([
      { month: '2025-12', entry_count: 1, items: 2, cost_basis_usd: 10 },
      { month: '2026-02', entry_count: 4, items: 8, cost_basis_usd: 20 },
    ]);
  });

  test('sales by date, newest first, then id', async () => {
    const on = (gross_proceeds_usd: number, sale_date: string) =>
      ledgerSale(sale_date + gross_proceeds_usd, 1, {
        gross_proceeds_usd,
        sale_date,
        cost_basis_usd: 1,
      });
    const who = await person(on(3, '2026-02-01'), on(1, '2026-02-10'), on(2, '2026-02-01'));
    const { sales } = await who.sales();
    expect(sales.map((s) => s.gross_proceeds_usd)).toEqual([1, 3, 2]);
    expect(sales[1]?.id).toBeLessThan(sales[2]?.id ?? 0);
  });
});

describe.each([
  ['entries', '/brickfolio/entries'],
  ['sales', '/salesledger'],
])('pages of %s', (_, path) => {
  test('have 50 rows by default, and continue each other', async () => {
    expect(await pageOf(path)).toEqual({
      days: [5, 4, 3, 2, 1],
      pagination: { total: 5, limit: 50, offset: 0, has_more: false },
    });
    expect(await pageOf(`${path}?limit=2&offset=1`)).toEqual({
      days: [4, 3],
      pagination: { total: 5, limit: 2, offset: 1, has_more: true },
    });
  });

  test('have has_more exactly if something follows', async () => {
    const hasMore = async (query: string) => (await pageOf(`${path}?${query}`)).pagination.has_more;
    expect(await hasMore('limit=4')).toBe(true);
    expect(await hasMore('limit=5')).toBe(false);
    expect(await hasMore('limit=1&offset=3')).toBe(true);
    expect(await hasMore('limit=1&offset=4')).toBe(false);
  });

  test('past the last one are empty, with the correct total', async () => {
    for (const offset of [5, 6, 1_000_000_000, Number.MAX_SAFE_INTEGER]) {
      expect(await pageOf(`${path}?offset=${offset}`)).toEqual({
        days: [],
        pagination: { total: 5, limit: 50, offset, has_more: false },
      });
    }
    // Distinct offsets, although a number could not distinguish the first two.
    for (const offset of ['9007199254740992', '9007199254740993', '9'.repeat(400)]) {
      const text = await (await owner.ask(`${path}?offset=${offset}`)).text();
      const pagination = `{"total":5,"limit":50,"offset":${offset},"has_more":false}`;
      expect(text).toContain(`:[],"pagination":${pagination}}`);
    }
  });

  test('have 1 to 250 rows from an offset of at least 0; anything else is a 400 at no cost', async () => {
    for (const good of ['limit=1', 'limit=250', 'offset=0']) await owner.data(`${path}?${good}`);
    const before = await owner.used();
    const bad = ['0', '251', '-1', '1.0', '1e1', '0x10', '%2B5', '', '%20', 'ten', '5&limit=5'];
    const queries = [...bad.map((limit) => `limit=${limit}`), 'offset=-1', 'offset=0.0', 'offset='];
    for (const query of [...queries, 'page=1', 'Limit=5']) {
      const response = await owner.ask(`${path}?${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      expect(await response.json()).toMatchObject({ error: { code: 'BadRequest' } });
    }
    expect(await owner.used()).toBe(before);
  });
});

describe('brickfolio_id', () => {
  test('limits entries, their total and has_more to one collection', async () => {
    const attic = (await owner.brickfolios()).brickfolios.find((b) => b.name === 'Attic')?.id;
    expect(await pageOf(`/brickfolio/entries?brickfolio_id=${attic}&limit=1`)).toEqual({
      days: [2],
      pagination: { total: 2, limit: 1, offset: 0, has_more: true },
    });
    const { entries } = await owner.entries(`?brickfolio_id=${attic}`);
    expect(entries.map((e) => e.brickfolio_id)).toEqual([attic, attic] as never);
  });

  test('of an empty collection gives an empty list, not a 404', async () => {
    const who = await person(shelf);
    const id = (await who.brickfolios()).brickfolios[0]?.id;
    expect(await who.entries(`?brickfolio_id=${id}`)).toEqual({
      entries: [],
      pagination: { total: 0, limit: 50, offset: 0, has_more: false },
    });
  });

  test("that is unknown or another account's is a 404 NotFound that costs one call each time", async () => {
    const who = await person();
    const foreign = (await owner.brickfolios()).brickfolios[0]?.id ?? 0;
    const beyond = ['9007199254740993', '18446744073709551617', `1${'0'.repeat(400)}`];
    const asked = [foreign, foreign, 999_999, 999_999, Number.MAX_SAFE_INTEGER, ...beyond];
    for (const [index, id] of asked.entries()) {
      const response = await who.ask(`/brickfolio/entries?brickfolio_id=${id}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'NotFound' } });
      expect(response.headers.get('x-ratelimit-remaining')).toBe(String(99_999 - index));
      expect(await who.used()).toBe(index + 1);
    }
  });

  test('that is not a positive integer is a 400 at no cost', async () => {
    const before = await owner.used();
    const bad = ['0', '-1', '1.0', '1e1', 'abc', '', '0x1', '%2B1', '1,2'];
    for (const id of [...bad, '1&brickfolio_id=1']) {
      const response = await owner.ask(`/brickfolio/entries?brickfolio_id=${id}`);
      expect([id, response.status]).toEqual([id, 400]);
      expect(await response.json()).toMatchObject({ error: { code: 'BadRequest' } });
    }
    expect(await owner.used()).toBe(before);
  });
});

test('period is 30d, 90d or 1y (default); anything else is a 400 at no cost', async () => {
  expect((await owner.get<{ period: string }>('/brickfolio/analytics')).period).toBe('1y');
  for (const period of ['30d', '90d', '1y']) {
    expect((await owner.analytics(period)).period).toBe(period as never);
  }
  const before = await owner.used();
  for (const period of ['2y', '30', '1Y', '30D', '', '%20', '1y&period=1y', '30d,90d']) {
    const response = await owner.ask(`/brickfolio/analytics?period=${period}`);
    expect([period, response.status]).toEqual([period, 400]);
  }
  expect(await owner.used()).toBe(before);
});

test('/salesledger costs one call per page, like the others', async () => {
  const before = await owner.used();
  const paths = ['/salesledger', '/salesledger?limit=1', '/salesledger?offset=99', '/brickfolio'];
  for (const path of [...paths, '/brickfolio/entries', '/brickfolio/analytics']) {
    await owner.data(path);
  }
  expect(await owner.used()).toBe(before + 6);
});
