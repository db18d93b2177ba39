/** Creates the demo with the same import, valuation and publishing as real data. */
import { createKey } from '../../src/accounts/keys/api-keys.work.ts';
import { hashPassword, passwordCost } from '../../src/accounts/sign-in/password-hash.ts';
import { CommandError, type Context } from '../../src/cli/command.ts';
import type { DemoSignIn } from '../../src/cli/demo.ts';
import { progressLine, publishWithProgress } from '../../src/cli/progress.ts';
import { allowanceDefault } from '../../src/contract/limits.ts';
import type { SetRecord } from '../../src/contract/set.ts';
import { readFeedRecord } from '../../src/ingest/feed/feed.work.ts';
import { importRows } from '../../src/ingest/runner/import.work.ts';
import type { LocatedRow, RowResult } from '../../src/ingest/runner/located-row.ts';
import { countText } from '../../src/kernel/format.ts';
import { dayMs, dayOf, hourMs, minuteMs } from '../../src/kernel/time.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import type { Store } from '../../src/store/store.ts';
import { demoCollection, makeDemoWorld, marketRows } from '../market/demo-world.ts';
import { makeEstateBox } from '../market/estate-box.ts';
import type { LiveWorld } from '../market/live-world.ts';
import { hashText } from '../market/random.ts';
import { furnishAccount, logEarlierImport, logImport } from './demo-account.ts';

const demoEmail = 'demo@brickmark.example';
/** A fixed seed, so that every demo has the same market. */
export const demoSeed = 20_261_115;
const groupRows = 2_000;

export async function makeDemo(
  store: Store,
  context: Context,
  live: LiveWorld | null,
): Promise<DemoSignIn> {
  const { clock } = context.config;
  const signIn = await makeAccount(store, context);
  // The market must not differ with the seconds that the account took.
  const now = Math.floor(clock() / minuteMs) * minuteMs;
  const today = dayOf(now) * dayMs;
  const demo = makeDemoWorld({ seed: demoSeed, today, now });
  const past = live?.past ?? marketRows(demo);
  const latest: MarketRow[] = [];
  const load = (name: string, rows: () => Iterable<RowResult>) =>
    takeStep(context, { name, unit: 'rows' }, () => importResults(store, context, { name, rows }));
  const value = (name: string) =>
    takeStep(context, { name, unit: 'items' }, () => publishWithProgress(store, context, name));
  await logEarlierImport(store, now);
  await load('Market', () => results(holdBack(past, now, latest)));
  await value('Values');
  // Seals history, so that new sales do not change the past.
  if (!(await store.market.sealHistory(clock()))) {
    throw new Error('The history of the demo world could not be sealed.');
  }
  // First publications are not events, so some rows are loaded afterwards; new sales are also
  // scored against the published values.
  await load('Latest sales', () => results(latest));
  await value('New values');
  // Loaded last, because purchases are compared with values at the time.
  await load('Collection', () =>
    demoCollection(demo, demoEmail).map((record) => readFeedRecord(record, clock())),
  );
  await furnishAccount(store, context, { ...signIn, demo });
  const box = makeEstateBox(demo.world, demo.catalog);
  return { ...signIn, setNumber: await showcase(store), box, ...(live && { isLive: true }) };
}

/** Offers and sales in these periods are loaded after the first publication. */
const latestMs = { offer: 4 * hourMs, sale: 27 * dayMs };

/** One in this many items has its latest sales held back. */
const testedOneIn = 4;

/** Yields all rows but the latest offers and sales, which are added to `held`. */
function* holdBack(
  rows: Iterable<MarketRow>,
  now: number,
  held: MarketRow[],
): Generator<MarketRow> {
  const heldSales = new Set<string>();
  const nameOf = ({ source, sourceId }: { source: string; sourceId: string }) =>
    `${source} ${sourceId}`;
  const isTested = (item: string) => hashText(item, 0) % testedOneIn === 0;
  const isLate = (row: MarketRow) => {
    if (row.kind === 'offer') return row.offer.observedAt > now - latestMs.offer;
    if (row.kind === 'retract') return heldSales.has(nameOf(row));
    if (row.kind !== 'sale') return false;
    const { sale } = row;
    if (sale.soldAt <= now - latestMs.sale || !isTested(sale.itemKey)) return false;
    heldSales.add(nameOf(sale));
    return true;
  };
  for (const row of rows) {
    if (isLate(row)) held.push(row);
    else yield row;
  }
}

function* results(rows: Iterable<MarketRow>): Generator<RowResult> {
  for (const row of rows) yield { row };
}

async function makeAccount(
  store: Store,
  context: Context,
): Promise<Pick<DemoSignIn, 'email' | 'password' | 'key'>> {
  const at = context.config.clock();
  const password = Buffer.from(context.randomBytes(9)).toString('base64url');
  await store.accounts.addAccount({
    email: demoEmail,
    plan: 'reseller',
    isOperator: true,
    passwordHash: await hashPassword(password, passwordCost),
    at,
  });
  const options = { name: 'Demo', allowance: allowanceDefault, expiresAt: null, at };
  const made = await createKey(
    store.accounts,
    { email: demoEmail, ...options },
    context.randomBytes,
  );
  if ('refusal' in made) throw new CommandError(made.refusal);
  return { email: demoEmail, password, key: made.key };
}

/** Imports rows like those of a file, and returns their number. */
async function importResults(
  store: Store,
  context: Context,
  { name, rows }: { readonly name: string; rows(): Iterable<RowResult> },
): Promise<number> {
  const { clock } = context.config;
  const progress = progressLine(context, name);
  const startedAt = clock();
  let done = 0;
  async function* groups(): AsyncGenerator<LocatedRow[]> {
    let group: LocatedRow[] = [];
    for (const result of rows()) {
      group.push({ where: `demo:${++done}`, text: '', result });
      if (group.length < groupRows) continue;
      yield group;
      group = [];
      progress.update(done, null);
    }
    yield group;
  }
  const report = await importRows(groups(), { ...store, clock, onReject: () => {} });
  progress.end();
  const [first] = report.rejects;
  if (first) throw new Error(`The demo world has a bad record: ${first.reason} (${first.where}).`);
  const { added, updated, unchanged, rejected } = report;
  const file = `${name.toLowerCase().replaceAll(' ', '-')}.ndjson`;
  await logImport(
    store,
    { file, startedAt, endedAt: clock() },
    { added, updated, unchanged, rejected },
  );
  return done;
}

/** Price range of the showcase set. */
const showcaseUsd = { min: 150, max: 400 };

/** The set on the first page: retired, with many sales, a steep rise, an offer and minifigs. */
async function showcase(store: Store): Promise<string> {
  let best = { rank: -1, number: '' };
  for (const key of await store.market.listKeys('set')) {
    const found = await store.market.findDocument('set', key);
    if (!found) continue;
    const set = JSON.parse(found.body) as SetRecord;
    const rank = showcaseRank(set);
    if (rank > best.rank) best = { rank, number: set.set_number };
  }
  return best.number;
}

function showcaseRank(set: SetRecord): number {
  const value = set.new_value_usd ?? 0;
  const offered = set.retailers.filter(({ in_stock, current_price: price }) => in_stock && price);
  const wanted = [
    set.data_tier === 'high',
    set.status_id === 4,
    value >= showcaseUsd.min && value <= showcaseUsd.max,
    isSteep(set),
    set.minifigs.length > 1,
    offered.length > 0,
  ];
  const welcome = [
    offered.length > 1,
    set.used_value_usd !== null,
    set.box.weight_lbs !== null,
    set.barcodes.upc !== null,
  ];
  const count = (facts: readonly boolean[]) => facts.filter((isTrue) => isTrue).length;
  return count(wanted) * 10_000 + count(welcome) * 1_000 + value;
}

/** Value over list price of a steep but credible rise. */
const steepTimes = { min: 2, max: 6 };

function isSteep({ new_value_usd: value, msrp_usd: listPrice }: SetRecord): boolean {
  const times = (value ?? 0) / (listPrice ?? Number.POSITIVE_INFINITY);
  return times >= steepTimes.min && times <= steepTimes.max;
}

/** Runs a step and prints its result and duration on a terminal. */
async function takeStep(
  context: Context,
  { name, unit }: { readonly name: string; readonly unit: string },
  run: () => Promise<number>,
): Promise<void> {
  const startedAt = performance.now();
  const count = countText(await run());
  if (!context.isTerminal) return;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  context.say(
    `  ${name.padEnd(20)} ${count.padStart(9)} ${unit.padEnd(8)} ${seconds.padStart(5)} s`,
  );
}
