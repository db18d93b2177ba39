/** How sure a value is, as a dot that fills up. */
import type { DataTier } from '../../domain/market/evidence.ts';

/** What each tier is called; a modeled value is an estimate. */
export const confidenceNames: Readonly<Record<DataTier, string>> = {
  high: 'High confidence',
  medium: 'Medium confidence',
  low: 'Low confidence',
  modeled: 'Estimated',
};

/** How much of the dot is filled. */
const filled: Readonly<Record<DataTier, number>> = { high: 1, medium: 0.6, low: 0.3, modeled: 0 };

/** The dot of a tier: full for high, empty for an estimate. */
export function ConfidenceDot({ tier }: { readonly tier: DataTier }) {
  const height = filled[tier] * 10;
  return (
    <svg class="dot" viewBox="0 0 12 12" role="img" aria-label={confidenceNames[tier]}>
      <title>{confidenceNames[tier]}</title>
      <clipPath id={`dot-${tier}`}>
        <rect x="0" y={11 - height} width="12" height={height} />
      </clipPath>
      <circle cx="6" cy="6" r="5" fill="currentColor" clip-path={`url(#dot-${tier})`} />
      <circle
        cx="6"
        cy="6"
        r="5"
        fill="none"
        stroke="currentColor"
        stroke-width="1.3"
        stroke-dasharray={tier === 'modeled' ? '2.2 1.700' : undefined}
      />
    </svg>
  );
}
