/** A store with an account and a few sets, and files that are imported into it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ExportKind, exportRecords } from '../../src/accounts/export-records.ts';
import { type ExportFormat, exportText } from '../../src/accounts/export-text.ts';
import type { StoredLot } from '../../src/domain/portfolio/lot-store.ts';
import type { LotFacts } from '../../src/domain/portfolio/lots.ts';
import type { Store } from '../../src/domain/store.ts';
import type { ImportSettings } from '../../src/ingest/format.ts';
import { importRows } from '../../src/ingest/import.ts';
import { collection } from '../../src/ingest/private/format.ts';
import { aBrickfolio, anAccount, anUnusualLot } from './builders.ts';
import { openTestStore } from './engines.ts';
import { readAt } from './read-options.ts';
import { type FeedLine, importFeed } from './world.ts';

/** Whose files tests import unless they say otherwise. */
export const me = 'me@example.com';

/** A store for files. */
export interface FilePlace {
  readonly store: Store;
  /** The instant of the next import. */
  now: number;
  /** Imports one file; how many rows became what, and the rejects by their line. */
  load(text: string, settings?: Partial<ImportSettings>, name?: string): Promise<Loaded>;
  /** Imports several files at once; the rejects by their file and line. */
  loadAll(files: Readonly<Record<string, string>>): Promise<Loaded>;
  /** Imports lines of the feed, all of which must be good. */
  feed(...lines: readonly FeedLine[]): Promise<void>;
  addAccount(email: string): Promise<void>;
  /** A lot of an account, as it is stored. */
  findLot(sourceId: string, email?: string): Promise<StoredLot | undefined>;
  /** What an account has, as records of an export. */
  records(kind: ExportKind, email?: string): Promise<FeedLine[]>;
  /** The text of an export. */
  exported(kind: ExportKind, format: ExportFormat, email?: string): Promise<string>;
  close(): Promise<void>;
}

/** What became of the rows of a file. */
export interface Loaded {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejects: readonly string[];
}

const sets: readonly FeedLine[] = [
  { set_number: '10482-1', title: 'Harbour Lighthouse', msrp_usd: 119.99 },
  { set_number: '10483-1', title: 'Lighthouse Keeper', msrp_usd: 14.99 },
  { set_number: '10484-1', title: 'Pier' },
];

/** Makes a store with sets 10482 to 10484, the last without MSRP, a rate for EUR, and me. */
export async function makeFilePlace(): Promise<FilePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-files-'));
  const store = await openTestStore(folder);
  const clock = () => place.now;
  const idOf = async (email: string) =>
    (await store.accounts.findAccount(email, place.now))?.id ?? 0;
  const place: FilePlace = {
    store,
    now: readAt,
    load: (text, settings = {}, name = 'file.csv') =>
      importFile(store, { text, name, settings, clock }),
    loadAll: (files) => importFiles(store, { files, settings: {}, clock }),
    feed: async (...lines) => {
      const { rejects } = await importFeed(store, lines, clock);
      if (rejects.length > 0) throw new Error(JSON.stringify(rejects));
    },
    addAccount: async (email) => {
      await store.accounts.addAccount(anAccount({ email, at: place.now }));
    },
    findLot: async (sourceId, email = me) =>
      (await store.accounts.findLots(await idOf(email), [sourceId])).get(sourceId),
    records: async (kind, email = me) => {
      const source = { ...store, accountId: await idOf(email) };
      const records: FeedLine[] = [];
      for await (const page of exportRecords(kind, source)) records.push(...page);
      return records;
    },
    exported: async (kind, format, email = me) =>
      exportedText(store, { kind, format, accountId: await idOf(email) }),
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await place.addAccount(me);
  await place.feed(...sets.map((set) => ({ kind: 'set', theme: 'Coastline', ...set })), {
    kind: 'fx',
    currency: 'EUR',
    date: '2020-01-01',
    usd_per_unit: 1.1,
  });
  return place;
}

/** Adds a lot of mine that differs from the feed's defaults in every field. */
export async function addUnusualLot(place: FilePlace): Promise<LotFacts> {
  const facts = anUnusualLot();
  const attic = aBrickfolio({ name: facts.brickfolio, description: 'Above' });
  const outcomes = await place.store.accounts.applyRows(
    [
      { kind: 'brickfolio', email: me, facts: attic },
      { kind: 'holding', email: me, facts },
    ],
    place.now,
  );
  if (outcomes.some(({ kind }) => kind !== 'added')) throw new Error(JSON.stringify(outcomes));
  return facts;
}

/** Imports a file into a store as `import collection` does; rejects by their line. */
export async function importFile(
  store: Store,
  file: {
    readonly text: string;
    readonly name: string;
    readonly settings: Partial<ImportSettings>;
    clock(): number;
  },
): Promise<Loaded> {
  const { name, text, settings, clock } = file;
  const loaded = await importFiles(store, { files: { [name]: text }, settings, clock });
  return { ...loaded, rejects: loaded.rejects.map((each) => each.slice(name.length + 1)) };
}

/** The same of several files, with the name of the file before the line. */
export async function importFiles(
  store: Store,
  given: {
    readonly files: Readonly<Record<string, string>>;
    readonly settings: Partial<ImportSettings>;
    clock(): number;
  },
): Promise<Loaded> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-file-'));
  const paths = Object.entries(given.files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const { clock } = given;
  const settings: ImportSettings = {
    account: me,
    brickfolio: null,
    missingPrice: 'msrp',
    missingDate: 'unknown',
    mapping: null,
    isForced: false,
    ...given.settings,
  };
  const options = { stdin: Readable.from([]), clock, store, settings, onBytes: () => {} };
  try {
    const target = { ...store, clock, onReject: () => {} };
    const report = await importRows(collection.read(paths, options), target);
    const { added, updated, unchanged, rejects } = report;
    const shown = rejects.map((each) => `${each.where.slice(folder.length + 1)}: ${each.reason}`);
    return { added, updated, unchanged, rejects: shown };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text of an export, as `export` writes it. */
export async function exportedText(
  store: Store,
  options: { readonly kind: ExportKind; readonly format: ExportFormat; readonly accountId: number },
): Promise<string> {
  let text = '';
  // Small pages, so that there are several.
  const source = { ...store, accountId: options.accountId, pageRows: 3 };
  for await (const piece of exportText(options.kind, options.format, source)) text += piece;
  return text;
}

/** The sales that are there, shortened to what tests speak of. */
export async function shownSales(place: FilePlace): Promise<string[]> {
  const records = await place.records('sales');
  return records.map(
    (r) =>
      `${r.source_id} ${r.set_number} ${r.quantity} ${r.condition} ${r.platform} ${r.sale_date} ` +
      `gross ${r.gross_proceeds_usd} fees ${r.platform_fees_usd} shipping ${r.shipping_cost_usd} ` +
      `cost ${r.cost_basis_usd} ${r.cost_from}`,
  );
}

/** Enough of every set to sell from, ten dollars a unit. */
export async function stockUp(place: FilePlace): Promise<void> {
  await place.feed(
    { kind: 'brickfolio', account: me, name: 'Shelf' },
    ...['10482', '10483', '10484'].flatMap((set_number) =>
      ['sealed', 'used'].map((condition) => ({
        kind: 'holding',
        account: me,
        source_id: `${set_number} ${condition}`,
        brickfolio: 'Shelf',
        set_number,
        condition,
        quantity: 50,
        purchase_price_usd: 10,
        purchase_date: '2025-01-01',
      })),
    ),
  );
}
