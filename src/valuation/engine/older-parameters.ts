/**
 * Parameters that an earlier engine learned and sealed, read as those of today: what was learned
 * stays, and what was not learned then is what is believed without learning.
 */
import { defaultMinifigPrior } from '../prior/minifig-prior.ts';
import type { Prior } from '../prior/prior.ts';
import { defaultSetPrior } from '../prior/set-prior.ts';
import { defaultUnpricedPrior } from '../prior/unpriced-prior.ts';
import { defaultMinifigRatio, defaultUsedRatio, type UsedRatio } from '../prior/used-ratio.ts';
import type { Parameters } from './parameters.ts';

/** Parameters as `brickmark-1` stored them; they did not say who made them. */
export interface Parameters1 extends Pick<Parameters, 'offsets' | 'ranges'> {
  readonly prior: { readonly set: Prior1; readonly minifig: Prior1 };
  readonly usedRatio: Omit<UsedRatio, 'perLaterYear'>;
  /** New over used, for minifigs of every age (logarithm). */
  readonly newMinifig: number;
}

interface Prior1 extends Omit<Prior, 'spreads'> {
  /** The deviation of the items that scatter least. */
  readonly spread: number;
}

/** What both lines of sets have in common, from the first term on. */
const setTermsKept = 8;

/** Parameters of `brickmark-1` as those of today. */
export function readParameters1(old: Parameters1): Parameters {
  const { offsets, ranges, newMinifig } = old;
  return {
    prior: {
      set: readPrior1(old.prior.set, defaultSetPrior, setTermsKept),
      unpricedSet: defaultUnpricedPrior,
      minifig: readPrior1(old.prior.minifig, defaultMinifigPrior),
    },
    usedRatio: {
      set: { ...old.usedRatio, perLaterYear: defaultUsedRatio.perLaterYear },
      minifig: { ...defaultMinifigRatio, base: -newMinifig, perYear: 0, perLaterYear: 0 },
    },
    offsets,
    ranges,
  };
}

function readPrior1(old: Prior1, start: Prior, kept = start.coefficients.length): Prior {
  const { themes, subthemes, examples } = old;
  const coefficients = start.coefficients.map((value, j) =>
    j < kept ? (old.coefficients[j] ?? value) : value,
  );
  const [, ...spreads] = start.spreads.coefficients;
  return {
    coefficients,
    themes,
    subthemes,
    spreads: { coefficients: [Math.log(old.spread), ...spreads], themes: {} },
    examples,
  };
}
