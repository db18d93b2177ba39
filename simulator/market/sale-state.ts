/** Conditions of sold items, including mislabeled ones. */

import type { ItemKind } from '../../src/catalog/items/numbers.ts';
import type { Completeness, Condition } from '../../src/market/source-rows/source-rows.ts';
import type { Random } from './random.ts';

/** With its effect on the price (log). */
export interface SaleState {
  readonly log: number;
  readonly completeness: Completeness | null;
}

/** Shares of odd sales; usually about 4% in total. */
const oddShare = { incomplete: 0.025, bundle: 0.01, usedSoldAsNew: 0.005 };

export interface StateOptions {
  readonly kind: ItemKind;
  readonly condition: Condition;
  readonly oddTimes: number;
}

export function drawState(random: Random, options: StateOptions): SaleState {
  return oddState(random, options) ?? ordinaryState(random, options);
}

/** Null for ordinary sales. */
function oddState(random: Random, { condition, oddTimes }: StateOptions): SaleState | null {
  let left = random.fraction();
  left -= oddShare.incomplete * oddTimes;
  if (left < 0) {
    const log = Math.log(random.between(0.2, 0.6));
    return { log, completeness: random.chance(0.4) ? 'incomplete' : null };
  }
  left -= oddShare.bundle * oddTimes;
  if (left < 0) return { log: Math.log(random.between(1.5, 3)), completeness: null };
  left -= oddShare.usedSoldAsNew * oddTimes;
  return left < 0 && condition === 'sealed' ? { log: Math.log(0.64), completeness: null } : null;
}

function ordinaryState(random: Random, { kind, condition }: StateOptions): SaleState {
  if (kind === 'minifig') return { log: 0, completeness: null };
  return random.pickWeighted(condition === 'sealed' ? sealedStates : usedStates);
}

const sealedStates: readonly (SaleState & { weight: number })[] = [
  { weight: 70, log: 0, completeness: null },
  { weight: 26, log: 0, completeness: 'complete' },
  { weight: 4, log: -0.1, completeness: 'damaged_box' },
];

const usedStates: readonly (SaleState & { weight: number })[] = [
  { weight: 55, log: 0, completeness: 'complete' },
  { weight: 20, log: -0.05, completeness: 'no_box' },
  { weight: 8, log: -0.05, completeness: 'no_instructions' },
  { weight: 9, log: 0, completeness: 'unknown' },
  { weight: 8, log: 0, completeness: null },
];
