/** Retail prices of sets, with the prices that the account paid. */

import { compareText } from '../../catalog/items/numbers.ts';
import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import type { RetailIdentifiers, RetailRecord } from '../../market/published/published-records.ts';
import { averageCostCents } from '../lots/holdings.ts';
import type { HeldCost } from '../lots/lots.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';

/** A retail row, and the average cost of a unit; null: not held. */
export interface WatchedRow {
  readonly record: RetailRecord;
  readonly paidCents: number | null;
}

/** The set that all identifiers match; null: none. Without an account, nothing is held. */
export async function findRetail(
  { accounts, market }: PortfolioData,
  accountId: number | null,
  identifiers: RetailIdentifiers,
): Promise<WatchedRow | null> {
  const record = await market.findRetail(identifiers);
  if (record === null) return null;
  if (accountId === null) return { record, paidCents: null };
  const [held] = await accounts.listHeldCosts(accountId, 'set', [record.setKey]);
  return { record, paidCents: held ? averageCostCents(held) : null };
}

/** Retail rows of sets by key; sets that were never observed are left out. */
export async function findRetailOf(
  { accounts, market }: PortfolioData,
  accountId: number | null,
  keys: readonly string[],
): Promise<ReadonlyMap<string, WatchedRow>> {
  if (keys.length === 0) return new Map();
  const [records, costs] = await Promise.all([
    market.listRetail(keys, null),
    accountId === null ? [] : accounts.listHeldCosts(accountId, 'set', keys),
  ]);
  const held = new Map(costs.map((cost) => [cost.key, averageCostCents(cost)]));
  return new Map(
    records.map((record) => [
      record.setKey,
      { record, paidCents: held.get(record.setKey) ?? null },
    ]),
  );
}

/** Null: no limit. */
export interface WatchFilter {
  /** Only prices that changed at or after this time. */
  readonly changedSince: number | null;
  readonly asinKeys: readonly string[] | null;
  readonly barcodeKeys: readonly string[] | null;
}

const windowUnits = { m: minuteMs, h: hourMs, d: dayMs } as const;

/** The duration of a window such as `24h`; null: invalid. The longest start before the epoch. */
export function watchWindowMs(text: string): number | null {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  if (count === undefined) return null;
  const unitMs = windowUnits[unit as keyof typeof windowUnits];
  return Math.min(Number(count) * unitMs, Number.MAX_SAFE_INTEGER);
}

/** Held sets with current or past offers, latest change first. */
export async function readRetailWatch(
  { accounts, market }: PortfolioData,
  accountId: number,
  filter: WatchFilter,
): Promise<WatchedRow[]> {
  const { changedSince, asinKeys, barcodeKeys } = filter;
  // Few identifiers match few sets, so not all holdings have to be read.
  const named = asinKeys || barcodeKeys ? await market.findRetailKeys(filter) : undefined;
  const costs = new Map<string, HeldCost>();
  const held = await accounts.listHeldCosts(accountId, 'set', named);
  for (const cost of held) costs.set(cost.key, cost);
  const records = await market.listRetail([...costs.keys()], changedSince);
  return records.sort(byLatestChange).map((record) => {
    const held = costs.get(record.setKey);
    return { record, paidCents: held ? averageCostCents(held) : null };
  });
}

/** Latest change first, prices that never changed last, then by number. */
function byLatestChange(a: RetailRecord, b: RetailRecord): number {
  const at = (record: RetailRecord) => record.changedAt ?? Number.NEGATIVE_INFINITY;
  if (a.changedAt !== b.changedAt) return at(b) - at(a);
  return compareText(a.setKey, b.setKey);
}
