/** The demo command: ready with a key, the same at every start, and made again when interrupted. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { launcher } from '../support/program.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

/** Starts the demo, reads what it prints, and ends it. */
async function startDemo(): Promise<{ key: string; curl: string; status: number }> {
  const child = Bun.spawn([launcher, 'demo', '--port', '0', '--json'], {
    env: { ...process.env, BRICKMARK_DATA: join(place.folder, 'data') },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const printed = JSON.parse(new TextDecoder().decode(value)) as { key: string; curl: string };
  const [, url = ''] = /(http\S+)$/.exec(printed.curl) ?? [];
  const response = await fetch(url, { headers: { Authorization: `Bearer ${printed.key}` } });
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  return { ...printed, status: response.status };
}

test('an interrupted demo is made again; a finished one keeps its key', async () => {
  const data = join(place.folder, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'demo-unfinished'), '');
  writeFileSync(join(data, 'market.db'), 'half of something');
  const first = await startDemo();
  expect(first.status).toBe(200);
  expect(existsSync(join(data, 'demo-unfinished'))).toBe(false);
  const second = await startDemo();
  expect([second.status, second.key]).toEqual([200, first.key]);
});

test('a store that is not a demo is left alone', async () => {
  const other = join(place.folder, 'other');
  await place.json(['account', 'add', 'a@example.com', '--data', other]);
  const { status, stderr } = await place.start(['demo', '--port', '0', '--data', other]);
  expect(status).toBe(1);
  expect(stderr).toContain('is not a demo');
});
