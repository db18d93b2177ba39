/** A purchase with its lots: how its pages find and show it. */

import type { ListedItem } from '../../../market/published/published-records.ts';
import { findListed } from '../../../portfolio/lots/collection.work.ts';
import type { OwnLot } from '../../../portfolio/lots/lots.ts';
import type { Bought } from '../../../portfolio/purchases/own-purchases.work.ts';
import type { Purchase } from '../../../portfolio/purchases/purchases.ts';
import { column, countColumn, mainColumn, moneyColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import { versionOf } from '../../kit/form-reader.ts';
import { dayText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import type { WebDeps } from '../../page.ts';
import { byOwnId } from '../../page-table.ts';
import { stateText } from '../buying/box-fields.tsx';

/** The purchase that a path names; null if the account does not have it. */
export const findOwn = byOwnId(async (accounts, accountId, id): Promise<Bought | null> => {
  const purchase = await accounts.findPurchase(accountId, id);
  if (!purchase) return null;
  return { purchase, lots: await accounts.listPurchaseLots(accountId, purchase.sourceId) };
});

export function titleOf({ store, purchaseDate }: Purchase): string {
  return store === null
    ? `Purchase of ${dayText(purchaseDate)}`
    : `${store}, ${dayText(purchaseDate)}`;
}

export function versionOfBought({ purchase, lots }: Bought): string {
  return versionOf([JSON.stringify([purchase, lots])]);
}

export const changedSince =
  'This purchase was changed since you opened it. Open it again, check it and repeat your change.';

export interface ShownLot {
  readonly lot: OwnLot;
  readonly item: ListedItem;
}

export async function withItems({ portfolio }: WebDeps, lots: readonly OwnLot[]) {
  const itemOf = await findListed(portfolio.market, lots);
  return lots.map((lot) => ({ lot, item: itemOf(lot) }));
}

/** The columns that say which lot a row is. */
export const namingColumns: readonly Column<ShownLot>[] = [
  mainColumn('Item', ({ lot, item }) => (
    <ItemCell kind={lot.kind} number={lot.number} name={item.title} href={`/lots/${lot.id}`} />
  )),
  column('Condition', ({ lot }) => stateText(lot)),
];

export const lotColumns: readonly Column<ShownLot>[] = [
  ...namingColumns,
  countColumn('Quantity', ({ lot }) => lot.quantity),
  countColumn('Sold', ({ lot }) => lot.sold),
  moneyColumn('Cost each', ({ lot }) => lot.priceCents),
  moneyColumn('Cost', ({ lot }) => lot.quantity * lot.priceCents),
];
