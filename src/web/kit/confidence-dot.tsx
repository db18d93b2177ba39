/** The confidence in a value, as a dot. */
import type { DataTier } from '../../market/evidence/evidence.ts';

export const confidenceNames: Readonly<Record<DataTier, string>> = {
  high: 'High confidence',
  medium: 'Medium confidence',
  low: 'Low confidence',
  modeled: 'Estimated',
};

/** The dot of a tier: full for high, empty for estimated. */
export function ConfidenceDot({ tier }: { readonly tier: DataTier }) {
  return <i class={`dot ${tier}`} role="img" title={confidenceNames[tier]} />;
}
