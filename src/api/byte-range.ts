/** Parts of files. Bun sends them; those that begin after the end are recognized here. */

/** One range, as Bun reads it; it sends the whole file for others. */
const rangeForm = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i;

/** Headers of a request that select a part of a file. */
export const rangeHeaders = ['Range', 'If-Range'] as const;

/** Whether there is nothing to send, which is a 416. */
export function isBeyondEnd(
  headers: Headers,
  file: { readonly length: number; readonly tag: string | null },
): boolean {
  const [, first, last] = rangeForm.exec(headers.get('Range') ?? '') ?? [];
  if (first === undefined || last === undefined) return false;
  const unless = headers.get('If-Range');
  if (unless !== null && unless !== file.tag) return false;
  // Without a first byte, these are the last ones.
  if (first === '') return last !== '' && Number(last) === 0;
  return Number(first) >= file.length;
}
