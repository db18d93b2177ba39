/** Joins everything: settings, store, engine, publisher, server and commands. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from './api/server.ts';
import { CommandError, type Context, type RunningServer } from './cli/command.ts';
import { runCommandLine, type Shell } from './cli/run.ts';
import { type Config, readConfig } from './config.ts';
import type { Store } from './domain/store.ts';
import { makePublisher, type Publisher } from './publish/publisher.ts';
import { startUpkeep } from './publish/upkeep.ts';
import { openSqliteStore } from './store/sqlite/store.ts';
import { valueEngine } from './valuation/engine.ts';

const shell: Shell = {
  print: (text) => process.stdout.write(`${text}\n`),
  say: (text) => process.stderr.write(`${text}\n`),
  makeContext: (flags) => {
    const environment = readConfig();
    const config: Config = {
      ...environment,
      dataFolder: typeof flags.data === 'string' ? flags.data : environment.dataFolder,
      databaseUrl: typeof flags.database === 'string' ? flags.database : environment.databaseUrl,
    };
    return makeContext(config, flags.json === true);
  },
};

function makeContext(config: Config, isJson: boolean): Context {
  return {
    config,
    isJson,
    stdin: process.stdin,
    isTerminal: process.stderr.isTTY === true,
    result: (json, text) => shell.print(isJson ? JSON.stringify(json) : text),
    say: shell.say,
    draw: (text) => process.stderr.write(text),
    hasStore: () => existsSync(join(config.dataFolder, 'market.db')),
    embeddedFolder: () => embeddedFolder(config),
    openStore: (options) => openStore(config, options?.isServing ?? false),
    makePublisher: (store) => publisherFor(store, config),
    startServer: (store, place) => startService(store, { ...place, config }),
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    untilAskedToEnd: () =>
      new Promise((resolve) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) {
          process.once(signal, () => resolve());
        }
      }),
  };
}

function openStore(config: Config, isServing: boolean): Store {
  return openSqliteStore(embeddedFolder(config), { waitsForMarket: !isServing });
}

function embeddedFolder({ databaseUrl, dataFolder }: Config): string {
  if (databaseUrl === null) return dataFolder;
  throw new CommandError(
    'This version keeps its data in the embedded store only; leave out --database.',
  );
}

function publisherFor(store: Store, config: Config): Publisher {
  const { clock, retailerNames } = config;
  return makePublisher(store.market, { engine: valueEngine, retailerNames }, clock);
}

/** The API with the upkeep beside it. */
function startService(
  store: Store,
  place: { host: string; port: number; config: Config },
): RunningServer {
  const { clock, baseUrl } = place.config;
  const logFailure = (where: string, error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    shell.say(JSON.stringify({ level: 'error', where, error: text }));
  };
  const server = startServer(store, { ...place, baseUrl, clock, logFailure });
  const stopUpkeep = startUpkeep({
    store: store.market,
    publisher: publisherFor(store, place.config),
    clock,
    holder: crypto.randomUUID(),
    onFailure: (error) => logFailure('upkeep', error),
  });
  return {
    url: server.url,
    stop: async () => {
      await Promise.all([server.stop(), stopUpkeep()]);
    },
  };
}

// What is stored is for its owner alone, whoever made the folder.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2), shell);
