/** Recent activity: purchases, sales, and price changes of held sets, in one list. */

import { compareText, type ItemKind } from '../../../catalog/items/numbers.ts';
import type { RetailRow } from '../../../contract/retail.ts';
import { dayMs, formatDay, parseInstant } from '../../../kernel/time.ts';
import { retailers } from '../../../market/source-rows/source-rows.ts';
import { findListed, readSales } from '../../../portfolio/lots/collection.work.ts';
import { Card } from '../../kit/card.tsx';
import { Lines, mainColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { dayText, gainText, nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Money } from '../../kit/money.tsx';
import type { WebDeps } from '../../page.ts';

/** `rowsShown` is the number of rows of each kind, `changesDays` the age of price changes. */
const rowsShown = 4;
const changesDays = 30;

export interface ActivityRow {
  readonly key: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly kind: ItemKind;
  readonly number: string;
  readonly title: string;
  /** Such as `Bought 2 units`. */
  readonly text: string;
  /** The page of the lot or sale; that of the set by default. */
  readonly href?: string;
  readonly cents: number | null;
}

/** The latest rows of each kind, newest first. */
export async function readActivity(
  deps: WebDeps,
  accountId: number,
  { today, heldKeys }: { readonly today: number; readonly heldKeys: readonly string[] },
): Promise<ActivityRow[]> {
  const [bought, sales, changes] = await Promise.all([
    readPurchases(deps, accountId),
    readSales(deps.portfolio, accountId, { limit: rowsShown, offset: 0 }),
    readChanges(deps, [...new Set(heldKeys)], (today - changesDays) * dayMs),
  ]);
  const sold = sales.sales.map(({ sale, item, proceeds }) => ({
    key: `sale ${sale.id}`,
    date: sale.saleDate,
    kind: sale.kind,
    number: item.number,
    title: item.title,
    text: `Sold ${nounText(sale.quantity, 'unit')}`,
    href: `/sales/${sale.id}`,
    cents: proceeds.netCents,
  }));
  return [...changes, ...sold, ...bought].sort((a, b) => compareText(b.date, a.date));
}

/** Lots with their original quantity, as sales are separate rows. */
async function readPurchases({ accounts, portfolio }: WebDeps, accountId: number) {
  const lots = await accounts.listPurchases(accountId, rowsShown);
  const itemOf = await findListed(portfolio.market, lots);
  return lots.map((lot) => ({
    key: `lot ${lot.id}`,
    date: lot.purchaseDate,
    kind: lot.kind,
    number: itemOf(lot).number,
    title: itemOf(lot).title,
    text: `Bought ${nounText(lot.quantity, 'unit')}`,
    href: `/lots/${lot.id}`,
    cents: lot.quantity * lot.priceCents,
  }));
}

/** Reads the retail rows that changed last; each has at most one change per retailer. */
async function readChanges(
  { portfolio, site }: WebDeps,
  setKeys: readonly string[],
  since: number,
): Promise<ActivityRow[]> {
  const records = await portfolio.market.listLatestRetail(setKeys, { since, limit: rowsShown });
  const changes = records.flatMap(({ body }) => {
    const row: RetailRow = JSON.parse(body);
    return retailers.flatMap((retailer) => {
      const { changedAt, lastChange, price, atLowest } = row[retailer];
      const changed = changedAt === null ? null : parseInstant(changedAt);
      if (changed === null || lastChange === null || changed < since) return [];
      const change = gainText(Math.round(lastChange * 100));
      return {
        key: `${retailer} ${row.setNumber}`,
        date: formatDay(changed),
        kind: 'set' as const,
        number: row.setNumber,
        title: row.name,
        text: `${site.retailerNames[retailer]} price ${change}${atLowest ? ', all-time low' : ''}`,
        cents: price === null ? null : Math.round(price * 100),
      };
    });
  });
  return changes.slice(0, rowsShown);
}

const columns: readonly Column<ActivityRow>[] = [
  mainColumn('Item', ({ kind, number, title, text, href }) => (
    <ItemCell kind={kind} number={number} name={title} about={text} {...(href && { href })} />
  )),
  numberColumn('Amount', ({ cents, date }) => (
    <Lines first={<Money cents={cents} missing="No offer" />} second={dayText(date)} />
  )),
];

export function Activity({ rows }: { readonly rows: readonly ActivityRow[] }) {
  return (
    <Card title="Activity" class="brief" actions={<a href="/retail">Retail prices</a>}>
      {rows.length === 0 ? (
        <p class="quiet flush">No purchases, sales or price changes yet.</p>
      ) : (
        <DataTable label="Activity" columns={columns} rows={rows} />
      )}
    </Card>
  );
}
