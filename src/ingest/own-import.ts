/**
 * An import by an account's owner: one file, and nothing in it may touch anything but what is the
 * owner's own.
 */

import { Readable } from 'node:stream';
import type { AccountStore } from '../domain/account/account-store.ts';
import { emailKey } from '../domain/account/email.ts';
import type { ItemKind } from '../domain/catalog/numbers.ts';
import { countText } from '../domain/kernel/format.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { RowOutcome } from '../domain/market/market-ingest.ts';
import type { MarketStore } from '../domain/market/market-store.ts';
import type { Condition } from '../domain/market/source-rows.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';
import type {
  Format,
  ImportLookups,
  ImportSettings,
  OwnAnswers,
  ReadOptions,
  Recognized,
} from './format.ts';
import { formats } from './formats.ts';
import { importRows } from './import.ts';
import type { RowResult, SourceItem } from './located-row.ts';
import { SourceFileError } from './readers/source-file.ts';
import { type RejectGroup, RejectGroups } from './reject-groups.ts';
import type { ImportReport, Reject, RejectedRow } from './report.ts';

/** Rows of one import by an owner; more are for whoever runs the site. */
export const ownRowsMax = 20_000;

/** How long a server that reads a file attends to others between two groups of rows. */
const pauseMs = 5;

/** What may come out of a packed file, and how many files may be in it. */
const unpackedBytesMax = 64 * 1024 * 1024;
const membersMax = 20;

/** Rows of a file that are listed as neither sets nor minifigs. */
const rejectsListed = 100;

/** Lots and sales that are listed one by one. */
const changesMax = 50;

/** What is imported, and for whom. */
export interface OwnImport {
  readonly path: string;
  readonly email: string;
  readonly settings: Pick<ImportSettings, 'brickfolio' | 'missingPrice' | 'missingDate'>;
  /** What was answered about the file on a page; left out where nobody is asked. */
  readonly answers?: OwnAnswers;
  readonly store: ImportLookups & { readonly market: Pick<MarketStore, 'findSetNumbers'> };
  readonly clock: Clock;
  /** Whether nothing is written, so that a broken file may be noticed late. */
  readonly isRehearsal: boolean;
  /** Ends reading and rehearsing; what is being written is written to its end. */
  readonly signal: AbortSignal;
  /** Called with every row that is rejected. */
  onReject?(reject: RejectedRow): void;
}

/** What the lots of a file do not say, so that its owner is asked. */
export interface FileGaps {
  /** Lots without a day of purchase, and without a price. */
  readonly withoutDate: number;
  readonly withoutPrice: number;
  /** A day that could be read both ways, as it is written. */
  readonly unclearDay: string | null;
}

/** A row that was added, or that changed what was there. */
export interface OwnChange {
  readonly kind: 'added' | 'updated';
  readonly row: PrivateRow;
}

/** The result of the import. */
export interface OwnOutcome {
  readonly report: ImportReport;
  /** The first of the changes. */
  readonly changes: readonly OwnChange[];
  readonly recognized: Recognized;
  readonly gaps: FileGaps;
  readonly rejectGroups: readonly RejectGroup[];
}

/** The format of a file: lines of the feed show by its name, everything else by what is in it. */
export function formatOf(path: string): Format {
  const isFeed = /\.(ndjson|jsonl)(\.gz)?$/i.test(path);
  return isFeed ? formats.feed : formats.collection;
}

/**
 * Imports a file with rows applied by `target`: the store, or a rehearsal of it. A file that cannot
 * be read throws a `SourceFileError` before anything is written.
 */
export async function importOwn(
  work: OwnImport,
  target: Pick<AccountStore, 'applyRows'>,
): Promise<OwnOutcome> {
  const format = formatOf(work.path);
  const recognized: Recognized[] = format === formats.feed ? [{ name: 'Brickmark feed' }] : [];
  const gaps = { withoutDate: 0, withoutPrice: 0, unclearDay: null as string | null };
  const groups = new RejectGroups();
  // A file that turns out to be broken, or too long, has written nothing.
  if (!work.isRehearsal) for await (const _ of readOwn(format, work));
  const reading = work.isRehearsal ? work : { ...work, signal: new AbortController().signal };
  const changes: OwnChange[] = [];
  let listed = 0;
  const applyRows = async (rows: readonly PrivateRow[], at: number): Promise<RowOutcome[]> => {
    if (work.isRehearsal) checkTime(work.signal);
    const outcomes = await target.applyRows(rows, at);
    outcomes.forEach(({ kind }, index) => {
      const row = rows[index];
      if ((kind !== 'added' && kind !== 'updated') || !row || listed >= changesMax) return;
      changes.push({ kind, row });
      // Collections are few, and what is in them is what matters.
      if (row.kind !== 'brickfolio') listed++;
    });
    return outcomes;
  };
  const { market } = work.store;
  const noted = (what: Recognized) => void recognized.push(what);
  const report = await importRows(countingGaps(readOwn(format, reading, noted), gaps), {
    accounts: { applyRows },
    market: {
      findSetNumbers: (keys) => market.findSetNumbers(keys),
      applyRows: () => Promise.reject(new Error('An owner does not write to the market.')),
      markGone: () => Promise.reject(new Error('An owner does not write to the market.')),
      joinMinifigs: () => Promise.reject(new Error('An owner does not write to the market.')),
    },
    clock: work.clock,
    onReject: (reject) => {
      groups.add(reject);
      work.onReject?.(reject);
    },
  });
  const rejectGroups = groups.groups;
  return { report, changes, recognized: joined(recognized), gaps, rejectGroups };
}

/** Counts what rows do not say, as they go by. */
async function* countingGaps(
  source: AsyncIterable<readonly SourceItem[]>,
  counts: { -readonly [Name in keyof FileGaps]: FileGaps[Name] },
): AsyncGenerator<readonly SourceItem[]> {
  for await (const items of source) {
    for (const item of items) {
      const gaps = 'result' in item ? item.result.gaps : undefined;
      if (gaps?.hasNoDate) counts.withoutDate++;
      if (gaps?.hasNoPrice) counts.withoutPrice++;
      counts.unclearDay ??= gaps?.unclearDay ?? null;
    }
    yield items;
  }
}

/** What several files in an archive are together; of one alone, its columns can be named. */
function joined(parts: readonly Recognized[]): Recognized {
  const [first, ...others] = parts;
  if (first && others.length === 0) return first;
  return { name: [...new Set(parts.map(({ name }) => name))].join(' and ') };
}

/** Units of sets or minifigs that a file tells of. */
export interface FileUnits {
  readonly kind: ItemKind;
  readonly number: string;
  readonly quantity: number;
  readonly condition: Condition;
}

/** What a file says that somebody has, and what it says that is neither a set nor a minifig. */
export interface FileContents {
  readonly units: readonly FileUnits[];
  /** The first of them. */
  readonly rejects: readonly Reject[];
  readonly rejected: number;
}

/**
 * Reads what a file says that somebody has, without a thought of importing it: minifigs count, and
 * no price is missed. A file that cannot be read throws a `SourceFileError`.
 */
export async function readContents(work: OwnImport): Promise<FileContents> {
  const units: FileUnits[] = [];
  const rejects: Reject[] = [];
  let rejected = 0;
  for await (const items of readOwn(formatOf(work.path), work)) {
    for (const item of items) {
      if (!('result' in item)) continue;
      const found = unitsIn(item.result);
      if (found === null) continue;
      if ('kind' in found) units.push(found);
      else if (++rejected <= rejectsListed) rejects.push({ where: item.where, ...found });
    }
  }
  return { units, rejects, rejected };
}

/** The units in a row, or why there are none; null for a collection, which is nothing by itself. */
function unitsIn(result: RowResult): FileUnits | { readonly reason: string } | null {
  if ('reason' in result) {
    const { reason, minifig } = result;
    return minifig ? { kind: 'minifig', ...minifig } : { reason };
  }
  if (result.row.kind === 'brickfolio') return null;
  if (result.row.kind !== 'holding') return { reason: 'it is a sale, not something in a box' };
  const { setNumber, quantity, condition } = result.row.facts;
  return { kind: 'set', number: setNumber, quantity, condition };
}

/** The rows of the file, without those that are none of the owner's business. */
async function* readOwn(
  format: Format,
  work: OwnImport,
  onRecognized?: (what: Recognized) => void,
): AsyncGenerator<readonly SourceItem[]> {
  const { email, settings, answers, store, clock, path, signal } = work;
  const options: ReadOptions = {
    stdin: Readable.from([]),
    clock,
    store,
    onBytes: () => {},
    settings: { ...settings, account: email, mapping: null, isForced: false },
    unpacking: { bytesMax: unpackedBytesMax, membersMax, signal },
    ...(answers && { answers }),
    ...(onRecognized && { onRecognized }),
  };
  let read = 0;
  for await (const items of format.read([path], options)) {
    checkTime(signal);
    read += items.length;
    if (read > ownRowsMax) {
      throw new SourceFileError(
        `The file has more than ${countText(ownRowsMax)} rows; split it, or ask the operator ` +
          'of this site to import it.',
      );
    }
    yield items.flatMap((item) => ownItem(item, emailKey(email)));
    // Reading goes on without a pause as long as there is something: others get their turn here.
    await Bun.sleep(pauseMs);
  }
}

function checkTime(signal: AbortSignal): void {
  if (signal.aborted) throw new SourceFileError('The file takes too long to import. Split it.');
}

function ownItem(item: SourceItem, owner: string): SourceItem[] {
  if ('keys' in item || 'note' in item) return [];
  if ('prerequisite' in item) return emailKey(item.prerequisite.email) === owner ? [item] : [];
  const { result } = item;
  if ('reason' in result) return [item];
  if (!('email' in result.row)) {
    const reason = 'only collections, lots and sales can be imported here';
    return [{ ...item, result: { reason } }];
  }
  // Whether there is such an account is not revealed.
  if (emailKey(result.row.email) === owner) return [item];
  return [{ ...item, result: { reason: 'the line is for another account' } }];
}
