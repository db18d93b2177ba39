/** `serve` and `demo`: the running service. */
import { portBounds } from '../config.ts';
import { apiPrefix } from '../contract/limits.ts';
import type { Store } from '../domain/store.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  type Context,
  flagText,
  flagWhole,
  type ServerPlace,
  takeWords,
  UsageError,
} from './command.ts';
import { clearUnfinishedDemo, type DemoSignIn, prepareDemo } from './demo.ts';
import { withStore } from './with-store.ts';

const portDefault = 8080;
const hostDefault = '127.0.0.1';
const workers = { min: 1, max: 256 };

/** All commands that serve. */
export const serveCommands: readonly Command[] = [
  {
    name: 'demo',
    operands: '',
    summary: 'makes a demo market if the store is empty, and serves it with a ready key',
    flags: { port: { help: `where to listen (default ${portDefault})`, value: 'PORT' } },
    run: async (args, context) => {
      takeWords(args, []);
      const port = flagWhole(args, 'port', portBounds) ?? portDefault;
      clearUnfinishedDemo(context.config.dataFolder);
      const demo = await withStore(context, (store) => prepareDemo(store, context));
      const place = { host: hostDefault, port, metrics: metricsPlace(args, context) };
      const greetVisitor = (url: string) => greet(url, demo, context);
      await withStore(context, (store) => serve(store, context, place, greetVisitor), {
        isServing: true,
      });
    },
  },
  {
    name: 'serve',
    operands: '',
    summary: 'serves the API and keeps documents current; GET /readyz answers 200 once ready',
    flags: {
      port: { help: `where to listen (default ${portDefault})`, value: 'PORT' },
      host: { help: `the address to listen on (default ${hostDefault})`, value: 'HOST' },
      'metrics-port': { help: 'where to show metrics (default: nowhere)', value: 'PORT' },
      workers: { help: 'processes that share the port; more than 1 needs PostgreSQL', value: 'N' },
    },
    run: async (args, context) => {
      takeWords(args, []);
      const place = readPlace(args, context);
      const greetOperator = (url: string) =>
        context.say(`Brickmark serves ${url}${apiPrefix} (end it with Ctrl-C).`);
      await withStore(context, (store) => serve(store, context, place, greetOperator), {
        isServing: true,
      });
    },
  },
];

function readPlace(args: Arguments, context: Context): ServerPlace {
  if ((flagWhole(args, 'workers', workers) ?? 1) > 1) {
    throw new UsageError('--workers above 1 needs PostgreSQL; the embedded store serves with one.');
  }
  return {
    port: flagWhole(args, 'port', portBounds) ?? portDefault,
    host: flagText(args, 'host') ?? hostDefault,
    metrics: metricsPlace(args, context),
  };
}

function metricsPlace(args: Arguments, { config }: Context): ServerPlace['metrics'] {
  const port = flagWhole(args, 'metrics-port', portBounds) ?? config.metrics.port;
  return port === null ? null : { host: config.metrics.host, port };
}

async function serve(
  store: Store,
  context: Context,
  place: ServerPlace,
  onReady: (url: string) => void,
): Promise<void> {
  const server = start(store, context, place);
  onReady(server.url);
  if (server.metricsUrl) context.say(`Metrics are at ${server.metricsUrl}.`);
  await context.untilAskedToEnd();
  context.say('Answering what is in flight …');
  await server.stop();
}

function start(store: Store, context: Context, place: ServerPlace) {
  try {
    return context.startServer(store, place);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new CommandError(`Port ${place.port} is in use; choose another one with --port.`);
    }
    if (code === 'EACCES') {
      throw new CommandError(`Port ${place.port} needs more rights; choose one above 1023.`);
    }
    throw new CommandError(
      `Cannot listen on ${place.host}, port ${place.port}: is it an address of this machine?`,
    );
  }
}

function greet(url: string, demo: DemoSignIn, context: Context): void {
  const header = `'Authorization: Bearer ${demo.key}'`;
  const curl = `curl -H ${header} ${url}${apiPrefix}/set/${demo.setNumber}`;
  context.result(
    { url: `${url}${apiPrefix}`, key: demo.key, email: demo.email, password: demo.password, curl },
    [
      '',
      `  The Brickmark demo is running. Everything in it is made up.`,
      '',
      `  API      ${url}${apiPrefix}`,
      `  OpenAPI  ${url}/openapi.json`,
      `  Key      ${demo.key}`,
      `  Account  ${demo.email}, password ${demo.password}`,
      '',
      '  Try it:',
      '',
      `  ${curl}`,
      '',
      '  End it with Ctrl-C.',
      '',
    ].join('\n'),
  );
}
