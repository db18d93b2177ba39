/** `serve` and `demo`. */
import { existsSync } from 'node:fs';
import { invitationPath, inviteFirstOperator } from '../accounts/people/invitations.work.ts';
import { portBounds, workerBounds } from '../config.ts';
import { apiPrefix } from '../contract/limits.ts';
import type { Store } from '../store/store.ts';
import {
  CommandError,
  type Context,
  command,
  type RunningServer,
  type Served,
  type ServerAddress,
  withServedStore,
  withStore,
} from './command.ts';
import {
  clearUnfinishedDemo,
  type DemoSignIn,
  explainEarlierDemo,
  findDemoFolder,
  makeDemoSecret,
  prepareDemo,
} from './demo.ts';
import { runHelper } from './processes/helper-work.ts';
import { workerAddress } from './processes/workers.ts';
import { checkReload, reloadOnRequest } from './reload.ts';
import { type Flag, UsageError } from './row.ts';
import { checkSecret, makeOwnSecret, ownSecretFile } from './secret-file.ts';

const hostDefault = '127.0.0.1';

const portFlag = {
  help: 'Port to listen on',
  value: 'PORT',
  integer: portBounds,
  default: 8080,
} as const;

export const metricsPortFlag = {
  help: 'Port for metrics (default: off)',
  value: 'PORT',
  integer: portBounds,
} as const satisfies Flag;

export const noSyncFlag = { help: 'Do not sync from the sources in sources.toml' } as const;

export const serveCommands = [
  command({
    name: 'demo',
    summary: 'Run a demo with a made-up market, an account and an API key',
    flags: {
      port: portFlag,
      live: { help: 'Advance the market one day every two minutes, through simulated sources' },
    },
    findFolder: findDemoFolder,
    findSecretFile: ownSecretFile,
    run: async ({ port, live }, context) => {
      const address = { host: hostDefault, port, metrics: metricsAddress(null, context) };
      await checkDemoPort(address);
      makeDemoSecret(context);
      checkSecret(context.config);
      const serveDemo = (store: Store, demo: DemoSignIn) =>
        serve(store, context, address, {
          name: 'demo',
          hasSync: live,
          onReady: ({ url, warmed }) => {
            context.say('Warming up …');
            warmed?.then(() => greet(url, demo, context));
          },
          queue: store.accounts,
        });
      if (live) {
        const { serveLiveDemo } = await import('../../simulator/demo/demo-live.ts');
        return serveLiveDemo(context, serveDemo);
      }
      clearUnfinishedDemo(context.config);
      const demo = await withStore(context, (store) => prepareDemo(store, context)).catch((error) =>
        explainEarlierDemo(context.config, error),
      );
      await withServedStore(context, (store) => serveDemo(store, demo));
    },
  }),
  command({
    name: 'serve',
    summary: 'Serve the API and web app, and keep published data current',
    flags: {
      port: portFlag,
      host: { help: 'Address to listen on', value: 'HOST', default: hostDefault },
      'metrics-port': metricsPortFlag,
      workers: {
        help: 'Number of server processes; more than 1 needs PostgreSQL',
        value: 'N',
        integer: workerBounds,
      },
      'no-sync': noSyncFlag,
    },
    run: async ({ port, host, metricsPort, workers, noSync }, given) => {
      const { helper, worker, databaseUrl } = given.config;
      if (helper) return runHelper(helper, given);
      if (worker === null) checkSecret(given.config);
      const context = await withOwnSecret(given);
      const address = { port, host, metrics: metricsAddress(metricsPort, context) };
      const count = workers ?? 1;
      if (count > 1) checkWorkers(address, context);
      if (worker !== null) return serveAsWorker(context, workerAddress(address, worker));
      if (count > 1) return serveWithWorkers(context, address, count);
      // With PostgreSQL, `upkeep` syncs: the serving role cannot import.
      const hasSync = databaseUrl === null && !noSync;
      await withServedStore(context, async (store) =>
        serve(store, context, address, {
          name: 'serve',
          hasSync,
          onReady: greeting(context, { firstOperator: await firstOperatorToken(store, context) }),
          queue: store.accounts,
        }),
      );
    },
  }),
];

/**
 * With a secret for an embedded store that has none, unless something was encrypted or signed with
 * one that is not set any more. Backups are not signed with it: who lost it with a disk could not
 * restore them.
 */
async function withOwnSecret(context: Context): Promise<Context> {
  const { databaseUrl, secretFile, dataFolder } = context.config;
  if (databaseUrl !== null || secretFile !== null) return context;
  const path = ownSecretFile(dataFolder);
  if (existsSync(path)) return context.withSecretFile(path);
  const isLost = await withStore(context, ({ accounts }) => accounts.needsSecret());
  if (isLost || !makeOwnSecret(dataFolder, context.randomBytes)) return context;
  context.say(
    `Created '${path}', which encrypts addresses and secrets of accounts. Keep a copy of it, but ` +
      'not with the backups.',
  );
  return context.withSecretFile(path);
}

/** `firstOperator` is the token of the first operator's invitation; null if there is one. */
function greeting(
  context: Context,
  { firstOperator, workers = 1 }: { firstOperator: string | null; workers?: number },
): (server: RunningServer) => void {
  const by = workers === 1 ? '' : ` with ${workers} workers`;
  return ({ url }) => {
    context.say(`Brickmark serves ${url}${apiPrefix}${by}. Press Ctrl-C to stop.`);
    if (firstOperator === null) return;
    const link = `${context.config.baseUrl ?? url}${invitationPath(firstOperator)}`;
    context.say(
      `There is no operator account yet. To create it, open ${link}\n` +
        'The link works once, for 24 hours, until the next server starts.',
    );
  };
}

function firstOperatorToken(
  { accounts }: Store,
  { config, randomBytes }: Context,
): Promise<string | null> {
  return inviteFirstOperator({ accounts, randomBytes }, config.clock());
}

function checkWorkers({ port }: ServerAddress, { config }: Context): void {
  if (config.databaseUrl === null) {
    throw new UsageError('--workers above 1 needs PostgreSQL. The embedded store runs with one.');
  }
  if (port === 0) throw new UsageError('--workers above 1 needs a --port other than 0.');
}

async function serveWithWorkers(
  context: Context,
  address: ServerAddress,
  workers: number,
): Promise<void> {
  const firstOperator = await withStore(context, (store) => firstOperatorToken(store, context));
  const server = await startListening(address, () => context.startWorkers(workers, address));
  await untilEnd(server, context, {
    name: 'serve',
    hasSync: false,
    onReady: greeting(context, { firstOperator, workers }),
    queue: null,
  });
}

/** Reports to the process that started it, not to the operator. */
async function serveAsWorker(context: Context, address: ServerAddress): Promise<void> {
  await withServedStore(context, async (store) => {
    const server = await startListening(address, () => context.startServer(store, address));
    const { url, metricsUrl, hasUpkeep } = server;
    const shutdown = context.untilShutdown();
    context.onReload(() => {
      const reloaded = server.reload().then(() => context.helpers.reload());
      reloaded.catch((error) => context.say(`Nothing is reloaded: ${error.message}`));
    });
    process.send?.({ url, metricsUrl, hasUpkeep });
    await shutdown;
    await server.stop();
    // An open IPC channel keeps the process running.
    if (process.connected) process.disconnect?.();
  });
}

/** The flag takes precedence over the setting. */
export function metricsAddress(
  typedPort: number | null,
  { config }: Context,
): ServerAddress['metrics'] {
  const port = typedPort ?? config.metrics.port;
  return port === null ? null : { host: config.metrics.host, port };
}

async function serve(
  store: Store,
  context: Context,
  address: ServerAddress,
  options: ServeOptions,
): Promise<void> {
  const server = await startListening(address, () => context.startServer(store, address));
  await untilEnd(server, context, options);
}

interface ServeOptions extends Pick<Served, 'queue'> {
  /** Of the command. */
  readonly name: string;
  readonly hasSync: boolean;
  onReady(server: RunningServer): void;
}

async function untilEnd(
  server: RunningServer,
  context: Context,
  { name, hasSync, onReady, queue }: ServeOptions,
): Promise<void> {
  const { helpers } = context;
  // Before `onReady`: the reader of its message may send a signal or a request at once.
  const shutdown = context.untilShutdown();
  reloadOnRequest(name, context, async () => {
    const keyless = checkReload(context.config, { hasSync });
    await server.reload();
    await helpers.reload();
    return keyless;
  });
  onReady(server);
  helpers.startDelivery({ url: server.url, queue });
  if (hasSync) helpers.startSync();
  if (!server.hasUpkeep) {
    context.say("This database role cannot publish. Run 'brickmark upkeep' with one that can.");
  }
  if (server.metricsUrl) context.say(`Metrics are at ${server.metricsUrl}.`);
  await shutdown;
  context.say('Finishing open requests …');
  await Promise.all([server.stop(), helpers.stopWork()]);
}

/** Fails before the demo data is created if the port is in use. */
async function checkDemoPort(address: ServerAddress): Promise<void> {
  const { host: hostname, port } = address;
  const hint = `such as --port ${port + 1} (npm start -- --port ${port + 1})`;
  const probe = async () => Bun.listen({ hostname, port, socket: { data: () => {} } });
  (await startListening(address, probe, hint)).stop(true);
}

async function startListening<T>(
  address: ServerAddress,
  start: () => Promise<T>,
  hint = '',
): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as { code?: string };
    if (error instanceof CommandError || code?.startsWith('ERR_POSTGRES')) throw error;
    // Some systems report EADDRINUSE for a host that does not exist, even with port 0.
    if (code === 'EADDRINUSE' && address.port !== 0) {
      const other = hint === '' ? 'Choose another one with --port' : `Choose another one, ${hint}`;
      throw new CommandError(`Port ${address.port} is in use. ${other}.`);
    }
    if (code === 'EACCES') {
      throw new CommandError(`No permission to use port ${address.port}. Choose one above 1023.`);
    }
    throw new CommandError(
      `Cannot listen on ${address.host}, port ${address.port}. Use an address of this machine.`,
    );
  }
}

function greet(url: string, demo: DemoSignIn, context: Context): void {
  const { key, email, password } = demo;
  const header = `'Authorization: Bearer ${key}'`;
  const curl = `curl -H ${header} ${url}${apiPrefix}/set/${demo.setNumber}`;
  const moving = demo.isLive
    ? ['  The market advances one day every two minutes. See Retail prices and Operator.']
    : [];
  context.result(
    { url: `${url}${apiPrefix}`, key, email, password, curl },
    [
      '',
      `  Open ${url}/sign-in and sign in as ${email} with the password ${password}`,
      '',
      `  Or call the API with the key ${key}:`,
      `  ${curl}`,
      '',
      `  Docs: ${url}/docs   OpenAPI: ${url}/openapi.json`,
      ...moving,
      '  All data in this demo is made up. Press Ctrl-C to stop.',
      '',
    ].join('\n'),
  );
}
