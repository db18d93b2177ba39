/** Makes checkpoints of a fold, and reads them. */

import type { Month } from '../../../kernel/time.ts';
import { type Condition, conditions } from '../../source-rows/source-rows.ts';
import { type Checkpoint, type CheckpointUse, EarlierRowsNeeded } from '../checkpoint.ts';
import { engineVersion } from './engine-version.ts';
import { InputHash } from './input-hash.ts';
import type { ParameterTimeline } from './parameter-timeline.ts';
import { StateReader, StateWriter } from './state-bytes.ts';

/** Must change whenever states are written in another way. */
const stateVersion = 3;

const versions = `${engineVersion} ${stateVersion} `;

/** Where a fold continues: what is known of the rows before, and its state after them. */
export interface Start extends RowsBefore {
  readonly at: number;
  /** A new reader of the state for each fold. */
  readState(): StateReader;
}

export interface RowsBefore {
  readonly rows: number;
  /** The month of the state; earlier months are past. */
  readonly month: Month;
  /** When the latest of the rows, retractions and rates arrived. */
  readonly learnedUntil: number;
  /** The first sale that counts, by condition. */
  readonly firstSaleAt: Readonly<Record<Condition, number | null>>;
}

/** The dependencies of a checkpoint besides rows. */
export interface CheckpointContext {
  readonly timeline: ParameterTimeline;
  addFacts(hash: InputHash): void;
}

/** Null to start from the first row. */
export function startOf(use: CheckpointUse | undefined, context: CheckpointContext): Start | null {
  const from = use?.from;
  if (!use || !from) return null;
  // The state of another version cannot be read.
  if (!from.key.startsWith(versions)) throw new EarlierRowsNeeded();
  const reader = new StateReader(from.state);
  const before = readRowsBefore(reader);
  if (from.key !== keyOf(use, context, before.month)) throw new EarlierRowsNeeded();
  return { ...before, at: from.at, readState: () => reader.copy() };
}

/** Collects the checkpoints of an item. */
export class CheckpointKeeper {
  readonly #kept = new Map<number, Checkpoint>();

  constructor(
    private readonly use: CheckpointUse,
    private readonly context: CheckpointContext,
  ) {}

  /** The first time after an instant at which a checkpoint is missing; infinity for none. */
  nextAfter(at: number): number {
    const next = this.use.times.find((time) => time > at && !this.#kept.has(time));
    return next ?? Number.POSITIVE_INFINITY;
  }

  keep(at: number, before: RowsBefore, writeState: (to: StateWriter) => void): void {
    if (before.rows < this.use.rowsMin) return;
    const to = new StateWriter();
    to.number(before.rows);
    to.number(before.month);
    to.number(before.learnedUntil);
    for (const condition of conditions) {
      to.optional(before.firstSaleAt[condition], (time) => to.number(time));
    }
    writeState(to);
    const key = keyOf(this.use, this.context, before.month);
    this.#kept.set(at, { at, key, state: to.bytes() });
  }

  list(): Checkpoint[] {
    return [...this.#kept.values()];
  }
}

function readRowsBefore(from: StateReader): RowsBefore {
  const [rows, month, learnedUntil] = [from.number(), from.number(), from.number()];
  const time = () => from.optional(() => from.number());
  return { rows, month, learnedUntil, firstSaleAt: { sealed: time(), used: time() } };
}

/** The engine, the facts, and the parameters of all months up to that of the state. */
function keyOf(
  { facts }: CheckpointUse,
  { timeline, addFacts }: CheckpointContext,
  month: Month,
): string {
  const hash = new InputHash();
  addFacts(hash);
  hash.addText(facts);
  return `${versions}${hash.value()} ${timeline.hashUntil(month)}`;
}
