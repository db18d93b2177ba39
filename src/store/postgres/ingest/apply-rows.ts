/**
 * A batch of source rows: what it concerns is read with a few statements, its rows are gone through
 * in order in memory, and what became of them is written with a few more. A statement for each row
 * would take minutes where this takes seconds.
 */
import type { MarketRow, RowOutcome } from '../../../domain/market/market-store.ts';
import type { Connection } from '../client.ts';
import type { Batch } from './batch.ts';
import { loadCatalogRows } from './catalog-rows.ts';
import { Changes } from './changes.ts';
import { loadItems } from './items.ts';
import { type MemberChanges, settleMembers } from './member-rows.ts';
import { loadOfferRows } from './offer-rows.ts';
import { loadRateRows } from './rate-rows.ts';
import { loadSales, saleRows, saveSales } from './sale-rows.ts';

/** Applies rows in order, in a transaction in which nobody else writes to the market. */
export async function applyRows(
  tx: Connection,
  rows: readonly MarketRow[],
  at: number,
): Promise<RowOutcome[]> {
  await planForSizes(tx);
  const items = await loadItems(tx, rows);
  const sales = await loadSales(tx, rows);
  const members: MemberChanges = { keys: new Set(), described: new Set() };
  const batch: Batch = { at, items, sales, changes: new Changes(sales), members };
  const catalog = await loadCatalogRows(tx, rows, batch);
  const rates = await loadRateRows(tx, rows, batch);
  const offers = await loadOfferRows(tx, rows, batch);
  const { applySale, applyRetract } = saleRows(batch, rates.hasRate);

  const applyRow = (row: MarketRow): RowOutcome => {
    switch (row.kind) {
      case 'set':
      case 'minifig':
        return catalog.apply(row);
      case 'sale':
        return applySale(row.sale);
      case 'retract':
        return applyRetract(row.source, row.sourceId);
      case 'offer':
        return offers.apply(row.offer);
      case 'fx':
        return rates.apply(row.rate);
    }
  };
  const outcomes = rows.map(applyRow);

  await batch.changes.settle(tx);
  await items.save(tx);
  await catalog.save();
  await saveSales(tx, batch);
  await rates.save();
  await offers.save();
  await settleMembers(tx, batch);
  await batch.changes.save(tx);
  return outcomes;
}

/**
 * Tables grow from batch to batch, and batches differ in size: a plan that was made for the last
 * one may go through a whole table for every row of this one.
 */
async function planForSizes(tx: Connection): Promise<void> {
  await tx.query(
    `SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('jit', 'off', true)`,
  );
}
