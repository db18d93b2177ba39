/** Explanations of the data tiers. */
import type { DataTier } from '../evidence/evidence.ts';

/** The rules are in `tiers.ts` and market/values/engine/tier.ts. */
export const tierWords: Readonly<Record<DataTier, string>> = {
  high: 'many recent sales support the value',
  medium: 'some recent sales support the value',
  low: 'few or old sales support the value',
  modeled: 'mostly an estimate from similar items; sales are too few or too old',
};
