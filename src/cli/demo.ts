/** The demo world: made once, through the same ingest, valuation and publishing as real data. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { addAccount } from '../accounts/accounts.ts';
import { createKey } from '../accounts/keys.ts';
import { type Config, dataFolderDefault } from '../config.ts';
import { allowanceDefault } from '../contract/limits.ts';
import type { SetRecord } from '../contract/set.ts';
import { type AlertRuleFacts, usualDailyCap } from '../domain/alerts/alert-rule.ts';
import type { BoxForSale } from '../domain/buying/box-text.ts';
import { dayMs, dayOf, hourMs, parseInstant } from '../domain/kernel/time.ts';
import { positionBefore } from '../domain/market/events.ts';
import type { Store } from '../domain/store.ts';
import { readFeedLine } from '../ingest/feed/feed.ts';
import { importRows } from '../ingest/import.ts';
import type { LocatedRow } from '../ingest/located-row.ts';
import { demoBox, demoCollection, demoMarket, demoWatchLists } from '../simulate/demo-world.ts';
import type { LiveWorld } from '../simulate/live-world.ts';
import { type Arguments, CommandError, type Context } from './command.ts';
import { progressLine, publishWithProgress } from './progress.ts';

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
  /** A box that is worth evaluating; a demo that an earlier version made has none. */
  readonly box?: BoxForSale;
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

/** The folder of the demo; one that an earlier version made where real stores are stays there. */
export function findDemoFolder({ live }: Arguments['flags']): string {
  if (live) return liveFolderDefault;
  const { signIn, unfinished } = demoFiles({ dataFolder: dataFolderDefault, databaseUrl: null });
  return existsSync(signIn) || existsSync(unfinished) ? dataFolderDefault : demoFolderDefault;
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
      ? `'${config.dataFolder}' holds the demo, whose market is made up. ` +
          'Name another folder for your own data with --data DIR or BRICKMARK_DATA.'
      : 'This database holds the demo, whose market is made up. ' +
          "Name another one for your own data with --database URL ('createdb' makes one).",
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

/** The box that the demo of a store offers; null when it is no demo, or has none. */
export function findDemoBox(config: Config): BoxForSale | null {
  const { signIn } = demoFiles(config);
  return existsSync(signIn) ? (readSignIn(signIn).box ?? null) : null;
}

function readSignIn(path: string): DemoSignIn {
  return JSON.parse(readFileSync(path, 'utf8')) as DemoSignIn;
}

/** Clears a folder in which making the world was interrupted; nothing else was ever in it. */
export function clearUnfinishedDemo(config: Config): void {
  const { unfinished } = demoFiles(config);
  if (!existsSync(unfinished)) return;
  if (config.databaseUrl !== null) {
    throw new CommandError(
      'Making the demo world was interrupted; drop the database, make it again and start over ' +
        `(or remove '${unfinished}' to look at what there is).`,
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
        ? `The store in '${dataFolder}' is not a demo: use 'serve', or another --data.`
        : "The store in the database is not a demo: use 'serve', or another --database.",
    );
  }
  context.say('Making the demo world …');
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
  await importLines(store, context, holdBack(lines, now - 4 * hourMs, latest));
  await publishWithProgress(store, context, 'Valuing');
  // What is published for the first time is no news; what retailers asked since then is.
  await importLines(store, context, latest);
  await publishWithProgress(store, context, 'Valuing');
  // Afterwards, because what is bought is held against what it was worth at the time.
  await importLines(store, context, demoCollection({ seed: demoSeed, today, email: demoEmail }));
  await addWatchLists(store, context, today);
  await addAlerts(store, now);
  if (!(await store.market.sealHistory(clock()))) {
    throw new Error('The history of the demo world could not be sealed.');
  }
  const box = demoBox({ seed: demoSeed, today });
  return { ...signIn, setNumber: await showcase(store), box, ...(live && { isLive: true }) };
}

/** The lines but for what retailers asked since an instant, which are put into a list. */
function* holdBack(lines: Iterable<string>, since: number, held: string[]): Generator<string> {
  for (const line of lines) {
    const observedAt = /^\{"kind":"offer",.*"observed_at":"([^"]+)"/.exec(line)?.[1];
    if (observedAt !== undefined && (parseInstant(observedAt) ?? 0) > since) held.push(line);
    else yield line;
  }
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

async function addWatchLists({ accounts }: Store, context: Context, today: number): Promise<void> {
  const at = context.config.clock();
  const account = await accounts.findAccount(demoEmail, at);
  const accountId = account?.id ?? 0;
  for (const { name, items } of demoWatchLists({ seed: demoSeed, today })) {
    const made = await accounts.addWatchList(accountId, { name, at });
    if (typeof made === 'string') throw new Error(`The demo has no watch list: ${made}.`);
    await accounts.saveWatchedItems(accountId, made.id, { items, at });
  }
}

/**
 * Alerts that watch the demo from before its latest events: what happened goes off when it is
 * served, and is listed. Nothing is sent anywhere.
 */
async function addAlerts({ accounts }: Store, at: number): Promise<void> {
  const accountId = (await accounts.findAccount(demoEmail, at))?.id ?? 0;
  const [list] = await accounts.listWatchLists(accountId);
  const rules: readonly Pick<AlertRuleFacts, 'name' | 'scope' | 'condition'>[] = [
    {
      name: 'At my target price',
      scope: { kind: 'list', listId: list?.id ?? 0 },
      condition: { kind: 'price_target' },
    },
    {
      name: 'Deals',
      scope: { kind: 'all' },
      condition: { kind: 'price_of_max_buy', percent: 100 },
    },
    {
      name: 'Time to sell?',
      scope: { kind: 'holdings' },
      condition: { kind: 'margin', percent: 50 },
    },
  ];
  const position = positionBefore(at);
  for (const about of rules) {
    const rhythm = { channelIds: [], repeatDays: null, digest: 'none' } as const;
    const rule = { ...about, ...rhythm, dailyCap: usualDailyCap };
    const made = await accounts.addAlertRule(accountId, { rule, told: [], position, at });
    if (typeof made === 'string') throw new Error(`The demo has no alert: ${made}.`);
  }
}

async function importLines(store: Store, context: Context, lines: Iterable<string>): Promise<void> {
  const { clock } = context.config;
  const progress = progressLine(context, 'Loading');
  let done = 0;
  async function* groups(): AsyncGenerator<LocatedRow[]> {
    let group: LocatedRow[] = [];
    for (const text of lines) {
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
}

/** The most valuable set of those that show most: above all a bargain that is well sold. */
async function showcase(store: Store): Promise<string> {
  let best = { rank: -1, number: '' };
  for (const key of await store.market.listKeys('set')) {
    const found = await store.market.findDocument('set', key);
    if (!found) continue;
    const set = JSON.parse(found.body) as SetRecord;
    const shows =
      3 * Number(isBargain(set)) +
      3 * Number(set.data_tier === 'high') +
      Number(set.status_id === 4) +
      Number(set.retailers.length === 2) +
      Number(set.box.weight_lbs !== null) +
      Number(set.minifigs.length > 1);
    const rank = shows * 1e6 + (set.new_value_usd ?? 0);
    if (rank > best.rank) best = { rank, number: set.set_number };
  }
  return best.number;
}

/** Whether a retailer itself asks so much less than the value that a reseller would look twice. */
function isBargain({ new_value_usd: value, retailers }: SetRecord): boolean {
  return retailers.some(
    ({ is_first_party, in_stock, current_price: price }) =>
      is_first_party && in_stock && price !== null && price < 0.55 * (value ?? 0),
  );
}
