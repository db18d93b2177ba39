/** Selling channels in tables, and the notes below them. */

import { isAtAmazon } from '../../buying/prices/resale.ts';
import { type SellingChannel, sellingChannelName } from '../../buying/prices/selling-channels.ts';
import type { Wait } from '../../buying/prices/your-wait.ts';
import { leftOutOf, leftOutTexts } from '../../market/fees/left-out-fees.ts';
import { Badge } from '../kit/card.tsx';
import { Lines } from '../kit/columns.tsx';
import { inDollars, moneyText, nounText, waitText } from '../kit/format.ts';
import { Missing } from '../kit/money.tsx';

export function SellingChannelCell(props: {
  readonly channel: SellingChannel;
  readonly isAssumed: boolean;
  readonly isBest?: boolean;
}) {
  const { channel, isAssumed, isBest = false } = props;
  return (
    <span>
      {sellingChannelName(channel)} {isBest && <Badge>Best</Badge>}
      {isAssumed && <Badge>Assumed price</Badge>}
    </span>
  );
}

/** Median time until your unit sells, and how many others are for sale. */
export function WaitCell({ wait }: { readonly wait: Wait | null }) {
  if (wait === null) return <Missing reason="Unknown" />;
  return <Lines first={waitText(wait.days)} second={queueText(wait)} />;
}

export function queueText({ rivals, isAssumed }: Wait): string {
  if (rivals === null) return 'Competition assumed';
  const others = rivals === 0 ? 'No others' : nounText(rivals, 'other');
  return `${others} for sale${isAssumed ? ', demand assumed' : ''}`;
}

export function AssumedNote({ isBox = false }: { readonly isBox?: boolean }) {
  const unknown = 'no sales are recorded on this channel, so prices of other channels are used.';
  return (
    <p class="quiet">
      Assumed price: {isBox && 'for at least one item, '}
      {unknown}
    </p>
  );
}

export function AmazonAskNote(props: {
  /** Amazon's own price; null if it does not sell the item. */
  readonly askCents: number | null;
  readonly prices: readonly { readonly channel: SellingChannel; readonly priceCents: number }[];
}) {
  const { askCents, prices } = props;
  const isReason = prices.some((each) => isAtAmazon(each.channel) && each.priceCents === askCents);
  if (!isReason) return null;
  return (
    <p class="quiet">
      {`Amazon itself sells this set for ${moneyText(askCents)} now, which caps the prices for ` +
        'Amazon and Amazon FBA.'}
    </p>
  );
}

/** Splits off the channels in which fees and shipping take the whole price. */
export function splitByNet<Row extends { readonly channel: SellingChannel }>(
  rows: readonly Row[],
  netOf: (row: Row) => number | null,
) {
  const losing = rows.filter((row) => (netOf(row) ?? 1) <= 0);
  return { kept: rows.filter((row) => !losing.includes(row)), losing };
}

/** Names the channels that are not listed, because nothing would be left of the price. */
export function LosingNote(props: {
  readonly losing: readonly { readonly channel: SellingChannel }[];
}) {
  const names = props.losing.map(({ channel }) => sellingChannelName(channel));
  if (names.length === 0) return null;
  const noun = names.length === 1 ? 'Not a channel' : 'Not channels';
  return (
    <p class="quiet">
      {noun} at this price: {names.join(', ')}. Fees and shipping would take all of it.
    </p>
  );
}

export function LeftOutNote({ channels }: { readonly channels: readonly SellingChannel[] }) {
  const left = new Set(channels.flatMap(leftOutOf));
  return (
    <>
      {[...left].map((fee) => (
        <p key={fee} class="quiet">
          {inDollars(leftOutTexts[fee])}
        </p>
      ))}
    </>
  );
}
