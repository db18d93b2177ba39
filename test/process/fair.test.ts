/**
 * API calls during floods of page requests, in a short form; `npm run bench -- --fair` measures it.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Flood, FloodLoop } from '../../bench/flood.ts';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { stock } from '../support/stocked.ts';
import { until } from '../support/until.ts';

/** Sequential calls during a flood. */
const calls = 50;

/** Responses that a flood of 32 loops may get per call; with equal turns it would get 32. */
const answersPerCall = 16;

let place: Workplace;
let key: string;
let server: Served;

beforeAll(async () => {
  place = makeWorkplace();
  const sets = Array.from({ length: 3_000 }, (_, index) => ({
    kind: 'set',
    set_number: String(1000 + index),
    title: `A garage and a garden ${index}`,
    theme: 'Huts',
  }));
  const account = { email: 'a@example.com', plan: 'reseller', allowance: 1_000_000 } as const;
  [key = ''] = await stock(place, { accounts: [account], lines: sets });
  server = await place.serve();
  await fetch(`${server.url}/sign-in`);
});

afterAll(() => place.close());

/** Makes the calls during a flood; returns the flood's responses by status. */
async function callBeside(name: string, loop: FloodLoop): Promise<Record<string, number>> {
  const begunFile = join(place.folder, name);
  const flood: Flood = { url: server.url, seconds: 600, loops: [loop], begunFile };
  const script = join(import.meta.dir, '..', '..', 'bench', 'flood.ts');
  const child = Bun.spawn([process.execPath, script, JSON.stringify(flood)], {
    env: process.env,
    stdout: 'pipe',
  });
  // Waits until the flood gets successful responses, not only refusals.
  await until(() => existsSync(begunFile));
  for (let call = 0; call < calls; call++) {
    expect((await server.get('/set/1000', key)).status).toBe(200);
  }
  child.kill('SIGTERM');
  return JSON.parse(await new Response(child.stdout).text());
}

/** Each of these once starved API calls when pages shared their event loop. */
const floods: Readonly<Record<string, FloodLoop>> = {
  searches: { count: 32, path: '/search.json?q=a+a', isFresh: true },
  'pages over fresh connections': { count: 32, path: '/sign-in', isFresh: true },
  'pages over kept connections': { count: 32, path: '/themes', isFresh: false },
};

for (const [name, loop] of Object.entries(floods)) {
  test(`calls take precedence over a flood of ${name}`, async () => {
    const statuses = await callBeside(name, loop);
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    expect(answers).toBeLessThan(answersPerCall * calls);
  });
}
