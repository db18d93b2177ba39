/** The change of the collection since yesterday, and since the last visit. */

import { dayMs, dayOf, formatDay } from '../../../kernel/time.ts';
import type { DayChange } from '../../../portfolio/returns/daily-change.work.ts';
import { Card, EmptyState } from '../../kit/card.tsx';
import { type Figure, Figures } from '../../kit/facts.tsx';
import { dayText, moneyText, nounText } from '../../kit/format.ts';
import { Delta } from '../../kit/money.tsx';
import type { OwnRequest } from '../../page.ts';
import type { Portfolio } from '../portfolio/portfolio-figures.ts';

export function Collection(props: {
  readonly portfolio: Portfolio | null;
  readonly request: OwnRequest;
}) {
  const { portfolio, request } = props;
  if (!portfolio?.hasLots) {
    return (
      <EmptyState
        title="Your collection is empty"
        actions={[
          ['/inventory/add', 'Add a set or minifig'],
          ['/inventory/import', 'Import a file'],
        ]}
      >
        With the sets and minifigs you own, you see here every day what they did.
      </EmptyState>
    );
  }
  const { total, changes } = portfolio;
  return (
    <Card title="Your collection" actions={<a href="/portfolio?range=7d">Portfolio</a>}>
      <Figures
        figures={[
          [
            'Market value',
            <a href="/portfolio">{moneyText(total.valueCents)}</a>,
            `${nounText(total.itemCount, 'unit')} of ${nounText(total.distinctCount, 'item')}`,
          ],
          ...changes.map((each) => changeFigure(each, dayOf(request.at))),
          ['Unrealized gain', <Delta cents={total.gainCents} />, 'Since you bought'],
        ]}
      />
    </Card>
  );
}

function changeFigure(change: DayChange, today: number): Figure {
  const { since, marketCents, marketPercent, tradeCents, beforeValuesCents } = change;
  const others = Object.entries({
    'from buying and selling': tradeCents,
    'from first values': beforeValuesCents,
  }).filter(([, cents]) => cents !== 0);
  const isYesterday = since === today - 1;
  const note = (
    <>
      {!isYesterday && `${dayText(formatDay(since * dayMs))}. `}
      {others.length === 0
        ? 'Market only'
        : others.map(([name, cents]) => (
            <div key={name}>
              <Delta cents={cents} /> {name}
            </div>
          ))}
    </>
  );
  const unknown = 'Purchase dates unknown';
  const gain = <Delta cents={marketCents} percent={marketPercent} missing={unknown} />;
  return [isYesterday ? 'Since yesterday' : 'Since your last visit', gain, note];
}
