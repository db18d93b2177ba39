/** Programs that use the client as an installed package, with Node and the compiler. */
import { expect } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const tsc = join(import.meta.dir, '..', '..', 'node_modules', '.bin', 'tsc');

/** The programs by file name, with import and require; `client` is what they import. */
const programs = (client: string): Readonly<Record<string, string>> => ({
  'client.mjs': `import { Brickmark, BrickmarkError } from '${client}';
    const [url, key] = process.argv.slice(2);
    const brickmark = new Brickmark({ url, key });
    const { themes } = await brickmark.listThemes();
    const missing = await brickmark.getSet('nothing').catch((error) => error);
    const stop = new AbortController();
    const stream = brickmark.plus.streamEvents({}, { signal: stop.signal });
    const ended = stream[Symbol.asyncIterator]().next().catch((error) => error.name);
    while (stream.position === null) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    const isKnown = missing instanceof BrickmarkError;
    console.log(themes.length > 0, isKnown, missing.code, missing.name, await ended);`,
  'client.cjs': `const { Brickmark } = require('${client}');
    const [url, key] = process.argv.slice(2);
    const brickmark = new Brickmark({ url, key });
    const usage = brickmark.plus.getUsage();
    usage.then(({ limit }) => console.log(limit === brickmark.budget.limit));`,
  'client.mts': `import { Brickmark, type Set } from '${client}';
    const brickmark = new Brickmark({ url: 'https://brickmark.example.com', key: 'bmk_0' });
    const set: Set = await brickmark.getSet('75192');
    // @ts-expect-error: The value may be null.
    set.new_value_usd.toFixed();
    // @ts-expect-error: Test-only options are not public.
    new Brickmark({ url: '', key: '' }, { random: () => 1 });
    for await (const deal of brickmark.plus.all.listDeals({ min_tier: 'high' })) deal.roi_pct;`,
  'client.cts': `import { Brickmark, BrickmarkError, type Budget } from '${client}';
    export const budget: Budget | null = new Brickmark({ url: '', key: '' }).budget;
    export const isOurs = (error: unknown) => error instanceof BrickmarkError;`,
});

/** Writes the programs into a folder where the client is installed. */
export function writeClientPrograms(folder: string, client: string): void {
  for (const [name, text] of Object.entries(programs(client)))
    writeFileSync(join(folder, name), text);
}

/** Runs the programs with Node. */
export async function expectClientWorks(
  folder: string,
  server: { readonly url: string; readonly key: string },
): Promise<void> {
  const { origin } = new URL(server.url);
  const imported = await runIn(folder, ['node', 'client.mjs', origin, server.key]);
  const stdout = 'true true NotFound BrickmarkError AbortError\n';
  expect(imported).toEqual({ stdout, stderr: '', status: 0 });
  const required = await runIn(folder, ['node', 'client.cjs', origin, server.key]);
  expect(required).toEqual({ stdout: 'true\n', stderr: '', status: 0 });
}

/** Ways in which programs find types. */
export const typeSettings = [
  '--module node16 client.mts client.cts',
  '--module esnext --moduleResolution bundler client.mts',
];

export async function expectTypes(folder: string, settings: string): Promise<void> {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
  const words = ['--ignoreConfig', '--noEmit', ...strict, ...settings.split(' ')];
  expect(await runIn(folder, [tsc, ...words])).toEqual({ stdout: '', stderr: '', status: 0 });
}

export async function runIn(
  cwd: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, status };
}
