/** Runs the operator's commands as a person would: the launcher, in a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiPrefix } from '../../src/contract/limits.ts';

const launcher = join(import.meta.dir, '..', '..', 'bin', 'brickmark');

/** What a command left behind. */
export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder for a store, and commands that work on it. */
export interface Workplace {
  readonly folder: string;
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Runs with `--json` and reads the answer; throws when the command failed. */
  json<T>(words: readonly string[], options?: RunOptions): Promise<T>;
  serve(options?: { readonly now?: string }): Promise<Served>;
  close(): Promise<void>;
}

/** What a command is given besides its words. */
export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly now?: string;
}

/** A server in its own process. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  get(path: string, key: string): Promise<Response>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>;
}

/** The instant at which commands run unless a test says otherwise. */
export const commandNow = '2026-11-15T12:00:00Z';

/** Makes a workplace in a temporary folder. */
export function makeWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-cli-'));
  const data = join(folder, 'data');
  const running: Served[] = [];
  const env = (now = commandNow) => ({ ...process.env, BRICKMARK_DATA: data, BRICKMARK_NOW: now });
  const run = async (words: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    const child = Bun.spawn([launcher, ...words], {
      cwd: folder,
      env: env(options.now),
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
    run,
    json: async (words, options) => {
      const ran = await run([...words, '--json'], options);
      if (ran.status !== 0) throw new Error(`${words.join(' ')}: ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    serve: async (options = {}) => {
      const served = await startServing(folder, env(options.now));
      running.push(served);
      return served;
    },
    close: async () => {
      for (const served of running) await served.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startServing(cwd: string, env: Record<string, string | undefined>): Promise<Served> {
  const child = Bun.spawn([launcher, 'serve', '--port', '0'], { cwd, env, stderr: 'pipe' });
  const url = await readAddress(child.stderr);
  return {
    url,
    pid: child.pid,
    get: (path, key) =>
      fetch(`${url}${apiPrefix}${path}`, { headers: { Authorization: `Bearer ${key}` } }),
    kill: async (signal) => {
      child.kill(signal);
      return child.exited;
    },
  };
}

/** The address from the server's first line. */
async function readAddress(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stderr.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The server did not start: ${text}`);
    text += new TextDecoder().decode(value);
    const url = /serves (http:\/\/\S+?)\/api\/v1/.exec(text)?.[1];
    if (url) {
      reader.releaseLock();
      return url;
    }
  }
}
