/** Counts the outcomes of an item's rows. */

import { compareText } from '../../../catalog/items/numbers.ts';
import { formatMonth, monthOf } from '../../../kernel/time.ts';
import { type OutcomeCount, type RowOutcomeName, rowOutcomes } from '../../evidence/evidence.ts';
import { type Condition, conditions } from '../../source-rows/source-rows.ts';
import { isRejection, type RowMark } from './admit.ts';
import type { ChannelName } from './parameters.ts';
import { RecentlySold } from './sold-units.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** Outcomes, channels, and months with level shifts or alarms. */
export class Tally {
  readonly channels = new Map<ChannelName, number>();
  readonly sold = new RecentlySold();
  readonly moves: { month: string; why: 'drift' | 'level' }[] = [];
  retailWeeks = 0;
  readonly #counts: Readonly<Record<Condition, Map<string | null, number>>> = {
    sealed: new Map(),
    used: new Map(),
  };

  reject(row: RowMark, reason: string): void {
    this.#add(row, reason, 1);
  }

  accept(row: RowMark, reason: string | null): void {
    this.#add(row, reason, 1);
    this.channels.set(row.channel, (this.channels.get(row.channel) ?? 0) + 1);
    this.sold.add(row);
  }

  quarantine(row: RowMark): void {
    this.#add(row, quarantineReason, 1);
  }

  /** A quarantined sale was confirmed. */
  release(row: RowMark): void {
    this.#add(row, quarantineReason, -1);
  }

  move(at: number, why: 'drift' | 'level'): void {
    this.moves.push({ month: formatMonth(monthOf(at)), why });
    if (this.moves.length > movesMax) this.moves.shift();
  }

  /** Sorted by condition, outcome and reason. */
  outcomes(): OutcomeCount[] {
    return conditions.flatMap((condition) =>
      [...this.#counts[condition]]
        .filter(([, count]) => count > 0)
        .map(([reason, count]) => ({ condition, outcome: outcomeOf(reason), reason, count }))
        .sort((a, b) => byOutcome(a, b) || compareText(a.reason ?? '', b.reason ?? '')),
    );
  }

  write(to: StateWriter): void {
    to.number(this.retailWeeks);
    this.sold.write(to);
    to.list([...this.channels], ([channel, sales]) => {
      to.text(channel);
      to.number(sales);
    });
    to.list(this.moves, ({ month, why }) => {
      to.text(month);
      to.text(why);
    });
    for (const condition of conditions) {
      to.list([...this.#counts[condition]], ([reason, count]) => {
        to.optional(reason, (text) => to.text(text));
        to.number(count);
      });
    }
  }

  read(from: StateReader): void {
    this.retailWeeks = from.number();
    this.sold.read(from);
    from.list(() => this.channels.set(from.text() as ChannelName, from.number()));
    from.list(() => this.moves.push({ month: from.text(), why: from.text() as 'drift' | 'level' }));
    for (const condition of conditions) {
      const counts = this.#counts[condition];
      from.list(() =>
        counts.set(
          from.optional(() => from.text()),
          from.number(),
        ),
      );
    }
  }

  #add({ condition }: RowMark, reason: string | null, by: number): void {
    const counts = this.#counts[condition];
    counts.set(reason, (counts.get(reason) ?? 0) + by);
  }
}

/** Only the latest are kept. */
const movesMax = 24;

const quarantineReason = 'does_not_fit';

function outcomeOf(reason: string | null): RowOutcomeName {
  if (reason === null) return 'accepted';
  if (reason === quarantineReason) return 'quarantined';
  return isRejection(reason) ? 'rejected' : 'down_weighted';
}

function byOutcome(a: OutcomeCount, b: OutcomeCount): number {
  return rowOutcomes.indexOf(a.outcome) - rowOutcomes.indexOf(b.outcome);
}
