/** A store with an account and a few sets, to import private files into. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { collection } from '../../src/ingest/own-files/format.work.ts';
import type { ImportSettings } from '../../src/ingest/runner/format.work.ts';
import { importRows } from '../../src/ingest/runner/import.work.ts';
import {
  type ExportKind,
  exportRecords,
  titlesFrom,
} from '../../src/portfolio/export/export-records.work.ts';
import { type ExportFormat, exportText } from '../../src/portfolio/export/export-text.work.ts';
import { type LotFacts, lotFacts, type StoredLot } from '../../src/portfolio/lots/lots.ts';
import type { Store } from '../../src/store/store.ts';
import { aBrickfolio, anAccount, anUnusualLot } from './builders.ts';
import { openTestStore } from './engines.ts';
import { applyRows } from './own-rows.ts';
import { readAt } from './read-options.ts';
import { type FeedLine, importFeed } from './stored-world.ts';
import { weeklyEuros } from './weekly-rates.ts';

/** The account that files are imported for by default. */
export const me = 'me@example.com';

export interface FilePlace {
  readonly store: Store;
  /** The time of the next import. */
  now: number;
  /** Imports one file; rejects start with the line number. */
  load(text: string, settings?: Partial<ImportSettings>, name?: string): Promise<Loaded>;
  /** Imports several files at once; rejects start with the file name. */
  loadAll(files: Readonly<Record<string, string>>): Promise<Loaded>;
  /** Imports feed lines; throws if one is rejected. */
  feed(...lines: readonly FeedLine[]): Promise<void>;
  addAccount(email: string): Promise<void>;
  findLot(sourceId: string, email?: string): Promise<StoredLot | undefined>;
  /** The records of an export. */
  records(kind: ExportKind, email?: string): Promise<FeedLine[]>;
  exported(kind: ExportKind, format: ExportFormat, email?: string): Promise<string>;
  close(): Promise<void>;
}

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

/** Creates a store with sets 10482 to 10484, the last without MSRP, a EUR rate, and the account. */
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
    findLot: async (sourceId, email = me) => {
      const lot = (await store.accounts.findLotsBySourceIds(await idOf(email), [sourceId])).get(
        sourceId,
      );
      return lot && { ...lotFacts(lot), sold: lot.sold };
    },
    records: async (kind, email = me) => {
      const { accounts, market } = store;
      const source = { accounts, market: titlesFrom(market), accountId: await idOf(email) };
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
  await place.feed(
    ...sets.map((set) => ({ kind: 'set', theme: 'Coastline', ...set })),
    ...weeklyEuros,
  );
  return place;
}

/** Adds a lot that differs from the feed's defaults in every field. */
export async function addUnusualLot(place: FilePlace): Promise<LotFacts> {
  const facts = anUnusualLot();
  const attic = aBrickfolio({ name: facts.brickfolio, description: 'Above' });
  const outcomes = await applyRows(
    place.store.accounts,
    [
      { kind: 'brickfolio', email: me, facts: attic },
      { kind: 'holding', email: me, facts },
    ],
    place.now,
  );
  if (outcomes.some(({ kind }) => kind !== 'added')) throw new Error(JSON.stringify(outcomes));
  return facts;
}

/** Imports a file as `import collection` does; rejects start with the line number. */
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

/** The same for several files; rejects start with the file name. */
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

/** The text that `export` writes. */
export async function exportedText(
  store: Store,
  options: { readonly kind: ExportKind; readonly format: ExportFormat; readonly accountId: number },
): Promise<string> {
  let text = '';
  // Small pages, so that there are several.
  const { accounts, market } = store;
  const about = { accountId: options.accountId, pageRows: 3 };
  const source = { accounts, market: titlesFrom(market), ...about };
  for await (const piece of exportText(options.kind, options.format, source)) text += piece;
  return text;
}

/** Stored sales as short text. */
export async function shownSales(place: FilePlace): Promise<string[]> {
  const records = await place.records('sales');
  return records.map(
    (r) =>
      `${r.source_id} ${r.set_number} ${r.quantity} ${r.condition} ${r.platform} ${r.sale_date} ` +
      `gross ${r.gross_proceeds_usd} fees ${r.platform_fees_usd} shipping ${r.shipping_cost_usd} ` +
      `cost ${r.cost_basis_usd} ${r.cost_from}`,
  );
}

/** Adds 50 units of every set in both conditions, at $10 each. */
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
