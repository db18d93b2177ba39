/** What was learned across all items, and whether the rows behind it have changed since. */
import type { Database } from 'bun:sqlite';
import type { Month } from '../../domain/kernel/time.ts';
import type { StoredParameters } from '../../domain/market/estimator.ts';
import type {
  MarketPublishing,
  ParameterState,
  ParameterVersions,
} from '../../domain/market/market-store.ts';
import { EarliestChange } from '../earliest-change.ts';
import { goesOn, type ParameterVersion } from '../parameters.ts';
import { inSnapshot, inTransaction } from './database.ts';

/** The changes of one batch that count for parameters, gathered in memory and written once. */
export interface ParameterChanges {
  /** A row of this instant was added, changed or taken back. */
  addAt(at: number): void;
  /** The facts of an item changed; they count for all months when it was ever sold. */
  addFacts(itemId: number): void;
  /** Something changed that counts for all months. */
  addAll(): void;
  /** Writes what was gathered; nothing when nothing was. */
  save(): void;
}

/** Gathers the changes of one batch. */
export function parameterChanges(db: Database): ParameterChanges {
  const findSale = db.query<unknown, [number]>('SELECT 1 FROM sale WHERE item_id = ? LIMIT 1');
  const earliest = new EarliestChange();
  return {
    addAt: (at) => earliest.add(at),
    addFacts: (itemId) => {
      if (!earliest.isAlways() && findSale.get(itemId)) earliest.addAlways();
    },
    addAll: () => earliest.addAlways(),
    save: () => {
      const month = earliest.month();
      if (month !== null) saveChange(db, month);
    },
  };
}

function saveChange(db: Database, month: Month): void {
  db.query("UPDATE meta SET value = value + 1 WHERE name = 'parameters_change'").run();
  db.query(
    `INSERT INTO meta VALUES ('parameters_changed_from', ?)
     ON CONFLICT DO UPDATE SET value = min(value, excluded.value)`,
  ).run(month);
}

/** Reads and replaces parameters. */
export function parameterPublishing(
  db: Database,
): Pick<
  MarketPublishing,
  'findParameters' | 'findParameterVersions' | 'saveParameters' | 'freezeParameters'
> {
  return {
    findParameters: async () => inSnapshot(db, () => findParameters(db)),
    findParameterVersions: async () => inSnapshot(db, () => findVersions(db)),
    saveParameters: async (parameters, change) =>
      inTransaction(db, () => saveParameters(db, parameters, change)),
    freezeParameters: async (parameters) => inTransaction(db, () => addParameters(db, parameters)),
  };
}

function findParameters(db: Database): ParameterState {
  const sql = 'SELECT month, version, body FROM parameters ORDER BY month';
  return { parameters: db.query<StoredParameters, []>(sql).all(), ...findChanges(db) };
}

function findVersions(db: Database): ParameterVersions {
  const sql = 'SELECT month, version FROM parameters ORDER BY month';
  return { versions: db.query<ParameterVersion, []>(sql).all(), ...findChanges(db) };
}

function findChanges(db: Database): Pick<ParameterState, 'changedFrom' | 'change'> {
  return {
    changedFrom: findMeta(db, 'parameters_changed_from'),
    change: findMeta(db, 'parameters_change') ?? 0,
  };
}

function findMeta(db: Database, name: string): number | null {
  const find = db.query<{ value: number }, [string]>('SELECT value FROM meta WHERE name = ?');
  return find.get(name)?.value ?? null;
}

function saveParameters(
  db: Database,
  parameters: readonly StoredParameters[],
  change: number,
): void {
  if (findMeta(db, 'sealed_at') !== null) return;
  // Another process has learned from more meanwhile.
  if (change < (findMeta(db, 'parameters_learned') ?? 0)) return;
  db.query("INSERT OR REPLACE INTO meta VALUES ('parameters_learned', ?)").run(change);
  const { versions } = findVersions(db);
  db.query('DELETE FROM parameters').run();
  addParameters(db, parameters);
  if (!goesOn(versions, parameters)) db.query('UPDATE item SET version = version + 1').run();
  if (findMeta(db, 'parameters_change') === change) {
    db.query("DELETE FROM meta WHERE name = 'parameters_changed_from'").run();
  }
}

function addParameters(db: Database, parameters: readonly StoredParameters[]): void {
  const add = db.query(
    'INSERT INTO parameters (month, version, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  for (const { month, version, body } of parameters) add.run(month, version, body);
}

/** The earliest month of which rows changed since the parameters were saved; null for none. */
export function parametersChangedFrom(db: Database): Month | null {
  return findMeta(db, 'parameters_changed_from');
}
