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
  const name = confidenceNames[tier];
  return (
    <span class={`dot ${tier}`} title={name}>
      <span class="visually-hidden">{name}</span>
    </span>
  );
}
