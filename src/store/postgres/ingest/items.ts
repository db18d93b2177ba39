/** The items that a batch concerns: those that are there, and those that its rows add. */
import type { MarketRow } from '../../../domain/market-store.ts';
import { type ItemKind, itemKey } from '../../../domain/numbers.ts';
import { copyRows } from '../bulk.ts';
import type { Connection } from '../client.ts';
import { Links } from './links.ts';

/** An item while a batch is applied. */
export interface Item {
  readonly id: number;
  readonly kind: ItemKind;
  readonly key: string;
  readonly number: string;
}

/** Items by number. */
export class Items {
  /** The other numbers of minifigs. */
  readonly aliases = new Links();
  private readonly byKey = { set: new Map<string, number>(), minifig: new Map<string, number>() };
  /** Once found, a minifig is the same one until the batch ends, whoever claims its number. */
  private readonly knownMinifigs = new Map<string, number>();
  private readonly added: Item[] = [];

  constructor(private lastId: number) {}

  /** Looks up keys in the store. */
  async load(tx: Connection, kind: ItemKind, keys: Iterable<string>): Promise<void> {
    const unknown = [...keys].filter((key) => !this.byKey[kind].has(key));
    if (unknown.length === 0) return;
    const found = await tx.query<{ id: number; key: string }>(
      `SELECT id::float8 AS id, key FROM published.item WHERE kind = $1 AND key = ANY($2::text[])`,
      [kind, unknown],
    );
    for (const { id, key } of found) this.byKey[kind].set(key, id);
  }

  /** The item of its own number; null when there is none. */
  get(kind: ItemKind, key: string): number | null {
    return this.byKey[kind].get(key) ?? null;
  }

  /** The same by number or, for minifigs, by alias. */
  find(kind: ItemKind, key: string): number | null {
    if (kind === 'set') return this.get('set', key);
    const known = this.knownMinifigs.get(key);
    if (known !== undefined) return known;
    const named = this.aliases.itemsOf(key);
    const id = this.get('minifig', key) ?? (named.length > 0 ? Math.min(...named) : null);
    if (id !== null) this.knownMinifigs.set(key, id);
    return id;
  }

  /** The minifigs that have a number, as their own or as an alias. */
  minifigsNamed(key: string): Set<number> {
    const named = new Set(this.aliases.itemsOf(key));
    const own = this.get('minifig', key);
    return own === null ? named : named.add(own);
  }

  /** Adds an item. Nobody else adds any meanwhile, and a batch that fails uses up no id. */
  add(item: Omit<Item, 'id'>): number {
    this.lastId += 1;
    this.added.push({ ...item, id: this.lastId });
    this.byKey[item.kind].set(item.key, this.lastId);
    return this.lastId;
  }

  /** Writes the items that were added. */
  async save(tx: Connection): Promise<void> {
    const table = { name: 'published.item', columns: ['id', 'kind', 'key', 'number'] };
    await copyRows(
      tx,
      table,
      this.added.map(({ id, kind, key, number }) => [id, kind, key, number]),
    );
  }
}

/** Looks up every item that rows are about. */
export async function loadItems(tx: Connection, rows: readonly MarketRow[]): Promise<Items> {
  const [last] = await tx.query<{ id: number }>(
    'SELECT coalesce(max(id), 0)::float8 AS id FROM published.item',
  );
  const items = new Items(last?.id ?? 0);
  const keys = { set: new Set<string>(), minifig: new Set<string>() };
  for (const row of rows) {
    if (row.kind === 'sale') keys[row.sale.itemKind].add(row.sale.itemKey);
    else if (row.kind === 'offer') keys.set.add(row.offer.setKey);
    else if (row.kind === 'set' || row.kind === 'minifig') {
      keys[row.kind].add(itemKey(row.kind, row.facts.number));
    }
  }
  await items.load(tx, 'set', keys.set);
  await items.load(tx, 'minifig', keys.minifig);
  return items;
}
