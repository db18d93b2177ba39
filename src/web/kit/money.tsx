/** Amounts, changes, and the confidence in them. */
import type { DataTier } from '../../market/evidence/evidence.ts';
import { gainText, moneyText, percentText } from './format.ts';

/** An amount; a dash with the reason if it is missing. */
export function Money(props: {
  readonly cents: number | null;
  /** The confidence, shown as a dot. */
  readonly tier?: DataTier | null;
  readonly missing?: string;
}) {
  const { cents, tier, missing = 'No value yet' } = props;
  if (cents === null) return <Missing reason={missing} />;
  return (
    <span class="money">
      {tier && <ConfidenceDot tier={tier} />}
      {tier && ' '}
      {moneyText(cents)}
    </span>
  );
}

export function Missing({ reason }: { readonly reason: string }) {
  return (
    <span class="quiet" title={reason}>
      <span aria-hidden="true">—</span>
      <span class="visually-hidden">{reason}</span>
    </span>
  );
}

/** A gain or a loss, in dollars, in percent, or both, with their sign. */
export function Delta(props: {
  readonly cents?: number | null;
  readonly percent?: number | null;
  readonly missing?: string;
}) {
  const { cents = null, percent = null, missing = 'Unknown' } = props;
  if (cents === null && percent === null) return <Missing reason={missing} />;
  // What rounds to zero is neither a gain nor a loss.
  const sign = Math.sign(cents ?? Math.round((percent ?? 0) * 10));
  const parts = [
    cents === null ? null : gainText(cents),
    percent === null ? null : percentBeside(cents, percent),
  ];
  const [first, second] = parts.filter((part) => part !== null);
  return (
    <span class={`delta ${signClass(sign)}`}>
      {second === undefined ? first : `${first} (${second})`}
    </span>
  );
}

/** Beside an amount, a percentage is not 0. */
function percentBeside(cents: number | null, percent: number): string {
  const isTiny = cents !== null && cents !== 0 && Math.abs(percent) < 0.05;
  return isTiny ? '<0.1%' : percentText(percent);
}

export function signClass(sign: number): string {
  return sign > 0 ? 'gain' : sign < 0 ? 'loss' : '';
}

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
