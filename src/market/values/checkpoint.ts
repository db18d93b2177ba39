/**
 * Checkpoints: the state of an item's valuation after its rows up to a time, so that a new sale
 * needs only the rows since. A checkpoint never decides a value: without it, or if it cannot be
 * used, the item is valued from its first row, with the same result.
 */
import { dayMs, dayOf } from '../../kernel/time.ts';
import { tierGraceMs } from './tiers.ts';

export interface Checkpoint {
  /** Rows sold before this time are part of the state. */
  readonly at: number;
  /** Everything else that the state depends on: engine, parameters and facts. */
  readonly key: string;
  /** Only the engine that created it can read it. */
  readonly state: Uint8Array;
}

export interface CheckpointUse {
  /** The item's sales are those since this one; null: all sales. */
  readonly from: Checkpoint | null;
  /** When to make checkpoints, in order. */
  readonly times: readonly number[];
  /** Items with fewer rows have none. */
  readonly rowsMin: number;
  /** Facts that the results before a checkpoint depend on, other than those of the valuation. */
  readonly facts: string;
}

/** Items with fewer rows are valued from the first row, which takes a few milliseconds. */
export const checkpointRowsMin = 500;

/** Besides the latest, the last two of these many days, for rows that arrive late. */
const stepsInDays = [28, 182];

/**
 * When the checkpoints of an item that is published at a time are, in order. Tiers depend on the
 * value at the start of their grace period, so none is later than that.
 */
export function checkpointTimes(at: number): number[] {
  const latest = dayOf(at - tierGraceMs);
  const earlier = stepsInDays.flatMap((step) => {
    const last = latest - (latest % step);
    return [last, last - step];
  });
  return [...new Set([latest, ...earlier])].sort((a, b) => a - b).map((day) => day * dayMs);
}

/** Thrown if a result depends on rows before the checkpoint that was given. */
export class EarlierRowsNeeded extends Error {
  override readonly name = 'EarlierRowsNeeded';
}
