/** The files of a demo, and its first start; `simulator/demo` creates its data. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveWorld } from '../../simulator/market/live-world.ts';
import type { BoxForSale } from '../buying/boxes/box-text.ts';
import type { Config } from '../config.ts';
import { secondMs } from '../kernel/time.ts';
import { OtherBuildError, otherBuild } from '../store/sql/schema-version.ts';
import type { Store } from '../store/store.ts';
import { CommandError, type Context } from './command.ts';
import { accountsWithPredictions } from './fee-files.ts';
import { patienceMs, withPatience } from './progress.ts';
import type { Arguments } from './row.ts';
import { makeSecretFile, ownSecretFile } from './secret-file.ts';

export interface DemoSignIn {
  /** Whether simulated sources advance its market. */
  readonly isLive?: boolean;
  readonly email: string;
  readonly password: string;
  readonly key: string;
  /** An interesting set, for the example call. */
  readonly setNumber: string;
  /** An example for the evaluation of boxes. */
  readonly box: BoxForSale;
}

/** `unfinished` exists while the data is being created. */
interface DemoFiles {
  readonly signIn: string;
  readonly unfinished: string;
}

/** In the data folder; with PostgreSQL, named by a hash of the address. */
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

/** Not the default folder of real stores. */
const demoFolderDefault = './demo-data';
const liveFolderDefault = './demo-live-data';

export function findDemoFolder({ live }: Arguments['flags']): string {
  return live ? liveFolderDefault : demoFolderDefault;
}

/** Unless the settings name another. */
export function makeDemoSecret({ config, randomBytes }: Context): void {
  const { secretFile, dataFolder } = config;
  if (secretFile === ownSecretFile(dataFolder)) makeSecretFile(secretFile, randomBytes);
}

/** Throws for the store of a demo: real data must not mix with simulated data. */
export function refuseDemo(config: Config): void {
  // With PostgreSQL, the file is in the folder in which the demo was started.
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

/** Whether this is a live demo, which may sync from its simulated sources. */
export function isLiveDemo(config: Config): boolean {
  return findSignIn(config)?.isLive === true;
}

export function isDemo(config: Config): boolean {
  return existsSync(demoFiles(config).signIn);
}

export function findDemoBox(config: Config): BoxForSale | null {
  return findSignIn(config)?.box ?? null;
}

/** Null if this is not a demo. */
function findSignIn(config: Pick<Config, 'dataFolder' | 'databaseUrl'>): DemoSignIn | null {
  const { signIn } = demoFiles(config);
  return existsSync(signIn) ? JSON.parse(readFileSync(signIn, 'utf8')) : null;
}

/** A demo of an earlier build has no data worth keeping, so the advice is to recreate it. */
export function explainEarlierDemo(config: Config, error: unknown): never {
  if (!(error instanceof OtherBuildError) || !isDemo(config)) throw error;
  throw new CommandError(
    config.databaseUrl === null
      ? `The demo in '${config.dataFolder}' ${otherBuild}; delete the folder ` +
          'and start the demo again.'
      : `The demo in this database ${otherBuild}; drop and recreate the database and start the ` +
          'demo again.',
  );
}

/** Deletes the data of an interrupted creation. */
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

/** The market of a live demo always starts now, so its data is recreated. */
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

/** Creates the demo data in an empty store; returns the sign-in of an existing demo. */
export async function prepareDemo(
  store: Store,
  context: Context,
  live: LiveWorld | null = null,
): Promise<DemoSignIn> {
  const { clock, dataFolder, databaseUrl } = context.config;
  const { signIn, unfinished } = demoFiles(context.config);
  const known = findSignIn(context.config);
  if (known) return known;
  const accounts = await store.accounts.listAccounts(clock());
  const themes = await store.market.findThemes();
  if (accounts.length > 0 || themes !== null) {
    throw new CommandError(
      databaseUrl === null
        ? `The store in '${dataFolder}' is not a demo. Run 'serve', or choose another --data.`
        : "The database is not a demo. Run 'brickmark serve', or choose another --database.",
    );
  }
  const seconds = patienceMs / secondMs;
  context.say(`Creating the demo. This takes about ${seconds} seconds, the first time only.`);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, '');
  const { makeDemo } = await import('../../simulator/demo/make-demo.ts');
  const recording = { ...store, accounts: accountsWithPredictions(store, dataFolder) };
  const demo = await withPatience(context, 'Still creating the demo', () =>
    makeDemo(recording, context, live),
  );
  // The key is stored in plain text: its data is simulated, and each start prints it.
  writeFileSync(signIn, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  rmSync(unfinished);
  return demo;
}
