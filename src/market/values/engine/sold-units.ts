/** The units that were sold in the last 90 days, by channel, and by how many sellers. */
import { dayMs } from '../../../kernel/time.ts';
import type { SoldUnits } from '../../evidence/evidence.ts';
import type { Condition } from '../../source-rows/source-rows.ts';
import type { RowMark } from './admit.ts';
import type { ChannelName } from './parameters.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

const keptMs = 90 * dayMs;

type Sold = Pick<RowMark, 'at' | 'condition' | 'channel' | 'units'> & {
  /** Null if the source does not name it. */
  readonly seller: string | null;
};

export class RecentlySold {
  /** Nearly in order: a sale that was held back follows later ones. */
  #sold: Sold[] = [];

  add({ at, condition, channel, units, seller, source }: RowMark): void {
    this.#sold.push({ at, condition, channel, units, seller: source === null ? seller : null });
    const [first] = this.#sold;
    // Rarely, because most sales are much newer than the first.
    if (first && first.at < at - 2 * keptMs) this.#sold = this.#since(at - keptMs);
  }

  /** In a condition, in the 90 days before an instant. */
  unitsAt(condition: Condition, at: number): SoldUnits {
    const sold = this.#since(at - keptMs).filter((each) => each.condition === condition);
    const channels: Partial<Record<ChannelName, number>> = {};
    for (const { channel, units } of sold) channels[channel] = (channels[channel] ?? 0) + units;
    const { size } = new Set(sold.flatMap(({ seller }) => seller ?? []));
    return { channels, sellers: size === 0 && sold.length > 0 ? null : size };
  }

  #since(after: number): Sold[] {
    return this.#sold.filter(({ at }) => at > after);
  }

  write(to: StateWriter): void {
    to.list(this.#sold, ({ at, condition, channel, units, seller }) => {
      to.number(at);
      to.text(condition);
      to.text(channel);
      to.number(units);
      to.optional(seller, (name) => to.text(name));
    });
  }

  read(from: StateReader): void {
    this.#sold = from.list(() => ({
      at: from.number(),
      condition: from.text() as Condition,
      channel: from.text() as ChannelName,
      units: from.number(),
      seller: from.optional(() => from.text()),
    }));
  }
}
