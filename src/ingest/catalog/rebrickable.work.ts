/**
 * Rebrickable's dump: sets with their themes and minifigs. Tables refer to each other, so all are
 * read before the first row is returned.
 */

import { censusProblem } from '../../catalog/items/census.ts';
import { classOf } from '../../catalog/items/item-class.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import { countText, nounText } from '../../kernel/format.ts';
import { SourceFileError } from '../readers/source-file.work.ts';
import type { TableRow } from '../readers/table.work.ts';
import { RowError, readOr } from '../runner/fields.ts';
import type { Format, ReadOptions } from '../runner/format.work.ts';
import {
  type Census,
  type LocatedRow,
  type Note,
  rejectedRow,
  type SourceItem,
} from '../runner/located-row.ts';
import { readTables, type TableName } from './rebrickable-files.work.ts';
import { Inventories, type SetMinifigs } from './rebrickable-inventories.ts';
import { Themes } from './rebrickable-themes.ts';
import { addressOf, minifigRow, requiredCell, setRow, tidyNumber, wholeOf } from './record.work.ts';

const source = 'rebrickable';

const groupRows = 1000;

export const rebrickable: Format = {
  // One pass is enough, because all tables are read before the first row is returned.
  isReadFirst: false,
  settings: { isForced: 'optional' },
  async *read(paths, options) {
    const tables = await readTables(paths, options);
    checkRequired(tables);
    const dump = new Dump(tables, options.clock());
    if (!options.settings.isForced) await checkNewest(dump, options);
    yield* grouped(dump.items());
    yield listMissing(tables);
  },
};

/** Each table only refers to tables before it. */
const readingOrder: readonly TableName[] = [
  'themes',
  'sets',
  'minifigs',
  'inventories',
  'inventory_minifigs',
  'inventory_sets',
];

type Tables = ReadonlyMap<TableName, readonly TableRow[]>;

function checkRequired(tables: Tables): void {
  const missing = (['sets', 'themes'] as const).filter((name) => !tables.get(name)?.length);
  if (missing.length === 0) return;
  const names = missing.map((name) => `${name}.csv`).join(' and ');
  throw new SourceFileError(`Rebrickable's ${names} cannot be missing or empty.`);
}

/** Throws if the dump seems to be older than the last one, or incomplete. */
async function checkNewest(dump: Dump, { store }: ReadOptions): Promise<void> {
  for (const { itemKind, keys } of dump.lists()) {
    const comparison = await store.market.compareCensus({ source, itemKind, keys });
    const problem = censusProblem(comparison);
    if (problem === null) continue;
    const { known, gone, added } = comparison;
    const guess =
      problem === 'older'
        ? 'It looks older than the last one'
        : 'Part of it seems to be missing (import part of a catalog as a feed)';
    throw new SourceFileError(
      `Of the ${nounText(known, itemKind)} that Rebrickable had, ${countText(gone)} are not in ` +
        `this dump, and ${countText(added)} are new. ${guess}; --force imports it anyway.`,
    );
  }
}

/** Tables that may be missing, and the data that is then kept. */
const optionalTables: readonly (readonly [TableName, string])[] = [
  ['minifigs', 'minifigs'],
  ['inventories', 'contents of sets and years of minifigs'],
  ['inventory_minifigs', 'contents of sets and years of minifigs'],
  ['inventory_sets', 'contents of sets and years of minifigs'],
];

function listMissing(tables: Tables): Note[] {
  const missing = optionalTables.filter(([name]) => !tables.has(name));
  if (missing.length === 0) return [];
  const names = missing.map(([name]) => `${name}.csv`).join(', ');
  const left = [...new Set(missing.map(([, what]) => what))].join(', ');
  return [{ note: `The dump has no ${names}, so ${left} were not changed.` }];
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

/** Rows by set or minifig number. `isWhole` is false if a row was rejected. */
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

/** All tables in memory. */
class Dump {
  private readonly themes = new Themes();
  private readonly sets = new Numbered(true);
  private readonly minifigs: Numbered;
  private readonly inventories: Inventories | null = null;
  /** Whether all tables with contents of sets are present. */
  private readonly hasContents: boolean;
  private readonly rejects: LocatedRow[] = [];
  /** The release year of the first set with a minifig. */
  private readonly firstYears = new Map<string, number>();

  constructor(
    tables: Tables,
    private readonly now: number,
  ) {
    this.minifigs = new Numbered(tables.has('minifigs'));
    const inside = ['inventories', 'inventory_minifigs', 'inventory_sets'] as const;
    this.hasContents = inside.every((name) => tables.has(name));
    // Contents need both tables.
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
    readOr(
      () => {
        if (row.mismatch !== null) throw new RowError(row.mismatch);
        this.takers[name](row);
      },
      (reason) => {
        if (name === 'sets' || name === 'minifigs') this[name].isWhole = false;
        this.rejects.push(rejectedRow(row.location, reason));
      },
    );
  }

  private readonly takers: Readonly<Record<TableName, (row: TableRow) => void>> = {
    themes: (row) =>
      this.themes.add(requiredCell(row, 'id'), {
        name: requiredCell(row, 'name'),
        parent: row.text('parent_id'),
      }),
    sets: (row) => this.sets.add(requiredCell(row, 'set_num'), row),
    minifigs: (row) => this.minifigs.add(requiredCell(row, 'fig_num'), row),
    inventories: (row) => {
      const owner = requiredCell(row, 'set_num');
      // Minifigs also have inventories, which list their parts.
      const isMinifig = owner.startsWith('fig-');
      if (isMinifig) this.checkMinifig(owner);
      else if (!this.sets.rows.has(owner)) throw new RowError(`set '${owner}' is not in sets.csv`);
      this.inventories?.add(requiredCell(row, 'id'), owner, requiredWhole(row, 'version'));
    },
    inventory_minifigs: (row) => {
      const number = requiredCell(row, 'fig_num');
      this.checkMinifig(number);
      this.addContent('minifigs', row, number);
    },
    inventory_sets: (row) => {
      const number = requiredCell(row, 'set_num');
      if (!this.sets.rows.has(number)) throw new RowError(`set '${number}' is not in sets.csv`);
      this.addContent('sets', row, number);
    },
  };

  private addContent(kind: 'minifigs' | 'sets', row: TableRow, number: string): void {
    const quantity = requiredWhole(row, 'quantity');
    if (quantity === 0) throw new RowError("'quantity' must be at least 1");
    this.inventories?.addContent(kind, requiredCell(row, 'inventory_id'), { number, quantity });
  }

  /** Without minifigs.csv, every number is accepted. */
  private checkMinifig(number: string): void {
    if (this.minifigs.isGiven && !this.minifigs.rows.has(number)) {
      throw new RowError(`minifig '${number}' is not in minifigs.csv`);
    }
  }

  private setItem(number: string, row: TableRow): LocatedRow {
    const keeps = this.hasContents ? {} : { keeps: keptOfSets };
    return setRow(row.location, { source, now: this.now, ...keeps }, (optional) => {
      const year = optional(() => wholeOf(row.text('year'), 'year'));
      const pieces = optional(() => wholeOf(row.text('num_parts'), 'num_parts'));
      const inside = this.inventories?.find(number) ?? null;
      if (year !== null && inside) this.noteYear(year, inside);
      const title = row.text('name');
      const { theme, subtheme } = this.themes.find(requiredCell(row, 'theme_id'));
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
    });
  }

  private noteYear(year: number, { numbers }: SetMinifigs): void {
    for (const number of numbers) {
      const before = this.firstYears.get(number);
      if (before === undefined || year < before) this.firstYears.set(number, year);
    }
  }

  private minifigItem(number: string, row: TableRow): LocatedRow {
    const keeps = this.hasContents ? {} : { keeps: keptOfMinifigs };
    return minifigRow(row.location, { source, now: this.now, ...keeps }, () => ({
      minifig_number: number,
      name: row.text('name'),
      year_released: this.firstYears.get(number) ?? null,
      image_url: addressOf(row.text('img_url')),
    }));
  }

  lists(): (Omit<Census, 'source'> & { readonly isWhole: boolean })[] {
    const kinds = [
      { itemKind: 'set', numbered: this.sets },
      { itemKind: 'minifig', numbered: this.minifigs },
    ] as const;
    return kinds.flatMap(({ itemKind, numbered: { rows, isGiven, isWhole } }) => {
      const keys = [...rows.keys()].map((number) => itemKey(itemKind, tidyNumber(number)));
      return isGiven ? [{ itemKind, keys: new Set(keys), isWhole }] : [];
    });
  }

  /** Items are only marked as gone if all numbers of the table could be read. */
  private *censuses(): Generator<Census> {
    for (const { itemKind, keys, isWhole } of this.lists()) {
      if (isWhole) yield { source, itemKind, keys };
    }
  }
}

/** Fields that are kept if tables with contents are missing. */
const keptOfSets = ['minifigs', 'minifigsCount'] as const;
const keptOfMinifigs = ['yearReleased'] as const;

function requiredWhole(row: TableRow, column: string): number {
  return wholeOf(requiredCell(row, column), column) ?? 0;
}
