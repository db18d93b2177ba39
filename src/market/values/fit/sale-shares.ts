/**
 * The effective sales that each sale is in what is learned across items: a seller's sales of all
 * items count together for channel offsets, and those of a theme for its effect.
 */
import { at } from '../../../kernel/at.ts';
import { type Month, monthOf } from '../../../kernel/time.ts';
import type { Row } from '../engine/admit.ts';
import { SellerSales } from '../engine/seller-sales.ts';
import type { Subject } from '../engine/subject.ts';

/** In the order of the rows; 0 for sales that do not count. */
export interface SaleShares {
  readonly ofMarket: Float64Array;
  readonly ofTheme: Float64Array;
}

export interface SharedItem {
  readonly subject: Subject;
  /** Null: a theme of its own. */
  readonly theme: string | null;
}

/** In the order of the items. Sales count in the months in which their item is sampled. */
export function saleShares<Item extends SharedItem>(
  items: readonly Item[],
  counts: (item: Item, month: Month) => boolean,
): SaleShares[] {
  const shares = items.map(({ subject: { rows } }) => ({
    ofMarket: new Float64Array(rows.length),
    ofTheme: new Float64Array(rows.length),
  }));
  const markets = new Map<string, SellerSales>();
  const salesIn = (name: string) => markets.getOrInsertComputed(name, () => new SellerSales());
  const sellers = items.map(({ subject: { kind }, theme }, item) => ({
    ofMarket: salesIn(kind),
    ofTheme: salesIn(`${kind} ${theme ?? item}`),
  }));
  for (const { item, row } of inOrder(items)) {
    const sold = at(at(items, item).subject.rows, row);
    if (!isCounted(sold) || !counts(at(items, item), monthOf(sold.at))) continue;
    const { ofMarket, ofTheme } = at(sellers, item);
    at(shares, item).ofMarket[row] = ofMarket.count(sold).share;
    at(shares, item).ofTheme[row] = ofTheme.count(sold).share;
  }
  return shares;
}

/** Whether learning uses a sale. */
export function isCounted({ rejection, sale }: Row): boolean {
  return rejection === null && sale.retractedAt === null;
}

/** All rows in order of time, as indexes. Arrays of numbers, because there may be a million. */
function* inOrder(items: readonly SharedItem[]): Generator<{ item: number; row: number }> {
  const count = items.reduce((sum, { subject }) => sum + subject.rows.length, 0);
  const times = new Float64Array(count);
  const [item, row] = [new Uint32Array(count), new Uint32Array(count)];
  let next = 0;
  for (const [index, { subject }] of items.entries()) {
    for (let each = 0; each < subject.rows.length; each++) {
      times[next] = at(subject.rows, each).at;
      item[next] = index;
      row[next++] = each;
    }
  }
  const order = new Uint32Array(count).map((_, index) => index);
  order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  for (const index of order) yield { item: at(item, index), row: at(row, index) };
}
