/** The earliest month that a batch affects in learned parameters. */
import { type Month, monthOf } from '../../kernel/time.ts';

/** Before all times. */
const always = Number.NEGATIVE_INFINITY;

export class EarliestChange {
  private at = Number.POSITIVE_INFINITY;

  /** A row at this time was added, changed or retracted. */
  add(at: number): void {
    this.at = Math.min(this.at, at);
  }

  /** Something changed that affects all months. */
  addAlways(): void {
    this.at = always;
  }

  /** Whether all months are affected. */
  isAlways(): boolean {
    return this.at === always;
  }

  /** 0, before all other months, if all are affected; null if none is. */
  month(): Month | null {
    if (this.at === Number.POSITIVE_INFINITY) return null;
    return this.isAlways() ? 0 : monthOf(this.at);
  }
}
