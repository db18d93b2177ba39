/** The change of the collection since yesterday, and since the last visit. */

import { dayMs, dayOf, formatDay } from '../../../kernel/time.ts';
import type { DayChange } from '../../../portfolio/returns/daily-change.work.ts';
import { Card } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Figure, Figures } from '../../kit/figure.tsx';
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
      <Figures>
        <Figure
          name="Market value"
          value={<a href="/portfolio">{moneyText(total.valueCents)}</a>}
          note={`${nounText(total.itemCount, 'unit')} of ${nounText(total.distinctCount, 'item')}`}
        />
        {changes.map((each) => (
          <Change key={each.since} change={each} today={dayOf(request.at)} />
        ))}
        <Figure
          name="Unrealized gain"
          value={<Delta cents={total.gainCents} />}
          note="Since you bought"
        />
      </Figures>
    </Card>
  );
}

function Change({ change, today }: { readonly change: DayChange; readonly today: number }) {
  const { since, marketCents, marketPercent, tradeCents, beforeValuesCents } = change;
  const others = Object.entries({
    'from buying and selling': tradeCents,
    'from first values': beforeValuesCents,
  }).filter(([, cents]) => cents !== 0);
  const isYesterday = since === today - 1;
  return (
    <Figure
      name={isYesterday ? 'Since yesterday' : 'Since your last visit'}
      value={<Delta cents={marketCents} percent={marketPercent} missing="Purchase dates unknown" />}
      note={
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
      }
    />
  );
}
