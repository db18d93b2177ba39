/** Collections, lots and recorded sales, as imports bring them in. */
import type { Database } from 'bun:sqlite';
import type { PrivateRow } from '../../domain/account-store.ts';
import type { BrickfolioFacts, LotFacts } from '../../domain/lots.ts';
import type { RowOutcome } from '../../domain/market-store.ts';
import { itemKey } from '../../domain/numbers.ts';
import { inTransaction } from './database.ts';
import { emailKey } from './keys.ts';
import { applyLedgerSale } from './ledger-rows.ts';
import { added, type Place, refused, unchanged, updated } from './private-row.ts';

/** Applies private rows in order, in one transaction. */
export function applyPrivateRows(
  db: Database,
  rows: readonly PrivateRow[],
  at: number,
): RowOutcome[] {
  return inTransaction(db, () => {
    const changed = new Set<string>();
    const outcomes = rows.map((row) => {
      const outcome = applyRow(db, row, at);
      if (outcome.kind === 'added' || outcome.kind === 'updated') changed.add(emailKey(row.email));
      return outcome;
    });
    const bump = db.query(
      'UPDATE account SET private_version = private_version + 1 WHERE email_key = ?',
    );
    for (const email of changed) bump.run(email);
    return outcomes;
  });
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
    .query<LotRow, [number, string]>('SELECT * FROM lot WHERE account_id = ? AND source_id = ?')
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
