/** Recorded sales: which units they take, and the cost that is frozen with them. */
import {
  type Allocation,
  allocateUnits,
  type LedgerSaleFacts,
  type LotUnits,
  type Take,
} from '../../domain/lots.ts';
import type { RowOutcome } from '../../domain/market-store.ts';
import { itemKey } from '../../domain/numbers.ts';
import { added, type Place, refused, unchanged, updated } from './private-row.ts';

interface OldSale {
  readonly id: number;
  readonly given: string;
  readonly cost_cents: number;
}

/** Records a sale, or records it again where its line has changed. */
export function applyLedgerSale(place: Place, facts: LedgerSaleFacts): RowOutcome {
  const { db, accountId } = place;
  const given = JSON.stringify(facts);
  const old = db
    .query<OldSale, [number, string]>(
      'SELECT id, given, cost_cents FROM ledger_sale WHERE account_id = ? AND source_id = ?',
    )
    .get(accountId, facts.sourceId);
  if (old?.given === given) return unchanged;
  // The cost stays frozen while nothing that decides it has changed: a fee may be corrected.
  if (old && costWish(JSON.parse(old.given)) === costWish(facts)) {
    saveSale(place, { facts, given, costCents: old.cost_cents });
    return updated;
  }
  if (old) moveUnits(place, takesOf(place, old.id), -1);
  const allocation = allocate(place, facts);
  if ('reason' in allocation) {
    if (old) moveUnits(place, takesOf(place, old.id), 1);
    return refused(allocation.reason);
  }
  const saleId = saveSale(place, { facts, given, costCents: allocation.costCents });
  saveTakes(place, saleId, allocation.takes);
  return old ? updated : added;
}

/** Everything that the cost of a sale depends on. */
function costWish(facts: LedgerSaleFacts): string {
  const { setNumber, condition, quantity, costCents, lot } = facts;
  return JSON.stringify([setNumber, condition, quantity, costCents, lot]);
}

type Allocated = Extract<Allocation, { costCents: number }>;

function allocate(place: Place, facts: LedgerSaleFacts): Allocated | { reason: string } {
  if (facts.costCents !== null) return { takes: [], costCents: facts.costCents };
  if (facts.lot !== null && !hasLot(place, facts)) {
    return { reason: `there is no lot '${facts.lot}' of this set and condition` };
  }
  const allocation = allocateUnits(openLots(place, facts), facts.quantity);
  if (!('unitsLeft' in allocation)) return allocation;
  const where = facts.lot === null ? 'in all lots' : `in lot '${facts.lot}'`;
  return {
    reason:
      `only ${allocation.unitsLeft} ${facts.condition} units of ${facts.setNumber} are left ` +
      `${where}; the sale is of ${facts.quantity}`,
  };
}

function hasLot({ db, accountId }: Place, facts: LedgerSaleFacts): boolean {
  const sql =
    'SELECT 1 FROM lot WHERE account_id = ? AND source_id = ? AND set_key = ? AND condition = ?';
  const key = itemKey('set', facts.setNumber);
  return db.query(sql).get(accountId, facts.lot, key, facts.condition) !== null;
}

/** The oldest lots with units left. Each has one at least, so as many as are sold will do. */
function openLots({ db, accountId }: Place, facts: LedgerSaleFacts): LotUnits[] {
  return db
    .query<LotUnits, [number, string, string, string | null, number]>(
      `SELECT id AS lotId, purchase_date AS purchaseDate, price_cents AS priceCents,
         quantity - sold AS unitsLeft
       FROM lot WHERE account_id = ?1 AND set_key = ?2 AND condition = ?3 AND sold < quantity
         AND (?4 IS NULL OR source_id = ?4)
       ORDER BY purchase_date, id LIMIT ?5`,
    )
    .all(accountId, itemKey('set', facts.setNumber), facts.condition, facts.lot, facts.quantity);
}

function takesOf({ db }: Place, saleId: number): Take[] {
  const sql = 'SELECT lot_id AS lotId, quantity FROM ledger_take WHERE sale_id = ?';
  return db.query<Take, [number]>(sql).all(saleId);
}

/** Counts units as sold (1), or as there again (-1). */
function moveUnits({ db }: Place, takes: readonly Take[], sign: 1 | -1): void {
  const move = db.query('UPDATE lot SET sold = sold + ? WHERE id = ?');
  for (const { lotId, quantity } of takes) move.run(sign * quantity, lotId);
}

function saveTakes(place: Place, saleId: number, takes: readonly Take[]): void {
  const { db } = place;
  db.query('DELETE FROM ledger_take WHERE sale_id = ?').run(saleId);
  const take = db.query('INSERT INTO ledger_take (sale_id, lot_id, quantity) VALUES (?, ?, ?)');
  for (const { lotId, quantity } of takes) take.run(saleId, lotId, quantity);
  moveUnits(place, takes, 1);
}

/** Writes the sale with its cost; its id. */
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
