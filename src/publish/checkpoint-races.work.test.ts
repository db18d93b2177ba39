/** Publishing while other processes publish and learn. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anImport, aSale, aSet } from '../../test/support/builders.ts';
import { databaseOf, isPostgres, openTestStore } from '../../test/support/engines.ts';
import { publishSettings } from '../../test/support/publish-settings.ts';
import { dayMs, hourMs } from '../kernel/time.ts';
import type { MarketRow } from '../market/source-rows/market-ingest.ts';
import { valueEngine } from '../market/values/engine.ts';
import { openClient } from '../store/postgres/client.ts';
import { postgresEngine } from '../store/postgres/engine.ts';
import { methods } from '../store/sql/operation.ts';
import type { Store } from '../store/store.ts';
import { loadInputs as loadItemInputs } from './inputs.store.ts';
import { makePublisher } from './publisher.work.ts';

const settings = { ...publishSettings, checkpointRowsMin: 5, engine: valueEngine };

let folder: string;
let store: Store;
let now: number;

/** An item with a checkpoint, and a new sale that is not yet published. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-races-'));
  store = await openTestStore(folder);
  now = Date.UTC(2026, 2, 10, 12);
  const facts = aSet({ number: '1', releaseDate: '2023-02-01' });
  const sales = Array.from({ length: 200 }, (_, index) =>
    saleRow(`old ${index}`, now - (700 - 3.5 * index) * dayMs, 80_00 + ((37 * index) % 10_00)),
  );
  await ingest([{ kind: 'set', source: 'feed', facts }, ...sales]);
  await makePublisher(store.market, settings, () => now).publishStale();
  now += dayMs;
  await ingest([saleRow('new', now - hourMs, 81_00)]);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function saleRow(sourceId: string, soldAt: number, priceCents: number): MarketRow {
  const sale = aSale({ itemKind: 'set', itemKey: '1', sourceId, soldAt, priceCents });
  return { kind: 'sale', sale };
}

async function ingest(rows: readonly MarketRow[]): Promise<void> {
  const id = await store.market.logImport(anImport({ startedAt: now, endedAt: now }));
  await store.market.applyRows(rows, now, id);
}

const verified = async () => {
  const found = await makePublisher(store.market, settings, () => now).verify(1);
  return { value: found?.value, differs: found?.months.differs.length };
};

type Load = Store['market']['loadInputs'];

/** The market, with other inputs. */
const withInputs = (loadInputs: Load) => ({ ...store.market, loadInputs });

test('an item that cannot use its checkpoint is valued with the parameters of its inputs', async () => {
  const { market } = store;
  let isLearned = false;
  const loadInputs: Load = async (ids, options) => {
    if (options.checkpointsUntil === undefined && !isLearned) {
      isLearned = true;
      const { parameters, change } = await market.findParameters();
      const others = parameters.map((each) => ({
        ...each,
        version: each.version.replace(/[^-]*$/, '0123abcd'),
      }));
      await market.saveParameters(others, change);
    }
    const inputs = await market.loadInputs(ids, options);
    return inputs.map((each) => ({
      ...each,
      checkpoint: each.checkpoint && { ...each.checkpoint, key: 'of other parameters' },
    }));
  };
  await makePublisher(withInputs(loadInputs), settings, () => now).publishStale();
  expect(isLearned).toBe(true);
  const [inputs] = await market.loadInputs([1], { at: now, withSeries: false });
  const { parameters } = await market.findParameters();
  const versions = parameters.map(({ version }) => version);
  expect(versions).toContain(inputs?.evidence?.parameters ?? '');
});

test('a checkpoint of another format is not read', async () => {
  const loadInputs: Load = async (ids, options) =>
    (await store.market.loadInputs(ids, options)).map((each) => ({
      ...each,
      checkpoint: each.checkpoint && {
        ...each.checkpoint,
        key: 'brickmark-1 0 1 1',
        state: new Uint8Array([1, 2, 3]),
      },
    }));
  await makePublisher(withInputs(loadInputs), settings, () => now).publishStale();
  expect(await store.market.countStale()).toBe(0);
  expect(await verified()).toEqual({ value: 'matches', differs: 0 });
});

// SQLite reads all inputs in one transaction.
test.skipIf(!isPostgres)('a checkpoint that is removed during the load is not missed', async () => {
  const client = openClient((await databaseOf(folder)) ?? '', {
    max: 2,
    statementMs: 0,
    name: 'slow publisher',
  });
  let isPublished = false;
  const slow: typeof client = {
    ...client,
    query: async (sql: string, values: never) => {
      const rows = await client.query(sql, values);
      if (!isPublished && sql.includes('"checkpointAt"')) {
        isPublished = true;
        await makePublisher(store.market, settings, () => now).publishStale();
      }
      return rows as never;
    },
  };
  const { loadInputs } = methods(postgresEngine(slow).run, { loadInputs: loadItemInputs });
  await makePublisher(withInputs(loadInputs as Load), settings, () => now).publishStale();
  expect(isPublished).toBe(true);
  expect(await verified()).toEqual({ value: 'matches', differs: 0 });
});
