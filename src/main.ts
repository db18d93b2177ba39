/** Joins everything: settings, store, engine, publisher, server and commands. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sendMail } from './accounts/smtp.ts';
import { type Log, makeLog } from './api/log.ts';
import { Metrics } from './api/metrics.ts';
import { type MetricsParts, startMetrics } from './api/metrics-server.ts';
import {
  type AnswerPage,
  type RunningServer as ApiServer,
  type PageServices,
  startServer,
} from './api/server.ts';
import { watchUpkeep } from './api/watch-upkeep.ts';
import {
  CommandError,
  type Context,
  type RunningServer,
  type RunningUpkeep,
  readTypedUrl,
  type ServerPlace,
} from './cli/command.ts';
import { runCommandLine, type Shell } from './cli/run.ts';
import { startWorkers } from './cli/workers.ts';
import { brickmarkVersion, type Config, ConfigError, readConfig } from './config.ts';
import type { Mail } from './domain/mail.ts';
import type { Store } from './domain/store.ts';
import { formatInstant, formatMonth, type Month } from './domain/time.ts';
import { makePublisher, type Publisher } from './publish/publisher.ts';
import { startUpkeep, type UpkeepEvents } from './publish/upkeep.ts';
import { hasPostgresStore, openPostgresStore } from './store/postgres/store.ts';
import { openSqliteStore } from './store/sqlite/store.ts';
import { valueEngine } from './valuation/engine.ts';
import { networkFinder } from './web/network.ts';
import { makeWeb } from './web/web.ts';

/** How long a server that is done waits for its last lines to be read. */
const logPatienceMs = 2_000;

const shell: Shell = {
  print: (text) => process.stdout.write(`${text}\n`),
  say: (text) => process.stderr.write(`${text}\n`),
  makeContext: (flags) => {
    const environment = readConfig();
    const { data, database } = flags;
    const config: Config = {
      ...environment,
      dataFolder: typeof data === 'string' ? data : environment.dataFolder,
      databaseUrl:
        typeof database === 'string'
          ? readTypedUrl('--database', database)
          : environment.databaseUrl,
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
    write: (text) => writeOut(text),
    say: shell.say,
    draw: (text) => process.stderr.write(text),
    hasStore: async () =>
      config.databaseUrl === null
        ? existsSync(join(config.dataFolder, 'market.db'))
        : hasPostgresStore(config.databaseUrl),
    embeddedFolder: () => embeddedFolder(config),
    openStore: (options) => openStore(config, options?.isServing ?? false),
    makePublisher: (store) => publisherFor(store, config),
    startServer: (store, place) => startService(store, place, config),
    startUpkeep: (store, place) => startUpkeepAlone(store, place, config),
    startWorkers: (count, place) => startSharing(count, place, config),
    randomBytes,
    untilAskedToEnd,
  };
}

/** Whoever reads the output may stop reading, as `head` does: that is no fault. */
function writeOut(text: string): Promise<boolean> {
  return new Promise<void>((resolve, reject) => {
    // A fault is told to listeners as well, later; without one it would end the process.
    if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {});
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  }).then(
    () => true,
    (error) => {
      if (error.code === 'EPIPE') return false;
      throw new CommandError(`The output cannot be written: ${error.message}.`);
    },
  );
}

function untilAskedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    // A worker does not outlive the process that started it.
    process.once('disconnect', () => resolve());
  });
}

async function openStore(config: Config, isServing: boolean): Promise<Store> {
  const { databaseUrl, dataFolder, clockShiftMs, replicaUrl, connections } = config;
  if (databaseUrl === null) {
    if (replicaUrl !== null) {
      throw new ConfigError('BRICKMARK_REPLICA_URL goes with PostgreSQL; set --database, too.');
    }
    return openSqliteStore(dataFolder, { waitsForMarket: !isServing });
  }
  const clock = { now: config.clock, shiftMs: clockShiftMs };
  const log = logOf(config);
  const onReplica = (reason: string | null) =>
    reason === null
      ? log.event('replica', { used: 'again' })
      : log.failure('replica', new Error(`It is not read from: ${reason}.`));
  return openPostgresStore(databaseUrl, { isServing, clock, replicaUrl, connections, onReplica });
}

function embeddedFolder({ databaseUrl, dataFolder }: Config): string {
  if (databaseUrl === null) return dataFolder;
  throw new CommandError(
    'This command works on the files of the embedded store; PostgreSQL has its own tools for it ' +
      '(pg_dump, pg_basebackup: docs/operations.md says how).',
  );
}

function publisherFor(store: Store, config: Config, log?: Log): Publisher {
  const { clock, retailerNames } = config;
  const onLearned = (month: Month) => log?.event('learned', { month: formatMonth(month) });
  return makePublisher(store.market, { engine: valueEngine, retailerNames, onLearned }, clock);
}

/** The API with the upkeep and, where wanted, the metrics beside it. */
async function startService(
  store: Store,
  place: ServerPlace,
  config: Config,
): Promise<RunningServer> {
  const { clock, baseUrl, drainSeconds } = config;
  // A role that may not ask what every request asks says so now, not to every caller.
  await store.accounts.admitGroup([], clock());
  const hasUpkeep = await store.mayPublish();
  const log = logOf(config);
  const metrics = new Metrics(hasUpkeep);
  const publisher = publisherFor(store, config, log);
  let server: ApiServer | null = null;
  const shown = showMetrics(place.metrics, {
    ...{ metrics, store, clock },
    build: buildOf(publisher),
    findServerFacts: () => server?.findFacts() ?? null,
  });
  const settings = { ...place, baseUrl, clock, drainSeconds, log, metrics };
  try {
    const makePages = pagesOf(store, config);
    server = startServer(store, { ...settings, makePages, sharesPort: config.worker !== null });
  } catch (error) {
    // What listens keeps the process from ending.
    shown?.stop();
    throw error;
  }
  const { url, stop } = server;
  const events = watchUpkeep(log, metrics, config.clock);
  const stopUpkeep = hasUpkeep ? upkeepOf(store, publisher, { clock, events }) : null;
  return {
    url,
    metricsUrl: shown?.url ?? null,
    hasUpkeep,
    stop: async () => {
      await Promise.all([stop(), stopUpkeep?.()]);
      await shown?.stop();
      log.flush();
      // A reader of the log that has stopped reading does not keep the process from ending.
      setTimeout(() => process.exit(), logPatienceMs).unref();
    },
  };
}

/** The pages, which share documents, search and values with the API. */
function pagesOf(store: Store, config: Config): (services: PageServices) => AnswerPage {
  const { clock, baseUrl, retailerNames, pictureHosts, trustedProxies, mail } = config;
  const findNetwork = networkFinder(trustedProxies);
  const onMailFailure = (error: unknown) => logOf(config).failure('mail', error);
  const mailing = { onMailFailure, sendMail: mail ? (it: Mail) => sendMail(mail, it) : undefined };
  return (services) => {
    const settings = { retailerNames, baseUrl, pictureHosts, fetchOutside: fetch };
    const parts = { store, accounts: store.accounts, clock, randomBytes, ...settings };
    const answer = makeWeb({ ...parts, ...mailing, ...services });
    return (request, { remote, url, onFault }) =>
      answer(request, {
        ...{ url, onFault },
        network: findNetwork(remote, request.headers.get('X-Forwarded-For')),
      });
  };
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

function upkeepOf(
  store: Store,
  publisher: Publisher,
  parts: { readonly clock: Config['clock']; readonly events: UpkeepEvents },
): () => Promise<void> {
  return startUpkeep({ store: store.market, publisher, holder: crypto.randomUUID(), ...parts });
}

/** The upkeep in a process of its own, for nodes whose servers may not publish. */
function startUpkeepAlone(
  store: Store,
  place: ServerPlace['metrics'],
  config: Config,
): RunningUpkeep {
  const log = logOf(config);
  const metrics = new Metrics(true);
  const publisher = publisherFor(store, config, log);
  const shown = showMetrics(place, {
    ...{ metrics, store, clock: config.clock },
    build: buildOf(publisher),
    findServerFacts: () => null,
  });
  const events = watchUpkeep(log, metrics, config.clock);
  const stop = upkeepOf(store, publisher, { clock: config.clock, events });
  return {
    metricsUrl: shown?.url ?? null,
    stop: async () => {
      await stop();
      await shown?.stop();
      log.flush();
    },
  };
}

function logOf({ log, clock }: Config): Log {
  return makeLog({ level: log, clock, write: writeLog });
}

function buildOf({ engine }: Publisher): MetricsParts['build'] {
  return { version: brickmarkVersion, bun: Bun.version, engine };
}

/** Processes like this one that share a port; that it is free is seen before the first starts. */
async function startSharing(
  count: number,
  { host, port }: ServerPlace,
  { clock, clockShiftMs }: Config,
): Promise<RunningServer> {
  const probe = Bun.serve({ hostname: host, port, fetch: () => new Response() });
  await probe.stop(true);
  return startWorkers({
    command: [...thisProgram(), ...process.argv.slice(2)],
    count,
    environment: (worker) => ({
      ...process.env,
      BRICKMARK_WORKER: String(worker),
      // One that is started again goes on at the time that it is for the others.
      ...(clockShiftMs !== 0 && { BRICKMARK_NOW: formatInstant(clock()) }),
    }),
    say: shell.say,
  });
}

/** What starts this program: the executable alone, or Bun with the source. */
function thisProgram(): string[] {
  const { execPath } = process;
  if (Bun.isStandaloneExecutable) return [execPath];
  const jsx = ['--jsx-runtime=automatic', '--jsx-import-source=preact'];
  return [execPath, '--no-env-file', '--config=/dev/null', ...jsx, Bun.main];
}

function showMetrics(
  place: ServerPlace['metrics'],
  parts: Omit<MetricsParts, 'host' | 'port'>,
): ReturnType<typeof startMetrics> | null {
  if (place === null) return null;
  try {
    return startMetrics({ ...place, ...parts });
  } catch {
    throw new CommandError(
      `Metrics cannot be shown on ${place.host}, port ${place.port}; is the address of this ` +
        'machine, and the port free? Choose another one with --metrics-port.',
    );
  }
}

/** Whoever read the log may be gone. That is no reason to end. */
function writeLog(text: string, onGone: () => void): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(text, () => onGone());
}

// What is stored is for its owner alone, whoever made the folder.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2), shell);
