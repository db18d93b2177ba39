/** Lots for sale whose asking price has fallen behind the market. */

import { isBehindMarket } from '../../../buying/prices/asking-price.ts';
import { percentOf } from '../../../kernel/money.ts';
import { everyLot } from '../../../portfolio/lots/inventory.ts';
import { inventoryOf } from '../../../portfolio/lots/inventory.work.ts';
import { Card } from '../../kit/card.tsx';
import { Lines, mainColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { decimalText, moneyText, nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Money } from '../../kit/money.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { lotsListedMax } from '../inventory/bulk-edit.tsx';
import { allLots, changedView, viewPath } from '../inventory/inventory-view.tsx';

const behindShown = 5;

type BehindLot = Awaited<ReturnType<typeof readBehind>>[number];

/** Those furthest behind first. An estimated value is no market price. */
export async function readBehind({ accounts, portfolio }: WebDeps, { who, at }: OwnRequest) {
  const lots = await accounts.listAsked(who.accountId, lotsListedMax);
  const { order } = allLots;
  const question = { filter: everyLot, order, brickfolios: [], ownFields: [], at };
  const { rows } = await inventoryOf(portfolio, lots, question);
  const behind = rows.flatMap(({ lot, item, unitCents, tier }) => {
    const { askingCents } = lot;
    if (askingCents === null || unitCents === null || tier === 'modeled') return [];
    if (!isBehindMarket(askingCents, unitCents)) return [];
    const belowPercent = percentOf(unitCents - askingCents, unitCents);
    return [{ lot, item, askingCents, valueCents: unitCents, belowPercent }];
  });
  return behind.sort((a, b) => b.belowPercent - a.belowPercent);
}

/** Nothing if there are none. */
export function BehindCard({ behind }: { readonly behind: readonly BehindLot[] }) {
  if (behind.length === 0) return null;
  const ids = behind.map(({ lot }) => lot.id).join(',');
  const view = changedView(allLots, { filter: { status: 'listed' } });
  return (
    <Card
      title="Priced below market"
      class="brief"
      actions={
        <a href={viewPath(view, { lots: ids }, '/inventory/asking')}>
          {`Change ${nounText(behind.length, 'price')}`}
        </a>
      }
    >
      <DataTable
        label="Priced below market"
        columns={columns}
        rows={behind.slice(0, behindShown)}
      />
    </Card>
  );
}

const columns: readonly Column<BehindLot>[] = [
  mainColumn('Lot', ({ lot, item, belowPercent }) => (
    <ItemCell
      kind={lot.kind}
      number={item.number}
      name={item.title}
      href={`/lots/${lot.id}`}
      about={`${decimalText(belowPercent, 1)}% below value`}
    />
  )),
  numberColumn('Asking', ({ askingCents, valueCents }) => (
    <Lines first={<Money cents={askingCents} />} second={`value ${moneyText(valueCents)}`} />
  )),
];
