/** Deals of sets: planted deals and traps, opening and closing, and grading by sales. */
// @runs SQLite, PostgreSQL: publishes with the store
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { anOffer, aSet, someEvidence } from '../../../test/support/builders.ts';
import { soldWell } from '../../../test/support/deals.ts';
import { offerOf, plantedDeals, plantedMarket } from '../../../test/support/planted-deals.ts';
import { builtInTables, publishSettings } from '../../../test/support/publish-settings.ts';
import { type FeedLine, openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { DealIndex } from '../../api/memory/deal-index.ts';
import { Freshness } from '../../api/memory/freshness.ts';
import { dayMs, hourMs } from '../../kernel/time.ts';
import type { Evidence } from '../../market/evidence/evidence.ts';
import { foldOffers, type RetailStates } from '../../market/retail/retail-state.ts';
import type { Offer } from '../../market/source-rows/source-rows.ts';
import { valueEngine } from '../../market/values/engine.ts';
import { makePublisher } from '../../publish/publisher.work.ts';
import { defaultTerms } from '../boxes/quotes.ts';
import type { DealPrediction } from './deal-prediction.ts';
import { type DealFilters, usualFilters } from './find-deals.ts';
import { findSetDeals } from './set-deals.ts';

let world: StoredWorld;
let index: DealIndex;

beforeAll(async () => {
  world = await openWorld(undefined, valueEngine);
  const { market } = world.store;
  index = new DealIndex(market, new Freshness(market));
  await world.load(plantedMarket(world.now));
});

afterAll(() => world.close());

async function find(filters: Partial<DealFilters> = {}) {
  const page = await index.find(builtInTables, {
    terms: defaultTerms,
    filters: { ...usualFilters, ...filters },
    at: world.now,
    limit: 100,
    offset: 0,
  });
  return page.rows;
}

/** The numbers of deals with their warnings, in order of the numbers. */
async function found(filters: Partial<DealFilters> = {}) {
  const rows = await find(filters);
  return rows
    .map(({ setNumber, warnings }) => [setNumber, warnings] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** All logged deals of a set, with their outcomes. */
async function logged(number: string) {
  const log = await world.store.market.findDealLog([number]);
  return log.map(({ openedAt, priceCents, closedAt, closedWhy }) => ({
    openedAt,
    priceCents,
    closedAt,
    closedWhy,
  }));
}

/** A new observation of all offers. */
async function observe(number: string, price: number | null, facts = {}) {
  const at = new Date(world.now).toISOString();
  await world.load([offerOf(number, { price, facts }, at)]);
}

const planted = plantedDeals.map(({ number, warnings }) => [number, warnings] as const);

test('every planted deal is found with its warnings, and no trap is', async () => {
  expect(await found()).toEqual(planted);
  const numbers = (await found({ minTier: 'low' })).map(([number]) => number);
  expect(numbers).toEqual([...planted.map(([number]) => number), '3007']);
});

test('each deal is logged once with its expectations, however often it is published', async () => {
  const again = makePublisher(
    world.store.market,
    { engine: valueEngine, ...publishSettings },
    () => world.now,
  );
  await again.publishAll();
  const log = await world.store.market.listDealLog({ after: 0, limit: 100 });
  // What the list leaves out by default, 3007 for its tier, is not logged either.
  expect(log.map(({ setKey }) => setKey).sort()).toEqual(planted.map(([number]) => number));
  const deals = new Map((await find()).map((deal) => [deal.setKey, deal]));
  for (const { setKey, closedAt, priceCents, prediction, retailer, openedAt } of log) {
    const deal = deals.get(setKey);
    if (!deal) throw new Error(`${setKey} is no deal.`);
    expect({ priceCents, closedAt, openedAt, retailer }).toEqual({
      priceCents: deal.offer.priceCents,
      closedAt: null,
      openedAt: world.now,
      retailer: deal.offer.retailer,
    });
    const { channels, ...promised }: DealPrediction = JSON.parse(prediction);
    const { title, setNumber, statusId, maxBuyCents, channel, netCents, medianNetCents } = deal;
    const { waitDays, costCents, profitCents, roiPercent, warnings } = deal;
    expect(promised).toEqual({
      title,
      setNumber,
      statusId,
      maxBuyCents,
      channel,
      netCents,
      medianNetCents,
      waitDays,
      costCents,
      profitCents,
      roiPercent,
      warnings,
      valueCents: deal.resale.price.valueCents,
      tier: deal.resale.tier,
      resale: deal.resale,
      share: 0.8,
      marginBasisPoints: 2_500,
    });
    expect(channels.find((each) => each.channel === channel)?.netCents).toBe(netCents);
  }
  expect(await world.store.market.listDealLog({ after: log[0]?.id ?? 0, limit: 1 })).toEqual(
    log.slice(1, 2),
  );
});

test('a deal that gets dearer, sells out or loses its value is closed, and can open again', async () => {
  const begun = world.now;
  world.now += hourMs;
  await observe('1001', 44);
  expect(await logged('1001')).toHaveLength(1);
  world.now += hourMs;
  await observe('1001', 89.99);
  await observe('1002', 50, { in_stock: false });
  await world.load(soldCheap('2003'));
  const ended = world.now;
  expect((await found()).map(([number]) => number)).not.toContain('1001');
  world.now += hourMs;
  await observe('1001', 45);
  const first = { openedAt: begun, closedAt: ended };
  expect(await logged('1001')).toEqual([
    { ...first, priceCents: 45_00, closedWhy: 'price_up' },
    { openedAt: world.now, priceCents: 45_00, closedAt: null, closedWhy: null },
  ]);
  expect(await logged('1002')).toEqual([{ ...first, priceCents: 50_00, closedWhy: 'no_offer' }]);
  expect(await logged('2003')).toEqual([{ ...first, priceCents: 9_99, closedWhy: 'value_down' }]);
  expect(await world.store.market.findDeals(['1002', '2003'])).toEqual([]);
});

/** Sales by many sellers at prices that hardly cover shipping. */
function soldCheap(number: string) {
  return Array.from({ length: 12 }, (_, index) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `${number}-cheap-${index}`,
    item_type: 'set',
    item: number,
    condition: 'sealed',
    channel: 'fixed',
    price: 11 + index / 2,
    seller: `seller-${index}`,
    sold_at: new Date(world.now - index * hourMs).toISOString(),
  }));
}

test('a deal without an observation for a week is closed by time alone', async () => {
  world.now += 7 * dayMs + 1;
  expect(await find({ minTier: 'low' })).toEqual([]);
  while ((await world.publisher.publishDue(50)) > 0);
  expect(await world.store.market.listDeals(null, 100)).toEqual([]);
  const log = await world.store.market.listDealLog({ after: 0, limit: 100 });
  expect(log.filter(({ closedAt }) => closedAt === null)).toEqual([]);
  expect((await logged('1001')).at(-1)).toMatchObject({
    closedAt: world.now,
    closedWhy: 'not_seen',
  });
});

test('each sale after a deal opened grades it once, however often it is published', async () => {
  const { market } = world.store;
  const counted = async () => {
    const scores = await market.listDealScores(0);
    const sum = (field: 'predicted' | 'got' | 'cleared') =>
      scores.reduce((total, score) => total + score[field], 0);
    return { predicted: sum('predicted'), got: sum('got'), cleared: sum('cleared') };
  };
  // Two of the sales that ended a deal were made after it began.
  expect(await counted()).toEqual({ predicted: 2, got: 2, cleared: 0 });
  const sold = (id: string, facts: FeedLine) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `later-${id}`,
    item_type: 'set',
    item: '1004',
    condition: 'sealed',
    channel: 'fixed',
    sold_at: new Date(world.now - dayMs).toISOString(),
    ...facts,
  });
  await world.load([
    sold('more', { price: 100 }),
    sold('less', { price: 75 }),
    sold('used', { price: 100, condition: 'used' }),
    sold('before', { price: 100, sold_at: new Date(world.now - 9 * dayMs).toISOString() }),
    sold('no deal', { price: 100, item: '3001' }),
  ]);
  const graded = { predicted: 4, got: 4, cleared: 1 };
  expect(await counted()).toEqual(graded);
  await world.publisher.publishAll();
  world.now += 200 * dayMs;
  await world.load([sold('too late', { price: 100 })]);
  expect(await counted()).toEqual(graded);
});

describe('an offer of a set', () => {
  const at = Date.UTC(2026, 9, 12);
  const state = (facts: Partial<Offer>) => {
    const sold = { sellerType: 'retailer', inStock: true, observedAt: at - hourMs } as const;
    return foldOffers(null, [anOffer({ ...sold, priceCents: 45_00, ...facts })]);
  };
  const sealed = {
    ...soldWell.price,
    lowCents: 90_00,
    highCents: 110_00,
    sales: { ever: 9, days30: 1, days90: 3, days180: 6, days365: 9 },
    firstSale: null,
    latestSale: null,
  };
  const evidence = someEvidence({ tier: 'high', offsets: soldWell.offsets, sealed });
  const found = (retail: RetailStates, known: Partial<Evidence> = {}) =>
    findSetDeals(
      { key: '1', number: '1' },
      {
        facts: aSet({ title: 'Harbor', theme: 'Harbors' }),
        statusId: 4,
        retail,
        evidence: { ...evidence, ...known },
      },
      { tables: builtInTables, at },
    );

  test('is a candidate at each retailer with observations', () => {
    const { deals } = found({
      retailer_a: state({ priceCents: 45_00 }),
      retailer_b: state({ priceCents: 200_00, retailer: 'retailer_b' }),
    });
    expect(deals.map(({ retailer, priceCents, usual }) => [retailer, priceCents, usual])).toEqual([
      ['retailer_a', 45_00, { predict: expect.any(Function) }],
      ['retailer_b', 200_00, { reason: 'too_dear' }],
    ]);
    expect(found({ retailer_a: null, retailer_b: null })).toEqual({ deals: [], changesAt: [] });
  });

  test('is no deal if it could only be sold next to the same offer of Amazon', () => {
    const reasons = (facts: Partial<Offer>) => {
      const offered = state({ priceCents: 75_00, ...facts });
      const other = state({ priceCents: 75_00, retailer: 'retailer_b' });
      const retail = { retailer_a: offered, retailer_b: other };
      return found(retail, { offsets: { fixed: 0, amazon: 0.3 } }).deals.map(({ usual }) => usual);
    };
    const [deal, dear] = [{ predict: expect.any(Function) }, { reason: 'too_dear' as const }];
    expect(reasons({})).toEqual([dear, dear]);
    // Third parties, and Amazon when sold out, need not be undercut.
    expect(reasons({ sellerType: 'third_party' })).toEqual([deal, deal]);
    expect(reasons({ inStock: false })).toEqual([{ reason: 'no_offer' }, deal]);
  });

  test('is no deal without any sealed sale, however many used ones there are', () => {
    const unsold = { ...sealed, sales: { ...sealed.sales, ever: 0 } };
    const { deals } = found({ retailer_a: state({}), retailer_b: null }, { sealed: unsold });
    expect(deals.map(({ body, usual }) => [body, usual])).toEqual([[null, { reason: 'no_value' }]]);
  });

  test('is no deal at default terms if few sales support the value, but stays a candidate', () => {
    const tiers = (['high', 'medium', 'low'] as const).map((tier) => {
      const { deals } = found({ retailer_a: state({}), retailer_b: null }, { tier });
      return deals.map(({ body, usual }) => [body !== null, usual]);
    });
    const deal = { predict: expect.any(Function) };
    expect(tiers).toEqual([[[true, deal]], [[true, deal]], [[true, { reason: 'low_tier' }]]]);
  });

  test('changes with time when the observation is too old, and when fees change', () => {
    const { changesAt } = found({ retailer_a: state({}), retailer_b: null });
    expect(changesAt).toEqual([at - hourMs + 7 * dayMs + 1, Date.UTC(2026, 9, 15)]);
    const dear = found({ retailer_a: state({ priceCents: 90_00 }), retailer_b: null });
    expect(dear.changesAt).toEqual([]);
  });
});
