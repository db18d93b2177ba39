/**
 * The cost of the event log for publishing: `npm run bench:events`, or `npm run bench:events --
 * SETS`, with `--postgres` on a temporary PostgreSQL. Publishes a market without changes, and one
 * in which every price has changed, each with the log and without. All figures are CPU time, which
 * other programs do not affect.
 */
import { minuteMs } from '../src/kernel/time.ts';
import { valueEngine } from '../src/market/values/engine.ts';
import { makePublisher } from '../src/publish/publisher.work.ts';
import type { MarketPublishing } from '../src/publish/publishing.store.ts';
import { publishSettings } from '../test/support/publish-settings.ts';
import { processSeconds } from './process-seconds.ts';
import { fillMarket, movePrices, now } from './retail-market.ts';
import { openTemporaryStore } from './temporary-store.ts';

const sets = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 25_000);
const rounds = 5;

let clock = now;
const { store, postgres, close } = await openTemporaryStore();
try {
  await fillMarket(store, sets);
  await publisherOf(store.market).publishStale();
  await measure('nothing changed', async () => {
    await store.market.markAllStale();
  });
  await measure('every price changed', () => movePrices(store, sets, clock));
} finally {
  await close();
}

async function measure(name: string, change: () => Promise<void>): Promise<void> {
  const [logged, unlogged]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    // Each is measured after an unmeasured run of its kind, as the log catches up on unlogged
    // changes.
    for (const [costs, market] of [
      [unlogged, withoutLog(store.market)],
      [logged, store.market],
    ] as const) {
      for (const isMeasured of [false, true]) {
        clock += minuteMs;
        await change();
        const cost = await cpuOf(() => publisherOf(market).publishStale());
        if (isMeasured) costs.push(cost);
      }
    }
  }
  const [whole, less] = [median(logged), median(unlogged)];
  console.log(
    `${name}: ${whole.toFixed(2)} s with the log, ${less.toFixed(2)} s without: ` +
      `${((100 * (whole - less)) / less).toFixed(1)} % on top`,
  );
}

function publisherOf(market: MarketPublishing) {
  return makePublisher(market, { engine: valueEngine, ...publishSettings }, () => clock);
}

/** A store that does not save events. */
function withoutLog(market: MarketPublishing): MarketPublishing {
  const publish: MarketPublishing['publish'] = (items) =>
    market.publish(items.map((item) => ({ ...item, events: null })));
  return { ...market, publish };
}

/** CPU seconds of this process and of PostgreSQL. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const [start, database] = [process.cpuUsage(), databaseSeconds()];
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6 + databaseSeconds() - database;
}

function databaseSeconds(): number {
  return postgres ? processSeconds(postgres.pid) : 0;
}

function median(costs: readonly number[]): number {
  return [...costs].sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
}
