/** How fast an item sells, next to its value. */
import type { ItemEvidence } from '../../market/evidence/evidence.ts';
import type { Channel, Condition } from '../../market/source-rows/source-rows.ts';
import { type Liquidity, liquidityOf, sellThroughOf } from '../../market/values/liquidity.ts';
import type { Figure } from '../kit/card.tsx';
import { decimalText, nounText } from '../kit/format.ts';

const channelNames: Readonly<Record<Channel, string>> = {
  fixed: 'eBay',
  auction: 'Auctions',
  bricklink: 'BrickLink',
  amazon: 'Amazon',
  other: 'Other channels',
};

/** Nothing without a value. */
export function liquidityFigures(
  found: ItemEvidence | null,
  condition: Condition,
  at: number,
): readonly (Figure | null)[] {
  const liquidity = found?.evidence && liquidityOf(found.evidence, condition, at);
  if (!liquidity) return [];
  const { sellThrough, perMonth, sellers, channels } = liquidity;
  const byChannel = channels.flatMap(({ channel, ...counts }) => {
    const percent = sellThroughOf(counts);
    return percent === null ? [] : [`${channelNames[channel]} ${sellThroughText(percent)}`];
  });
  return [
    [
      'Sell-through, 90 days',
      sellThrough === null ? unknownText(channels) : sellThroughText(sellThrough),
      channels.length === 0 ? 'Units for sale not known' : byChannel.join(' · '),
    ],
    [
      'Sold per month',
      decimalText(perMonth, 1),
      sellers === null ? 'Sellers not named' : nounText(sellers, 'named seller'),
    ],
  ];
}

function unknownText(channels: Liquidity['channels']): string {
  return channels.length === 0 ? 'Not known' : 'Too few units';
}

export function sellThroughText(percent: number): string {
  return `${decimalText(percent, percent < 10 ? 1 : 0)}%`;
}
