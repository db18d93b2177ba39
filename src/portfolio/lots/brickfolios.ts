/** Collections of an account, and totals of what they contain. */

import type { Month } from '../../kernel/time.ts';
import type { Grade } from '../../market/grades/grades.ts';
import type { Stake } from './holdings.ts';
import type { BrickfolioFacts } from './lots.ts';

export interface Brickfolio extends BrickfolioFacts {
  readonly id: number;
  readonly createdAt: number;
}

/** Why a collection cannot have the name of another one. */
export const takenName = 'You already have a collection with this name. Choose another one.';

/** Purchases of a month that are still held. */
export interface PurchaseMonth {
  readonly month: Month;
  readonly lots: number;
  readonly units: number;
  readonly costCents: number;
}

/** Everything an account holds, on one snapshot. */
export interface Holdings {
  readonly brickfolios: readonly Brickfolio[];
  /** By collection, set, condition and grade. */
  readonly stakes: readonly (Stake & {
    readonly brickfolioId: number;
    readonly grade: Grade | null;
  })[];
  /** Oldest first. */
  readonly purchases: readonly PurchaseMonth[];
}

/** The number of lots of a collection, including sold-out ones. */
export interface LotCount {
  readonly lots: number;
  /** Lots with sales. */
  readonly withSales: number;
}

/** The fate of the lots of a removed collection. */
export interface RemovalOptions {
  /** Move all lots, or remove those without sales and move the others. */
  readonly lots: 'move' | 'remove';
  /** The target collection. */
  readonly to: number | null;
  /** What the owner saw; with other lots in it, nothing is done. */
  readonly seen?: LotCount;
}
