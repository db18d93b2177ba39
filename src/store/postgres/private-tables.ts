/** The private tables as a batch sees them: in memory, loaded before its first row. */

import { compareText } from '../../domain/catalog/numbers.ts';
import type { LotUnits, Take } from '../../domain/portfolio/lots.ts';
import type {
  BrickfolioRow,
  LotQuery,
  LotRow,
  LotValues,
  PrivateTables,
  SaleRow,
  SaleValues,
} from '../private-tables.ts';
import type { CountedTable, CountMemory, Counts } from '../row-counts.ts';
import type { Connection } from './client.ts';
import { jsonRows } from './json-rows.ts';
import { type NamedRow, PrivateTable } from './private-table.ts';

type Brickfolio = NamedRow & BrickfolioRow & { readonly createdAt: number };
type Lot = NamedRow & LotRow & LotValues;
type Sale = NamedRow & SaleRow & SaleValues;

/** An account whose row is locked. */
export interface LockedAccount {
  readonly id: number;
  readonly emailKey: string;
  /** The database's time. */
  readonly at: number;
  /** Grows with every change of what is the account's. */
  readonly version: number;
}

/** What the rules ask, answered from memory; what they change is written by `save`. */
export class MemoryTables implements PrivateTables {
  readonly brickfolios = new PrivateTable<Brickfolio>({
    table: 'private.brickfolio',
    name: 'name',
    columns: { description: 'description', isDefault: 'is_default', createdAt: 'created_at' },
    types: { isDefault: 'boolean', createdAt: 'bigint' },
  });
  readonly lots = new PrivateTable<Lot>({
    table: 'private.lot',
    name: 'source_id',
    columns: {
      brickfolioId: 'brickfolio_id',
      setKey: 'set_key',
      setNumber: 'set_number',
      quantity: 'quantity',
      condition: 'condition',
      priceCents: 'price_cents',
      purchaseDate: 'purchase_date',
      status: 'status',
      sold: 'sold',
      isEstimated: 'is_estimated',
    },
    types: {
      brickfolioId: 'bigint',
      quantity: 'bigint',
      priceCents: 'bigint',
      sold: 'bigint',
      isEstimated: 'boolean',
    },
  });
  readonly sales = new PrivateTable<Sale>({
    table: 'private.ledger_sale',
    name: 'source_id',
    columns: {
      setKey: 'set_key',
      setNumber: 'set_number',
      condition: 'condition',
      platform: 'platform',
      saleDate: 'sale_date',
      quantity: 'quantity',
      grossCents: 'gross_cents',
      platformFeesCents: 'platform_fees_cents',
      paymentFeesCents: 'payment_fees_cents',
      shippingCents: 'shipping_cents',
      costCents: 'cost_cents',
      given: 'given',
    },
    types: {
      quantity: 'bigint',
      grossCents: 'bigint',
      platformFeesCents: 'bigint',
      paymentFeesCents: 'bigint',
      shippingCents: 'bigint',
      costCents: 'bigint',
    },
  });
  private readonly accounts: ReadonlyMap<string, LockedAccount>;
  private readonly raised: number[] = [];
  private versions: readonly Pick<LockedAccount, 'id' | 'version'>[] = [];
  /** How many rows accounts have, also those that the batch does not need. */
  readonly counts: ReadonlyMap<number, Counts>;
  private readonly takes = new Map<number, readonly Take[]>();
  private readonly takesChanged = new Set<number>();

  private readonly at: number;

  constructor(
    accounts: readonly LockedAccount[],
    private readonly memory: CountMemory,
  ) {
    this.at = accounts[0]?.at ?? 0;
    this.counts = new Map(accounts.map(({ id, version }) => [id, memory.recall(id, version)]));
    this.accounts = new Map(accounts.map((account) => [account.emailKey, account]));
  }

  findAccount(emailKey: string): number | null {
    return this.accounts.get(emailKey)?.id ?? null;
  }

  raiseVersion(emailKey: string): void {
    const account = this.accounts.get(emailKey);
    if (account) this.raised.push(account.id);
  }

  countBrickfolios(accountId: number): number {
    return this.brickfolios.of(accountId).length;
  }

  findBrickfolio(accountId: number, name: string): BrickfolioRow | null {
    return this.brickfolios.find(accountId, name);
  }

  addBrickfolio(
    accountId: number,
    facts: { name: string; description: string | null; isDefault: boolean },
  ): void {
    this.brickfolios.add({ ...facts, accountId, createdAt: this.at });
  }

  changeBrickfolio(id: number, facts: { description: string | null; isDefault: boolean }): void {
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

  addLot(accountId: number, sourceId: string, values: LotValues): void {
    this.lots.add({ ...values, accountId, name: sourceId, sold: 0 });
    this.grow(accountId, 'lot');
  }

  changeLot(id: number, values: LotValues): void {
    this.lots.change(id, () => values);
  }

  listOpenLots(accountId: number, options: LotQuery & { readonly limit: number }): LotUnits[] {
    const named = options.lot === null ? null : this.lots.find(accountId, options.lot);
    return (options.lot === null ? this.lots.of(accountId) : named ? [named] : [])
      .filter((lot) => lot.setKey === options.setKey && lot.condition === options.condition)
      .filter((lot) => lot.sold < lot.quantity)
      .sort((a, b) => compareText(a.purchaseDate, b.purchaseDate) || a.id - b.id)
      .slice(0, options.limit)
      .map(({ id, purchaseDate, priceCents, quantity, sold }) => {
        return { lotId: id, purchaseDate, priceCents, unitsLeft: quantity - sold };
      });
  }

  moveUnits(takes: readonly Take[], sign: 1 | -1): void {
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
    return this.sales.add({ ...values, accountId, name: sourceId });
  }

  changeSale(id: number, values: SaleValues): void {
    this.sales.change(id, () => values);
  }

  listTakes(saleId: number): readonly Take[] {
    return this.takes.get(saleId) ?? [];
  }

  saveTakes(saleId: number, takes: readonly Take[]): void {
    this.takes.set(saleId, takes);
    this.takesChanged.add(saleId);
  }

  /** Takes as they are stored. */
  loadTakes(rows: readonly (Take & { readonly saleId: number })[]): void {
    for (const [saleId, takes] of Map.groupBy(rows, (row) => row.saleId)) {
      this.takes.set(saleId, takes);
    }
  }

  /** Writes what has changed: what others refer to comes first. */
  async save(tx: Connection): Promise<void> {
    await this.brickfolios.save(tx);
    await this.lots.save(tx, (lot) => {
      return { ...lot, brickfolioId: this.brickfolios.realId(lot.brickfolioId) };
    });
    await this.sales.save(tx);
    if (this.takesChanged.size > 0) await this.writeTakes(tx);
    if (this.raised.length === 0) return;
    this.versions = await tx.query<{ id: number; version: number }>(
      `UPDATE private.account
       SET private_version = greatest(private_version + 1, published.instant(NULL, 0))
       WHERE id = ANY($1::bigint[]) RETURNING id, private_version AS version`,
      [this.raised],
    );
  }

  /** To be told when what was saved is committed. */
  keepCounts(): void {
    for (const { id, version } of this.versions) {
      this.memory.keep(id, version, this.counts.get(id) ?? {});
    }
  }

  private grow(accountId: number, table: CountedTable): void {
    const counts = this.counts.get(accountId);
    if (counts) counts[table] = (counts[table] ?? 0) + 1;
  }

  private async writeTakes(tx: Connection): Promise<void> {
    const sales = [...this.takesChanged];
    const rows = sales.flatMap((id) =>
      this.listTakes(id).map(({ lotId, quantity }) => {
        return { saleId: this.sales.realId(id), lotId: this.lots.realId(lotId), quantity };
      }),
    );
    await tx.run('DELETE FROM private.ledger_take WHERE sale_id = ANY($1::bigint[])', [
      sales.map((id) => this.sales.realId(id)),
    ]);
    await tx.run(
      `INSERT INTO private.ledger_take (sale_id, lot_id, quantity)
       SELECT r."saleId", r."lotId", r.quantity FROM json_to_recordset($1::text::json)
         AS r ("saleId" bigint, "lotId" bigint, quantity bigint)`,
      [jsonRows(rows)],
    );
  }
}
