/** Splits batches of any size into calls, and joins the responses. */
import { batchItemsMax } from './rules.ts';
import type { Batch, BatchRequest } from './types.ts';

/**
 * The parts of a batch that fit in a call. Items are in the requested order and unique by the
 * server's rules: the same item in two calls would be charged twice.
 */
export function batchPieces(request: BatchRequest): BatchRequest[] {
  const items = [
    ...uniqueNumbers(request.sets, setKey).map((number) => ({ kind: 'sets' as const, number })),
    ...uniqueNumbers(request.minifigs, itemKey).map((number) => ({
      kind: 'minifigs' as const,
      number,
    })),
  ];
  // The server refuses an empty batch.
  const pieces: BatchRequest[] = items.length === 0 ? [request] : [];
  for (let start = 0; start < items.length; start += batchItemsMax) {
    const piece = items.slice(start, start + batchItemsMax);
    const of = (kind: 'sets' | 'minifigs') =>
      piece.filter((item) => item.kind === kind).map(({ number }) => number);
    pieces.push({ sets: of('sets'), minifigs: of('minifigs') });
  }
  return pieces;
}

export function joinedBatches(answers: readonly Batch[]): Batch {
  const sum = (of: (answer: Batch) => number) =>
    answers.reduce((total, answer) => total + of(answer), 0);
  return {
    sets: answers.flatMap(({ sets }) => sets),
    minifigs: answers.flatMap(({ minifigs }) => minifigs),
    summary: {
      requested: sum(({ summary }) => summary.requested),
      found: sum(({ summary }) => summary.found),
    },
  };
}

function uniqueNumbers(
  numbers: readonly string[] | undefined | null,
  keyOf: (number: string) => string,
): string[] {
  const unique = new Map<string, string>();
  for (const number of numbers ?? []) {
    const key = keyOf(number);
    if (!unique.has(key)) unique.set(key, number);
  }
  return [...unique.values()];
}

const itemKey = (number: string) => String(number).trim().toLowerCase();

/** `75192` and `75192-1` are one set; `A-1-1` is not `A-1`. */
function setKey(number: string): string {
  const key = itemKey(number);
  const bare = key.endsWith('-1') ? key.slice(0, -2) : '';
  return bare === '' || /-[1-9]\d?$/.test(bare) ? key : bare;
}
