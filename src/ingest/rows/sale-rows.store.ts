/** Applies sales and retractions. */
import type { MarketRow, RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { Sale } from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, fieldsOf, isSameRow, tables } from '../../store/sql/tables.ts';
import type { Batch } from './batch.store.ts';
import { noItem, noSale } from './refusals.store.ts';
import { type HeldSale, type SaleFacts, SalesAtHand } from './sales-at-hand.store.ts';

export type SaleRow = SaleFacts & {
  readonly itemId: number;
  readonly ingestedAt: number;
  readonly retractedAt: number | null;
};

export const identity: readonly string[] = ['source', 'sourceId'];

const rowFields = fieldsOf(tables.sale) as (keyof SaleRow)[];

/** Without `ingestedAt`: a corrected sale still counts for the months it was known in. */
export const changingFields: readonly (keyof SaleRow)[] = rowFields.filter(
  (field) => !identity.includes(field) && field !== 'ingestedAt',
);

/** The fields that a source reports. */
const factFields = changingFields.filter((field) => !['itemId', 'retractedAt'].includes(field));

export function* loadSales(rows: readonly MarketRow[]): db.Operation<SalesAtHand> {
  const sales = new SalesAtHand();
  const named = rows.flatMap((row) => {
    if (row.kind === 'sale') return row.sale;
    return row.kind === 'retract' ? row : [];
  });
  // An index lookup for each; the same sale may be found twice.
  const stored = yield* db.queryEach<SaleRow>(
    `SELECT ${columnsOf(tables.sale, 's', rowFields)} FROM source.sale AS s
     WHERE s.source = r.source AND s.source_id = r."sourceId"`,
    db.givenRows(tables.sale, identity, named),
  );
  for (const sale of stored) {
    sales.addStored({ itemId: sale.itemId, facts: sale }, sale.retractedAt);
  }
  return sales;
}

/** A sale with the same content as before is unchanged. */
export function saleRows(batch: Batch) {
  const { items, sales, changes, waiting } = batch;
  return {
    applySale(sale: Sale): RowOutcome {
      const itemId = items.find(sale.itemKind, sale.itemKey);
      if (itemId === null) return noItem(sale.itemKind, sale.itemKey);
      const old = sales.find(sale.source, sale.sourceId);
      if (old?.itemId === itemId && isSameRow(factFields, old.facts, sale))
        return { kind: 'unchanged' };
      changes.touchSale(itemId, sale.soldAt);
      if (sale.currency !== 'USD') waiting.add(sale.currency);
      sales.change(old, { itemId, facts: sale });
      if (old === null) return { kind: 'added' };
      waiting.add(old.facts.currency);
      changes.touchSale(old.itemId, old.facts.soldAt);
      return { kind: 'updated' };
    },
    /** A retracted sale stays retracted, so that importing the same file again changes nothing. */
    applyRetract(source: string, sourceId: string): RowOutcome {
      const sale = sales.find(source, sourceId);
      if (sale === null) return noSale({ source, sourceId });
      if (sale.retractedAt !== null) return { kind: 'unchanged' };
      sales.retract(sale, batch.at);
      changes.touchSale(sale.itemId, sale.facts.soldAt);
      waiting.add(sale.facts.currency);
      return { kind: 'updated' };
    },
  };
}

export function* saveSales({ sales, at, undo }: Batch): db.Operation<void> {
  const changed = sales.listChanged();
  const toRow = ({ itemId, facts, retractedAt }: HeldSale): SaleRow => ({
    ...facts,
    itemId,
    ingestedAt: at,
    retractedAt,
  });
  // In order of items, because valuation reads the sales of an item together.
  const added = changed.filter((sale) => sale.stored === null).sort((a, b) => a.itemId - b.itemId);
  const stored = changed.filter((sale) => sale.stored !== null);
  for (const { facts } of added) undo.add('sale', [facts.source, facts.sourceId]);
  for (const { facts, stored: old } of stored) {
    if (old) undo.add('sale', [facts.source, facts.sourceId, old.facts]);
  }
  const isCorrected = (sale: HeldSale) => sale.facts !== sale.stored?.facts;
  const corrected = stored.filter(isCorrected).map(toRow);
  const retracted = stored.filter((sale) => !isCorrected(sale)).map(toRow);
  yield* db.insertRows(tables.sale, added.map(toRow));
  yield* db.updateRows(tables.sale, changingFields, corrected, identity);
  yield* db.updateRows(tables.sale, ['retractedAt'], retracted, identity);
}
