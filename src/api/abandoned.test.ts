/** Calls that are abandoned while they are answered: dear work is paid for, cheap work is not. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startWorld, type World } from '../../test/support/world.ts';
import { hashKey } from '../accounts/keys.ts';
import { groupAdmissions } from './admission.ts';
import { type ApiParts, answerApi } from './answer.ts';
import type { Asked } from './asked.ts';
import { compileRouter } from './router.ts';
import { getSet } from './routes/catalog.ts';

const email = 'ann@example.com';
let world: World;
let parts: ApiParts;

beforeAll(async () => {
  world = await startWorld();
  await world.addAccount(email);
  parts = {
    admit: groupAdmissions(world.store.accounts, () => world.now),
    newRequestId: () => crypto.randomUUID(),
    hashKey,
    watch: () => {},
    giveFree: (_, answer) => answer,
  };
});

afterAll(() => world.close());

/** Calls something whose caller leaves while it is made; what that cost. */
async function costOfLeaving(isDear: boolean): Promise<number> {
  const key = await world.addKey(email);
  const leaving = new AbortController();
  const request = new Request('http://here/api/v1/set/1', {
    headers: { Authorization: `Bearer ${key}` },
    signal: leaving.signal,
  });
  const find = compileRouter({ getSet: getSet({} as never) } as never);
  const route = find('/set/1')?.route;
  if (!route) throw new Error('There is no such endpoint.');
  const read = async () => {
    leaving.abort();
    return '{}';
  };
  const asked: Asked = { route, work: null, prepare: () => ({ cost: 1, isDear, read }) };
  await answerApi(request, asked, parts);
  const keys = (await world.store.accounts.listKeys(email, world.now)) ?? [];
  return keys.reduce((sum, { usedToday }) => sum + usedToday, 0);
}

test('whoever leaves early does not have dear work done for nothing', async () => {
  expect(await costOfLeaving(false)).toBe(0);
  expect(await costOfLeaving(true)).toBe(1);
});
