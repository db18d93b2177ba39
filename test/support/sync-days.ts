/**
 * Simulates days of syncing all sources, in seconds: the clock is simulated. With faults enabled,
 * sources fail in every way and the process dies at random points.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../simulator/market/random.ts';
import { type FaultKind, withFaults } from '../../simulator/sources/faults.ts';
import type { MarketIndex } from '../../simulator/sources/source-market.ts';
import type { Context } from '../../src/cli/command.ts';
import { makeConnectors } from '../../src/cli/sync/sync-sources.ts';
import { makeSyncWork } from '../../src/cli/sync/sync-work.ts';
import { LeaseLostError } from '../../src/kernel/lease.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/kernel/time.ts';
import { makePublisher } from '../../src/publish/publisher.work.ts';
import type { Store } from '../../src/store/store.ts';
import { AnswerFolders, type AnswerGroup } from '../../src/sync/answers.work.ts';
import { makeSourceClient, type SourceClient } from '../../src/sync/client.work.ts';
import { leaseMs, syncLease } from '../../src/sync/lease.ts';
import { SyncLoop } from '../../src/sync/loop.work.ts';
import { readSyncSettings } from '../../src/sync/settings.work.ts';
import { openTestStore } from './engines.ts';
import { type liveNames, type SeenCall, sourceSecrets, startLiveSources } from './live-sources.ts';
import { asLooks } from './offer-looks.ts';
import { plainEngine } from './plain-engine.ts';
import { publishSettings } from './publish-settings.ts';
import { makeMarket, marketOffer, marketSale, marketSet } from './source-market.ts';
import { onTables } from './tables.ts';

/** A Thursday, an hour before new exchange rates are published. */
const start = Date.UTC(2026, 10, 12, 14);

/** How long faults occur, including a midnight. */
const faultyMs = 30 * hourMs;

/** The last event happens with the last fault; after this time everything is caught up. */
const caughtUpMs = 3 * dayMs;

/** The daily limits that the simulated sources enforce. */
export const dayBudgets = { brickset: 4, bricklink: 45, ebay: 30 };
const tokensPerMinute = 1;

const faultShares: Readonly<Record<FaultKind, number>> = {
  silence: 0.04,
  busy: 0.05,
  failure: 0.05,
  half: 0.05,
  nonsense: 0.05,
  slow: 0.03,
};

/** The probability of a crash at each access to the store or the disk. */
const deathChance = 0.01;

/** The results. */
export interface SyncDays {
  readonly calls: readonly SeenCall[];
  /** The number of occurrences of each fault, and of crashes. */
  readonly faults: ReadonlyMap<string, number>;
  /** The lowest number of tokens that Keepa had left. */
  readonly tokensLeast: number;
  /** How often Keepa rejected a request for lack of tokens. */
  readonly refusals: number;
  /** Errors of rounds, and the sources that still fail at the end. */
  readonly errors: readonly string[];
  readonly failing: readonly string[];
  /** All rows from sources as text, by table. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
}

export async function liveThroughDays(seed: number, isFaulty: boolean): Promise<SyncDays> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-days-'));
  const data = join(folder, 'data');
  const store = await openTestStore(data);
  try {
    const days = new Days({ seed, isFaulty, store, folder });
    await days.run();
    const states = await store.sync.listSources();
    const failing = states.filter(({ state }) => state.failures > 0).map(({ source }) => source);
    return { ...days.outcome(), failing, rows: await rowsOf(data) };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A crash. Extends LeaseLostError, so that the round records nothing. */
class DiedError extends LeaseLostError {}

interface DaysOptions {
  readonly seed: number;
  readonly isFaulty: boolean;
  readonly store: Store;
  readonly folder: string;
}

class Days {
  private now = start;
  private readonly random: Random;
  private readonly faults = new Map<string, number>();
  private tokensLeast = Number.POSITIVE_INFINITY;
  private refusals = 0;
  private processes = 0;
  private readonly errors: string[] = [];
  private readonly live;

  constructor(private readonly options: DaysOptions) {
    this.random = new Random(options.seed, 'days');
    const clock = () => this.now;
    const { market, shopLines } = makeNews();
    this.live = startLiveSources({
      market,
      clock,
      callsPerDay: dayBudgets,
      tokensPerMinute,
      every: '12h',
      shopLines: () => shopLines.filter(({ sold_at }) => Date.parse(`${sold_at}`) <= this.now),
      onTokens: (left) => {
        this.tokensLeast = Math.min(this.tokensLeast, left);
      },
      wrap: (source, handler) => {
        const counted = async (request: Request) => {
          const answer = await handler(request);
          if (source === 'keepa' && answer.status === 429) this.refusals++;
          return answer;
        };
        const seed = this.options.seed;
        const onRequest = (_: Request, fault: FaultKind | null) => {
          if (fault !== null) this.count(fault);
        };
        const options = { seed, source, clock, onRequest, shares: faultShares, slowMs: 2 };
        const faulty = withFaults(counted, options);
        return (request) => (this.isFaulty ? faulty(request) : counted(request));
      },
    });
  }

  async run(): Promise<void> {
    const end = start + faultyMs + caughtUpMs;
    try {
      while (this.now < end) {
        const loop = await this.startProcess();
        await this.runUntil(loop, end).catch((error) => {
          if (!(error instanceof DiedError)) throw error;
          this.count('death');
          this.tearFile();
          this.now += leaseMs + this.random.below(5 * minuteMs);
        });
      }
    } finally {
      await this.live.stop();
    }
  }

  outcome() {
    const { faults, tokensLeast, refusals, errors } = this;
    return { calls: this.live.calls, faults, tokensLeast, refusals, errors };
  }

  private get isFaulty(): boolean {
    return this.options.isFaulty && this.now < start + faultyMs;
  }

  private count(what: string): void {
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1);
  }

  /** Runs due rounds, and skips the time in between. */
  private async runUntil(loop: SyncLoop, end: number): Promise<void> {
    while (this.now < end) {
      await loop.runDue();
      const states = await this.options.store.sync.listSources();
      const nextAt = Math.min(...states.map(({ state }) => state.nextAt));
      this.now = Math.max(this.now + secondMs, Math.min(end, nextAt));
    }
  }

  private async startProcess(): Promise<SyncLoop> {
    const { store, folder } = this.options;
    const clock = () => this.now;
    const settings = readSyncSettings({
      text: this.live.settings(),
      path: join(folder, 'sources.toml'),
      readVariable: (name) => (sourceSecrets as Record<string, string>)[name] ?? null,
    });
    const { secrets } = settings;
    const client = makeSourceClient({ userAgent: 'brickmark/test', clock, secrets });
    const sources = {
      settings,
      connectors: makeConnectors(settings, clock),
      keyless: [],
      client: this.slowed(client),
      redact: (text: string) => text,
    };
    const place = { context: this.makeContext(), store };
    const work = makeSyncWork(place, sources, {
      onRound: ({ source, error }) => {
        if (error !== null) this.errors.push(`${source}: ${error}`);
      },
      onSkipped: () => {},
      onFailure: throwIt,
    });
    const process = ++this.processes;
    // A crashed process must not renew its lease.
    const takeLease = async (wanted: Parameters<typeof store.market.takeLease>[0]) =>
      process === this.processes && store.market.takeLease(wanted);
    const lease = syncLease({ takeLease }, clock, String(process));
    await lease.take();
    return new SyncLoop({
      ...work,
      lease,
      random: () => this.random.fraction(),
      store: this.mortal(work.store),
      answers: new MortalAnswers(work.answers.folder, () => this.mayDie()),
      importFiles: async (files) => {
        this.mayDie();
        const counts = await work.importFiles(files);
        this.mayDie();
        return counts;
      },
      publish: async () => {
        this.mayDie();
        await work.publish();
      },
    });
  }

  /** The parts of a command's context that imports and publishing need. */
  private makeContext(): Context {
    const { store, folder } = this.options;
    const clock = () => this.now;
    const settings = { engine: plainEngine, ...publishSettings };
    return {
      config: { clock, dataFolder: folder },
      isTerminal: false,
      makePublisher: () => makePublisher(store.market, settings, clock),
    } as unknown as Context;
  }

  /** Advances the simulated clock for each call; faulty ones have a short real timeout. */
  private slowed(client: SourceClient): SourceClient {
    return {
      send: async (request) => {
        this.now += 100 + this.random.below(2 * secondMs);
        return client.send(this.isFaulty ? { ...request, timeoutMs: 150 } : request);
      },
    };
  }

  private mayDie(): void {
    if (this.isFaulty && this.random.chance(deathChance)) throw new DiedError();
  }

  /** A proxy with methods that may crash before and after their work. */
  private mortal<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          this.mayDie();
          const result: unknown = await value.apply(object, given);
          this.mayDie();
          return result;
        };
      },
    });
  }

  /** Simulates a power failure, which may lose the end of the last write. */
  private tearFile(): void {
    const answers = join(this.options.folder, 'answers');
    if (!this.random.chance(0.5) || !existsSync(answers)) return;
    const journals = readdirSync(answers, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.journal'))
      .map((name) => join(answers, name))
      .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
    const [journal] = journals;
    if (journal) truncateSync(journal, Math.max(0, statSync(journal).size - 20));
  }
}

class MortalAnswers extends AnswerFolders {
  constructor(
    folder: string,
    private readonly mayDie: () => void,
  ) {
    super(folder);
  }

  override begin(...start: Parameters<AnswerFolders['begin']>): AnswerGroup {
    const group = super.begin(...start);
    const add = group.add.bind(group);
    group.add = (...answer) => {
      this.mayDie();
      add(...answer);
      this.mayDie();
    };
    return group;
  }
}

function throwIt(error: unknown): never {
  throw error;
}

/** Sets, sales and offers from before and during the faulty days. */
function makeNews(): { readonly market: MarketIndex; readonly shopLines: NewsLine[] } {
  const random = new Random(7, 'news');
  const minifigs = ['cst001', 'cst002'];
  const sets = Array.from({ length: 12 }, (_, index) =>
    marketSet({
      number: String(10_400 + index),
      ean: withCheckDigit(`570201${100_000 + index}`),
      minifigs: index % 3 === 0 ? minifigs : [],
      releaseDate: index === 11 ? '2026-11-13' : '2024-01-01',
    }),
  );
  const [from, to] = [start - 20 * dayMs, start + faultyMs];
  const at = () => Math.round(random.between(from, to));
  const sales = sets.flatMap(({ number }) =>
    Array.from({ length: 12 }, (_, index) =>
      marketSale({
        itemKey: number,
        soldAt: at(),
        condition: index % 2 ? 'sealed' : 'used',
        channel: index % 4 < 2 ? 'bricklink' : 'fixed',
        completeness: 'complete',
        sourceId: `${number}-${index}`,
        priceCents: 5_000 + random.below(5_000),
      }),
    ),
  );
  const offers = sets.flatMap(({ number }, index) =>
    Array.from({ length: 8 }, () =>
      marketOffer({
        setKey: number,
        asin: `B0BRICK${100 + index}`,
        // Keepa's times are in minutes.
        observedAt: Math.floor(at() / minuteMs) * minuteMs,
        priceCents: 5_000 + random.below(5_000),
      }),
    ),
  );
  const shopLines = sets.map(({ number }, index) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `s${index}`,
    item_type: 'set',
    item: number,
    condition: 'sealed',
    price: 60 + index,
    currency: 'EUR',
    sold_at: new Date(at()).toISOString(),
  }));
  return { market: makeMarket({ sets, sales, offers }), shopLines };
}

function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

type NewsLine = Readonly<Record<string, string | number>>;

/** Everything that sources reported, without times of ingestion. */
const compared = {
  sale: `SELECT i.kind, i.key, s.source, s.source_id, s.condition, s.price_cents, s.currency,
    s.quantity, s.sold_at, s.channel FROM sale s JOIN item i ON i.id = s.item_id`,
  offer: `SELECT i.key, o.observed_at, o.retailer, o.price_cents, o.seller_type, o.asin,
      o.last_at, o.looks, o.gaps
    FROM offer o JOIN item i ON i.id = o.item_id`,
  fx: 'SELECT currency, date, usd_per_unit FROM fx',
  catalog_record: `SELECT i.kind, i.key, c.source, c.body FROM catalog_record c
    JOIN item i ON i.id = c.item_id`,
  set_minifig: `SELECT i.key, m.minifig_key, m.source FROM set_minifig m
    JOIN item i ON i.id = m.set_id`,
  document: 'SELECT kind, key, body FROM document',
  unanswered: `SELECT source, kind, key, topic FROM sync_item
    WHERE asked_at IS NULL OR failures > 0`,
};

async function rowsOf(data: string): Promise<Record<string, string[]>> {
  const { offers } = makeNews().market.whole;
  const news = new Set(offers.map(({ setKey, observedAt }) => `${setKey} | ${observedAt}`));
  // Keepa also reports the time of the request, which varies.
  const isNews = (text: string) => news.has(text.split(' | ', 2).join(' | '));
  const tables = Object.entries(compared).map(async ([name, sql]) => {
    const rows = await onTables<Record<string, unknown>>(data, sql);
    const single = name === 'offer' ? asLooks(rows) : rows;
    const texts = single.map(textOf).filter((text) => name !== 'offer' || isNews(text));
    return [name, texts.sort()] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

/** Leaves out times of calculation and observation, which vary. */
function textOf(row: object): string {
  return Object.values(row)
    .join(' | ')
    .replace(/"(?:calculated|last_checked)_at":"[^"]+"/g, '');
}

/** The maximum number of calls to a source in any 24 hours. */
export function mostInADay(calls: readonly SeenCall[], source: (typeof liveNames)[number]): number {
  // eBay's token requests do not count against its limit.
  const isCounted = ({ path }: SeenCall) => !path.endsWith('/oauth2/token');
  const times = calls
    .filter((call) => call.source === source && isCounted(call))
    .map(({ at }) => at);
  const within = (from: number) => times.filter((at) => at >= from && at - from <= dayMs).length;
  return Math.max(0, ...times.map(within));
}
