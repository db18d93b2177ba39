/** The demo world: made once, through the same ingest, valuation and publishing as real data. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { addAccount } from '../accounts/accounts.ts';
import { createKey } from '../accounts/keys.ts';
import type { Config } from '../config.ts';
import { allowanceDefault } from '../contract/limits.ts';
import type { SetRecord } from '../contract/set.ts';
import type { BoxForSale } from '../domain/buying/box-text.ts';
import { dayMs, dayOf, hourMs, parseInstant } from '../domain/kernel/time.ts';
import type { Store } from '../domain/store.ts';
import { readFeedLine } from '../ingest/feed/feed.ts';
import { importRows } from '../ingest/import.ts';
import type { LocatedRow } from '../ingest/located-row.ts';
import { demoBox, demoCollection, demoMarket } from '../simulate/demo-world.ts';
import type { LiveWorld } from '../simulate/live-world.ts';
import { hashText } from '../simulate/random.ts';
import { EarlierBuildError } from '../store/sql/schema-version.ts';
import { type Arguments, CommandError, type Context } from './command.ts';
import { furnishAccount, logEarlierImport, logImport } from './demo-account.ts';
import { progressLine, publishWithProgress, takeStep } from './progress.ts';

const demoEmail = 'demo@brickmark.example';
/** The same market for everybody. */
export const demoSeed = 20_261_115;
const groupRows = 2_000;

/** What the demo prints, so that anybody can start at once. */
export interface DemoSignIn {
  /** Whether sources tell of what goes on in its market. */
  readonly isLive?: boolean;
  readonly email: string;
  readonly password: string;
  readonly key: string;
  /** A set that is worth looking at. */
  readonly setNumber: string;
  /** A box that is worth evaluating. */
  readonly box: BoxForSale;
}

/** The files beside the store: the sign-in, and a mark that is there while the world is made. */
interface DemoFiles {
  readonly signIn: string;
  readonly unfinished: string;
}

/** In the data folder; with PostgreSQL, under the name of the database that they belong to. */
function demoFiles({
  dataFolder,
  databaseUrl,
}: Pick<Config, 'dataFolder' | 'databaseUrl'>): DemoFiles {
  const suffix = databaseUrl === null ? '' : `-${Bun.hash(databaseUrl).toString(36)}`;
  return {
    signIn: join(dataFolder, `demo${suffix}.json`),
    unfinished: join(dataFolder, `demo${suffix}-unfinished`),
  };
}

/** Where the demo is when nobody says: not where a real store would be looked for. */
const demoFolderDefault = './demo-data';
const liveFolderDefault = './demo-live-data';

/** The folder of the demo. */
export function findDemoFolder({ live }: Arguments['flags']): string {
  return live ? liveFolderDefault : demoFolderDefault;
}

/** Where the demo keeps its secret: beside its folder, for none lies in one. */
export function demoSecretFile(dataFolder: string): string {
  return `${resolve(dataFolder)}.secret`;
}

/** Makes the demo's secret, unless there is one or the settings name another. */
export function makeDemoSecret({ config, randomBytes }: Context): void {
  const { secretFile, dataFolder } = config;
  if (secretFile === null || secretFile !== demoSecretFile(dataFolder)) return;
  if (existsSync(secretFile)) return;
  mkdirSync(dirname(secretFile), { recursive: true });
  const secret = Buffer.from(randomBytes(32)).toString('hex');
  writeFileSync(secretFile, `${secret}\n`, { mode: 0o600 });
}

/** Throws where the store is the demo's: real rows among made-up ones would be of no use. */
export function refuseDemo(config: Config): void {
  // With a database, the file is where the demo was started with it.
  const folders =
    config.databaseUrl === null ? [config.dataFolder] : [config.dataFolder, demoFolderDefault];
  const isDemo = folders.some((dataFolder) =>
    existsSync(demoFiles({ ...config, dataFolder }).signIn),
  );
  if (!isDemo) return;
  throw new CommandError(
    config.databaseUrl === null
      ? `'${config.dataFolder}' contains the demo. ` +
          'Choose another folder for your own data with --data DIR or BRICKMARK_DATA.'
      : 'This database contains the demo. ' +
          "Choose another one for your own data with --database URL (create it with 'createdb').",
  );
}

/** Whether sources tell of what goes on in the demo of a store, so that they may be asked. */
export function isLiveDemo(config: Config): boolean {
  const { signIn } = demoFiles(config);
  return existsSync(signIn) && readSignIn(signIn).isLive === true;
}

/** Whether a store is the demo's, whose market is made up. */
export function isDemo(config: Config): boolean {
  return existsSync(demoFiles(config).signIn);
}

/** The box that the demo of a store offers; null when it is no demo. */
export function findDemoBox(config: Config): BoxForSale | null {
  const { signIn } = demoFiles(config);
  return existsSync(signIn) ? readSignIn(signIn).box : null;
}

function readSignIn(path: string): DemoSignIn {
  return JSON.parse(readFileSync(path, 'utf8')) as DemoSignIn;
}

/** Says what to do with a demo of an earlier build, which has nothing to carry over. */
export function explainEarlierDemo(config: Config, error: unknown): never {
  if (!(error instanceof EarlierBuildError) || !isDemo(config)) throw error;
  throw new CommandError(
    config.databaseUrl === null
      ? `The demo in '${config.dataFolder}' was made by a build before 0.9.0; delete the folder ` +
          'and start the demo again.'
      : 'The demo in this database was made by a build before 0.9.0; drop and recreate the ' +
          'database and start the demo again.',
  );
}

/** Clears a folder in which making the world was interrupted; nothing else was ever in it. */
export function clearUnfinishedDemo(config: Config): void {
  const { unfinished } = demoFiles(config);
  if (!existsSync(unfinished)) return;
  if (config.databaseUrl !== null) {
    throw new CommandError(
      'Creating the demo was interrupted. Drop and recreate the database, then try again ' +
        `(or delete '${unfinished}' to use it as is).`,
    );
  }
  clearStore(config.dataFolder);
  rmSync(unfinished);
}

/** Clears the folder of a live demo: its market goes on from now, not from when it was made. */
export function clearLiveDemo(config: Config): void {
  if (!isLiveDemo(config)) return;
  const { signIn } = demoFiles(config);
  clearStore(config.dataFolder);
  rmSync(join(config.dataFolder, 'answers'), { recursive: true, force: true });
  rmSync(signIn);
}

function clearStore(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^(market|accounts)\.db/.test(name)) rmSync(join(folder, name));
  }
}

/** Makes the demo world in an empty store; a store that has one already is taken as it is. */
export async function prepareDemo(
  store: Store,
  context: Context,
  live: LiveWorld | null = null,
): Promise<DemoSignIn> {
  const { clock, dataFolder, databaseUrl } = context.config;
  const { signIn, unfinished } = demoFiles(context.config);
  if (existsSync(signIn)) return readSignIn(signIn);
  const accounts = await store.accounts.listAccounts(clock());
  const themes = await store.market.findThemes();
  if (accounts.length > 0 || themes !== null) {
    throw new CommandError(
      databaseUrl === null
        ? `The store in '${dataFolder}' is not a demo. Run 'serve', or choose another --data.`
        : "The database is not a demo. Run 'brickmark serve', or choose another --database.",
    );
  }
  context.say('Creating the demo. This takes about 30 seconds, the first time only.');
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, '');
  const demo = await makeDemo(store, context, live);
  // Only the demo keeps a key in the clear: it opens made-up data, and is shown at every start.
  writeFileSync(signIn, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  rmSync(unfinished);
  return demo;
}

async function makeDemo(
  store: Store,
  context: Context,
  live: LiveWorld | null,
): Promise<DemoSignIn> {
  const { clock } = context.config;
  const signIn = await makeAccount(store, context);
  const now = clock();
  const today = dayOf(now) * dayMs;
  const lines = live?.past ?? demoMarket({ seed: demoSeed, today, now });
  const latest: string[] = [];
  const load = (name: string, rows: () => Iterable<string>) =>
    takeStep(context, { name, unit: 'rows' }, () => importLines(store, context, { name, rows }));
  const value = (name: string) =>
    takeStep(context, { name, unit: 'items' }, () => publishWithProgress(store, context, name));
  await logEarlierImport(store, now);
  await load('Market', () => holdBack(lines, now, latest));
  await value('Values');
  // From here on new sales teach nothing about the past.
  if (!(await store.market.sealHistory(clock()))) {
    throw new Error('The history of the demo world could not be sealed.');
  }
  // What is published for the first time is no news; what happened since then is, and new sales
  // are a test of the values that were published before them.
  await load('Latest sales', () => latest);
  await value('New values');
  // Afterwards, because what is bought is held against what it was worth at the time.
  await load('Collection', () => demoCollection({ seed: demoSeed, today, email: demoEmail }));
  await furnishAccount(store, context, { ...signIn, today, seed: demoSeed });
  const box = demoBox({ seed: demoSeed, today });
  return { ...signIn, setNumber: await showcase(store), box, ...(live && { isLive: true }) };
}

/** How long before now retailers' offers, and sales, came in after the first values. */
const latestMs = { offer: 4 * hourMs, sale: 27 * dayMs };

/** Sales of so many items are tested by their latest ones: one in four is enough to see. */
const testedOneIn = 4;

/** The lines but for the latest offers and sales, which are put into a list. */
function* holdBack(lines: Iterable<string>, now: number, held: string[]): Generator<string> {
  const heldSales = new Set<string | undefined>();
  for (const line of lines) {
    const kind = /^\{"kind":"(offer|sale|retract)"/.exec(line)?.[1];
    const at = /"(?:observed|sold)_at":"([^"]+)"/.exec(line)?.[1];
    const sale = kind && /"source":"[^"]+","source_id":"[^"]+"/.exec(line)?.[0];
    const isTested = kind !== 'sale' || hashText(itemOf(line), 0) % testedOneIn === 0;
    const isLate =
      kind === 'offer' || kind === 'sale'
        ? isTested && (parseInstant(at ?? '') ?? 0) > now - latestMs[kind]
        : kind === 'retract' && heldSales.has(sale);
    if (isLate && kind === 'sale') heldSales.add(sale);
    if (isLate) held.push(line);
    else yield line;
  }
}

function itemOf(line: string): string {
  return /"item":"([^"]+)"/.exec(line)?.[1] ?? '';
}

async function makeAccount(
  store: Store,
  context: Context,
): Promise<Pick<DemoSignIn, 'email' | 'password' | 'key'>> {
  const at = context.config.clock();
  const password = Buffer.from(context.randomBytes(9)).toString('base64url');
  await addAccount(store.accounts, {
    email: demoEmail,
    plan: 'reseller',
    isOperator: true,
    password,
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

/** Loads rows, and logs it as an import of a file; how many there were. */
async function importLines(
  store: Store,
  context: Context,
  { name, rows }: { readonly name: string; rows(): Iterable<string> },
): Promise<number> {
  const { clock } = context.config;
  const progress = progressLine(context, name);
  const startedAt = clock();
  let done = 0;
  async function* groups(): AsyncGenerator<LocatedRow[]> {
    let group: LocatedRow[] = [];
    for (const text of rows()) {
      done++;
      group.push({ where: `demo:${done}`, text, result: readFeedLine(text, clock()) });
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
  if (first) throw new Error(`The demo world has a bad line: ${first.reason} (${first.where}).`);
  const { added, updated, unchanged, rejected } = report;
  const file = `${name.toLowerCase().replaceAll(' ', '-')}.ndjson`;
  await logImport(
    store,
    { file, startedAt, endedAt: clock() },
    { added, updated, unchanged, rejected },
  );
  return done;
}

/** A retired set between these is worth showing: neither a trifle nor out of reach. */
const showcaseUsd = { min: 150, max: 400 };

/** The set that shows most: retired, well sold, risen steeply, on offer, and with minifigs. */
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

/** How often the list price a set is worth whose history rises, and can be believed. */
const steepTimes = { min: 2, max: 6 };

function isSteep({ new_value_usd: value, msrp_usd: listPrice }: SetRecord): boolean {
  const times = (value ?? 0) / (listPrice ?? Number.POSITIVE_INFINITY);
  return times >= steepTimes.min && times <= steepTimes.max;
}
