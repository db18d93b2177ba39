/** Which items a file means, and what putting them on a watch list would change. */
import type { NewWatchedItem, WatchedItem } from '../domain/alerts/watch-list.ts';
import { barcodeKey } from '../domain/catalog/barcode.ts';
import { type ItemKind, itemKey } from '../domain/catalog/numbers.ts';
import { shortText } from '../domain/kernel/text.ts';
import type { ItemName, MarketReading } from '../domain/market/market-reading.ts';

/** An item as it was written down. */
export interface WrittenItem {
  readonly where: string;
  /** Null: it may be either. */
  readonly kind: ItemKind | null;
  /** A number or a barcode. */
  readonly number: string;
  readonly targetCents: number | null;
  readonly note: string;
}

/** An item that was found, with how it is called. */
export interface MeantItem extends NewWatchedItem {
  readonly name: string;
}

/** What is meant, and what is not taken and why. */
export interface MeantItems {
  readonly items: readonly MeantItem[];
  readonly rejects: readonly { readonly where: string; readonly reason: string }[];
}

type Lookups = Pick<MarketReading, 'findNames' | 'findBarcodeSets'>;

/** Finds out what is meant. Of an item that is written down twice, the first one counts. */
export async function findMeantItems(
  market: Lookups,
  written: readonly WrittenItem[],
): Promise<MeantItems> {
  const look = await lookUp(market, written);
  const items = new Map<string, { readonly item: MeantItem; readonly where: string }>();
  const rejects: { where: string; reason: string }[] = [];
  for (const { where, targetCents, note, ...named } of written) {
    const found = look(named);
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

/** Looks all numbers up at once: sets first, then barcodes of sets, then minifigs. */
async function lookUp(
  market: Lookups,
  written: readonly WrittenItem[],
): Promise<(item: Pick<WrittenItem, 'kind' | 'number'>) => Found> {
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
 * The same items under the keys that they are on a list with: a minifig may have been put there
 * before its number became one of several.
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

/** What saving an item would do. */
export interface WatchChange {
  readonly item: MeantItem;
  readonly kind: 'added' | 'changed' | 'unchanged';
  /** The item as it is on the list; null when it is new. */
  readonly before: WatchedItem | null;
}

/** What saving items would do to a list. */
export function compareItems(
  items: readonly MeantItem[],
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
