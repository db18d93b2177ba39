/** Keeps all published rows of a kind in memory, updated with every publication. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import type { Freshness } from './freshness.ts';

/** With more changes than this, everything is read again. */
const changedMax = 5_000;

export interface RowSource<Row> {
  readonly kinds: readonly ItemKind[];
  /** The cache key of a row. */
  nameOf(row: Row): string;
  /** All cache keys that rows of an item can have. */
  namesOf(kind: ItemKind, key: string): readonly string[];
  /** In parts; requests are answered in between. */
  readAll(): AsyncIterable<readonly Row[]>;
  readSome(kind: ItemKind, keys: readonly string[]): Promise<readonly Row[]>;
}

/** A snapshot of the rows. */
export interface CurrentRows<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** Increases with every read. */
  readonly version: number;
}

/** Reads rows on first use, and then those published since. */
export class RowCache<Row> {
  /** By name; null: they have to be read. */
  private rows: Map<string, Row> | null = null;
  /** The keys of items published since they were read. */
  private readonly changed: Readonly<Record<ItemKind, Set<string>>> = {
    set: new Set(),
    minifig: new Set(),
  };
  private reading: Promise<void> | null = null;
  /** Replaced when everything has to be read again. */
  private generation = {};
  /** The last snapshot, even if everything has to be read again. */
  private latest: CurrentRows<Row> = { rows: new Map(), version: 0 };

  constructor(
    private readonly source: RowSource<Row>,
    private readonly freshness: Pick<Freshness, 'follow' | 'refresh'>,
  ) {
    freshness.follow((changes) => {
      for (const { kind, key } of changes ?? []) {
        if (source.kinds.includes(kind)) this.changed[kind].add(key);
      }
      if (changes === null || this.changedCount > changedMax) this.forget();
    });
  }

  /** The rows with everything that was known to be published at the time of the call. */
  async current(): Promise<CurrentRows<Row>> {
    await this.freshness.refresh();
    await this.read();
    // A large publication during the read discards it. Retried once: an import can take minutes.
    if (!this.rows) await this.read();
    return this.latest;
  }

  private get changedCount(): number {
    return this.changed.set.size + this.changed.minifig.size;
  }

  private forget(): void {
    this.generation = {};
    this.rows = null;
    for (const keys of Object.values(this.changed)) keys.clear();
  }

  /** Reads what is missing; concurrent callers share the read. */
  private async read(): Promise<void> {
    // A read in progress may lack later publications, so another read follows.
    await this.reading;
    if (!this.reading && this.rows && this.changedCount === 0) return;
    this.reading ??= this.readMissing(this.rows).finally(() => {
      this.reading = null;
    });
    await this.reading;
  }

  private async readMissing(known: Map<string, Row> | null): Promise<void> {
    const { generation } = this;
    try {
      const rows = known ? await this.readChanged(known) : await this.readAll();
      this.latest = { rows, version: this.latest.version + 1 };
      if (this.generation === generation) this.rows = rows;
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  private async readAll(): Promise<Map<string, Row>> {
    const rows = new Map<string, Row>();
    for await (const part of this.source.readAll()) {
      this.add(rows, part);
      await yieldToEventLoop();
    }
    return rows;
  }

  private async readChanged(known: Map<string, Row>): Promise<Map<string, Row>> {
    for (const kind of this.source.kinds) {
      const keys = [...this.changed[kind]];
      this.changed[kind].clear();
      if (keys.length === 0) continue;
      const rows = await this.source.readSome(kind, keys);
      for (const key of keys) {
        for (const name of this.source.namesOf(kind, key)) known.delete(name);
      }
      this.add(known, rows);
    }
    return known;
  }

  private add(rows: Map<string, Row>, part: readonly Row[]): void {
    for (const row of part) rows.set(this.source.nameOf(row), row);
  }
}
