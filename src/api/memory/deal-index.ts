/** Deal candidates in memory, updated with every publication. */

import { defaultTerms } from '../../buying/boxes/quotes.ts';
import type { BestSale, Deal, DealCandidate } from '../../buying/deals/deal.ts';
import {
  type DealQuestion,
  findDeals,
  findSetDeals,
  type SaleFinder,
  type SetDeal,
  type SetDealQuestion,
  saleFinder,
  usualFilters,
} from '../../buying/deals/find-deals.ts';
import type { FeeTables } from '../../buying/prices/selling-channels.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import type { Page } from '../../kernel/page.ts';
import { dayOf } from '../../kernel/time.ts';
import { wholeShare } from '../../market/grades/grades.ts';
import type { DealName, DealRow } from '../../market/published/deals.ts';
import { retailers } from '../../market/source-rows/source-rows.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { Freshness } from './freshness.ts';
import { type CurrentRows, RowCache } from './row-cache.ts';

/** Candidates per read. */
const sliceRows = 500;

/** Terms with cached sums, most recently used; each has one sum per candidate. */
const sumsMax = 12;

/** Sums computed before yielding to the event loop. */
const sliceSums = 200;

/** The best sale of each candidate on some terms. */
interface Sums {
  readonly tables: FeeTables;
  /** Terms and day: fees depend on the day. */
  readonly name: string;
  readonly sales: WeakMap<DealCandidate, { readonly sale: BestSale | null }>;
  /** The version of the candidates that the sums were computed for; null: none yet. */
  version: number | null;
}

export class DealIndex {
  private readonly candidates: RowCache<DealCandidate>;
  /** Most recently used last. */
  private readonly sums: Sums[] = [];

  constructor(
    private readonly market: Pick<MarketReading, 'listDeals' | 'findDeals'>,
    freshness: Pick<Freshness, 'follow' | 'refresh'>,
  ) {
    const source = {
      kinds: ['set'] as const,
      nameOf: ({ setKey, offer }: DealCandidate) => nameOf({ setKey, retailer: offer.retailer }),
      namesOf: (_kind: ItemKind, setKey: string) =>
        retailers.map((retailer) => nameOf({ setKey, retailer })),
      readAll: () => this.readAll(),
      readSome: async (_kind: ItemKind, keys: readonly string[]) =>
        (await market.findDeals(keys)).map(toCandidate),
    };
    this.candidates = new RowCache(source, freshness);
  }

  /** A page of deals; the tables can have the account's own rates. */
  async find(tables: FeeTables, question: DealQuestion): Promise<Page<Deal>> {
    const candidates = await this.candidates.current();
    const findSale = await this.makeSums(candidates, tables, question);
    return findDeals(candidates.rows.values(), question, findSale);
  }

  async findSets(tables: FeeTables, question: SetDealQuestion): Promise<Page<SetDeal>> {
    const candidates = await this.candidates.current();
    const findSale = await this.makeSums(candidates, tables, question);
    return findSetDeals(candidates.rows.values(), question, findSale);
  }

  /** Computes what the first page on usual terms needs. */
  async warm(tables: FeeTables, at: number): Promise<void> {
    const terms = defaultTerms;
    await this.find(tables, { terms, at, filters: usualFilters, limit: 1, offset: 0 });
  }

  private async *readAll(): AsyncGenerator<DealCandidate[]> {
    for (let after: DealName | null = null; ; ) {
      const rows: DealRow[] = await this.market.listDeals(after, sliceRows);
      yield rows.map(toCandidate);
      after = rows.at(-1) ?? null;
      if (rows.length < sliceRows) return;
    }
  }

  /**
   * Computes sums once per day, grade and share; if waiting has a cost, per terms. Yields to the
   * event loop in between.
   */
  private async makeSums(
    { rows, version }: CurrentRows<DealCandidate>,
    tables: FeeTables,
    { terms, at, grade = wholeShare }: DealQuestion,
  ): Promise<SaleFinder> {
    const decisive = terms.moneyBasisPoints === 0 ? terms.share : terms;
    const name = `${dayOf(at)} ${grade.share} ${JSON.stringify(decisive)}`;
    const sums = this.sumsOf(tables, name);
    const make = saleFinder(tables, { terms, at, grade });
    const find = (candidate: DealCandidate) => {
      const known = sums.sales.get(candidate);
      if (known) return known.sale;
      const sale = make(candidate);
      sums.sales.set(candidate, { sale });
      return sale;
    };
    if (sums.version === version) return find;
    let made = 0;
    for (const candidate of rows.values()) {
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
    const sums = known ?? { tables, name, sales: new WeakMap(), version: null };
    this.sums.push(sums);
    // Evict the least recently used.
    if (this.sums.length > sumsMax) this.sums.shift();
    return sums;
  }
}

function nameOf({ setKey, retailer }: DealName): string {
  return `${setKey} ${retailer}`;
}

function toCandidate({ body }: DealRow): DealCandidate {
  return JSON.parse(body);
}
