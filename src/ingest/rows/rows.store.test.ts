/** Batches of any rows have the same result as applying their rows one by one. */
import type { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { anyBatches, knottyBatches } from '../../../test/support/market-rows.ts';
import { asLooks } from '../../../test/support/offer-looks.ts';
import { applyRowsPlainly, learningInputsReader } from '../../../test/support/plain-ingest.ts';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import { loadLearningInputs as loadInputs } from '../../market/values/inputs.store.ts';
import { methods } from '../../store/sql/operation.ts';
import { movedTables } from '../../store/sql/tables.ts';
import { openDatabase } from '../../store/sqlite/database.ts';
import { sqliteEngine } from '../../store/sqlite/engine.ts';
import { marketMigrations } from '../../store/sqlite/schema.ts';
import { marketIngest } from '../runner/market-ingest.store.ts';

const now = Date.UTC(2026, 10, 15, 12);

const marketTables = movedTables.filter(({ file }) => file === 'market.db');

function openMarket() {
  return openDatabase(':memory:', { durability: 'process', migrations: marketMigrations });
}

/** All rows of all market tables. */
function rowsOf(db: Database): Record<string, unknown> {
  return Object.fromEntries(
    marketTables.map(({ name, key }) => {
      const rows = db.query<object, []>(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`).all();
      return [name, name === 'offer' ? asLooks(rows) : rows];
    }),
  );
}

const empty = `${[...marketTables]
  .reverse()
  .map(({ name }) => `DELETE FROM ${name};`)
  .join('\n')}
  INSERT INTO meta VALUES ('publish_stamp', 0), ('parameters_change', 0)`;

/**
 * State that publishing leaves: retail states, which late offers delete, and learned parameters.
 */
const published = `
  INSERT INTO retail_state (item_id, retailer, fold_version, checked_at, state)
    SELECT id, 'retailer_a', 1, ${Date.UTC(2026, 9, 6)}, '{}' FROM item WHERE true
    ON CONFLICT DO NOTHING;
  DELETE FROM meta WHERE name = 'parameters_changed_from'`;

test('a batch has the same outcomes, tables and inputs as its rows one by one', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => 12 - index);
  const [plain, db] = [openMarket(), openMarket()];
  const engine = sqliteEngine(db);
  const ingest = marketIngest(engine, engine);
  const { loadInputs: loadLearningInputs } = methods(engine.snapshot, { loadInputs });
  const numRuns = Number(process.env.INGEST_RUNS ?? runsOnEngine(60));
  await fc.assert(
    fc.asyncProperty(anyBatches, async (batches) => {
      for (const each of [plain, db]) each.run(empty);
      for (const [index, rows] of batches.entries()) {
        const expected = applyRowsPlainly(plain, rows, now + index);
        expect(await ingest.applyRows(rows, now + index)).toEqual(expected);
        expect(rowsOf(db)).toEqual(rowsOf(plain));
        const inputs = learningInputsReader(plain)(ids, now);
        expect(await loadLearningInputs(ids, now)).toEqual(inputs);
        for (const each of [plain, db]) each.run(published);
      }
    }),
    { seed: 77, numRuns, examples: knottyBatches.map((batches) => [batches]) },
  );
  plain.close();
  db.close();
});
