/** How the texts of tools are put together. */
import * as format from '../domain/kernel/format.ts';

/** An amount, such as $1,234.50; what is not known is said to be so, as a dash could be missed. */
export function usdText(usd: number | null): string {
  return usd === null ? 'unknown' : format.usdText(usd);
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
