/** A folder with a store for CLI tests: runs the operator's commands and starts servers. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiPrefix } from '../../src/contract/limits.ts';
import { databaseOf, isPostgres } from './engines.ts';
import { programCommand } from './program.ts';
import { type Ran, typeHere } from './typed.ts';
import { until } from './until.ts';

export interface Workplace {
  readonly folder: string;
  readonly data: string;
  /** The environment that commands run in. */
  env(now?: string): Promise<Record<string, string | undefined>>;
  /** Runs a command in this process. */
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Runs a command in a child process. */
  start(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Runs a command with `--json` in this process; throws if it fails. */
  json<T>(words: readonly string[], options?: RunOptions): Promise<T>;
  serve(options?: ServeOptions): Promise<Served>;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array<ArrayBuffer>;
  /** Whether a person types the input on a terminal; only for `run`. */
  readonly isTyped?: boolean;
  readonly now?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Starts another program; only for `start`. */
  readonly program?: readonly string[];
}

export interface ServeOptions {
  readonly now?: string;
  /** Limit of open files and connections; default: the limit of this process. */
  readonly descriptorsMax?: number;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Starts another program. */
  readonly program?: readonly string[] | undefined;
}

/** A server in a child process. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  errors(): string;
  get(path: string, key: string): Promise<Response>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>;
}

/** The default time at which commands run. */
export const commandNow = '2026-11-15T12:00:00Z';

/** Waits until a server is warm and can count calls. */
export function untilReady({ url }: Pick<Served, 'url'>): Promise<void> {
  return until(async () => (await fetch(`${url}/readyz`)).ok, `${url} to be ready`);
}

/** Creates a workplace in a temporary folder. */
export function makeWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-cli-'));
  const data = join(folder, 'data');
  // PostgreSQL databases are dropped when the folder that they belong to is removed.
  if (isPostgres) mkdirSync(data);
  const running: Served[] = [];
  const env = async (now = commandNow) => ({
    ...process.env,
    ...(await storeOf(data)),
    BRICKMARK_NOW: now,
  });
  const environment = async ({ now, env: more }: RunOptions) => ({ ...(await env(now)), ...more });
  const run = async (words: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    typeHere(words, {
      folder,
      environment: await environment(options),
      stdin: options.stdin,
      isTyped: options.isTyped,
    });
  const start = async (words: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    const child = Bun.spawn([...(options.program ?? (await programCommand())), ...words], {
      cwd: folder,
      env: await environment(options),
      stdin: new Blob([options.stdin ?? '']),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { status, stdout, stderr };
  };
  return {
    folder,
    data,
    env,
    run,
    start,
    json: async (words, options) => {
      const ran = await run([...words, '--json'], options);
      if (ran.status !== 0) throw new Error(`${words.join(' ')}: ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    serve: async (options = {}) => {
      const { now, flags = [], env: more, descriptorsMax } = options;
      const program = options.program ?? (await programCommand());
      const limited = descriptorsMax === undefined ? [] : withDescriptors(descriptorsMax);
      const command = [...limited, ...program, 'serve', '--port', '0', ...flags];
      const served = await startServing(folder, command, { ...(await env(now)), ...more });
      running.push(served);
      return served;
    },
    close: async () => {
      for (const served of running) await served.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The setting that selects the store. */
async function storeOf(data: string): Promise<Record<string, string>> {
  const url = await databaseOf(data);
  return url === null ? { BRICKMARK_DATA: data } : { BRICKMARK_DATABASE_URL: url };
}

/** Runs the command that follows with a limit of open descriptors. */
function withDescriptors(count: number): string[] {
  return ['sh', '-c', 'ulimit -n "$0" && exec "$@"', String(count)];
}

async function startServing(
  cwd: string,
  command: readonly string[],
  env: Record<string, string | undefined>,
): Promise<Served> {
  const child = Bun.spawn([...command], { cwd, env, stderr: 'pipe' });
  const { url, errors, ended } = await readErrors(child.stderr);
  return {
    url,
    pid: child.pid,
    errors,
    get: (path, key) =>
      fetch(`${url}${apiPrefix}${path}`, { headers: { Authorization: `Bearer ${key}` } }),
    kill: async (signal) => {
      child.kill(signal);
      const status = await child.exited;
      await ended;
      return status;
    },
  };
}

/** Reads the address from the server's start message, and collects standard error. */
async function readErrors(stderr: ReadableStream<Uint8Array>) {
  let text = '';
  const decoder = new TextDecoder();
  const found = Promise.withResolvers<string>();
  let url: string | undefined;
  const read = async () => {
    for await (const chunk of stderr) {
      text += decoder.decode(chunk, { stream: true });
      // Not searched again once found: a server under load may log a lot.
      url ??= /serves (http:\/\/\S+?)\/api\/v1/.exec(text)?.[1];
      if (url) found.resolve(url);
    }
    found.reject(new Error(`The server did not start: ${text}`));
  };
  const ended = read();
  return { url: await found.promise, errors: () => text, ended };
}
