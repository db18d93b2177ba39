/** Counts the outcomes of an item's rows. */

import { compareText } from '../../domain/catalog/numbers.ts';
import { formatMonth, monthOf } from '../../domain/kernel/time.ts';
import {
  type OutcomeCount,
  type RowOutcomeName,
  rowOutcomes,
} from '../../domain/market/evidence.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import { isRejection, type Row } from './admit.ts';
import type { ChannelName } from './parameters.ts';

/** Outcomes, channels, and months with level shifts or alarms. */
export class Tally {
  readonly channels = new Map<ChannelName, number>();
  readonly moves: { month: string; why: 'drift' | 'level' }[] = [];
  retailWeeks = 0;
  readonly #counts: Readonly<Record<Condition, Map<string | null, number>>> = {
    sealed: new Map(),
    used: new Map(),
  };

  reject(row: Row, reason: string): void {
    this.#add(row, reason, 1);
  }

  accept(row: Row, reason: string | null): void {
    this.#add(row, reason, 1);
    this.channels.set(row.channel, (this.channels.get(row.channel) ?? 0) + 1);
  }

  quarantine(row: Row): void {
    this.#add(row, quarantineReason, 1);
  }

  /** A quarantined sale was confirmed. */
  release(row: Row): void {
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

  #add({ condition }: Row, reason: string | null, by: number): void {
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
