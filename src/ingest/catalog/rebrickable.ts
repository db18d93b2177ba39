/**
 * Rebrickable's dump: sets with their themes and minifigs. Tables refer to each other, so all are
 * read before the first row comes out; a broken file is found before anything is written.
 */

import { classOf } from '../../domain/catalog/item-class.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { RowError } from '../fields.ts';
import type { Format, ReadOptions } from '../format.ts';
import { type Census, type LocatedRow, rejectedRow, type SourceItem } from '../located-row.ts';
import { SourceFileError } from '../readers/source-file.ts';
import type { TableRow } from '../readers/table.ts';
import { readTables, type TableName } from './rebrickable-files.ts';
import { Inventories, type SetMinifigs } from './rebrickable-inventories.ts';
import { Themes } from './rebrickable-themes.ts';
import {
  addressOf,
  type FeedRecord,
  minifigRow,
  needed,
  setRow,
  tidyNumber,
  wholeOf,
} from './record.ts';

/** The name under which Rebrickable's records are kept. */
const source = 'rebrickable';

const groupRows = 1000;

/** The dump, as a folder or as its files. */
export const rebrickable: Format = {
  // It is, within one reading: nothing comes out before everything is in.
  isReadFirst: false,
  async *read(paths, options) {
    const tables = await readTables(paths, options);
    checkNeeded(tables);
    await checkWhole(tables, options);
    yield* grouped(new Dump(tables, options.clock()).items());
  },
};

/** In the order in which they refer to those before them. */
const readingOrder: readonly TableName[] = [
  'themes',
  'sets',
  'minifigs',
  'inventories',
  'inventory_minifigs',
  'inventory_sets',
];

type Tables = ReadonlyMap<TableName, readonly TableRow[]>;

function checkNeeded(tables: Tables): void {
  const missing = (['sets', 'themes'] as const).filter((name) => !tables.get(name)?.length);
  if (missing.length === 0) return;
  const names = missing.map((name) => `${name}.csv`).join(' and ');
  throw new SourceFileError(`Rebrickable's ${names} must be among the files, with rows in it.`);
}

/** A dump grows: one with less than half of what was there is a part of one, or cut. */
async function checkWhole(tables: Tables, { store }: ReadOptions): Promise<void> {
  for (const [name, itemKind] of [
    ['sets', 'set'],
    ['minifigs', 'minifig'],
  ] as const) {
    const rows = tables.get(name);
    const known = await store.market.countRecords(source, itemKind);
    if (rows === undefined || rows.length >= known / 2) continue;
    throw new SourceFileError(
      `${rows[0]?.where.replace(/:\d+$/, '')} has ${rows.length} ${name}, and Rebrickable had ` +
        `${known} before; is it complete? A part of a catalog can be imported as a feed.`,
    );
  }
}

function* grouped(items: Iterable<SourceItem>): Generator<SourceItem[]> {
  let group: SourceItem[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < groupRows) continue;
    yield group;
    group = [];
  }
  yield group;
}

/** Rows of one table by the number in them, and whether all of them have one. */
class Numbered {
  readonly rows = new Map<string, TableRow[]>();
  isWhole = true;

  constructor(readonly isGiven: boolean) {}

  add(number: string, row: TableRow): void {
    const others = this.rows.get(number);
    if (others) others.push(row);
    else this.rows.set(number, [row]);
  }
}

/** A dump in memory: the rows of sets and minifigs, and what the other tables say of them. */
class Dump {
  private readonly themes = new Themes();
  private readonly sets = new Numbered(true);
  private readonly minifigs: Numbered;
  private readonly inventories: Inventories | null = null;
  private readonly rejects: LocatedRow[] = [];
  /** The year of the first set that a minifig is in. */
  private readonly firstYears = new Map<string, number>();

  constructor(
    tables: Tables,
    private readonly now: number,
  ) {
    this.minifigs = new Numbered(tables.has('minifigs'));
    // Without both tables nothing is known of what is in a set.
    if (tables.has('inventories') && tables.has('inventory_minifigs')) {
      this.inventories = new Inventories();
    }
    for (const name of readingOrder) {
      for (const row of tables.get(name) ?? []) this.take(name, row);
    }
  }

  *items(): Generator<SourceItem> {
    yield* this.rejects;
    for (const [number, rows] of this.sets.rows) {
      for (const row of rows) yield this.setItem(number, row);
    }
    for (const [number, rows] of this.minifigs.rows) {
      for (const row of rows) yield this.minifigItem(number, row);
    }
    yield* this.censuses();
  }

  private take(name: TableName, row: TableRow): void {
    try {
      if (row.mismatch !== null) throw new RowError(row.mismatch);
      this.takers[name](row);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      if (name === 'sets' || name === 'minifigs') this[name].isWhole = false;
      this.rejects.push(rejectedRow(row.location, error.message));
    }
  }

  private readonly takers: Readonly<Record<TableName, (row: TableRow) => void>> = {
    themes: (row) =>
      this.themes.add(needed(row, 'id'), {
        name: needed(row, 'name'),
        parent: row.text('parent_id'),
      }),
    sets: (row) => this.sets.add(needed(row, 'set_num'), row),
    minifigs: (row) => this.minifigs.add(needed(row, 'fig_num'), row),
    inventories: (row) => {
      const owner = needed(row, 'set_num');
      // Minifigs have inventories too, which list their parts.
      const isMinifig = owner.startsWith('fig-');
      if (isMinifig) this.checkMinifig(owner);
      else if (!this.sets.rows.has(owner)) throw new RowError(`there is no set '${owner}'`);
      this.inventories?.add(needed(row, 'id'), owner, neededWhole(row, 'version'));
    },
    inventory_minifigs: (row) => {
      const number = needed(row, 'fig_num');
      this.checkMinifig(number);
      this.addContent('minifigs', row, number);
    },
    inventory_sets: (row) => {
      const number = needed(row, 'set_num');
      if (!this.sets.rows.has(number)) throw new RowError(`there is no set '${number}'`);
      this.addContent('sets', row, number);
    },
  };

  private addContent(kind: 'minifigs' | 'sets', row: TableRow, number: string): void {
    const quantity = neededWhole(row, 'quantity');
    if (quantity === 0) throw new RowError("'quantity' must be at least 1");
    this.inventories?.addContent(kind, needed(row, 'inventory_id'), { number, quantity });
  }

  /** Where minifigs.csv is not given, any number will do. */
  private checkMinifig(number: string): void {
    if (this.minifigs.isGiven && !this.minifigs.rows.has(number)) {
      throw new RowError(`there is no minifig '${number}'`);
    }
  }

  private setItem(number: string, row: TableRow): LocatedRow {
    return setRow(row.location, { source, now: this.now }, (optional) => {
      const year = optional(() => wholeOf(row.text('year'), 'year'));
      const pieces = optional(() => wholeOf(row.text('num_parts'), 'num_parts'));
      const inside = this.inventories?.find(number) ?? null;
      if (year !== null && inside) this.noteYear(year, inside);
      return this.setRecord(number, row, { year, pieces, inside });
    });
  }

  private setRecord(
    number: string,
    row: TableRow,
    {
      year,
      pieces,
      inside,
    }: {
      readonly year: number | null;
      readonly pieces: number | null;
      readonly inside: SetMinifigs | null;
    },
  ): FeedRecord {
    const title = row.text('name');
    const { theme, subtheme } = this.themes.find(needed(row, 'theme_id'));
    return {
      set_number: tidyNumber(number),
      title,
      theme,
      subtheme,
      year,
      pieces,
      minifigs: inside?.numbers ?? null,
      minifigs_count: inside?.count ?? null,
      image_url: addressOf(row.text('img_url')),
      item_class: classOf({ number, title, theme, subtheme }),
    };
  }

  private noteYear(year: number, { numbers }: SetMinifigs): void {
    for (const number of numbers) {
      const before = this.firstYears.get(number);
      if (before === undefined || year < before) this.firstYears.set(number, year);
    }
  }

  private minifigItem(number: string, row: TableRow): LocatedRow {
    return minifigRow(row.location, { source, now: this.now }, () => ({
      minifig_number: number,
      name: row.text('name'),
      year_released: this.firstYears.get(number) ?? null,
      image_url: addressOf(row.text('img_url')),
    }));
  }

  /** Only tables that could be read to the last number show what is no longer there. */
  private *censuses(): Generator<Census> {
    const kinds = [
      { itemKind: 'set', numbered: this.sets },
      { itemKind: 'minifig', numbered: this.minifigs },
    ] as const;
    for (const { itemKind, numbered } of kinds) {
      if (!numbered.isGiven || !numbered.isWhole) continue;
      const keys = [...numbered.rows.keys()].map((number) => itemKey(itemKind, tidyNumber(number)));
      yield { source, itemKind, keys: new Set(keys) };
    }
  }
}

function neededWhole(row: TableRow, column: string): number {
  return wholeOf(needed(row, column), column) ?? 0;
}
