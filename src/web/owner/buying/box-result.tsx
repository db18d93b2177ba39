/** The result of evaluating a box: the bid, the value, the time to sell, and the channels. */

import { mostShare } from '../../../buying/boxes/box-wait.ts';
import type { EvaluatedBox } from '../../../buying/boxes/evaluate.work.ts';
import type { EvaluatedRows } from '../../../buying/boxes/evaluate-rows.work.ts';
import type { BuyTerms } from '../../../buying/boxes/quotes.ts';
import { sellingChannelName } from '../../../buying/prices/selling-channels.ts';
import { percentOf } from '../../../kernel/money.ts';
import {
  AssumedNote,
  LosingNote,
  SellingChannelCell,
  splitByNet,
} from '../../catalog/selling-channel-cell.tsx';
import { Card, type Figure, Figures } from '../../kit/card.tsx';
import { mainColumn, moneyColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import {
  chanceText,
  countText,
  moneyText,
  nounText,
  percentText,
  waitText,
} from '../../kit/format.ts';
import { Delta, Money } from '../../kit/money.tsx';

interface BoxResult extends Omit<EvaluatedRows, 'rows'> {
  readonly costCents: number | null;
  readonly terms: BuyTerms;
}

export function Summary(result: BoxResult) {
  const { box, costCents, maxBidCents } = result;
  const { range, profitCents } = box;
  return (
    <Card>
      <div class="quiet small">Bid up to</div>
      <div class="hero-value">
        <Money cents={maxBidCents} />
      </div>
      <p class="quiet">{bidWords(result)}</p>
      <Figures
        figures={[
          costCents !== null &&
            profitCents !== null && [
              'Profit',
              <Delta cents={profitCents} />,
              profitText(profitCents, costCents),
            ],
          [
            'Market value',
            <Money cents={box.unitsValued === 0 ? null : box.sumOfValuesCents} />,
            `${countText(box.unitsValued)} of ${nounText(box.units, 'unit')} valued`,
          ],
          range && [
            'Likely total, before fees',
            `${moneyText(range.lowCents)} – ${moneyText(range.highCents)}`,
            totalText(box.unitsValued, range.medianCents),
          ],
          sellingTime(box),
        ]}
      />
    </Card>
  );
}

/** The total of one unit is the range of its value today. */
function totalText(units: number, medianCents: number): string {
  const growth = units > 1 ? ', including growth until the sale' : '';
  return `80% of similar boxes${growth}; median ${moneyText(medianCents)}`;
}

/** A higher ROI, in percent, is not shown. */
const roiMax = 1_000;

function profitText(profitCents: number, costCents: number): string {
  const sum = `Median net ${moneyText(profitCents + costCents)} less cost ${moneyText(costCents)}`;
  const roi = costCents === 0 ? null : percentOf(profitCents, costCents);
  return roi === null || roi > roiMax ? sum : `${sum}; ROI ${percentText(roi)}`;
}

/** Boxes that take longer to sell get a warning. */
const waitDaysMax = 365;

/** How long it takes until most of the value is sold, and until everything is. */
function sellingTime({ items, mostSoldDays, unitsSold }: EvaluatedBox): Figure | null {
  const [slowest] = items.toSorted((a, b) => (b.mostSoldDays ?? 0) - (a.mostSoldDays ?? 0));
  if (!slowest || unitsSold === 0) return null;
  const name = `${Math.round(mostShare * 100)}% of the value sold in`;
  if (mostSoldDays === null) return [name, 'Unknown', 'How often most of it sells is unknown'];
  const { number, title, quantity } = slowest;
  const note = (
    <>
      Slowest: {countText(quantity)} × {title} {number},{' '}
      {aboutText(slowest.mostSoldDays ?? 0, 'about')}.
      {mostSoldDays > waitDaysMax && (
        <span class="warning"> More than a year. Consider a lower bid.</span>
      )}
    </>
  );
  return [name, aboutText(mostSoldDays), note];
}

/** About 5 months, or Over 5 years. */
function aboutText(days: number, about = 'About'): string {
  const text = waitText(days);
  if (!text.startsWith('over')) return `${about} ${text}`;
  return about === 'About' ? `Over${text.slice(4)}` : text;
}

function bidWords(result: BoxResult): string {
  const { ownMaxCents } = result;
  if (ownMaxCents === 0) return computedWords(result);
  return `${moneyText(ownMaxCents)} of it is the max that you entered. ${computedWords(result)}`;
}

function computedWords({ box, terms }: BoxResult): string {
  const { best, unitsValued, unitsBidOn } = box;
  if (unitsValued === 0) return 'No bid: nothing in the box has a value.';
  if (unitsBidOn === 0) return 'No bid: all values are estimated, with too few sales behind them.';
  if (best === null) return 'No bid: no channel has known prices yet.';
  if (best.maxBidCents === null) return 'No bid: fees and shipping take too much of it.';
  const modeled = leftOut(unitsValued - unitsBidOn, 'too few sales support their value');
  const unsold = leftOut(unitsBidOn - box.unitsSold, 'fees and shipping take all of their price');
  const margin = `${terms.marginBasisPoints / 100}%`;
  const channel = sellingChannelName(best.channel);
  const chance = chanceText(terms.share);
  const bid = `Gives you ${chance} to keep your ${margin} margin, sold on ${channel}.`;
  return `${bid}${modeled}${unsold}`;
}

function leftOut(units: number, why: string): string {
  return units === 0 ? '' : ` Not counted: ${nounText(units, 'unit')}, because ${why}.`;
}

export function ChannelComparison({ box, terms }: BoxResult) {
  if (box.quotes.length === 0) return null;
  // Assumed prices come last.
  const { kept, losing } = splitByNet(box.quotes, ({ netCents }) => netCents);
  const quotes = kept.toSorted(
    (a, b) => Number(a.isAssumed) - Number(b.isAssumed) || b.netCents - a.netCents,
  );
  const columns: readonly Column<EvaluatedBox['quotes'][number]>[] = [
    mainColumn('Channel', ({ channel, isAssumed, maxBidCents }) => (
      <SellingChannelCell
        channel={channel}
        isAssumed={isAssumed}
        isBest={channel === box.best?.channel && maxBidCents !== null}
      />
    )),
    moneyColumn(`Net at ${chanceText(terms.share)}`, ({ netCents }) => netCents),
    moneyColumn('Max bid', ({ maxBidCents }) => maxBidCents, { missing: 'Fees take too much' }),
  ];
  return (
    <Card title="Where to sell it">
      <DataTable label="Channels" columns={columns} rows={quotes} />
      <LosingNote losing={losing} />
      {quotes.some(({ isAssumed }) => isAssumed) && <AssumedNote isBox />}
    </Card>
  );
}
