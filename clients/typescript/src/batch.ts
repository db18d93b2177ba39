/** Splits batches of any size into calls, and joins the responses. */
import { batchItemsMax } from './rules.ts';

type Body = Readonly<Record<string, unknown>>;

/** The lists of a batch, and what makes their elements unique by the server's rules. */
const listKeys: Readonly<Record<string, (element: never) => string>> = {
  sets: setKey,
  minifigs: numberKey,
  items: itemKey,
};

/**
 * The parts of a batch that fit in a call. Elements are in the requested order and unique: the same
 * item in two calls would be charged twice.
 */
export function batchPieces(body: Body): Body[] {
  const lists = Object.keys(listKeys).filter((list) => Array.isArray(body[list]));
  const elements = lists.flatMap((list) =>
    uniqueElements(list, body[list] as readonly never[]).map((element) => ({ list, element })),
  );
  // The server refuses an empty batch.
  if (elements.length === 0) return [body];
  const pieces: Body[] = [];
  for (let start = 0; start < elements.length; start += batchItemsMax) {
    const piece = elements.slice(start, start + batchItemsMax);
    const some = lists.map((name) => [
      name,
      piece.filter(({ list }) => list === name).map(({ element }) => element),
    ]);
    pieces.push({ ...body, ...Object.fromEntries(some) });
  }
  return pieces;
}

/** Every response has lists, and a summary of counts. */
export function joinedBatches(answers: readonly Body[]): Body {
  const joined: Record<string, unknown> = {};
  for (const name of Object.keys(answers[0] ?? {})) {
    const parts = answers.map((answer) => answer[name]);
    joined[name] = Array.isArray(parts[0]) ? parts.flat() : sumOf(parts as CountsByName[]);
  }
  return joined;
}

type CountsByName = Readonly<Record<string, number>>;

function sumOf(counts: readonly CountsByName[]): CountsByName {
  const sum: Record<string, number> = {};
  for (const each of counts) {
    for (const [name, count] of Object.entries(each)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

function uniqueElements(list: string, elements: readonly never[]): unknown[] {
  const keyOf = listKeys[list] ?? String;
  const unique = new Map<string, unknown>();
  for (const element of elements) {
    const key = keyOf(element);
    if (!unique.has(key)) unique.set(key, element);
  }
  return [...unique.values()];
}

function numberKey(number: string): string {
  return String(number).trim().toLowerCase();
}

/** `75192` and `75192-1` are one set; `A-1-1` is not `A-1`. */
function setKey(number: string): string {
  const key = numberKey(number);
  const bare = key.endsWith('-1') ? key.slice(0, -2) : '';
  return bare === '' || /-[1-9]\d?$/.test(bare) ? key : bare;
}

/** An item in two conditions or grades counts as two. */
function itemKey({ set, minifig, condition, grade }: Readonly<Record<string, string>>): string {
  const isSet = set !== undefined;
  const usual = isSet ? 'sealed' : 'used';
  const number = isSet ? setKey(set) : numberKey(minifig ?? '');
  return JSON.stringify([isSet, number, condition ?? usual, grade]);
}
