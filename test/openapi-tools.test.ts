/**
 * The OpenAPI documents with other tools: linters find nothing, and clients of two generators
 * compile strictly and call every endpoint. The tools have their own lock file (`npm ci --prefix
 * openapi-tools`); without them this is skipped.
 */
// @runs SQLite (rest): needs tools that are installed separately
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { allEndpoints } from '../src/contract/all-endpoints.ts';
import { smallCollection, smallMarket } from './support/market.ts';
import { startWorld, type World } from './support/world.ts';

const folder = resolve(import.meta.dir, '..', 'openapi-tools');
const documents = ['../docs/openapi.json', '../docs/plus-openapi.json'];

/** The project's compiler, which is four times as fast as the one that the tools need. */
const compiler = '../../../node_modules/.bin/tsc';

/** Runs a tool in its folder; returns its output if it fails. */
async function run(tool: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn([join(folder, 'node_modules', '.bin', tool), ...words], {
    cwd: folder,
    // Without telemetry and update checks.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  return (await child.exited) === 0 ? '' : `${tool} failed: ${out}${err}`;
}

const textOf = (stream: ReadableStream) => new Response(stream).text();

/** The exports of a generator's program. */
interface Program {
  callsOf(target: object): Readonly<Record<string, () => Promise<unknown>>>;
}

function tryTools(): void {
  let world: World;
  let target: object;

  beforeAll(async () => {
    world = await startWorld();
    await world.load(smallMarket);
    await world.addAccount('tools@example.com');
    await world.load(smallCollection('tools@example.com'));
    await world.makeBulkFiles();
    const key = await world.addKey('tools@example.com', { allowance: 1_000 });
    target = { url: world.url, key, set: '75192', minifig: 'cas001' };
  });

  afterAll(() => world.close());

  /** The responses of all calls of a program, by operation. */
  async function callAll(program: string): Promise<Record<string, unknown>> {
    const { callsOf } = (await import(join(folder, program))) as Program;
    const answers: Record<string, unknown> = {};
    for (const [name, call] of Object.entries(callsOf(target))) answers[name] = await call();
    return answers;
  }

  test('Redocly finds nothing in either document', async () => {
    expect(await run('redocly', 'lint')).toBe('');
  });

  test('Spectral with the OWASP rules finds nothing in either document', async () => {
    const words = ['--ruleset', 'spectral.mjs', '--fail-severity', 'hint'];
    expect(await run('spectral', 'lint', ...documents, ...words)).toBe('');
  });

  test('generated clients compile strictly, and call every endpoint', async () => {
    expect(await Promise.all([run('openapi-typescript'), run('openapi-ts')])).toEqual(['', '']);
    expect(await run(compiler, '--project', '.')).toBe('');
    const answers = await callAll('openapi-fetch.ts');
    expect(Object.keys(answers)).toEqual(Object.keys(allEndpoints));
    expect(answers).toMatchObject({
      getSet: ['75192 Grand Castle', 176.4, 'retailer_a', '1'],
      getBatch: [['Grand Castle', '404404'], 2],
      listRetailWatch: [120],
      listSales: 'ebay',
      streamEvents: true,
    });
    expect(await callAll('hey-api.ts')).toEqual(answers);
  });
}

if (existsSync(join(folder, 'node_modules'))) describe('the OpenAPI documents', tryTools);
else {
  test.skipIf(process.env.BRICKMARK_TEST_OPENAPI !== 'required')(
    'NOT RUN, since openapi-tools/node_modules is missing: linters and generated clients',
    () => {
      throw new Error("They are required here: run 'npm ci --prefix openapi-tools'.");
    },
  );
}
