/** Lots that are listed for longer than they should take. */

import type { SlowListing } from '../../../portfolio/sales/slow-listings.work.ts';
import { Card } from '../../kit/card.tsx';
import { Lines, mainColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { moneyText, nounText, waitText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Money } from '../../kit/money.tsx';

export const listingsShown = 5;

const columns: readonly Column<SlowListing>[] = [
  mainColumn('Lot', ({ lot, number, title, daysListed, waitDays }) => (
    <ItemCell
      kind={lot.kind}
      number={number}
      name={title}
      href={`/lots/${lot.id}`}
      about={`listed ${nounText(daysListed, 'day')}, half sell within ${waitText(waitDays)}`}
    />
  )),
  numberColumn('Asking', ({ lot, valueCents }) => (
    <Lines
      first={<Money cents={lot.askingCents} missing="No asking price" />}
      second={`value ${moneyText(valueCents)}`}
    />
  )),
];

export function ListingsCard({ rows }: { readonly rows: readonly SlowListing[] }) {
  return (
    <Card title="Listed for too long" actions={<a href="/inventory?status=listed">Listed lots</a>}>
      {rows.length > 0 ? (
        <DataTable label="Listed for too long" columns={columns} rows={rows} />
      ) : (
        <p class="quiet flush">
          Nothing. When you list a lot, enter the date: if it takes more than twice the usual time
          to sell, it shows up here.
        </p>
      )}
    </Card>
  );
}
