/** Formats the texts of tools. */
import * as format from '../kernel/format.ts';

/** An amount such as $1,234.50; "unknown" rather than a dash, which could be missed. */
export function usdText(usd: number | null): string {
  return usd === null ? 'unknown' : format.usdText(usd);
}

/** Which part of a list is shown, unless it is all of it. */
export function shownText(
  shown: number,
  paging: { readonly total: number; readonly next_offset: number | null },
): string {
  const { total, next_offset } = paging;
  const more = next_offset === null ? '' : ` For more, set offset to ${next_offset}.`;
  return shown === total ? '' : `Showing ${shown} of ${total}.${more}`;
}

/** Skips empty parts. */
export function lines(...parts: readonly (string | readonly string[])[]): string {
  return parts
    .flat()
    .filter((line) => line !== '')
    .join('\n');
}
