/** What may be a deal, kept in memory and in step with what is published. */
import { type DealQuestion, findDeals, type SaleFinder, saleFinder } from '../buying/deals.ts';
import type { FeeTables } from '../domain/buying/channels.ts';
import type { BestSale, Deal, DealCandidate } from '../domain/buying/deal.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import type { Page } from '../domain/kernel/page.ts';
import { dayOf } from '../domain/kernel/time.ts';
import type { DealName, DealRow } from '../domain/market/deals.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import { retailers } from '../domain/market/source-rows.ts';
import type { Freshness } from './freshness.ts';

/** Candidates that are read in one go; requests are answered in between. */
const sliceRows = 500;

/** With more changes than this, everything is read again. */
const changedMax = 5_000;

/** Terms whose sums are kept, those asked for latest: each has one for every candidate. */
const sumsMax = 12;

/** Sums that are made in one go. */
const sliceSums = 200;

/** What is left of sales on some terms. */
interface Sums {
  readonly tables: FeeTables;
  /** Terms and day: fees are those of a day. */
  readonly name: string;
  readonly sales: WeakMap<DealCandidate, { readonly sale: BestSale | null }>;
  /** The version of the candidates that all of them were made for. */
  version: number;
}

/** Finds deals among what is published. */
export class DealIndex {
  /** By name; null when it has to be read. */
  private candidates: Map<string, DealCandidate> | null = null;
  /** Sets that were published since they were read. */
  private readonly changed = new Set<string>();
  private reading: Promise<void> | null = null;
  /** Grows when everything has to be read again. */
  private generation = 0;
  /** Grows with everything that is read. */
  private version = 0;
  /** Those asked for latest come last. */
  private readonly sums: Sums[] = [];

  constructor(
    private readonly market: Pick<MarketReading, 'listDeals' | 'findDeals'>,
    private readonly freshness: Pick<Freshness, 'follow' | 'refresh'>,
  ) {
    freshness.follow((changes) => {
      for (const { kind, key } of changes ?? []) if (kind === 'set') this.changed.add(key);
      if (changes === null || this.changed.size > changedMax) this.forget();
    });
  }

  /** A page of deals, by tables that may be somebody's own. */
  async find(tables: FeeTables, question: DealQuestion): Promise<Page<Deal>> {
    await this.freshness.refresh();
    for (;;) {
      await this.read();
      const { candidates } = this;
      // Null: so much was published meanwhile that everything has to be read again.
      if (!candidates) continue;
      const findSale = await this.makeSums(candidates, tables, question);
      return findDeals(candidates.values(), question, findSale);
    }
  }

  private forget(): void {
    this.generation++;
    this.candidates = null;
    this.changed.clear();
  }

  /** Reads what is missing, once for all who wait for it. */
  private async read(): Promise<void> {
    // What is being read may lack what was told since: then it is read after that.
    await this.reading;
    if (!this.reading && this.candidates && this.changed.size === 0) return;
    this.reading ??= this.readMissing(this.candidates).finally(() => {
      this.reading = null;
    });
    await this.reading;
  }

  private async readMissing(known: Map<string, DealCandidate> | null): Promise<void> {
    const { generation } = this;
    try {
      const candidates = known ? await this.readChanged(known) : await this.readAll();
      if (this.generation !== generation) return;
      this.candidates = candidates;
      this.version++;
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  private async readAll(): Promise<Map<string, DealCandidate>> {
    const candidates = new Map<string, DealCandidate>();
    for (let after: DealName | null = null; ; ) {
      const rows: DealRow[] = await this.market.listDeals(after, sliceRows);
      addRows(candidates, rows);
      after = rows.at(-1) ?? null;
      if (rows.length < sliceRows) return candidates;
      await yieldToEventLoop();
    }
  }

  private async readChanged(known: Map<string, DealCandidate>): Promise<typeof known> {
    const keys = [...this.changed];
    this.changed.clear();
    const rows = await this.market.findDeals(keys);
    for (const setKey of keys) {
      for (const retailer of retailers) known.delete(nameOf({ setKey, retailer }));
    }
    addRows(known, rows);
    return known;
  }

  /**
   * Sums are made once for each day and share; where the wait costs money, for all terms. A few at
   * a time: requests are answered in between.
   */
  private async makeSums(
    candidates: ReadonlyMap<string, DealCandidate>,
    tables: FeeTables,
    { terms, at }: DealQuestion,
  ): Promise<SaleFinder> {
    const decisive = terms.moneyBasisPoints === 0 ? terms.share : terms;
    const sums = this.sumsOf(tables, `${dayOf(at)} ${JSON.stringify(decisive)}`);
    const make = saleFinder(tables, { terms, at });
    const find = (candidate: DealCandidate) => {
      const known = sums.sales.get(candidate);
      if (known) return known.sale;
      const sale = make(candidate);
      sums.sales.set(candidate, { sale });
      return sale;
    };
    const { version } = this;
    if (sums.version === version) return find;
    let made = 0;
    for (const candidate of candidates.values()) {
      if (sums.sales.has(candidate)) continue;
      find(candidate);
      if (++made % sliceSums === 0) await yieldToEventLoop();
    }
    sums.version = version;
    return find;
  }

  private sumsOf(tables: FeeTables, name: string): Sums {
    const index = this.sums.findIndex((sums) => sums.tables === tables && sums.name === name);
    const [known] = index < 0 ? [] : this.sums.splice(index, 1);
    const sums = known ?? { tables, name, sales: new WeakMap(), version: -1 };
    this.sums.push(sums);
    // What was asked for longest ago makes room.
    if (this.sums.length > sumsMax) this.sums.shift();
    return sums;
  }
}

function nameOf({ setKey, retailer }: DealName): string {
  return `${setKey} ${retailer}`;
}

function addRows(candidates: Map<string, DealCandidate>, rows: readonly DealRow[]): void {
  for (const row of rows) candidates.set(nameOf(row), JSON.parse(row.body));
}
