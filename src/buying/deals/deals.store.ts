/** Deal candidates, and the log of deals at default terms. */

import type { RowsAfter } from '../../kernel/page.ts';
import type { DealScore } from '../../market/published/deal-scorecard.ts';
import {
  type DealChange,
  type DealName,
  type DealRow,
  dealEnding,
  type GradedDeal,
  gradedMs,
  type LoggedDeal,
  type PublishedDeal,
} from '../../market/published/deals.ts';
import type { PublishedItem } from '../../market/published/publishing.ts';
import { retailers } from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';

interface PublishedSet {
  readonly item: Pick<PublishedItem, 'at' | 'deals'>;
  readonly row: { readonly key: string };
}

export function dealReading(engine: Pick<db.Engine, 'run'>) {
  const deals = `SELECT ${columnsOf(tables.deal, 'd')} FROM published.deal d`;
  return {
    ...db.methods(engine.run, { listDealLog, findDealLog, countDealLog, listDealScores }),
    /** Candidates in order of set and retailer, after one; null for the first. */
    listDeals: (after: DealName | null, limit: number) =>
      engine.run(() =>
        db.query<DealRow>(
          `${deals} WHERE (d.set_key, d.retailer) > ($1::text, $2::text)
           ORDER BY d.set_key, d.retailer LIMIT $3::bigint`,
          [after?.setKey ?? '', after?.retailer ?? '', limit],
        ),
      ),
    findDeals: (setKeys: readonly string[]) =>
      engine.run(() => db.query<DealRow>(`${deals} WHERE d.set_key = ANY($1::text[])`, [setKeys])),
  };
}

/** Deals at default terms in order of opening, including closed ones. */
function listDealLog({ after, limit }: RowsAfter): db.Reading<LoggedDeal[]> {
  return db.query<LoggedDeal>(`${logSql} WHERE g.id > $1::bigint ORDER BY g.id LIMIT $2::bigint`, [
    after,
    limit,
  ]);
}

function findDealLog(setKeys: readonly string[]): db.Reading<LoggedDeal[]> {
  return db.query<LoggedDeal>(`${logSql} WHERE g.set_key = ANY($1::text[]) ORDER BY g.id`, [
    setKeys,
  ]);
}

function* countDealLog(openedFrom: number): db.Reading<number> {
  const sql = 'SELECT count(*) AS n FROM published.deal_log WHERE opened_at >= $1::bigint';
  return (yield* db.first<{ n: number }>(sql, [openedFrom]))?.n ?? 0;
}

/** Scores of deals from a week on, in order of their key. */
function listDealScores(fromWeek: number): db.Reading<DealScore[]> {
  return db.query<DealScore>(
    `SELECT ${columnsOf(tables.dealScore, 's')} FROM published.deal_score AS s
     WHERE s.week >= $1::bigint ORDER BY s.week, s.tier, s.percent`,
    [fromWeek],
  );
}

const logSql = `SELECT ${columnsOf(tables.dealLog, 'g')} FROM published.deal_log g`;

interface JudgedSet {
  readonly setKey: string;
  readonly at: number;
  readonly deals: readonly PublishedDeal[];
}

const nameOf = ({ setKey, retailer }: DealName) => `${setKey} ${retailer}`;

/** Replaces the candidates of sets; returns the deals that opened and closed. */
export function* saveDeals(sets: readonly PublishedSet[]): db.Operation<DealChange[]> {
  const judged = sets.flatMap(({ item: { at, deals }, row: { key } }): JudgedSet[] =>
    deals === null ? [] : [{ setKey: key, at, deals }],
  );
  const [changes] = yield* db.together([saveLog(judged), saveRowsOf(judged)]);
  return changes;
}

function* saveRowsOf(sets: readonly JudgedSet[]): db.Operation<void> {
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
    yield* db.run(sql, [dropped, retailer]);
  }
  yield* db.saveRows(tables.deal, rows);
}

type OpenDeal = Pick<LoggedDeal, 'id' | 'setKey' | 'retailer' | 'priceCents'>;

/** Every deal is opened once and closed once, however often its set is published. */
function* saveLog(sets: readonly JudgedSet[]): db.Operation<DealChange[]> {
  const open = yield* db.query<OpenDeal>(
    `SELECT ${columnsOf(tables.dealLog, 'g', ['id', 'setKey', 'retailer', 'priceCents'])}
     FROM published.deal_log g WHERE g.closed_at IS NULL AND g.set_key = ANY($1::text[])`,
    [sets.map(({ setKey }) => setKey)],
  );
  const last = new Map(open.map((deal) => [nameOf(deal), deal]));
  const closed = last.size === 0 ? [] : sets.flatMap((set) => endingsOf(set, last));
  const opened = sets.flatMap((set) => openingsOf(set, last));
  yield* db.updateRows(tables.dealLog, ['closedAt', 'closedWhy'], closed);
  yield* db.insertRows(tables.dealLog, opened);
  return [
    ...closed.map(({ closedWhy, ...deal }) => changeOf(deal, { ending: closedWhy })),
    ...opened.map(({ prediction, ...deal }) => changeOf(deal, { prediction })),
  ];
}

function changeOf(
  { setKey, retailer, priceCents }: Omit<DealChange, 'change'>,
  change: DealChange['change'],
): DealChange {
  return { setKey, retailer, priceCents, change };
}

function endingsOf({ setKey, at, deals }: JudgedSet, open: ReadonlyMap<string, OpenDeal>) {
  return retailers.flatMap((retailer) => {
    const deal = open.get(nameOf({ setKey, retailer }));
    const found = deals.find((each) => each.retailer === retailer);
    const closedWhy = deal ? dealEnding(deal, found) : null;
    return deal && closedWhy ? [{ ...deal, closedAt: at, closedWhy }] : [];
  });
}

function openingsOf({ setKey, at, deals }: JudgedSet, open: ReadonlyMap<string, OpenDeal>) {
  return deals.flatMap(({ retailer, priceCents, usual }) => {
    if (!('predict' in usual) || priceCents === null) return [];
    if (open.has(nameOf({ setKey, retailer }))) return [];
    return [{ setKey, retailer, openedAt: at, priceCents, prediction: usual.predict() }];
  });
}

/** The deals that sales at a time are compared with, by set, oldest first. */
export function* loadGradedDeals(
  setKeys: readonly string[],
  at: number,
): db.Reading<Map<string, GradedDeal[]>> {
  const deals = yield* db.query<GradedDeal & Pick<DealName, 'setKey'>>(
    `SELECT ${columnsOf(tables.dealLog, 'g', ['setKey', 'openedAt', 'prediction'])}
     FROM published.deal_log g
     WHERE g.set_key = ANY($1::text[]) AND g.opened_at >= $2::bigint
     ORDER BY g.opened_at, g.id`,
    [setKeys, at - gradedMs],
  );
  return Map.groupBy(deals, ({ setKey }) => setKey);
}
