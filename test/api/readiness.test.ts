/** Whether requests should be sent here: /readyz. */
import { expect, test } from 'bun:test';
import { startWorld } from '../support/world.ts';

test('it is ready while the store can be read, and no longer', async () => {
  const world = await startWorld();
  const look = async (path: string) => (await fetch(`${world.url}${path}`)).status;
  expect([await look('/readyz'), await look('/healthz')]).toEqual([200, 200]);
  await world.store.close();
  // A store that others share is looked at again within a second.
  const closedAt = performance.now();
  while ((await look('/healthz')) === 200 && performance.now() - closedAt < 1000) {
    await Bun.sleep(20);
  }
  expect([await look('/readyz'), await look('/healthz')]).toEqual([503, 500]);
  const answer = await fetch(`${world.url}/readyz`);
  expect(await answer.json()).toEqual({ status: 'unavailable' });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  await world.close();
});
