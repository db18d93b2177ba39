/**
 * A random market: imports with late, corrected and retracted rows, undone imports, rates, offers,
 * facts, aliases, collectible minifigs, new parameters and sealed history. Whatever is published
 * from a checkpoint is compared with what all rows give.
 */
import { expect } from 'bun:test';
import { Random } from '../../simulator/market/random.ts';
import { dayMs, formatDay, hourMs, monthOf } from '../../src/kernel/time.ts';
import type { PublishedItem } from '../../src/market/published/publishing.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import type { Sale } from '../../src/market/source-rows/source-rows.ts';
import { valueEngine } from '../../src/market/values/engine.ts';
import { publishItem, publishValued } from '../../src/publish/item.ts';
import { makePublisher } from '../../src/publish/publisher.work.ts';
import type { Store } from '../../src/store/store.ts';
import { aMinifig, anImport, anOffer, aSale, aSet } from './builders.ts';
import { publishSettings } from './publish-settings.ts';

const start = Date.UTC(2026, 2, 10, 12);
const settings = { ...publishSettings, checkpointRowsMin: 5 };

/** How often items were published from a checkpoint, and how often all rows were needed. */
export interface CheckpointCounts {
  fromCheckpoint: number;
  fromFirst: number;
  unusable: number;
}

export async function runMarket(store: Store, seed: number, steps: number) {
  const run = new MarketRun(store, new Random(seed, 'checkpoints'));
  await run.begin();
  for (let step = 0; step < steps; step++) await run.step();
  await run.verify();
  return run.counts;
}

class MarketRun {
  readonly counts: CheckpointCounts = { fromCheckpoint: 0, fromFirst: 0, unusable: 0 };
  #now = start;
  #sales: Sale[] = [];
  #imports: number[] = [];
  readonly #publisher;

  constructor(
    private readonly store: Store,
    private readonly random: Random,
  ) {
    const market = { ...store.market, publish: this.#publish, loadInputs: this.#loadInputs };
    const given = { engine: valueEngine, ...settings };
    this.#publisher = makePublisher(market, given, () => this.#now);
  }

  async begin(): Promise<void> {
    await this.#import([
      { kind: 'set', source: 'feed', facts: aSet({ number: '1' }) },
      { kind: 'set', source: 'feed', facts: aSet({ number: '2', releaseDate: '2023-02-01' }) },
      { kind: 'minifig', source: 'feed', facts: aMinifig({ number: 'a', aliases: ['b'] }) },
      ...Array.from({ length: 120 }, () => this.#saleRow(3 * 365 * dayMs)),
    ]);
    await this.#publisher.publishStale();
  }

  async step(): Promise<void> {
    const waitMax = this.random.chance(0.2) ? 30 * dayMs : 3 * dayMs;
    this.#now += Math.floor(this.random.between(hourMs, waitMax));
    const { market } = this.store;
    const kind = this.random.below(21);
    if (kind < 8) await this.#import(this.#some(() => this.#saleRow(9 * dayMs)));
    else if (kind < 10) await this.#import(this.#some(() => this.#saleRow(400 * dayMs)));
    else if (kind === 10) await this.#import(this.#some(() => this.#correction()));
    else if (kind === 11) await this.#import(this.#some(() => this.#retraction()));
    else if (kind === 12) await this.#import(this.#some(() => this.#rate()));
    else if (kind === 13) await this.#import(this.#some(() => this.#offer()));
    else if (kind === 14 || kind === 20) await this.#import([this.#facts()]);
    else if (kind < 17) await this.#undo();
    else if (kind === 17) await market.markAllStale();
    else if (kind === 18 && this.random.chance(0.3)) await market.sealHistory(this.#now);
    else if (kind === 19 && this.random.chance(0.3)) await this.#restate();
    if (this.random.chance(0.1)) await this.#publisher.publishStale(this.#now - 20 * dayMs);
    if (this.random.chance(0.7)) await this.#publisher.publishStale();
    if (this.random.chance(0.5)) await this.#publisher.publishDue(10);
  }

  /** As `explain --verify` does. */
  async verify(): Promise<void> {
    await this.#publisher.publishStale();
    for (const id of [1, 2, 3]) {
      const verified = await this.#publisher.verify(id);
      if (verified) expect(verified).toMatchObject({ value: 'matches', months: { differs: [] } });
    }
  }

  readonly #loadInputs: Store['market']['loadInputs'] = async (ids, options) => {
    const inputs = await this.store.market.loadInputs(ids, options);
    if (options.checkpointsUntil === undefined) this.counts.unusable += inputs.length;
    for (const { checkpoint } of inputs) {
      if (checkpoint) this.counts.fromCheckpoint++;
      else this.counts.fromFirst++;
    }
    return inputs;
  };

  readonly #publish: Store['market']['publish'] = async (items) => {
    const { market } = this.store;
    const { parameters } = await market.findParameters();
    const estimator = valueEngine.makeEstimator(parameters);
    const history = await market.findHistoryState();
    const valued = new Map<number, PublishedItem>();
    const expectedOf = async ({ id, at, version }: PublishedItem): Promise<PublishedItem> => {
      const minifig = valued.get(id);
      if (minifig) return minifig;
      const [all] = await market.loadInputs([id], { at, withSeries: true });
      if (!all || all.version !== version) throw new Error('An item changed meanwhile.');
      const set = publishItem(all, { ...settings, estimator }, { at, history });
      for (const other of publishValued(all, set, { at, history })) valued.set(other.id, other);
      return set;
    };
    for (const item of items) {
      const expected = await expectedOf(item);
      expect(resultOf(item)).toEqual(resultOf(expected));
      const states = new Map(expected.checkpoints.map((each) => [each.at, each]));
      for (const made of item.checkpoints) expect(made).toEqual(states.get(made.at) ?? made);
    }
    return market.publish(items);
  };

  async #import(rows: readonly MarketRow[]): Promise<void> {
    const { market } = this.store;
    const id = await market.logImport(anImport({ startedAt: this.#now, endedAt: this.#now }));
    await market.applyRows(rows, this.#now, id);
    this.#imports.push(id);
  }

  async #undo(): Promise<void> {
    const id = this.#imports.length > 1 ? this.#imports.pop() : undefined;
    if (id !== undefined) await this.store.market.undoImport(id, this.#now);
  }

  async #restate(): Promise<void> {
    if ((await this.store.market.findHistoryState()).sealedAt === null) return;
    const fromMonth = monthOf(this.#now) - 1 - this.random.below(12);
    await this.store.market.restateHistory({ fromMonth, reason: 'An error.', at: this.#now });
  }

  #some(make: () => MarketRow): MarketRow[] {
    return Array.from({ length: 1 + this.random.below(6) }, make);
  }

  /** A sale of the last `withinMs`; some in a burst, far off, without seller or in euros. */
  #saleRow(withinMs: number): MarketRow {
    const { random } = this;
    const item = random.pick([
      { itemKind: 'set', itemKey: '1' },
      { itemKind: 'set', itemKey: '1' },
      { itemKind: 'set', itemKey: '2' },
      { itemKind: 'minifig', itemKey: 'a' },
      { itemKind: 'minifig', itemKey: 'b' },
    ] as const);
    const condition = random.chance(0.6) ? 'sealed' : 'used';
    const far = random.chance(0.15) ? 2.5 : 1;
    const day = this.#now - random.between(0, withinMs);
    const sale = aSale({
      ...item,
      source: random.pick(['ebay', 'feed']),
      sourceId: `${random.fraction()}`,
      condition,
      priceCents: Math.round(80_00 * far * Math.exp(0.4 * (random.fraction() - 0.5))),
      currency: random.chance(0.15) ? 'EUR' : 'USD',
      // Some at the start of a day, and so of a week or month.
      soldAt: random.chance(0.3) ? Math.floor(day / dayMs) * dayMs : Math.floor(day),
      seller: random.chance(0.2) ? null : random.pick(['ann', 'bob', 'cy', 'di', 'ed', 'flo']),
      channel: random.pick(['fixed', 'auction', 'bricklink', null]),
    });
    this.#sales.push(sale);
    return { kind: 'sale', sale };
  }

  #correction(): MarketRow {
    const { random } = this;
    const old = random.pick(this.#sales);
    const sale = random.chance(0.5)
      ? { ...old, priceCents: old.priceCents + 1_00 }
      : { ...old, soldAt: Math.floor(this.#now - random.between(0, 100 * dayMs)) };
    return {
      kind: 'sale',
      sale: random.chance(0.2) ? { ...sale, itemKind: 'set', itemKey: '2' } : sale,
    };
  }

  #retraction(): MarketRow {
    const { source, sourceId } = this.random.pick(this.#sales);
    return { kind: 'retract', source, sourceId };
  }

  #rate(): MarketRow {
    const date = formatDay(this.#now - this.random.between(0, 300 * dayMs));
    const usdPerUnit = 1 + this.random.below(20) / 100;
    return { kind: 'fx', rate: { date, currency: 'EUR', usdPerUnit } };
  }

  #offer(): MarketRow {
    const observedAt = Math.floor(this.#now - this.random.between(0, 600 * dayMs));
    const priceCents = 70_00 + this.random.below(20_00);
    return { kind: 'offer', offer: anOffer({ setKey: '1', observedAt, priceCents }) };
  }

  #facts(): MarketRow {
    const { random } = this;
    if (random.chance(0.5)) {
      const aliases = random.chance(0.5) ? ['b'] : [];
      return { kind: 'minifig', source: 'feed', facts: aMinifig({ number: 'a', aliases }) };
    }
    if (random.chance(0.5)) {
      // Minifig a is valued as set 2, or by itself.
      const theme = random.chance(0.7) ? 'Collectible Minifigures' : 'Castles';
      const facts = aSet({ number: '2', releaseDate: '2023-02-01', theme, minifigs: ['b'] });
      return { kind: 'set', source: 'feed', facts };
    }
    const retireDate = random.chance(0.5) ? '2025-06-30' : null;
    return { kind: 'set', source: 'feed', facts: aSet({ number: '1', retireDate }) };
  }
}

/** What is published, without what depends on the time only. */
function resultOf(item: PublishedItem) {
  const { body, searchRow, series, evidence, outlook, scores, dealScores } = item;
  return { body, searchRow, series, evidence, outlook, scores, dealScores };
}
