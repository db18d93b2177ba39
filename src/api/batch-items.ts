/** The items of a batch: each once, and what a batch says of those that do not exist. */

import type { Caller } from '../accounts/keys/quota.ts';
import { type ItemKind, itemKey } from '../catalog/items/numbers.ts';
import { bad } from '../contract/input-messages.ts';
import { batchItemsMax } from '../contract/limits.ts';
import { yieldToEventLoop } from '../kernel/event-loop.ts';
import { AnswerData } from './answer-data.ts';
import type { PricedWork } from './handler.ts';

export interface BatchItem {
  readonly key: string;
  /** As sent, to be echoed if it is not found. */
  readonly sent: string;
}

/** The unique items of a batch, in the requested order, and their number, which is its cost. */
export interface BatchItems extends Readonly<Record<ItemKind, readonly BatchItem[]>> {
  readonly requested: number;
}

/** The same item in another form of its number is the same item. */
export function batchItems(body: {
  readonly sets?: readonly string[] | null;
  readonly minifigs?: readonly string[] | null;
}): BatchItems {
  const set = uniqueItems('set', body.sets ?? []);
  const minifig = uniqueItems('minifig', body.minifigs ?? []);
  const requested = set.length + minifig.length;
  if (requested === 0) {
    throw bad("The batch names no set and no minifig; list some in 'sets' or 'minifigs'.");
  }
  checkBatchSize(requested);
  return { set, minifig, requested };
}

export function checkBatchSize(requested: number): void {
  if (requested > batchItemsMax) {
    throw bad(`The batch has ${requested} unique items; at most ${batchItemsMax} are allowed.`);
  }
}

function uniqueItems(kind: ItemKind, numbers: readonly string[]): BatchItem[] {
  const keys = new Set<string>();
  const items: BatchItem[] = [];
  for (const sent of numbers) {
    const key = itemKey(kind, sent);
    if (keys.has(key)) continue;
    keys.add(key);
    items.push({ key, sent });
  }
  return items;
}

/** Elements made before other requests are answered. */
const elementsAtOnce = 10;

/** `make` returns the object of an item; null: there is none. */
export async function batchElements<Item>(
  items: readonly Item[],
  make: (item: Item) => object | null,
  missing: (item: Item) => object,
): Promise<{
  readonly elements: string;
  readonly found: number;
}> {
  const elements: string[] = [];
  let found = 0;
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % elementsAtOnce === 0) await yieldToEventLoop();
    const made = make(item);
    if (made) found++;
    elements.push(JSON.stringify(made ? { ...made, found: true } : missing(item)));
  }
  return { elements: elements.join(','), found };
}

/** The object of an item; null: there is none. */
export type MakeElement = (key: string) => object | null;

/** A batch about sets, or about sets and minifigs. `find` reads what its objects are made of. */
export function itemBatch(
  kinds: readonly ItemKind[],
  body: Parameters<typeof batchItems>[0],
  find: (keys: readonly string[], kind: ItemKind, caller: Caller) => Promise<MakeElement>,
): PricedWork {
  const items = batchItems(body);
  return {
    isExpensive: true,
    cost: items.requested,
    read: async (caller) => {
      const lists: string[] = [];
      let count = 0;
      for (const kind of kinds) {
        const own = items[kind];
        const keys = own.map(({ key }) => key);
        const make = keys.length === 0 ? () => null : await find(keys, kind, caller);
        const missing = ({ sent }: BatchItem) => ({ [`${kind}_number`]: sent, found: false });
        const { elements, found } = await batchElements(own, ({ key }) => make(key), missing);
        lists.push(`"${kind}s":[${elements}]`);
        count += found;
      }
      return new AnswerData(`{${lists.join(',')},${summaryJson(items.requested, count)}}`);
    },
  };
}

/** `found` is a count of items. */
export function summaryJson(requested: number, found: number): string {
  return `"summary":{"requested":${requested},"found":${found}}`;
}
