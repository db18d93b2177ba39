/** Parts of the form that filters a list. */
import type { ComponentChildren } from 'preact';
import { ClearFilters } from './links.tsx';

/** Fields that are not always shown. */
interface FoldedProps {
  /** How many of them are in use. */
  readonly count: number;
  /** Whether one of them has to be corrected. */
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** Fields that are folded away on a phone, behind a button that tells how many are in use. */
export function FilterFold({ count, isOpen = false, children }: FoldedProps) {
  return (
    <details class="fold" open={isOpen}>
      <summary class="button plain">{countedText('Filters', count)}</summary>
      {children}
    </details>
  );
}

/** Filters that are used rarely, in rows of their own below; open as long as one is in use. */
export function MoreFilters({ count, isOpen = false, children }: FoldedProps) {
  return (
    <details class="more" open={isOpen || count > 0}>
      <summary class="button plain">{countedText('More filters', count)}</summary>
      {children}
    </details>
  );
}

/** The button of the form, and the way back to the whole list if any filter is in use. */
export function ApplyFilters({ clear }: { readonly clear: string | null }) {
  return (
    <>
      <button type="submit" class="plain">
        Apply
      </button>
      {clear !== null && <ClearFilters href={clear} />}
    </>
  );
}

function countedText(label: string, count: number): string {
  return count > 0 ? `${label} (${count})` : label;
}
