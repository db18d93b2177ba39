/** How far back the changes of a batch reach that count for parameters. */
import { type Month, monthOf } from '../../../domain/kernel/time.ts';

/** Before every instant. */
const always = Number.NEGATIVE_INFINITY;

/** The earliest instant of which a batch changed rows. */
export class EarliestChange {
  private at = Number.POSITIVE_INFINITY;

  /** A row of this instant was added, changed or taken back. */
  add(at: number): void {
    if (at < this.at) this.at = at;
  }

  /** Something changed that counts for all months. */
  addAlways(): void {
    this.at = always;
  }

  /** Whether a change at an instant would reach further back than those before it. */
  isAfter(at: number): boolean {
    return this.at > at;
  }

  /** Whether all months are concerned already. */
  isAlways(): boolean {
    return this.at === always;
  }

  /** The month of it: 0, before all others, when all are concerned; null when none is. */
  month(): Month | null {
    if (this.at === Number.POSITIVE_INFINITY) return null;
    return this.isAlways() ? 0 : monthOf(this.at);
  }
}
