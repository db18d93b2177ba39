/** What calls cost whoever leaves on the way, and which answers may be given later. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { startWorld, type World } from '../../test/support/world.ts';
import { hashKey } from '../accounts/keys.ts';
import { groupAdmissions } from './admission.ts';
import { type ApiDeps, answerApi } from './answer.ts';
import type { Work } from './handler.ts';
import type { ParsedUrl } from './parsed-url.ts';
import { compileRoutes } from './router.ts';
import { catalogHandlers } from './routes/catalog.ts';

const email = 'ann@example.com';
let world: World;
let deps: ApiDeps;
/** The statuses of the answers that cost nothing. */
let free: number[];

beforeEach(() => {
  free = [];
});

beforeAll(async () => {
  world = await startWorld();
  await world.addAccount(email);
  deps = {
    admit: groupAdmissions(world.store.accounts, () => world.now),
    newRequestId: () => crypto.randomUUID(),
    hashKey,
    report: () => {},
    giveFree: (_, answer) => {
      free.push(answer.status);
      return answer;
    },
  };
});

afterAll(() => world.close());

/** Calls for work; the status of the answer. */
async function call(work: Work, init: RequestInit): Promise<number> {
  const find = compileRoutes(catalogHandlers({ market: {} } as never) as never);
  const route = find('/set/1')?.row;
  if (!route) throw new Error('There is no such endpoint.');
  const parsed: ParsedUrl = { route, work: null, prepare: () => work };
  const { status } = await answerApi(new Request('http://here/api/v1/set/1', init), parsed, deps);
  return status;
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Calls something whose caller leaves while it is made; what that cost. */
async function costOfLeaving(isExpensive: boolean): Promise<number> {
  const headers = bearer(await world.addKey(email));
  const leaving = new AbortController();
  const read = async () => {
    leaving.abort();
    return '{}';
  };
  await call({ isExpensive, read }, { headers, signal: leaving.signal });
  const keys = (await world.store.accounts.listKeys(email, world.now)) ?? [];
  return keys.reduce((sum, { usedToday }) => sum + usedToday, 0);
}

test('whoever leaves early does not have expensive work done for nothing', async () => {
  expect(await costOfLeaving(false)).toBe(0);
  expect(await costOfLeaving(true)).toBe(1);
});

test('refusals may be given later, but nothing that was paid for, and no fault of ours', async () => {
  const headers = bearer(await world.addKey(email));
  const read = async () => '{}';
  expect(await call({ read }, { headers })).toBe(200);
  expect(await call({ read: async () => ({ missing: 'There is no set 1.' }) }, { headers })).toBe(
    404,
  );
  expect(await call({ read: () => Promise.reject(new Error('broken')) }, { headers })).toBe(500);
  expect(free).toEqual([]);
  expect(await call({ read }, {})).toBe(401);
  expect(await call({ read }, { headers, method: 'POST' })).toBe(405);
  expect(free).toEqual([401, 405]);
});
