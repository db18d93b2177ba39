/** The private tables of a batch in memory, loaded before its first row is applied. */
import { emailKey } from '../../domain/account/email.ts';
import type { LotPrediction } from '../../domain/buying/prediction.ts';
import { compareText, type ItemKind } from '../../domain/catalog/numbers.ts';
import type { Brickfolio } from '../../domain/portfolio/brickfolios.ts';
import type { OwnField } from '../../domain/portfolio/lot-details.ts';
import type {
  BrickfolioFacts,
  LedgerSaleFacts,
  LotFacts,
  LotUnits,
  Take,
  TakenUnits,
} from '../../domain/portfolio/lots.ts';
import type { PrivateRowOf } from '../../domain/portfolio/private-rows.ts';
import { insertRows, type Operation, run } from '../sql/operation.ts';
import { fieldsOf, tables } from '../sql/tables.ts';
import { type AccountVersion, raiseVersion } from './holding-edits.ts';
import type { CountedTable, CountMemory, Counts } from './row-counts.ts';
import { RowTable } from './row-table.ts';

interface Owned {
  readonly accountId: number;
}

export type BrickfolioRow = Brickfolio & Owned;

/** The stored fields of a lot that come from its facts. */
export interface LotValues extends Omit<LotFacts, 'sourceId' | 'brickfolio'> {
  readonly brickfolioId: number;
  readonly key: string;
}

export type OwnFieldRow = OwnField & Owned;

export interface LotRow extends LotValues, Owned {
  readonly id: number;
  readonly sourceId: string;
  readonly sold: number;
}

type PredictionRow = LotPrediction & Owned & { readonly lotId: number };

type Predicted = Pick<PrivateRowOf<'holding'>, 'prediction'>;

export interface SaleValues
  extends Omit<LedgerSaleFacts, 'sourceId' | 'costCents' | 'lot' | 'settled'> {
  readonly key: string;
  readonly costCents: number;
  /** The original line as JSON. */
  readonly given: string;
}

export interface SaleRow extends SaleValues, Owned {
  readonly id: number;
  readonly sourceId: string;
}

/** Which lots a sale may take units from. */
export interface LotQuery {
  readonly kind: ItemKind;
  /** A minifig may have several. */
  readonly keys: readonly string[];
  readonly condition: string;
  /** The source id of the lot, if the sale names one. */
  readonly lot: string | null;
}

export interface LockedAccount extends AccountVersion {
  readonly emailKey: string;
  /** The store's time. */
  readonly at: number;
}

/** Rules read and change these rows in memory; `save` writes the changes. */
export class PrivateTables {
  readonly brickfolios = new RowTable<BrickfolioRow>(tables.brickfolio, ({ name }) => name);
  readonly lots = new RowTable<LotRow>(tables.lot, ({ sourceId }) => sourceId);
  readonly ownFields = new RowTable<OwnFieldRow>(tables.ownField, ({ name }) => name);
  readonly sales = new RowTable<SaleRow>(tables.ledgerSale, ({ sourceId }) => sourceId);
  /** Row counts of accounts, including rows that are not loaded. */
  readonly counts: ReadonlyMap<number, Counts>;
  private readonly accounts: ReadonlyMap<string, LockedAccount>;
  private readonly predictions: PredictionRow[] = [];
  private readonly found = new Map<string, number | null>();
  private readonly raised = new Set<number>();
  private versions: readonly AccountVersion[] = [];
  private readonly storedTakes = new Map<number, readonly TakenUnits[]>();
  private readonly newTakes = new Map<number, readonly Take[]>();
  private readonly at: number;

  constructor(
    accounts: readonly LockedAccount[],
    private readonly memory: CountMemory,
  ) {
    this.at = accounts[0]?.at ?? 0;
    this.counts = new Map(accounts.map(({ id, version }) => [id, memory.recall(id, version)]));
    this.accounts = new Map(accounts.map((account) => [account.emailKey, account]));
  }

  /** By email; normalized only once per spelling. */
  findAccount(email: string): number | null {
    const known = this.found.get(email);
    if (known !== undefined) return known;
    const id = this.accounts.get(emailKey(email))?.id ?? null;
    this.found.set(email, id);
    return id;
  }

  /** Marks the data of an account as changed. */
  raiseVersion(accountId: number): void {
    this.raised.add(accountId);
  }

  countBrickfolios(accountId: number): number {
    return this.brickfolios.of(accountId).length;
  }

  findBrickfolio(accountId: number, name: string): BrickfolioRow | null {
    return this.brickfolios.find(accountId, name);
  }

  addBrickfolio(accountId: number, { name, description, isDefault }: BrickfolioFacts): void {
    this.brickfolios.add({ accountId, name, description, isDefault, createdAt: this.at });
  }

  changeBrickfolio(id: number, facts: Omit<BrickfolioFacts, 'name'>): void {
    this.brickfolios.change(id, () => facts);
  }

  clearDefault(accountId: number): void {
    for (const { id, isDefault } of this.brickfolios.of(accountId)) {
      if (isDefault) this.brickfolios.change(id, () => ({ isDefault: false }));
    }
  }

  countLots(accountId: number): number {
    return this.counts.get(accountId)?.lot ?? 0;
  }

  findLot(accountId: number, sourceId: string): LotRow | null {
    return this.lots.find(accountId, sourceId);
  }

  addLot(
    accountId: number,
    { sourceId, values, prediction }: { sourceId: string; values: LotValues } & Predicted,
  ): void {
    const lotId = this.lots.add({ ...values, accountId, sourceId, sold: 0 });
    if (prediction) this.predictions.push({ ...prediction, lotId, accountId });
    this.grow(accountId, 'lot');
  }

  changeLot(id: number, values: LotValues): void {
    this.lots.change(id, () => values);
  }

  /** The oldest lots with units left, `limit` at most. */
  listOpenLots(accountId: number, options: LotQuery & { readonly limit: number }): LotUnits[] {
    const named = options.lot === null ? null : this.lots.find(accountId, options.lot);
    return (options.lot === null ? this.lots.of(accountId) : named ? [named] : [])
      .filter((lot) => lot.kind === options.kind && options.keys.includes(lot.key))
      .filter((lot) => lot.condition === options.condition)
      .filter((lot) => lot.sold < lot.quantity)
      .sort((a, b) => compareText(a.purchaseDate, b.purchaseDate) || a.id - b.id)
      .slice(0, options.limit)
      .map(({ id, purchaseDate, priceCents, quantity, sold }) => {
        return { lotId: id, purchaseDate, priceCents, unitsLeft: quantity - sold };
      });
  }

  /** Marks units as sold (1) or returns them to their lots (-1). */
  moveUnits(takes: readonly TakenUnits[], sign: 1 | -1): void {
    for (const { lotId, quantity } of takes) {
      this.lots.change(lotId, ({ sold }) => ({ sold: sold + sign * quantity }));
    }
  }

  countSales(accountId: number): number {
    return this.counts.get(accountId)?.ledger_sale ?? 0;
  }

  findSale(accountId: number, sourceId: string): SaleRow | null {
    return this.sales.find(accountId, sourceId);
  }

  addSale(accountId: number, sourceId: string, values: SaleValues): number {
    this.grow(accountId, 'ledger_sale');
    return this.sales.add({ ...values, accountId, sourceId });
  }

  changeSale(id: number, values: SaleValues): void {
    this.sales.change(id, () => values);
  }

  listTakes(saleId: number): readonly TakenUnits[] {
    return this.newTakes.get(saleId) ?? this.storedTakes.get(saleId) ?? [];
  }

  /** Replaces the takes of a sale, without counting units. */
  saveTakes(saleId: number, takes: readonly Take[]): void {
    this.newTakes.set(saleId, takes);
  }

  loadTakes(rows: readonly (TakenUnits & { readonly saleId: number })[]): void {
    for (const [saleId, takes] of Map.groupBy(rows, (row) => row.saleId)) {
      this.storedTakes.set(saleId, takes);
    }
  }

  /** Writes all changes; referenced rows first. */
  *save(): Operation<void> {
    yield* this.brickfolios.save();
    yield* this.ownFields.save();
    yield* this.lots.save((lot) => {
      return { ...lot, brickfolioId: this.brickfolios.realId(lot.brickfolioId) };
    });
    yield* this.writePredictions();
    yield* this.sales.save();
    if (this.newTakes.size > 0) yield* this.writeTakes();
    if (this.raised.size > 0) this.versions = yield* raiseVersion([...this.raised]);
  }

  /** To be called after the commit. */
  keepCounts(): void {
    for (const { id, version } of this.versions) {
      this.memory.keep(id, version, this.counts.get(id) ?? {});
    }
  }

  private grow(accountId: number, table: CountedTable): void {
    const counts = this.counts.get(accountId);
    if (counts) counts[table] = (counts[table] ?? 0) + 1;
  }

  private *writePredictions(): Operation<void> {
    const rows = this.predictions.map((row) => ({ ...row, lotId: this.lots.realId(row.lotId) }));
    const fields = fieldsOf(tables.lotPrediction) as (keyof PredictionRow)[];
    yield* insertRows(tables.lotPrediction, fields, rows);
  }

  private *writeTakes(): Operation<void> {
    const sales = [...this.newTakes].map(([id, takes]) => ({ id: this.sales.realId(id), takes }));
    const rows = sales.flatMap(({ id, takes }) =>
      takes.map((take) => ({ ...take, saleId: id, lotId: this.lots.realId(take.lotId) })),
    );
    yield* run('DELETE FROM private.ledger_take WHERE sale_id = ANY($1::bigint[])', [
      sales.map(({ id }) => id),
    ]);
    yield* insertRows(tables.ledgerTake, ['saleId', 'lotId', 'quantity', 'costCents'], rows);
  }
}
