/** Imports by an account's owner: one file, which may only change data of that account. */

import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { emailKey } from '../../accounts/people/email.ts';
import { at } from '../../kernel/at.ts';
import { countText } from '../../kernel/format.ts';
import type { Clock } from '../../kernel/time.ts';
import type { KnownItems } from '../../market/source-rows/known-items.store.ts';
import type { LotFacts } from '../../portfolio/lots/lots.ts';
import type { UnitPrice } from '../../portfolio/lots/price-question.ts';
import type {
  AccountOutcome,
  AccountRow,
  ChangeAccount,
  PrivateRow,
  RecordedRow,
} from '../../portfolio/lots/private-rows.ts';
import { SourceFileError } from '../readers/source-file.work.ts';
import { type Corrections, Corrector, type RowField, skippedReason } from './corrections.work.ts';
import type {
  Format,
  ImportLookups,
  ImportSettings,
  OwnAnswers,
  ReadOptions,
  Recognized,
} from './format.work.ts';
import { formats } from './formats.work.ts';
import { importRows } from './import.work.ts';
import { type LocatedRow, type RowResult, rejectedRow, type SourceItem } from './located-row.ts';
import { type RejectGroup, RejectGroups } from './reject-groups.ts';
import type { ImportReport, Reject, RejectedRow } from './report.ts';

/** Larger files must be imported by the operator. */
export const ownRowsMax = 20_000;

/** Pause between groups of rows, so that the server can handle other requests. */
const pauseMs = 5;

/** Limits of archives. */
const unpackedBytesMax = 64 * 1024 * 1024;
export const membersMax = 20;

const rejectsListed = 100;

/** Changes shown in the preview. */
const changesMax = 50;

export interface OwnImport {
  readonly path: string;
  readonly owner: { readonly accountId: number; readonly email: string };
  readonly settings: Pick<ImportSettings, 'brickfolio' | 'missingPrice' | 'missingDate'>;
  /** Answers from the import page; absent if nothing was asked. */
  readonly answers?: OwnAnswers;
  /** By the location of the row, without the folder of the file. */
  readonly corrections?: Corrections;
  /** Questions about unit prices, and whether the owner has confirmed those prices. */
  readonly prices?: {
    readonly areConfirmed: boolean;
    question(prices: readonly UnitPrice[]): Promise<readonly (string | null)[]>;
  };
  /** The same about the names of sets in the file, and whether their numbers are right. */
  readonly names?: {
    readonly areConfirmed: boolean;
    question(named: readonly NamedSet[]): Promise<readonly (string | null)[]>;
  };
  readonly store: ImportLookups & { readonly market: Pick<KnownItems, 'findNumbers'> };
  readonly clock: Clock;
  /** Whether nothing is written, so the file need not be checked first. */
  readonly isRehearsal: boolean;
  /** Aborts reading and rehearsals, but not writing. */
  readonly signal: AbortSignal;
  onReject?(reject: RejectedRow): void;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** A set in a file: its number, and its name there. */
export interface NamedSet {
  readonly number: string;
  readonly name: string;
}

export interface FileGaps {
  readonly withoutDate: number;
  readonly withoutPrice: number;
  /** An ambiguous date, as written. */
  readonly unclearDay: string | null;
  /** Lots and sales whose price is far from the market value. */
  readonly farPrices: number;
  /** Lots and sales whose name fits another set than their number. */
  readonly otherNames: number;
}

/** A row that a file adds or changes. */
export interface FileChange {
  readonly kind: 'added' | 'updated';
  readonly row: RecordedRow;
}

/** A row that was rejected, or that the owner corrected or skipped. */
export interface CorrectableRow {
  /** Without the folder of the file. */
  readonly where: string;
  /** Why it is rejected; null if it is not. */
  readonly reason: string | null;
  readonly isSkipped: boolean;
  /** None if only skipping is possible. */
  readonly fields: readonly RowField[];
}

export interface OwnOutcome {
  readonly report: ImportReport;
  /** The first `changesMax`. */
  readonly changes: readonly FileChange[];
  readonly recognized: Recognized;
  readonly gaps: FileGaps;
  readonly rejectGroups: readonly RejectGroup[];
  /** The first `rejectsListed` rejected rows, then those that were corrected or skipped. */
  readonly correctable: readonly CorrectableRow[];
  /** Lots, sales and collections that are added or changed. */
  readonly counts: Readonly<Record<PrivateRow['kind'], number>>;
  /** The first `changesMax` with a price far from the market value. */
  readonly farPrices: readonly QuestionedRow[];
  /** The first `changesMax` whose name fits another set. */
  readonly otherNames: readonly QuestionedRow[];
}

export interface QuestionedRow {
  readonly row: RecordedRow;
  /** A sentence that says what may be wrong. */
  readonly question: string;
}

/** Feeds are recognized by their file name, other formats by content. */
export function formatOf(path: string): Format {
  const isFeed = /\.(ndjson|jsonl)(\.gz)?$/i.test(path);
  return isFeed ? formats.feed : formats.collection;
}

/**
 * Applies rows to `target`: the store or a rehearsal. Throws a `SourceFileError` before anything is
 * written if the file cannot be read.
 */
export async function importOwn(
  work: OwnImport,
  target: { readonly change: ChangeAccount },
): Promise<OwnOutcome> {
  const format = formatOf(work.path);
  const recognized: Recognized[] = format === formats.feed ? [{ name: 'Brickmark feed' }] : [];
  const unclearDay = null as string | null;
  const gaps = { withoutDate: 0, withoutPrice: 0, unclearDay, farPrices: 0, otherNames: 0 };
  const farPrices: QuestionedRow[] = [];
  const otherNames: QuestionedRow[] = [];
  const groups = new RejectGroups();
  const rows = new CorrectableRows(work);
  const { corrector } = rows;
  // A first pass rejects broken and oversized files before anything is written.
  if (!work.isRehearsal) for await (const _ of readOwn(format, { ...work, corrector }));
  const { signal } = work.isRehearsal ? work : new AbortController();
  const reading = { ...work, signal, corrector };
  const changes: FileChange[] = [];
  const counts = { brickfolio: 0, holding: 0, ledger_sale: 0 };
  const change: ChangeAccount = async (accountId, { rows: given, ...how }, now) => {
    if (work.isRehearsal) checkTime(work.signal);
    const rows = given.filter(isRecorded);
    const questions = await questionsOf(rows, work.prices);
    questions.forEach((question, index) => {
      const row = rows[index];
      if (question === null || !row) return;
      gaps.farPrices++;
      if (farPrices.length < changesMax) farPrices.push({ row, question });
    });
    const apply = async (some: readonly RecordedRow[]) =>
      (await target.change(accountId, { ...how, rows: some }, now)).outcomes;
    const outcomes = work.prices?.areConfirmed
      ? await apply(rows)
      : await applyOthers(rows, questions, apply);
    outcomes.forEach(({ kind }, index) => {
      const row = rows[index];
      if ((kind !== 'added' && kind !== 'updated') || !row) return;
      // All collections are listed, because they are few.
      if (counts.holding + counts.ledger_sale < changesMax) changes.push({ kind, row });
      counts[row.kind]++;
    });
    return { outcomes, editId: null, wasApplied: false };
  };
  const { market } = work.store;
  const noted = (what: Recognized) => void recognized.push(what);
  const named = askingNames(readOwn(format, reading, noted), work.names, (row, question) => {
    gaps.otherNames++;
    if (otherNames.length < changesMax) otherNames.push({ row, question });
  });
  const report = await importRows(countingGaps(named, gaps), {
    accounts: { findAccount: async () => ({ id: work.owner.accountId }), change },
    market: {
      findNumbers: (kind, keys) => market.findNumbers(kind, keys),
      findRates: (queries) => market.findRates(queries),
      applyRows: () => Promise.reject(new Error('An owner does not write to the market.')),
      markGone: () => Promise.reject(new Error('An owner does not write to the market.')),
      joinMinifigs: () => Promise.reject(new Error('An owner does not write to the market.')),
    },
    clock: work.clock,
    onReject: (reject) => {
      groups.add(reject);
      rows.add(reject);
      work.onReject?.(reject);
    },
  });
  const rejectGroups = groups.groups;
  const correctable = rows.list();
  const found = { rejectGroups, correctable, counts, farPrices, otherNames };
  return { report, changes, recognized: joined(recognized), gaps, ...found };
}

/** In the order of the rows; null for rows without a price, or with a plausible one. */
async function questionsOf(
  rows: readonly RecordedRow[],
  asking: OwnImport['prices'],
): Promise<readonly (string | null)[]> {
  const prices = rows.map(unitPriceOf);
  const given = prices.filter((price) => price !== null);
  const questions = asking && given.length > 0 ? await asking.question(given) : [];
  let index = 0;
  return prices.map((price) => (price === null ? null : (questions[index++] ?? null)));
}

/** Null for collections, and for prices that are estimated. */
function unitPriceOf(row: RecordedRow): UnitPrice | null {
  if (row.kind === 'brickfolio') return null;
  const { kind, number, condition } = row.facts;
  if (row.kind === 'ledger_sale') {
    const cents = Math.round(row.facts.grossCents / row.facts.quantity);
    return { kind, number, condition, cents };
  }
  return row.facts.isEstimated ? null : { kind, number, condition, cents: row.facts.priceCents };
}

function isRecorded(row: AccountRow): row is RecordedRow {
  return row.kind === 'brickfolio' || row.kind === 'holding' || row.kind === 'ledger_sale';
}

/** Rejects the rows with a question, and applies the others. */
async function applyOthers(
  rows: readonly RecordedRow[],
  questions: readonly (string | null)[],
  apply: (rows: readonly RecordedRow[]) => Promise<readonly AccountOutcome[]>,
): Promise<readonly AccountOutcome[]> {
  const others = rows.filter((_, index) => questions[index] === null);
  const outcomes = others.length > 0 ? await apply(others) : [];
  let applied = 0;
  return questions.map((question) =>
    question === null
      ? at(outcomes, applied++)
      : { kind: 'rejected', reason: question, missing: false },
  );
}

/** Collects the rows that the owner can correct. */
class CorrectableRows {
  readonly corrector: Corrector;
  private readonly folder: string;
  private readonly corrections: Corrections;
  /** By location, because a row may become several lots. */
  private readonly rejected = new Map<string, CorrectableRow>();

  constructor({ path, corrections = new Map() }: Pick<OwnImport, 'path' | 'corrections'>) {
    this.folder = `${dirname(path)}/`;
    this.corrections = corrections;
    const located = Array.from(
      corrections,
      ([where, each]) => [this.folder + where, each] as const,
    );
    this.corrector = new Corrector(new Map(located));
  }

  add({ where: located, reason }: Reject): void {
    const where = located.replace(this.folder, '');
    const isSkipped = this.corrector.isSkipped(located);
    if (isSkipped || this.rejected.size >= rejectsListed || this.rejected.has(where)) return;
    const fields = this.corrector.fieldsOf(located);
    this.rejected.set(where, { where, reason, isSkipped, fields });
  }

  list(): CorrectableRow[] {
    const others = [...this.corrections].filter(([where]) => !this.rejected.has(where));
    const done = others.map(([where, { isSkipped }]) => {
      const fields = this.corrector.fieldsOf(this.folder + where);
      return { where, reason: null, isSkipped, fields };
    });
    return [...this.rejected.values(), ...done];
  }
}

/** Rejects rows whose name fits another set, unless the owner has confirmed their numbers. */
async function* askingNames(
  source: AsyncIterable<readonly SourceItem[]>,
  names: OwnImport['names'],
  onQuestion: (row: PrivateRow, question: string) => void,
): AsyncGenerator<readonly SourceItem[]> {
  for await (const items of source) {
    const named = items.flatMap((item) => namedSetIn(item) ?? []);
    const questions = names && named.length > 0 ? await names.question(named) : [];
    const byItem = new Map(named.map(({ item }, index) => [item, questions[index] ?? null]));
    for (const { item, row } of named) {
      const question = byItem.get(item);
      if (question) onQuestion(row, question);
    }
    yield names?.areConfirmed ? items : withoutQuestioned(items, byItem);
  }
}

type NamedRow = NamedSet & { readonly item: LocatedRow; readonly row: PrivateRow };

/** Null for other rows than lots and sales of sets that the file names. */
function namedSetIn(item: SourceItem): NamedRow | null {
  if (!('result' in item) || !('row' in item.result)) return null;
  const { row, gaps } = item.result;
  const isLotOrSale = row.kind === 'holding' || row.kind === 'ledger_sale';
  if (!isLotOrSale || !gaps?.name || row.facts.kind !== 'set') return null;
  return { item, row, number: row.facts.number, name: gaps.name };
}

/** A row that becomes two lots is rejected once. */
function withoutQuestioned(
  items: readonly SourceItem[],
  questions: ReadonlyMap<SourceItem, string | null>,
): SourceItem[] {
  const rejected = new Set<string>();
  return items.flatMap((item) => {
    const question = questions.get(item);
    if (!question || !('result' in item)) return [item];
    if (rejected.has(item.where)) return [];
    rejected.add(item.where);
    return [rejectedRow(item, question)];
  });
}

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

/** Names of all members of an archive; columns only if there is one. */
function joined(parts: readonly Recognized[]): Recognized {
  const [first, ...others] = parts;
  if (first && others.length === 0) return first;
  return { name: [...new Set(parts.map(({ name }) => name))].join(' and ') };
}

export type FileUnits = Pick<LotFacts, 'kind' | 'number' | 'quantity' | 'condition'>;

export interface FileContents {
  readonly units: readonly FileUnits[];
  /** The first `rejectsListed`. */
  readonly rejects: readonly Reject[];
  readonly rejected: number;
}

/**
 * Reads sets and minifigs without importing them, so prices are not required. Throws a
 * `SourceFileError` if the file cannot be read.
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

/** Null for a collection. */
function unitsIn(result: RowResult): FileUnits | { readonly reason: string } | null {
  if ('reason' in result) {
    return { reason: result.reason };
  }
  if (result.row.kind === 'brickfolio') return null;
  if (result.row.kind !== 'holding') return { reason: 'it is a sale, not something in a box' };
  const { kind, number, quantity, condition } = result.row.facts;
  return { kind, number, quantity, condition };
}

/** Rows of other accounts and of the market, and those that were skipped, become rejects. */
async function* readOwn(
  format: Format,
  work: OwnImport & { readonly corrector?: Corrector },
  onRecognized?: (what: Recognized) => void,
): AsyncGenerator<readonly SourceItem[]> {
  const { owner, settings, answers, corrector, store, clock, path, signal } = work;
  const { email } = owner;
  const { sleep = Bun.sleep } = work;
  const options: ReadOptions = {
    stdin: Readable.from([]),
    clock,
    store,
    onBytes: () => {},
    settings: { ...settings, account: email, mapping: null, isForced: false },
    unpacking: { bytesMax: unpackedBytesMax, membersMax, signal },
    ...(answers && { answers }),
    ...(corrector && { corrector }),
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
    yield items
      .flatMap((item) => ownItem(item, emailKey(email)))
      .map((item) => (isSkipped(item, corrector) ? withoutRow(item) : item));
    // Reading local files never yields to the event loop on its own.
    await sleep(pauseMs);
  }
}

function isSkipped(item: SourceItem, corrector: Corrector | undefined): item is LocatedRow {
  return 'where' in item && corrector?.isSkipped(item.where) === true;
}

/** Skipped only here, so that the other rows of its order stay the same. */
function withoutRow({ where, text }: LocatedRow): LocatedRow {
  return { where, text, result: { reason: skippedReason } };
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
  // Do not reveal whether the other account exists.
  if (emailKey(result.row.email) === owner) return [item];
  return [{ ...item, result: { reason: 'the line is for another account' } }];
}
