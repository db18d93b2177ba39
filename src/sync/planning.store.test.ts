/** Reads for planning: items, their names at sources, and when they were asked about. */
import { beforeAll, expect, test } from 'bun:test';
import {
  aPublishedItem,
  aSale,
  minifigRow as minifig,
  setRow as set,
} from '../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../test/support/shared-store.ts';
import type { ItemKind } from '../catalog/items/numbers.ts';
import { dayOf } from '../kernel/time.ts';
import type { PublishedItem } from '../market/published/publishing.ts';
import type { Need } from './planning.ts';

const shared = shareStore();

const { outlook } = aPublishedItem();
const months = { retailer_a: [], retailer_b: [] };
const retail = { upcKey: null, eanKey: null, changedAt: now, body: '{}', months };

/** Published items by key. */
const published: Readonly<Record<string, Partial<PublishedItem>>> = {
  both: {
    upcKey: '0111',
    eanKey: '0222',
    retail: { ...retail, asinKey: 'b01', newStates: [] },
    outlook: { ...outlook, isTraded: true, hasBarcode: true },
  },
  traded: { outlook: { ...outlook, isTraded: true, hasBarcode: false } },
  retail: { eanKey: '0333', outlook: { ...outlook, isTraded: false, hasBarcode: true } },
  sw1: { outlook: { ...outlook, isTraded: true, hasBarcode: true } },
};

beforeAll(async () => {
  const { market } = shared.store;
  await market.applyRows(
    [
      ...['Both', 'Traded', 'Retail', 'new1', 'new2'].map(set),
      minifig('SW1', ['SW0b', 'SW0a', 'fig-000001']),
      minifig('fig-000002'),
      minifig('sw3'),
      minifig('both'),
    ],
    now,
  );
  const inputs = await market.loadInputs(await market.listStale(0, 99), {
    at: now,
    withSeries: false,
  });
  // Published in reverse, because the list is ordered by id, not by publication.
  for (const { id, key, kind, version } of inputs.toReversed()) {
    const facts = kind === 'minifig' && key === 'both' ? undefined : published[key];
    if (facts) await market.publish([aPublishedItem({ ...facts, id, version })]);
  }
  // A stale item still counts as published.
  await market.applyRows([{ kind: 'sale', sale: aSale({ itemKey: 'traded' }) }], now);
});

const planned = async (kind: ItemKind, needs: Need) =>
  (await shared.store.sync.listPlanned(kind, needs)).map(({ key }) => key);

test('items are planned that have the identifiers a question needs, unpublished ones last', async () => {
  expect(await planned('set', null)).toEqual(['both', 'traded', 'retail', 'new1', 'new2']);
  expect(await planned('set', 'bricklink-number')).toEqual(['both', 'traded', 'new1', 'new2']);
  expect(await planned('set', 'asin-or-barcode')).toEqual(['both', 'retail']);
  expect(await planned('minifig', null)).toEqual(['sw1', 'fig-000002', 'sw3', 'both']);
  expect(await planned('minifig', 'bricklink-number')).toEqual(['sw1', 'sw3', 'both']);
});

test('an unpublished item is expected to sell once in half a year', async () => {
  const items = await shared.store.sync.listPlanned('set', null);
  expect(items.find(({ key }) => key === 'new1')).toEqual({
    itemId: expect.any(Number),
    key: 'new1',
    newCents: 20_00,
    newValueSpread: 10_000,
    newSaleSpread: 2_000,
    newSales: 0,
    newUsualRate: 5_556,
    usedCents: 20_00,
    usedValueSpread: 10_000,
    usedSaleSpread: 2_000,
    usedSales: 0,
    usedUsualRate: 5_556,
  });
});

test('sets are found by number, ASIN and barcodes; minifigs by BrickLink numbers', async () => {
  const { sync } = shared.store;
  expect(await sync.findNames('set', ['both', 'retail', 'new1', 'sw1'])).toEqual(
    new Map([
      ['both', { bricklink: ['Both'], asin: 'b01', barcodes: ['0111', '0222'] }],
      ['retail', { bricklink: ['Retail'], asin: null, barcodes: ['0333'] }],
      ['new1', { bricklink: ['new1'], asin: null, barcodes: [] }],
    ]),
  );
  const names = (...bricklink: string[]) => ({ bricklink, asin: null, barcodes: [] });
  expect(await sync.findNames('minifig', ['sw1', 'fig-000002', 'traded'])).toEqual(
    new Map([
      ['sw1', names('SW1', 'sw0a', 'sw0b')],
      ['fig-000002', names()],
      ['traded', names()],
    ]),
  );
  const [first, second] = await sync.listPlanned('set', null);
  const ids = [first?.itemId ?? 0, second?.itemId ?? 0];
  expect([...(await sync.findNumbers(ids)).values()].sort()).toEqual(['Both', 'Traded']);
});

test('asked questions are listed by source and kind, grouped by item', async () => {
  const { sync } = shared.store;
  const question = (kind: ItemKind, key: string, topic: string) => ({ kind, key, topic });
  const ofSets = ['b', 'a'].flatMap((key) =>
    ['used', 'new'].map((topic) => question('set', key, topic)),
  );
  const known = [...ofSets, question('minifig', 'a', 'new')];
  await sync.saveAnswers('shop', { at: now, known, unknown: [] });
  const unknown = [question('set', 'a', 'new')];
  await sync.saveAnswers('fair', { at: now + 1, known: [], unknown });
  await sync.postponeQuestions('shop', [question('set', 'b', 'new')], now);
  const asked = await sync.listAsked('shop', 'set');
  expect(asked.map(({ key, topic }) => `${key} ${topic}`)).toEqual([
    'a new',
    'a used',
    'b new',
    'b used',
  ]);
  expect(asked[0]).toEqual({
    key: 'a',
    topic: 'new',
    askedAt: now,
    retryAt: null,
    isKnown: true,
  });
  expect(asked[2]?.retryAt).toBeGreaterThan(now);
  const questions = await sync.listQuestions('set', 'a');
  expect(questions.map(({ source, topic, isKnown }) => [source, topic, isKnown])).toEqual([
    ['fair', 'new', false],
    ['shop', 'new', true],
    ['shop', 'used', true],
  ]);
});

test('wanted items are listed by kind', async () => {
  const { market, sync } = shared.store;
  const day = dayOf(now);
  await market.addLookUps(
    [
      { kind: 'set', key: 'both', times: 2 },
      { kind: 'minifig', key: 'both', times: 3 },
      { kind: 'minifig', key: 'sw1', times: 1 },
    ],
    day,
  );
  const wanted = async (kind: ItemKind) =>
    (await sync.listWanted(kind)).map(({ key, lookedUp }) => `${key} ${lookedUp}`).sort();
  expect(await wanted('set')).toHaveLength(1);
  expect((await wanted('minifig')).map((each) => each.split(' ')[0])).toEqual(['both', 'sw1']);
});
