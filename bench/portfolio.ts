/** Benchmarks of the private endpoints with a large collection. */
import { getEntries, getSet } from './requests.ts';
import type { BenchServer } from './servers.ts';
import { type BenchStore, changeCollection } from './store.ts';
import { type Load, median, medianLoad, runWrk, script, writeRequests } from './wrk.ts';

const changes = 15;

/** Pages of entries compared with `GET /set/{number}`, and analytics after changes. */
export async function benchPortfolio(
  server: BenchServer,
  store: BenchStore,
  run: { readonly rounds: number; readonly seconds: number },
): Promise<void> {
  console.log('\nA collection of 5,000 lots');
  await benchEntries(server, store, run);
  for (const period of ['1y', '90d', '30d']) await benchAnalytics(server, store, period);
}

async function benchEntries(
  server: BenchServer,
  store: BenchStore,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<void> {
  const loads: { set: Load[]; entries: Load[] } = { set: [], entries: [] };
  for (let round = 0; round < rounds; round++) {
    writeRequests((index) => getSet(store, index));
    loads.set.push(await runWrk(server, { script, seconds }));
    writeRequests((index) => getEntries(store, index));
    loads.entries.push(await runWrk(server, { script, seconds }));
  }
  const [set, entries] = [medianLoad(loads.set), medianLoad(loads.entries)];
  const ratio = entries.requestsPerSecond / set.requestsPerSecond;
  console.log(
    `  entries, pages of 50: ${entries.requestsPerSecond.toFixed(0)}/s  ` +
      `${ratio.toFixed(2)} of GET /set  errors ${entries.errors + set.errors}`,
  );
}

/** After each change of a lot, so that nothing is cached; then again, cached. */
async function benchAnalytics(
  server: BenchServer,
  { sets, collectorKeys }: BenchStore,
  period: string,
): Promise<void> {
  const time = async () => {
    const start = performance.now();
    const headers = { Authorization: `Bearer ${collectorKeys[0]}` };
    const url = `${server.url}/api/v1/brickfolio/analytics?period=${period}`;
    await (await fetch(url, { headers })).arrayBuffer();
    return performance.now() - start;
  };
  const [changed, again]: [number[], number[]] = [[], []];
  for (let change = 0; change < changes; change++) {
    await changeCollection(sets, 30 + change);
    changed.push(await time());
    again.push(await time());
  }
  // The second response is cached, so its time is the round trip.
  const own = median(changed) - median(again);
  console.log(
    `  analytics ${period.padEnd(3)} after a change: ${own.toFixed(1)} ms of server time, and a ` +
      `round trip of ${median(again).toFixed(1)} ms`,
  );
}
