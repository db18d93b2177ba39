/** Watched sets whose price fell. */

import type { RetailRow } from '../../../contract/retail.ts';
import { dayMs, dayOf, formatDay, parseInstant } from '../../../kernel/time.ts';
import { retailers } from '../../../market/source-rows/source-rows.ts';
import { Card } from '../../kit/card.tsx';
import { Lines, mainColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { dayText, gainText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Money } from '../../kit/money.tsx';
import type { OwnRequest, SiteFacts, WebDeps } from '../../page.ts';

const fallenDays = 7;
const fallenShown = 5;

/** Changed sets that are looked at, latest first: some prices rose. */
const changedMax = 50;

export async function readFallen({ accounts, portfolio }: WebDeps, { who, at }: OwnRequest) {
  const { set } = await accounts.listWatchedKeys(who.accountId);
  if (set.length === 0) return { isWatching: false, prices: [] };
  const since = (dayOf(at) - fallenDays) * dayMs;
  const latest = { since, limit: changedMax };
  const rows = await portfolio.market.listLatestRetail(set, latest);
  const prices = rows
    .flatMap(({ body }) => fallenOf(JSON.parse(body), since))
    .sort((a, b) => b.changedAt - a.changedAt);
  return { isWatching: true, prices: prices.slice(0, fallenShown) };
}

function fallenOf(row: RetailRow, since: number) {
  return retailers.flatMap((retailer) => {
    const { changedAt, lastChange, price, inStock, atLowest } = row[retailer];
    const changed = changedAt === null ? null : parseInstant(changedAt);
    if (changed === null || changed < since || lastChange === null || lastChange >= 0) return [];
    if (price === null || inStock === false) return [];
    return {
      number: row.setNumber,
      title: row.name,
      retailer,
      priceCents: Math.round(price * 100),
      changeCents: Math.round(lastChange * 100),
      changedAt: changed,
      isAtLowest: atLowest,
    };
  });
}

export function FallenPrices(props: {
  readonly fallen: Awaited<ReturnType<typeof readFallen>>;
  readonly names: SiteFacts['retailerNames'];
}) {
  const { fallen, names } = props;
  const columns: readonly Column<ReturnType<typeof fallenOf>[number]>[] = [
    mainColumn('Set', ({ number, title, retailer, isAtLowest }) => (
      <ItemCell
        kind="set"
        number={number}
        name={title}
        about={`${names[retailer]}${isAtLowest ? ', all-time low' : ''}`}
      />
    )),
    numberColumn('Price', ({ priceCents, changeCents, changedAt }) => (
      <Lines
        first={<Money cents={priceCents} />}
        second={`${gainText(changeCents)}, ${dayText(formatDay(changedAt))}`}
      />
    )),
  ];
  return (
    <Card title="Watched prices that fell" actions={<a href="/watchlist">Watchlist</a>}>
      {fallen.prices.length > 0 ? (
        <DataTable label="Watched prices that fell" columns={columns} rows={fallen.prices} />
      ) : (
        <p class="quiet flush">
          {fallen.isWatching
            ? `No price on your watchlist fell in the last ${fallenDays} days.`
            : 'Add sets to your watchlist to see here when their price falls.'}
        </p>
      )}
    </Card>
  );
}
