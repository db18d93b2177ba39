/** How sure a value is, as a dot that fills up. */
import type { DataTier } from '../../domain/market/evidence.ts';

/** What each tier is called; a modeled value is an estimate. */
export const confidenceNames: Readonly<Record<DataTier, string>> = {
  high: 'High confidence',
  medium: 'Medium confidence',
  low: 'Low confidence',
  modeled: 'Estimated',
};

/** The dot of a tier: full for high, empty for an estimate. */
export function ConfidenceDot({ tier }: { readonly tier: DataTier }) {
  return <i class={`dot ${tier}`} role="img" title={confidenceNames[tier]} />;
}
