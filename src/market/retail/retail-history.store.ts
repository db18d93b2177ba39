/**
 * The history of offers: every published change at every retailer, written by the transaction that
 * publishes it. It is never pruned.
 */

import * as db from '../../store/sql/operation.ts';
import { columnsBut, tables } from '../../store/sql/tables.ts';
import { type Retailer, retailers } from '../source-rows/source-rows.ts';
import {
  byPosition,
  endAfter,
  type HistoryQuery,
  type LowDays,
  lowSince,
  type OfferChange,
  type OfferPast,
  type PastOffer,
  type RetailHistory,
} from './retail-history.ts';

/** A published change of a set. */
export interface LoggedOffer {
  readonly setKey: string;
  readonly at: number;
  readonly change: OfferChange;
}

/** Adds changes, and marks the prices that they correct. */
export function* saveOffers(offers: readonly LoggedOffer[]): db.Operation<void> {
  const corrected = offers.flatMap(({ setKey, change: { retailer, lowestCents } }) =>
    lowestCents === null ? [] : [{ setKey, retailer, priceCents: lowestCents }],
  );
  yield* db.runEach(
    `UPDATE published.retail_change AS c SET is_corrected = true FROM {rows}
     WHERE c.set_key = r."setKey" AND c.retailer = r.retailer
       AND c.price_cents < r."priceCents"`,
    db.givenRows(tables.retailChange, ['setKey', 'retailer', 'priceCents'], corrected),
  );
  const steps = offers.flatMap(({ setKey, at, change: { step } }) =>
    step === null ? [] : [{ setKey, at, ...step, isCorrected: false }],
  );
  yield* db.saveRows(tables.retailChange, steps);
}

/**
 * A set at one retailer, and where its history and the windows of its lows begin. For the windows,
 * these are the changes in force at their start; null if there was none.
 */
interface Bounds extends Readonly<Record<`first${LowDays}`, number | null>> {
  readonly setKey: string;
  readonly retailer: Retailer;
  readonly since: number;
  /** The change in force at the start of the requested time; null if there was none. */
  readonly startsAt: number | null;
}

type LowsRow = Readonly<Record<`low${LowDays}`, number | null>>;

/** The histories of sets, by key; sets that no retailer ever offered are left out. */
export function* findRetailHistories(
  setKeys: readonly string[],
  question: HistoryQuery,
): db.Reading<ReadonlyMap<string, RetailHistory>> {
  const bounds = yield* findBounds(setKeys, question);
  const lows = yield* findLows(bounds);
  const pages = yield* findPages(bounds, question);
  const histories = new Map<string, RetailHistory>();
  for (const [setKey, ofSet] of Map.groupBy(bounds.entries(), ([, row]) => row.setKey)) {
    const changes = ofSet.flatMap(([index]) => pages[index] ?? []).sort(byPosition);
    histories.set(setKey, {
      retailers: ofSet.map(([index, { retailer, since }]): OfferPast => {
        const { low30 = null, low90 = null, low365 = null } = lows[index]?.[0] ?? {};
        return { retailer, since, lows: { 30: low30, 90: low90, 365: low365 } };
      }),
      changes: changes.slice(0, question.limit),
      hasMore: changes.length > question.limit,
    });
  }
  return histories;
}

/** The condition for the changes of a row. */
const ofRow = 'c.set_key = r."setKey" AND c.retailer = r.retailer';

/** The latest change up to an instant, which is in force then. */
const inForceSql = (at: string) =>
  `(SELECT max(c.at) FROM published.retail_change AS c WHERE ${ofRow} AND c.at <= ${at})::float8`;

/** Only the ends of an index are read. */
function* findBounds(
  setKeys: readonly string[],
  { retailer: only, from, at }: HistoryQuery,
): db.Reading<Bounds[]> {
  const rows = setKeys.flatMap((setKey) =>
    retailers
      .filter((retailer) => only === null || retailer === only)
      .map((retailer) => ({
        setKey,
        retailer,
        fromAt: from ?? 0,
        at30: lowSince(30, at),
        at90: lowSince(90, at),
        at365: lowSince(365, at),
      })),
  );
  const found = yield* db.queryEach<Omit<Bounds, 'since'> & { since: number | null }>(
    `SELECT r."setKey" AS "setKey", r.retailer AS retailer,
       (SELECT min(c.at) FROM published.retail_change AS c WHERE ${ofRow})::float8 AS since,
       ${inForceSql('r."fromAt"')} AS "startsAt", ${inForceSql('r.at30')} AS first30,
       ${inForceSql('r.at90')} AS first90, ${inForceSql('r.at365')} AS first365`,
    {
      types: {
        setKey: 'text',
        retailer: 'text',
        fromAt: 'bigint',
        at30: 'bigint',
        at90: 'bigint',
        at365: 'bigint',
      },
      rows,
    },
  );
  return found.flatMap(({ since, ...row }) => (since === null ? [] : [{ since, ...row }]));
}

/** The lowest prices since the changes in force at the start of each window. */
function findLows(bounds: readonly Bounds[]): db.Reading<LowsRow[][]> {
  const lowSql = (first: string) =>
    `min(CASE WHEN c.at >= r.${first} THEN c.price_cents END)::float8`;
  return db.queryGroups<LowsRow>(
    `SELECT ${lowSql('first30')} AS low30, ${lowSql('first90')} AS low90,
       ${lowSql('first365')} AS low365
     FROM published.retail_change AS c
     WHERE ${ofRow} AND c.at >= r.first365 AND NOT c.is_corrected`,
    {
      types: {
        setKey: 'text',
        retailer: 'text',
        first30: 'bigint',
        first90: 'bigint',
        first365: 'bigint',
      },
      rows: bounds.map(({ first30, first90, first365, ...row }) => ({
        ...row,
        first30: first30 ?? 0,
        first90: first90 ?? 0,
        first365: first365 ?? 0,
      })),
    },
  );
}

/** The changes at each retailer, latest first, and one more than requested. */
function findPages(
  bounds: readonly Bounds[],
  { from, to, after, limit }: HistoryQuery,
): db.Reading<PastOffer[][]> {
  const columns = columnsBut(tables.retailChange, 'c', ['setKey']);
  return db.queryGroups<PastOffer>(
    `SELECT ${columns} FROM published.retail_change AS c
     WHERE ${ofRow} AND c.at >= r."startsAt" AND c.at < r."endsAt"
     ORDER BY c.at DESC LIMIT r.most`,
    {
      types: {
        setKey: 'text',
        retailer: 'text',
        startsAt: 'bigint',
        endsAt: 'bigint',
        most: 'bigint',
      },
      rows: bounds.map(({ setKey, retailer, startsAt }) => ({
        setKey,
        retailer,
        startsAt: startsAt ?? from ?? 0,
        endsAt: Math.min(to ?? Number.MAX_SAFE_INTEGER, endAfter(after, retailer)),
        most: limit + 1,
      })),
    },
  );
}
