/**
 * The report of an import. Every row is counted once: added, updated, unchanged or rejected.
 * Imported rows may have warnings, such as dropped fields, and may wait for exchange rates.
 */
import type { JoinCounts } from '../../catalog/minifigs/unsure-minifigs.ts';
import { countText } from '../../kernel/format.ts';
import { escapeHiddenCharacters } from '../../kernel/text.ts';
import type { RowOutcome, WaitingRows } from '../../market/source-rows/market-ingest.ts';
import type { AccountOutcome } from '../../portfolio/lots/private-rows.ts';
import type { LocatedRow } from './located-row.ts';
import { waitingCount, waitingText } from './waiting-text.ts';

export interface Reject {
  readonly where: string;
  readonly reason: string;
}

export interface RejectedRow extends Reject {
  readonly row: string;
  /** Whether it belongs to an account, and must not be shown to others. */
  readonly isPrivate: boolean;
}

export interface Warning extends Reject {
  /** Whether it is about a row of an account, and must not be shown to others. */
  readonly isPrivate: boolean;
}

/** Rejects and warnings kept in the report; the reject file has all rejects. */
const rejectsMax = 100;

export interface ImportReport {
  readonly read: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Rejects that may succeed once an item or, for rows of accounts, a rate is imported. */
  readonly missing?: number;
  /** Imported rows, unchanged ones included, that do not count before they have a rate. */
  readonly waiting?: number;
  /** Rows of earlier imports that no longer wait. */
  readonly arrived?: number;
  /** Items missing from a census; they are kept and marked. */
  readonly gone?: number;
  /** Joined minifigs, if the import changed a catalog. */
  readonly minifigs?: JoinCounts;
  /** The first `rejectsMax`. */
  readonly rejects: readonly Reject[];
  /** Number of dropped fields, and of rows that may be wrong. */
  readonly warned: number;
  /** How many of them are about rows of accounts. */
  readonly warnedPrivately: number;
  /** The first `rejectsMax`. */
  readonly warnings: readonly Warning[];
  readonly notes?: readonly string[];
  /** The most frequent reason, if all rows were rejected. */
  readonly mainReason?: string;
}

/** Why nothing was imported; null if something was, or already existed. */
export function nothingImported({ read, rejected, mainReason }: ImportReport): string | null {
  if (read === 0) {
    return 'No rows found. Check that this is the right file.';
  }
  if (rejected < read) return null;
  return read === 1
    ? `Nothing was imported: the only row was rejected (${mainReason}).`
    : `Nothing was imported: all ${countText(read)} rows were rejected, ` +
        `most for one reason (${mainReason}).`;
}

export class ReportBuilder {
  private readonly counts = { added: 0, updated: 0, unchanged: 0, rejected: 0 };
  private readonly rejects: Reject[] = [];
  private warned = 0;
  private warnedPrivately = 0;
  private readonly warnings: Warning[] = [];
  private readonly reasons = new ReasonCounts();
  private readonly notes: string[] = [];
  private missing = 0;
  private waiting = 0;
  private gone: number | null = null;
  private join: JoinCounts | null = null;

  constructor(private readonly onReject: (reject: RejectedRow) => void) {}

  add(located: LocatedRow, outcome: RowOutcome | AccountOutcome): void {
    this.counts[outcome.kind]++;
    if (outcome.kind !== 'rejected') {
      this.addWarnings(located, outcome.warning);
      return;
    }
    if (outcome.missing) this.missing++;
    const reject = rejectOf(located, outcome.reason);
    if (this.rejects.length < rejectsMax) this.rejects.push(reject);
    this.reasons.add(reject.reason);
    this.onReject({ ...reject, row: located.text, isPrivate: isPrivate(located) });
  }

  private addWarnings(located: LocatedRow, warning: string | undefined): void {
    const { result } = located;
    const ignored = ('row' in result && result.warnings) || [];
    const reasons = warning === undefined ? ignored : [...ignored, warning];
    this.warned += reasons.length;
    if (isPrivate(located)) this.warnedPrivately += reasons.length;
    for (const reason of reasons) {
      if (this.warnings.length >= rejectsMax) return;
      this.warnings.push({ ...rejectOf(located, reason), isPrivate: isPrivate(located) });
    }
  }

  addWaiting(waiting: readonly WaitingRows[]): void {
    this.waiting = waitingCount(waiting);
    if (this.waiting > 0) this.addNote(waitingText(waiting));
  }

  addNote(note: string): void {
    this.notes.push(note);
  }

  addGone(count: number): void {
    this.gone = (this.gone ?? 0) + count;
  }

  /** Null if there are not two catalogs. */
  addJoin(counts: JoinCounts | null): void {
    this.join = counts;
  }

  build(): ImportReport {
    const { added, updated, unchanged, rejected } = this.counts;
    const read = added + updated + unchanged + rejected;
    const gone = this.gone === null ? {} : { gone: this.gone };
    const { rejects } = this;
    const missing = this.missing === 0 ? {} : { missing: this.missing };
    const waiting = this.waiting === 0 ? {} : { waiting: this.waiting };
    const notes = this.notes.length === 0 ? {} : { notes: this.notes };
    const main = read > 0 && rejected === read ? { mainReason: this.reasons.most() } : {};
    const join = this.join === null ? {} : { minifigs: this.join };
    const { warned, warnedPrivately, warnings } = this;
    const counts = { read, added, updated, unchanged, rejected };
    return {
      ...counts,
      ...missing,
      ...waiting,
      ...gone,
      ...join,
      rejects,
      warned,
      warnedPrivately,
      warnings,
      ...notes,
      ...main,
    };
  }
}

/** Reasons quote values of the row, and are shown in terminals and pages. */
function rejectOf({ where }: LocatedRow, reason: string): Reject {
  return { where, reason: escapeHiddenCharacters(reason) };
}

function isPrivate({ result }: LocatedRow): boolean {
  return 'row' in result ? 'email' in result.row : result.isPrivate === true;
}

/** Further reasons are not counted. */
const reasonsMax = 1_000;

/** Counts reasons, ignoring the values they quote. */
class ReasonCounts {
  private readonly counts = new Map<string, { readonly first: string; count: number }>();

  add(reason: string): void {
    const kind = reason.replace(/( at column |, not |: ).*$/, '').replace(/'[^']*'/g, "''");
    const known = this.counts.get(kind);
    if (known) known.count++;
    else if (this.counts.size < reasonsMax) this.counts.set(kind, { first: reason, count: 1 });
  }

  most(): string {
    const [most] = [...this.counts.values()].sort((a, b) => b.count - a.count);
    return most?.first ?? '';
  }
}
