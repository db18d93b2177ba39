/** Callers beside floods of pages, in short; `npm run bench -- --fair` measures it. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Flood, FloodLoop } from '../../bench/flood.ts';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { stock } from '../support/stocked.ts';

const seconds = 0.5;
let place: Workplace;
let key: string;
let server: Served;
/** How many calls are answered without a flood. */
let calm: number;

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
  calm = (await callInTurn()).answered;
});

afterAll(() => place.close());

/** Calls one after the other for a while: how many were answered, and the longest wait. */
async function callInTurn() {
  const end = performance.now() + seconds * 1000;
  let answered = 0;
  let longestMs = 0;
  while (performance.now() < end) {
    const start = performance.now();
    expect((await server.get('/set/1000', key)).status).toBe(200);
    answered++;
    longestMs = Math.max(longestMs, performance.now() - start);
  }
  return { answered, longestMs };
}

async function beside(loops: readonly FloodLoop[]) {
  const flood: Flood = { url: server.url, seconds: seconds + 1, loops };
  const script = join(import.meta.dir, '..', '..', 'bench', 'flood.ts');
  const child = Bun.spawn([process.execPath, script, JSON.stringify(flood)], {
    env: process.env,
    stdout: 'pipe',
  });
  await Bun.sleep(500);
  const called = await callInTurn();
  return { called, statuses: JSON.parse(await new Response(child.stdout).text()) };
}

/** On the loop that answers callers, each of these once left no or next to no answers. */
const floods: Readonly<Record<string, FloodLoop>> = {
  searches: { count: 32, path: '/search.json?q=a+a', isFresh: true },
  'pages over fresh connections': { count: 32, path: '/sign-in', isFresh: true },
  'pages over kept connections': { count: 32, path: '/themes', isFresh: false },
};

for (const [name, loop] of Object.entries(floods)) {
  test(`a flood of ${name} leaves callers a part of their calls, none of them late`, async () => {
    const { called, statuses } = await beside([loop]);
    // What else runs on the machine may take more of it away than the flood does.
    expect(called.answered).toBeGreaterThan(calm / 20);
    expect(called.longestMs).toBeLessThan(3_000);
    // The flood itself is answered, and not only refused.
    expect(statuses['200']).toBeGreaterThan(0);
  });
}
