/** What of a set is held, what it cost, and what it has gained. */

import { countText, moneyText } from '../../domain/kernel/format.ts';
import { averageCostCents, gainOf } from '../../domain/portfolio/holdings.ts';
import type { OwnLot } from '../../domain/portfolio/lot-store.ts';
import { withQuery } from '../kit/address.ts';
import { Card } from '../kit/card.tsx';
import { Figure, Figures } from '../kit/figure.tsx';
import { Delta, Money } from '../kit/money.tsx';
import type { History } from './item-history.tsx';

/** The units that are held; nothing where there are none. */
export function InventoryCard(props: {
  readonly number: string;
  readonly lots: readonly OwnLot[];
  readonly now: History['now'];
}) {
  const { number, lots, now } = props;
  if (lots.length === 0) return null;
  const held = lots.map(({ quantity, sold, priceCents, condition }) => ({
    units: quantity - sold,
    costCents: (quantity - sold) * priceCents,
    unitCents: now[condition].valueCents,
  }));
  const valued = held.filter(({ unitCents }) => unitCents !== null);
  const all = { units: sumOf(held, 'units'), costCents: sumOf(held, 'costCents') };
  const valueCents = valued.reduce((sum, each) => sum + each.units * (each.unitCents ?? 0), 0);
  const gain = valued.length === 0 ? null : gainOf(sumOf(valued, 'costCents'), valueCents);
  const unvalued = all.units - sumOf(valued, 'units');
  return (
    <Card
      title="In your inventory"
      actions={
        <span class="row">
          <a href={withQuery('/inventory', { q: number })}>View lots</a>
          <a href={withQuery('/sales/new', { set: number })}>Record sale</a>
        </span>
      }
    >
      <Figures>
        <Figure
          name="Units"
          value={countText(all.units)}
          note={unvalued > 0 && `${countText(unvalued)} not valued`}
        />
        <Figure
          name="Cost basis"
          value={moneyText(all.costCents)}
          note={
            lots.some(({ isEstimated }) => isEstimated)
              ? 'Estimated'
              : `${moneyText(averageCostCents(all))} average`
          }
        />
        <Figure name="Market value" value={<Money cents={gain?.valueCents ?? null} />} />
        <Figure
          name="Unrealized gain"
          value={<Delta cents={gain?.gainCents ?? null} missing="No value yet" />}
          note={gain && <Delta percent={gain.gainPct} />}
        />
      </Figures>
    </Card>
  );
}

function sumOf<Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}
