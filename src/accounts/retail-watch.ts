/** What retailers ask for sets, with what the account paid for them. */

import { compareText } from '../domain/catalog/numbers.ts';
import { dayMs, hourMs, minuteMs } from '../domain/kernel/time.ts';
import type { RetailIdentifiers, RetailRecord } from '../domain/market/market-reading.ts';
import { averageCostCents } from '../domain/portfolio/holdings.ts';
import type { HeldCost } from '../domain/portfolio/lot-store.ts';
import type { PortfolioData } from './portfolio-data.ts';

/** A retail row, and what one unit cost the account on average; null when it holds none. */
export interface WatchedRow {
  readonly record: RetailRecord;
  readonly paidCents: number | null;
}

/** The one set that all identifiers name; null for none. */
export async function findRetail(
  { accounts, market }: PortfolioData,
  accountId: number,
  identifiers: RetailIdentifiers,
): Promise<WatchedRow | null> {
  const record = await market.findRetail(identifiers);
  if (record === null) return null;
  const [held] = await accounts.listHeldCosts(accountId, [record.setKey]);
  return { record, paidCents: held ? averageCostCents(held) : null };
}

/** Which of the held sets are wanted; what is null does not limit. */
export interface WatchFilter {
  /** Only where the price changed at or after this instant. */
  readonly changedSince: number | null;
  readonly asinKeys: readonly string[] | null;
  readonly barcodeKeys: readonly string[] | null;
}

const windowUnits: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs };

/** The length of a window such as `24h`; null when it is none. The longest go back before time. */
export function watchWindowMs(text: string): number | null {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(text) ?? [];
  if (count === undefined) return null;
  return Math.min(Number(count) * (windowUnits[unit] ?? 0), Number.MAX_SAFE_INTEGER);
}

/** The held sets that retailers offer or offered, latest change first. */
export async function readRetailWatch(
  { accounts, market }: PortfolioData,
  accountId: number,
  filter: WatchFilter,
): Promise<WatchedRow[]> {
  const { changedSince, asinKeys, barcodeKeys } = filter;
  // A few identifiers name a few sets: then not everything that is held has to be gone through.
  const named = asinKeys || barcodeKeys ? await market.findRetailKeys(filter) : undefined;
  const costs = new Map<string, HeldCost>();
  for (const cost of await accounts.listHeldCosts(accountId, named)) costs.set(cost.setKey, cost);
  const records = await market.listRetail([...costs.keys()], changedSince);
  return records.sort(byLatestChange).map((record) => {
    const held = costs.get(record.setKey);
    return { record, paidCents: held ? averageCostCents(held) : null };
  });
}

/** Newest change first, prices that never changed last, then by number. */
function byLatestChange(a: RetailRecord, b: RetailRecord): number {
  const at = (record: RetailRecord) => record.changedAt ?? Number.NEGATIVE_INFINITY;
  if (a.changedAt !== b.changedAt) return at(b) - at(a);
  return compareText(a.setKey, b.setKey);
}
