/** Exports lots and sales as activities for Ghostfolio. */

import { feeTotal } from '../../market/fees/platform-fees.ts';
import type { StoredLot } from '../lots/lots.ts';
import type { StoredLedgerSale } from '../sales/ledger.ts';
import { type ExportKind, type ExportSource, lotPages, salePages } from './export-records.work.ts';

interface Activity {
  readonly currency: 'USD';
  readonly dataSource: 'MANUAL';
  readonly date: string;
  readonly fee: number;
  readonly quantity: number;
  readonly symbol: string;
  readonly type: 'BUY' | 'SELL';
  readonly unitPrice: number;
  readonly comment: string;
}

/** A lot is a purchase. A sale is a sale, preceded by a purchase if it has no lot. */
export async function* ghostfolioActivities(
  kind: ExportKind,
  source: ExportSource,
): AsyncGenerator<Activity[]> {
  if (kind === 'collection') {
    for await (const lots of lotPages(source)) yield lots.map(bought);
  } else {
    for await (const sales of salePages(source)) yield sales.flatMap(sold);
  }
}

function bought(lot: StoredLot): Activity {
  const price = lot.isEstimated ? ', price estimated' : '';
  const date = lot.dateBasis === 'known' ? '' : `, date ${lot.dateBasis}`;
  const comment = `${lot.condition}, ${lot.brickfolio}${price}${date}`;
  return activity(lot, {
    type: 'BUY',
    date: lot.purchaseDate,
    fee: 0,
    cents: lot.priceCents,
    comment,
  });
}

function sold(sale: StoredLedgerSale): Activity[] {
  const fee = (feeTotal(sale) + sale.shippingCents) / 100;
  const about = { date: sale.saleDate, comment: `${sale.condition}, ${sale.platform}` };
  const sell = activity(sale, {
    ...about,
    type: 'SELL',
    fee,
    cents: sale.grossCents / sale.quantity,
  });
  if (sale.costCents === null) return [sell];
  // Units without a lot would be missing in Ghostfolio, so they are bought on the day of the sale.
  const cents = sale.costCents / sale.quantity;
  return [activity(sale, { ...about, type: 'BUY', fee: 0, cents }), sell];
}

function activity(
  { kind, number, quantity }: Pick<StoredLot, 'kind' | 'number' | 'quantity'>,
  about: Pick<Activity, 'type' | 'date' | 'fee' | 'comment'> & { readonly cents: number },
): Activity {
  const { type, date, fee, cents, comment } = about;
  return {
    currency: 'USD',
    dataSource: 'MANUAL',
    date: `${date}T00:00:00.000Z`,
    fee,
    quantity,
    // A set and a minifig may have the same number.
    symbol: kind === 'set' ? `LEGO-${number}` : `LEGO-MINIFIG-${number}`,
    type,
    unitPrice: cents / 100,
    comment,
  };
}
