/**
 * The sales that a batch names, with their current state while its rows are applied. Whether there
 * are others in the store is queried once, after all rows.
 */
import type { Sale } from '../../market/source-rows/source-rows.ts';

/** A sale as a source reports it. */
export type SaleFacts = Omit<Sale, 'itemKind' | 'itemKey'>;

interface ItemSale {
  readonly itemId: number;
  readonly facts: SaleFacts;
}

/** A sale while a batch is applied. */
export interface HeldSale extends ItemSale {
  readonly retractedAt: number | null;
  /** The sale before the batch; null if the batch added it. */
  readonly stored: ItemSale | null;
  readonly isChanged: boolean;
}

interface SaleCount {
  readonly now: number;
  readonly before: number;
}

/** Sales by source and source id. */
export class SalesAtHand {
  private readonly bySource = new Map<string, Map<string, HeldSale>>();
  private counts: { readonly now: SaleCounts; readonly before: SaleCounts } | null = null;

  /** Null if there is no such sale. */
  find(source: string, sourceId: string): HeldSale | null {
    return this.bySource.get(source)?.get(sourceId) ?? null;
  }

  addStored(stored: ItemSale, retractedAt: number | null): void {
    const { itemId, facts } = stored;
    this.put({ itemId, facts, retractedAt, stored, isChanged: false });
  }

  /** Adds a sale, or replaces it with a correction. */
  change(old: HeldSale | null, { itemId, facts }: ItemSale): void {
    const { retractedAt, stored } = old ?? { retractedAt: null, stored: null };
    if (old) this.counts?.now.add(old, -1);
    const sale = { itemId, facts, retractedAt, stored, isChanged: true };
    this.counts?.now.add(sale, 1);
    this.put(sale);
  }

  retract(sale: HeldSale, retractedAt: number): void {
    this.put({ ...sale, retractedAt, isChanged: true });
  }

  listChanged(): HeldSale[] {
    return this.list().filter((sale) => sale.isChanged);
  }

  countOf(itemId: number): SaleCount {
    const { now, before } = this.counted();
    return { now: now.of(itemId), before: before.of(itemId) };
  }

  /** Counts on first use: most batches have only sales, and need no counts. */
  private counted() {
    if (this.counts) return this.counts;
    const counts = { now: new SaleCounts(), before: new SaleCounts() };
    for (const sale of this.list()) {
      counts.now.add(sale, 1);
      if (sale.stored) counts.before.add(sale.stored, 1);
    }
    this.counts = counts;
    return counts;
  }

  private list(): HeldSale[] {
    return [...this.bySource.values()].flatMap((sales) => [...sales.values()]);
  }

  private put(sale: HeldSale): void {
    const { source, sourceId } = sale.facts;
    this.bySource.getOrInsertComputed(source, () => new Map()).set(sourceId, sale);
  }
}

class SaleCounts {
  private readonly items = new Map<number, number>();

  add({ itemId }: ItemSale, by: 1 | -1): void {
    this.items.set(itemId, this.of(itemId) + by);
  }

  of(itemId: number): number {
    return this.items.get(itemId) ?? 0;
  }
}
