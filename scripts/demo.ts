/** The demo for examples in the docs: the real command at a fixed date, called over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { History } from '../src/contract/history.ts';

/** The date of README's response. */
export const demoNow = '2026-11-15T12:00:00Z';

interface DemoOptions {
  /** Copies an existing demo into the folder. */
  fill?(folder: string): Promise<void>;
  /** The command that starts the program; by default the launcher. */
  readonly program?: readonly string[];
  /** More settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A demo in a child process. */
export interface Demo {
  readonly origin: string;
  readonly folder: string;
  readonly email: string;
  readonly password: string;
  readonly setNumber: string;
  /** README's first response, with varying values replaced. */
  firstAnswer(): Promise<unknown>;
  history(): Promise<History>;
  ask(method: string, path: string): Promise<unknown>;
  /** Environment variables with its address and key. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command in a shell with `env`; returns its output. */
  type(line: string): Promise<string>;
  stop(): Promise<void>;
}

const launcher = join(import.meta.dir, '..', 'bin', 'brickmark');

/** Starts the demo in a temporary folder. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const { fill, program = [launcher], settings } = options;
  // The demo writes its secret next to its data.
  const place = mkdtempSync(join(tmpdir(), 'brickmark-demo-'));
  const folder = join(place, 'data');
  await fill?.(folder);
  const child = Bun.spawn([...program, 'demo', '--port', '0', '--json', '--data', folder], {
    env: { ...process.env, BRICKMARK_NOW: demoNow, ...settings },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const reader = child.stdout.getReader();
  let printed = '';
  while (!printed.includes('\n')) {
    const { done, value } = await reader.read();
    if (done) throw new Error('The demo did not start.');
    printed += new TextDecoder().decode(value);
  }
  const { url, key, curl, email, password } = JSON.parse(printed) as Record<
    'url' | 'key' | 'curl' | 'email' | 'password',
    string
  >;
  const setNumber = curl.slice(curl.lastIndexOf('/') + 1);
  const origin = new URL(url).origin;
  const ask = async (method: string, path: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(`${origin}${path}`, { method, headers })).json();
  };
  const env = { BRICKMARK_URL: origin, BRICKMARK_KEY: key };
  const type = (line: string) => {
    const shell = Bun.spawn(['sh', '-c', line], {
      env: { ...process.env, ...env },
      stdout: 'pipe',
      stderr: 'ignore',
    });
    return new Response(shell.stdout).text();
  };
  const get = (path: string) => ask('GET', `${new URL(url).pathname}${path}`);
  return {
    origin,
    folder,
    email,
    password,
    setNumber,
    firstAnswer: async () => settled(await get(`/set/${setNumber}`)),
    history: async () => ((await get(`/set/${setNumber}/history`)) as { data: History }).data,
    ask,
    env,
    type,
    stop: async () => {
      child.kill('SIGTERM');
      await child.exited;
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Replaces the request ID and times, which vary between runs. */
export function settled(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replace(/"request_id":"[^"]+"/, '"request_id":"5f6d3c1e-8a52-4f0e-9d55-3f1f6d1c2a77"')
    .replaceAll(
      /"(calculated_at|created_at|last_checked_at)":"[^"]+"/g,
      `"$1":"${demoNow.replace('Z', '.000Z')}"`,
    );
  return JSON.parse(text);
}
