/** Applies the rows of a source to a store: in batches, repeatable, every row accounted for. */
import type { AccountStore } from '../domain/account/account-store.ts';
import { emailKey } from '../domain/account/email.ts';
import { compareText, itemKey } from '../domain/catalog/numbers.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { MarketRow, MarketStore, RowOutcome } from '../domain/market/market-store.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';
import { SourceFileError } from './readers/source-file.ts';
import { type ImportReport, ReportBuilder, type ToldReject } from './report.ts';
import type { Census, Groundwork, PlacedRow, SourceItem } from './source-row.ts';

/** Market rows per transaction: readers never wait for them. */
const marketBatchRows = 50_000;

/** Private rows per transaction: few, because the API's own writes wait for them. */
const privateBatchRows = 100;

/** Rows that may wait for something later in the same file. */
const waitingRowsMax = 1_000_000;

/** Where rows go and who is told. */
export interface ImportTarget {
  readonly market: Pick<MarketStore, 'applyRows' | 'findSetNumbers' | 'markGone'>;
  readonly accounts: Pick<AccountStore, 'applyRows'>;
  readonly clock: Clock;
  onReject(reject: ToldReject): void;
}

/** Imports rows that come in groups. Rejects only on a fault; the batch at hand is rolled back. */
export async function importRows(
  groups: AsyncIterable<readonly SourceItem[]>,
  target: ImportTarget,
): Promise<ImportReport> {
  const report = new ReportBuilder((reject) => target.onReject(reject));
  const batch = new Batch(target, report);
  for await (const group of groups) {
    for (const item of group) {
      if ('keys' in item) batch.keep(item);
      else if ('groundwork' in item) await layGroundwork(item, target);
      else batch.take(item);
      if (batch.isFull()) await batch.apply();
    }
  }
  await batch.finish();
  return report.report();
}

async function layGroundwork({ groundwork }: Groundwork, target: ImportTarget): Promise<void> {
  const [outcome] = await target.accounts.applyRows([groundwork], target.clock());
  if (outcome?.kind === 'rejected') {
    throw new SourceFileError(`Nothing was imported: ${outcome.reason}.`);
  }
}

interface Waiting<R> {
  readonly placed: PlacedRow;
  readonly row: R;
  readonly mayWait: boolean;
}

interface Early extends Waiting<MarketRow | PrivateRow> {
  /** Why it could not be applied when it was read. */
  readonly reason: string;
}

type LedgerRow = PrivateRow & { readonly kind: 'ledger_sale' };

/** Rows on their way: the next transaction, and those that wait for the end of the file. */
class Batch {
  private market: Waiting<MarketRow>[] = [];
  private holdings: Waiting<PrivateRow>[] = [];
  /** Refer to something that is not there, but may come later in the file. By identity. */
  private readonly early = new Map<string, Early>();
  /** Sales are applied after lots, whatever the order of the lines. */
  private ledger: Waiting<LedgerRow>[] = [];
  private readonly censuses: Census[] = [];

  constructor(
    private readonly target: ImportTarget,
    private readonly report: ReportBuilder,
  ) {}

  take(placed: PlacedRow): void {
    const { source } = placed;
    if ('reason' in source) {
      this.report.add(placed, { kind: 'rejected', reason: source.reason, missing: false });
    } else if (isLedger(source.row) && this.ledger.length >= waitingRowsMax) {
      const reason = `more than ${waitingRowsMax} recorded sales in one import; split the file`;
      this.report.add(placed, { kind: 'rejected', reason, missing: false });
    } else if (isLedger(source.row)) {
      this.ledger.push({ placed, row: source.row, mayWait: false });
    } else {
      const { row, mayWait = false } = source;
      if (isPrivate(row)) this.holdings.push({ placed, row, mayWait });
      else this.market.push({ placed, row, mayWait });
    }
  }

  /** A census counts once everything that it speaks of is in. */
  keep(census: Census): void {
    this.censuses.push(census);
  }

  isFull(): boolean {
    return this.market.length + this.holdings.length >= marketBatchRows;
  }

  async apply(): Promise<void> {
    const { market, holdings } = this;
    this.market = [];
    this.holdings = [];
    await this.applyAll(market, (rows) => this.applyMarket(rows));
    await this.applyAll(holdings, (rows) => this.applyPrivate(rows));
  }

  async finish(): Promise<void> {
    await this.apply();
    // Nothing comes later now.
    const early = [...this.early.values()].map((each) => ({ ...each, mayWait: false }));
    this.early.clear();
    const market = early.flatMap(({ row, ...rest }) => (isPrivate(row) ? [] : [{ ...rest, row }]));
    const holdings = early.flatMap(({ row, ...r }) => (isPrivate(row) ? [{ ...r, row }] : []));
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
      this.report.addGone(await this.target.market.markGone({ ...census, at }));
    }
  }

  private async applyAll<R extends MarketRow | PrivateRow>(
    waiting: readonly Waiting<R>[],
    apply: (rows: readonly R[]) => Promise<RowOutcome[]>,
  ): Promise<void> {
    if (waiting.length === 0) return;
    const outcomes = await apply(waiting.map((w) => w.row));
    waiting.forEach((w, index) => {
      const outcome = outcomes[index];
      if (!outcome) throw new Error('The store did not account for every row.');
      if (w.mayWait) this.replaceWaiting(w);
      const isEarly = w.mayWait && outcome.kind === 'rejected' && outcome.missing;
      if (isEarly && this.early.size < waitingRowsMax) {
        this.early.set(identityOf(w.row), { ...w, reason: outcome.reason });
      } else this.report.add(w.placed, outcome);
    });
  }

  /** A later line of the same identity takes the place of one that still waits. */
  private replaceWaiting(later: Waiting<MarketRow | PrivateRow>): void {
    const identity = identityOf(later.row);
    const earlier = this.early.get(identity);
    if (!earlier) return;
    this.early.delete(identity);
    const reason = `${earlier.reason}; a later line of the same identity replaces it`;
    this.report.add(earlier.placed, { kind: 'rejected', reason, missing: false });
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
        const outcome = row === null ? noSet(part[index]) : applied[next++];
        if (outcome) outcomes.push(outcome);
      });
    }
    return outcomes;
  }
}

/** In order of the date of the sale; lines of one sale stay in order, under their last date. */
function bySaleDate(ledger: readonly Waiting<LedgerRow>[]): Waiting<LedgerRow>[] {
  const named = ledger.map((waiting) => ({ waiting, identity: identityOf(waiting.row) }));
  const dates = new Map(named.map((n) => [n.identity, n.waiting.row.facts.saleDate]));
  return named
    .map(({ waiting, identity }) => ({ waiting, date: dates.get(identity) ?? '' }))
    .sort((a, b) => compareText(a.date, b.date))
    .map(({ waiting }) => waiting);
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

function noSet(row: PrivateRow | undefined): RowOutcome {
  const number = row && row.kind !== 'brickfolio' ? row.facts.setNumber : '';
  return { kind: 'rejected', reason: `there is no set '${number}'`, missing: true };
}

function slices<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += size) {
    parts.push(items.slice(start, start + size));
  }
  return parts;
}
