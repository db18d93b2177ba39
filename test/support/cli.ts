/** A folder with a store, the operator's commands typed there, and servers started on it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiPrefix } from '../../src/contract/limits.ts';
import { databaseOf, isPostgres } from './engines.ts';
import { programCommand } from './program.ts';
import { type Ran, typeHere } from './typed.ts';

/** A folder for a store, and commands that work on it. */
export interface Workplace {
  readonly folder: string;
  /** The folder of the store. */
  readonly data: string;
  /** What a command finds in its environment. */
  env(now?: string): Promise<Record<string, string | undefined>>;
  /** Types a command into this process. */
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Types a command into a process of its own, for what only a process can show. */
  start(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Types a command into this process with `--json`; the answer, or a failure. */
  json<T>(words: readonly string[], options?: RunOptions): Promise<T>;
  serve(options?: ServeOptions): Promise<Served>;
  close(): Promise<void>;
}

/** What a command is given besides its words. */
export interface RunOptions {
  readonly stdin?: string | Uint8Array<ArrayBuffer>;
  readonly now?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** How a server is started. */
export interface ServeOptions {
  readonly now?: string;
  /** How many files and connections it may have open; otherwise as many as we may. */
  readonly descriptorsMax?: number;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A server in its own process. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  /** What it has written to standard error so far. */
  errors(): string;
  get(path: string, key: string): Promise<Response>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>;
}

/** The instant at which commands run unless a test says otherwise. */
export const commandNow = '2026-11-15T12:00:00Z';

/** Makes a workplace in a temporary folder. */
export function makeWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-cli-'));
  const data = join(folder, 'data');
  // A database lasts as long as the folder that it stands for.
  if (isPostgres) mkdirSync(data);
  const running: Served[] = [];
  const env = async (now = commandNow) => ({
    ...process.env,
    ...(await storeOf(data)),
    BRICKMARK_NOW: now,
  });
  const environment = async ({ now, env: more }: RunOptions) => ({ ...(await env(now)), ...more });
  const run = async (words: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    typeHere(words, { folder, environment: await environment(options), stdin: options.stdin });
  const start = async (words: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    const child = Bun.spawn([...(await programCommand()), ...words], {
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
      const limited = descriptorsMax === undefined ? [] : withDescriptors(descriptorsMax);
      const command = [...limited, ...(await programCommand()), 'serve', '--port', '0', ...flags];
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

/** The setting that leads to a store: the database of the folder, or the folder itself. */
async function storeOf(data: string): Promise<Record<string, string>> {
  const url = await databaseOf(data);
  return url === null ? { BRICKMARK_DATA: data } : { BRICKMARK_DATABASE_URL: url };
}

/** Starts the command that follows with a limit of its own. */
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

/** The address from the server's first line, and everything that follows it. */
async function readErrors(stderr: ReadableStream<Uint8Array>) {
  let text = '';
  const decoder = new TextDecoder();
  const found = Promise.withResolvers<string>();
  let url: string | undefined;
  const read = async () => {
    for await (const chunk of stderr) {
      text += decoder.decode(chunk, { stream: true });
      // A server under load may write a lot, which is not searched again and again.
      url ??= /serves (http:\/\/\S+?)\/api\/v1/.exec(text)?.[1];
      if (url) found.resolve(url);
    }
    found.reject(new Error(`The server did not start: ${text}`));
  };
  const ended = read();
  return { url: await found.promise, errors: () => text, ended };
}
