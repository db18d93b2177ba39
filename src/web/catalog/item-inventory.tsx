/** The units of an item in the user's inventory, with cost basis and gain. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { type GradeEffects, gradedCents, gradeShare } from '../../market/grades/grades.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { averageCostCents, totalOf } from '../../portfolio/lots/holdings.ts';
import type { OwnLot } from '../../portfolio/lots/lots.ts';
import { withQuery } from '../kit/address.ts';
import { Card, Figures } from '../kit/card.tsx';
import { countText, moneyText, nounText } from '../kit/format.ts';
import { Delta, Money } from '../kit/money.tsx';
import type { Worth } from './item-worth.ts';

export function InventoryCard(props: {
  readonly kind: ItemKind;
  readonly number: string;
  readonly lots: readonly OwnLot[];
  readonly now: Readonly<Record<Condition, Pick<Worth, 'valueCents'>>>;
  readonly effects: GradeEffects;
}) {
  const { kind, number, lots, now, effects } = props;
  if (lots.length === 0) return null;
  const stakes = lots.map(({ key, condition, grade, quantity, sold, priceCents }) => ({
    kind,
    key,
    condition,
    units: quantity - sold,
    costCents: (quantity - sold) * priceCents,
    unitCents: gradedCents(now[condition].valueCents, gradeShare(grade, effects)),
  }));
  const total = totalOf(stakes);
  const unvalued = stakes.reduce(
    (sum, { units, unitCents }) => sum + (unitCents === null ? units : 0),
    0,
  );
  const hasValue = unvalued < total.itemCount;
  return (
    <Card
      title="In your inventory"
      actions={
        <span class="row">
          <a href={withQuery('/inventory', { q: number })}>View lots</a>
          <a href={withQuery('/sales/new', { [kind]: number })}>Record sale</a>
        </span>
      }
    >
      <Figures
        figures={[
          ['Units', countText(total.itemCount)],
          [
            'Cost basis',
            moneyText(total.costCents),
            lots.some(({ isEstimated }) => isEstimated)
              ? 'Estimated'
              : `${moneyText(averageCostCents({ ...total, units: total.itemCount }))} average`,
          ],
          [
            'Market value',
            <Money cents={hasValue ? total.valueCents : null} />,
            hasValue &&
              unvalued > 0 &&
              `${nounText(unvalued, 'unit')} without a value, counted at cost`,
          ],
          [
            'Unrealized gain',
            <Delta cents={hasValue ? total.gainCents : null} missing="No value yet" />,
            hasValue && total.costCents > 0 && <Delta percent={total.gainPct} />,
          ],
        ]}
      />
    </Card>
  );
}
