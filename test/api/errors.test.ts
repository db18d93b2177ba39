/** Every error of the table: as the API sends it, and what clients and AI apps make of it. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Brickmark, type BrickmarkError } from '../../clients/typescript/src/index.ts';
import { platform } from '../../clients/typescript/src/pause.ts';
import { scopeBits } from '../../src/accounts/keys/scopes.ts';
import { mayUseAlerts } from '../../src/accounts/sign-in/attempt-limits.work.ts';
import { allErrors, type ErrorCode, rulesOf } from '../../src/contract/errors.ts';
import { keyStreamsMax, plusPrefix } from '../../src/contract/limits.ts';
import { openApiDocument, plusOpenApiDocument } from '../../src/contract/openapi.ts';
import { compileTool } from '../../src/mcp/call.ts';
import { valueHistory } from '../../src/mcp/tools/value-history.ts';
import { ownList } from '../support/own-things.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
const streams: Response[] = [];

beforeAll(async () => {
  world = await startWorld();
});

afterAll(async () => {
  for (const { body } of streams) await body?.cancel();
  await world.close();
});

const codes = Object.keys(allErrors) as ErrorCode[];
const watchlists = `${plusPrefix}/watchlists`;

const json = (method: string, body: object) => ({
  method,
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});

interface Refused {
  readonly plan?: 'free';
  readonly options?: Parameters<World['addKey']>[1];
  readonly prepare?: (key: string, email: string) => Promise<void>;
  readonly path: string;
  readonly init?: RequestInit;
}

/** A call that gets the error. */
const refused: Readonly<Record<ErrorCode, Refused>> = {
  BadRequest: { path: '/set/1?colour=red' },
  MissingApiKey: { path: '/set/1', init: { headers: { Authorization: 'Basic x' } } },
  InvalidApiKey: { path: '/set/1', init: { headers: { Authorization: 'Bearer bmk_1' } } },
  TierRequired: { path: '/set/1', plan: 'free' },
  ScopeRequired: { path: '/salesledger', options: { scopes: scopeBits(['market']) } },
  NotFound: { path: '/set/1' },
  MethodNotAllowed: { path: '/set/1', init: { method: 'DELETE' } },
  QuotaExceeded: {
    path: '/catalog/batch',
    init: json('POST', { sets: ['1', '2'] }),
    options: { allowance: 1 },
  },
  InternalError: { path: '/set/99500', options: { isTest: true } },
  Conflict: {
    prepare: async (key) => {
      await world.call(`${watchlists}/${ownList}`, key, json('PUT', { name: 'One' }));
      await world.call(watchlists, key, json('POST', { name: 'Two' }));
    },
    path: `${watchlists}/${ownList}`,
    init: json('PUT', { name: 'Two' }),
  },
  TooManyRequests: {
    prepare: async (_, email) => {
      const account = await world.store.accounts.findAccount(email, world.now);
      const by = { accountId: account?.id ?? 0, at: world.now };
      while (await mayUseAlerts(world.store.accounts, 'add', by));
    },
    path: `${plusPrefix}/webhooks`,
    init: json('POST', { name: 'Bot', url: 'https://example.com/hook' }),
  },
  TooManyStreams: {
    prepare: async (key) => {
      for (let stream = 0; stream < keyStreamsMax; stream++) {
        streams.push(await world.call(`${plusPrefix}/events/stream`, key));
      }
    },
    path: `${plusPrefix}/events/stream`,
  },
};

test.each(codes)('%s has the status, the cost and the Retry-After of its row', async (code) => {
  const { plan, options, prepare, path, init } = refused[code];
  const email = `${code}@example.com`;
  await world.addAccount(email, plan);
  const key = await world.addKey(email, options);
  const used = async () =>
    (await world.store.accounts.listKeys(email, world.now))?.[0]?.usedToday ?? -1;
  await prepare?.(key, email);
  const before = await used();
  const response = await world.call(path, key, init);
  const body = (await response.json()) as { error: { code: string } };
  expect([response.status, body.error.code]).toEqual([allErrors[code].status, code]);
  const { charge, retry } = rulesOf(code);
  expect(response.headers.get('Retry-After') ?? '').toMatch(
    retry === 'after' ? /^[1-9]\d*$/ : /^$/,
  );
  const isCharged = charge === 'item' || (charge === 'change' && init !== undefined);
  expect((await used()) - before).toBe(isCharged ? 1 : 0);
});

test.each([
  // To a test key with too many calls, version 1 sends a 500, as its 429 is about the allowance.
  ['version 1', openApiDocument, ['429', '500']],
  ['the Plus API', plusOpenApiDocument, ['429']],
])('the document of %s has Retry-After where it can be sent', (_, documentOf, statuses) => {
  const { components } = documentOf('https://example.com') as {
    components: { responses: Record<string, { headers: object }> };
  };
  const sent = Object.entries(components.responses).filter(
    ([, { headers }]) => 'Retry-After' in headers,
  );
  expect(sent.map(([status]) => status)).toEqual(statuses);
});

/** A response with the error, as the API sends it. */
function errorResponse(code: ErrorCode): Response {
  const { status, example } = allErrors[code];
  const headers: Record<string, string> = {
    'X-RateLimit-Limit': '1000',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': '2026-11-16T00:00:00.000Z',
  };
  if (rulesOf(code).retry === 'after') headers['Retry-After'] = '7';
  return Response.json({ error: { code, message: example } }, { status, headers });
}

test.each(codes)('the client tries again after %s if its row says that it helps', async (code) => {
  const pauses: number[] = [];
  const steps = [errorResponse(code), Response.json({ data: 'good', meta: {} })];
  const fetch = async () => steps.shift() ?? Response.error();
  const sleep = async (ms: number) => {
    pauses.push(ms);
  };
  const client = new Brickmark(
    { url: 'https://example.com', key: 'bmk_1', fetch },
    { ...platform, random: () => 1, sleep },
  );
  const outcome = await client.getSet('1').catch((error: BrickmarkError) => error.code);
  const { retry } = rulesOf(code);
  const expected = { never: [], after: [7_000], backoff: [250] };
  expect([outcome as unknown, pauses]).toEqual([
    retry === 'never' ? code : 'good',
    expected[retry],
  ]);
});

test.each(codes)('an AI app is told after %s whether the call was charged', async (code) => {
  const fetch = async () => errorResponse(code);
  const brickmark = new Brickmark({
    url: 'https://example.com',
    key: 'bmk_1',
    fetch,
    retries: 0,
    waitForReset: false,
  });
  const { content, isError } = await compileTool(valueHistory)({ set: '1' }, { brickmark });
  const text = content.map((part) => part.text).join();
  const isCharged = text.includes('The call was charged.');
  expect([isError, isCharged]).toEqual([true, rulesOf(code).charge === 'item']);
});
