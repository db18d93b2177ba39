/**
 * What an observation of a retail price costs in storage and CPU time: `npm run bench:looks`, or
 * `npm run bench:looks -- SETS DAYS`, with `--postgres` on a temporary PostgreSQL. Every set is
 * looked at once an hour; a price changes every ten days on average.
 */
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { Random } from '../simulator/market/random.ts';
import { dayMs, hourMs } from '../src/kernel/time.ts';
import type { MarketRow } from '../src/market/source-rows/market-ingest.ts';
import { anOffer, aSet } from '../test/support/builders.ts';
import { processSeconds } from './process-seconds.ts';
import { openTemporaryStore } from './temporary-store.ts';

const [sets = 2_500, days = 28] = process.argv.flatMap((word) =>
  /^\d+$/.test(word) ? Number(word) : [],
);
const rowsPerBatch = 1_000;
const start = Date.UTC(2026, 0, 5);
const changesPerLook = hourMs / (10 * dayMs);

const { store, folder, postgres, close } = await openTemporaryStore();
try {
  await applyAll(
    Array.from({ length: sets }, (_, index): MarketRow => {
      return { kind: 'set', source: 'feed', facts: aSet({ number: numberOf(index) }) };
    }),
  );
  const bytesBefore = await storedBytes();
  const before = { own: ownSeconds(), database: databaseSeconds() };
  await lookHourly();
  const own = ownSeconds() - before.own;
  const database = databaseSeconds() - before.database;
  const looks = sets * days * 24;
  const each = (value: number) => (value / looks).toFixed(1);
  const bytesEach = async () => each((await storedBytes()) - bytesBefore);
  const engine = postgres ? 'PostgreSQL' : 'SQLite';
  console.log(
    `${looks} looks on ${engine}: ${await bytesEach()} bytes and ${each(own * 1e6)} µs of CPU each`,
  );
  if (postgres) {
    await postgres.query('VACUUM FULL source.offer', 'bench');
    console.log(
      `and ${each(database * 1e6)} µs of CPU of PostgreSQL; ${await bytesEach()} bytes after ` +
        'VACUUM FULL',
    );
  }
} finally {
  await close();
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function databaseSeconds(): number {
  return postgres ? processSeconds(postgres.pid) : 0;
}

async function lookHourly(): Promise<void> {
  const random = new Random(36, 'looks');
  const prices = Array.from({ length: sets }, () => 50_00);
  for (let hour = 0; hour < days * 24; hour++) {
    const observedAt = start + hour * hourMs;
    await applyAll(
      prices.map((_, index): MarketRow => {
        if (random.fraction() < changesPerLook) {
          prices[index] = 40_00 + Math.round(random.fraction() * 20_00);
        }
        const setKey = numberOf(index);
        const priceCents = prices[index] ?? 0;
        // Sources look at sets one after the other.
        const at = observedAt + Math.floor((index / sets) * hourMs);
        return { kind: 'offer', offer: anOffer({ setKey, observedAt: at, priceCents }) };
      }),
    );
  }
}

async function applyAll(rows: readonly MarketRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerBatch) {
    await store.market.applyRows(rows.slice(from, from + rowsPerBatch), start);
  }
}

function numberOf(index: number): string {
  return String(100_000 + index);
}

async function storedBytes(): Promise<number> {
  if (!postgres) {
    using db = new Database(join(folder, 'market.db'), { readonly: true });
    const pages = db.query<{ bytes: number }, []>(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
    );
    return pages.get()?.bytes ?? 0;
  }
  const [row] = await postgres.query<{ bytes: string }>(
    "SELECT pg_total_relation_size('source.offer') AS bytes",
    'bench',
  );
  return Number(row?.bytes ?? 0);
}
