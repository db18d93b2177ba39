/** The demo as the docs show it: the real command on a fixed day, asked over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { History } from '../src/contract/history.ts';

/** The day on which README's answer was given. */
export const demoNow = '2026-11-15T12:00:00Z';

/** A demo in a process of its own. */
export interface Demo {
  readonly setNumber: string;
  /** The first answer that README shows, with what differs each time made the same. */
  firstAnswer(): Promise<unknown>;
  history(): Promise<History>;
  /** Asks for a path of the server. */
  ask(method: string, path: string): Promise<unknown>;
  /** Where it is and its key, as the environment of those who try the docs. */
  readonly env: Readonly<Record<string, string>>;
  /** Types a line into a shell that knows where the demo is; what it prints. */
  type(line: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the demo in a temporary folder, into which `fill` may put one that was made before. */
export async function startDemo(fill?: (folder: string) => Promise<void>): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-demo-'));
  await fill?.(folder);
  const launcher = join(import.meta.dir, '..', 'bin', 'brickmark');
  const child = Bun.spawn([launcher, 'demo', '--port', '0', '--json', '--data', folder], {
    env: { ...process.env, BRICKMARK_NOW: demoNow },
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
  const { url, key, curl } = JSON.parse(printed) as { url: string; key: string; curl: string };
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
    setNumber,
    firstAnswer: async () => settled(await get(`/set/${setNumber}`)),
    history: async () => ((await get(`/set/${setNumber}/history`)) as { data: History }).data,
    ask,
    env,
    type,
    stop: async () => {
      child.kill('SIGTERM');
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The answer with the request id and the seconds since the start made the same every time. */
export function settled(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replace(/"request_id":"[^"]+"/, '"request_id":"5f6d3c1e-8a52-4f0e-9d55-3f1f6d1c2a77"')
    .replaceAll(/"(calculated_at|created_at)":"[^"]+"/g, `"$1":"${demoNow.replace('Z', '.000Z')}"`);
  return JSON.parse(text);
}
