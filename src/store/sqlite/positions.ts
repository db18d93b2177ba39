/** Lots with the days on which units of them were sold. */
import type { Database } from 'bun:sqlite';
import type { Condition } from '../../domain/market.ts';
import { dayOf, parseDay } from '../../domain/time.ts';
import type { Position } from '../../domain/value-history.ts';

type LotValues = [number, string, Condition, string, number, number];
type TakeValues = [number, string, number];

/** Reads every lot of an account. Rows as arrays: there may be thousands, asked for each time. */
export function positionsReader(db: Database): (accountId: number) => Position[] {
  const lots = db.query<never, [number]>(
    `SELECT id, set_key, condition, purchase_date, quantity, price_cents
     FROM lot WHERE account_id = ?`,
  );
  const takes = db.query<never, [number]>(
    `SELECT t.lot_id, s.sale_date, t.quantity
     FROM ledger_sale s JOIN ledger_take t ON t.sale_id = s.id WHERE s.account_id = ?`,
  );
  return (accountId) => {
    const exits = new Map<number, { day: number; quantity: number }[]>();
    for (const [lotId, date, quantity] of takes.values(accountId) as unknown as TakeValues[]) {
      const exit = { day: dayNumber(date), quantity };
      const known = exits.get(lotId);
      if (known) known.push(exit);
      else exits.set(lotId, [exit]);
    }
    const rows = lots.values(accountId) as unknown as LotValues[];
    return rows.map(([id, setKey, condition, date, quantity, priceCents]) => ({
      setKey,
      condition,
      boughtOn: dayNumber(date),
      quantity,
      priceCents,
      exits: exits.get(id) ?? [],
    }));
  };
}

/** The day of a stored date, counted from 1970. */
function dayNumber(date: string): number {
  return dayOf(parseDay(date) ?? 0);
}
