/** How tools put figures into words. */
import type { DataTier } from '../domain/market/evidence.ts';

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** An amount, such as $1,234.50; what is not known is said to be so. */
export function usdText(amount: number | null): string {
  return amount === null ? 'unknown' : dollars.format(amount);
}

/** A share or a change in percent, with its sign. */
export function percentText(percent: number): string {
  return `${percent > 0 ? '+' : ''}${Math.round(percent * 10) / 10}%`;
}

/** From one amount to another. */
export function rangeText(range: { readonly low: number; readonly high: number } | null): string {
  return range === null ? '' : ` (range ${usdText(range.low)} to ${usdText(range.high)})`;
}

/** A count with its noun. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What `data_tier` says. */
export const tierWords: Readonly<Record<DataTier, string>> = {
  high: 'well supported by many recent sales',
  medium: 'supported by some recent sales',
  low: 'weakly supported: few or old sales',
  modeled: 'an estimate from similar items: no sales support it',
};

/** What `status_id` says. */
export const statusWords = ['announced', 'available', 'retiring soon', 'retired'] as const;

/** The words for a `status_id`. */
export function statusText(statusId: number): (typeof statusWords)[number] {
  return statusWords[statusId - 1] ?? 'available';
}

/** How much of a list an answer shows, where that is not all of it. */
export function placeText(
  shown: number,
  place: { readonly total: number; readonly next_offset: number | null },
): string {
  const { total, next_offset } = place;
  const more = next_offset === null ? '' : ` For more, set offset to ${next_offset}.`;
  return shown === total ? '' : `Showing ${shown} of ${total}.${more}`;
}

/** Lines, without those that say nothing. */
export function lines(...parts: readonly (string | readonly string[])[]): string {
  return parts
    .flat()
    .filter((line) => line !== '')
    .join('\n');
}
