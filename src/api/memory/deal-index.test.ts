/** The deals in memory match the published ones, even after publications during a read. */
import { expect, test } from 'bun:test';
import { candidate, dealsAt } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { countTurns } from '../../../test/support/turns.ts';
import { type BuyTerms, defaultTerms } from '../../buying/boxes/quotes.ts';
import type { DealCandidate } from '../../buying/deals/deal.ts';
import { type DealQuestion, usualFilters } from '../../buying/deals/find-deals.ts';
import type { FeeTables } from '../../buying/prices/selling-channels.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { dayMs } from '../../kernel/time.ts';
import type { DealName, DealRow } from '../../market/published/deals.ts';
import type { ListedEntry } from '../../market/published/published-records.ts';
import { DealIndex } from './deal-index.ts';
import type { ChangeListener } from './freshness.ts';

const question = {
  terms: defaultTerms,
  filters: usualFilters,
  at: dealsAt,
  limit: 5_000,
  offset: 0,
};

const keyOf = (index: number) => String(10_000 + index);

/** A market with a deal for each price, and an index that follows it. */
function market(prices: readonly number[]) {
  const rows = new Map<string, DealCandidate>();
  const reads: string[] = [];
  let listener: ChangeListener = () => {};
  let news: (readonly string[] | null)[] = [];
  const put = (setKey: string, priceCents: number | null) => {
    if (priceCents === null) rows.delete(setKey);
    else rows.set(setKey, candidate({ set: { setKey }, offer: { priceCents } }));
  };
  for (const [index, price] of prices.entries()) put(keyOf(index), price);
  const toRows = (found: readonly DealCandidate[]): DealRow[] =>
    found.map((row) => ({
      setKey: row.setKey,
      retailer: row.offer.retailer,
      body: JSON.stringify(row),
    }));
  const shop = {
    put,
    reads,
    /** Called before a slice of the whole list is read, or a list of sets. */
    beforeRead: () => {},
    /** Called after a list of sets was read, before it is returned. */
    afterRead: async () => {},
    /** Publishes keys before the next query. Null: too many to list. */
    publish: (keys: readonly string[] | null) => news.push(keys),
  };
  const changesOf = (keys: readonly string[] | null) =>
    keys && (keys.map((key) => ({ kind: 'set', key })) as unknown as ListedEntry[]);
  const index = new DealIndex(
    {
      listDeals: async (after: DealName | null, limit: number) => {
        shop.beforeRead();
        reads.push('slice');
        const sorted = [...rows.values()].sort((a, b) => (a.setKey < b.setKey ? -1 : 1));
        return toRows(sorted.filter((row) => row.setKey > (after?.setKey ?? '')).slice(0, limit));
      },
      findDeals: async (keys) => {
        shop.beforeRead();
        reads.push(keys.join(' '));
        const found = toRows(keys.flatMap((key) => rows.get(key) ?? []));
        await shop.afterRead();
        return found;
      },
    },
    {
      follow: (given) => {
        listener = given;
      },
      refresh: async () => {
        const all = news;
        news = [];
        for (const keys of all) listener(changesOf(keys));
      },
    },
  );
  const find = async (given: Partial<DealQuestion> = {}, tables: FeeTables = builtInTables) => {
    const page = await index.find(tables, { ...question, ...given });
    return page.rows.map(({ setKey, offer }) => [setKey, offer.priceCents]).sort();
  };
  const tell = (keys: readonly string[] | null) => listener(changesOf(keys));
  return { ...shop, shop, find, tell };
}

test('all deals are read in slices, once for concurrent callers, and cached', async () => {
  const { find, reads } = market(Array(1_001).fill(50_00));
  const [first, second] = await Promise.all([find(), find()]);
  expect([first.length, second.length]).toEqual([1_001, 1_001]);
  await find({ terms: { ...defaultTerms, share: 0.9 } });
  expect(reads).toEqual(['slice', 'slice', 'slice']);
});

test('only published deals are read again: changed, new and removed ones', async () => {
  const { find, put, publish, reads } = market([50_00, 50_00]);
  await find();
  put(keyOf(0), 40_00);
  put(keyOf(1), null);
  put(keyOf(2), 45_00);
  publish([keyOf(0), keyOf(1), keyOf(2)]);
  expect(await find()).toEqual([
    [keyOf(0), 40_00],
    [keyOf(2), 45_00],
  ]);
  expect(reads).toEqual(['slice', [0, 1, 2].map(keyOf).join(' ')]);
});

test('after too many changes everything is read again', async () => {
  const { find, put, publish, reads } = market([50_00]);
  await find();
  put(keyOf(1), 45_00);
  publish(null);
  expect(await find()).toHaveLength(2);
  expect(reads).toEqual(['slice', 'slice']);
});

test('deals published during a read are read once more; all deals after many changes', async () => {
  for (const changed of [[keyOf(0)], null]) {
    const { find, put, shop, tell } = market(Array(600).fill(50_00));
    let slices = 0;
    shop.beforeRead = () => {
      if (++slices !== 2) return;
      put(keyOf(0), 40_00);
      tell(changed);
    };
    await find();
    expect((await find())[0]).toEqual([keyOf(0), 40_00]);
  }
});

test('callers during a read wait for it, and for changes published since', async () => {
  const { find, put, publish, shop } = market([50_00]);
  await find();
  const change = (priceCents: number) => {
    put(keyOf(0), priceCents);
    publish([keyOf(0)]);
  };
  /** Makes a request, and another one during its read; returns the result of the second. */
  const askTwice = async (meanwhile: () => void) => {
    const second: ReturnType<typeof find>[] = [];
    shop.afterRead = async () => {
      shop.afterRead = async () => {};
      meanwhile();
      second.push(find());
      await Bun.sleep(0);
    };
    await find();
    return second[0];
  };
  change(40_00);
  expect(await askTwice(() => {})).toEqual([[keyOf(0), 40_00]]);
  change(30_00);
  expect(await askTwice(() => change(20_00))).toEqual([[keyOf(0), 20_00]]);
});

test('a failed read is retried by the next caller, without losing changes', async () => {
  const { find, put, publish, shop } = market([50_00]);
  await find();
  put(keyOf(0), 40_00);
  publish([keyOf(0)]);
  shop.beforeRead = () => {
    throw new Error('The store is away.');
  };
  expect(find()).rejects.toThrow('away');
  await Bun.sleep(0);
  shop.beforeRead = () => {};
  expect(await find()).toEqual([[keyOf(0), 40_00]]);
});

test('sums are computed for the requested terms, day and tables', async () => {
  const costs = { ...defaultTerms, marginBasisPoints: 5_500 };
  const free = { ...builtInTables, fees: { ...builtInTables.fees, rows: [] } };
  const { find } = market([50_00]);
  expect(await find({ terms: costs })).toHaveLength(0);
  expect(await find({ terms: costs }, free)).toHaveLength(1);
  expect(await find({ terms: { ...costs, share: 0.5 } })).toHaveLength(0);
  expect(await find()).toHaveLength(1);
  expect(await find({ terms: costs })).toHaveLength(0);
  expect(await find({ at: dealsAt + 7 * dayMs })).toHaveLength(0);
});

/** How often tables were used to compute sums. */
let made = 0;
const tables = (): FeeTables => ({
  ...builtInTables,
  get fees() {
    made++;
    return builtInTables.fees;
  },
});

test('sums of the latest requests are cached, also by own tables', async () => {
  const own = tables();
  const { find } = market([50_00]);
  const makes = async () => {
    made = 0;
    await find({}, own);
    return made > 0;
  };
  expect([await makes(), await makes()]).toEqual([true, false]);
  for (let others = 0; others < 11; others++) await find({}, tables());
  expect(await makes()).toBe(false);
  for (let others = 0; others < 12; others++) await find({}, tables());
  expect(await makes()).toBe(true);
});

test('sums depend on the share only, unless waiting has a cost', async () => {
  const { find } = market([50_00]);
  const own = tables();
  const makes = async (terms: Partial<BuyTerms>) => {
    made = 0;
    await find({ terms: { ...defaultTerms, ...terms } }, own);
    return made > 0;
  };
  const free = { moneyBasisPoints: 0 };
  expect(await makes({ ...free, share: 0.6 })).toBe(true);
  expect(await makes({ ...free, share: 0.6, marginBasisPoints: 1 })).toBe(false);
  expect(await makes({ ...free, share: 0.7 })).toBe(true);
  for (const moneyBasisPoints of [1, 500, 600]) {
    expect(await makes({ moneyBasisPoints, share: 0.6 })).toBe(true);
    expect(await makes({ moneyBasisPoints, share: 0.6 })).toBe(false);
    expect(await makes({ moneyBasisPoints, share: 0.6, marginBasisPoints: 1 })).toBe(true);
  }
});

test('other requests get a turn after a slice of deals, and after 200 sums', async () => {
  const few = market(Array(199).fill(50_00));
  expect(await countTurns(few.find)).toBe(1);
  const many = market(Array(400).fill(50_00));
  const madeAt: number[] = [];
  made = 0;
  const own = tables();
  const turns = await countTurns(async () => {
    const found = many.find({}, own);
    while (madeAt.length < 3) {
      await yieldToEventLoop();
      madeAt.push(made);
    }
    await found;
  });
  expect(turns).toBe(3);
  // Nothing while deals are read, and then half of the sums in each turn.
  expect([0, made / 2, made]).toEqual(madeAt);
  expect(await countTurns(() => many.find({}, own))).toBe(0);
  many.publish([keyOf(0)]);
  expect(await countTurns(() => many.find({}, own))).toBe(0);
});
