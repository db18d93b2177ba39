/** Calls that are abandoned on the way: expensive work is paid for, cheap work is not. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startWorld, type World } from '../../test/support/world.ts';
import { hashKey } from '../accounts/keys.ts';
import { groupAdmissions } from './admission.ts';
import { type ApiDeps, answerApi } from './answer.ts';
import type { ParsedUrl } from './parsed-url.ts';
import { compileRoutes } from './router.ts';
import { catalogHandlers } from './routes/catalog.ts';

const email = 'ann@example.com';
let world: World;
let deps: ApiDeps;

beforeAll(async () => {
  world = await startWorld();
  await world.addAccount(email);
  deps = {
    admit: groupAdmissions(world.store.accounts, () => world.now),
    newRequestId: () => crypto.randomUUID(),
    hashKey,
    report: () => {},
    giveFree: (_, answer) => answer,
  };
});

afterAll(() => world.close());

/** Calls something whose caller leaves while it is made; what that cost. */
async function costOfLeaving(isExpensive: boolean): Promise<number> {
  const key = await world.addKey(email);
  const leaving = new AbortController();
  const request = new Request('http://here/api/v1/set/1', {
    headers: { Authorization: `Bearer ${key}` },
    signal: leaving.signal,
  });
  const find = compileRoutes(catalogHandlers({ market: {} } as never) as never);
  const route = find('/set/1')?.row;
  if (!route) throw new Error('There is no such endpoint.');
  const read = async () => {
    leaving.abort();
    return '{}';
  };
  const parsed: ParsedUrl = { route, work: null, prepare: () => ({ isExpensive, read }) };
  await answerApi(request, parsed, deps);
  const keys = (await world.store.accounts.listKeys(email, world.now)) ?? [];
  return keys.reduce((sum, { usedToday }) => sum + usedToday, 0);
}

test('whoever leaves early does not have expensive work done for nothing', async () => {
  expect(await costOfLeaving(false)).toBe(0);
  expect(await costOfLeaving(true)).toBe(1);
});
