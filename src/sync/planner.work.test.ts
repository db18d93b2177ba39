/** The planner on a real store: published, held, looked up and earlier questions. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { smallCollection, smallMarket } from '../../test/support/market.ts';
import { openWorld, type StoredWorld } from '../../test/support/stored-world.ts';
import { dayMs, dayOf } from '../kernel/time.ts';
import { countHolders } from '../portfolio/interest/interest.work.ts';
import { makePlanner } from './planner.work.ts';
import type { Planner, PlanOverview, PlanScope, Topic } from './planning.ts';
import type { Question } from './source-state.ts';

let world: StoredWorld;
let planner: Planner & PlanOverview;

const guide = (kind: Topic['kind'], condition: 'sealed' | 'used'): Topic => ({
  name: condition === 'sealed' ? 'sold-new' : 'sold-used',
  kind,
  condition,
  reachDays: 170,
  restDays: 0.9,
  needs: 'bricklink-number',
});

const guides = [guide('set', 'sealed'), guide('set', 'used'), guide('minifig', 'used')];
const offers: Topic = {
  name: 'offers',
  kind: 'set',
  condition: null,
  reachDays: 30,
  restDays: 15,
  needs: 'asin-or-barcode',
};

const scope = (topics: readonly Topic[], source = 'bricklink'): PlanScope => ({
  source,
  topics,
  at: world.now,
});

const asked = (key: string, topic: string): Question => ({ kind: 'set', key, topic });

async function ranked(topics: readonly Topic[], source?: string, limit = 100) {
  const questions = await planner.rank({ ...scope(topics, source), limit });
  return questions.map(({ number, topic }) => `${number} ${topic}`);
}

const answer = (source: string, days: number, questions: readonly Question[], isKnown = true) =>
  world.store.sync.saveAnswers(source, {
    at: world.now - days * dayMs,
    known: isKnown ? questions : [],
    unknown: isKnown ? [] : questions,
  });

beforeAll(async () => {
  world = await openWorld();
  await world.load(smallMarket);
  await world.load([
    { kind: 'minifig', minifig_number: 'fig-000009', name: 'Nobody knows it elsewhere' },
  ]);
  await world.addAccount('a@example.com');
  await world.load(smallCollection('a@example.com'));
  const { market, accounts } = world.store;
  await countHolders({ market, accounts, clock: () => world.now }, async () => {});
  await market.addLookUps([{ kind: 'minifig', key: 'cas002', times: 80 }], dayOf(world.now));
  planner = makePlanner(world.store.sync);
});

afterAll(() => world.close());

test('questions cover all items with a BrickLink number or a barcode', async () => {
  const sets = ['6001', '6002', '6003', '75192', '75192-2'];
  expect((await ranked(guides)).sort()).toEqual(
    [
      ...sets.flatMap((number) => [`${number} sold-new`, `${number} sold-used`]),
      'cas001 sold-used',
      'cas002 sold-used',
    ].sort(),
  );
  expect(await ranked([offers], 'keepa')).toEqual(['75192 offers']);
});

test('held and looked up items come first, with the reason', async () => {
  const all = await planner.rank({ ...scope([guide('set', 'used')]), limit: 100 });
  expect(all.slice(0, 2).map(({ number }) => number)).toEqual(['6002', '75192']);
  expect(all[0]?.reason).toBe('never asked, 2 units held, about 0.5 new sales, value unknown');
  expect(all.map(({ worth }) => worth)).toEqual(
    all.map(({ worth }) => worth).toSorted((a, b) => b - a),
  );
  const minifigs = await planner.rank({ ...scope([guide('minifig', 'used')]), limit: 1 });
  expect(minifigs).toEqual([
    {
      kind: 'minifig',
      key: 'cas002',
      number: 'cas002',
      topic: 'sold-used',
      askedAt: null,
      worth: expect.any(Number),
      reason: expect.stringContaining('never asked, 80 look-ups, about '),
    },
  ]);
});

test('names are those of the sources', async () => {
  const sets = await planner.findNames('set', ['75192', '75192-2', 'nope']);
  expect([...sets]).toEqual([
    ['75192', { bricklink: ['75192'], asin: null, barcodes: ['0673419000017', '5702000000015'] }],
    ['75192-2', { bricklink: ['75192-2'], asin: null, barcodes: [] }],
  ]);
  const minifigs = await planner.findNames('minifig', ['cas001', 'fig-000009']);
  expect(minifigs.get('cas001')?.bricklink).toEqual(['cas001']);
  expect(minifigs.get('fig-000009')?.bricklink).toEqual([]);
});

describe('earlier questions', () => {
  const sealed = [guide('set', 'sealed')];

  beforeAll(async () => {
    await answer('shop', 3, [asked('6001', 'sold-new')]);
    await answer('shop', 165, [asked('6003', 'sold-new')]);
    await answer('shop', 1, [asked('75192-2', 'sold-new')], false);
    await answer('shop', 0.2, [asked('6002', 'sold-new')]);
    await world.store.sync.postponeQuestions('shop', [asked('75192', 'sold-new')], world.now);
  });

  test('are repeated when due, but not within a day or while postponed', async () => {
    expect(await ranked(sealed, 'shop')).toEqual(['6003 sold-new', '6001 sold-new']);
    // Other sources and topics were not asked.
    expect(await ranked(sealed)).toHaveLength(5);
    expect(await ranked([guide('set', 'used')], 'shop')).toHaveLength(5);
  });

  test('are counted, with their age', async () => {
    expect(await planner.findCoverage('shop', sealed, world.now)).toEqual({
      questions: 5,
      neverAsked: 1,
      oldestAt: world.now - 165 * dayMs,
      medianAt: world.now - 3 * dayMs,
    });
    expect(await planner.findCoverage('keepa', [offers], world.now)).toEqual({
      questions: 1,
      neverAsked: 1,
      oldestAt: null,
      medianAt: null,
    });
  });

  test('have a place in the ranking, by item', async () => {
    const places = async (key: string) =>
      planner.findQueued(scope([...sealed, guide('minifig', 'used')], 'shop'), {
        kind: 'set',
        key,
      });
    expect(await places('6001')).toEqual([
      {
        topic: 'sold-new',
        askedAt: world.now - 3 * dayMs,
        isKnown: true,
        queueNumber: 4,
        notBefore: null,
        reason: expect.stringContaining('asked 3 days ago'),
      },
    ]);
    expect((await places('6003'))[0]).toMatchObject({ queueNumber: 1, notBefore: null });
    const [unknown] = await places('75192-2');
    expect(unknown).toMatchObject({ isKnown: false, queueNumber: null });
    expect(unknown?.notBefore).toBe(world.now + 159 * dayMs);
    const [postponed] = await places('75192');
    expect(postponed).toMatchObject({ askedAt: null, queueNumber: null });
    expect(postponed?.notBefore).toBeGreaterThan(world.now);
    expect(await places('5001')).toEqual([]);
    expect(await places('nope')).toEqual([]);
  });

  test('are listed for an item, for all sources', async () => {
    expect(await world.store.sync.listQuestions('set', '75192-2')).toEqual([
      {
        source: 'shop',
        topic: 'sold-new',
        askedAt: world.now - dayMs,
        failures: 0,
        retryAt: null,
        isKnown: false,
      },
    ]);
  });
});

test('unpublished items are requested by number', async () => {
  const before = await ranked(guides);
  await world.ingest([
    { kind: 'set', set_number: '8001', title: 'New', theme: 'Castle' },
    { kind: 'minifig', minifig_number: 'cas009', name: 'New' },
    { kind: 'minifig', minifig_number: 'fig-000010', name: 'New elsewhere' },
  ]);
  const added = ['8001 sold-new', '8001 sold-used', 'cas009 sold-used'];
  expect((await ranked(guides)).sort()).toEqual([...before, ...added].sort());
  expect(await ranked([offers], 'keepa')).toHaveLength(1);
  await world.publisher.publishStale();
  expect((await ranked(guides)).sort()).toEqual([...before, ...added].sort());
});

test('new sales change the uncertainty of an item when it is published', async () => {
  const outlookOf = async () => {
    const items = await world.store.sync.listPlanned('set', 'bricklink-number');
    const item = items.find(({ key }) => key === '6003');
    if (!item) throw new Error('It was not published.');
    return item;
  };
  const before = await outlookOf();
  expect(before.newSales).toBe(0);
  const sale = {
    kind: 'sale',
    source: 'shop',
    item_type: 'set',
    item: '6003',
    condition: 'sealed',
  };
  await world.load(
    [1, 2, 3, 4].map((day) => ({
      ...sale,
      source_id: `new-${day}`,
      price: 55 + day,
      sold_at: new Date(world.now - day * dayMs).toISOString(),
    })),
  );
  const after = await outlookOf();
  expect(after.newSales).toBe(4);
  expect(after.newCents).not.toBe(before.newCents);
});
