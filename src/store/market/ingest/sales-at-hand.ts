/**
 * The sales that a batch names, as they stand while its rows are applied. The other sales of the
 * store stay as they are; whether there are any is asked once, after all rows.
 */

import { dayOf } from '../../../domain/kernel/time.ts';
import type { Sale } from '../../../domain/market/source-rows.ts';
import type { RateWindow } from './rate-window.ts';

/** What a source says of a sale. */
export type SaleFacts = Omit<Sale, 'itemKind' | 'itemKey'>;

/** A sale of an item. */
interface ItemSale {
  readonly itemId: number;
  readonly facts: SaleFacts;
}

/** A sale while a batch is applied. */
export interface HeldSale extends ItemSale {
  readonly retractedAt: number | null;
  /** As it was before the batch; null: the batch added it. */
  readonly stored: ItemSale | null;
  readonly isChanged: boolean;
}

/** How many sales there are now, and how many there were before the batch. */
interface SaleCount {
  readonly now: number;
  readonly before: number;
}

/** The sales by who reported them. */
export class SalesAtHand {
  private readonly bySource = new Map<string, Map<string, HeldSale>>();
  private counts: { readonly now: SaleCounts; readonly before: SaleCounts } | null = null;

  /** Null when there is no such sale. */
  find(source: string, sourceId: string): HeldSale | null {
    return this.bySource.get(source)?.get(sourceId) ?? null;
  }

  /** A sale is in the store. */
  addStored(stored: ItemSale, retractedAt: number | null): void {
    const { itemId, facts } = stored;
    this.put({ itemId, facts, retractedAt, stored, isChanged: false });
  }

  /** A sale is new, or told differently than before. */
  change(old: HeldSale | null, { itemId, facts }: ItemSale): void {
    const { retractedAt, stored } = old ?? { retractedAt: null, stored: null };
    if (old) this.counts?.now.add(old, -1);
    const sale = { itemId, facts, retractedAt, stored, isChanged: true };
    this.counts?.now.add(sale, 1);
    this.put(sale);
  }

  /** A sale is taken back. */
  retract(sale: HeldSale, retractedAt: number): void {
    this.put({ ...sale, retractedAt, isChanged: true });
  }

  /** Those that differ from the store. */
  listChanged(): HeldSale[] {
    return this.list().filter((sale) => sale.isChanged);
  }

  /** How many of these sales an item has. */
  countOf(itemId: number): SaleCount {
    const { now, before } = this.counted();
    return { now: now.of(itemId), before: before.of(itemId) };
  }

  /** How many of these sales a rate applies to. */
  countIn(window: RateWindow): SaleCount {
    const { now, before } = this.counted();
    return { now: now.within(window), before: before.within(window) };
  }

  /** Most batches have nothing but sales, and nobody asks. */
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
    const sales = this.bySource.get(source);
    if (sales) sales.set(sourceId, sale);
    else this.bySource.set(source, new Map([[sourceId, sale]]));
  }
}

/** Sales counted by item, and those that rates apply to by currency and day. */
class SaleCounts {
  private readonly items = new Map<number, number>();
  private readonly foreign = new Map<string, Map<number, number>>();

  add({ itemId, facts }: ItemSale, by: 1 | -1): void {
    this.items.set(itemId, this.of(itemId) + by);
    if (facts.currency === 'USD') return;
    const days = this.foreign.get(facts.currency) ?? new Map<number, number>();
    const day = dayOf(facts.soldAt);
    days.set(day, (days.get(day) ?? 0) + by);
    this.foreign.set(facts.currency, days);
  }

  of(itemId: number): number {
    return this.items.get(itemId) ?? 0;
  }

  /** Goes through the days of the window, or through those with sales, whichever are fewer. */
  within({ currency, from, to }: RateWindow): number {
    const days = this.foreign.get(currency);
    if (!days) return 0;
    const [first, end] = [dayOf(from), dayOf(to)];
    let count = 0;
    if (end - first < days.size) {
      for (let day = first; day < end; day++) count += days.get(day) ?? 0;
    } else {
      for (const [day, sales] of days) if (day >= first && day < end) count += sales;
    }
    return count;
  }
}
