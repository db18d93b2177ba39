/**
 * What a batch changes besides its own rows: whose documents are stale, and from which month on
 * parameters have to be learned again. Where that depends on sales which the batch does not name,
 * it is asked for all rows at once, before anything is written.
 */
import { EarliestChange } from '../../earliest-change.ts';
import type { RateWindow } from '../../rate-window.ts';
import type { Connection } from '../client.ts';
import type { SalesAtHand } from './sales-at-hand.ts';

/** A question about sales that the batch does not name: are there more than it has counted? */
interface ItemDoubt {
  readonly id: number;
  readonly counted: number;
}

interface RateDoubt extends RateWindow {
  readonly counted: number;
}

/** Gathers the changes of one batch. */
export class Changes {
  private readonly touched = new Set<number>();
  private readonly earliest = new EarliestChange();
  private readonly itemDoubts = new Map<number, ItemDoubt>();
  private readonly rateDoubts: RateDoubt[] = [];
  private readonly windows: RateWindow[] = [];

  constructor(private readonly sales: SalesAtHand) {}

  /** The document of an item is stale. */
  touch(itemId: number): void {
    this.touched.add(itemId);
  }

  /** A row of this instant was added, changed or taken back. */
  addAt(at: number): void {
    this.earliest.add(at);
  }

  /** The facts of an item changed; they count for all months when it was ever sold. */
  addFacts(itemId: number): void {
    const { now, before } = this.sales.countOf(itemId);
    if (now > 0) this.earliest.addAlways();
    else this.itemDoubts.set(itemId, { id: itemId, counted: before });
  }

  /** Something changed that counts for all months. */
  addAll(): void {
    this.earliest.addAlways();
  }

  /** A rate changed; it counts from its day on when it applies to any sale. */
  addRate(window: RateWindow): void {
    // Sales of the batch are touched on their own, so that only those in the store are left.
    this.windows.push(window);
    const { now, before } = this.sales.countIn(window);
    if (now > 0) this.earliest.add(window.from);
    else this.rateDoubts.push({ ...window, counted: before });
  }

  /** Asks for what the rows left open, while the store is as it was before them. */
  async settle(tx: Connection): Promise<void> {
    for (const id of await listItemsIn(tx, merged(this.windows))) this.touched.add(id);
    const doubts = this.rateDoubts.filter(({ from }) => this.earliest.isAfter(from));
    const from = await findEarliest(tx, doubts);
    if (from !== null) this.earliest.add(from);
    if (this.earliest.isAlways()) return;
    if (await areSomeSold(tx, [...this.itemDoubts.values()])) this.earliest.addAlways();
  }

  /** Writes what was gathered; nothing when nothing was. */
  async save(tx: Connection): Promise<void> {
    if (this.touched.size > 0) {
      const ids = [...this.touched].sort((a, b) => a - b);
      // A minifig is stale when one of its parts is.
      await tx.run(
        `WITH touched AS MATERIALIZED (SELECT unnest($1::bigint[]) AS id)
         UPDATE published.item SET version = version + 1 FROM (
           SELECT id FROM touched UNION
           SELECT part.part_of FROM touched JOIN published.item AS part USING (id)
           WHERE part.part_of IS NOT NULL) AS stale
         WHERE item.id = stale.id`,
        [ids],
      );
    }
    const month = this.earliest.month();
    if (month === null) return;
    await tx.run("UPDATE published.meta SET value = value + 1 WHERE name = 'parameters_change'");
    await tx.run(
      `INSERT INTO published.meta AS m VALUES ('parameters_changed_from', $1::bigint)
       ON CONFLICT (name) DO UPDATE SET value = least(m.value, excluded.value)`,
      [month],
    );
  }
}

/** The same windows without overlaps: rates that arrive day by day each reach to the end. */
function merged(windows: readonly RateWindow[]): RateWindow[] {
  const result: RateWindow[] = [];
  for (const [currency, some] of Map.groupBy(windows, (window) => window.currency)) {
    let last: { from: number; to: number } | null = null;
    for (const { from, to } of some.sort((a, b) => a.from - b.from)) {
      if (last && from <= last.to) {
        last.to = Math.max(last.to, to);
        continue;
      }
      const next = { currency, from, to };
      result.push(next);
      last = next;
    }
  }
  return result;
}

const inWindow = `s.currency = w.currency AND s.currency <> 'USD'
  AND s.sold_at >= w."from" AND s.sold_at < w."to"`;

/** The items with sales in any of the windows. */
async function listItemsIn(tx: Connection, windows: readonly RateWindow[]): Promise<number[]> {
  if (windows.length === 0) return [];
  const rows = await tx.query<{ id: number }>(
    `SELECT DISTINCT s.item_id::float8 AS id
     FROM json_to_recordset($1::text::json) AS w(currency text, "from" bigint, "to" bigint)
     JOIN source.sale AS s ON ${inWindow}`,
    [JSON.stringify(windows)],
  );
  return rows.map((row) => row.id);
}

/** The beginning of the earliest window with more sales than were counted; null for none. */
async function findEarliest(tx: Connection, doubts: readonly RateDoubt[]): Promise<number | null> {
  if (doubts.length === 0) return null;
  const [row] = await tx.query<{ from: number | null }>(
    `SELECT min(w."from")::float8 AS "from"
     FROM json_to_recordset($1::text::json)
       AS w(currency text, "from" bigint, "to" bigint, counted bigint)
     WHERE (SELECT count(*) FROM (
       SELECT 1 FROM source.sale AS s WHERE ${inWindow} LIMIT w.counted + 1) AS found) > w.counted`,
    [JSON.stringify(doubts)],
  );
  return row?.from ?? null;
}

/** Whether any of the items has more sales than were counted. */
async function areSomeSold(tx: Connection, doubts: readonly ItemDoubt[]): Promise<boolean> {
  if (doubts.length === 0) return false;
  const [row] = await tx.query<{ areSold: boolean }>(
    `SELECT EXISTS (
       SELECT 1 FROM json_to_recordset($1::text::json) AS d(id bigint, counted bigint)
       WHERE (SELECT count(*) FROM (
         SELECT 1 FROM source.sale WHERE item_id = d.id LIMIT d.counted + 1) AS found) > d.counted
     ) AS "areSold"`,
    [JSON.stringify(doubts)],
  );
  return row?.areSold ?? false;
}
