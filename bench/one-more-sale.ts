/**
 * CPU time to publish one more sale of an item that has many: `npm run
 * bench:sale`, or `npm run bench:sale -- SALES`, with `--postgres` on a temporary PostgreSQL and
 * `--sealed` after history is sealed. Prints the time without checkpoints, then with them.
 */
import { Random } from '../simulator/market/random.ts';
import { dayMs, hourMs } from '../src/kernel/time.ts';
import type { MarketRow } from '../src/market/source-rows/market-ingest.ts';
import { valueEngine } from '../src/market/values/engine.ts';
import { makePublisher } from '../src/publish/publisher.work.ts';
import { aSale, aSet } from '../test/support/builders.ts';
import { publishSettings } from '../test/support/publish-settings.ts';
import { openTemporaryStore } from './temporary-store.ts';

const sales = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 50_000);
const isSealed = process.argv.includes('--sealed');
const spanMs = 5 * 365 * dayMs;
const sellers = 2_000;
const runsFromFirst = { warm: 1, measured: 3 };
const runsFromCheckpoint = { warm: 100, measured: 301 };
const rowsPerBatch = 1_000;

let now = Date.UTC(2026, 10, 17, 12);
const random = new Random(36, 'one more sale');
const { store, postgres, close } = await openTemporaryStore();
try {
  const facts = aSet({ number: '75192' });
  await store.market.applyRows([{ kind: 'set', source: 'feed', facts }], now);
  const rows = Array.from({ length: sales }, (_, index) =>
    saleRow(now - spanMs + (spanMs * index) / sales),
  );
  for (let from = 0; from < rows.length; from += rowsPerBatch) {
    await store.market.applyRows(rows.slice(from, from + rowsPerBatch), now);
  }
  const before = await measure(runsFromFirst, Number.POSITIVE_INFINITY);
  const after = await measure(runsFromCheckpoint);
  console.log(
    `One more sale of an item with ${sales} on ${postgres ? 'PostgreSQL' : 'SQLite'}` +
      `${isSealed ? ', sealed' : ''}: ${before} ms of CPU from the first sale, ` +
      `${after} ms from a checkpoint${postgres ? ', without the database' : ''}`,
  );
} finally {
  await close();
}

/** The median of the CPU milliseconds of a publication with one new sale. */
async function measure(
  runs: { readonly warm: number; readonly measured: number },
  checkpointRowsMin?: number,
): Promise<string> {
  const settings = {
    engine: valueEngine,
    ...publishSettings,
    ...(checkpointRowsMin !== undefined && { checkpointRowsMin }),
  };
  const publisher = makePublisher(store.market, settings, () => now);
  await publisher.publishAll();
  if (isSealed && !(await store.market.sealHistory(now))) throw new Error('Not sealed.');
  const found: number[] = [];
  for (let run = 0; run < runs.warm + runs.measured; run++) {
    now += spanMs / sales;
    await store.market.applyRows([saleRow(now - hourMs)], now);
    const start = process.cpuUsage();
    await publisher.publishStale();
    const { user, system } = process.cpuUsage(start);
    if (run >= runs.warm) found.push((user + system) / 1_000);
  }
  found.sort((a, b) => a - b);
  return (found[Math.floor(runs.measured / 2)] ?? 0).toFixed(2);
}

function saleRow(soldAt: number): MarketRow {
  const isUsed = random.fraction() < 0.3;
  const cents = (isUsed ? 500_00 : 800_00) * Math.exp(0.3 * (random.fraction() - 0.5));
  return {
    kind: 'sale',
    sale: aSale({
      sourceId: String(random.fraction()),
      itemKey: '75192',
      condition: isUsed ? 'used' : 'sealed',
      soldAt: Math.floor(soldAt),
      priceCents: Math.round(cents),
      seller: `seller ${Math.floor(random.fraction() * sellers)}`,
    }),
  };
}
