/** The inventory of an account: its lots with current and recent values. */
import { describe, expect, test } from 'bun:test';
import { anInventoryLot } from '../../../test/support/builders.ts';
import { dayMs } from '../../kernel/time.ts';
import type { ListedItem } from '../../market/published/published-records.ts';
import type { SetValues } from '../../market/values/set-values.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import { everyLot } from './inventory.ts';
import { readInventory, readRecentValues } from './inventory.work.ts';
import type { InventoryLot } from './lots.ts';

const today = 20_000;

const lotOf = (id: number, facts: Partial<InventoryLot> = {}) =>
  anInventoryLot({ id, number: '1-1', quantity: 3, sold: 1, ...facts });

const setOf = (number: string, theme: string): ListedItem => ({
  number,
  title: `Set ${number}`,
  theme,
  newCents: 15_00,
  usedCents: 9_00,
  newTier: 'high',
  usedTier: null,
});

interface World {
  readonly lots?: readonly InventoryLot[];
  readonly sets?: Readonly<Record<string, ListedItem>>;
  readonly values?: Readonly<Record<string, SetValues>>;
}

function worldOf({ lots = [], sets = {}, values = {} }: World) {
  const asked: { readonly what: string; readonly count: number; readonly turns: number }[] = [];
  let turns = 0;
  const ask = (what: string, count: number) => {
    asked.push({ what, count, turns });
    // Counts turns of the event loop.
    setImmediate(() => turns++);
  };
  const portfolio = {
    accounts: {
      listInventory: async (_: number, { after, limit }: { after: number; limit: number }) => {
        const part = lots.filter(({ id }) => id > after).slice(0, limit);
        ask('lots', part.length);
        return part;
      },
    },
    market: {
      findListedItems: async (_: string, keys: readonly string[]) => {
        ask('sets', keys.length);
        return new Map(keys.flatMap((key) => (sets[key] ? [[key, sets[key]] as const] : [])));
      },
      findItemValues: async (_: string, keys: readonly string[]) =>
        keys.map((key) => values[key] ?? null),
    },
  } as unknown as PortfolioData;
  return { portfolio, asked };
}

const order = { sort: 'number', isDescending: false } as const;
const brickfolios = [{ id: 1, name: 'Shelf', description: null, isDefault: true, createdAt: 0 }];
const asked = { filter: everyLot, order, brickfolios, ownFields: [], at: 0 };
const read = (world: World) => readInventory(worldOf(world).portfolio, 5, asked);

describe('a lot', () => {
  test('has the units left, their cost, and the value of one', async () => {
    const { rows } = await read({ lots: [lotOf(1)], sets: { '1': setOf('1-1', 'Town') } });
    expect(rows).toMatchObject([
      { brickfolio: 'Shelf', units: 2, costCents: 20_00, unitCents: 15_00, tier: 'high' },
    ]);
  });

  test('of an unpublished set is listed by its number, without a value', async () => {
    const { rows, themes } = await read({ lots: [lotOf(1, { brickfolioId: 9 })] });
    expect(rows).toMatchObject([
      { brickfolio: '', item: { number: '1-1', title: '1-1' }, unitCents: null, tier: null },
    ]);
    expect(themes).toEqual([]);
  });
});

test('matching rows are in order, with their total; themes are of all lots', async () => {
  const lots = ['3', '1', '2'].map((key, id) => lotOf(id + 1, { key, number: key }));
  const sets = { '1': setOf('1', 'Town'), '2': setOf('2', 'Space'), '3': setOf('3', 'Town') };
  const filter = { ...everyLot, theme: 'Town' };
  const { portfolio } = worldOf({ lots, sets });
  const found = await readInventory(portfolio, 5, { ...asked, filter });
  expect(found.rows.map(({ item }) => item.number)).toEqual(['1', '3']);
  expect(found.total).toMatchObject({ itemCount: 4, costCents: 40_00 });
  expect(found.themes).toEqual(['Space', 'Town']);
  expect(found.isEmpty).toBe(false);
});

test('an account is empty if it never had a lot, not even a sold-out one', async () => {
  expect(await read({})).toMatchObject({ rows: [], isEmpty: true });
  expect(await read({ lots: [lotOf(1, { sold: 3 })] })).toMatchObject({ rows: [], isEmpty: false });
});

test('lots and sets are read in parts, yielding in between', async () => {
  const lots = Array.from({ length: 20_000 }, (_, index) =>
    lotOf(index + 1, { kind: 'set', key: String(index % 10_000) }),
  );
  const { portfolio, asked: parts } = worldOf({ lots });
  expect((await readInventory(portfolio, 5, asked)).rows).toHaveLength(20_000);
  expect(parts.map(({ what, count }) => `${count} ${what}`)).toEqual([
    '10000 lots',
    '10000 lots',
    '0 lots',
    '5000 sets',
    '5000 sets',
  ]);
  expect(parts.map(({ turns }) => turns)).toEqual([0, 1, 2, 2, 4]);
});

test('the event loop gets turns between reading, filtering and sorting', async () => {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await read({ lots: [lotOf(1)] });
  clearImmediate(next);
  expect(turns).toBe(4);
});

describe('the last 90 days', () => {
  const valuesOf = (facts: Partial<SetValues>): SetValues => ({
    newCents: 15_00,
    usedCents: 9_00,
    months: { sealed: null, used: null },
    early: { sealed: [], used: [] },
    ...facts,
  });
  /** A different value on each of 200 days. */
  const daily = Array.from({ length: 200 }, (_, index) => ({
    day: today - 199 + index,
    cents: today - 199 + index,
  }));
  const recent = async (value: SetValues | null, facts: Partial<InventoryLot> = {}) => {
    const world = { lots: [lotOf(1, facts)], sets: { '1': setOf('1-1', 'Town') } };
    const { portfolio } = worldOf(value ? { ...world, values: { '1': value } } : world);
    const { rows } = await readInventory(portfolio, 5, asked);
    return readRecentValues(portfolio, rows, today * dayMs + 5);
  };

  test('are seven values, 15 days apart, the last of them today', async () => {
    const value = valuesOf({ early: { sealed: daily, used: [] } });
    const before = [90, 75, 60, 45, 30, 15].map((days) => today - days);
    expect(await recent(value)).toEqual([[...before, 15_00]]);
  });

  test('are those of the condition of the lot', async () => {
    const early = [{ day: today - 400, cents: 7_00 }];
    const value = valuesOf({ early: { sealed: daily, used: early } });
    expect(await recent(value, { condition: 'used' })).toEqual([[...Array(6).fill(7_00), 9_00]]);
  });

  test('are unknown without a value, and known today if there was none before', async () => {
    expect(await recent(null, { kind: 'set', key: '9' })).toEqual([Array(7).fill(null)]);
    expect(await recent(null)).toEqual([[...Array(6).fill(null), 15_00]]);
  });

  test('follow the ends of months', async () => {
    const months = { firstMonth: 652, valueCents: [11_00, 13_00] } as const;
    const value = valuesOf({ months: { sealed: months, used: null } });
    const [values = []] = await recent(value);
    expect(values.at(-1)).toBe(15_00);
    expect(new Set(values).size).toBeGreaterThan(1);
  });
});
