/** What a `data_tier` says, in words. */
import type { DataTier } from './evidence.ts';

/** Tiers in words; valuation/engine/tier.ts has the rules. */
export const tierWords: Readonly<Record<DataTier, string>> = {
  high: 'many recent sales support the value',
  medium: 'some recent sales support the value',
  low: 'few or old sales support the value',
  modeled: 'mostly an estimate from similar items; sales are too few or too old',
};
