/**
 * Applies a batch of source rows: reads everything they concern with a few statements, applies them
 * in order in memory, and writes the results with a few more. On PostgreSQL, statements per row
 * would take minutes instead of seconds; on SQLite, sales are written in the order of their table.
 */
import type { MarketRow, RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { Operation } from '../../store/sql/operation.ts';
import { saveWaiting } from '../runner/waiting.store.ts';
import { type Batch, newMemberChanges } from './batch.store.ts';
import { loadCatalogRows } from './catalog-rows.store.ts';
import { Changes } from './changes.store.ts';
import { loadItems } from './items.store.ts';
import { latestListings, latestPartOuts, loadLatestRows } from './latest-rows.store.ts';
import { settleMembers } from './member-rows.store.ts';
import { loadOfferRows } from './offer-rows.store.ts';
import { applyRates } from './rate-rows.store.ts';
import { loadSales, saleRows, saveSales } from './sale-rows.store.ts';
import { UndoLog } from './undo-log.store.ts';

/** Must run in the exclusive market transaction. */
export function* applyRows(
  rows: readonly MarketRow[],
  at: number,
  importId: number | null,
): Operation<RowOutcome[]> {
  const items = yield* loadItems(rows);
  const sales = yield* loadSales(rows);
  const members = newMemberChanges();
  const undo = new UndoLog(importId);
  const changes = new Changes(sales, undo);
  const batch: Batch = { at, items, sales, changes, members, waiting: new Set(), undo };
  // First, so that the other rows are converted with them.
  const ofRates = (yield* applyRates(rows, batch)).values();
  const catalog = yield* loadCatalogRows(rows, batch);
  const offers = yield* loadOfferRows(rows, batch);
  const listings = yield* loadLatestRows(latestListings, rows, batch);
  const partOuts = yield* loadLatestRows(latestPartOuts, rows, batch);
  const { applySale, applyRetract } = saleRows(batch);

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
      case 'listings':
        return listings.apply(row);
      case 'part_out':
        return partOuts.apply(row);
      case 'fx':
        return nextOf(ofRates);
    }
  };
  const outcomes = rows.map(applyRow);

  yield* batch.changes.settle();
  yield* items.save();
  yield* catalog.save();
  yield* saveSales(batch);
  yield* offers.save();
  yield* listings.save();
  yield* partOuts.save();
  yield* saveWaiting(batch.waiting);
  yield* settleMembers(batch);
  yield* batch.changes.save();
  yield* undo.save();
  return outcomes;
}

function nextOf(outcomes: Iterator<RowOutcome>): RowOutcome {
  const { value } = outcomes.next();
  if (!value) throw new Error('The rates of a batch have an outcome each.');
  return value;
}
