/** The top gainers and losers of 90 days. */
import type { MarketItem } from '../../market/lists/market-item.ts';
import type { Movers } from '../../market/lists/market-list.ts';
import { Card } from '../kit/card.tsx';
import { mainColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { ItemCell } from '../kit/item-picture.tsx';
import { changeColumn, valueColumn } from './market-view.tsx';

export function MoverLists(props: {
  readonly movers: Movers;
  /** Whether all are of one theme, which is then not shown. */
  readonly isOneTheme?: boolean;
}) {
  const { movers, isOneTheme = false } = props;
  const lists = [
    ['Top gainers, 90 days', movers.gainers],
    ['Top losers, 90 days', movers.losers],
  ] as const;
  const shown = lists.filter(([, items]) => items.length > 0);
  if (shown.length === 0) return null;
  return (
    <div class="grid halves brief">
      {shown.map(([title, items]) => (
        <Card key={title} title={title}>
          <DataTable label={title} rows={items} columns={columnsOf(isOneTheme)} />
        </Card>
      ))}
    </div>
  );
}

function columnsOf(isOneTheme: boolean): readonly Column<MarketItem>[] {
  const name = mainColumn<MarketItem>('Set', ({ kind, number, name, theme }) => (
    <ItemCell kind={kind} number={number} name={name} about={isOneTheme ? null : theme} />
  ));
  return [name, valueColumn('set'), changeColumn];
}
