/** Resolves the items of a file, and compares them with a watch list. */

import { barcodeKey } from '../../catalog/barcodes/barcode.ts';
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import { shortText } from '../../kernel/text.ts';
import type { ItemName } from '../../market/published/published-records.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { NewWatchedItem, WatchedItem } from './watch-list.ts';

export interface FileItem {
  readonly where: string;
  /** Null: either kind. */
  readonly kind: ItemKind | null;
  /** A number or a barcode. */
  readonly number: string;
  readonly targetCents: number | null;
  readonly note: string;
}

export interface ResolvedItem extends NewWatchedItem {
  readonly name: string;
}

/** The resolved items, and the rejected ones with reasons. */
export interface ResolvedItems {
  readonly items: readonly ResolvedItem[];
  readonly rejects: readonly { readonly where: string; readonly reason: string }[];
}

type Lookups = Pick<MarketReading, 'findNames' | 'findBarcodeSets'>;

/** If an item occurs twice, the first one counts. */
export async function resolveFileItems(
  market: Lookups,
  written: readonly FileItem[],
): Promise<ResolvedItems> {
  const find = await lookUp(market, written);
  const items = new Map<string, { readonly item: ResolvedItem; readonly where: string }>();
  const rejects: { where: string; reason: string }[] = [];
  for (const { where, targetCents, note, ...named } of written) {
    const found = find(named);
    if ('reason' in found) {
      rejects.push({ where, reason: found.reason });
      continue;
    }
    const { kind, number, name } = found;
    const id = `${kind} ${itemKey(kind, number)}`;
    const before = items.get(id);
    if (before) {
      rejects.push({ where, reason: `${number} is listed twice; ${before.where} counts` });
      continue;
    }
    const item = { kind, key: itemKey(kind, number), number, name, targetCents, note };
    items.set(id, { item, where });
  }
  return { items: [...items.values()].map(({ item }) => item), rejects };
}

type Found = (ItemName & { readonly kind: ItemKind }) | { readonly reason: string };

/** Looks up all numbers at once: sets first, then barcodes of sets, then minifigs. */
async function lookUp(
  market: Lookups,
  written: readonly FileItem[],
): Promise<(item: Pick<FileItem, 'kind' | 'number'>) => Found> {
  const maySet = written.filter(({ kind }) => kind !== 'minifig').map(({ number }) => number);
  const mayFig = written.filter(({ kind }) => kind !== 'set').map(({ number }) => number);
  const sets = await market.findNames('set', keysOf('set', maySet));
  const codes = maySet.flatMap((number) => barcodeKey(number) ?? []);
  const coded = await market.findBarcodeSets([...new Set(codes)]);
  const codedSets = await market.findNames('set', [...new Set([...coded.values()].flat())]);
  const minifigs = await market.findNames('minifig', keysOf('minifig', mayFig));
  return ({ kind, number }) => {
    const set = kind === 'minifig' ? undefined : sets.get(itemKey('set', number));
    if (set) return { kind: 'set', ...set };
    const code = kind === 'minifig' ? null : barcodeKey(number);
    const scanned = (code && coded.get(code)) || [];
    if (scanned.length > 1) {
      return {
        reason: `several sets have this barcode: ${scanned.join(', ')}; use the set number`,
      };
    }
    const only = codedSets.get(scanned[0] ?? '');
    if (only) return { kind: 'set', ...only };
    const minifig = kind === 'set' ? undefined : minifigs.get(itemKey('minifig', number));
    if (minifig) return { kind: 'minifig', ...minifig };
    const what = kind === null ? '' : `${kind} `;
    return { reason: `${what}'${shortText(number)}' is not in the catalog` };
  };
}

function keysOf(kind: ItemKind, numbers: readonly string[]): string[] {
  return [...new Set(numbers.map((number) => itemKey(kind, number)))];
}

/**
 * The items under the keys they have on the list: a minifig may have been added under a number that
 * is now an alias.
 */
export async function withListedKeys<T extends NewWatchedItem>(
  market: Pick<MarketReading, 'findNames'>,
  items: readonly T[],
  listed: readonly WatchedItem[],
): Promise<T[]> {
  const keys = listed.flatMap(({ kind, key }) => (kind === 'minifig' ? [key] : []));
  if (keys.length === 0 || items.every(({ kind }) => kind === 'set')) return [...items];
  const named = await market.findNames('minifig', keys);
  const keyNow = new Map([...named].map(([key, { number }]) => [itemKey('minifig', number), key]));
  return items.map((item) => {
    const key = item.kind === 'minifig' ? keyNow.get(item.key) : undefined;
    return key === undefined ? item : { ...item, key };
  });
}

export interface WatchChange {
  readonly item: ResolvedItem;
  readonly kind: 'added' | 'changed' | 'unchanged';
  /** Null: not on the list yet. */
  readonly before: WatchedItem | null;
}

export function compareItems(
  items: readonly ResolvedItem[],
  listed: readonly WatchedItem[],
): WatchChange[] {
  const known = new Map(listed.map((item) => [`${item.kind} ${item.key}`, item]));
  return items.map((item) => {
    const before = known.get(`${item.kind} ${item.key}`) ?? null;
    if (!before) return { item, kind: 'added', before };
    const isSame =
      (item.targetCents === null || item.targetCents === before.targetCents) &&
      (item.note === '' || item.note === before.note);
    return { item, kind: isSame ? 'unchanged' : 'changed', before };
  });
}
