/** Joins minifigs of BrickLink and Rebrickable, by their records and decisions of operators. */

import { compareText } from '../../catalog/items/numbers.ts';
import {
  joinMinifigs as findPairs,
  type MinifigPair,
} from '../../catalog/minifigs/minifig-join.ts';
import type {
  DecisionOutcome,
  JoinCounts,
  MinifigDecision,
  MinifigProfile,
  PossibleMatch,
} from '../../catalog/minifigs/unsure-minifigs.ts';
import { joinSource, operatorSource } from '../../market/lists/members.store.ts';
import { groupValues } from '../../store/sql/group-values.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { newMemberChanges } from '../rows/batch.store.ts';
import { Changes } from '../rows/changes.store.ts';
import { settleMembers } from '../rows/member-rows.store.ts';
import { SalesAtHand } from '../rows/sales-at-hand.store.ts';
import { UndoLog } from '../rows/undo-log.store.ts';
import { loadCatalogs, type StoredCatalogs, type StoredMinifig } from './minifig-catalogs.store.ts';

export function minifigStore(engine: db.Engine, writing: Pick<db.Engine, 'transaction'>) {
  return {
    ...db.methods(writing.transaction, { joinMinifigs, decideMinifigs }),
    ...db.methods(engine.snapshot, { listUnsureMinifigs }),
  };
}

export interface MinifigStore extends ReturnType<typeof minifigStore> {}

/** An alias that makes a Rebrickable minifig part of a BrickLink minifig. */
interface JoinAlias {
  readonly itemId: number;
  readonly key: string;
}

/**
 * Joins the catalogs again and separates pairs that no longer match; null unless there are both
 * catalogs. The result depends only on records and decisions, not on earlier joins.
 */
function* joinMinifigs(): db.Operation<JoinCounts | null> {
  const { counts, keys } = yield* saveJoin();
  yield* regroupAround(keys);
  return counts;
}

/** A saved join, before minifigs are regrouped. */
interface SavedJoin {
  /** Null unless there are both catalogs. */
  readonly counts: JoinCounts | null;
  /** Numbers with an added or removed alias. */
  readonly keys: readonly string[];
}

/** Joins current records and saves the aliases. */
export function* saveJoin(): db.Operation<SavedJoin> {
  const catalogs = yield* loadCatalogs();
  const { joined, unsure } = catalogs ? findPairs(catalogs) : { joined: [], unsure: [] };
  const keys = yield* saveAliases(catalogs ? aliasesOf(joined, catalogs) : []);
  return { counts: catalogs && { joined: joined.length, unsure: unsure.length }, keys };
}

/** The market uses BrickLink's numbers, so these are the ones shown. */
function aliasesOf(pairs: readonly MinifigPair[], { bricklink }: StoredCatalogs): JoinAlias[] {
  const ids = new Map(bricklink.map(({ key, id }) => [key, id]));
  return pairs.flatMap((pair) => {
    const itemId = ids.get(pair.bricklink);
    return itemId === undefined ? [] : [{ itemId, key: pair.rebrickable }];
  });
}

/** Writes the difference to the previous join; returns the keys of changed aliases. */
function* saveAliases(aliases: readonly JoinAlias[]): db.Operation<string[]> {
  const stored = yield* db.query<JoinAlias>(
    `SELECT item_id::float8 AS "itemId", key FROM published.alias WHERE source = $1::text`,
    [joinSource],
  );
  const nameOf = ({ itemId, key }: JoinAlias) => `${itemId} ${key}`;
  const before = new Set(stored.map(nameOf));
  const after = new Set(aliases.map(nameOf));
  const gone = stored.filter((alias) => !after.has(nameOf(alias)));
  const added = aliases.filter((alias) => !before.has(nameOf(alias)));
  yield* deleteAliases(joinSource, gone);
  yield* db.insertRows(
    tables.alias,
    added.map((alias) => ({ ...alias, source: joinSource })),
  );
  return [...gone, ...added].map(({ key }) => key);
}

function deleteAliases(source: string, aliases: readonly JoinAlias[]): db.Operation<number> {
  const rows = aliases.map((alias) => ({ ...alias, source }));
  return db.deleteEach(tables.alias, rows);
}

function* regroupAround(keys: readonly string[]): db.Operation<void> {
  const changes = new Changes(new SalesAtHand(), new UndoLog(null));
  yield* settleMembers({ members: newMemberChanges(keys), changes });
  yield* changes.save();
}

/** Pairs for an operator to decide, most likely first. */
function* listUnsureMinifigs(): db.Reading<PossibleMatch[]> {
  const catalogs = yield* loadCatalogs();
  if (!catalogs) return [];
  const { unsure } = findPairs(catalogs);
  const minifigs = new Map(
    [...catalogs.bricklink, ...catalogs.rebrickable].map((minifig) => [minifig.key, minifig]),
  );
  const sets = yield* listSets(unsure.flatMap((pair) => [pair.bricklink, pair.rebrickable]));
  const profileOf = (key: string): MinifigProfile => profile(minifigs.get(key), sets.get(key));
  return unsure
    .map(({ bricklink, rebrickable, by, score, rival }) => ({
      bricklink: profileOf(bricklink),
      rebrickable: profileOf(rebrickable),
      by,
      score,
      rival: rival === null ? null : profileOf(rival).number,
    }))
    .sort((a, b) => b.score - a.score || compareText(a.bricklink.number, b.bricklink.number));
}

function profile(minifig: StoredMinifig | undefined, sets: readonly string[] = []): MinifigProfile {
  if (!minifig) throw new Error('A pair is of minifigs that were given.');
  const { number, name, year } = minifig;
  return { number, name, year, sets };
}

/** Sets that contain the minifigs according to any source, by minifig key. */
function* listSets(keys: readonly string[]): db.Reading<Map<string, string[]>> {
  const rows = yield* db.query<{ key: string; number: string }>(
    `SELECT DISTINCT m.minifig_key AS key, s.number FROM source.set_minifig m
     JOIN published.item s ON s.id = m.set_id WHERE m.minifig_key = ANY($1::text[])`,
    [keys],
  );
  const sorted = rows.sort((a, b) => compareText(a.number, b.number));
  return groupValues(sorted, 'key', 'number');
}

interface KnownNumber {
  readonly id: number;
  readonly key: string;
  /** 2: has a record of a source other than Rebrickable; 1: only of Rebrickable; 0: no record. */
  readonly rank: number;
}

/** Saves a decision, which overrides all sources, and joins again. */
function* decideMinifigs({ keys, isOne, at }: MinifigDecision): db.Operation<DecisionOutcome> {
  const found = yield* db.query<KnownNumber>(
    `SELECT i.id::float8 AS id, i.key, coalesce((
       SELECT max(CASE c.source WHEN 'rebrickable' THEN 1 ELSE 2 END)
       FROM source.catalog_record c WHERE c.item_id = i.id), 0) AS rank
     FROM published.item i WHERE i.kind = 'minifig' AND i.key = ANY($1::text[])
       AND (i.part_of IS NULL OR i.part_of <> 0)`,
    [keys],
  );
  const [first, second] = keys.map((key) => found.find((item) => item.key === key));
  if (!first) return { kind: 'unknown', key: keys[0] };
  if (!second) return { kind: 'unknown', key: keys[1] };
  // Neither of two aliases without records could be shown.
  if (isOne && first.rank + second.rank === 0) return { kind: 'unknown', key: keys[0] };
  yield* db.run(
    'DELETE FROM source.parted_minifig WHERE key = ANY($1::text[]) AND other_key = ANY($1::text[])',
    [keys],
  );
  yield* deleteAliases(operatorSource, [
    { itemId: first.id, key: second.key },
    { itemId: second.id, key: first.key },
  ]);
  yield* isOne ? saveJoined(first, second) : saveParted(first, second, at);
  yield* regroupAround(keys);
  // Minifigs that were joined with one of them may need another partner.
  yield* joinMinifigs();
  return { kind: 'saved', shown: yield* listShown(keys) };
}

/** The number with the higher rank is shown; the first one if they are equal. */
function* saveJoined(first: KnownNumber, second: KnownNumber): db.Operation<void> {
  const [shown, other] = second.rank > first.rank ? [second, first] : [first, second];
  const alias = { key: other.key, itemId: shown.id, source: operatorSource };
  yield* db.insertRows(tables.alias, [alias]);
}

function* saveParted(first: KnownNumber, second: KnownNumber, at: number): db.Operation<void> {
  yield* db.insertRows(tables.partedMinifig, [
    { key: first.key, otherKey: second.key, partedAt: at },
    { key: second.key, otherKey: first.key, partedAt: at },
  ]);
}

function* listShown(keys: readonly [string, string]): db.Reading<[string, string]> {
  const rows = yield* db.query<{ key: string; number: string }>(
    `SELECT i.key, w.number FROM published.item i
     JOIN published.item w ON w.id = coalesce(i.part_of, i.id)
     WHERE i.kind = 'minifig' AND i.key = ANY($1::text[])`,
    [keys],
  );
  const shown = (key: string) => rows.find((row) => row.key === key)?.number ?? key;
  return [shown(keys[0]), shown(keys[1])];
}
