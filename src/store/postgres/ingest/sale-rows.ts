/** Sales and their cancellations on their way in. */

import type { MarketRow, RowOutcome } from '../../../domain/market/market-store.ts';
import type { Sale } from '../../../domain/market/source-rows.ts';
import { noItem, noRate, noSale } from '../../refusals.ts';
import { copyRows, runForRows } from '../bulk.ts';
import type { Connection } from '../client.ts';
import type { Batch } from './batch.ts';
import type { HasRate } from './rate-rows.ts';
import { type HeldSale, type SaleFacts, SalesAtHand } from './sales-at-hand.ts';

/** Reads the sales that rows name. */
export async function loadSales(tx: Connection, rows: readonly MarketRow[]): Promise<SalesAtHand> {
  const sales = new SalesAtHand();
  const sources: string[] = [];
  const sourceIds: string[] = [];
  for (const row of rows) {
    if (row.kind !== 'sale' && row.kind !== 'retract') continue;
    const { source, sourceId } = row.kind === 'sale' ? row.sale : row;
    sources.push(source);
    sourceIds.push(sourceId);
  }
  if (sources.length === 0) return sales;
  // Each is looked up by its identity, however large the table is; a name may come twice.
  const stored = await tx.query<SaleFacts & { itemId: number; retractedAt: number | null }>(
    `SELECT sale.* FROM unnest($1::text[], $2::text[]) AS named(source, id)
     CROSS JOIN LATERAL (
       SELECT item_id::float8 AS "itemId", source, source_id AS "sourceId", condition,
         price_cents::float8 AS "priceCents", shipping_cents::float8 AS "shippingCents", currency,
         quantity::float8 AS quantity, sold_at::float8 AS "soldAt", channel, seller, completeness,
         retracted_at::float8 AS "retractedAt"
       FROM source.sale WHERE source = named.source AND source_id = named.id LIMIT 1) AS sale`,
    [sources, sourceIds],
  );
  for (const sale of stored) {
    sales.addStored({ itemId: sale.itemId, facts: sale }, sale.retractedAt);
  }
  return sales;
}

/** Applies sales. A repeated sale is told from a changed one by its content. */
export function saleRows(batch: Batch, hasRate: HasRate) {
  const { items, sales, changes } = batch;
  return {
    applySale(sale: Sale): RowOutcome {
      const itemId = items.find(sale.itemKind, sale.itemKey);
      if (itemId === null) return noItem(sale.itemKind, sale.itemKey);
      if (!hasRate(sale.currency, sale.soldAt)) return noRate(sale.currency, sale.soldAt);
      const old = sales.find(sale.source, sale.sourceId);
      if (old?.itemId === itemId && isSame(old.facts, sale)) return { kind: 'unchanged' };
      changes.touch(itemId);
      changes.addAt(sale.soldAt);
      sales.change(old, { itemId, facts: sale });
      if (old === null) return { kind: 'added' };
      changes.touch(old.itemId);
      changes.addAt(old.facts.soldAt);
      return { kind: 'updated' };
    },
    /** A retracted sale stays retracted, so that importing the same file again changes nothing. */
    applyRetract(source: string, sourceId: string): RowOutcome {
      const sale = sales.find(source, sourceId);
      if (sale === null) return noSale({ source, sourceId });
      if (sale.retractedAt !== null) return { kind: 'unchanged' };
      sales.retract(sale, batch.at);
      changes.touch(sale.itemId);
      changes.addAt(sale.facts.soldAt);
      return { kind: 'updated' };
    },
  };
}

function isSame(a: SaleFacts, b: SaleFacts): boolean {
  return (
    a.priceCents === b.priceCents &&
    a.shippingCents === b.shippingCents &&
    a.soldAt === b.soldAt &&
    a.quantity === b.quantity &&
    a.condition === b.condition &&
    a.currency === b.currency &&
    a.channel === b.channel &&
    a.seller === b.seller &&
    a.completeness === b.completeness
  );
}

/** Writes the sales that were added or changed. */
export async function saveSales(tx: Connection, { sales, at }: Batch): Promise<void> {
  const changed = sales.listChanged();
  // Sales of one item lie together as far as they can: valuing reads them that way.
  const added = changed.filter((sale) => sale.stored === null).sort((a, b) => a.itemId - b.itemId);
  await copyRows(
    tx,
    { name: 'source.sale', columns: saleColumns },
    added.map((sale) => saleCells(sale, at)),
  );
  // When the sale became known stays: a correction does not take it out of a month it was in.
  await runForRows(
    tx,
    `UPDATE source.sale SET item_id = r."itemId", condition = r.condition,
       price_cents = r."priceCents", shipping_cents = r."shippingCents", currency = r.currency,
       quantity = r.quantity, sold_at = r."soldAt", channel = r.channel, seller = r.seller,
       completeness = r.completeness, retracted_at = r."retractedAt"
     FROM json_to_recordset($1::text::json) AS r("itemId" bigint, source text, "sourceId" text,
       condition text, "priceCents" bigint, "shippingCents" bigint, currency text, quantity bigint,
       "soldAt" bigint, channel text, seller text, completeness text, "retractedAt" bigint)
     WHERE sale.source = r.source AND sale.source_id = r."sourceId"`,
    changed
      .filter((sale) => sale.stored !== null)
      .map(({ itemId, retractedAt, facts }) => ({ ...facts, itemId, retractedAt })),
  );
}

const saleColumns = [
  'item_id',
  'source',
  'source_id',
  'condition',
  'price_cents',
  'shipping_cents',
  'currency',
  'quantity',
  'sold_at',
  'channel',
  'seller',
  'completeness',
  'ingested_at',
  'retracted_at',
];

function saleCells({ itemId, facts, retractedAt }: HeldSale, at: number) {
  return [
    itemId,
    facts.source,
    facts.sourceId,
    facts.condition,
    facts.priceCents,
    facts.shippingCents,
    facts.currency,
    facts.quantity,
    facts.soldAt,
    facts.channel,
    facts.seller,
    facts.completeness,
    at,
    retractedAt,
  ];
}
