/** The private tables of an account in memory: what a change needs, loaded before its first row. */

import type { Plan } from '../../accounts/keys/quota.ts';
import { raiseVersion } from '../../accounts/people/account-methods.store.ts';
import type { BoughtBox, SavedBox } from '../../buying/boxes/saved-box.ts';
import { markBought } from '../../buying/boxes/saved-boxes.store.ts';
import type { LotPrediction } from '../../buying/prices/prediction.ts';
import { compareText, type ItemKind } from '../../catalog/items/numbers.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import type { PhotoOfLot } from '../photos/photos.store.ts';
import type { PurchaseRow } from '../purchases/purchases.store.ts';
import type { Brickfolio } from './brickfolios.ts';
import type { OwnField } from './lot-details.ts';
import type {
  BrickfolioFacts,
  LedgerSaleFacts,
  LotFacts,
  LotUnits,
  Take,
  TakenUnits,
} from './lots.ts';
import type { AccountRowOf } from './private-rows.ts';
import { RowTable } from './row-table.store.ts';

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

export type PredictionRow = LotPrediction & Owned & { readonly lotId: number };

/** Predictions are removed and restored with their lots; photos stay, without them. */
export interface RemovedLots {
  readonly lots: readonly LotRow[];
  readonly predictions: readonly PredictionRow[];
  readonly photos: readonly PhotoOfLot[];
}

type NewReturn = NonNullable<AccountRowOf<'purchase'>['returned']>;

type Predicted = Pick<AccountRowOf<'holding'>, 'prediction'>;

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

export interface LockedAccount {
  readonly id: number;
  /** The store's time. */
  readonly at: number;
  readonly plan: Plan;
}

/** Rules read and change these rows; `save` writes the changes. */
export class PrivateTables {
  readonly brickfolios = new RowTable<BrickfolioRow>(tables.brickfolio, ({ name }) => name);
  readonly lots = new RowTable<LotRow>(tables.lot, ({ sourceId }) => sourceId);
  readonly ownFields = new RowTable<OwnFieldRow>(tables.ownField, ({ name }) => name);
  readonly sales = new RowTable<SaleRow>(tables.ledgerSale, ({ sourceId }) => sourceId);
  readonly purchases = new RowTable<PurchaseRow>(tables.purchase, ({ sourceId }) => sourceId);
  /** Boxes that purchases refer to. */
  readonly boxes = new Map<number, SavedBox>();
  /** The days of the first sales of lots, before the change. */
  readonly firstSales = new Map<number, string>();
  private readonly predictions: PredictionRow[] = [];
  private readonly bought: { readonly box: BoughtBox; readonly as: string }[] = [];
  private readonly restored: RemovedLots[] = [];
  /** Removed purchases, by source ID. */
  private readonly unbought: string[] = [];
  private readonly returns: { readonly purchaseId: number; readonly returned: NewReturn }[] = [];
  private readonly storedTakes = new Map<number, readonly Take[]>();
  private readonly newTakes = new Map<number, readonly Take[]>();

  constructor(
    readonly account: LockedAccount,
    /** Files may have what forms refuse. */
    readonly isFile: boolean,
  ) {}

  addBrickfolio({ name, description, isDefault }: BrickfolioFacts): void {
    const { id: accountId, at: createdAt } = this.account;
    this.brickfolios.add({ accountId, name, description, isDefault, createdAt });
  }

  clearDefault(): void {
    for (const { id, isDefault } of this.brickfolios.rows) {
      if (isDefault) this.brickfolios.change(id, () => ({ isDefault: false }));
    }
  }

  addLot({
    sourceId,
    values,
    prediction,
  }: { readonly sourceId: string; readonly values: LotValues } & Predicted): void {
    const accountId = this.account.id;
    const lotId = this.lots.add({ ...values, accountId, sourceId, sold: 0 });
    if (prediction) this.predictions.push({ ...prediction, lotId, accountId });
  }

  /** The oldest lots with units left, `limit` at most. */
  listOpenLots(options: LotQuery & { readonly limit: number }): LotUnits[] {
    const named = options.lot === null ? null : this.lots.find(options.lot);
    return (options.lot === null ? this.lots.rows : named ? [named] : [])
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

  firstSaleOf(lotId: number): string | null {
    const days = [...this.newTakes].flatMap(([saleId, takes]) =>
      takes.some((take) => take.lotId === lotId) ? [this.sales.get(saleId).saleDate] : [],
    );
    return [...days, this.firstSales.get(lotId) ?? ''].filter(Boolean).sort()[0] ?? null;
  }

  addSale(sourceId: string, values: SaleValues): number {
    return this.sales.add({ ...values, accountId: this.account.id, sourceId });
  }

  /** Its units are not returned. */
  removeSale(id: number): void {
    this.sales.remove(id);
    this.newTakes.delete(id);
  }

  listTakes(saleId: number): readonly Take[] {
    return this.newTakes.get(saleId) ?? this.listStoredTakes(saleId);
  }

  /** As they were before the change. */
  listStoredTakes(saleId: number): readonly Take[] {
    return this.storedTakes.get(saleId) ?? [];
  }

  /** Replaces the takes of a sale, without counting units. */
  saveTakes(saleId: number, takes: readonly Take[]): void {
    this.newTakes.set(saleId, takes);
  }

  loadTakes(rows: readonly (Take & { readonly saleId: number })[]): void {
    for (const [saleId, takes] of Map.groupBy(rows, (row) => row.saleId)) {
      this.storedTakes.set(saleId, takes);
    }
  }

  /** Returns the provisional id. */
  addPurchase(values: Omit<PurchaseRow, 'id' | 'accountId' | 'createdAt'>): number {
    const { id: accountId, at: createdAt } = this.account;
    return this.purchases.add({ ...values, accountId, createdAt });
  }

  removePurchase(id: number): void {
    this.unbought.push(this.purchases.get(id).sourceId);
    this.purchases.remove(id);
  }

  /** The purchase that gets a return, by source ID; null if there is none. */
  get returnedPurchase(): string | null {
    const [first] = this.returns;
    return first ? this.purchases.get(first.purchaseId).sourceId : null;
  }

  /** Removed lots that come back with their ids. */
  restoreLots(removed: RemovedLots): void {
    this.restored.push(removed);
  }

  addReturn(purchaseId: number, returned: NewReturn): void {
    this.returns.push({ purchaseId, returned });
  }

  markBought(box: BoughtBox, as: string): void {
    this.bought.push({ box, as });
  }

  /** Writes all changes; referenced rows first. `editId` is of what undoes them. */
  *save(editId: number | null): db.Operation<void> {
    for (const { purchaseId, returned } of this.returns) {
      this.purchases.change(purchaseId, ({ returns }) => {
        return { returns: JSON.stringify([...JSON.parse(returns), { ...returned, editId }]) };
      });
    }
    yield* this.brickfolios.save();
    yield* this.ownFields.save();
    yield* this.lots.save((lot) => {
      return { ...lot, brickfolioId: this.brickfolios.realId(lot.brickfolioId) };
    });
    for (const removed of this.restored) yield* writeRestored(removed);
    yield* this.writePredictions();
    yield* this.sales.save();
    if (this.newTakes.size > 0) yield* this.writeTakes();
    yield* this.sales.deleteRemoved();
    yield* this.lots.deleteRemoved();
    yield* this.purchases.save();
    yield* this.purchases.deleteRemoved();
    const { id: accountId, at } = this.account;
    for (const { box, as } of this.bought) yield* markBought(accountId, box, { as, at });
    for (const boughtAs of this.unbought) {
      yield* db.changeRows(tables.savedBox, { boughtAs: null }, { accountId, boughtAs });
    }
    yield* raiseVersion(accountId);
  }

  private *writePredictions(): db.Operation<void> {
    const rows = this.predictions.map((row) => ({ ...row, lotId: this.lots.realId(row.lotId) }));
    yield* db.insertRows(tables.lotPrediction, rows);
  }

  private *writeTakes(): db.Operation<void> {
    const sales = [...this.newTakes].map(([id, takes]) => ({ id: this.sales.realId(id), takes }));
    const rows = sales.flatMap(({ id, takes }) =>
      takes.map((take) => ({ ...take, saleId: id, lotId: this.lots.realId(take.lotId) })),
    );
    yield* db.run('DELETE FROM private.ledger_take WHERE sale_id = ANY($1::bigint[])', [
      sales.map(({ id }) => id),
    ]);
    yield* db.insertRows(tables.ledgerTake, rows);
  }
}

function* writeRestored({ lots, predictions, photos }: RemovedLots): db.Operation<void> {
  yield* db.insertRows(tables.lot, lots);
  yield* db.insertRows(tables.lotPrediction, predictions);
  yield* db.runEach(
    `UPDATE private.photo AS p SET lot_id = r."lotId", edit_id = NULL FROM {rows}
     WHERE p.id = r.id`,
    { types: { id: 'bigint', lotId: 'bigint' }, rows: photos },
  );
}
