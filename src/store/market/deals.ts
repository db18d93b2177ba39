/** Offers that may be a deal, and the log of deals at the usual terms. */
import {
  type DealName,
  type DealRow,
  dealEnding,
  type LoggedDeal,
  type PublishedDeal,
} from '../../domain/market/deals.ts';
import type { MarketReading } from '../../domain/market/market-reading.ts';
import type { PublishedItem } from '../../domain/market/publishing-store.ts';
import { retailers } from '../../domain/market/source-rows.ts';
import {
  type Engine,
  insertRows,
  type Operation,
  query,
  run,
  saveRows,
  together,
  updateRows,
} from '../sql/operation.ts';
import { columnsOf, tables } from '../sql/tables.ts';

/** A set that is published. */
interface PublishedSet {
  readonly item: Pick<PublishedItem, 'at' | 'deals'>;
  readonly row: { readonly key: string };
}

/** Reads deals. */
export function dealReading(
  engine: Pick<Engine, 'run'>,
): Pick<MarketReading, 'listDeals' | 'findDeals' | 'listDealLog' | 'findDealLog'> {
  const deals = `SELECT ${columnsOf(tables.deal, 'd')} FROM published.deal d`;
  return {
    listDeals: (after, limit) =>
      engine.run(() =>
        query<DealRow>(
          `${deals} WHERE (d.set_key, d.retailer) > ($1::text, $2::text)
           ORDER BY d.set_key, d.retailer LIMIT $3::bigint`,
          [after?.setKey ?? '', after?.retailer ?? '', limit],
        ),
      ),
    findDeals: (setKeys) =>
      engine.run(() => query<DealRow>(`${deals} WHERE d.set_key = ANY($1::text[])`, [setKeys])),
    listDealLog: ({ after, limit }) =>
      engine.run(() =>
        query<LoggedDeal>(`${logSql} WHERE g.id > $1::bigint ORDER BY g.id LIMIT $2::bigint`, [
          after,
          limit,
        ]),
      ),
    findDealLog: (setKeys) =>
      engine.run(() =>
        query<LoggedDeal>(`${logSql} WHERE g.set_key = ANY($1::text[]) ORDER BY g.id`, [setKeys]),
      ),
  };
}

const logSql = `SELECT ${columnsOf(tables.dealLog, 'g')} FROM published.deal_log g`;

/** A set with what was found out about it at the retailers. */
interface JudgedSet {
  readonly setKey: string;
  readonly at: number;
  readonly deals: readonly PublishedDeal[];
}

const nameOf = ({ setKey, retailer }: DealName) => `${setKey} ${retailer}`;

/** Writes what may be a deal in place of what was there, and what began and ended with it. */
export function* saveDeals(sets: readonly PublishedSet[]): Operation<void> {
  const judged = sets.flatMap(({ item: { at, deals }, row: { key } }): JudgedSet[] =>
    deals === null ? [] : [{ setKey: key, at, deals }],
  );
  yield* together([saveRowsOf(judged), saveLog(judged)]);
}

function* saveRowsOf(sets: readonly JudgedSet[]): Operation<void> {
  const rows = sets.flatMap(({ setKey, deals }) =>
    deals.flatMap(({ retailer, body }) => (body === null ? [] : [{ setKey, retailer, body }])),
  );
  const kept = new Set(rows.map(nameOf));
  for (const retailer of retailers) {
    const dropped = sets.flatMap(({ setKey }) =>
      kept.has(nameOf({ setKey, retailer })) ? [] : [setKey],
    );
    const sql =
      'DELETE FROM published.deal WHERE set_key = ANY($1::text[]) AND retailer = $2::text';
    yield* run(sql, [dropped, retailer]);
  }
  yield* saveRows<DealRow>(tables.deal, ['setKey', 'retailer', 'body'], rows);
}

type OpenDeal = Pick<LoggedDeal, 'id' | 'setKey' | 'retailer' | 'priceCents'>;

/** Each deal begins once and ends once, however often and by whom its set is published. */
function* saveLog(sets: readonly JudgedSet[]): Operation<void> {
  const open = yield* query<OpenDeal>(
    `SELECT ${columnsOf(tables.dealLog, 'g', ['id', 'setKey', 'retailer', 'priceCents'])}
     FROM published.deal_log g WHERE g.closed_at IS NULL AND g.set_key = ANY($1::text[])`,
    [sets.map(({ setKey }) => setKey)],
  );
  const last = new Map(open.map((deal) => [nameOf(deal), deal]));
  const closed = last.size === 0 ? [] : sets.flatMap((set) => endingsOf(set, last));
  const opened = sets.flatMap((set) => openingsOf(set, last));
  yield* updateRows(tables.dealLog, ['closedAt', 'closedWhy'], closed);
  yield* insertRows(
    tables.dealLog,
    ['setKey', 'retailer', 'openedAt', 'priceCents', 'prediction'],
    opened,
  );
}

function endingsOf({ setKey, at, deals }: JudgedSet, open: ReadonlyMap<string, OpenDeal>) {
  return retailers.flatMap((retailer) => {
    const deal = open.get(nameOf({ setKey, retailer }));
    const found = deals.find((each) => each.retailer === retailer);
    const closedWhy = deal ? dealEnding(deal, found) : null;
    return deal && closedWhy ? [{ id: deal.id, closedAt: at, closedWhy }] : [];
  });
}

function openingsOf({ setKey, at, deals }: JudgedSet, open: ReadonlyMap<string, OpenDeal>) {
  return deals.flatMap(({ retailer, priceCents, usual }) => {
    if (!('predict' in usual) || priceCents === null) return [];
    if (open.has(nameOf({ setKey, retailer }))) return [];
    return [{ setKey, retailer, openedAt: at, priceCents, prediction: usual.predict() }];
  });
}
