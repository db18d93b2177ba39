/** Events of publications: every change of the market, and no internal changes. */
import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anImport, anOffer, aSale } from '../../test/support/builders.ts';
import { plainEngine, plainEstimator } from '../../test/support/plain-engine.ts';
import { publishSettings } from '../../test/support/publish-settings.ts';
import { runsOnEngine } from '../../test/support/random-runs.ts';
import { sharedNow, shareStore } from '../../test/support/shared-store.ts';
import { type FeedLine, importFeed } from '../../test/support/world.ts';
import type { RetailRow } from '../contract/retail.ts';
import type { SetRecord } from '../contract/set.ts';
import { toUsd } from '../kernel/money.ts';
import { dayMs, formatInstant, hourMs, monthCut, monthOf, parseMonth } from '../kernel/time.ts';
import type { LoggedEvent } from '../market/events/events.ts';
import type { ConditionEvidence } from '../market/evidence/evidence.ts';
import { type Retailer, retailers } from '../market/source-rows/source-rows.ts';
import type { Estimator, SetValuation, Value, ValueEngine } from '../market/values/estimator.ts';
import { makePublisher, type Publisher } from './publisher.work.ts';

const shared = shareStore();
let now = sharedNow;
let publisher: Publisher;

/** The next parameters, and their factor for all values. */
const learned = { name: 'first', factor: 1 };

/** The plain engine, with certain values scaled by the last learned factor. */
const learningEngine: ValueEngine = {
  ...plainEngine,
  startLearning: () => ({
    addSet: () => {},
    addMinifig: () => {},
    firstMonth: () => monthOf(now),
    learn: async ({ to }) => [{ month: to, version: learned.name, body: String(learned.factor) }],
  }),
  makeEstimator: (parameters): Estimator => {
    const { version = 'none', body = '1' } = parameters.at(-1) ?? {};
    const raise = <T extends Value>(value: T | null): T | null =>
      value && { ...value, valueCents: Math.round(value.valueCents * Number(body)) };
    const certain = (evidence: ConditionEvidence | null) =>
      raise(evidence && { ...evidence, valueSpread: 0.01 });
    return {
      ...plainEstimator,
      prepareSet: (set) => {
        const prepared = plainEstimator.prepareSet(set);
        return {
          ...prepared,
          valueAt: (at): SetValuation => {
            const { sealed, used, ...valuation } = prepared.valueAt(at);
            const evidence = {
              ...valuation.evidence,
              parameters: version,
              sealed: certain(valuation.evidence.sealed),
              used: certain(valuation.evidence.used),
            };
            return { ...valuation, sealed: raise(sealed), used: raise(used), evidence };
          },
        };
      },
    };
  },
};

beforeAll(() => {
  const settings = { engine: learningEngine, ...publishSettings };
  publisher = makePublisher(shared.store.market, settings, () => now);
});

const set = (number: string, facts: FeedLine = {}): FeedLine => ({
  kind: 'set',
  set_number: number,
  title: `Set ${number}`,
  theme: 'Castles',
  release_date: '2025-01-01',
  ...facts,
});
const offer = (number: string, facts: FeedLine = {}): FeedLine => ({
  kind: 'offer',
  retailer: 'retailer_a',
  set_number: number,
  observed_at: formatInstant(now),
  price: 100,
  seller_type: 'retailer',
  in_stock: true,
  ...facts,
});
const sale = (number: string, id: string, facts: FeedLine = {}): FeedLine => ({
  kind: 'sale',
  source: 'shop',
  source_id: `${number}-${id}`,
  item_type: 'set',
  item: number,
  condition: 'sealed',
  price: 200,
  currency: 'USD',
  sold_at: formatInstant(now - dayMs),
  ...facts,
});

async function ingest(lines: readonly FeedLine[]): Promise<void> {
  const { rejects } = await importFeed(shared.store, lines, () => now);
  expect(rejects).toEqual([]);
}

/** Imports and publishes lines; returns the events. */
function load(...lines: FeedLine[]): Promise<LoggedEvent[]> {
  return eventsOf(async () => {
    await ingest(lines);
    await publisher.publishStale();
  });
}

/** Advances the clock and publishes due items; returns the events. */
function wait(ms: number): Promise<LoggedEvent[]> {
  now += ms;
  return eventsOf(async () => {
    while ((await publisher.publishDue(20)) > 0);
  });
}

async function eventsOf(work: () => Promise<unknown>): Promise<LoggedEvent[]> {
  const { market } = shared.store;
  const asked = { kinds: null, items: null, limit: 250 };
  const before = await market.listEvents({ ...asked, after: null });
  await work();
  const page = await market.listEvents({ ...asked, after: 'next' in before ? before.next : 0 });
  if (!('events' in page) || page.hasMore) throw new Error('There is more than one page.');
  return [...page.events];
}

const brief = (events: readonly LoggedEvent[]) =>
  events.map(({ number, kind, retailer }) => [number, kind, retailer].filter(Boolean).join(' '));

test('retail prices, lows, stock changes and flips have events when published', async () => {
  expect(await load(set('1'), offer('1'), offer('1', { retailer: 'retailer_b' }))).toEqual([]);
  now += hourMs;
  const [price, low, ...more] = await load(offer('1', { price: 90 }));
  expect([price, low]).toMatchObject([
    { kind: 'retail.price', retailer: 'retailer_a', at: now, title: 'Set 1' },
    { kind: 'retail.low', before: { lowestCents: 100_00 }, after: { lowestCents: 90_00 } },
  ]);
  expect(price?.after).toEqual({
    priceCents: 90_00,
    hasOffer: true,
    sellerType: 'retailer',
    inStock: true,
    changePercent: -10,
    isAtLowest: true,
  });
  expect(more).toEqual([]);
  now += hourMs;
  expect(brief(await load(offer('1', { price: null, seller_type: null })))).toEqual([
    '1 retail.stock retailer_a',
  ]);
  now += hourMs;
  const third = { price: 95, seller_type: 'third_party' };
  expect(brief(await load(offer('1', third)))).toEqual([
    '1 retail.price retailer_a',
    '1 retail.stock retailer_a',
  ]);
  // A change of seller is confirmed by time alone.
  expect(brief(await wait(5 * hourMs))).toEqual([]);
  expect(brief(await wait(hourMs))).toEqual(['1 retail.flip retailer_a']);
});

test('a status and a final month have events by time alone', async () => {
  now = Date.UTC(2026, 10, 16, 12);
  expect(await load(set('2', { retire_date: '2027-03-01' }), sale('2', 'a'))).toEqual([]);
  const ofSet = async (events: Promise<LoggedEvent[]>) =>
    (await events).filter(({ number }) => number === '2');
  expect(await ofSet(wait(Date.UTC(2026, 11, 2) - now))).toMatchObject([
    { kind: 'set.status', before: { statusId: 2 }, after: { statusId: 3 } },
  ]);
  const november = parseMonth('2026-11') ?? 0;
  const [final, ...more] = await ofSet(wait(monthCut(november) - now));
  expect(final).toMatchObject({ kind: 'history.month', before: {} });
  expect(final?.after).toEqual({ month: november, newCents: 200_00, newSales: 1 });
  expect(more).toEqual([]);
  const kinds = (await ofSet(wait(monthCut(november + 2) - now))).map(({ kind }) => kind);
  expect(kinds).toEqual(['history.month', 'history.month']);
});

test('a value moved by sales has an event; one moved by new parameters has none', async () => {
  await load(set('3'), sale('3', 'a'), set('4'), sale('4', 'a', { price: 50 }));
  now += dayMs;
  // New parameters: everything is published again.
  Object.assign(learned, { name: 'second', factor: 2 });
  const earlier = { sold_at: formatInstant(now - 40 * dayMs), price: 190 };
  const events = await load(sale('3', 'b', { price: 230 }), sale('4', 'old', earlier));
  expect(brief(events)).toEqual(['3 value.move']);
  expect(events[0]).toMatchObject({ before: { newCents: 200_00 }, after: { newCents: 230_00 } });
  const { market } = shared.store;
  const published = await market.findListedItems('set', ['3', '4']);
  expect([published.get('3')?.newCents, published.get('4')?.newCents]).toEqual([460_00, 100_00]);
  now += dayMs;
  const [move] = await load(sale('4', 'c', { price: 60 }));
  expect(move).toMatchObject({ before: { newCents: 100_00 }, after: { newCents: 120_00 } });
});

test('a restatement has one event, not one per set', async () => {
  const { market } = shared.store;
  await load(set('5'), sale('5', 'a'));
  const events = await eventsOf(async () => {
    const restatement = { fromMonth: monthOf(now) - 1, reason: 'Wrong prices', at: now };
    await market.restateHistory(restatement);
    await publisher.publishStale();
  });
  expect(brief(events)).toEqual(['history.restated']);
});

test('an undo corrects the offer and moves the value, and what follows is compared with that', async () => {
  const { market } = shared.store;
  // Three sales, because a deal needs the tier medium.
  await load(set('6'), offer('6'), sale('6', 'a'), sale('6', 'b'), sale('6', 'c'));
  now += hourMs;
  const id = await market.logImport(anImport({ startedAt: now, endedAt: now }));
  const events = await eventsOf(async () => {
    await market.applyRows(
      [
        {
          kind: 'offer',
          offer: anOffer({ setKey: '6', observedAt: now, priceCents: 10_00, inStock: false }),
        },
        {
          kind: 'sale',
          sale: aSale({ itemKey: '6', soldAt: now, priceCents: 999_00 }),
        },
      ],
      now,
      id,
    );
    await publisher.publishStale();
  });
  expect(brief(events)).toEqual([
    '6 retail.price retailer_a',
    '6 retail.low retailer_a',
    '6 retail.stock retailer_a',
    '6 value.move',
    '6 deal.close retailer_a',
  ]);
  expect(events.at(-1)?.after).toEqual({ reason: 'no_offer' });
  const undone = await eventsOf(async () => {
    expect(await market.undoImport(id, now)).toMatchObject({ removed: 2 });
    await publisher.publishStale();
  });
  expect(brief(undone)).toEqual([
    '6 retail.offer retailer_a',
    '6 value.move',
    '6 deal.open retailer_a',
  ]);
  expect(undone[0]).toMatchObject({
    before: { priceCents: 10_00, inStock: false },
    after: { priceCents: 100_00, inStock: true },
  });
  now += hourMs;
  const [price] = await load(offer('6', { price: 99 }));
  expect(price).toMatchObject({ before: { priceCents: 100_00 }, after: { priceCents: 99_00 } });
});

test('publishing for the past has no events, nor has the return to the present', async () => {
  await load(set('7'), offer('7'));
  now += dayMs;
  await load(offer('7', { price: 80 }));
  const { market } = shared.store;
  const priceOf = async () =>
    (JSON.parse((await market.findRetail({ setKey: '7' }))?.body ?? '{}') as RetailRow).retailer_a
      .price;
  const events = await eventsOf(async () => {
    await publisher.publishAll(now - hourMs);
    expect(await priceOf()).toBe(100);
    await publisher.publishAll();
    expect(await priceOf()).toBe(80);
  });
  expect(events).toEqual([]);
});

test('there is an event if and only if the published price changes', async () => {
  const { market } = shared.store;
  const price = fc.constantFrom(null, 80, 90, 100);
  const step = fc.record({
    offers: fc.dictionary(fc.constantFrom(...retailers), price),
    /** Whether the process dies before or after it publishes. */
    dies: fc.constantFrom('never', 'never', 'before', 'after'),
  });
  const dying = (when: string) =>
    makePublisher(
      {
        ...market,
        publish: async (items) => {
          if (when === 'before') throw new Error('It died.');
          const written = await market.publish(items);
          if (when === 'after') throw new Error('It died.');
          return written;
        },
      },
      { engine: learningEngine, ...publishSettings },
      () => now,
    );
  let runs = 0;
  /** The last known price at each retailer, as the record has it. */
  const published = async (number: string) => {
    const document = await market.findDocument('set', number);
    const record: SetRecord = JSON.parse(document?.body ?? '{}');
    return record.retailers.map((row) => row.current_price);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      const number = `p${runs++}`;
      await load(set(number), ...retailers.map((retailer) => offer(number, { retailer })));
      const reportedPrices = [100, 100];
      for (const { offers, dies } of steps) {
        now += hourMs;
        await ingest(
          Object.entries(offers).map(([retailer, price]) => offer(number, { retailer, price })),
        );
        const events = await eventsOf(() =>
          dying(dies)
            .publishStale()
            .catch(() => {}),
        );
        const after = await published(number);
        const expected = retailers.flatMap((retailer, index) => {
          const [before = 0, price = 0] = [reportedPrices[index], after[index]];
          if (price === before) return [];
          reportedPrices[index] = price;
          return [{ retailer: retailer as Retailer | null, from: before, to: price }];
        });
        const prices = events.filter(({ kind }) => kind === 'retail.price');
        expect(
          prices.map(({ retailer, before, after }) => ({
            retailer,
            from: toUsd(before.priceCents ?? 0),
            to: toUsd(after.priceCents ?? 0),
          })),
        ).toEqual(expected);
      }
      await publisher.publishStale();
    }),
    { numRuns: runsOnEngine(10) },
  );
});
