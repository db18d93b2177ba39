/** Sets and minifigs on their way in: each source keeps its own record of an item. */
import type { Database } from 'bun:sqlite';
import type { MinifigFacts, SetFacts } from '../../domain/catalog.ts';
import type { RowOutcome } from '../../domain/market-store.ts';
import { type ItemKind, itemKey } from '../../domain/numbers.ts';
import type { ParameterChanges } from './parameter-rows.ts';
import type { Touched } from './touched.ts';

/** What catalog records change besides their own rows. */
interface Work {
  readonly touched: Touched;
  readonly changes: ParameterChanges;
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
  const links = linkRows(db, work);

  const save = (
    kind: ItemKind,
    record: { source: string; facts: SetFacts | MinifigFacts },
  ): { outcome: RowOutcome; id: number } => {
    const { source, facts } = record;
    const key = itemKey(kind, facts.number);
    const item = findItem.get(kind, key) ?? addItem.get(kind, key, facts.number);
    if (!item) throw new Error(`The item ${kind} ${key} was not written.`);
    const body = JSON.stringify(facts);
    const old = findRecord.get(item.id, source);
    if (old?.body === body) return { outcome: { kind: 'unchanged' }, id: item.id };
    saveRecord.run(item.id, source, body);
    work.touched.add(item.id);
    work.changes.addFacts(item.id);
    return { outcome: { kind: old ? 'updated' : 'added' }, id: item.id };
  };

  return {
    applySet(source: string, facts: SetFacts): RowOutcome {
      const { outcome, id } = save('set', { source, facts });
      if (outcome.kind !== 'unchanged') links.saveMinifigs(id, source, facts.minifigs ?? []);
      return outcome;
    },
    applyMinifig(source: string, facts: MinifigFacts): RowOutcome {
      const { outcome, id } = save('minifig', { source, facts });
      if (outcome.kind !== 'unchanged') links.saveAliases(id, source, facts);
      return outcome;
    },
  };
}

/** What ties sets and minifigs together: contents, and other numbers of the same minifig. */
function linkRows(db: Database, { touched, changes }: Work) {
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
  const minifigsNamed = db.query<{ id: number }, [string]>(
    `SELECT id FROM item WHERE kind = 'minifig' AND key = ?1
     UNION SELECT item_id FROM alias WHERE key = ?1`,
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
        // In how many sets a minifig is belongs to its facts.
        const isSame = before.has(key) && after.has(key);
        for (const { id } of minifigsNamed.all(key)) {
          touched.add(id);
          if (!isSame) changes.addFacts(id);
        }
      }
    },
    saveAliases(minifigId: number, source: string, facts: MinifigFacts): void {
      const keys = new Set(dropAliases.all(minifigId, source).map((row) => row.key));
      keys.add(itemKey('minifig', facts.number));
      for (const number of facts.aliases) {
        const key = itemKey('minifig', number);
        addAlias.run(key, minifigId, source);
        keys.add(key);
      }
      for (const key of keys) for (const { set_id } of setsWith.all(key)) touched.add(set_id);
    },
  };
}
