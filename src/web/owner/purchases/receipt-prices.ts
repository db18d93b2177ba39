/** The prices of a receipt that are compared with market values. */

import type { EvaluatedRow } from '../../../buying/boxes/evaluate-rows.work.ts';
import { lotsOf, unitsOfRows } from '../../../portfolio/purchases/box-lots.work.ts';
import type { FormReader } from '../../kit/form-reader.ts';
import type { WebDeps } from '../../page.ts';
import { checkPrices, type FieldPrice } from '../price-check.tsx';
import type { TypedReceipt } from './receipt-fields.tsx';

/** Costs above this multiple of the price, or below its inverse, are due to the total. */
const nearMax = 2;

/**
 * Questions the prices of a complete form, and the costs that its total results in. Returns the
 * value that confirms them; null if there are none.
 */
export async function checkReceipt(
  deps: Pick<WebDeps, 'portfolio'>,
  fields: FormReader,
  { receipt, rows }: { readonly receipt: TypedReceipt; readonly rows: readonly EvaluatedRow[] },
  /** The field with the price of a row; null if the form has none. */
  priceField: (row: EvaluatedRow) => string | null,
): Promise<string | null> {
  if (!fields.isGood) return null;
  const split = lotsOf(unitsOfRows(rows), receipt);
  if ('problem' in split) return null;
  // The lots of a row differ by a cent.
  const costs = new Map(split.lots.map(({ row, priceCents }) => [row, priceCents]));
  const prices = rows.flatMap((each): FieldPrice[] => {
    const { row, item, index } = each;
    const { priceCents, condition } = row;
    const costCents = costs.get(String(index + 1));
    if (item === null || condition === null || costCents === undefined) return [];
    const { kind, number } = item;
    const unit = { kind, number, condition };
    const total = { ...unit, name: 'total', of: `${number} ${condition}` };
    if (priceCents === null) return [{ ...total, cents: costCents }];
    const name = priceField(each);
    const price = { ...(name === null ? total : { ...unit, name }), cents: priceCents };
    return isNear(costCents, priceCents) ? [price] : [price, { ...total, cents: costCents }];
  });
  return checkPrices(deps, fields, prices);
}

function isNear(one: number, two: number): boolean {
  return one <= nearMax * two && two <= nearMax * one;
}
