/** Collections, lots and recorded sales, as imports bring them in. */
import type { Database } from 'bun:sqlite';
import type { PrivateRow } from '../../domain/account-store.ts';
import {
  allocateUnits,
  type BrickfolioFacts,
  type LedgerSaleFacts,
  type LotFacts,
  type LotUnits,
} from '../../domain/lots.ts';
import type { RowOutcome } from '../../domain/market-store.ts';
import { itemKey } from '../../domain/numbers.ts';
import { inTransaction } from './database.ts';
import { emailKey } from './keys.ts';

const added: RowOutcome = { kind: 'added' };
const updated: RowOutcome = { kind: 'updated' };
const unchanged: RowOutcome = { kind: 'unchanged' };

function refused(reason: string, missing = false): RowOutcome {
  return { kind: 'rejected', reason, missing };
}

/** Applies private rows in order, in one transaction. */
export function applyPrivateRows(
  db: Database,
  rows: readonly PrivateRow[],
  at: number,
): RowOutcome[] {
  return inTransaction(db, () => rows.map((row) => applyRow(db, row, at)));
}

function applyRow(db: Database, row: PrivateRow, at: number): RowOutcome {
  const account = db
    .query<{ id: number }, [string]>('SELECT id FROM account WHERE email_key = ?')
    .get(emailKey(row.email));
  if (!account) return refused(`there is no account '${row.email}'`);
  const place: Place = { db, accountId: account.id, at };
  if (row.kind === 'brickfolio') return applyBrickfolio(place, row.facts);
  return row.kind === 'holding' ? applyLot(place, row.facts) : applyLedgerSale(place, row.facts);
}

interface Place {
  readonly db: Database;
  readonly accountId: number;
  readonly at: number;
}

function applyBrickfolio({ db, accountId, at }: Place, facts: BrickfolioFacts): RowOutcome {
  const found = db
    .query<{ id: number; description: string | null; is_default: number }, [number, string]>(
      'SELECT id, description, is_default FROM brickfolio WHERE account_id = ? AND name = ?',
    )
    .get(accountId, facts.name);
  // A default stays one until another collection takes its place.
  const makeDefault = facts.isDefault || !hasBrickfolio(db, accountId);
  if (found && found.description === facts.description && (found.is_default || !makeDefault)) {
    return unchanged;
  }
  if (makeDefault) {
    db.query('UPDATE brickfolio SET is_default = 0 WHERE account_id = ?').run(accountId);
  }
  if (found) {
    db.query(
      'UPDATE brickfolio SET description = ?, is_default = max(is_default, ?) WHERE id = ?',
    ).run(facts.description, Number(makeDefault), found.id);
    return updated;
  }
  db.query(
    `INSERT INTO brickfolio (account_id, name, description, is_default, created_at)
     VALUES (?, ?, ?, ?, ?)`,
  ).run(accountId, facts.name, facts.description, Number(makeDefault), at);
  return added;
}

function hasBrickfolio(db: Database, accountId: number): boolean {
  return db.query('SELECT 1 FROM brickfolio WHERE account_id = ? LIMIT 1').get(accountId) !== null;
}

interface LotRow {
  readonly id: number;
  readonly brickfolio_id: number;
  readonly set_key: string;
  readonly quantity: number;
  readonly condition: string;
  readonly price_cents: number;
  readonly purchase_date: string;
  readonly status: string;
  readonly sold: number;
}

function applyLot({ db, accountId }: Place, facts: LotFacts): RowOutcome {
  const brickfolio = db
    .query<{ id: number }, [number, string]>(
      'SELECT id FROM brickfolio WHERE account_id = ? AND name = ?',
    )
    .get(accountId, facts.brickfolio);
  if (!brickfolio) return refused(`there is no brickfolio '${facts.brickfolio}'`, true);
  const key = itemKey('set', facts.setNumber);
  const old = findLot(db, accountId, facts.sourceId);
  if (!old) {
    db.query(
      `INSERT INTO lot (account_id, source_id, brickfolio_id, set_key, set_number, quantity,
         condition, price_cents, purchase_date, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(accountId, facts.sourceId, brickfolio.id, key, ...lotValues(facts));
    return added;
  }
  if (isSameLot(old, facts, { key, brickfolioId: brickfolio.id })) return unchanged;
  const fault = lotChangeFault(old, facts, key);
  if (fault) return refused(fault);
  db.query(
    `UPDATE lot SET brickfolio_id = ?, set_key = ?, set_number = ?, quantity = ?, condition = ?,
       price_cents = ?, purchase_date = ?, status = ? WHERE id = ?`,
  ).run(brickfolio.id, key, ...lotValues(facts), old.id);
  return updated;
}

function findLot(db: Database, accountId: number, sourceId: string): LotRow | null {
  return db
    .query<LotRow, [number, string]>(
      `SELECT l.*, (SELECT coalesce(sum(t.quantity), 0) FROM ledger_take t WHERE t.lot_id = l.id)
         AS sold FROM lot l WHERE l.account_id = ? AND l.source_id = ?`,
    )
    .get(accountId, sourceId);
}

function lotValues(facts: LotFacts): [string, number, string, number, string, string] {
  return [
    facts.setNumber,
    facts.quantity,
    facts.condition,
    facts.priceCents,
    facts.purchaseDate,
    facts.status,
  ];
}

function isSameLot(
  old: LotRow,
  facts: LotFacts,
  place: { key: string; brickfolioId: number },
): boolean {
  return (
    old.brickfolio_id === place.brickfolioId &&
    old.set_key === place.key &&
    old.quantity === facts.quantity &&
    old.condition === facts.condition &&
    old.price_cents === facts.priceCents &&
    old.purchase_date === facts.purchaseDate &&
    old.status === facts.status
  );
}

/** Units that were sold stay in the lot they were sold from. */
function lotChangeFault(old: LotRow, facts: LotFacts, key: string): string | null {
  if (facts.quantity < old.sold) {
    return `quantity ${facts.quantity} is less than the ${old.sold} already sold from this lot`;
  }
  const isOtherThing = old.set_key !== key || old.condition !== facts.condition;
  return old.sold > 0 && isOtherThing
    ? `set and condition cannot change: ${old.sold} units were already sold from this lot`
    : null;
}

function applyLedgerSale(place: Place, facts: LedgerSaleFacts): RowOutcome {
  const { db, accountId } = place;
  const given = JSON.stringify(facts);
  const old = db
    .query<{ id: number; given: string }, [number, string]>(
      'SELECT id, given FROM ledger_sale WHERE account_id = ? AND source_id = ?',
    )
    .get(accountId, facts.sourceId);
  if (old?.given === given) return unchanged;
  const lots = facts.costCents === null ? sellableLots(place, facts, old?.id ?? 0) : [];
  if (lots === null) return refused(`there is no lot '${facts.lot}' of this set and condition`);
  const allocation =
    facts.costCents === null
      ? allocateUnits(lots, facts.quantity)
      : { takes: [], costCents: facts.costCents };
  if ('unitsLeft' in allocation) {
    const where = facts.lot === null ? 'in all lots' : `in lot '${facts.lot}'`;
    return refused(
      `only ${allocation.unitsLeft} ${facts.condition} units of ${facts.setNumber} are left ` +
        `${where}; the sale is of ${facts.quantity}`,
    );
  }
  const saleId = saveSale(place, { facts, given, costCents: allocation.costCents });
  db.query('DELETE FROM ledger_take WHERE sale_id = ?').run(saleId);
  const take = db.query('INSERT INTO ledger_take (sale_id, lot_id, quantity) VALUES (?, ?, ?)');
  for (const { lotId, quantity } of allocation.takes) take.run(saleId, lotId, quantity);
  return old ? updated : added;
}

/** Lots that a sale may take from, with the units that other sales left; null: no such lot. */
function sellableLots(
  { db, accountId }: Place,
  facts: LedgerSaleFacts,
  ownSaleId: number,
): LotUnits[] | null {
  const rows = db
    .query<
      { id: number; source_id: string; purchase_date: string; price_cents: number; left: number },
      [number, string, string, number]
    >(
      `SELECT l.id, l.source_id, l.purchase_date, l.price_cents, l.quantity -
         (SELECT coalesce(sum(t.quantity), 0) FROM ledger_take t
          WHERE t.lot_id = l.id AND t.sale_id <> ?4) AS left
       FROM lot l WHERE l.account_id = ?1 AND l.set_key = ?2 AND l.condition = ?3`,
    )
    .all(accountId, itemKey('set', facts.setNumber), facts.condition, ownSaleId)
    .filter((row) => facts.lot === null || row.source_id === facts.lot);
  if (facts.lot !== null && rows.length === 0) return null;
  return rows.map((row) => ({
    lotId: row.id,
    purchaseDate: row.purchase_date,
    priceCents: row.price_cents,
    unitsLeft: row.left,
  }));
}

/** Writes the sale with its cost frozen; its id. */
function saveSale(
  { db, accountId }: Place,
  sale: { facts: LedgerSaleFacts; given: string; costCents: number },
): number {
  const { facts } = sale;
  const row = db
    .query<{ id: number }, (string | number)[]>(
      `INSERT INTO ledger_sale (account_id, source_id, set_key, set_number, condition, platform,
         sale_date, quantity, gross_cents, platform_fees_cents, payment_fees_cents, shipping_cents,
         cost_cents, given) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account_id, source_id) DO UPDATE SET set_key = excluded.set_key,
         set_number = excluded.set_number, condition = excluded.condition,
         platform = excluded.platform, sale_date = excluded.sale_date,
         quantity = excluded.quantity, gross_cents = excluded.gross_cents,
         platform_fees_cents = excluded.platform_fees_cents,
         payment_fees_cents = excluded.payment_fees_cents,
         shipping_cents = excluded.shipping_cents, cost_cents = excluded.cost_cents,
         given = excluded.given
       RETURNING id`,
    )
    .get(
      accountId,
      facts.sourceId,
      itemKey('set', facts.setNumber),
      facts.setNumber,
      facts.condition,
      facts.platform,
      facts.saleDate,
      facts.quantity,
      facts.grossCents,
      facts.platformFeesCents,
      facts.paymentFeesCents,
      facts.shippingCents,
      sale.costCents,
      sale.given,
    );
  if (!row) throw new Error('The sale was not written.');
  return row.id;
}
