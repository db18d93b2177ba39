/** Writing deals with their sets, and reading them. */
import { expect, test } from 'bun:test';
import { aPublishedItem, aSet, setRow } from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import type { DealScore } from '../../market/published/deal-scorecard.ts';
import { gradedMs, type PublishedDeal } from '../../market/published/deals.ts';
import type { Retailer } from '../../market/source-rows/source-rows.ts';

const shared = shareStore();

/** Adds sets; returns a function that publishes them without changes. */
async function addSets(...keys: string[]) {
  const { market } = shared.store;
  const rows = keys.map((number) => ({
    kind: 'set' as const,
    source: 'feed',
    facts: aSet({ number }),
  }));
  await market.applyRows(rows, now);
  const ids = await market.listStale(0, 1_000);
  const inputs = await market.loadInputs(ids, { at: now, withSeries: false });
  const added = inputs.filter(({ key }) => keys.includes(key));
  return (deals: Readonly<Record<string, readonly PublishedDeal[] | null>>, at = now) =>
    market.publish(
      added.flatMap(({ id, key, version }) => {
        const ofSet = deals[key];
        return ofSet === undefined ? [] : [aPublishedItem({ id, version, at, deals: ofSet })];
      }),
    );
}

const good = (retailer: Retailer, priceCents = 50_00): PublishedDeal => ({
  retailer,
  priceCents,
  body: `{"price":${priceCents}}`,
  usual: { predict: () => `{"at":${priceCents}}` },
});
const dear = (retailer: Retailer, priceCents: number): PublishedDeal => ({
  ...good(retailer, priceCents),
  usual: { reason: 'too_dear' },
});
const gone = (retailer: Retailer): PublishedDeal => ({
  retailer,
  priceCents: null,
  body: null,
  usual: { reason: 'no_offer' },
});

const rows = async (...keys: string[]) =>
  (await shared.store.market.findDeals(keys))
    .map(({ setKey, retailer, body }) => `${setKey} ${retailer} ${body}`)
    .sort();

const log = async (key: string) =>
  (await shared.store.market.findDealLog([key])).map((deal): (string | number | null)[] => [
    deal.retailer,
    deal.priceCents,
    deal.openedAt - now,
    deal.closedAt === null ? null : deal.closedAt - now,
    deal.closedWhy,
  ]);

test('a set has a row per retailer with a candidate offer, until the offer is gone', async () => {
  const publish = await addSets('d1', 'd2');
  await publish({ d1: [good('retailer_a'), good('retailer_b')], d2: [dear('retailer_a', 9_00)] });
  expect(await rows('d1', 'd2')).toEqual([
    'd1 retailer_a {"price":5000}',
    'd1 retailer_b {"price":5000}',
    'd2 retailer_a {"price":900}',
  ]);
  await publish({ d1: [good('retailer_a', 40_00), gone('retailer_b')] });
  expect(await rows('d1', 'd2')).toEqual([
    'd1 retailer_a {"price":4000}',
    'd2 retailer_a {"price":900}',
  ]);
  await publish({ d1: [], d2: [gone('retailer_a')] });
  expect(await rows('d1', 'd2')).toEqual([]);
});

test('rows are listed in order of set and retailer, after a given one', async () => {
  const publish = await addSets('l1', 'l2');
  const both = [good('retailer_a'), good('retailer_b')];
  await publish({ l1: both, l2: both });
  const list = async (setKey: string, retailer: Retailer, limit: number) =>
    (await shared.store.market.listDeals({ setKey, retailer }, limit)).map(
      (row) => `${row.setKey} ${row.retailer}`,
    );
  expect(await list('l1', 'retailer_a', 2)).toEqual(['l1 retailer_b', 'l2 retailer_a']);
  expect(await list('l2', 'retailer_a', 2)).toEqual(['l2 retailer_b']);
  const [first] = await shared.store.market.listDeals(null, 1);
  expect(first).toMatchObject({ setKey: 'l1', retailer: 'retailer_a' });
});

test('a deal is opened and closed once per retailer, however often the same is published', async () => {
  const publish = await addSets('e1');
  await publish({ e1: [good('retailer_a'), good('retailer_b', 30_00)] }, now + 1);
  await publish({ e1: [good('retailer_a', 45_00), good('retailer_b', 30_00)] }, now + 2);
  const second = ['retailer_b', 30_00, 1, null, null];
  expect(await log('e1')).toEqual([['retailer_a', 50_00, 1, null, null], second]);
  const over = { e1: [dear('retailer_a', 51_00), good('retailer_b', 30_00)] };
  await publish(over, now + 3);
  await publish(over, now + 4);
  const ended = ['retailer_a', 50_00, 1, 3, 'price_up'];
  expect(await log('e1')).toEqual([ended, second]);
  await publish({ e1: [good('retailer_a'), good('retailer_b', 30_00)] }, now + 5);
  expect(await log('e1')).toEqual([ended, second, ['retailer_a', 50_00, 5, null, null]]);
  // Retailer B has no offer in the data any more, for example after an undo.
  await publish({ e1: [dear('retailer_a', 50_00)] }, now + 6);
  expect(await log('e1')).toEqual([
    ended,
    ['retailer_b', 30_00, 1, 6, 'no_offer'],
    ['retailer_a', 50_00, 5, 6, 'value_down'],
  ]);
});

test('a publication about the past does not change deals', async () => {
  const publish = await addSets('p1');
  await publish({ p1: [good('retailer_a')] }, now + 1);
  await publish({ p1: null }, now - 1_000);
  expect(await rows('p1')).toHaveLength(1);
  expect(await log('p1')).toEqual([['retailer_a', 50_00, 1, null, null]]);
});

test('the log is listed in the order of opening', async () => {
  const publish = await addSets('o1', 'o2');
  await publish({ o2: [good('retailer_a')] });
  await publish({ o1: [good('retailer_a')] });
  const { market } = shared.store;
  const [first] = await market.findDealLog(['o2']);
  const after = await market.listDealLog({ after: (first?.id ?? 0) - 1, limit: 2 });
  expect(after.map(({ setKey, prediction }) => [setKey, prediction])).toEqual([
    ['o2', '{"at":5000}'],
    ['o1', '{"at":5000}'],
  ]);
  expect(await market.listDealLog({ after: after[0]?.id ?? 0, limit: 1 })).toEqual(after.slice(1));
});

test('inputs include the deals that sales are still compared with, oldest first', async () => {
  const publish = await addSets('g1', 'g2');
  await publish({ g1: [good('retailer_b', 3)] }, now + 7);
  await publish({ g1: [good('retailer_b', 3), good('retailer_a', 2)] }, now + 6);
  const { market } = shared.store;
  const ids = await market.listStale(0, 1_000);
  const graded = async (at: number) => {
    const all = [...ids, ...(await market.listDue(Number.MAX_SAFE_INTEGER, 1_000))];
    const inputs = await market.loadInputs(all, { at, withSeries: false });
    return inputs.filter(({ key }) => key === 'g1').map(({ deals }) => deals);
  };
  const [first, second] = [
    { openedAt: now + 6, prediction: '{"at":2}' },
    { openedAt: now + 7, prediction: '{"at":3}' },
  ];
  expect((await graded(now + 6 + gradedMs))[0]).toMatchObject([first, second]);
  expect((await graded(now + 7 + gradedMs))[0]).toMatchObject([second]);
  expect((await graded(now + 8 + gradedMs))[0]).toEqual([]);
  expect(await market.countDealLog(now + 7)).toBe(1);
  expect(await market.countDealLog(now + 6)).toBe(2);
});

test('scores of later sales add up across sets, and each is counted once', async () => {
  const { market } = shared.store;
  const score = (facts: Partial<DealScore>): DealScore => ({
    week: 2960,
    tier: 'high',
    percent: 30,
    predicted: 1,
    got: 0,
    cleared: 0,
    ...facts,
  });
  const bought = score({ percent: -7, predicted: 0, got: 1, cleared: 1 });
  await market.applyRows(['s1', 's2'].map(setRow), now);
  const ids = await market.listStale(0, 1_000);
  const inputs = await market.loadInputs(ids, { at: now, withSeries: false });
  const [one, two] = inputs.filter(({ key }) => key === 's1' || key === 's2');
  if (!one || !two) throw new Error('Both sets are stale.');
  const publish = ({ id, version }: typeof one, dealScores: readonly DealScore[]) =>
    market.publish([aPublishedItem({ id, version, dealScores })]);
  const low = score({ tier: 'low' });
  await publish(one, [score({}), bought, low, score({ week: 2959 })]);
  await publish(one, [score({}), bought]);
  await publish(two, [score({}), bought, bought]);
  const sums = [{ ...bought, got: 3, cleared: 3 }, score({ predicted: 2 }), low];
  expect(await market.listDealScores(2960)).toEqual(sums);
  expect(await market.listDealScores(0)).toEqual([score({ week: 2959 }), ...sums]);
});
