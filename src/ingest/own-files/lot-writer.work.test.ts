/** Turning lots of files into rows: IDs, dates, prices, collections and rejects. */
import { describe, expect, test } from 'bun:test';
import { readOptions } from '../../../test/support/read-options.ts';
import {
  type GivenLot,
  type LotFacts,
  lotDefaults,
  type StoredLot,
} from '../../portfolio/lots/lots.ts';
import { RowError } from '../runner/fields.ts';
import type { ImportSettings, OwnAnswers, ReadOptions } from '../runner/format.work.ts';
import type { SourceItem } from '../runner/located-row.ts';
import { type LotDraft, LotWriter, readCondition } from './lot-writer.work.ts';

const noAnswers: OwnAnswers = {
  columns: null,
  dayOrder: null,
  purchaseDate: null,
  priceCents: null,
};

const draft = (given: Partial<LotDraft> = {}): LotDraft => ({
  where: 'f:2',
  text: 'text',
  id: { own: 'a' },
  number: '10482-1',
  quantity: 2,
  condition: 'sealed',
  price: { cents: 50_00, currency: null },
  date: '2026-03-01',
  retailCents: null,
  ...given,
});

const storedLot = (given: Partial<LotFacts> = {}): StoredLot =>
  ({
    sourceId: 'a',
    brickfolio: 'Attic',
    number: '10482',
    quantity: 1,
    condition: 'sealed',
    priceCents: 33_00,
    purchaseDate: '2025-01-01',
    status: 'listed',
    isEstimated: false,
    dateBasis: 'known',
    ...given,
  }) as StoredLot;

const knownMinifigs = [{ number: 'sw0001', title: 'Battle Droid', year: 1999, valueCents: 3_50 }];
const knownSets = [
  { number: '10482', msrpCents: 119_99, releaseDate: '2024-05-01', year: null },
  { number: '10484', msrpCents: null, releaseDate: null, year: null },
];

/** Set 10482 has an MSRP and 10484 has none; a euro is worth $1.10 since 2026. */
function writerOf(
  given: {
    readonly settings?: Partial<ImportSettings>;
    readonly answers?: Partial<OwnAnswers>;
    readonly stored?: readonly StoredLot[];
  } = {},
): LotWriter {
  const { settings = {}, answers, stored = [] } = given;
  const base = readOptions();
  const options: ReadOptions = {
    ...base,
    settings: {
      account: 'me@example.com',
      brickfolio: null,
      missingPrice: 'msrp',
      missingDate: 'release',
      mapping: null,
      isForced: false,
      ...settings,
    },
    ...(answers && { answers: { ...noAnswers, ...answers } }),
    store: {
      market: {
        findKnownMinifigs: async (keys: readonly string[]) =>
          new Map(
            keys
              .flatMap((key) => knownMinifigs.filter(({ number }) => number === key))
              .map((minifig) => [minifig.number, minifig]),
          ),
        findKnownSets: async (keys: readonly string[]) =>
          new Map(
            keys
              .flatMap((key) => knownSets.filter(({ number }) => number === key))
              .map((set) => [set.number, set]),
          ),
        findRates: async (queries: readonly { currency: string; date: string }[]) =>
          queries.map(({ date }) => (date >= '2026-01-01' ? 1.1 : null)),
      },
      accounts: {
        findLotsBySourceIds: async (_: number, ids: readonly string[]) =>
          new Map(
            stored.filter(({ sourceId }) => ids.includes(sourceId)).map((l) => [l.sourceId, l]),
          ),
      },
    } as unknown as ReadOptions['store'],
  };
  const brickfolios = ['Shelf', 'Attic'];
  const owner = { id: 1, email: 'me@example.com', brickfolio: 'Shelf', brickfolios };
  return new LotWriter(options, owner);
}

/** The facts of the lots, or reject reasons. */
const told = (items: readonly SourceItem[]) =>
  items.flatMap((item): unknown[] => {
    if ('prerequisite' in item)
      return [`make ${(item.prerequisite.facts as LotFacts & { name: string }).name}`];
    if (!('result' in item)) return [];
    return [
      'row' in item.result ? (item.result.row as { facts: unknown }).facts : item.result.reason,
    ];
  });

async function write(draftGiven: Partial<LotDraft>, given: Parameters<typeof writerOf>[0] = {}) {
  const [only] = told(await writerOf(given).toRows([draft(draftGiven)]));
  return only as GivenLot | string;
}

test('a lot has the values of the file', async () => {
  expect(await write({})).toEqual({
    ...lotDefaults,
    sourceId: 'a',
    brickfolio: 'Shelf',
    kind: 'set',
    number: '10482-1',
    quantity: 2,
    condition: 'sealed',
    priceCents: 50_00,
    purchaseDate: '2026-03-01',
  });
  expect(await write({ brickfolio: 'Box', status: 'listed' }, {})).toBe('make Box');
});

test('rows without IDs have a running number by set, condition and date', async () => {
  const id = { source: 'x' };
  const writer = writerOf();
  const names = (items: readonly SourceItem[]) =>
    told(items).map((facts) => (facts as LotFacts).sourceId);
  const drafts = [
    draft({ id }),
    draft({ id, number: '10482' }),
    draft({ id, condition: 'used' }),
    draft({ id, date: null }),
  ];
  expect(names(await writer.toRows(drafts))).toEqual([
    'x/10482/sealed/2026-03-01#1',
    'x/10482/sealed/2026-03-01#2',
    'x/10482/used/2026-03-01#1',
    'x/10482/sealed#1',
  ]);
  expect(names(await writer.toRows([draft({ id })]))).toEqual(['x/10482/sealed/2026-03-01#3']);
  const named = writerOf({ settings: { brickfolio: ' Shelf ' } });
  expect(names(await named.toRows([draft({ id })]))).toEqual(['x/Shelf/10482/sealed/2026-03-01#1']);
});

describe('a missing date', () => {
  const dayOf = async (given: Parameters<typeof writerOf>[0]) => {
    const { purchaseDate, dateBasis } = (await write({ date: null }, given)) as LotFacts;
    return [purchaseDate, dateBasis];
  };

  test('is the release date, assumed or unknown', async () => {
    expect(await dayOf({})).toEqual(['2024-05-01', 'assumed']);
    const unknown = { missingDate: 'unknown' } as const;
    expect(await dayOf({ settings: unknown })).toEqual(['2024-05-01', 'unknown']);
  });

  test('is the answered one, unless the lot exists', async () => {
    const answers = { purchaseDate: '2025-07-07' };
    expect(await dayOf({ answers })).toEqual(['2025-07-07', 'known']);
    const stored = [storedLot({ dateBasis: 'unknown' })];
    expect(await dayOf({ answers, stored })).toEqual(['2025-01-01', 'unknown']);
  });
});

describe('a missing price', () => {
  const priceOf = async (given: Parameters<typeof writerOf>[0], more: Partial<LotDraft> = {}) => {
    const facts = await write({ price: null, ...more }, given);
    return typeof facts === 'string' ? facts : [facts.priceCents, facts.isEstimated];
  };

  test('is the MSRP, or else the retail price of the file, or else an error', async () => {
    expect(await priceOf({})).toEqual([119_99, true]);
    const noMsrp = { number: '10484' };
    expect(await priceOf({}, { ...noMsrp, retailCents: 9_00 })).toEqual([9_00, true]);
    expect(await priceOf({}, noMsrp)).toBe(
      'there is no price, and no MSRP of 10484; use --missing-price zero',
    );
    expect(await priceOf({ answers: {} }, noMsrp)).toBe('there is no price, and no MSRP of 10484');
  });

  test('is 0 or rejected, by the settings', async () => {
    expect(await priceOf({ settings: { missingPrice: 'zero' } })).toEqual([0, true]);
    const reject = { settings: { missingPrice: 'reject' } } as const;
    const reason = 'there is no price; use --missing-price msrp or zero';
    expect(await priceOf(reject)).toBe(reason);
    expect(await priceOf({ ...reject, stored: [storedLot()] })).toBe(reason);
  });

  test('is the stored one, estimated or not', async () => {
    expect(await priceOf({ stored: [storedLot()] })).toEqual([33_00, false]);
    const guessed = storedLot({ isEstimated: true });
    expect(await priceOf({ stored: [guessed] })).toEqual([33_00, true]);
    const nothing = storedLot({ isEstimated: true, priceCents: 0 });
    expect(await priceOf({ stored: [nothing] })).toEqual([119_99, true]);
  });

  test('is the answered one, unless the lot exists', async () => {
    const answers = { priceCents: 7_00 };
    expect(await priceOf({ answers })).toEqual([7_00, false]);
    expect(await priceOf({ answers, stored: [storedLot({ isEstimated: true })] })).toEqual([
      33_00,
      true,
    ]);
  });
});

test('euros are converted by the rate of the day, or of today for an assumed date', async () => {
  const price = { cents: 10_00, currency: 'EUR' };
  expect(await write({ price })).toMatchObject({ priceCents: 11_00 });
  expect(await write({ price, date: '2025-01-01' })).toStartWith('there is no EUR exchange rate');
  expect(await write({ price, date: null })).toMatchObject({ priceCents: 11_00 });
});

test('an existing lot keeps its collection and status, unless given', async () => {
  const stored = [storedLot()];
  const kept = { brickfolio: 'Attic', status: 'listed', quantity: 2 };
  expect(await write({}, { stored })).toMatchObject(kept);
  expect(await write({}, { stored, settings: { brickfolio: 'Shelf' } })).toMatchObject({
    brickfolio: 'Shelf',
  });
  expect(await write({ brickfolio: 'Shelf', status: 'owned' }, { stored })).toMatchObject({
    brickfolio: 'Shelf',
    status: 'owned',
  });
});

test('a stored grade is not given again, so that it may not fit a new condition', async () => {
  const stored = [storedLot({ grade: 'perfect' })];
  expect(await write({ condition: 'used' }, { stored })).not.toHaveProperty('grade');
});

test('a collection is created once, before its lots', async () => {
  const writer = writerOf();
  const rows = [draft({ brickfolio: 'Box' }), draft({ id: { own: 'b' }, brickfolio: 'Box' })];
  expect(told(await writer.toRows(rows)).filter((each) => each === 'make Box')).toHaveLength(1);
  expect(told(await writer.toRows(rows)).filter((each) => each === 'make Box')).toHaveLength(0);
  const refused = await writerOf().toRows([draft({ number: '9', brickfolio: 'Box' })]);
  expect(told(refused)).toEqual(["set '9' is not in the catalog"]);
});

test('gaps are reported for new lots only', async () => {
  const gapsOf = async (given: Partial<LotDraft>, stored: readonly StoredLot[] = []) => {
    const [row] = await writerOf({ stored }).toRows([draft({ brickfolio: 'Shelf', ...given })]);
    return row && 'result' in row ? row.result.gaps : null;
  };
  const none = { hasNoDate: false, hasNoPrice: false, unclearDay: null, name: null };
  expect(await gapsOf({})).toEqual(none);
  expect(await gapsOf({ date: null })).toEqual({ ...none, hasNoDate: true });
  expect(await gapsOf({ price: null })).toEqual({ ...none, hasNoPrice: true });
  expect(await gapsOf({ name: 'Titanic' })).toEqual({ ...none, name: 'Titanic' });
  expect(await gapsOf({ unclearDay: '1/2/2026' })).toEqual({ ...none, unclearDay: '1/2/2026' });
  expect(await gapsOf({ date: null }, [storedLot()])).toBeUndefined();
});

test.each([
  ['9', "set '9' is not in the catalog"],
  ['sw0002a', "minifig 'sw0002a' is not in the catalog"],
  ['FIG-000001', "minifig 'FIG-000001' is not in the catalog"],
  ['sw0001ab', "set 'sw0001ab' is not in the catalog"],
  ['a\u0007', 'the number contains control characters'],
])('%p is rejected', async (number, reason) => {
  expect(await write({ number })).toBe(reason);
});

test('a name with control characters is rejected', async () => {
  expect(await write({ id: { own: 'a\u0007' } })).toBe('the lot ID contains control characters');
});

test('a row that would be two lots is rejected once', async () => {
  const rows = await writerOf().toRows([
    draft({ number: '9' }),
    draft({ number: '9' }),
    draft({ number: '9', where: 'f:3' }),
  ]);
  expect(rows).toMatchObject([
    { where: 'f:2', result: { reason: "set '9' is not in the catalog" } },
    { where: 'f:3' },
  ]);
});

describe('a minifig', () => {
  test('is found by its number, used if the file does not say, at its value without a price', async () => {
    expect(await write({ number: 'SW0001', price: null, condition: null })).toMatchObject({
      kind: 'minifig',
      number: 'SW0001',
      condition: 'used',
      priceCents: 3_50,
      isEstimated: true,
    });
  });

  test('is not a set, and a set is not a minifig, if the file says what it is', async () => {
    expect(await write({ kind: 'set', number: 'sw0001' })).toBe(
      "set 'sw0001' is not in the catalog",
    );
    expect(await write({ kind: 'minifig', number: '10482' })).toBe(
      "minifig '10482' is not in the catalog",
    );
  });
});

test.each([
  ['New', 'sealed'],
  ['n', 'sealed'],
  ['Sealed', 'sealed'],
  ['U', 'used'],
  ['Used as new', 'used'],
  ['UsedIncomplete', 'used'],
])('%s is %s', (word, condition) => {
  expect(readCondition(word)).toBe(condition as 'sealed');
});

test('other words are not conditions', () => {
  expect(() => readCondition('odd')).toThrow(RowError);
});
