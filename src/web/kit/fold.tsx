/** Fields of a form that are folded away on a phone, and always shown where there is room. */
import type { ComponentChildren } from 'preact';

/** The fields, behind a button that tells how many are in use. */
export function FilterFold(props: {
  readonly count: number;
  /** Whether one of them has to be corrected. */
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}) {
  const { count, isOpen = false, children } = props;
  return (
    <details class="fold" open={isOpen}>
      <summary class="button plain">{count > 0 ? `Filters (${count})` : 'Filters'}</summary>
      {children}
    </details>
  );
}
