/** `serve` and `demo`: the running service. */
import { portBounds, workerBounds } from '../config.ts';
import { apiPrefix } from '../contract/limits.ts';
import type { Store } from '../domain/store.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  type Context,
  flagInteger,
  flagText,
  type RunningServer,
  type ServerAddress,
  takeWords,
  UsageError,
} from './command.ts';
import { deliverAsHelper, startDeliveryProcess } from './delivery-process.ts';
import {
  clearUnfinishedDemo,
  type DemoSignIn,
  demoSecretFile,
  explainEarlierDemo,
  findDemoFolder,
  makeDemoSecret,
  prepareDemo,
} from './demo.ts';
import { serveLiveDemo } from './demo-live.ts';
import { noSyncFlag, startSyncProcess } from './sync-process.ts';
import { withStore } from './with-store.ts';
import { workerAddress } from './workers.ts';

const portDefault = 8080;
const hostDefault = '127.0.0.1';

/** All commands that serve. */
export const serveCommands: readonly Command[] = [
  {
    name: 'demo',
    operands: '',
    summary: 'Run a demo with a made-up market, an account and an API key',
    flags: {
      port: { help: `Port to listen on (default ${portDefault})`, value: 'PORT' },
      live: { help: 'Advance the market one day every two minutes, through simulated sources' },
    },
    findFolder: findDemoFolder,
    findSecretFile: demoSecretFile,
    run: async (args, context) => {
      takeWords(args, []);
      const port = flagInteger(args, 'port', portBounds) ?? portDefault;
      const address = { host: hostDefault, port, metrics: metricsAddress(args, context) };
      await checkDemoPort(address);
      makeDemoSecret(context);
      if (args.flags.live) {
        return serveLiveDemo(context, (store, demo) =>
          serve(store, context, address, {
            onReady: ({ url }) => greet(url, demo, context),
            startBeside: (server) => startBeside(server, context, { store, hasSync: true }),
          }),
        );
      }
      clearUnfinishedDemo(context.config);
      const demo = await withStore(context, (store) => prepareDemo(store, context)).catch((error) =>
        explainEarlierDemo(context.config, error),
      );
      await withStore(
        context,
        (store) =>
          serve(store, context, address, {
            onReady: ({ url }) => greet(url, demo, context),
            startBeside: (server) => startBeside(server, context, { store, hasSync: false }),
          }),
        { isServing: true },
      );
    },
  },
  {
    name: 'serve',
    operands: '',
    summary: 'Serve the API and web app, and keep published data current',
    flags: {
      port: { help: `Port to listen on (default ${portDefault})`, value: 'PORT' },
      host: { help: `Address to listen on (default ${hostDefault})`, value: 'HOST' },
      'metrics-port': { help: 'Port for metrics (default: off)', value: 'PORT' },
      workers: { help: 'Number of server processes; more than 1 needs PostgreSQL', value: 'N' },
      'no-sync': noSyncFlag,
    },
    run: async (args, context) => {
      takeWords(args, []);
      const { helper } = context.config;
      if (helper?.kind === 'learning') return learnAsHelper(context);
      if (helper?.kind === 'delivery') return deliverAsHelper(context);
      if (helper) return serveAsHelper(context);
      const address = readAddress(args, context);
      const workers = readWorkers(args, address, context);
      const { worker } = context.config;
      if (worker !== null) await serveAsWorker(context, workerAddress(address, worker));
      else if (workers > 1) await serveWithWorkers(context, address, workers);
      else {
        // With PostgreSQL it is asked by `upkeep`, whose role may import.
        const isEmbedded = context.config.databaseUrl === null;
        const hasSync = isEmbedded && !args.flags['no-sync'];
        await withStore(
          context,
          (store) =>
            serve(store, context, address, {
              onReady: greeting(context),
              startBeside: (server) => startBeside(server, context, { store, hasSync }),
            }),
          { isServing: true },
        );
      }
    },
  },
];

function greeting(context: Context, workers = 1): (server: RunningServer) => void {
  const by = workers === 1 ? '' : ` with ${workers} workers`;
  return ({ url }) =>
    context.say(`Brickmark serves ${url}${apiPrefix}${by}. Press Ctrl-C to stop.`);
}

function readWorkers(args: Arguments, address: ServerAddress, { config }: Context): number {
  const workers = flagInteger(args, 'workers', workerBounds) ?? 1;
  if (workers === 1) return workers;
  if (config.databaseUrl === null) {
    throw new UsageError('--workers above 1 needs PostgreSQL. The embedded store runs with one.');
  }
  if (address.port === 0) throw new UsageError('--workers above 1 needs a --port other than 0.');
  return workers;
}

async function serveWithWorkers(
  context: Context,
  address: ServerAddress,
  workers: number,
): Promise<void> {
  const server = await startListening(address, () => context.startWorkers(workers, address));
  await untilEnd(server, context, {
    onReady: greeting(context, workers),
    startBeside: ({ url }) => startDeliveryProcess(context, { url, queue: null }),
  });
}

/** One process among several: it reports to the one that started it, not to the operator. */
async function serveAsWorker(context: Context, address: ServerAddress): Promise<void> {
  await withStore(
    context,
    async (store) => {
      const server = await startListening(address, () => context.startServer(store, address));
      const { url, metricsUrl, hasUpkeep } = server;
      const shutdown = context.untilShutdown();
      process.send?.({ url, metricsUrl, hasUpkeep });
      await shutdown;
      await server.stop();
      // What ties it to the process that started it would keep it from ending.
      process.disconnect?.();
    },
    { isServing: true },
  );
}

/**
 * A process beside a server, which ends with it and not before. Signals that end both at once, such
 * as Ctrl-C in a terminal, are the server's business: it may still need this one.
 */
async function serveAsHelper(context: Context): Promise<void> {
  await withStore(
    context,
    async (store) => {
      leaveSignals();
      const helper = context.startHelper(store);
      const released = new Promise<void>((resolve) => process.once('disconnect', resolve));
      process.send?.('ready');
      await released;
      await helper.stop();
    },
    { isServing: true },
  );
}

/** A process beside a server that learns and then ends, or ends at once when the server does. */
async function learnAsHelper(context: Context): Promise<void> {
  leaveSignals();
  const abandon = () => process.exit(1);
  process.once('disconnect', abandon);
  await withStore(context, (store) => context.makePublisher(store).learn(), { isServing: true });
  process.off('disconnect', abandon);
  // What ties it to the process that started it would keep it from ending.
  process.disconnect?.();
}

function leaveSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
}

function readAddress(args: Arguments, context: Context): ServerAddress {
  return {
    port: flagInteger(args, 'port', portBounds) ?? portDefault,
    host: flagText(args, 'host') ?? hostDefault,
    metrics: metricsAddress(args, context),
  };
}

/** Where metrics are to be shown: by the flag, else by the setting. */
export function metricsAddress(args: Arguments, { config }: Context): ServerAddress['metrics'] {
  const port = flagInteger(args, 'metrics-port', portBounds) ?? config.metrics.port;
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

/** What is done once a server listens. */
interface ServeOptions {
  onReady(server: RunningServer): void;
  /** Starts what runs beside it until it ends; the result ends it. */
  startBeside(server: RunningServer): () => Promise<void>;
}

/** The processes beside a server that are kept running; the result ends them. */
function startBeside(
  { url }: RunningServer,
  context: Context,
  { store, hasSync }: { readonly store: Store; readonly hasSync: boolean },
): () => Promise<void> {
  const stopDelivery = startDeliveryProcess(context, { url, queue: store.accounts });
  const stopSync = hasSync ? startSyncProcess(context) : null;
  return async () => {
    await Promise.all([stopDelivery(), stopSync?.()]);
  };
}

async function untilEnd(
  server: RunningServer,
  context: Context,
  { onReady, startBeside }: ServeOptions,
): Promise<void> {
  // Whoever reads that it is ready may end it at once.
  const shutdown = context.untilShutdown();
  onReady(server);
  const stopBeside = startBeside(server);
  if (!server.hasUpkeep) {
    context.say("This database role cannot publish. Run 'brickmark upkeep' with one that can.");
  }
  if (server.metricsUrl) context.say(`Metrics are at ${server.metricsUrl}.`);
  await shutdown;
  context.say('Finishing open requests …');
  await Promise.all([server.stop(), stopBeside()]);
}

/** Finds out whether the port is free before a world is made for it. */
async function checkDemoPort(address: ServerAddress): Promise<void> {
  const { host: hostname, port } = address;
  const hint = `such as --port ${port + 1} (npm start -- --port ${port + 1})`;
  const probe = async () => Bun.listen({ hostname, port, socket: { data: () => {} } });
  (await startListening(address, probe, hint)).stop(true);
}

/** Starts something that listens; what prevents it is explained in a sentence. */
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
    // Some systems report this for a host that does not exist, even with port 0, "any free port".
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
