/** Rows of what is published, all of them in memory and in step with publications. */
import type { ItemKind } from '../domain/catalog/numbers.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import type { Freshness } from './freshness.ts';

/** With more changes than this, everything is read again. */
const changedMax = 5_000;

/** Where rows are read from. */
export interface RowSource<Row> {
  readonly kinds: readonly ItemKind[];
  /** What a row is kept under. */
  nameOf(row: Row): string;
  /** All names under which there may be rows of an item. */
  namesOf(kind: ItemKind, key: string): readonly string[];
  /** Everything, a part at a time; requests are answered in between. */
  readAll(): AsyncIterable<readonly Row[]>;
  /** The rows of some items. */
  readSome(kind: ItemKind, keys: readonly string[]): Promise<readonly Row[]>;
}

/** The rows of one moment. */
export interface CurrentRows<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** Grows with everything that is read. */
  readonly version: number;
}

/** Reads rows when they are first asked for, and again what was published since. */
export class KeptRows<Row> {
  /** By name; null when they have to be read. */
  private rows: Map<string, Row> | null = null;
  /** The keys of items that were published since they were read. */
  private readonly changed: Readonly<Record<ItemKind, Set<string>>> = {
    set: new Set(),
    minifig: new Set(),
  };
  private reading: Promise<void> | null = null;
  /** Grows when everything has to be read again. */
  private generation = 0;
  private version = 0;
  /** What was read last, also where everything has to be read again since. */
  private latest: CurrentRows<Row> | null = null;

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

  /** The rows with all that was known to be published when they were asked for. */
  async current(): Promise<CurrentRows<Row>> {
    await this.freshness.refresh();
    for (let reads = 1; ; reads++) {
      await this.read();
      if (this.rows) return { rows: this.rows, version: this.version };
      // So much was published meanwhile that everything has to be read again. What was begun after
      // somebody asked is good enough for them: a large import goes on like that for minutes.
      if (reads > 1 && this.latest) return this.latest;
    }
  }

  private get changedCount(): number {
    return this.changed.set.size + this.changed.minifig.size;
  }

  private forget(): void {
    this.generation++;
    this.rows = null;
    for (const keys of Object.values(this.changed)) keys.clear();
  }

  /** Reads what is missing, once for all who wait for it. */
  private async read(): Promise<void> {
    // What is being read may lack what was told since: then it is read after that.
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
      this.version++;
      this.latest = { rows, version: this.version };
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
