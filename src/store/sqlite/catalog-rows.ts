/** Sets and minifigs on their way in: each source keeps its own record of an item. */
import type { Database } from 'bun:sqlite';
import { isNaming, type MinifigFacts, type SetDescription } from '../../domain/catalog/catalog.ts';
import { type ItemKind, itemKey } from '../../domain/catalog/numbers.ts';
import type { RowOutcome } from '../../domain/market/market-store.ts';
import { noNamedSet, onlyName } from '../refusals.ts';
import type { MemberChanges } from './member-rows.ts';
import type { ParameterChanges } from './parameter-rows.ts';
import type { Touched } from './touched.ts';

/** What catalog records change besides their own rows. */
interface Work {
  readonly touched: Touched;
  readonly changes: ParameterChanges;
  readonly members: MemberChanges;
}

/** Applies catalog records; remembers whose documents they change. */
export function catalogRows(db: Database, work: Work) {
  const findItem = db.query<{ id: number; number: string }, [ItemKind, string]>(
    'SELECT id, number FROM item WHERE kind = ? AND key = ?',
  );
  const addItem = db.query<{ id: number }, [ItemKind, string, string]>(
    'INSERT INTO item (kind, key, number) VALUES (?, ?, ?) RETURNING id',
  );
  const findRecord = db.query<{ body: string }, [number, string]>(
    'SELECT body FROM catalog_record WHERE item_id = ? AND source = ?',
  );
  const saveRecord = db.query<never, [number, string, string]>(
    'INSERT OR REPLACE INTO catalog_record (item_id, source, body) VALUES (?, ?, ?)',
  );
  const isNamedByOthers = namesFinder(db);
  // The item of an alias has no spelling of its own until a source describes it by that number.
  const spell = db.query<never, [string, number]>(
    `UPDATE item SET number = ?1 WHERE id = ?2
       AND NOT EXISTS (SELECT 1 FROM catalog_record WHERE item_id = ?2)`,
  );
  const links = linkRows(db, work);

  const save = (
    kind: ItemKind,
    record: { source: string; facts: SetDescription | MinifigFacts },
  ): { outcome: RowOutcome; id: number } => {
    const { source, facts } = record;
    const key = itemKey(kind, facts.number);
    const known = findItem.get(kind, key);
    if (!known && !isNaming(facts)) return { outcome: noNamedSet(key), id: 0 };
    const item = known ?? addItem.get(kind, key, facts.number);
    if (!item) throw new Error(`The item ${kind} ${key} was not written.`);
    const body = JSON.stringify(facts);
    const old = findRecord.get(item.id, source);
    if (old?.body === body) return { outcome: { kind: 'unchanged' }, id: item.id };
    if (!isNaming(facts) && !isNamedByOthers(item.id, source)) {
      return { outcome: onlyName(key), id: item.id };
    }
    if (known && !old) spell.run(facts.number, item.id);
    saveRecord.run(item.id, source, body);
    work.touched.add(item.id);
    work.changes.addFacts(item.id);
    if (kind === 'minifig') work.members.described.add(item.id);
    return { outcome: { kind: old ? 'updated' : 'added' }, id: item.id };
  };

  return {
    applySet(source: string, facts: SetDescription): RowOutcome {
      const { outcome, id } = save('set', { source, facts });
      if (isChange(outcome)) links.saveMinifigs(id, source, facts.minifigs ?? []);
      return outcome;
    },
    applyMinifig(source: string, facts: MinifigFacts): RowOutcome {
      const { outcome, id } = save('minifig', { source, facts });
      if (isChange(outcome)) links.saveAliases(id, source, facts);
      return outcome;
    },
  };
}

function isChange({ kind }: RowOutcome): boolean {
  return kind === 'added' || kind === 'updated';
}

/** Whether any source but one names a set. */
function namesFinder(db: Database): (setId: number, source: string) => boolean {
  const find = db.query<unknown, [number, string]>(
    `SELECT 1 FROM catalog_record WHERE item_id = ? AND source <> ?
       AND body ->> '$.title' IS NOT NULL AND body ->> '$.theme' IS NOT NULL`,
  );
  return (setId, source) => find.get(setId, source) !== null;
}

/** What ties sets and minifigs together: contents, and other numbers of the same minifig. */
function linkRows(db: Database, { touched, changes, members }: Work) {
  const dropMinifigs = db.query<{ minifig_key: string }, [number, string]>(
    'DELETE FROM set_minifig WHERE set_id = ? AND source = ? RETURNING minifig_key',
  );
  const addMinifig = db.query<never, [number, string, string, string]>(
    'INSERT OR IGNORE INTO set_minifig VALUES (?, ?, ?, ?)',
  );
  const dropAliases = db.query<{ key: string }, [number, string]>(
    'DELETE FROM alias WHERE item_id = ? AND source = ? RETURNING key',
  );
  const addAlias = db.query<never, [string, number, string]>(
    'INSERT OR IGNORE INTO alias (key, item_id, source) VALUES (?, ?, ?)',
  );
  const addItem = db.query<never, [string]>(
    `INSERT INTO item (kind, key, number) SELECT 'minifig', ?1, ?1
     WHERE NOT EXISTS (SELECT 1 FROM item WHERE kind = 'minifig' AND key = ?1)`,
  );
  const findMinifig = db.query<{ id: number }, [string]>(
    `SELECT id FROM item WHERE kind = 'minifig' AND key = ?`,
  );
  const setsWith = db.query<{ set_id: number }, [string]>(
    'SELECT set_id FROM set_minifig WHERE minifig_key = ?',
  );
  return {
    saveMinifigs(setId: number, source: string, numbers: readonly string[]): void {
      const before = new Set(dropMinifigs.all(setId, source).map((row) => row.minifig_key));
      const after = new Set<string>();
      for (const number of numbers) {
        const key = itemKey('minifig', number);
        addMinifig.run(setId, key, source, number);
        after.add(key);
      }
      for (const key of before.union(after)) {
        const minifig = findMinifig.get(key);
        if (!minifig) continue;
        touched.add(minifig.id);
        // In how many sets a minifig is belongs to its facts.
        if (before.has(key) && after.has(key)) continue;
        changes.addFacts(minifig.id);
        members.described.add(minifig.id);
      }
    },
    saveAliases(minifigId: number, source: string, facts: MinifigFacts): void {
      const ownKey = itemKey('minifig', facts.number);
      for (const { key } of dropAliases.all(minifigId, source)) members.keys.add(key);
      for (const number of facts.aliases) {
        const key = itemKey('minifig', number);
        addItem.run(key);
        addAlias.run(key, minifigId, source);
        members.keys.add(key);
      }
      members.keys.add(ownKey);
      for (const { set_id } of setsWith.all(ownKey)) touched.add(set_id);
    },
  };
}
