/** Wires settings, store, engine, publisher, server and commands together. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EndpointUses, startEndpointUses } from './accounts/keys/endpoint-uses.work.ts';
import { keyWarnings } from './accounts/keys/key-warnings.work.ts';
import type { Mail } from './accounts/people/mail.ts';
import { sendMail } from './accounts/people/smtp.work.ts';
import { mayNotifyTurnedOff } from './accounts/sign-in/attempt-limits.work.ts';
import { passwordCost } from './accounts/sign-in/password-hash.ts';
import { Provider } from './accounts/sign-in/provider.work.ts';
import { hashToken } from './accounts/sign-in/sign-in.work.ts';
import { alertStep } from './alerts/conditions/alerts.work.ts';
import { findMatches, recordMatches } from './alerts/conditions/matches.work.ts';
import { startDelivery } from './alerts/delivery/delivery-work.work.ts';
import { findScopeItems } from './alerts/delivery/scope-items.work.ts';
import { systemResolve } from './alerts/delivery/target.work.ts';
import { noticeStep } from './alerts/notices/account-notices.work.ts';
import type { ChangeDeps } from './api/handler-deps.ts';
import { answerProcess, serveLargeAccounts } from './api/large-accounts.ts';
import { MarketCache } from './api/memory/market-cache.ts';
import { type RunningServer as ApiServer, startServer } from './api/server.ts';
import { toItem } from './buying/prices/resale-item.work.ts';
import type { FeeTables } from './buying/prices/selling-channels.ts';
import type { DrawPicture } from './catalog/pictures/picture-item.ts';
import { findCommit } from './cli/build-commit.ts';
import {
  CommandError,
  type Context,
  type HelperWork,
  type OpenOptions,
  onThisMachine,
  type RunningServer,
  type RunningUpkeep,
  readTypedUrl,
  type ServerAddress,
  type Terminal,
} from './cli/command.ts';
import { schemaText } from './cli/database.ts';
import { findDemoBox, isDemo } from './cli/demo.ts';
import { accountsWithPredictions, FeeFiles, readFeeTables } from './cli/fee-files.ts';
import { thisProgram } from './cli/processes/child-process.ts';
import { Helpers } from './cli/processes/helpers.ts';
import { makePhotoApart } from './cli/processes/photo-process.ts';
import { thisProcess, writeLog } from './cli/processes/this-process.ts';
import { startWorkers } from './cli/processes/workers.ts';
import { fillProgress } from './cli/progress.ts';
import { runCommandLine, type Shell } from './cli/run.ts';
import { findEncrypter, findFactorEncrypter, findSheetSigner } from './cli/secret-file.ts';
import { readSourcesText } from './cli/sync/sync-sources.ts';
import {
  brickmarkVersion,
  type Config,
  ConfigError,
  checkSettingNames,
  readClock,
  readConfig,
} from './config.ts';
import { streamsMax } from './contract/limits.ts';
import { guardConnections, streamRoom } from './http/connection-guard.ts';
import { FreeAnswers } from './http/free-answers.ts';
import { type Log, makeLog } from './http/log.ts';
import { Metrics } from './http/metrics.ts';
import { type MetricsDeps, startMetrics } from './http/metrics-server.ts';
import { addressFinder, type FindAddress } from './http/network.ts';
import { previewBudget } from './http/pools.ts';
import { upkeepReporter } from './http/report.ts';
import { formatInstant, formatMonth, type Month, minuteMs } from './kernel/time.ts';
import type { ResaleRecord } from './market/published/published-records.ts';
import { valueEngine } from './market/values/engine.ts';
import { type InterestDeps, LookUps, startInterest } from './portfolio/interest/interest.work.ts';
import { startSweeping } from './portfolio/sweep/sweeping.work.ts';
import { startBulkExport } from './publish/bulk/bulk-export.work.ts';
import { startBulkMaking } from './publish/bulk/bulk-maker.work.ts';
import { targetOf } from './publish/bulk/bulk-target.work.ts';
import { makePublisher, type Publisher } from './publish/publisher.work.ts';
import { startUpkeep } from './publish/upkeep.work.ts';
import { hasPostgresStore, openPostgresStore } from './store/postgres/store.ts';
import type { SchemaChange } from './store/sql/schema-version.ts';
import { isRestorePending } from './store/sqlite/pending-restore.ts';
import { openSqliteStore } from './store/sqlite/store.ts';
import type { Store } from './store/store.ts';
import type { WebDeps } from './web/page.ts';
import { makeFront } from './web/server/front.ts';

/** How long a stopped server waits for its log to be read. */
const logReadMsMax = 2_000;

function makeShell(terminal: Terminal): Shell {
  return {
    print: terminal.print,
    say: terminal.say,
    makeContext: (flags, command) => {
      const environment = readConfig(terminal.environment, Date.now, command.findFolder?.(flags));
      const { data, database } = flags;
      const dataFolder = typeof data === 'string' ? data : environment.dataFolder;
      const config: Config = {
        ...environment,
        dataFolder,
        secretFile: environment.secretFile ?? command.findSecretFile?.(dataFolder) ?? null,
        databaseUrl:
          typeof database === 'string'
            ? readTypedUrl(database, { name: '--database' })
            : environment.databaseUrl,
      };
      // Its own processes have the environment of a server that was checked at its start.
      if (config.helper === null && config.worker === null) {
        checkSettingNames(terminal.environment, readSourcesText(config));
      }
      return makeContext(config, terminal, flags.json === true);
    },
    makeConsumerContext: () => ({
      ...terminal,
      clock: readClock(terminal.environment, Date.now),
    }),
  };
}

function makeContext(config: Config, terminal: Terminal, isJson: boolean): Context {
  const helpers = new Helpers({ config, say: terminal.say, randomBytes });
  return {
    ...terminal,
    config,
    operator: onThisMachine,
    isJson,
    withSecretFile: (secretFile) => makeContext({ ...config, secretFile }, terminal, isJson),
    result: (json, text) => terminal.print(isJson ? JSON.stringify(json) : text),
    hasStore: async () =>
      config.databaseUrl === null
        ? existsSync(join(config.dataFolder, 'market.db')) || isRestorePending(config.dataFolder)
        : hasPostgresStore(config.databaseUrl),
    embeddedFolder: () => embeddedFolder(config),
    openStore: (options = {}) => {
      const progress = fillProgress(terminal);
      const say = (change: SchemaChange) => {
        // A new store is not worth a message.
        if (change.from > 0) terminal.say(schemaText(change));
      };
      const onMigrated = (change: SchemaChange) => {
        progress.end();
        (options.onMigrated ?? say)(change);
      };
      const acceptsNewer = config.worker !== null || config.helper !== null;
      return openStore(config, { ...options, acceptsNewer, onMigrated, onFilled: progress.update });
    },
    makePublisher: (store) => publisherFor(store, config),
    startServer: (store, address) => startApi(store, address, { config, helpers }),
    startUpkeep: (store, address) => startUpkeepOnly(store, address, { config, helpers }),
    startWorkers: (count, address) => startWorkerProcesses(count, address, config),
    startHelper: (store) => startHelper(store, config),
    startDelivery: (store) => startDeliveryWork(store, config),
    randomBytes,
    helpers,
  };
}

interface Setup {
  readonly config: Config;
  readonly helpers: Helpers;
}

async function openStore(config: Config, options: OpenOptions): Promise<Store> {
  const { isServing = false, ...migrating } = options;
  const { databaseUrl, dataFolder, clockShiftMs, replicaUrl, connections } = config;
  if (databaseUrl === null) {
    if (replicaUrl !== null) {
      throw new ConfigError('BRICKMARK_REPLICA_URL needs PostgreSQL. Set --database too.');
    }
    return openSqliteStore(dataFolder, { waits: !isServing, ...migrating });
  }
  const clock = { now: config.clock, shiftMs: clockShiftMs };
  const log = logOf(config);
  const onReplica = (reason: string | null) =>
    reason === null
      ? log.warning('replica', { used: 'again' })
      : log.failure('replica', new Error(`The replica is not in use: ${reason}.`));
  const replica = { replicaUrl, connections, onReplica };
  return openPostgresStore(databaseUrl, { isServing, clock, ...replica, ...migrating });
}

function embeddedFolder({ databaseUrl, dataFolder }: Config): string {
  if (databaseUrl === null) return dataFolder;
  throw new CommandError(
    'This command works with the embedded store only. For PostgreSQL, use its own tools ' +
      '(pg_dump, pg_basebackup); see docs/postgresql.md.',
  );
}

function publisherFor(
  store: Store,
  config: Config,
  serving?: { readonly log: Log; readonly fees: FeeFiles; readonly helpers: Helpers },
): Publisher {
  const { clock, retailerNames } = config;
  const { log, helpers, fees = new FeeFiles(config.dataFolder) } = serving ?? {};
  const onLearned = (month: Month) => log?.event('learned', { month: formatMonth(month) });
  const findTables = () => fees.find();
  const settings = { engine: valueEngine, retailerNames, findTables, onLearned };
  const learnApart = helpers && ((pause: () => Promise<void>) => helpers.learn(pause));
  return makePublisher(store.market, learnApart ? { ...settings, learnApart } : settings, clock);
}

/** The API, with upkeep if the role can publish, and with metrics if configured. */
async function startApi(
  store: Store,
  address: ServerAddress,
  { config, helpers }: Setup,
): Promise<RunningServer> {
  const { clock } = config;
  // A role without the rights for calls fails here, not at the first call.
  await store.accounts.admitGroup([], clock());
  const hasUpkeep = await store.mayPublish();
  const log = logOf(config);
  const metrics = new Metrics(hasUpkeep);
  const fees = new FeeFiles(config.dataFolder);
  const publisher = publisherFor(store, config, { log, fees, helpers });
  let server: ApiServer | null = null;
  const shown = startMetricsServer(address.metrics, {
    metrics,
    store,
    accounts: store.accounts,
    helpers: helpers.health,
    dataFolder: config.databaseUrl === null ? config.dataFolder : null,
    clock,
    build: buildOf(publisher),
    findServerFacts: () => server?.findFacts() ?? null,
  });
  const { accounts } = store;
  const freeAnswers = new FreeAnswers(elapsed);
  const counts = { lookUps: new LookUps(), uses: new EndpointUses() };
  try {
    server = startServer(store, {
      ...address,
      ...serverSettings(config),
      ...counts,
      log,
      metrics,
      findAddress: findAddressOf(config, log),
      findTables: () => fees.find(),
      changes: changesOf(store, config, fees),
      freeAnswers,
      answerPage: makeFront({ pages: helpers.pages, accounts, freeAnswers, clock }),
      warmPages: () => helpers.pages.socket(),
      answerProcess: answerProcess(accounts, helpers.answers),
    });
  } catch (error) {
    // An open listener would keep the process running.
    shown?.stop();
    throw error;
  }
  const { url, warmed, stop, hasStream } = server;
  guardConnections({ url, trustedProxies: config.trustedProxies, hasStream, log, metrics });
  const stopUpkeep = hasUpkeep
    ? upkeepOf(store, publisher, { config, log, metrics, helpers })
    : null;
  const stopHousekeeping = startHousekeeping(store, { ...counts, clock, log });
  return {
    url,
    warmed,
    metricsUrl: shown?.url ?? null,
    hasUpkeep,
    reload: async () => fees.reload(),
    stop: async () => {
      await Promise.all([stop(), stopUpkeep?.(), helpers.stopWork()]);
      await stopHousekeeping();
      await helpers.stop();
      await shown?.stop();
      endLog(log);
    },
  };
}

/** Dependencies of the endpoints that change data of their callers. */
function changesOf(store: Store, config: Config, fees: FeeFiles): ChangeDeps {
  const { allowedNetworks } = config;
  return {
    encrypter: findEncrypter(config, randomBytes).encrypter,
    allowedNetworks,
    randomBytes,
    sleep: Bun.sleep,
    alerts: alertMatching(store, config, () => fees.find()),
  };
}

/** Removes expired rows and saves counts; returns a function that saves what is left and stops. */
function startHousekeeping(
  { market, accounts }: Store,
  deps: Omit<InterestDeps, 'market' | 'accounts'> & { readonly uses: EndpointUses },
): () => Promise<void> {
  const stops = [
    startSweeping(accounts, deps),
    startInterest({ ...deps, market, accounts }),
    startEndpointUses({ ...deps, accounts }),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** A log that is not read must not keep the process running. */
function endLog(log: Log): void {
  log.flush();
  setTimeout(() => process.exit(), logReadMsMax).unref();
}

function serverSettings(config: Config) {
  const { baseUrl, clock, bulkCost, plusRate, drainSeconds, mcpOrigins } = config;
  return {
    baseUrl,
    clock,
    bulkCost,
    plusRate,
    drainSeconds,
    elapsed,
    streamsMax: streamRoom(streamsMax),
    releaseMemory,
    hasPublicPages: config.access.hasPublicPages,
    sheetSigner: findSheetSigner(config),
    sharesPort: config.worker !== null,
    isRestarted: config.isRestarted,
    mcp: { version: brickmarkVersion, origins: mcpOrigins },
    build: { version: brickmarkVersion, commit: findCommit() },
  };
}

function findAddressOf({ trustedProxies }: Config, log: Log): FindAddress {
  return addressFinder(trustedProxies, (facts) => log.warning('forwarded', { ...facts }));
}

/** The work of a helper process: pages or large accounts. */
async function startHelper(store: Store, config: Config): Promise<HelperWork> {
  const { helper, isRestarted, clock, baseUrl, retailerNames, pictureHosts } = config;
  if (helper === null) throw new Error('This process is not a helper.');
  const { kind, task: socket } = helper;
  const log = logOf(config);
  const onFault = (error: unknown) => log.failure(kind, error);
  const tables = readFeeTables(config.dataFolder);
  if (kind === 'answers') {
    const answers = serveLargeAccounts(store, { socket, clock, tables, onFault });
    return { ...answers, isRestarted, warm: () => Promise.resolve() };
  }
  const lookUps = new LookUps();
  const cache = new MarketCache(store, clock, lookUps);
  const deps: WebDeps = {
    cache: cache.forPages(),
    portfolio: cache.portfolio,
    market: store.market,
    sync: store.sync,
    accounts: accountsWithPredictions(store, config.dataFolder),
    alerts: alertMatching(store, config, () => tables),
    site: {
      access: config.access,
      baseUrl,
      provider: config.provider && new Provider(config.provider),
      securityContact: config.securityContact,
      retailerNames,
      tables,
      allowedNetworks: config.allowedNetworks,
      exampleBox: findDemoBox(config),
      isReplicaUsed: () => store.isReplicaUsed(),
      readingMsMax: minuteMs,
      previewBudget,
    },
    secrets: {
      encrypter: findEncrypter(config, randomBytes).encrypter,
      factorEncrypter: findFactorEncrypter(config, randomBytes),
      sheetSigner: findSheetSigner(config),
    },
    pictures: {
      hosts: pictureHosts,
      fetchOutside: fetch,
      folder: pictureFolderOf(config),
      draw: isDemo(config) ? drawDemoPicture : null,
      makePhoto: makePhotoApart,
      photoBytesMax: config.photoBytesMax,
    },
    sendMail: mailerOf(config),
    clock,
    sleep: Bun.sleep,
    randomBytes,
    passwordCost,
    onFailure: (what, error) => log.failure(what, error),
  };
  const pages = (await loadPages()).servePages(deps, { socket, onFault });
  // Holdings are counted by the server, not by its helpers.
  const counted = { lookUps, market: store.market, accounts: null };
  const stopInterest = startInterest({ ...counted, clock, log });
  return {
    isRestarted,
    warm: async () => {
      await cache.warmPages(tables);
      await pages.warm();
      releaseMemory();
    },
    stop: async () => {
      await pages.stop();
      await stopInterest();
    },
  };
}

/** Loading the code of pages would take a quarter of the start of other processes. */
const loadPages = () => import('./web/server/page-server.ts');

const drawDemoPicture: DrawPicture = async (item, isSmall) => {
  const { drawItem } = await import('../simulator/drawings/drawing.ts');
  return drawItem(item, isSmall);
};

/** Emails of the demo are discarded: its addresses do not exist. */
function mailerOf(config: Config): ((mail: Mail) => Promise<void>) | undefined {
  const { mail: server } = config;
  if (server) return (mail) => sendMail(server, mail);
  return isDemo(config) ? async () => {} : undefined;
}

/** In the data folder, but not in backups. */
function pictureFolderOf({ dataFolder, pictureBytesMax: bytesMax }: Config) {
  return bytesMax === 0 ? null : { path: join(dataFolder, 'pictures'), bytesMax };
}

/** Filling caches leaves garbage, which would stay until much more is allocated. */
function releaseMemory(): void {
  Bun.gc(true);
}

/** CPU time of this process. */
function computedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function elapsed(): number {
  return performance.now();
}

function startDeliveryWork({ market, accounts }: Store, config: Config): () => Promise<void> {
  const { helper, clock, baseUrl, allowedNetworks: allowed } = config;
  const send = mailerOf(config);
  if (helper?.kind !== 'delivery') throw new Error('This process is not the delivery process.');
  const log = logOf(config);
  const failMail = (error: unknown) => {
    log.failure('mail', error);
    throw error;
  };
  const userAgent = `Brickmark/${brickmarkVersion}${baseUrl === null ? '' : ` (+${baseUrl})`}`;
  const tables = readFeeTables(config.dataFolder);
  const alerts = {
    ...alertSource({ market, accounts }, tables),
    clock,
    baseUrl: baseUrl ?? '',
    makeToken,
    retailerNames: config.retailerNames,
  };
  const sendOrReport = send && ((mail: Mail) => send(mail).catch(failMail));
  const warnings = { accounts, clock, baseUrl: baseUrl ?? '' };
  const stop = startDelivery({
    queue: accounts,
    notices: accounts,
    market,
    findItems: (accountId, scope) => findScopeItems({ accounts, market }, accountId, scope),
    encrypter: findEncrypter(config, randomBytes).encrypter,
    http: { resolve: systemResolve, allowed, userAgent },
    sendMail: sendOrReport ?? null,
    mayNotifyTurnedOff: (email) => mayNotifyTurnedOff(accounts, { email, at: clock() }),
    clock,
    random: Math.random,
    computedMs,
    hasOneWriter: config.databaseUrl === null,
    holder: helper.task,
    baseUrl,
    otherSteps: [
      () => alertStep(alerts),
      noticeStep({ accounts, market, hasBulk: config.bulkCost !== null, clock }),
      ...(sendOrReport ? [keyWarnings({ ...warnings, sendMail: sendOrReport })] : []),
    ],
    log,
  });
  return async () => {
    await stop();
    log.flush();
  };
}

/** The data that alert rules are checked against. */
function alertMatching(store: Store, { clock }: Config, findTables: () => FeeTables) {
  const alerts: WebDeps['alerts'] = {
    findMatches: (accountId, rule) =>
      findMatches(alertSource(store, findTables()), accountId, rule, clock()),
    recordMatches: (accountId, listId, setKeys) =>
      recordMatches(alertSource(store, findTables()), accountId, listId, { setKeys, at: clock() }),
  };
  return alerts;
}

function alertSource({ market, accounts }: Pick<Store, 'market' | 'accounts'>, tables: FeeTables) {
  const readResale = (record: ResaleRecord) => toItem('set', record).resale.sealed;
  return { market, accounts, findTables: () => tables, readResale };
}

/** For links that turn off an alert rule. */
function makeToken() {
  const token = Buffer.from(randomBytes(24)).toString('base64url');
  return { token, hash: hashToken(token) };
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

function upkeepOf(
  store: Store,
  publisher: Publisher,
  { config, helpers, log, metrics }: Setup & { readonly log: Log; readonly metrics: Metrics },
): () => Promise<void> {
  const { clock, bulkCost, bulkTarget } = config;
  const { market } = store;
  const holder = crypto.randomUUID();
  const events = upkeepReporter(log, metrics, clock);
  const shared = { store: market, clock, holder };
  const make = () => helpers.run('bulk');
  const stops = [
    startUpkeep({ ...shared, publisher, events }),
    startBulkExport(bulkTarget && targetOf(bulkTarget), {
      ...shared,
      onFailure: (error) => log.failure('bulk-export', error),
    }),
  ];
  if (bulkCost !== null || bulkTarget !== null) {
    stops.push(startBulkMaking({ ...shared, make, onFailure: events.onFailure }));
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** For nodes whose servers cannot publish. */
function startUpkeepOnly(
  store: Store,
  address: ServerAddress['metrics'],
  { config, helpers }: Setup,
): RunningUpkeep {
  const log = logOf(config);
  const metrics = new Metrics(true);
  const fees = new FeeFiles(config.dataFolder);
  const publisher = publisherFor(store, config, { log, fees, helpers });
  const shown = startMetricsServer(address, {
    metrics,
    store,
    helpers: helpers.health,
    dataFolder: null,
    clock: config.clock,
    build: buildOf(publisher),
    findServerFacts: () => null,
  });
  const stop = upkeepOf(store, publisher, { config, log, metrics, helpers });
  return {
    metricsUrl: shown?.url ?? null,
    reload: async () => fees.reload(),
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

function buildOf({ engine }: Publisher): MetricsDeps['build'] {
  return { version: brickmarkVersion, bun: Bun.version, engine, commit: findCommit() ?? '' };
}

/** Fails if the port is in use, before the first worker starts. */
async function startWorkerProcesses(
  count: number,
  { host, port }: ServerAddress,
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
      // A restarted worker continues with the shifted clock of the others.
      ...(clockShiftMs !== 0 && { BRICKMARK_NOW: formatInstant(clock()) }),
    }),
    say: thisProcess.say,
  });
}

function startMetricsServer(
  address: ServerAddress['metrics'],
  deps: Omit<MetricsDeps, 'host' | 'port'>,
): ReturnType<typeof startMetrics> | null {
  if (address === null) return null;
  try {
    return startMetrics({ ...address, ...deps });
  } catch {
    throw new CommandError(
      `Cannot serve metrics on ${address.host}, port ${address.port}. Check the address, ` +
        'or choose another port with --metrics-port.',
    );
  }
}

/** Resolves to the exit status. */
export function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  // New files are readable only by their owner.
  process.umask(0o077);
  return runCommandLine(argv, makeShell(terminal));
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2), thisProcess);
