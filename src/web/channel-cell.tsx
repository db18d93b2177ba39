/** A way to sell in a table, and what is remarkable about it. */
import { channelName, type SellingChannel } from '../domain/buying/channels.ts';

/** The name of a channel, whether it is the best, and whether its price is assumed. */
export function ChannelCell(props: {
  readonly channel: SellingChannel;
  readonly isAssumed: boolean;
  readonly isBest?: boolean;
}) {
  const { channel, isAssumed, isBest = false } = props;
  return (
    <span>
      {channelName(channel)}
      {isBest && <span class="badge">best</span>}
      {isAssumed && <span class="badge">assumed price</span>}
    </span>
  );
}

/** What an assumed price is. */
export function AssumedNote() {
  return (
    <p class="quiet">
      Assumed price: no sales are known from this channel, so its price comes from the others.
    </p>
  );
}
