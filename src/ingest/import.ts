/** Applies the rows of a source to a store: in batches, repeatable, every row accounted for. */
import type { AccountStore } from '../domain/account/account-store.ts';
import { emailKey } from '../domain/account/email.ts';
import { compareText, itemKey } from '../domain/catalog/numbers.ts';
import { MemoryKeeper } from '../domain/kernel/memory.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { MarketRow, RowOutcome } from '../domain/market/market-ingest.ts';
import type { MarketStore } from '../domain/market/market-store.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';
import { feedSource } from './feed/feed-catalog.ts';
import type { Census, LocatedRow, Prerequisite, SourceItem } from './located-row.ts';
import { SourceFileError } from './readers/source-file.ts';
import { type ImportReport, type RejectedRow, ReportBuilder } from './report.ts';

/** Market rows per transaction: readers never wait for them. */
const marketBatchRows = 50_000;

/** A record of an item takes as much memory as this many sales, and fills a batch as they do. */
const recordWeight = 5;

/** An import that holds less than this is in nobody's way. */
const quietBytes = 400 * 2 ** 20;

/** Private rows per transaction: few, because the API's own writes wait for them. */
const privateBatchRows = 100;

/** Rows that may be deferred to the end of the file, for something that comes later in it. */
const deferredRowsMax = 1_000_000;

/** Where rows go, and who is informed. */
export interface ImportTarget {
  readonly market: Pick<MarketStore, 'applyRows' | 'findSetNumbers' | 'markGone' | 'joinMinifigs'>;
  readonly accounts: Pick<AccountStore, 'applyRows'>;
  readonly clock: Clock;
  onReject(reject: RejectedRow): void;
}

/** Imports rows that come in groups. Throws only on a fault; the batch at hand is rolled back. */
export async function importRows(
  groups: AsyncIterable<readonly SourceItem[]>,
  target: ImportTarget,
): Promise<ImportReport> {
  const report = new ReportBuilder((reject) => target.onReject(reject));
  const batch = new Batch(target, report);
  const memory = new MemoryKeeper(quietBytes);
  for await (const group of groups) {
    for (const item of group) {
      if ('keys' in item) batch.addCensus(item);
      else if ('note' in item) report.addNote(item.note);
      else if ('prerequisite' in item) await applyPrerequisite(item, target);
      else batch.add(item);
      if (!batch.isFull()) continue;
      await batch.apply();
      memory.check();
    }
  }
  await batch.finish();
  return report.build();
}

async function applyPrerequisite(
  { prerequisite }: Prerequisite,
  target: ImportTarget,
): Promise<void> {
  const [outcome] = await target.accounts.applyRows([prerequisite], target.clock());
  if (outcome?.kind === 'rejected') {
    throw new SourceFileError(`Nothing was imported: ${outcome.reason}.`);
  }
}

interface PendingRow<R> {
  readonly located: LocatedRow;
  readonly row: R;
  readonly mayWait: boolean;
}

interface DeferredRow extends PendingRow<MarketRow | PrivateRow> {
  /** Why it could not be applied when it was read. */
  readonly reason: string;
}

type LedgerRow = PrivateRow & { readonly kind: 'ledger_sale' };

/** Rows of the next transaction, and those that are deferred to the end of the file. */
class Batch {
  private market: PendingRow<MarketRow>[] = [];
  private holdings: PendingRow<PrivateRow>[] = [];
  /** What the rows take together, counted in sales. */
  private weight = 0;
  /** Refer to something that is not there, but may come later in the file. By identity. */
  private readonly deferred = new Map<string, DeferredRow>();
  /** Sales are applied after lots, whatever the order of the lines. */
  private ledger: PendingRow<LedgerRow>[] = [];
  private readonly censuses: Census[] = [];
  /** Whether catalogs have to be joined anew. */
  private isCatalogChanged = false;

  constructor(
    private readonly target: ImportTarget,
    private readonly report: ReportBuilder,
  ) {}

  add(located: LocatedRow): void {
    const { result } = located;
    if ('reason' in result) {
      this.report.add(located, { kind: 'rejected', reason: result.reason, missing: false });
    } else if (isLedger(result.row) && this.ledger.length >= deferredRowsMax) {
      const reason = `more than ${deferredRowsMax} recorded sales in one import; split the file`;
      this.report.add(located, { kind: 'rejected', reason, missing: false });
    } else if (isLedger(result.row)) {
      this.ledger.push({ located, row: result.row, mayWait: false });
    } else {
      const { row, mayWait = false } = result;
      if (isPrivate(row)) this.holdings.push({ located, row, mayWait });
      else this.market.push({ located, row, mayWait });
      this.weight += row.kind === 'set' || row.kind === 'minifig' ? recordWeight : 1;
    }
  }

  /** A census counts once everything that it speaks of is in. */
  addCensus(census: Census): void {
    this.censuses.push(census);
  }

  isFull(): boolean {
    return this.weight >= marketBatchRows;
  }

  async apply(): Promise<void> {
    const { market, holdings } = this;
    this.market = [];
    this.holdings = [];
    this.weight = 0;
    await this.applyAll(market, (rows) => this.applyMarket(rows));
    await this.applyAll(holdings, (rows) => this.applyPrivate(rows));
  }

  async finish(): Promise<void> {
    await this.apply();
    // Nothing comes later now.
    const deferred = [...this.deferred.values()].map((each) => ({ ...each, mayWait: false }));
    this.deferred.clear();
    const market = deferred.flatMap(({ row, ...rest }) =>
      isPrivate(row) ? [] : [{ ...rest, row }],
    );
    const holdings = deferred.flatMap(({ row, ...r }) => (isPrivate(row) ? [{ ...r, row }] : []));
    // A retraction can only be applied once its sale is in.
    const retracts = market.filter(({ row }) => row.kind === 'retract');
    const others = market.filter(({ row }) => row.kind !== 'retract');
    for (const part of slices([...others, ...retracts], marketBatchRows)) {
      await this.applyAll(part, (rows) => this.applyMarket(rows));
    }
    await this.applyAll(holdings, (rows) => this.applyPrivate(rows));
    await this.applyAll(bySaleDate(this.ledger), (rows) => this.applyPrivate(rows));
    for (const census of this.censuses) {
      const at = this.target.clock();
      const gone = await this.target.market.markGone({ ...census, at });
      this.report.addGone(gone);
      this.isCatalogChanged ||= gone > 0;
    }
    if (this.isCatalogChanged) this.report.addJoin(await this.target.market.joinMinifigs());
  }

  private async applyAll<R extends MarketRow | PrivateRow>(
    pending: readonly PendingRow<R>[],
    apply: (rows: readonly R[]) => Promise<RowOutcome[]>,
  ): Promise<void> {
    if (pending.length === 0) return;
    const outcomes = await apply(pending.map((w) => w.row));
    pending.forEach((w, index) => {
      const outcome = outcomes[index];
      if (!outcome) throw new Error('The store did not account for every row.');
      this.isCatalogChanged ||= mayChangeCatalog(w.row, outcome);
      if (w.mayWait) this.replaceDeferred(w);
      const isDeferred = w.mayWait && outcome.kind === 'rejected' && outcome.missing;
      if (isDeferred && this.deferred.size < deferredRowsMax) {
        this.deferred.set(identityOf(w.row), { ...w, reason: outcome.reason });
      } else this.report.add(w.located, outcome);
    });
  }

  /** A later line of the same identity replaces one that is still deferred. */
  private replaceDeferred(later: PendingRow<MarketRow | PrivateRow>): void {
    const identity = identityOf(later.row);
    const earlier = this.deferred.get(identity);
    if (!earlier) return;
    this.deferred.delete(identity);
    const reason = `${earlier.reason}; a later line with the same identity replaces it`;
    this.report.add(earlier.located, { kind: 'rejected', reason, missing: false });
  }

  private applyMarket(rows: readonly MarketRow[]): Promise<RowOutcome[]> {
    return this.target.market.applyRows(rows, this.target.clock());
  }

  /** Leaves the accounts alone for as long as they were held: the API writes to them too. */
  private async applyAndPause(rows: readonly PrivateRow[]): Promise<RowOutcome[]> {
    const start = performance.now();
    const outcomes = await this.target.accounts.applyRows(rows, this.target.clock());
    await Bun.sleep(performance.now() - start);
    return outcomes;
  }

  /** Sets are checked against the market first; then rows go in, a few at a time. */
  private async applyPrivate(rows: readonly PrivateRow[]): Promise<RowOutcome[]> {
    const keys = rows.flatMap((row) => (row.kind === 'brickfolio' ? [] : [setKey(row)]));
    const numbers = await this.target.market.findSetNumbers([...new Set(keys)]);
    const outcomes: RowOutcome[] = [];
    for (const part of slices(rows, privateBatchRows)) {
      const known = part.map((row) => withCanonicalSet(row, numbers));
      const good = known.filter((row) => row !== null);
      const applied = await this.applyAndPause(good);
      let next = 0;
      known.forEach((row, index) => {
        const outcome = row === null ? unknownSet(part[index]) : applied[next++];
        if (outcome) outcomes.push(outcome);
      });
    }
    return outcomes;
  }
}

/** In order of the date of the sale; lines of one sale stay in order, under their last date. */
function bySaleDate(ledger: readonly PendingRow<LedgerRow>[]): PendingRow<LedgerRow>[] {
  const named = ledger.map((pending) => ({ pending, identity: identityOf(pending.row) }));
  const dates = new Map(named.map((n) => [n.identity, n.pending.row.facts.saleDate]));
  return named
    .map(({ pending, identity }) => ({ pending, date: dates.get(identity) ?? '' }))
    .sort((a, b) => compareText(a.date, b.date))
    .map(({ pending }) => pending);
}

/** What a line is about: a later line with the same identity replaces it. */
function identityOf(row: MarketRow | PrivateRow): string {
  const parts = (): readonly unknown[] => {
    if (isPrivate(row)) {
      return [emailKey(row.email), row.kind === 'brickfolio' ? row.facts.name : row.facts.sourceId];
    }
    switch (row.kind) {
      case 'sale':
        return [row.sale.source, row.sale.sourceId];
      case 'retract':
        return [row.source, row.sourceId];
      case 'offer':
        return [row.offer.retailer, row.offer.setKey, row.offer.observedAt];
      case 'fx':
        return [row.rate.currency, row.rate.date];
      default:
        return [row.source, row.facts.number];
    }
  };
  return JSON.stringify([row.kind, ...parts()]);
}

/**
 * Whether a row may change which minifigs are one. The catalog of another service counts as it is:
 * it may have come in before catalogs were joined.
 */
function mayChangeCatalog(row: MarketRow | PrivateRow, { kind }: RowOutcome): boolean {
  if (kind === 'rejected' || isPrivate(row)) return false;
  if (row.kind !== 'set' && row.kind !== 'minifig') return false;
  return kind !== 'unchanged' || row.source !== feedSource;
}

function isPrivate(row: MarketRow | PrivateRow): row is PrivateRow {
  return 'email' in row;
}

function isLedger(row: MarketRow | PrivateRow): row is LedgerRow {
  return row.kind === 'ledger_sale';
}

function setKey(row: Exclude<PrivateRow, { kind: 'brickfolio' }>): string {
  return itemKey('set', row.facts.setNumber);
}

/** The row with its set under the canonical number; null when there is no such set. */
function withCanonicalSet(
  row: PrivateRow,
  numbers: ReadonlyMap<string, string>,
): PrivateRow | null {
  if (row.kind === 'brickfolio') return row;
  const setNumber = numbers.get(setKey(row));
  if (setNumber === undefined) return null;
  return row.kind === 'holding'
    ? { ...row, facts: { ...row.facts, setNumber } }
    : { ...row, facts: { ...row.facts, setNumber } };
}

function unknownSet(row: PrivateRow | undefined): RowOutcome {
  const number = row && row.kind !== 'brickfolio' ? row.facts.setNumber : '';
  return { kind: 'rejected', reason: `set '${number}' is not in the catalog`, missing: true };
}

function slices<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += size) {
    parts.push(items.slice(start, start + size));
  }
  return parts;
}
