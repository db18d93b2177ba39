/**
 * When learning happens, from which rows, and in which process, with an engine that records its
 * calls.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { aPublishedItem } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { plainEngine } from '../../../test/support/plain-engine.ts';
import { publishSettings } from '../../../test/support/publish-settings.ts';
import { type FeedLine, openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { onTables } from '../../../test/support/tables.ts';
import { formatMonth, type Month, monthOf } from '../../kernel/time.ts';
import { makePublisher, type Publisher } from '../../publish/publisher.work.ts';
import type {
  LearnOptions,
  MinifigToValue,
  SetToValue,
  StoredParameters,
  ValueEngine,
} from './estimator.ts';
import { chooseItems } from './learning.work.ts';
import type { ItemListings } from './listings.ts';

/** The arguments of a learner. */
interface Asked {
  readonly sales: string[];
  readonly from: string;
  readonly to: string;
  readonly frozen: number;
}

let world: StoredWorld;
let asked: Asked[];
let counted: (ItemListings | null | undefined)[];
let made: number;

/** Parameters are the ids of the sales that they were learned from, retracted ones with a minus. */
const recordingEngine: ValueEngine = {
  ...plainEngine,
  makeEstimator: (parameters) => {
    made++;
    return plainEngine.makeEstimator(parameters);
  },
  startLearning: () => {
    const items: (SetToValue | MinifigToValue)[] = [];
    const add = (
      item: SetToValue | MinifigToValue,
      _rank: number,
      listings?: ItemListings | null,
    ) => {
      items.push(item);
      counted.push(listings);
    };
    const sales = () => items.flatMap((item) => item.sales);
    return {
      addSet: add,
      addMinifig: add,
      firstMonth: () =>
        sales()
          .map(({ soldAt }) => monthOf(soldAt))
          .sort()[0] ?? null,
      learn: async ({ frozen, from, to, pause }: LearnOptions) => {
        await pause?.();
        const ids = sales().map((sale) => (sale.retractedAt === null ? '' : '-') + sale.seller);
        const [first, last] = [formatMonth(from), formatMonth(to)];
        asked.push({ sales: ids, from: first, to: last, frozen: frozen.length });
        return Array.from({ length: to - from + 1 }, (_, index) => stored(from + index, ids));
      },
    };
  },
};

function stored(month: Month, ids: readonly string[]): StoredParameters {
  const hash = Bun.hash(ids.join()).toString(16).slice(0, 8).padStart(8, '0');
  return { month, version: `${formatMonth(month)}-${hash}`, body: JSON.stringify(ids) };
}

const set = (number: string): FeedLine => ({
  kind: 'set',
  set_number: number,
  title: 'Hut',
  theme: 'Huts',
  pieces: 100,
});
const sale = (id: string, day: string): FeedLine => ({
  kind: 'sale',
  source: 'shop',
  source_id: id,
  item_type: 'set',
  item: '1',
  price: 10,
  condition: 'sealed',
  sold_at: `${day}T12:00:00Z`,
  // Learning does not keep the ID of a sale.
  seller: id,
});
const retract = (id: string): FeedLine => ({ kind: 'retract', source: 'shop', source_id: id });

beforeEach(async () => {
  [asked, made, counted] = [[], 0, []];
  world = await openWorld('2026-11-15T12:00:00Z', recordingEngine);
});

afterEach(() => world.close());

const months = async () =>
  (await world.store.market.findParameters()).parameters.map(({ month }) => formatMonth(month));

const publishDue = async (publisher: Publisher = world.publisher, pause?: () => Promise<void>) => {
  while ((await publisher.publishDue(4, pause)) > 0);
};

test('without a sale nothing is learned, and with the first one every month since', async () => {
  await world.load([set('1'), set('2')]);
  expect(asked).toEqual([]);
  await world.load([sale('a', '2026-09-20')]);
  expect(asked).toEqual([{ sales: ['a'], from: '2026-09', to: '2026-11', frozen: 0 }]);
  expect(await months()).toEqual(['2026-09', '2026-10', '2026-11']);
  await world.load([set('3')]);
  await world.publisher.publishAll();
  expect(asked).toHaveLength(1);
});

test('rows of this month wait for the next one, rows of earlier months do not', async () => {
  await world.load([set('1'), sale('a', '2026-10-20')]);
  await world.load([sale('b', '2026-11-02')]);
  expect(asked).toHaveLength(1);
  await world.load([sale('c', '2026-10-02')]);
  expect(asked).toHaveLength(2);
  await world.load([set('1'), { ...sale('c', '2026-10-02'), price: 11 }]);
  expect(asked).toHaveLength(3);
  await world.load([{ ...set('1'), pieces: 101 }]);
  expect(asked).toHaveLength(4);
  await world.load([sale('d', '2026-11-03')]);
  world.now = Date.parse('2026-12-01T00:00:00Z');
  await publishDue();
  expect(asked.slice(4)).toEqual([
    { sales: ['c', 'a', 'b', 'd'], from: '2026-10', to: '2026-12', frozen: 0 },
  ]);
});

test('units for sale are learned from, of sealed history those known when the month began', async () => {
  const count = (day: string): FeedLine => ({
    kind: 'listings',
    item_type: 'set',
    item: '1',
    condition: 'sealed',
    channel: 'bricklink',
    observed_at: `${day}T12:00:00Z`,
    units: 41,
    currency: 'USD',
  });
  const found = { channel: 'bricklink', units: 41, lowestCents: null } as const;
  const learned = (day: string): ItemListings => ({
    sealed: [{ ...found, observedAt: Date.parse(`${day}T12:00:00Z`) }],
    used: [],
  });
  await world.ingest([set('1'), count('2026-11-14')]);
  await world.load([sale('a', '2026-10-20')]);
  expect(counted).toEqual([learned('2026-11-14')]);
  await world.store.market.sealHistory(world.now);
  world.now = Date.parse('2026-12-01T13:00:00Z');
  await world.ingest([count('2026-12-01')]);
  await publishDue();
  expect(counted.slice(1)).toEqual([{ sealed: [], used: [] }]);
});

test('few stale items are published before learning, many only after it', async () => {
  await world.load([set('1'), set('2'), sale('a', '2026-09-20')]);
  await world.ingest([sale('b', '2026-09-21')]);
  const steps: string[] = [];
  const progress = (done: number, total: number | null, step: string) =>
    steps.push(`${step} ${step === 'learning' ? '' : `${done}/${total}`}`.trim());
  expect(await world.publisher.publishStale(undefined, progress)).toBe(3);
  const first = steps.indexOf('learning');
  expect(steps.slice(0, first)).toEqual(['valuing 1/1']);
  expect(steps.at(-1)).toBe('valuing 2/2');
  await world.ingest([
    ...Array.from({ length: 201 }, (_, index) => set(String(100 + index))),
    sale('c', '2026-09-21'),
  ]);
  steps.length = 0;
  expect(await world.publisher.publishStale(undefined, progress)).toBe(203);
  expect(steps[0]).toBe('learning');
});

test('parameters are read once, not for every slice', async () => {
  await world.load([set('1'), set('2'), sale('a', '2026-09-20')]);
  const before = made;
  for (let round = 0; round < 3; round++) await world.publisher.publishAll();
  world.now += 8 * 86_400_000;
  await publishDue();
  expect(made).toBe(before);
});

test('once sealed, each month is learned from the rows known when it began', async () => {
  await world.load([set('1'), sale('a', '2026-10-20'), sale('b', '2026-10-21')]);
  await world.store.market.sealHistory(world.now);
  world.now = Date.parse('2026-11-30T23:59:59.999Z');
  await world.load([sale('c', '2026-09-01'), retract('a')]);
  world.now = Date.parse('2026-12-01T00:00:00Z');
  await world.ingest([sale('d', '2026-11-30'), retract('b')]);
  world.now = Date.parse('2027-01-05T00:00:00Z');
  await publishDue();
  expect(asked.slice(1)).toEqual([
    { sales: ['c', '-a', 'b'], from: '2026-12', to: '2026-12', frozen: 2 },
    { sales: ['c', '-a', '-b', 'd'], from: '2027-01', to: '2027-01', frozen: 3 },
  ]);
});

test('a store sealed before any sale learns from the next month on', async () => {
  await world.load([set('1')]);
  await world.store.market.sealHistory(world.now);
  world.now += 1000;
  await world.load([sale('a', '2026-10-20')]);
  await world.publisher.publishAll();
  await publishDue();
  // It was not known when history was sealed.
  expect(await months()).toEqual([]);
  world.now = Date.parse('2027-01-02');
  await publishDue();
  expect(asked).toEqual([
    { sales: ['a'], from: '2026-12', to: '2026-12', frozen: 0 },
    { sales: ['a'], from: '2027-01', to: '2027-01', frozen: 1 },
  ]);
});

test('a store sealed before it has learned learns the past from what was known at sealing', async () => {
  await world.ingest([set('1'), sale('a', '2026-09-20'), sale('b', '2026-10-20')]);
  const inputs = await world.store.market.loadInputs([1], { at: world.now, withSeries: true });
  const { series } = inputs[0] ?? { series: { sealed: null, used: null } };
  const version = inputs[0]?.version ?? 0;
  const dueAt = Date.parse('2026-12-08');
  await world.store.market.publish([aPublishedItem({ id: 1, version, series, dueAt })]);
  await onTables(world.folder, "INSERT INTO meta VALUES ('sealed_at', ?)", [world.now]);
  world.now = Date.parse('2026-12-15');
  await world.ingest([sale('c', '2026-09-21')]);
  await publishDue();
  expect(asked).toEqual([
    { sales: ['a', 'b'], from: '2026-09', to: '2026-11', frozen: 0 },
    { sales: ['a', 'b'], from: '2026-12', to: '2026-12', frozen: 3 },
  ]);
});

test('two processes can learn at once: the first to freeze wins, and both continue', async () => {
  await world.load([set('1'), set('2'), sale('a', '2026-10-20')]);
  await world.store.market.sealHistory(world.now);
  world.now = Date.parse('2026-12-01T00:00:00Z');
  const elsewhere = await openTestStore(world.folder);
  const settings = { engine: recordingEngine, ...publishSettings };
  const other = makePublisher(elsewhere.market, settings, () => world.now);
  // Each waits in the middle of learning until the other is there, too.
  const both = Promise.withResolvers<void>();
  const learning = new Set<Publisher>();
  const publish = (publisher: Publisher) =>
    publishDue(publisher, () => {
      if (learning.add(publisher).size === 2) both.resolve();
      return both.promise;
    });
  await Promise.all([publish(world.publisher), publish(other)]);
  expect(asked.slice(1).map(({ from }) => from)).toEqual(['2026-12', '2026-12']);
  expect(await months()).toEqual(['2026-10', '2026-11', '2026-12']);
  expect(await elsewhere.market.findParameters()).toEqual(
    await world.store.market.findParameters(),
  );
  await elsewhere.close();
});

test('history is not sealed while something has to be learned', async () => {
  await world.load([set('1'), sale('a', '2026-10-20')]);
  const before = await world.store.market.findParameters();
  await world.ingest([sale('b', '2026-10-21')]);
  const sealed: boolean[] = [];
  await world.publisher.publishStale(undefined, async (_done, _total, step) => {
    if (step === 'learning') sealed.push(await world.store.market.sealHistory(world.now));
  });
  expect(sealed.length).toBeGreaterThan(0);
  expect(sealed.every((isSealed) => !isSealed)).toBe(true);
  const { parameters } = await world.store.market.findParameters();
  expect(parameters.at(-1)).not.toEqual(before.parameters.at(-1));
  expect(await world.store.market.sealHistory(world.now)).toBe(true);
});

test('sales in memory at once are limited, however many there are: fewer items are used', () => {
  const firstSoldAt = Date.parse('2026-01-05');
  const kinds = ['set', 'minifig'] as const;
  const to = monthOf(Date.parse('2026-03-05'));
  const chosen = (sales: number, salesOfItem = 10) => {
    const sold = kinds.flatMap((kind) =>
      Array.from({ length: 100 }, (_, id) => {
        return { id, kind, key: `${id}`, firstSoldAt, sales: salesOfItem };
      }),
    );
    return chooseItems(sold, { from: null, to, knownBefore: null }, { items: 64, sales });
  };
  expect(chosen(1_280)).toHaveLength(128);
  const fewer = chosen(1_279);
  expect(fewer).toHaveLength(102);
  expect(fewer.filter(({ kind }) => kind === 'set')).toHaveLength(51);
  const all = new Set(chosen(1_280).map(({ kind, key }) => `${kind} ${key}`));
  expect(fewer.every(({ kind, key }) => all.has(`${kind} ${key}`))).toBe(true);
  for (const salesOfItem of [1, 3, 10, 30, 100, 300]) {
    const held = chosen(1_000, salesOfItem).length * salesOfItem;
    expect(held).toBeLessThanOrEqual(1_000);
    if (salesOfItem >= 10) expect(held).toBeGreaterThan(500);
  }
  // Something is always learned.
  expect(chosen(0)).toHaveLength(2);
});

test('what another process learns is requested once, and not learned here', async () => {
  await world.load([set('1'), set('2'), sale('a', '2026-10-20')]);
  await world.store.market.sealHistory(world.now);
  const clock = () => world.now;
  const settings = { engine: recordingEngine, ...publishSettings };
  const other = makePublisher(world.store.market, settings, clock);
  const pauses: unknown[] = [];
  const learnApart = async (pause: () => Promise<void>) => {
    await pause();
    pauses.push(pause);
    await other.learn();
  };
  const publisher = makePublisher(world.store.market, { ...settings, learnApart }, clock);
  world.now = Date.parse('2026-12-01T00:00:00Z');
  asked = [];
  await publishDue(publisher);
  expect(pauses).toHaveLength(1);
  expect(asked).toHaveLength(1);
  expect((await months()).at(-1)).toBe('2026-12');
});

test('a month without anything to learn from is tried once, also in another process', async () => {
  await world.load([set('1'), set('2')]);
  await world.store.market.sealHistory(world.now);
  await world.ingest([sale('a', '2026-10-20')]);
  let times = 0;
  const learnApart = async () => {
    times++;
  };
  const settings = { engine: recordingEngine, ...publishSettings, learnApart };
  const publisher = makePublisher(world.store.market, settings, () => world.now);
  world.now = Date.parse('2026-12-01T00:00:00Z');
  while ((await publisher.publishDue(1)) > 0);
  expect(times).toBe(1);
  expect(asked).toEqual([]);
});
