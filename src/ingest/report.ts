/**
 * What became of the rows of an import. Every row is in exactly one of the four counts; a row that
 * was taken may have fields that were not, and these are warnings.
 */

import { countText } from '../domain/kernel/format.ts';
import { escapeHiddenCharacters } from '../domain/kernel/text.ts';
import type { RowOutcome } from '../domain/market/market-ingest.ts';
import type { JoinCounts } from '../domain/market/minifig-store.ts';
import type { LocatedRow } from './located-row.ts';

/** A rejected row. */
export interface Reject {
  readonly where: string;
  readonly reason: string;
}

/** A rejected row, as it is reported while the import goes on. */
export interface RejectedRow extends Reject {
  readonly row: string;
  /** Whether it belongs to an account, so that it is nobody else's business. */
  readonly isPrivate: boolean;
}

/** Rejects and warnings kept in the report; the reject file has all rejects. */
const rejectsMax = 100;

/** What an import did. */
export interface ImportReport {
  readonly read: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Those of them that may be taken once an item or a rate arrives; left out where none may. */
  readonly missing?: number;
  /** Items that a source no longer has, where it listed all that it has: kept, and marked. */
  readonly gone?: number;
  /** How many minifigs of two catalogs are joined now, where the import changed a catalog. */
  readonly minifigs?: JoinCounts;
  /** The first of them. */
  readonly rejects: readonly Reject[];
  /** Fields that were left out of rows that were taken. */
  readonly warned: number;
  /** The first of them. */
  readonly warnings: readonly Reject[];
  /** What is to be known of the files as a whole; left out where there is nothing. */
  readonly notes?: readonly string[];
  /** Where every row was rejected: the reason that most of them share. */
  readonly mainReason?: string;
}

/** Why an import brought nothing at all; null when it did, or found all of it there already. */
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

/** Adds up an import as it goes. */
export class ReportBuilder {
  private readonly counts = { added: 0, updated: 0, unchanged: 0, rejected: 0 };
  private readonly rejects: Reject[] = [];
  private warned = 0;
  private readonly warnings: Reject[] = [];
  private readonly reasons = new ReasonCounts();
  private readonly notes: string[] = [];
  private missing = 0;
  private gone: number | null = null;
  private join: JoinCounts | null = null;

  constructor(private readonly onReject: (reject: RejectedRow) => void) {}

  add(located: LocatedRow, outcome: RowOutcome): void {
    this.counts[outcome.kind]++;
    if (outcome.kind !== 'rejected') {
      this.addWarnings(located);
      return;
    }
    if (outcome.missing) this.missing++;
    const reject = rejectOf(located, outcome.reason);
    if (this.rejects.length < rejectsMax) this.rejects.push(reject);
    this.reasons.add(reject.reason);
    this.onReject({ ...reject, row: located.text, isPrivate: isPrivate(located) });
  }

  private addWarnings(located: LocatedRow): void {
    const { result } = located;
    const reasons = ('row' in result && result.warnings) || [];
    this.warned += reasons.length;
    for (const reason of reasons) {
      if (this.warnings.length < rejectsMax) this.warnings.push(rejectOf(located, reason));
    }
  }

  addNote(note: string): void {
    this.notes.push(note);
  }

  addGone(count: number): void {
    this.gone = (this.gone ?? 0) + count;
  }

  /** What joining came to; null where there are not two catalogs. */
  addJoin(counts: JoinCounts | null): void {
    this.join = counts;
  }

  build(): ImportReport {
    const { added, updated, unchanged, rejected } = this.counts;
    const read = added + updated + unchanged + rejected;
    const gone = this.gone === null ? {} : { gone: this.gone };
    const { rejects } = this;
    const missing = this.missing === 0 ? {} : { missing: this.missing };
    const notes = this.notes.length === 0 ? {} : { notes: this.notes };
    const main = read > 0 && rejected === read ? { mainReason: this.reasons.most() } : {};
    const join = this.join === null ? {} : { minifigs: this.join };
    const { warned, warnings } = this;
    const counts = { read, added, updated, unchanged, rejected };
    return {
      ...counts,
      ...missing,
      ...gone,
      ...join,
      rejects,
      warned,
      warnings,
      ...notes,
      ...main,
    };
  }
}

/** A reason repeats what the row says, and is shown on terminals and pages. */
function rejectOf({ where }: LocatedRow, reason: string): Reject {
  return { where, reason: escapeHiddenCharacters(reason) };
}

function isPrivate({ result }: LocatedRow): boolean {
  return 'row' in result ? 'email' in result.row : result.isPrivate === true;
}

/** Reasons that are told apart; what comes after so many is not counted. */
const reasonsMax = 1_000;

/** Counts reasons; what rows say themselves is in quotes or at the end, and tells none apart. */
class ReasonCounts {
  private readonly counts = new Map<string, { readonly first: string; count: number }>();

  add(reason: string): void {
    const kind = reason.replace(/( at column |, not |: ).*$/, '').replace(/'[^']*'/g, "''");
    const known = this.counts.get(kind);
    if (known) known.count++;
    else if (this.counts.size < reasonsMax) this.counts.set(kind, { first: reason, count: 1 });
  }

  /** The first of those that there are most of. */
  most(): string {
    const [most] = [...this.counts.values()].sort((a, b) => b.count - a.count);
    return most?.first ?? '';
  }
}
