/** Applies rows to a store in batches, accounting for every row. */

import { emailKey } from '../../accounts/people/email.ts';
import { findEachItem } from '../../catalog/items/find-each-item.ts';
import { compareText, type ItemRef, itemKey } from '../../catalog/items/numbers.ts';
import { memory } from '../../kernel/memory.ts';
import type { Clock } from '../../kernel/time.ts';
import type { MarketRow, RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { AccountOutcome, PrivateRow } from '../../portfolio/lots/private-rows.ts';
import type { MinifigStore } from '../catalog/minifigs.store.ts';
import { feedSource } from '../feed/feed-catalog.ts';
import { SourceFileError } from '../readers/source-file.work.ts';
import { applyAccountRows, type FileAccounts } from '../rows/account-rows.ts';
import { ForeignCurrencyRows } from './foreign-currency-rows.work.ts';
import type { Census, LocatedRow, Prerequisite, SourceItem } from './located-row.ts';
import type { MarketIngest } from './market-ingest.store.ts';
import { type ImportReport, type RejectedRow, ReportBuilder } from './report.ts';

/** Market rows per transaction. Readers do not wait for them. */
const marketBatchRows = 50_000;

/** A catalog record takes as much memory as this many sales. */
const recordWeight = 5;

/** Private rows per transaction; few, because writes of the API wait for them. */
const privateBatchRows = 100;

/** Maximum number of rows deferred to the end of the file for a missing reference. */
const deferredRowsMax = 1_000_000;

export interface ImportTarget {
  readonly market: Pick<
    MarketIngest & MinifigStore,
    'applyRows' | 'findNumbers' | 'findRates' | 'markGone' | 'joinMinifigs'
  >;
  readonly accounts: FileAccounts;
  readonly clock: Clock;
  onReject(reject: RejectedRow): void;
}

/** Throws only on a fault, which rolls back the current batch. */
export async function importRows(
  groups: AsyncIterable<readonly SourceItem[]>,
  target: ImportTarget,
): Promise<ImportReport> {
  const report = new ReportBuilder((reject) => target.onReject(reject));
  const batch = new PendingRows(target, report);
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
  const [outcome] = await applyAccountRows(target.accounts, [prerequisite], target.clock());
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
  readonly reason: string;
}

type LedgerRow = PrivateRow & { readonly kind: 'ledger_sale' };

/** Rows of the next transaction, and rows deferred to the end of the file. */
class PendingRows {
  private market: PendingRow<MarketRow>[] = [];
  private holdings: PendingRow<PrivateRow>[] = [];
  /** In units of sales. */
  private weight = 0;
  /** Rows that refer to something that may come later in the file, by identity. */
  private readonly deferred = new Map<string, DeferredRow>();
  /** Applied after all lots, in order of sale date. */
  private ledger: PendingRow<LedgerRow>[] = [];
  private readonly censuses: Census[] = [];
  private readonly foreign = new ForeignCurrencyRows();
  /** Whether minifigs must be joined again. */
  private isCatalogChanged = false;

  constructor(
    private readonly target: ImportTarget,
    private readonly report: ReportBuilder,
  ) {}

  add(located: LocatedRow): void {
    const { result } = located;
    if ('reason' in result) {
      const { reason, isMissing: missing = false } = result;
      this.report.add(located, { kind: 'rejected', reason, missing });
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

  /** Applied at the end of the import. */
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
    // No more rows follow, so nothing can be deferred.
    const deferred = [...this.deferred.values()].map((each) => ({ ...each, mayWait: false }));
    this.deferred.clear();
    const market = deferred.flatMap(({ row, ...rest }) =>
      isPrivate(row) ? [] : [{ ...rest, row }],
    );
    const holdings = deferred.flatMap(({ row, ...r }) => (isPrivate(row) ? [{ ...r, row }] : []));
    // Retractions are applied after their sales.
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
    this.report.addWaiting(await this.foreign.listWaiting(this.target.market));
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
      if (outcome.kind !== 'rejected') this.foreign.add(w.row);
      this.isCatalogChanged ||= mayChangeCatalog(w.row, outcome);
      if (w.mayWait && this.deferred.size > 0) this.replaceDeferred(w);
      const isDeferred = w.mayWait && outcome.kind === 'rejected' && outcome.missing;
      if (isDeferred && this.deferred.size < deferredRowsMax) {
        this.deferred.set(identityOf(w.row), { ...w, reason: outcome.reason });
      } else this.report.add(w.located, outcome);
    });
  }

  /** A later line with the same identity replaces a deferred one. */
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

  /** Pauses as long as the transaction took, so that writes of the API get their turn. */
  private async applyAndPause(rows: readonly PrivateRow[]): Promise<AccountOutcome[]> {
    const start = performance.now();
    const { accounts, clock } = this.target;
    const outcomes = await applyAccountRows(accounts, rows, clock());
    await Bun.sleep(performance.now() - start);
    return outcomes;
  }

  /** Rejects rows of unknown items, then applies the others in small batches. */
  private async applyPrivate(rows: readonly PrivateRow[]): Promise<AccountOutcome[]> {
    const items = rows.flatMap((row) => (row.kind === 'brickfolio' ? [] : [itemOf(row)]));
    const { market } = this.target;
    const numberOf = await findEachItem(items, (kind, keys) => market.findNumbers(kind, keys));
    const outcomes: AccountOutcome[] = [];
    for (const part of slices(rows, privateBatchRows)) {
      const known = part.map((row) => withCanonicalNumber(row, numberOf));
      const good = known.filter((row) => row !== null);
      const applied = await this.applyAndPause(good);
      let next = 0;
      known.forEach((row, index) => {
        const outcome = row === null ? unknownItem(part[index]) : applied[next++];
        if (outcome) outcomes.push(outcome);
      });
    }
    return outcomes;
  }
}

/** Sorted by sale date; lines with the same identity stay in order, under their last date. */
function bySaleDate(ledger: readonly PendingRow<LedgerRow>[]): PendingRow<LedgerRow>[] {
  const named = ledger.map((pending) => ({ pending, identity: identityOf(pending.row) }));
  const dates = new Map(named.map((n) => [n.identity, n.pending.row.facts.saleDate]));
  return named
    .map(({ pending, identity }) => ({ pending, date: dates.get(identity) ?? '' }))
    .sort((a, b) => compareText(a.date, b.date))
    .map(({ pending }) => pending);
}

/** A later line with the same identity replaces an earlier one. */
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
      case 'listings': {
        const { itemKind, itemKey, condition, channel } = row.listings;
        return [itemKind, itemKey, condition, channel];
      }
      case 'part_out': {
        const { setKey, condition, source } = row.partOut;
        return [setKey, condition, source];
      }
      case 'fx':
        return [row.rate.currency, row.rate.date];
      default:
        return [row.source, row.facts.number];
    }
  };
  return JSON.stringify([row.kind, ...parts()]);
}

/** For joined minifigs. Unchanged rows of other catalogs count too: they may predate joining. */
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

function itemOf({ facts }: Exclude<PrivateRow, { kind: 'brickfolio' }>): ItemRef {
  return { kind: facts.kind, key: itemKey(facts.kind, facts.number) };
}

/** Null if the item is unknown. */
function withCanonicalNumber(
  row: PrivateRow,
  numberOf: (item: ItemRef) => string | null,
): PrivateRow | null {
  if (row.kind === 'brickfolio') return row;
  const number = numberOf(itemOf(row));
  if (number === null) return null;
  return row.kind === 'holding'
    ? { ...row, facts: { ...row.facts, number } }
    : { ...row, facts: { ...row.facts, number } };
}

function unknownItem(row: PrivateRow | undefined): AccountOutcome {
  const { kind, number } =
    row && row.kind !== 'brickfolio' ? row.facts : { kind: 'set', number: '' };
  return { kind: 'rejected', reason: `${kind} '${number}' is not in the catalog`, missing: true };
}

function slices<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += size) {
    parts.push(items.slice(start, start + size));
  }
  return parts;
}
